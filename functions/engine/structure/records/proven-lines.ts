/** Lines of one column of amounts that are a list: a total adds them up, or they are products, or parts of a till's list. */
import { columnsOf } from "./amount-columns.ts";
import { isCharge } from "./charges.ts";
import type { CountedLines } from "./counted-lines.ts";
import { isTotal, labelOf } from "./line-labels.ts";
import { withoutRepeatedAmounts } from "./outline-lines.ts";
import type { PricedLine } from "./priced-lines.ts";
import type { RecordEvidence } from "./record-set.ts";
import { linesBeside, linesOfTotal, mostOfTotal, ownLines, type RunLine } from "./run-lines.ts";
import { isSameAmount } from "./same-amounts.ts";
import { deductionsAmong, taxesAmong } from "./tax-lines.ts";
import { signedLines } from "./till-lines.ts";

/** Lines whose products prove a list without a total, and their share of its lines. */
const MIN_PRODUCTS = 3;
const MIN_PRODUCT_SHARE = 0.6;
/** Lines that a sum proves which no label calls a total. */
const MIN_LINES_OF_UNNAMED_SUM = 3;
const MAX_LINES_OF_UNNAMED_SUM = 200;
/** The same where the sum is printed twice, or a tax is on it. */
const MIN_LINES_OF_REPEATED_SUM = 2;
/** Rows between an only line and its total. */
const MAX_ROWS_TO_ONLY_TOTAL = 4;
/** Rows below a column of amounts in which its total stands apart from it, by a currency sign or larger type. */
const MAX_ROWS_TO_TOTAL = 8;

/** The lines of a column that has no total, with the totals that stand apart from it. */
function withTotals(column: readonly PricedLine[], totals: ReadonlySet<PricedLine>): readonly PricedLine[] {
  const [first, last] = [column[0]?.row.index ?? 0, column.at(-1)?.row.index ?? 0];
  if (column.length < 2 || column.some((line) => totals.has(line))) return column;
  const own = [...totals].filter(({ row: { index } }) => index > first && index <= last + MAX_ROWS_TO_TOTAL);
  return own.length === 0 ? column : [...column, ...own].sort((a, b) => a.row.index - b.row.index);
}

/** Where all amounts but the total are below zero, dashes part them from their words: `Soup - 4.50`. */
function withoutDashes(column: readonly PricedLine[]): readonly PricedLine[] {
  const below = column.filter(({ amount: { value } }) => value < 0);
  if (below.length < 2 || column.some((line) => line.amount.value >= 0 && !isTotal(line))) return column;
  const turned = new Set(below);
  const turn = (line: PricedLine): PricedLine => ({
    ...line,
    amount: { ...line.amount, value: -line.amount.value, spelled: false },
  });
  return column.map((line) => (turned.has(line) ? turn(line) : line));
}

/** What is known where a line may add up those above it. */
interface SumState {
  found: readonly RunLine[];
  /** The last total. */
  carried: number;
  /** The next line has the same amount. */
  again: boolean;
  taxesEnd: boolean;
}

/** Lines that totals add up; every section with a total of its own. */
function summed(lines: readonly RunLine[]): PricedLine[] {
  const before = addedUp(lines, true);
  return before.length === 0 ? addedUp(lines, false) : before;
}

/** @param taxesEnd what taxes are on is a sum of the lines above; otherwise it may be the last of these */
function addedUp(lines: readonly RunLine[], taxesEnd: boolean): PricedLine[] {
  const found: RunLine[] = [];
  let run: RunLine[] = [];
  let carried = 0;
  const carriers = new Set<RunLine>();
  for (const [at, one] of lines.entries()) {
    const { value } = one.line.amount;
    // A sum that goes on below, on the next page: no row, and yet one of the next sum's addends.
    if (run.length === 0 && found.length > 0 && isSameAmount(value, carried) && one.line.words.length === 0) {
      carriers.add(one);
      run.push(one);
      continue;
    }
    const own = linesAbove(one, run, { found, carried, again: lines[at + 1]?.value === value, taxesEnd });
    if (own !== null) {
      run = [];
      // Fewer lines with the sum of those above are its taxes or its payment.
      if (isSameAmount(value, carried) && own.length < found.length) continue;
      found.push(...own);
      if (one.total) carried = value;
    } else if (!one.total && !(taxesEnd && run.length > 0 && (one.base || one.tax))) run.push(one);
  }
  return ownLines(found.filter((one) => !carriers.has(one)));
}

/** The lines of a run that a line adds up: a total, an unnamed sum of several lines, or what a tax is on. */
function linesAbove(one: RunLine, run: readonly RunLine[], state: SumState): RunLine[] | null {
  const { found, carried, again, taxesEnd } = state;
  const { value } = one;
  if (value === 0) return null;
  if (!one.total) {
    const least = again || (taxesEnd && one.base) ? MIN_LINES_OF_REPEATED_SUM : MIN_LINES_OF_UNNAMED_SUM;
    return run.length >= least && run.length <= MAX_LINES_OF_UNNAMED_SUM ? linesOfTotal(run, one, least) : null;
  }
  const last = run.at(-1)?.line.row.index ?? Number.NEGATIVE_INFINITY;
  const near = found.length === 0 && one.line.row.index - last <= MAX_ROWS_TO_ONLY_TOTAL;
  const only = near && run.filter(({ charge }) => !charge).length === 1;
  const own = linesOfTotal(run, one, only ? 1 : 2);
  const more = value - carried;
  if (own !== null || carried === 0 || more <= 0 || run.some(({ charge, tax }) => charge || tax)) return own;
  // Each subtotal of a till goes on from the one above.
  return linesOfTotal(run, { value: more, total: false }, 2);
}

/** Lines from the first to the last whose amounts are products. */
function multiplied(lines: readonly RunLine[], isProven: (line: PricedLine) => boolean): PricedLine[] {
  const proven = lines.map(({ line, total }) => !total && isProven(line));
  const [from, to] = [proven.indexOf(true), proven.lastIndexOf(true)];
  if (from < 0) return [];
  const rows = ownLines(lines.slice(from, to + 1).filter(({ total, tax, base }) => !(total || tax || base)));
  const products = proven.filter(Boolean).length;
  const sum = rows.reduce((all, line) => all + line.amount.value, 0);
  const again = lines.slice(to + 1).some(({ line }) => isSameAmount(line.amount.value, sum));
  const enough = products >= MIN_PRODUCTS || (products === rows.length && again);
  if (!enough || products < MIN_PRODUCT_SHARE * rows.length) return [];
  const [above, below] = [lines.slice(0, from).toReversed(), lines.slice(to + 1)];
  return [...linesBeside(above, rows).toReversed(), ...rows, ...linesBeside(below, rows)];
}

function labelled(column: readonly PricedLine[], totals: ReadonlySet<PricedLine>, counted: CountedLines): RunLine[] {
  const lines = withoutRepeatedAmounts(
    column.map((line): RunLine => {
      const { em, amount, row } = line;
      const [label, total] = [labelOf(line), totals.has(line)];
      const own = { left: row.box.left, em, value: amount.value };
      return { ...own, line, label, total, charge: isCharge(label), tax: false, base: false, deduction: false };
    }),
  );
  const { taxes, bases } = taxesAmong(lines, counted.view.rows, counted.notation);
  const isOf = (some: ReadonlySet<RunLine>, one: RunLine): boolean =>
    some.has(one) && !one.total && !counted.isProven(one.line);
  const deductions = deductionsAmong(lines, counted.notation);
  return lines.map((one) => ({
    ...one,
    tax: isOf(taxes, one),
    base: isOf(bases, one),
    deduction: deductions.has(one),
  }));
}

/** Lines of a list, and the reason to take them for one. */
export interface FoundLines {
  lines: PricedLine[];
  evidence: RecordEvidence;
}

/** The lines of a column that are rows of a list: of several proofs, the one with most lines. */
function rowsOf(lines: readonly RunLine[], counted: CountedLines): FoundLines | null {
  const found: FoundLines[] = [
    { lines: summed(lines), evidence: "printed total" },
    { lines: multiplied(lines, (line) => counted.isProven(line)), evidence: "products" },
    { lines: mostOfTotal(lines), evidence: "part of a printed total" },
  ];
  if (found.every((one) => one.lines.length === 0))
    found.push({ lines: signedLines(lines), evidence: "signs of a till" });
  const most = Math.max(...found.map((one) => one.lines.length));
  return most === 0 ? null : (found.find((one) => one.lines.length === most) ?? null);
}

/** Lists without the sums of taxes and payments, which another column makes up with more lines, and without details of a line. */
function withoutRepeatedSums(lists: readonly FoundLines[]): FoundLines[] {
  const sums = lists.map(({ lines }) => lines.reduce((all, { amount }) => all + amount.value, 0));
  return lists.filter(({ lines }, at) => {
    const isOwn = (amount: number): boolean => isSameAmount(amount, sums[at] ?? 0);
    const hasSum = (other: FoundLines): boolean =>
      other.lines.length > 1 && other.lines.some(({ amount, words }) => words.length > 0 && isOwn(amount.value));
    const isRepeated = lists.some((other, index) => other.lines.length > lines.length && isOwn(sums[index] ?? 0));
    return !isRepeated && !lists.slice(0, at).some(hasSum);
  });
}

/** The lists among a document's lines with amounts. */
export function provenLists(counted: CountedLines): FoundLines[] {
  const columns = columnsOf(counted.lines()).map(withoutDashes);
  const totals = new Set(columns.flat().filter(isTotal));
  const found = columns.flatMap(
    (column) => rowsOf(labelled(withTotals(column, totals), totals, counted), counted) ?? [],
  );
  return withoutRepeatedSums(found);
}
