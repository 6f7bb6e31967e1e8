/** The organisation that a document is of: in its title, or by its legal form where the document names no other one. */
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { labelKey } from "../../values/label-words.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Finding } from "./findings.ts";
import { titleOf } from "./front-page.ts";
import { isAmong, stemsOf } from "./told-values.ts";

/** A word with a capital. Its length is limited: the search would read a word without end from each of its capitals. */
const CAPITAL = "\\p{Lu}[\\p{L}\\p{N}&.’'-]{0,40}";
/** Words inside of names: `Society for Art and Music`. */
const INSIDE = anyOf(wordsOf(({ grammar }) => [...(grammar.and ?? []), ...(grammar.of ?? [])]));
const LEGAL_FORM = anyOf(
  wordsOf(({ parties }) => [...(parties.legalForms ?? []), ...(parties.legalFormsInCapitals ?? [])]),
);
const LEGAL_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}.])${CAPITAL}(?:\\s(?:(?:${INSIDE})\\s)?${CAPITAL}){0,6},?\\s(?:${LEGAL_FORM})(?![\\p{L}\\p{N}])`,
  "gu",
);

const ORGANIZATIONS = stemsOf(
  wordsOf(({ concepts }) => concepts["organization-name"]?.names).filter((name) => !name.includes(" ")),
);
const DOCUMENTS = stemsOf(wordsOf(({ answers }) => answers.document));
const isOne = (word: string, stems: readonly string[]): boolean => stemsOf([word]).some((one) => isAmong(one, stems));

/** `Statutes of Green Roofs`, `Stadgar – Gröna Tak`: a document's kind, and what it is for. */
const OF_NAME = new RegExp(
  `^(?<kind>\\p{L}+(?:\\s\\p{L}+)?)\\s?(?:[–—:]|\\s-|\\s(?:${INSIDE}))\\s(?<name>\\p{Lu}.{2,80})$`,
  "u",
);

const TITLE_CONFIDENCE = 0.75;
const LEGAL_CONFIDENCE = 0.65;

const quotedIn = (text: string): { lead: string; name: string } => {
  const { lead = "", name = "" } =
    /^(?<lead>[^"“”„«»]*)["“„«]\s?(?<name>[^"“”„«»]{2,80}?)\s?["”“»]/u.exec(text)?.groups ?? {};
  return { lead, name };
};

/** The name in a title: what it says is of an organisation, in quotation marks or behind the kind of document. */
function nameInTitle(title: string, language: string | null): string | null {
  const { lead, name } = quotedIn(title);
  if (name !== "") return isOne(lead.trim().split(" ").at(-1) ?? "", ORGANIZATIONS) ? name : null;
  const [first = "", second = ""] = title.split(" ");
  // In English the word stands at the end of a name, and at the beginning of a title.
  if (language !== "en" && isOne(first, ORGANIZATIONS) && /^\p{L}/u.test(second)) return title;
  const { kind = "", name: named = "" } = OF_NAME.exec(title)?.groups ?? {};
  return isOne(kind.split(" ")[0] ?? "", DOCUMENTS) ? named : null;
}

/** The name with a legal form, where the document has one of these. */
function legalName({ view }: DocumentContext): Finding | null {
  const found = view.segments.flatMap((segment: Segment) =>
    [...segment.text.matchAll(LEGAL_NAME)].map((match): { value: string; tokens: Token[] } => ({
      value: match[0],
      tokens: tokensBetween(segment, match.index, match.index + match[0].length),
    })),
  );
  const [first] = found;
  return first !== undefined && found.every(({ value }) => labelKey(value) === labelKey(first.value))
    ? { ...first, confidence: LEGAL_CONFIDENCE }
    : null;
}

/** The organisation that a document is of. */
export function organizationOf(context: DocumentContext): Finding | null {
  const title = titleOf(context);
  const name = title === null ? null : nameInTitle(String(title.value), context.conventions.language);
  if (title === null || name === null) return legalName(context);
  const words = new Set(name.split(" "));
  return { value: name, tokens: title.tokens.filter(({ text }) => words.has(text)), confidence: TITLE_CONFIDENCE };
}
