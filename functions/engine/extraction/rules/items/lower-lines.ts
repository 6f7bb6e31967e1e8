/** Lines below a row that belong to it: numbers that stand a line lower, and words that did not fit into their cell. */
import { cellOf, type PrintedRecord, type RecordCell } from "../../../structure/records/record-set.ts";
import type { Token } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import type { Conventions } from "../value-reader.ts";

const MAX_CELL_CHARS = 60;
const MAX_LOWER_LINE_INCHES = 0.4;

const numbersIn = (row: PrintedRecord, conventions: Conventions): number[] =>
  [...row.cells].flatMap(([column, { text }]) =>
    scanNumbers(text.slice(0, MAX_CELL_CHARS), conventions.notation).length > 0 ? [column] : [],
  );

/** Joins numbers that stand a line lower with their row, in columns that it leaves empty. */
export function joinNextLines(rows: readonly PrintedRecord[], conventions: Conventions): PrintedRecord[] {
  const joined: PrintedRecord[] = [];
  for (const row of rows) {
    const before = joined.at(-1);
    const numbers = numbersIn(row, conventions);
    const lone = numbers.length > 0 && numbers.length === row.cells.size;
    const near = before?.page === row.page && row.box.top - before.box.top < MAX_LOWER_LINE_INCHES;
    const free = before !== undefined && [...row.cells.keys()].every((column) => !before.cells.has(column));
    if (before === undefined || !lone || !near || !free || numbersIn(before, conventions).length === 0) {
      joined.push({ ...row, cells: new Map(row.cells) });
      continue;
    }
    for (const [column, cell] of row.cells) before.cells.set(column, cell);
  }
  return joined;
}

/** Gap of two lines of one paragraph, in ems. */
const MAX_PARAGRAPH_GAP_EM = 0.6;
/** Distance of the left edges of a cell's lines, in ems. */
const MAX_INDENT_EM = 0.5;
/** Room for a space and for the rounding of widths, in ems. */
const MIN_ROOM_EM = 0.3;
const NO_WORDS = /^[^\p{L}]*$/u;
/** Lines of one cell. */
const MAX_CELL_LINES = 6;

/** A row of its own: numbers beside other cells. */
const isNumbered = (row: PrintedRecord, conventions: Conventions): boolean =>
  row.cells.size > 1 && numbersIn(row, conventions).length > 0;

const rightOf = (tokens: readonly Token[]): number => Math.max(...tokens.map(({ box }) => box.right));

/** Share of the cells of the fullest row that makes a row whole. */
const WHOLE_ROW_SHARE = 0.85;

/** Right edge of each column: that of the longest cell in whole rows. Lines of other kinds may be longer. */
function rightEdges(rows: readonly PrintedRecord[], conventions: Conventions): Map<number, number> {
  const edges = new Map<number, number>();
  const fullest = rows.reduce((most, { cells }) => Math.max(most, cells.size), 0);
  const whole = rows.filter((row) => row.cells.size >= WHOLE_ROW_SHARE * fullest && isNumbered(row, conventions));
  for (const row of whole)
    for (const [column, { tokens }] of row.cells) edges.set(column, Math.max(edges.get(column) ?? 0, rightOf(tokens)));
  return edges;
}

/** The first word of a line did not fit behind the line above, whose column ends at `edge`. */
function isWrapped(above: RecordCell, below: RecordCell, edge: number): boolean {
  const [first, last, next] = [above.tokens[0], above.lines.at(-1)?.tokens.at(-1), below.tokens[0]];
  if (first === undefined || last === undefined || next === undefined) return false;
  // Words further in detail the row.
  if (Math.abs(next.box.left - first.box.left) > MAX_INDENT_EM * last.em) return false;
  const gap = next.box.top - last.box.bottom;
  const width = next.box.right - next.box.left;
  const room = MIN_ROOM_EM * last.em;
  return (
    gap <= MAX_PARAGRAPH_GAP_EM * last.em &&
    rightOf(below.tokens) <= edge + room &&
    edge - last.box.right <= width + room
  );
}

/** A number of the row stands below one of the row above: it is a row of its own, whatever it leaves out. */
function hasNumberBelow(above: PrintedRecord, row: PrintedRecord, conventions: Conventions): boolean {
  const numbers = numbersIn(above, conventions);
  return [...row.cells].some(([column, { text }]) => NO_WORDS.test(text) && numbers.includes(column));
}

/** Joins lines without numbers of their own with the cells above that they are wrapped from. */
export function joinWrappedLines(rows: readonly PrintedRecord[], conventions: Conventions): PrintedRecord[] {
  const edges = rightEdges(rows, conventions);
  const joined: PrintedRecord[] = [];
  let above: PrintedRecord | undefined;
  for (const row of rows) {
    const isLine = above?.page === row.page && row.cells.size <= 2 && !hasNumberBelow(above, row, conventions);
    const left = new Map(row.cells);
    if (isLine && above !== undefined)
      for (const [column, cell] of row.cells) {
        const upper = above.cells.get(column);
        const isOther = NO_WORDS.test(cell.text) || /^\p{L}[^:]*:/u.test(cell.text);
        if (upper === undefined || isOther || upper.lines.length >= MAX_CELL_LINES) continue;
        if (!/\p{L}/u.test(upper.text) || !isWrapped(upper, cell, edges.get(column) ?? 0)) continue;
        above.cells.set(column, cellOf([...upper.lines, ...cell.lines].map(({ tokens }) => tokens)));
        left.delete(column);
      }
    if (left.size === 0) continue;
    const own = { ...row, cells: left };
    joined.push(own);
    if (isNumbered(row, conventions)) above = own;
  }
  return joined;
}
