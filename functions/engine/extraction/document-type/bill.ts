/** Recognition of bills. Seller, buyer and amounts due are guessed only on bills. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import type { Segment } from "../../structure/view/tokens.ts";
import { scanNumbers } from "../../values/numbers.ts";
import { isPostBox } from "../../values/party-names.ts";
import { foldText } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded, wholeWords } from "../../values/vocabulary/word-patterns.ts";
import type { LabelHit, LabelMap } from "../rules/find-labels.ts";
import { proseIn } from "../rules/running-prose.ts";
import type { Conventions } from "../rules/value-reader.ts";

/** Pages on which a bill's number is expected. */
const MAX_NUMBER_PAGES = 2;
const MAX_HITS = 200;
const MAX_LABEL_SEGMENT_WORDS = 12;
/** Characters of a segment that are read for an amount. */
const MAX_AMOUNT_CHARS = 80;
/** Groups of thousands, as amounts without cents have them. */
const GROUPED = /\d[.,'’] ?\d{3}\D*$/;

const NUMBER_CONCEPTS = ["invoice-number", "receipt-number", "order-number", "quote-number", "delivery-number"];
const SUM_CONCEPTS = ["gross-total", "amount-due", "net-total", "tax-total"];

/** A label, not a word of a sentence; a weak label must stand alone. */
export const isProperLabel = ({ strength, from, to, colon, segment }: LabelHit): boolean =>
  (strength === 1 && (from === 0 || colon) && segment.tokens.length <= MAX_LABEL_SEGMENT_WORDS) ||
  (from === 0 && to === segment.tokens.length);

/** Titles of bills and related documents, folded. */
export const BILL_TITLE = new RegExp(wholeWords(anyFolded(wordsOf(({ documents }) => documents.bills))), "u");
const MAX_TITLE_WORDS = 6;

/** `請 求 書`: spaced letters are one word. */
const joinLetters = ({ text, tokens }: Segment): string =>
  tokens.every((token) => /^\p{L}$/u.test(token.text)) ? text.replace(/\s/g, "") : text;

/** Share of the first page's words in sentences from which it is a letter, paper or notice: a bill's terms are fewer. */
const MAX_PROSE_SHARE = 0.6;

/** The first page is a letter's, a paper's or a notice's. */
export function isRunningProse({ segments }: Pick<DocumentView, "segments">): boolean {
  const prose = proseIn(segments);
  const first = segments.filter(({ page }) => page === 1);
  const wordsOfAll = (all: readonly Segment[]): number => all.reduce((sum, { tokens }) => sum + tokens.length, 0);
  return wordsOfAll(first.filter((segment) => prose.has(segment))) > MAX_PROSE_SHARE * wordsOfAll(first);
}

/**
 * The document is a bill: its title says so, its first pages have a label of a bill's number, or labels of totals have
 * amounts with cents beside them.
 */
export function isBill(view: DocumentView, labels: LabelMap, conventions: Conventions): boolean {
  const hitsOf = (concepts: readonly string[]): LabelHit[] =>
    concepts.flatMap((concept) => (labels.byConcept.get(concept) ?? []).slice(0, MAX_HITS)).filter(isProperLabel);
  const titles = (view.pages[0]?.rows ?? []).flatMap((row) => row.segments);
  if (titles.some((title) => title.tokens.length <= MAX_TITLE_WORDS && BILL_TITLE.test(foldText(joinLetters(title)))))
    return true;
  const isNumber = ({ segment: { page, text } }: LabelHit): boolean => page <= MAX_NUMBER_PAGES && !isPostBox(text);
  if (hitsOf(NUMBER_CONCEPTS).some(isNumber) && !isRunningProse(view)) return true;
  return hitsOf(SUM_CONCEPTS).some(({ segment }) =>
    (view.rows[segment.row]?.segments ?? []).some((other) =>
      scanNumbers(other.text.slice(0, MAX_AMOUNT_CHARS), conventions.notation).some(
        ({ percent, decimals, currency, value, start, end }) =>
          !percent && value !== 0 && (decimals > 1 || currency !== null || GROUPED.test(other.text.slice(start, end))),
      ),
    ),
  );
}
