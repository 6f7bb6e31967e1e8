/**
 * Facts that running prose states in phrases of its kind: the law and the parties of a contract, a period of notice, the
 * end of a financial year; and identifiers of a publication, which their form shows. A phrase that names two values
 * proves neither.
 */
import type { Token } from "../../structure/view/tokens.ts";
import { scanDates } from "../../values/dates.ts";
import { isNameLike } from "../../values/party-names.ts";
import { matchesOf } from "../../values/pattern-matches.ts";
import { PERIOD_SOURCE } from "../../values/periods.ts";
import { foldInPlace } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { STATED_CONCEPTS, type StatedConcept } from "../../values/vocabulary/stated-concepts.ts";
import { anyFolded, anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Finding } from "./findings.ts";
import { type ProseStream, streamOf, tokensIn } from "./prose-stream.ts";

const STATEMENT_CONFIDENCE = 0.85;
/** Several equal statements are surer. */
const REPEATED_CONFIDENCE = 0.92;

/** Sources of values in folded text. A name ends at a mark or at a bracket. */
const VALUE_SOURCES: Record<StatedConcept["value"], string> = {
  period: `(?<value>${PERIOD_SOURCE})`,
  law: "(?:the )?(?<value>\\p{L}[\\p{L}' -]{2,60}?)(?=[,.;:()]| and | without | excluding | y | et | und |$)",
  party: '(?<value>[\\p{L}\\d][^,;:()"“”„]{2,80}?)(?= ?[,;("“„])',
  place: "(?<value>[\\p{L}\\d][^.;:()]{2,70}?)(?=[.;(]| and | und | et | y | e | en |$)",
  title:
    '(?:["“„«] ?(?<value>[^"“”„«»]{3,110}?) ?["“”»]|(?<value>[\\p{L}\\d](?:[^"“”„«».,;:()]|\\.(?= ?\\p{L}\\.)){3,80}?)(?=\\.(?! ?\\p{L}\\.)|[,;(]|$))',
  date: "(?<value>[^;:()]{6,40})",
  code: "(?<value>\\S+)",
};

const KNOWN_FORMS: Partial<Record<string, RegExp>> = {
  doi: /(?<![\p{L}\p{N}])(?<value>10\.\d{4,9}\/[-._;()/:a-z0-9<>]*[a-z0-9])/giu,
  isbn: /(?<![\p{L}\p{N}])isbn(?:-1[03])?:? ?(?<value>(?:97[89][- ]?)?\d{1,5}[- ]?\d{1,7}[- ]?\d{1,7}[- ]?[\dx])(?!\d)/giu,
  issn: /(?<![\p{L}\p{N}])issn:? ?(?<value>\d{4}-\d{3}[\dx])/giu,
  "arxiv-id": /(?<![\p{L}\p{N}])arxiv: ?(?<value>\d{4}\.\d{4,5}(?:v\d+)?)/giu,
};

const phrases = new Map<string, readonly RegExp[]>();

/**
 * The expressions of a concept's phrases, made when the first document is asked for it: all of them would be a tenth of
 * a process's start. The whole phrase is the value of those without a place for one.
 */
function phrasesOf({ id, value }: (typeof STATED_CONCEPTS)[number]): readonly RegExp[] {
  const known = phrases.get(id);
  if (known !== undefined) return known;
  const sources = wordsOf(({ statements }) => statements?.[id]).map((phrase) =>
    phrase.includes("…")
      ? phrase
          .split("…")
          .map((part) => anyFolded([part]))
          .join(VALUE_SOURCES[value])
      : `(?<value>${anyFolded([phrase])})`,
  );
  const made = sources.map((source) => new RegExp(`(?<![\\p{L}\\p{N}])${source}`, "gu"));
  phrases.set(id, made);
  return made;
}

/** Pages on which a publication prints its own identifiers; those behind them are of works that it cites. */
const MAX_IDENTIFIER_PAGE = 2;

interface Statement {
  value: string;
  tokens: Token[];
}

/** A sentence goes on behind a name, with a word in small letters: `is named Acme and shall be registered`. */
const GOES_ON = new RegExp(`\\s(?:${anyOf(wordsOf(({ grammar }) => grammar.and))})\\s\\p{Ll}.*$`, "u");

const SECOND_NAME = new RegExp(
  `^\\s(?:${anyOf(wordsOf(({ grammar }) => grammar.and))})\\s\\p{Lu}\\p{L}+(?=\\s?[,.;:()]|\\s(?:${anyOf(wordsOf(({ grammar }) => grammar.and))})\\s)`,
  "u",
);

/** Kinds whose values are names: they begin with a capital. */
const isNamed = (kind: StatedConcept["value"]): boolean => ["law", "party", "place", "title"].includes(kind);

function statementsIn(
  pattern: RegExp,
  kind: StatedConcept["value"],
  stream: ProseStream,
  context: DocumentContext,
): Statement[] {
  const found: Statement[] = [];
  for (const match of matchesOf(stream.folded, pattern)) {
    const { value = "" } = match.groups ?? {};
    let start = match.index + match[0].lastIndexOf(value);
    let end = start + value.length;
    if (kind === "date") {
      const [date] = scanDates(stream.text.slice(start, end), context.conventions.order);
      if (date === undefined || date.start > MAX_CHARS_TO_DATE) continue;
      [start, end] = [start + date.start, start + date.end];
    }
    // The last point of `e.V.` belongs to the name.
    if (kind === "title" && /\. ?\p{L}\.$/u.test(stream.text.slice(end - 3, end + 1))) end += 1;
    // `the laws of England and Wales`: two names before a mark are one.
    if (kind === "law") end += SECOND_NAME.exec(stream.text.slice(end))?.[0].length ?? 0;
    const quoted = /["“„«]\s?$/.test(stream.text.slice(0, start));
    if (kind === "title" && !quoted) end -= GOES_ON.exec(stream.text.slice(start, end))?.[0].length ?? 0;
    const text = stream.text.slice(start, end).trim();
    const isWhole = pattern.source.includes("[,;(") || kind === "place" || kind === "title";
    if (text === "" || (isNamed(kind) && isWhole && !/^[\p{Lu}\d]/u.test(text))) continue;
    if (kind === "law" && !/\p{Lu}/u.test(text)) continue;
    if (kind === "code" && (tokensIn(stream, start, end)[0]?.page ?? 0) > MAX_IDENTIFIER_PAGE) continue;
    if (kind === "party" && (!isNameLike(text, true) || scanDates(text, context.conventions.order).length > 0))
      continue;
    const tokens = tokensIn(stream, start, end);
    found.push({ value: text, tokens });
  }
  return found;
}

/** A date stands right behind its phrase, or behind an article and the word for a day. */
const MAX_CHARS_TO_DATE = 5;

/** The fact that a concept's phrases state, as it is printed. @returns null for none, and for several different ones */
export function statedFact(concept: string, context: DocumentContext): Finding | null {
  const stated = STATED_CONCEPTS.find(({ id }) => id === concept);
  if (stated === undefined) return null;
  const stream = streamOf(context);
  const form = KNOWN_FORMS[concept];
  const patterns = form === undefined ? phrasesOf(stated) : [form];
  const found = patterns.flatMap((pattern) => statementsIn(pattern, stated.value, stream, context));
  const [first] = found;
  if (first === undefined) return null;
  const values = new Set(found.map(({ value }) => foldInPlace(value)));
  // A paper's own identifier comes first; those behind it are of the works that it cites.
  if (values.size > 1 && !stated.first) return null;
  const confidence =
    values.size > 1 ? STATEMENT_CONFIDENCE - 0.1 : found.length > 1 ? REPEATED_CONFIDENCE : STATEMENT_CONFIDENCE;
  return { ...first, confidence };
}
