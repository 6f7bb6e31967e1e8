/** Lines of one column of amounts, one after the other: the addends of a total, and lists that only a part is left of. */
import type { Row } from "../view/tokens.ts";
import { isRecognised, MAX_ROWS_APART } from "./amount-columns.ts";
import { withoutCharges } from "./charges.ts";
import { isProduct } from "./counts-and-prices.ts";
import type { OutlineLine } from "./outline-lines.ts";
import type { PricedLine } from "./priced-lines.ts";
import { CENT, isSameAmount } from "./same-amounts.ts";

/** Lines that print a total above the one that is called so: net, taxable, payable. */
const MAX_REPEATED_TOTALS = 8;
/** Lines below one total. */
const MAX_SUMMED_LINES = 10_000;

/** A line of a run with its label. */
export interface RunLine extends OutlineLine {
  line: PricedLine;
  total: boolean;
  charge: boolean;
  /** By arithmetic, a tax, or the amount that one is on. */
  tax: boolean;
  base: boolean;
  /** By arithmetic, a part of the line above that is taken off. */
  deduction: boolean;
}

/** Lines without charges, sums and deductions. */
export const ownLines = (lines: readonly RunLine[]): PricedLine[] =>
  withoutCharges([lines], ({ label }) => label)
    .flat()
    .filter(({ deduction }) => !deduction)
    .map(({ line }) => line);

/** The last lines that add up to a total, charges among them. */
function addendsOf(run: readonly RunLine[], total: number, least: number): RunLine[] | null {
  let [sum, addends] = [0, 0];
  // Nothing was paid or taken off: lines of zero below the others are none of them.
  const to = run.findLastIndex(({ value }) => value !== 0) + 1;
  for (let from = to - 1; from >= 0; from -= 1) {
    const value = run[from]?.value ?? 0;
    sum += value;
    if (value !== 0) addends += 1;
    if (addends > MAX_SUMMED_LINES) return null;
    if (isSameAmount(sum, total) && addends >= least) return run.slice(from, to);
  }
  return null;
}

/**
 * The lines of a run that add up to a total: its last ones; those before lines that print the total itself, without a
 * label that says so; or those without the taxes among them, which are part of the prices.
 */
export function linesOfTotal(
  run: readonly RunLine[],
  { value: total, total: isNamed }: Pick<RunLine, "value" | "total">,
  least: number,
): RunLine[] | null {
  const own = addendsOf(run, total, least);
  if (own !== null) return own;
  const last = run.findLastIndex(({ value }) => !isSameAmount(value, total));
  // The first line with the total's amount may be the only one of the list.
  for (let to = run.length - 1; to > Math.max(last, 0, run.length - 1 - MAX_REPEATED_TOTALS); to -= 1) {
    const before = addendsOf(run.slice(0, to), total, isNamed ? 1 : least);
    if (before !== null) return before;
  }
  const untaxed = run.filter(({ tax }) => !tax);
  return untaxed.length === run.length ? null : addendsOf(untaxed, total, least);
}

/** Lines that recognition leaves of a till's list; and the part of the total that they make, of which it loses some. */
const MIN_LINES_OF_PART = 3;
const MIN_PART_OF_TOTAL = 0.5;

/** The lines that go on with a list whose other lines are products, up to its total, whatever that is called. */
export function linesBeside(lines: readonly RunLine[], rows: readonly PricedLine[]): PricedLine[] {
  const sum = rows.reduce((all, { amount }) => all + amount.value, 0);
  const end = lines.findIndex(({ line, total, charge, tax, base, value }, at) => {
    const before = lines[at - 1]?.line.row ?? nearest(rows, line);
    const isFar = Math.abs(line.row.index - before.index) > MAX_ROWS_APART;
    return total || charge || tax || base || isFar || line.words.length === 0 || value <= 0 || value >= sum - CENT;
  });
  return lines.slice(0, end < 0 ? lines.length : end).map(({ line }) => line);
}

/** The row of a list that is nearest to a line outside of it. */
function nearest(rows: readonly PricedLine[], { row }: PricedLine): Row {
  const [first, last] = [rows[0]?.row ?? row, rows.at(-1)?.row ?? row];
  return Math.abs(first.index - row.index) < Math.abs(last.index - row.index) ? first : last;
}

/** Recognised lines above the largest total that are most of it and not more, where not all of them can be read. */
export function mostOfTotal(lines: readonly RunLine[]): PricedLine[] {
  const largest = lines.reduce((most, { total, value }) => (total ? Math.max(most, value) : most), 0);
  const at = lines.findIndex(({ total, value }) => total && value === largest);
  const total = lines[at];
  if (total === undefined || !isRecognised(total.line)) return [];
  const items = lines.slice(0, at).filter((one) => !(one.total || one.tax || one.base));
  const rows = ownLines(items).filter(
    ({ words, amount, counted }) =>
      (words.length > 0 || (counted !== null && isProduct(counted, amount.value))) &&
      amount.value < total.value &&
      amount.value !== 0,
  );
  const from = rows.findLastIndex(
    ({ row }, index) => (rows[index + 1]?.row ?? total.line.row).index - row.index > MAX_ROWS_APART,
  );
  const own = rows.slice(from + 1);
  const sum = own.reduce((all, { amount }) => all + amount.value, 0);
  const isPart = sum >= MIN_PART_OF_TOTAL * total.value && sum <= total.value + CENT;
  return isPart && own.length >= MIN_LINES_OF_PART ? own : [];
}
