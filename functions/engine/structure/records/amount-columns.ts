/** Columns of amounts: lines whose amounts share an edge. */
import { isProduct } from "./counts-and-prices.ts";
import type { PricedLine } from "./priced-lines.ts";

/** Distance of the right edges of one column's amounts. */
const SAME_EDGE_EM = 1;
/** Rows from one line of a list to the next: what stands further away is no part of it. */
export const MAX_ROWS_APART = 5;

/** The line has nothing but its amount. */
export const isAlone = ({ row, amount }: PricedLine): boolean =>
  row.segments.every(({ tokens }) => tokens.every((token) => amount.tokens.includes(token)));

/** Amounts of one column: at one right edge, or alone on their lines and at one left edge. */
function sharesColumn(a: PricedLine, b: PricedLine): boolean {
  // Boxes of recognised words hug their ink, and a sign of the tax rate may be lost or joined.
  const em = isRecognised(b) ? Math.max(a.em, b.em) : b.em;
  if (Math.abs(a.right - b.right) <= SAME_EDGE_EM * em) return true;
  return isAlone(a) && isAlone(b) && Math.abs(a.row.box.left - b.row.box.left) <= SAME_EDGE_EM * b.em;
}

/** The line was recognised in a picture. */
export const isRecognised = ({ amount }: PricedLine): boolean => amount.tokens.some(({ recognised }) => recognised);

const isComputed = ({ counted, amount }: PricedLine): boolean => counted !== null && isProduct(counted, amount.value);

/** A photographed column leans: its lines share the edge of the line above. */
function goesOn(column: readonly PricedLine[], line: PricedLine): boolean {
  const [first, last] = [column[0], column.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (sharesColumn(first, line)) return true;
  // Amounts that formulas compute run on, wherever they end: `3000 x6 =18000`.
  if (line.row.index - last.row.index <= MAX_ROWS_APART && isComputed(last) && isComputed(line)) return true;
  return isRecognised(line) && line.row.index - last.row.index <= MAX_ROWS_APART && sharesColumn(last, line);
}

/** Lines without columns: words and amount in one stretch, at one left edge. */
function runsOn(column: readonly PricedLine[], line: PricedLine): boolean {
  const last = column.at(-1);
  if (last === undefined || [last, line].some((one) => one.row.segments.length > 1 || isAlone(one))) return false;
  return Math.abs(last.row.box.left - line.row.box.left) <= SAME_EDGE_EM * line.em;
}

/** Lines of one column of amounts, over pages, in their order. */
export function columnsOf(lines: readonly PricedLine[]): PricedLine[][] {
  const columns: PricedLine[][] = [];
  for (const line of lines) {
    const near = columns.filter((column) => line.row.page - (column.at(-1)?.row.page ?? 0) <= 1);
    const own = near.find((column) => goesOn(column, line)) ?? near.find((column) => runsOn(column, line));
    if (own === undefined) columns.push([line]);
    else own.push(line);
  }
  return columns;
}
