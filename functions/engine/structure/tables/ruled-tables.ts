/** Finds tables inside rules, and assigns words to the cells that lines enclose. */
import type { Box } from "../../../ports/layout.ts";
import { intersects, median, middleX, middleY, unionBox } from "../../layout/geometry.ts";
import type { Grid, GridCell } from "./cell-grids.ts";
import { boxOf, chooseGrids, gridsOf } from "./choose-grids.ts";
import { areValue } from "./figure-cells.ts";
import { type FilledGrid, fillGrid, isFilled } from "./filled-grids.ts";
import { withHeadingsAbove, withOpenCells } from "./headings-above-grid.ts";
import { withLabelsBeside } from "./labels-beside-grid.ts";
import { partColumns } from "./part-columns.ts";
import { countParts, findRowStarts } from "./row-bands.ts";
import type { Rules } from "./rule-positions.ts";
import { findHeader } from "./table-header.ts";
import type { FoundCell, FoundTable, FoundTables, TableLine, TableWord } from "./table-parts.ts";
import { groupPieces, isAnchor, type RowPiece, type TextRow, usualColumns, valueColumnsOf } from "./text-rows.ts";
import { withoutUnderlines } from "./underlines.ts";

/** Rows within a grid's row that are told apart by their text only. */
const MIN_UNRULED_ROWS = 3;
/** Columns, and values in each, of rows that are told apart though there are only two. */
const MIN_ROW_VALUES = 2;
const MIN_FULL_COLUMNS = 3;
/** Shade of a bar, 0 for black to 1, that parts a page's sections. */
const MAX_BAR_SHADE = 0.5;
/** Rows with text from which lines may part all rows. */
const MIN_DRAWN_ROWS = 4;
/** Text outside of its column's lines. */
const MAX_LINE_OUTSIDE_EM = 0.2;

const cellBox = ({ xs, ys }: Grid, { row, column, rowSpan, columnSpan }: GridCell): Box => ({
  left: xs[column] ?? 0,
  right: xs[column + columnSpan] ?? 0,
  top: ys[row] ?? 0,
  bottom: ys[row + rowSpan] ?? 0,
});

/** A grid without a bar above its rows: one box across, as dark as those that head the sections of forms. */
function withoutBar(grid: Grid, rules: Rules): Grid {
  const [bar, ...others] = grid.cells;
  if (bar === undefined || others.some(({ row }) => row < bar.rowSpan)) return grid;
  const box = { ...boxOf(grid), bottom: grid.ys[bar.rowSpan] ?? 0 };
  if ((rules.fillAt(middleX(box), middleY(box))?.shade ?? 1) > MAX_BAR_SHADE) return grid;
  const moved = others.map((cell) => ({ ...cell, row: cell.row - bar.rowSpan }));
  return { ...grid, ys: grid.ys.slice(bar.rowSpan), cells: moved };
}

/** True if text rows in one row of the grid are rows of their own: lined up over the columns, with values in each. */
function areRows(rows: readonly TextRow<TableWord>[]): boolean {
  const usual = usualColumns(rows);
  const anchors = rows.filter((row) => isAnchor(row, usual));
  if (anchors.length < MIN_UNRULED_ROWS) return false;
  const values = valueColumnsOf(anchors);
  return anchors.every((row) => row.pieces.some((piece) => values.has(piece.column)));
}

/** True if text rows are a label and values behind it, in the same columns: two of these are rows of their own. */
function areLabelledRows(rows: readonly TextRow<TableWord>[]): boolean {
  const label = rows[0]?.pieces[0]?.column;
  const values = rows.map(({ pieces }) => pieces.filter(({ line }) => areValue([line])).map(({ column }) => column));
  const valued = values.filter((columns) => columns.length >= MIN_ROW_VALUES);
  const shared = valued[0]?.filter((column) => valued.every((columns) => columns.includes(column))) ?? [];
  return (
    valued.length > 1 &&
    shared.length >= MIN_ROW_VALUES &&
    rows.every(({ pieces }, at) => pieces[0]?.column === label || (values[at]?.length ?? 0) < MIN_ROW_VALUES)
  );
}

/** Edges between the rows that text makes of a grid's row, which lines enclose only as a whole. */
function innerEdges<W extends TableWord>(
  { grid, cells, row }: { grid: Grid; cells: readonly GridCell[]; row: number },
  filling: FilledGrid<W>,
  rules: Rules,
  isDrawn: boolean,
): number[] {
  if (cells.length < 2 || cells.some((cell) => cell.rowSpan > 1)) return [];
  if (cells.every((cell) => (filling.cells.get(cell)?.length ?? 0) < 2)) return [];
  const pieces = cells.flatMap((cell) =>
    (filling.cells.get(cell) ?? []).map((line): RowPiece<W> => ({ column: cell.column, span: cell.columnSpan, line })),
  );
  const rows = groupPieces(pieces);
  const box = { ...boxOf(grid), top: grid.ys[row] ?? 0, bottom: grid.ys[row + 1] ?? 0 };
  const near: Rules = { ...rules, horizontal: [] };
  if (cells.length < MIN_FULL_COLUMNS || !areLabelledRows(rows)) {
    if (isDrawn) return [];
    if (cells.every((cell) => (filling.cells.get(cell)?.length ?? 0) < MIN_UNRULED_ROWS)) return [];
    if (pieces.length < MIN_UNRULED_ROWS * 2) return [];
    if (!areRows(rows) && countParts(rows, box, near) < MIN_UNRULED_ROWS) return [];
  }
  const starts = findRowStarts(rows, box, near);
  return rows.flatMap((text, index) => {
    const before = rows[index - 1];
    return starts[index] === true && before !== undefined ? [(before.box.bottom + text.box.top) / 2] : [];
  });
}

/** The cells of each row, with those that reach into it from above. */
function cellsByRow<C extends GridCell>(cells: readonly C[], rows: number): C[][] {
  const byRow = Array.from({ length: rows }, (): C[] => []);
  for (const cell of cells) for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1) byRow[row]?.push(cell);
  return byRow;
}

/** Parts all rows of a grid: tables often have lines between columns and around all rows, not between rows. */
function partRows<W extends TableWord>(grid: Grid, filling: FilledGrid<W>, rules: Rules, isDrawn: boolean): Grid {
  const byRow = cellsByRow(grid.cells, grid.ys.length - 1);
  const added = byRow.map((cells, row) => innerEdges({ grid, cells, row }, filling, rules, isDrawn));
  if (added.every((edges) => edges.length === 0)) return grid;
  const first: number[] = [];
  const ys: number[] = [];
  grid.ys.forEach((edge, row) => {
    first.push(ys.length);
    ys.push(edge, ...(added[row] ?? []));
  });
  const cells = grid.cells.flatMap((cell): GridCell[] => {
    const [from, to] = [first[cell.row] ?? 0, first[cell.row + cell.rowSpan] ?? 0];
    if (cell.rowSpan > 1) return [{ ...cell, row: from, rowSpan: to - from }];
    return Array.from({ length: to - from }, (_, index) => ({ ...cell, row: from + index }));
  });
  return { xs: grid.xs, ys, cells: cells.sort((a, b) => a.row - b.row || a.column - b.column) };
}

/** The one column that a line stands in, if any. */
function columnOfLine({ box, size }: TableLine, { xs }: Grid, { column, columnSpan }: GridCell): number | undefined {
  for (let at = column; at < column + columnSpan; at += 1) {
    const slack = MAX_LINE_OUTSIDE_EM * size;
    if (box.left >= (xs[at] ?? 0) - slack && box.right <= (xs[at + 1] ?? 0) + slack) return at;
  }
  return undefined;
}

/** The columns of a cell that no line parts, where texts stand side by side in them: each begins a cell of its own. */
function ownColumns<W extends TableWord>(grid: Grid, cell: GridCell, lines: readonly TableLine<W>[]): number[] {
  if (cell.columnSpan < 2 || cell.rowSpan > 1 || lines.length < 2) return [];
  const columns = lines.map((line) => columnOfLine(line, grid, cell));
  if (new Set(columns).size < 2 || columns.includes(undefined)) return [];
  return groupPieces(lines.map((line) => ({ column: 0, span: 1, line }))).some(({ pieces }) => pieces.length > 1)
    ? Array.from({ length: cell.columnSpan }, (_, at) => cell.column + at)
    : [];
}

/** Parts cells over several columns whose texts stand side by side, each in one of these columns. */
function partSpans<W extends TableWord>(grid: Grid, filling: FilledGrid<W>): Grid {
  const cells = grid.cells.flatMap((cell): GridCell[] => {
    const columns = ownColumns(grid, cell, filling.cells.get(cell) ?? []);
    return columns.length === 0 ? [cell] : columns.map((column) => ({ ...cell, column, columnSpan: 1 }));
  });
  return { ...grid, cells };
}

/** Lines of a cell from top to bottom, each row from left to right; the order within a line stays. */
const inOrder = <W extends TableWord>(lines: TableLine<W>[]): TableLine<W>[] =>
  lines.length < 2
    ? lines
    : groupPieces(lines.map((line) => ({ column: 0, span: 1, line }))).flatMap((row) =>
        row.pieces.map((piece) => piece.line),
      );

/** Rows of the header, extended to the end of cells that begin in it; at least one row stays below it. */
function withSpans(header: number, cells: readonly FoundCell[], most: number): number {
  const ends = cells.filter((cell) => cell.row < header).map((cell) => cell.row + cell.rowSpan);
  const end = Math.max(header, ...ends);
  return end <= most ? end : header;
}

function toTable<W extends TableWord>(grid: Grid, filling: FilledGrid<W>, rules: Rules): FoundTable<W> {
  const cells = grid.cells.map(
    (cell): FoundCell<W> => ({ ...cell, box: cellBox(grid, cell), lines: inOrder(filling.cells.get(cell) ?? []) }),
  );
  const box = unionBox(cells.map((cell) => cell.box));
  const rows = cellsByRow(cells, grid.ys.length - 1).map((own, row) => ({
    box: { ...box, top: grid.ys[row] ?? 0, bottom: grid.ys[row + 1] ?? 0 },
    cells: own.filter((cell) => cell.row === row),
  }));
  return {
    box,
    rows: grid.ys.length - 1,
    columns: grid.xs.length - 1,
    headerRows: withSpans(findHeader(rows, box, rules).rows, cells, grid.ys.length - 2),
    cells,
  };
}

/** True if lines part a grid's rows: it has several with text, and none holds more lines of text than it has rows. */
function hasDrawnRows(grid: Grid, { cells }: FilledGrid<TableWord>): boolean {
  const lines = cellsByRow(grid.cells, grid.ys.length - 1)
    .map((own) => Math.max(...own.map((cell) => (cell.rowSpan > 1 ? 0 : (cells.get(cell)?.length ?? 0)))))
    .filter((count) => count > 0);
  return lines.length >= Math.max(MIN_DRAWN_ROWS, ...lines);
}

/** Parts rows and columns that no line parts, of a grid whose lines enclose several of them. */
function partGrid<W extends TableWord>(grid: Grid, lines: readonly TableLine<W>[], rules: Rules, em: number): Grid {
  const filling = fillGrid(grid, lines);
  const isDrawn = hasDrawnRows(grid, filling);
  const rows = partRows(grid, filling, rules, isDrawn);
  return isDrawn ? rows : partColumns(rows, fillGrid(rows, lines).cells, em);
}

/**
 * Finds the tables that rules (`settleRules`) enclose; of one within another, the inner one.
 * @param enclosed the same with the edges of filled cells; they count where the rules alone enclose less
 */
export function findRuledTables<W extends TableWord>(
  lines: readonly TableLine<W>[],
  rules: Rules,
  enclosed: Rules = rules,
): FoundTables<W> {
  const em = median(lines.map((line) => line.size));
  const gridsIn = (drawn: Rules): Grid[] => gridsOf(withoutUnderlines(drawn, lines), em);
  const grids = chooseGrids(gridsIn(rules), enclosed === rules ? [] : gridsIn(enclosed), em);
  const tables: FoundTable<W>[] = [];
  let rest: TableLine<W>[] = [...lines];
  for (const { grid: boxed, share } of grids) {
    const grid = withoutBar(boxed, enclosed);
    if (tables.some((table) => intersects(boxOf(grid), table.box))) continue;
    if (!isFilled(grid, rest, share)) continue;
    const open = withOpenCells(grid);
    const whole = partSpans(open, fillGrid(open, rest));
    const labelled = withLabelsBeside(partGrid(whole, rest, rules, em), rest, rules);
    const parted = withHeadingsAbove(labelled, rest, rules);
    const filling = fillGrid(parted, rest);
    tables.push(toTable(parted, filling, rules));
    rest = filling.rest;
  }
  return { tables, rest };
}
