/**
 * Sums with labels damaged by OCR: `Zwisch me`, `St`, `VA`. The remaining letters and the addition down to the total
 * together identify the sums; neither alone does.
 */

import { type Row, type Segment, type Token, tokensBetween } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import { labelKeysOf } from "../../../values/vocabulary/vocabulary.ts";
import { looksLikeMoney, type Sum, sameAmount, type TotalsPage } from "./printed-sums.ts";

/** Rows searched above the total. */
const MAX_ROWS_ABOVE = 6;
/** Damaged labels have a lower OCR confidence. */
const SURE_OCR_CONFIDENCE = 0.9;
const MIN_LETTERS = 2;
/** Share of a label's letters that must be left. */
const MIN_LETTER_SHARE = 1 / 3;
/** The score of a sum that arithmetic alone identifies. */
const DAMAGED_SUM_SCORE = 0.72;

interface DamagedSum {
  sum: Sum;
  /** The remaining letters of its label, in the spelling of label keys. */
  letters: string;
}

/** The letters are a subsequence of the label's, with its first or last letter. */
function isRemnantOf(label: string, letters: string): boolean {
  if (letters.length < MIN_LETTER_SHARE * label.length) return false;
  if (label.at(0) !== letters.at(0) && label.at(-1) !== letters.at(-1)) return false;
  let at = 0;
  for (const letter of label) if (letter === letters[at]) at += 1;
  return at === letters.length;
}

/** A row's amount in the column of the total. */
function amountUnder(
  row: Row,
  gross: Sum,
  page: TotalsPage,
): { value: number; tokens: Token[]; segment: Segment } | undefined {
  const { box } = gross.candidate.segment;
  for (const segment of row.segments) {
    if (segment.box.right < box.left || segment.box.left > box.right) continue;
    const span = scanNumbers(segment.text, page.conventions.notation).findLast(
      ({ decimals, percent }) => decimals === 2 && !percent,
    );
    if (span !== undefined) return { value: span.value, tokens: tokensBetween(segment, span.start, span.end), segment };
  }
  return undefined;
}

/** A row's amount with a damaged label. */
function damagedSumOn(row: Row, gross: Sum, page: TotalsPage): DamagedSum | undefined {
  const amount = amountUnder(row, gross, page);
  const first = amount?.tokens[0];
  if (amount === undefined || first === undefined) return undefined;
  const before = row.segments.filter((segment) => segment.box.left < first.box.left);
  const words = before
    .flatMap(({ tokens }) => tokens)
    .filter(({ box, key }) => box.right <= first.box.left && key !== "");
  const isRead = before.some((segment) => page.labels.bySegment.has(segment));
  const letters = words.map(({ key }) => key).join("");
  const isDamaged = words.some(({ recognised, confidence }) => recognised && confidence < SURE_OCR_CONFIDENCE);
  if (isRead || !isDamaged || letters.length < MIN_LETTERS || /\d/.test(letters)) return undefined;
  const { value, tokens, segment } = amount;
  const candidate = { value, tokens, score: DAMAGED_SUM_SCORE, relation: "pattern" as const, segment, hit: null };
  return looksLikeMoney(candidate) ? { sum: { value, score: DAMAGED_SUM_SCORE, candidate }, letters } : undefined;
}

/**
 * Net and tax above a total when OCR damaged the label of one or both, and the three add up.
 * @param net null when unknown @returns null when they do not add up, or no label has enough letters left
 */
export function readDamagedSums(net: Sum | null, gross: Sum, page: TotalsPage): { net: Sum; tax: Sum } | null {
  const { row: last, page: number } = gross.candidate.segment;
  const rows = page.view.rows.slice(Math.max(0, last - MAX_ROWS_ABOVE), last).filter((row) => row.page === number);
  const damaged = rows.flatMap((row) => damagedSumOn(row, gross, page) ?? []);
  const called = (concept: string): Sum[] => {
    const labels = damaged.length === 0 ? [] : labelKeysOf(concept);
    return damaged.flatMap(({ sum, letters }) => (labels.some((label) => isRemnantOf(label, letters)) ? [sum] : []));
  };
  const nets = net === null ? called("net-total") : [net];
  for (const tax of called("tax-total").reverse()) {
    const above = nets.find(
      ({ value, candidate }) =>
        candidate.segment.row < tax.candidate.segment.row && sameAmount(value + tax.value, gross.value),
    );
    if (above !== undefined) return { net: above, tax };
  }
  return null;
}
