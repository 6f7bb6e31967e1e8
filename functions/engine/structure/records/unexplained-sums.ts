/** Sums below a list that its rows do not reach: some row may have been overlooked. */
import { type Notation, parseNumber } from "../../values/numbers.ts";
import { type CandidateRow, rowText } from "./candidate-rows.ts";
import { namesCharge } from "./charges.ts";
import { SAME_EDGE_INCHES } from "./column-layout.ts";
import { CENT, isSameAmount } from "./same-amounts.ts";
import { isSumRow } from "./sum-rows.ts";

/** Minimum rows with amounts, and their share of the list's rows. */
const MIN_AMOUNTS = 2;
const MIN_AMOUNT_SHARE = 0.9;
/** Rows below the list in which its sum is printed, and rows in which the charges on it are. */
const MAX_ROWS_TO_SUM = 4;
const MAX_ROWS_OF_CHARGES = 12;

/** The amount at the end of a row, with two decimals. */
function amountOf({ cells }: CandidateRow, notation: Notation): { value: number; right: number } | undefined {
  const last = cells.at(-1);
  if (last === undefined || !/\d[.,]\d{2}(?!\d)/.test(last.text)) return undefined;
  const value = parseNumber(last.text, notation);
  return value === null ? undefined : { value, right: last.right };
}

/** Last rows of a list add up to a sum: it is that of a section. */
function endsWith(values: readonly number[], sum: number): boolean {
  let own = 0;
  for (const value of values.toReversed()) {
    own += value;
    if (isSameAmount(own, sum)) return true;
  }
  return false;
}

/**
 * The first sum below a list, in the column of its amounts, that these do not reach, and that no tax or fee beside it
 * explains; undefined if there is none.
 * @param rows all rows of the list, in the order of the document @param below the rows behind the last one
 */
export function unexplainedSum(
  rows: readonly CandidateRow[],
  below: readonly CandidateRow[],
  notation: Notation,
): { printed: number; own: number } | undefined {
  const amounts = rows.flatMap((row) => amountOf(row, notation) ?? []);
  const right = amounts.at(-1)?.right;
  if (amounts.length < Math.max(MIN_AMOUNTS, MIN_AMOUNT_SHARE * rows.length) || right === undefined) return undefined;
  if (amounts.some((amount) => Math.abs(amount.right - right) > SAME_EDGE_INCHES)) return undefined;
  const at = below.slice(0, MAX_ROWS_TO_SUM).findIndex((row) => isSumRow(row.cells.map(({ text }) => text)));
  const total = below[at] && amountOf(below[at], notation);
  if (total === undefined || Math.abs(total.right - right) > SAME_EDGE_INCHES) return undefined;
  const values = amounts.map(({ value }) => value);
  const own = values.reduce((sum, value) => sum + value, 0);
  if (total.value <= own + CENT || endsWith(values, total.value)) return undefined;
  const charges = below
    .slice(0, MAX_ROWS_OF_CHARGES)
    .filter((row) => namesCharge(rowText(row)))
    .flatMap((row) => amountOf(row, notation)?.value ?? []);
  const between = below.slice(0, at).reduce((sum, row) => sum + (amountOf(row, notation)?.value ?? 0), 0);
  const explained = [...charges, between, charges.reduce((sum, value) => sum + value, 0)];
  return explained.some((charge) => isSameAmount(own + charge, total.value))
    ? undefined
    : { printed: total.value, own };
}
