import { type Row, type Segment, type Token, tokensBetween } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import { labelKeysOf } from "../../../values/vocabulary/vocabulary.ts";
import { looksLikeMoney, type Sum, same, type TotalsPage } from "./printed-sums.ts";

/** Rows above the total that are looked at. */
const ROWS = 6;
/** Recognition was sure of no label that it spoiled. */
const SURE = 0.9;
/** Letters that must be left, and of a label's letters. */
const FEWEST_LETTERS = 2;
const LEFT = 1 / 3;
/** As a sum that arithmetic alone tells. */
const SCORE = 0.72;

interface Spoilt {
  sum: Sum;
  /** What is left of its label, as label keys are spelt. */
  letters: string;
}

/** Are the letters some of a label's, in its order, its first or its last one among them? */
function isLeftOf(label: string, letters: string): boolean {
  if (letters.length < LEFT * label.length) return false;
  if (label.at(0) !== letters.at(0) && label.at(-1) !== letters.at(-1)) return false;
  let at = 0;
  for (const letter of label) if (letter === letters[at]) at += 1;
  return at === letters.length;
}

/** The tokens of an amount in the column of the total; undefined where a row has none there. */
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

function spoiltOn(row: Row, gross: Sum, page: TotalsPage): Spoilt | undefined {
  const amount = amountUnder(row, gross, page);
  const first = amount?.tokens[0];
  if (amount === undefined || first === undefined) return undefined;
  const before = row.segments.filter((segment) => segment.box.left < first.box.left);
  const words = before
    .flatMap(({ tokens }) => tokens)
    .filter(({ box, key }) => box.right <= first.box.left && key !== "");
  const isRead = before.some((segment) => page.labels.bySegment.has(segment));
  const letters = words.map(({ key }) => key).join("");
  const isSpoilt = words.some(({ recognised, confidence }) => recognised && confidence < SURE);
  if (isRead || !isSpoilt || letters.length < FEWEST_LETTERS || /\d/.test(letters)) return undefined;
  const { value, tokens, segment } = amount;
  const candidate = { value, tokens, score: SCORE, relation: "pattern" as const, segment, hit: null };
  return looksLikeMoney(candidate) ? { sum: { value, score: SCORE, candidate }, letters } : undefined;
}

/**
 * Net and tax above a total where recognition spoiled the label of one or of both, and the three add up.
 * @param net as far as it is known @returns null where they do not, or where no label is left enough of
 */
export function readSpoilt(net: Sum | null, gross: Sum, page: TotalsPage): { net: Sum; tax: Sum } | null {
  const { row: last, page: number } = gross.candidate.segment;
  const rows = page.view.rows.slice(Math.max(0, last - ROWS), last).filter((row) => row.page === number);
  const spoilt = rows.flatMap((row) => spoiltOn(row, gross, page) ?? []);
  const called = (concept: string): Sum[] => {
    const labels = spoilt.length === 0 ? [] : labelKeysOf(concept);
    return spoilt.flatMap(({ sum, letters }) => (labels.some((label) => isLeftOf(label, letters)) ? [sum] : []));
  };
  const nets = net === null ? called("net-total") : [net];
  for (const tax of called("tax-total").reverse()) {
    const above = nets.find(
      ({ value, candidate }) =>
        candidate.segment.row < tax.candidate.segment.row && same(value + tax.value, gross.value),
    );
    if (above !== undefined) return { net: above, tax };
  }
  return null;
}
