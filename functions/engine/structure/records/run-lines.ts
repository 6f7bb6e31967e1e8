/** Lines of one column of amounts, one after the other: the addends of a total, and lists that only a part is left of. */
import type { Row } from "../view/tokens.ts";
import { isRecognised, MAX_ROWS_APART } from "./amount-columns.ts";
import { withoutCharges } from "./charges.ts";
import type { OutlineLine } from "./outline-lines.ts";
import type { PricedLine } from "./priced-lines.ts";
import { CENT, isSameAmount } from "./same-amounts.ts";

/** Lines below one total. */
const MAX_SUMMED_LINES = 10_000;

/** A line of a run with its label. */
export interface RunLine extends OutlineLine {
  line: PricedLine;
  total: boolean;
  charge: boolean;
}

/** Lines without charges and sums. */
export const ownLines = (lines: readonly RunLine[]): PricedLine[] =>
  withoutCharges([lines], ({ label }) => label)
    .flat()
    .map(({ line }) => line);

/** The last lines that add up to a total, charges among them. */
export function addendsOf(run: readonly RunLine[], total: number, least: number): RunLine[] | null {
  let sum = 0;
  for (let from = run.length - 1; from >= 0; from -= 1) {
    sum += run[from]?.value ?? 0;
    if (run.length - from > MAX_SUMMED_LINES) return null;
    if (isSameAmount(sum, total) && run.length - from >= least) return run.slice(from);
  }
  return null;
}

/** Lines that recognition leaves of a till's list; and the part of the total that they make, of which it loses some. */
const MIN_LINES_OF_PART = 3;
const MIN_PART_OF_TOTAL = 0.5;

/** The lines that go on with a list whose other lines are products, up to its total, whatever that is called. */
export function linesBeside(lines: readonly RunLine[], rows: readonly PricedLine[]): PricedLine[] {
  const sum = rows.reduce((all, { amount }) => all + amount.value, 0);
  const end = lines.findIndex(({ line, total, charge, value }, at) => {
    const before = lines[at - 1]?.line.row ?? nearest(rows, line);
    const isFar = Math.abs(line.row.index - before.index) > MAX_ROWS_APART;
    return total || charge || isFar || line.words.length === 0 || value <= 0 || value >= sum - CENT;
  });
  return lines.slice(0, end < 0 ? lines.length : end).map(({ line }) => line);
}

/** The row of a list that is nearest to a line outside of it. */
function nearest(rows: readonly PricedLine[], { row }: PricedLine): Row {
  const [first, last] = [rows[0]?.row ?? row, rows.at(-1)?.row ?? row];
  return Math.abs(first.index - row.index) < Math.abs(last.index - row.index) ? first : last;
}

/** Recognised lines right above a total that are most of it and not more, where not all of them can be read. */
export function mostOfTotal(lines: readonly RunLine[]): PricedLine[] {
  const at = lines.findIndex(({ total, value }) => total && value > 0);
  const total = lines[at];
  if (total === undefined || !isRecognised(total.line)) return [];
  const rows = ownLines(lines.slice(0, at)).filter(
    ({ words, amount }) => words.length > 0 && amount.value < total.value,
  );
  const from = rows.findLastIndex(
    ({ row }, index) => (rows[index + 1]?.row ?? total.line.row).index - row.index > MAX_ROWS_APART,
  );
  const own = rows.slice(from + 1);
  const sum = own.reduce((all, { amount }) => all + amount.value, 0);
  const isPart = sum >= MIN_PART_OF_TOTAL * total.value && sum <= total.value + CENT;
  return isPart && own.length >= MIN_LINES_OF_PART ? own : [];
}
