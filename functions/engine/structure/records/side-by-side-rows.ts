/**
 * Lists in columns side by side, as in newspapers: one line holds a row of each column. Reading goes down one column,
 * then down the next. A column's position is subtracted from its words' left and right, so that the rows of all columns
 * share their edges. Boxes stay unchanged.
 */
import { median, unionBox } from "../../layout/geometry.ts";
import { labelKey } from "../../values/label-words.ts";
import { unionOf } from "../view/tokens.ts";
import type { CandidateRow, CandidateRows, RowCell } from "./candidate-rows.ts";
import { cellKind } from "./cell-kinds.ts";
import { SAME_EDGE_INCHES } from "./column-layout.ts";

/** Numbers of columns side by side, minimum cells of a row in each, and minimum body rows. */
const COLUMN_COUNTS = [2, 3];
const MIN_CELLS_PER_COLUMN = 2;
const MIN_BODY_ROWS = 3;
/** Share of the rows that have the same kinds of cells in each column. */
const MIN_SAME_KIND_ROW_SHARE = 0.85;

/** Lines that hold one row of the list per column. */
interface SideBySideLayout {
  rows: CandidateRow[];
  /** Cells of a row in one column. */
  width: number;
  /** For each column: the left edge of its words, and its distance from the first column; inches. */
  columns: { from: number; shift: number }[];
}

/** The distance of two cells of one meaning: texts align left, values right. */
const distance = (a: RowCell, b: RowCell): number =>
  cellKind(a.text) === "text" ? b.left - a.left : b.right - a.right;

/** The distance of a column from the first; undefined if its cells have other kinds or positions. */
function columnShift(rows: readonly CandidateRow[], width: number, column: number): number | undefined {
  const shifts: number[] = [];
  for (let cell = 0; cell < width; cell += 1) {
    const pairs = rows.flatMap(({ cells }) => {
      const [a, b] = [cells[cell], cells[cell + column * width]];
      return a !== undefined && b !== undefined && cellKind(a.text) === cellKind(b.text) ? [distance(a, b)] : [];
    });
    const shift = median(pairs);
    const near = pairs.filter((one) => Math.abs(one - shift) <= SAME_EDGE_INCHES).length;
    if (pairs.length < MIN_SAME_KIND_ROW_SHARE * rows.length || near < MIN_SAME_KIND_ROW_SHARE * rows.length)
      return undefined;
    shifts.push(shift);
  }
  const [first = 0] = shifts;
  return shifts.every((shift) => Math.abs(shift - first) <= SAME_EDGE_INCHES) ? first : undefined;
}

/** Headings over the columns: the same above each, different ones, or none. */
function headingsOver(rows: readonly CandidateRow[], width: number): "repeated" | "different" | "none" {
  const heads = rows.filter(
    ({ header, cells }) => header === true || cells.every(({ text }) => cellKind(text) === "text"),
  );
  const repeated = heads.every(({ cells }) =>
    cells.every(({ text }, at) => labelKey(text) === labelKey(cells[at % width]?.text ?? "")),
  );
  return heads.length === 0 ? "none" : repeated ? "repeated" : "different";
}

const isUsual = (full: readonly CandidateRow[], rows: readonly CandidateRow[]): boolean =>
  2 * full.length >= rows.length;

function sideBySideLayoutOf(rows: readonly CandidateRow[]): SideBySideLayout | undefined {
  for (const count of COLUMN_COUNTS) {
    const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0) / count;
    if (!Number.isInteger(width) || width < MIN_CELLS_PER_COLUMN) continue;
    const full = rows.filter(({ cells }) => cells.length === count * width);
    const body = full.filter(
      ({ header, cells }) => header !== true && cells.some(({ text }) => cellKind(text) !== "text"),
    );
    const headings = headingsOver(full, width);
    // Headings that repeat prove the columns, however short the last one is; else most rows must fill all of them.
    const isProven = headings === "repeated" ? body.length > 0 : body.length >= MIN_BODY_ROWS && isUsual(full, rows);
    if (!isProven || headings === "different") continue;
    const columns = Array.from({ length: count }, (_, column) => ({
      from:
        body.reduce(
          (least, { cells }) => Math.min(least, cells[column * width]?.left ?? least),
          Number.POSITIVE_INFINITY,
        ) - SAME_EDGE_INCHES,
      shift: columnShift(body, width, column),
    }));
    const known = columns.flatMap(({ from, shift }) => (shift === undefined ? [] : [{ from, shift }]));
    if (known.length === count) return { rows: [...rows], width, columns: known };
  }
  return undefined;
}

/** Finds side-by-side columns among the lines of a table on one page, or among a page's lines outside tables. */
function findSideBySideLayouts({ all }: CandidateRows): SideBySideLayout[] {
  const groups = Map.groupBy(
    all.filter(({ cells, level }) => cells.length >= MIN_CELLS_PER_COLUMN && level === undefined),
    ({ page, table }) => `${page} ${table}`,
  );
  return [...groups.values()].flatMap((rows) => {
    const lines =
      rows[0]?.table === undefined ? rows.filter(({ cells }) => cells.length >= 2 * MIN_CELLS_PER_COLUMN) : rows;
    const layout = sideBySideLayoutOf(lines);
    return layout === undefined ? [] : [layout];
  });
}

/** Splits a line into one row for each column with words. */
function splitRow(row: CandidateRow, { columns, width }: SideBySideLayout, tables: number): CandidateRow[] {
  const columnOf = ({ left }: { left: number }): number =>
    Math.max(
      0,
      columns.findLastIndex(({ from }) => left >= from),
    );
  return columns.flatMap(({ shift }, at): CandidateRow[] => {
    const words = row.words.filter(({ box }) => columnOf(box) === at);
    if (words.length === 0) return [];
    const cells = row.cells
      .filter((cell) => columnOf(cell) === at)
      .map((cell): RowCell => {
        const moved = { ...cell, left: cell.left - shift, right: cell.right - shift };
        return cell.column === undefined ? moved : { ...moved, column: cell.column - at * width };
      });
    const table = row.table === undefined || at === 0 ? row.table : tables + at;
    const shownBox = unionBox(words.map(({ shown }) => shown.box));
    const own = { ...row, cells, words, box: unionOf(words), shownBox, shift };
    return [table === undefined ? own : { ...own, table }];
  });
}

/** Renumbers the rows and updates `rowOfWord`. */
export function renumber(rows: readonly CandidateRow[], { rowOfWord }: CandidateRows): CandidateRows {
  const owners = new Map([...rowOfWord].map(([page, own]) => [page, new Int32Array(own.length).fill(-1)]));
  const all = rows.map((row, order): CandidateRow => {
    for (const { index } of row.words) owners.get(row.page)?.fill(order, index, index + 1);
    return { ...row, order };
  });
  return { all, rowOfWord: owners };
}

function splitRows(
  candidates: CandidateRows,
  layouts: readonly SideBySideLayout[],
): { candidates: CandidateRows; parts: CandidateRow[] } {
  let tables = candidates.all.reduce((most, { table = 0 }) => Math.max(most, table), 0);
  const before = new Map<CandidateRow, CandidateRow>();
  const after = new Map<CandidateRow, CandidateRow[]>();
  const parts: CandidateRow[] = [];
  for (const layout of layouts) {
    const later: CandidateRow[][] = layout.columns.map(() => []);
    for (const row of layout.rows) {
      const [first, ...others] = splitRow(row, layout, tables);
      if (first !== undefined) before.set(row, first);
      for (const [at, part] of others.entries()) later[at]?.push(part);
    }
    const last = layout.rows.at(-1);
    if (last !== undefined) after.set(last, later.flat());
    tables += layout.columns.length;
  }
  const all = candidates.all.flatMap((row) => {
    const own = before.get(row) ?? row;
    if (before.has(row)) parts.push(own, ...(after.get(row) ?? []));
    return [own, ...(after.get(row) ?? [])];
  });
  return { candidates: renumber(all, candidates), parts };
}

/** The lines of a document read down one column after the other. */
export interface SideBySideRows {
  candidates: CandidateRows;
  /** The lines that hold a row in each column, and the rows that they hold. */
  lines: CandidateRow[];
  parts: CandidateRow[];
  /** Most cells of a row in one column. */
  width: number;
}

/** Reads lines that hold rows side by side down one column after the other; undefined if there are none. */
export function readSideBySide(candidates: CandidateRows): SideBySideRows | undefined {
  const layouts = findSideBySideLayouts(candidates);
  if (layouts.length === 0) return undefined;
  const width = Math.max(...layouts.map((layout) => layout.width));
  return { ...splitRows(candidates, layouts), lines: layouts.flatMap(({ rows }) => rows), width };
}
