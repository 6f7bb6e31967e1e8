/** Tables on the grid: columns as wide as their text needs, rows as high as their highest cell. */
import type { Box, TableBlock, TableCell } from "../../../ports/layout.ts";
import { unionBox } from "../geometry.ts";
import { limitFailure, MAX_WORDS } from "./layout-limits.ts";
import {
  COLUMNS_PER_INCH,
  type GridCache,
  MIN_LINE_GAP_COLUMNS,
  ROWS_PER_INCH,
  type RowToken,
  roundInches,
  splitRuns,
  type TextRun,
  textOfRuns,
  toLines,
  wrapRuns,
} from "./logical-rows.ts";

/** A cell before layout. */
export interface GridCell {
  /** From 0. */
  column: number;
  /** Columns covered. */
  span: number;
  /** Rows covered; 1 when absent. */
  rowSpan?: number;
  /** Line feeds begin new rows within the cell. */
  runs: readonly TextRun[];
}

/** Columns after which a cell's text wraps. */
const MAX_CELL_COLUMNS = 60;
const CELL_GAP_COLUMNS = MIN_LINE_GAP_COLUMNS;

const cellWidth = (cell: GridCell): number =>
  splitRuns(cell.runs).reduce((widest, line) => {
    const width = line.reduce((sum, run) => sum + run.text.length, 0);
    return Math.max(widest, Math.min(width, MAX_CELL_COLUMNS));
  }, 1);

/** Start column of each table column; the last member is where the table ends. */
function measureColumns(rows: readonly (readonly GridCell[])[]): number[] {
  const widths: number[] = [];
  const wide: GridCell[] = [];
  for (const row of rows) {
    for (const cell of row) {
      while (widths.length < cell.column + cell.span) widths.push(1);
      if (cell.span > 1) wide.push(cell);
      else widths[cell.column] = Math.max(widths[cell.column] ?? 1, cellWidth(cell));
    }
  }
  // A cell over several columns widens the last of them by the columns it lacks.
  for (const cell of wide.sort((x, y) => x.span - y.span)) {
    const last = cell.column + cell.span - 1;
    const covered = widths
      .slice(cell.column, last + 1)
      .reduce((sum, width) => sum + width + CELL_GAP_COLUMNS, -CELL_GAP_COLUMNS);
    widths[last] = (widths[last] ?? 1) + Math.max(cellWidth(cell) - covered, 0);
  }
  const starts = [0];
  for (const width of widths) starts.push((starts.at(-1) ?? 0) + width + CELL_GAP_COLUMNS);
  return starts;
}

/** A cell on the grid. */
interface PlacedCell {
  row: number;
  /** One past its last row. */
  endRow: number;
  column: number;
  columnSpan: number;
  /** First grid column, and one past the last. */
  left: number;
  right: number;
  /** Its text, one member a grid row, from its top. */
  lines: RowToken[][];
  /** Its text as given, where the lines do not say it. */
  text?: string;
}

/** The part of a table row on one page, in grid rows. */
export interface RowPiece {
  row: number;
  /** Grid rows below the row's own top. */
  from: number;
  /** Grid row of the page. */
  top: number;
  height: number;
}

const gridRangeBox = (left: number, right: number, top: number, bottom: number): Box => ({
  left: roundInches(left / COLUMNS_PER_INCH),
  top: roundInches(top / ROWS_PER_INCH),
  right: roundInches(right / COLUMNS_PER_INCH),
  bottom: roundInches(bottom / ROWS_PER_INCH),
});

/** The text of runs, without white space around it; undefined where words on one row say it. */
function textBeyond(lines: readonly RowToken[][], runs: readonly TextRun[]): string | undefined {
  const text = textOfRuns(runs).trim();
  const isSaid = lines.length <= 1 && (lines[0] ?? []).map((token) => token.text).join(" ") === text;
  return isSaid ? undefined : text;
}

/** A table that is cut into pieces from top to bottom. */
export class GridTable {
  /** Grid rows of each table row. */
  readonly heights: number[];
  readonly #rows: PlacedCell[][];
  readonly #tops: number[];
  readonly #columns: number;
  readonly #cache: GridCache;
  readonly #verbatim: boolean;
  /** Cells of earlier rows that continue in the next piece. */
  #open: PlacedCell[] = [];

  /** @param verbatim keep every character of the cells */
  constructor(rows: readonly (readonly GridCell[])[], cache: GridCache, verbatim = false) {
    this.#cache = cache;
    this.#verbatim = verbatim;
    const starts = measureColumns(rows);
    this.#columns = starts.length - 1;
    let words = 0;
    this.#rows = rows.map((cells, row) =>
      cells.map(({ column, span, rowSpan = 1, runs }) => {
        const left = starts[column] ?? 0;
        const right = Math.max((starts[column + span] ?? left) - CELL_GAP_COLUMNS, left + 1);
        const lines = splitRuns(runs).flatMap((line) => [...wrapRuns(line, right - left)]);
        words = lines.reduce((sum, tokens) => sum + tokens.length, words);
        if (words > MAX_WORDS) throw limitFailure("words");
        const endRow = Math.min(row + rowSpan, rows.length);
        const text = verbatim ? textBeyond(lines, runs) : undefined;
        return { row, endRow, column, columnSpan: span, left, right, lines, ...(text === undefined ? {} : { text }) };
      }),
    );
    this.heights = this.#rows.map((cells) =>
      cells.reduce((most, { row, endRow, lines }) => (endRow === row + 1 ? Math.max(most, lines.length) : most), 1),
    );
    this.#stretch();
    this.#tops = [0];
    for (const height of this.heights) this.#tops.push((this.#tops.at(-1) ?? 0) + height);
  }

  /** Gives the grid rows that a cell over several rows lacks to the last of them. */
  #stretch(): void {
    for (const { row, endRow, lines } of this.#rows.flat()) {
      if (endRow <= row + 1) continue;
      const height = this.heights.slice(row, endRow).reduce((sum, one) => sum + one, 0);
      this.heights[endRow - 1] = (this.heights[endRow - 1] ?? 1) + Math.max(lines.length - height, 0);
    }
  }

  /** The block of these pieces, which follow each other and the pieces of earlier calls. */
  block(pieces: readonly RowPiece[], headerRows: number): { block: TableBlock; words: number } | undefined {
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const newCells = this.#rows.slice(first.from > 0 ? first.row + 1 : first.row, last.row + 1).flat();
    const cells = [...this.#open, ...newCells];
    // A row that was cut continues in the next piece, and so do its cells.
    const end = last.row + 1;
    const isCut = last.from + last.height < (this.heights[last.row] ?? 0);
    this.#open = cells.filter((cell) => cell.endRow > end || (isCut && cell.endRow === end));
    const placed = cells.map((cell) => this.#place(cell, pieces, first));
    placed.sort((a, b) => a.row - b.row || a.column - b.column);
    if (placed.length === 0) return undefined;
    const words = placed.reduce((sum, { lines }) => lines.reduce((count, line) => count + line.words.length, sum), 0);
    const rows = end - first.row;
    const pieceHeaderRows = first.from > 0 ? 0 : Math.min(Math.max(headerRows - first.row, 0), rows);
    const box = unionBox(placed.map((cell) => cell.box));
    return {
      block: {
        ...{ kind: "table", box, rows, columns: this.#columns, headerRows: pieceHeaderRows, cells: placed },
        ...(this.#verbatim ? { verbatim: true } : {}),
      },
      words,
    };
  }

  #place(cell: PlacedCell, pieces: readonly RowPiece[], first: RowPiece): TableCell {
    const from = Math.max(cell.row - first.row, 0);
    const to = Math.min(cell.endRow - first.row, pieces.length);
    const [firstPiece, lastPiece] = [pieces[from], pieces[to - 1]];
    const top = firstPiece?.top ?? 0;
    const bottom = (lastPiece?.top ?? 0) + (lastPiece?.height ?? 0);
    // The cell's rows count from its own top, also when that stands on an earlier page.
    const skipped = (this.#tops[firstPiece?.row ?? 0] ?? 0) + (firstPiece?.from ?? 0) - (this.#tops[cell.row] ?? 0);
    const rows = cell.lines.slice(skipped, skipped + bottom - top);
    const lines = rows.map((tokens, at) => toLines(tokens, cell.left, top + at, this.#cache));
    return {
      row: from,
      column: cell.column,
      rowSpan: to - from,
      columnSpan: cell.columnSpan,
      box:
        bottom === top + 1
          ? this.#cache.box(top, cell.left, cell.right - cell.left)
          : gridRangeBox(cell.left, cell.right, top, bottom),
      lines: lines.length === 1 && lines[0] !== undefined ? lines[0] : lines.flat(),
      // A cell that is cut at a page's end is read by its lines.
      ...(cell.text !== undefined && rows.length === cell.lines.length ? { text: cell.text } : {}),
    };
  }
}
