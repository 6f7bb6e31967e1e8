/**
 * Finds text about a referenced document: the invoice that a credit note corrects, cancels or refers to, with its number,
 * date and sums. Its values are not the document's own.
 */

import type { Field } from "../../schema/schema-shape.ts";
import type { DocumentView } from "../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { foldInPlace, foldText, splitName } from "../../values/text-folding.ts";
import type { LanguageWords } from "../../values/vocabulary/language-file.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded } from "../../values/vocabulary/word-patterns.ts";
import type { LabelHit, LabelMap } from "./find-labels.ts";
import { ALIGNMENT_WEIGHTS } from "./scoring.ts";
import { alignmentWeight, type Candidate } from "./value-candidates.ts";

type ReferenceWords = LanguageWords["references"];

/** The source of an expression for any of the words, folded. */
const anyReference = (pick: (references: ReferenceWords) => readonly string[] | undefined): string =>
  anyFolded(wordsOf(({ references }) => pick(references)));

/** Words for an invoice, compounds such as `Rechnungsdatum` included, folded. */
const INVOICE = `(?:${anyReference(({ invoices }) => invoices)})`;
/** Function words between a referring word and the invoice. */
const FUNCTION_WORD = `(?:(?:${anyReference(({ smallWords }) => smallWords)})\\s+)`;

/** Wording that corrects or cancels another invoice, on any document. */
const AMENDING_WORDING = new RegExp(
  `(?<!\\p{L})(?:(?:${anyReference(({ corrects }) => corrects)})\\s+${FUNCTION_WORD}*|` +
    `(?:${anyReference(({ corrections }) => corrections)})\\s+${FUNCTION_WORD}+)${INVOICE}(?!\\p{L})`,
  "u",
);

/** Wording that refers to an invoice on a credit note, such as "original". */
const REFERRING_WORDING = new RegExp(
  `(?<!\\p{L})(?:${anyReference(({ refersTo }) => refersTo)})[\\s:-]+${FUNCTION_WORD}*${INVOICE}(?!\\p{L})|` +
    `(?<!\\p{L})(?:${anyReference(({ compounds }) => compounds)})|` +
    `(?<!\\p{L})${INVOICE} (?:${anyReference(({ referredTo }) => referredTo)})(?!\\p{L})`,
  "u",
);

/** A label of a few words with "original". */
const ORIGINAL_LABEL = new RegExp(
  `^[^:]{0,40}(?<!\\p{L})(?:${anyReference(({ original }) => original)})(?!\\p{L})[^:]{0,25}:`,
  "u",
);

/** Names of credit notes and corrections. */
const CREDIT_NOTE_NAME = new RegExp(anyReference(({ credits }) => credits));

/** Characters of a line that are searched. */
const MAX_SEARCHED_CHARS = 400;
/** Rows below a heading about the referenced document that may hold its values. */
const MAX_ROWS_BELOW = 3;

/** Words of fields that ask for the referenced document. */
const REFERENCED_FIELD_NAME = new RegExp(
  `(?<!\\p{L})(?:${anyFolded(wordsOf(({ properties }) => properties.original))})(?!\\p{L})`,
  "u",
);

/** A field asks for the referenced document, by its own words. */
export const asksForReferencedDocument = ({ path, title, description }: Field): boolean =>
  REFERENCED_FIELD_NAME.test(foldText([...path.flatMap(splitName), title, description].join(" ")));

/** A label or value is part of the text about the referenced document. */
export const isOfReferencedDocument = ({ hit, tokens }: Candidate, referencedWords: ReadonlySet<Token>): boolean =>
  tokens.some((token) => referencedWords.has(token)) ||
  (hit?.segment.tokens.slice(hit.from, hit.to).some((token) => referencedWords.has(token)) ?? false);

/** A segment begins with a label of its own. */
const beginsWithLabel = (segment: Segment, labels: LabelMap): boolean =>
  (labels.bySegment.get(segment) ?? []).some(({ from, colon, strength }) => from === 0 && (colon || strength === 1));

const hasDigit = (text: string): boolean => /\d/.test(text);

/** The words from a mention on: the rest of its line and the segments right of it, else the rows below. */
function wordsFrom(segment: Segment, start: number, end: number, view: DocumentView, labels: LabelMap): Token[] {
  const words = tokensBetween(segment, start, segment.text.length);
  const row = view.rows[segment.row]?.segments ?? [];
  let hasValue = hasDigit(segment.text.slice(end));
  for (const right of row.slice(row.indexOf(segment) + 1)) {
    if (beginsWithLabel(right, labels) || !hasDigit(right.text)) break;
    words.push(...right.tokens);
    hasValue = true;
  }
  if (hasValue) return words;
  let above = segment;
  for (const next of view.rows.slice(segment.row + 1, segment.row + 1 + MAX_ROWS_BELOW)) {
    const below = next.segments.find((other) => alignmentWeight(segment.box, other.box) >= ALIGNMENT_WEIGHTS.middle);
    const gap = next.box.top - above.box.bottom;
    if (below === undefined || next.page !== segment.page || gap > above.box.bottom - above.box.top) break;
    if (!next.segments.some(({ text }) => hasDigit(text))) break;
    // Below a heading stand labels with values; else a single value.
    words.push(...(beginsWithLabel(below, labels) ? next.segments.flatMap(({ tokens }) => tokens) : below.tokens));
    if (!beginsWithLabel(below, labels)) break;
    above = below;
  }
  return words;
}

/** Lines without one of these need no folding, which takes long. */
const MENTION_HINT = new RegExp(
  anyReference(({ stems }) => stems),
  "iu",
);

/** The position of the words in a line that refer to another document. */
function mentionIn(text: string, credit: boolean): { start: number; end: number } | null {
  if (!MENTION_HINT.test(text)) return null;
  const folded = foldInPlace(text.slice(0, MAX_SEARCHED_CHARS));
  const [found] = [AMENDING_WORDING, ...(credit ? [REFERRING_WORDING, ORIGINAL_LABEL] : [])]
    .map((pattern) => pattern.exec(folded))
    .filter((match) => match !== null)
    .sort((a, b) => a.index - b.index);
  return found === undefined ? null : { start: found.index, end: found.index + found[0].length };
}

/** A label of the credit note's own number has a number behind or beside it. */
function hasOwnNumber(hits: readonly LabelHit[], view: DocumentView): boolean {
  return hits.some(({ segment, from, to }) => {
    const label = foldText(
      segment.tokens
        .slice(from, to)
        .map(({ text }) => text)
        .join(" "),
    );
    const row = view.rows[segment.row]?.segments ?? [];
    const behind = segment.tokens.slice(to).map(({ text }) => text);
    return (
      CREDIT_NOTE_NAME.test(label) &&
      (hasDigit(behind.join(" ")) || hasDigit(row[row.indexOf(segment) + 1]?.text ?? ""))
    );
  });
}

/**
 * The words of a document about a referenced one.
 * @param credit the document credits or corrects an invoice: then an invoice number beside its own is the other's
 */
export function referencedDocumentWords(view: DocumentView, labels: LabelMap, credit: boolean): ReadonlySet<Token> {
  const found = new Set<Token>();
  for (const segment of view.segments) {
    const mention = mentionIn(segment.text, credit);
    if (mention === null) continue;
    for (const token of wordsFrom(segment, mention.start, mention.end, view, labels)) found.add(token);
  }
  const numbered = credit ? (labels.byConcept.get("invoice-number") ?? []) : [];
  if (!hasOwnNumber(numbered, view)) return found;
  for (const { segment, from } of numbered) {
    const start = segment.starts[from] ?? 0;
    const label = foldText(segment.text.slice(0, MAX_SEARCHED_CHARS));
    const [first] = segment.tokens.slice(from);
    if (CREDIT_NOTE_NAME.test(label) || first === undefined || found.has(first)) continue;
    for (const token of wordsFrom(segment, start, start, view, labels)) found.add(token);
  }
  return found;
}
