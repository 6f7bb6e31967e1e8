/**
 * Terms that a document defines: a name with its role in quotation marks and brackets behind it (`Acme Inc. (the
 * “Licensor”)`), and sentences that begin with the property's own words (`The financial year is the calendar year`).
 */
import { lowerBound } from "../../layout/binary-search.ts";
import type { Field } from "../../schema/schema-shape.ts";
import { type Segment, tokensBetween } from "../../structure/view/tokens.ts";
import { labelKey } from "../../values/label-words.ts";
import { hasLegalForm, isNameLike, isStreet, placeIn } from "../../values/party-names.ts";
import { stem } from "../../values/stems.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { DOCUMENT_LABELS } from "../../values/vocabulary/vocabulary.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import { appositionOf, personOfRole } from "./appositions.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import { isPerson } from "./front-page.ts";
import { type ProseStream, type Sentence, sentencesIn, streamOf, tokensIn } from "./prose-stream.ts";
import { alignmentWeight } from "./value-candidates.ts";
import { fitsLengthAndPattern } from "./value-reader.ts";

const ARTICLE = `(?:${anyOf(wordsOf(({ grammar }) => grammar.articles))})`;
/** A term in quotation marks inside of brackets, with words before it: `(hereinafter referred to as the “Licensor”)`. */
const TERM = new RegExp(
  `\\((?<lead>[^()“”„«»"]{0,60})["“”„«]\\s?(?:${ARTICLE}\\s)?(?<term>[^"“”„«»()]{2,40}?)\\s?["”“»](?<rest>[^()]{0,60})\\)`,
  "giu",
);
/** The first of several terms for one party: `(“Acme” or the “Licensor”)`. */
const OTHER_TERM = /["“„«]\s?(?:\p{L}+\s)?([^"“”„«»()]{2,40}?)\s?["”“»]/gu;

/** Text before a bracket in which the name stands. */
const MAX_CHARS_TO_NAME = 320;
/** Words before a name, and marks: `between`, `and`, `(1)`; a point behind up to three letters is an abbreviation's. */
const NAME_BEGINS = new RegExp(
  `(?:^|[:;”»")\\]]\\s|(?<=^|\\s)(?:${anyOf(wordsOf(({ grammar }) => [grammar.conjunctions, grammar.and, grammar.between].flatMap((words) => words ?? [])))})\\s|\\(?[1-9a-c][.)]\\s|(?<=\\p{L}{4})[.]\\s(?=\\p{Lu}))(?:${ARTICLE}\\s)?`,
  "giu",
);

const DEFINED_CONFIDENCE = 0.85;

/** A name up to its first comma, but for one before a legal form: `Acme Widgets, Inc.`. */
function nameIn(text: string): string {
  const [first = "", second = ""] = text.split(/,\s|\s\(/);
  const joined = `${first}, ${second}`;
  const isForm = second.split(/\s/).length <= 2 && hasLegalForm(second) && text.startsWith(joined);
  return (isForm ? joined : first).trim();
}

/** The starts of blocks in a part of a stream: no name goes on from a heading into its text. */
const blockStarts = ({ starts, tokens }: ProseStream, from: number, to: number): number[] =>
  starts
    .slice(
      lowerBound(starts, (at) => at, from),
      lowerBound(starts, (at) => at, to),
    )
    .filter((start) => {
      const at = lowerBound(starts, (one) => one, start);
      return at > 0 && tokens[at]?.block !== tokens[at - 1]?.block;
    });

/** Quoted words right before a bracket are the name: `organises the programme “Green Roofs” (the “Programme”)`. */
const QUOTED_NAME = /["“„«]\s?([^"“”„«»]{2,80}?)\s?["”“»]\s?$/u;

const BETWEEN = new Set(wordsOf(({ grammar }) => grammar.between));
/** `Between` alone in its block is no party: its name is left to fill. */
const isPlaceToFill = (name: string): boolean => BETWEEN.has(name.toLowerCase().split(" ").at(-1) ?? "");

/** The name that a bracket belongs to: the nearest that begins a part of the sentence before it. */
function namedBefore(stream: ProseStream, bracket: number): { start: number; value: string } | null {
  const { text } = stream;
  const from = Math.max(0, bracket - MAX_CHARS_TO_NAME);
  const before = text.slice(from, bracket);
  const quoted = QUOTED_NAME.exec(before);
  if (quoted?.[1] !== undefined) return { start: from + quoted.index + quoted[0].indexOf(quoted[1]), value: quoted[1] };
  // Names before another bracket with a term belong to that one.
  const other = Math.max(before.lastIndexOf("”)"), before.lastIndexOf('")'), before.lastIndexOf("“)"));
  const begins = [...before.matchAll(NAME_BEGINS)].map((match) => match.index + match[0].length);
  for (const start of blockStarts(stream, from, bracket))
    begins.push(start - from + (LEADING_ARTICLE.exec(text.slice(start, bracket))?.[0].length ?? 0));
  const names = begins
    .sort((a, b) => b - a)
    .flatMap((at) => {
      const value = at < other ? "" : nameIn(before.slice(at));
      // A colon ends a label, and a number without a legal form is of an address.
      const isOther = /:$/.test(value) || (/\d/.test(value) && !hasLegalForm(value));
      const isName =
        !isOther && /^\p{Ll}?[\p{Lu}\d]/u.test(value) && value.split(/\s/).length <= 9 && isNameLike(value, true);
      return isName && !isPlaceToFill(value) && !isStreet(value) && placeIn(value) === null
        ? [{ start: from + at, value }]
        : [];
    });
  // State and address of a company stand between its name and the bracket.
  return names.find(({ value }) => hasLegalForm(value)) ?? names[0] ?? null;
}

interface Asked {
  field: Field;
  meaning: Meaning;
}

const isPlainText = ({ type, format, choices }: Field): boolean =>
  type === "string" && format === null && choices === null;

const knownTerms = new WeakMap<ProseStream, RegExpExecArray[]>();

/** The brackets with a term, found once for all properties. */
function termsIn(stream: ProseStream): RegExpExecArray[] {
  const known = knownTerms.get(stream) ?? [...stream.text.matchAll(TERM)];
  knownTerms.set(stream, known);
  return known;
}

/** The party that a bracket gives the property's role. @returns null for none, and for two */
export function partyOfTerm({ field, meaning }: Asked, context: DocumentContext): Finding | null {
  if (!isPlainText(field) || context.isBill()) return null;
  const stream = streamOf(context);
  const own = new Set(meaning.ownKeys.map(({ key }) => key));
  const isAsked = (term: string): boolean => {
    const key = labelKey(term);
    const isConcept =
      meaning.role !== null && DOCUMENT_LABELS.meaningsOf(key).some(({ concept }) => concept === meaning.role);
    return own.has(key) || isConcept;
  };
  const found = termsIn(stream).flatMap((match) => {
    const terms = [...match[0].matchAll(OTHER_TERM)].map((one) => one[1] ?? "");
    if (![match.groups?.term ?? "", ...terms].some(isAsked)) return [];
    const named = namedBefore(stream, match.index);
    // `INSTITUTION NAME (“Institution”)` is a place to fill.
    const isPlace =
      labelKey(named?.value ?? "").startsWith(labelKey(match.groups?.term ?? "")) && !hasLegalForm(named?.value ?? "");
    return named === null || isPlace ? [] : [named];
  });
  const [first] = found;
  if (first === undefined || new Set(found.map(({ value }) => labelKey(value))).size > 1) return null;
  const tokens = tokensIn(stream, first.start, first.start + first.value.length);
  return fitsLengthAndPattern(field, first.value)
    ? { value: first.value, tokens, confidence: DEFINED_CONFIDENCE }
    : null;
}

const COPULA = new RegExp(
  `^(?<subject>.{3,80}?)\\s(?:${anyOf(wordsOf(({ grammar }) => grammar.copulas))})\\s(?<rest>.+)$`,
  "iu",
);
const LEADING = new RegExp(`^(?:[§\\d.()]+\\s)*(?:${ARTICLE}\\s)?`, "iu");
const LEADING_ARTICLE = new RegExp(`^${ARTICLE}\\s`, "iu");
/** Letters of a subject: shorter words have too many meanings, and stems. */
const MIN_SUBJECT_LETTERS = 4;
/** Letters of an ending: `Sitzungen` are no `Sitz`. */
const MAX_ENDING_LETTERS = 3;
/** Words of a subject behind the property's own: `The seat of the association`. */
const MAX_WORDS_BESIDE = 4;
/** Words of what is said of it. */
const MAX_PREDICATE_WORDS = 8;
const MAX_PLAIN_PREDICATE_WORDS = 2;
/** No predicate begins with one: it would be a part of a phrase. */
const STOP_WORDS = new Set(wordsOf(({ grammar }) => grammar.stopWords));
const SAID_CONFIDENCE = 0.75;

/** A sentence that says something of its subject: `X is Y`. */
interface Statement {
  sentence: Sentence;
  /** The words of the subject, as label keys. */
  words: string[];
  said: string;
}

const knownStatements = new WeakMap<DocumentContext, Statement[]>();

/** The sentences that say something of their subjects, taken apart once for all properties. */
function statementsIn(context: DocumentContext): Statement[] {
  const known = knownStatements.get(context);
  if (known !== undefined) return known;
  const found = sentencesIn(context).flatMap((sentence): Statement[] => {
    if (!sentence.isWhole) return [];
    const { subject, rest } = COPULA.exec(sentence.text.replace(/[.;]$/, ""))?.groups ?? {};
    if (subject === undefined || rest === undefined) return [];
    const words = (subject.replace(LEADING, "").match(/[\p{L}\p{N}]+/gu) ?? []).map(labelKey);
    return [{ sentence, words, said: rest.replace(LEADING_ARTICLE, "") }];
  });
  knownStatements.set(context, found);
  return found;
}

/** The statement's predicate, where its subject is the property. */
function predicateOf({ words, said }: Statement, stems: readonly string[]): string | null {
  const isOwn = (word: string | undefined, own: string): boolean =>
    word !== undefined && stem(word) === own && word.length <= own.length + MAX_ENDING_LETTERS;
  if (!stems.every((one, at) => isOwn(words[at], one)) || words.length > stems.length + MAX_WORDS_BESIDE) return null;
  const [first = "", ...others] = said.split(/\s/);
  // In small letters, two words may name something (`calendar year`); more of them describe it.
  const most = /^\p{Ll}/u.test(first) ? MAX_PLAIN_PREDICATE_WORDS : MAX_PREDICATE_WORDS;
  return others.length < most && !STOP_WORDS.has(first) ? said : null;
}

/** The predicate of the sentence that begins with the property's own words. @returns null for none, and for two */
function saidOf(meaning: Meaning, context: DocumentContext): Finding | null {
  const { stems } = meaning;
  if (stems.length === 0 || stems.join("").length < MIN_SUBJECT_LETTERS) return null;
  const stream = streamOf(context);
  const found = statementsIn(context).flatMap((statement) => {
    const said = predicateOf(statement, stems);
    const { start, text } = statement.sentence;
    return said === null ? [] : [{ start: start + text.lastIndexOf(said), said }];
  });
  const [first] = found;
  if (first === undefined || new Set(found.map(({ said }) => labelKey(said))).size > 1) return null;
  const tokens = tokensIn(stream, first.start, first.start + first.said.length);
  return { value: first.said, tokens, confidence: SAID_CONFIDENCE };
}

/** `Anna Berg, Chair` and `Anna Berg (Chair)` on a line of their own. */
const NAME_AND_ROLE = /^(?<name>[^,()]{4,50})(?:,\s*(?<role>[^,()]{3,40})|\s\((?<bracket>[^()]{3,40})\))$/u;

/** The line right above another, in its column. */
function nearestAbove({ row, page, box }: Segment, { rows }: DocumentContext["view"]): Segment | undefined {
  const above = rows[row - 1]?.segments.find((one) => one.page === page && alignmentWeight(one.box, box) > 0);
  return above !== undefined && box.top - above.box.bottom < above.box.bottom - above.box.top ? above : undefined;
}

/** The person whose name stands on a line with the property's own words, or right above them. @returns null for two */
function personInRole({ ownKeys }: Meaning, { view }: DocumentContext): Finding | null {
  const own = new Set(ownKeys.map(({ key }) => key));
  const found = view.segments.flatMap((segment): Finding[] => {
    const { name = "", role, bracket } = NAME_AND_ROLE.exec(segment.text)?.groups ?? {};
    if (own.has(labelKey(role ?? bracket ?? "")) && isPerson(name))
      return [{ value: name, tokens: tokensBetween(segment, 0, name.length), confidence: DEFINED_CONFIDENCE }];
    const alone = /^\(?([^():]{3,40})\)?$/u.exec(segment.text)?.[1] ?? "";
    if (!own.has(labelKey(alone))) return [];
    const above = nearestAbove(segment, view);
    // `Anna Berg`, `Head of the office`, `Recording secretary`: another role may stand between.
    const second = above && nearestAbove(above, view);
    const person =
      above && isPerson(above.text)
        ? above
        : second && isPerson(second.text) && !/\s\p{Ll}/u.test(second.text)
          ? second
          : null;
    return person === null ? [] : [{ value: person.text, tokens: person.tokens, confidence: DEFINED_CONFIDENCE }];
  });
  const [first] = found;
  return first !== undefined && found.every(({ value }) => value === first.value) ? first : null;
}

/** The value that the document defines for a property. */
export function definedValue({ field, meaning }: Asked, context: DocumentContext): Finding | null {
  if (!isPlainText(field) || context.isBill()) return null;
  const found = meaning.part === null || meaning.part === "name" ? partyOfTerm({ field, meaning }, context) : null;
  const isPlain = (meaning.value ?? "text") === "text" && meaning.role === null && meaning.part === null;
  return (
    found ??
    (isPlain
      ? (personInRole(meaning, context) ??
        saidOf(meaning, context) ??
        personOfRole(field, meaning, context) ??
        appositionOf(field, meaning, context))
      : null)
  );
}
