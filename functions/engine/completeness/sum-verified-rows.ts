/**
 * Rows verified by a printed total: consecutive amounts that add up to it to the cent are all rows of one list, even
 * without headings and with other amounts between. Either labels with amounts, at one indent; or amounts on lines of
 * their own below the lines that describe them, as on till receipts.
 */

import { namesSum } from "../structure/records/sum-rows.ts";
import { type Notation, parseNumber } from "../values/numbers.ts";
import { splitName } from "../values/text-folding.ts";
import { meaningsInText, meaningsOfName } from "../values/vocabulary/vocabulary.ts";
import { type CandidateRow, type CandidateRows, joinRows } from "./candidate-rows.ts";
import { cellKind } from "./cell-kinds.ts";
import { SAME_EDGE_INCHES } from "./column-layout.ts";

/** Columns of amounts that may interleave. */
const MAX_OPEN_RUNS = 8;
/** Minimum rows verified by a total printed anywhere; two are enough directly above it. */
const MIN_SUMMED_ROWS = 3;
/** Lines that describe one amount. */
const MAX_DESCRIPTION_LINES = 12;

/** Sums and charges: they add up to a total like rows of a list, and are none. */
const CHARGES = new Set(
  "tax-total discount shipping surcharge rounding tip prepaid previous-balance cash-given net-total gross-total amount-due".split(
    " ",
  ),
);

/** The name of a row or list means taxes, discounts or fees: charges on the sum of a list. */
export const namesCharge = (text: string): boolean =>
  meaningsInText(text, false).some(({ concept }) => CHARGES.has(concept));

interface RowAmount {
  row: CandidateRow;
  /** Cents. */
  value: number;
  label: string;
  left: number;
  right: number;
}

const centsOf = (text: string, notation: Notation): number | null => {
  const value = /[.,]\d{2}(?!\d)/.test(text) && !text.includes("%") ? parseNumber(text, notation) : null;
  return value === null ? null : Math.round(value * 100);
};

/** The label means a charge and nothing else: `VAT 20 %`, not `Tax advice`. */
function isChargeLabel(label: string): boolean {
  const words = splitName(label).filter((word) => /\p{L}/u.test(word));
  return meaningsOfName(words, false).some(({ concept }) => CHARGES.has(concept));
}

/**
 * Groups of rows without charges: rows whose label means a charge and nothing else; and the last rows of a group whose
 * labels mention charges or sums, unless other rows' labels do too.
 */
export function withoutCharges<Item>(groups: readonly Item[][], labelOf: (row: Item) => string): Item[][] {
  const own = groups.map((rows) => rows.filter((row) => !isChargeLabel(labelOf(row))));
  const speaks = (row: Item): boolean => namesCharge(labelOf(row)) || namesSum(labelOf(row));
  const lasts = own.map((rows) => rows.findLastIndex((row) => !speaks(row)));
  // Words at the beginning of rows in the middle are no charges: Porto is a town.
  const usual = own.some((rows, at) => rows.slice(0, lasts[at]).some((row) => namesCharge(labelOf(row))));
  return usual ? own : own.map((rows, at) => rows.slice(0, (lasts[at] ?? -1) + 1));
}

/** Totals without a word for sums: `Net`, `Amount due`. */
const TOTALS = new Set(["net-total", "gross-total", "amount-due"]);

const namesTotal = (label: string): boolean =>
  namesSum(label) || meaningsInText(label, false).some(({ concept }) => TOTALS.has(concept));

/** Reads a row as an amount with or without a label before it. @param wide other cells may stand between */
function amountOf(row: CandidateRow, notation: Notation, wide: boolean): RowAmount | undefined {
  const apart = row.cells.length >= 2;
  if ((row.cells.length > 2 && !wide) || row.header === true) return undefined;
  const texts = apart ? row.cells.map(({ text }) => text) : row.words.map(({ text }) => text);
  // The currency may be a word of its own.
  for (const size of apart ? [1] : [2, 1]) {
    const value = centsOf(texts.slice(-size).join(" "), notation);
    const label = texts.slice(0, -size).join(" ");
    if (value === null || (label !== "" && !/\p{L}/u.test(label))) continue;
    const [left, right] = [row.words[0]?.left ?? row.box.left, row.words.at(-1)?.right ?? row.box.right];
    return { row, value, label, left, right };
  }
  return undefined;
}

/** Amounts of one column, up to a total printed below them. */
interface AmountRun {
  amounts: RowAmount[];
  total: number | undefined;
}

const isSameEdge = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_EDGE_INCHES;

/** Labels at one indent whose amounts, where they stand apart, share an edge; or amounts alone. */
function inColumn(a: RowAmount, b: RowAmount): boolean {
  if ((a.label === "") !== (b.label === "")) return false;
  if (a.label === "") return isSameEdge(a.left, b.left) || isSameEdge(a.right, b.right);
  const apart = (one: RowAmount): boolean => one.row.cells.length >= 2;
  return isSameEdge(a.left, b.left) && (!apart(a) || !apart(b) || isSameEdge(a.right, b.right));
}

/** Finds runs of amounts, and all totals. A row further out ends the runs further in, as in an outline. */
function findAmountRuns(
  all: readonly CandidateRow[],
  notation: Notation,
  wide: boolean,
): { runs: AmountRun[]; totals: Set<number> } {
  const runs: AmountRun[] = [];
  const totals = new Set<number>();
  let open: AmountRun[] = [];
  for (const row of all) {
    open = open.filter(({ amounts: [first], amounts }) => {
      const last = amounts.at(-1)?.row.page ?? row.page;
      return (
        first !== undefined &&
        (last === row.page
          ? (row.words[0]?.left ?? row.box.left) >= first.left - SAME_EDGE_INCHES
          : row.page === last + 1)
      );
    });
    const amount = amountOf(row, notation, wide);
    if (amount === undefined) continue;
    if (wide ? namesTotal(amount.label) : namesSum(amount.label)) {
      totals.add(amount.value);
      for (const run of open) run.total = amount.value;
      open = [];
      continue;
    }
    const own = open.find(({ amounts: [first] }) => first !== undefined && inColumn(first, amount));
    if (own !== undefined) own.amounts.push(amount);
    else {
      const run: AmountRun = { amounts: [amount], total: undefined };
      runs.push(run);
      open = [run, ...open].slice(0, MAX_OPEN_RUNS);
    }
  }
  return { runs, totals };
}

/**
 * The last amounts of a run that add up to the total below it, or all of them if they add up to any total; else none.
 */
function sumVerifiedAmounts({ amounts, total }: AmountRun, totals: ReadonlySet<number>): RowAmount[] {
  let sum = 0;
  let filled = 0;
  for (let from = amounts.length - 1; from >= 0; from -= 1) {
    const { value = 0 } = amounts[from] ?? {};
    sum += value;
    if (value !== 0) filled += 1;
    if (filled >= 2 && sum === total) return amounts.slice(from);
  }
  return filled >= MIN_SUMMED_ROWS && totals.has(sum) ? amounts : [];
}

/** The lines above each amount that describe it; undefined if an amount has none. */
function descriptionLines(amounts: readonly RowAmount[], all: readonly CandidateRow[]): CandidateRow[][] | undefined {
  const above = amounts.map(({ row }, at): CandidateRow[] => {
    const before = amounts[at - 1]?.row.order ?? row.order - MAX_DESCRIPTION_LINES - 1;
    const lines = all.slice(Math.max(0, before + 1, row.order - MAX_DESCRIPTION_LINES), row.order);
    return lines.filter(({ page, table }) => page === row.page && table === undefined);
  });
  const most = above.slice(1).reduce((longest, { length }) => Math.max(longest, length), 0);
  const [first = [], ...others] = above;
  // Only their number limits the first amount's lines: as many as the longest of the others has.
  return most === 0 || above.some(({ length }) => length === 0) ? undefined : [first.slice(-most), ...others];
}

/**
 * Finds the rows that totals verify.
 * @returns the rows of each list, and all candidates, with amounts on lines of their own merged with the lines that
 * describe them
 */
export function findSumVerifiedRows(
  candidates: CandidateRows,
  notation: Notation,
): { candidates: CandidateRows; groups: CandidateRow[][] } {
  const { runs, totals } = findAmountRuns(candidates.all, notation, false);
  const groups = runs.flatMap((run) => {
    const amounts = sumVerifiedAmounts(run, totals);
    const alone = amounts[0]?.label === "";
    const lines = alone ? descriptionLines(amounts, candidates.all) : [];
    return amounts.length === 0 || lines === undefined ? [] : [{ amounts, lines }];
  });
  const joined = joinRows(
    candidates,
    groups.flatMap(({ amounts, lines }) => lines.map((from, at) => ({ into: amounts[at]?.row.order ?? -1, from }))),
  );
  const kept = withoutCharges(
    groups.map(({ amounts }) => amounts),
    ({ label }) => label,
  );
  const rows = kept.map((amounts) => amounts.flatMap(({ row }) => joined.all[row.order] ?? []));
  return { candidates: joined, groups: rows.filter(({ length }) => length > 0) };
}

/** The kinds of a row's cells; rows with the same kinds form runs by themselves. */
const cellKindsKey = ({ cells }: CandidateRow): string => cells.map(({ text }) => cellKind(text)).join(" ");

/**
 * The same for rows of several cells that share their last cell only, the amount: description, quantity and price
 * differ.
 */
export function findSumVerifiedWideRows(
  all: readonly CandidateRow[],
  notation: Notation,
  free: ReadonlySet<CandidateRow>,
): CandidateRow[][] {
  const { runs, totals } = findAmountRuns(all, notation, true);
  const groups = runs.map((run) => sumVerifiedAmounts(run, totals)).filter(({ length }) => length > 0);
  return withoutCharges(groups, ({ label }) => label)
    .map((amounts) => amounts.map(({ row }) => row))
    .filter((rows) => rows.every((row) => row.cells.length >= 2 && free.has(row)))
    .filter((rows) => new Set(rows.map(cellKindsKey)).size > 1);
}
