/** Parts columns of grids and runs where their figures stand in several columns side by side. */
import { median } from "../../layout/geometry.ts";
import type { Grid, GridCell } from "./cell-grids.ts";
import type { AlignedRun } from "./column-tracks.ts";
import { cutAtInnerColumns, type InnerColumn, innerColumns } from "./inner-columns.ts";
import { cutLine, type TableLine, type TableWord } from "./table-parts.ts";
import type { RowPiece } from "./text-rows.ts";

/** The pieces of a row after its column `at` is parted. */
function cutPieces<W extends TableWord>(
  pieces: readonly RowPiece<W>[],
  at: number,
  inner: readonly InnerColumn[],
): RowPiece<W>[] {
  const added = inner.length - 1;
  return pieces.flatMap((piece): RowPiece<W>[] => {
    if (piece.column > at) return [{ ...piece, column: piece.column + added }];
    if (piece.column + piece.span <= at) return [piece];
    if (piece.span > 1) return [{ ...piece, span: piece.span + added }];
    return cutAtInnerColumns(piece.line.words, inner, piece.line.size).map(({ from, to, words }) => ({
      column: at + from,
      span: to - from + 1,
      line: cutLine(piece.line, words),
    }));
  });
}

/** Parts the columns of a run where figures stand side by side in them. */
export function partTracks<W extends TableWord>(run: AlignedRun<W>): void {
  const em = median(run.rows.map((row) => row.size));
  for (let at = run.tracks.length - 1; at >= 0; at -= 1) {
    const texts = run.rows.map((row) =>
      row.pieces.flatMap((piece) => (piece.column === at && piece.span === 1 ? piece.line.words : [])),
    );
    const inner = innerColumns(
      texts.filter((words) => words.length > 0),
      em,
    );
    if (inner.length === 0) continue;
    run.tracks.splice(at, 1, ...inner.map(({ left, right }) => ({ left, right })));
    for (const row of run.rows) row.pieces = cutPieces(row.pieces, at, inner);
  }
}

/** The words of a cell's lines. */
const wordsOf = <W extends TableWord>(lines: readonly TableLine<W>[] | undefined): W[] =>
  (lines ?? []).flatMap((line) => line.words).sort((a, b) => a.box.left - b.box.left);

/** Parts one column of a grid into inner ones. */
function partColumn<W extends TableWord>(
  { xs, ys, cells }: Grid,
  { at, inner, em }: { at: number; inner: readonly InnerColumn[]; em: number },
  texts: ReadonlyMap<GridCell, TableLine<W>[]>,
): { grid: Grid; texts: Map<GridCell, TableLine<W>[]> } {
  const added = inner.length - 1;
  const edges = inner.slice(1).map(({ left }, index) => ((inner[index]?.right ?? left) + left) / 2);
  const moved = new Map<GridCell, TableLine<W>[]>();
  for (const cell of cells) {
    const lines = texts.get(cell) ?? [];
    if (cell.column !== at || cell.columnSpan > 1) {
      const isBehind = cell.column > at;
      const isOver = cell.column <= at && cell.column + cell.columnSpan > at;
      const [column, columnSpan] = [cell.column + (isBehind ? added : 0), cell.columnSpan + (isOver ? added : 0)];
      moved.set({ ...cell, column, columnSpan }, lines);
      continue;
    }
    const parts = cutAtInnerColumns(wordsOf(lines), inner, em);
    for (let column = 0; column < inner.length; ) {
      const part = parts.find(({ from, to }) => from <= column && to >= column);
      const columnSpan = part === undefined ? 1 : part.to - column + 1;
      const own = lines.flatMap((line) => {
        const words = line.words.filter((word) => part?.words.includes(word) === true);
        return words.length === 0 ? [] : [cutLine(line, words)];
      });
      moved.set({ ...cell, column: at + column, columnSpan }, own);
      column += columnSpan;
    }
  }
  const parted = [...moved.keys()].sort((a, b) => a.row - b.row || a.column - b.column);
  return { grid: { xs: [...xs.slice(0, at + 1), ...edges, ...xs.slice(at + 1)], ys, cells: parted }, texts: moved };
}

/** Parts the columns of a grid where figures stand side by side in them. */
export function partColumns<W extends TableWord>(
  given: Grid,
  filled: ReadonlyMap<GridCell, TableLine<W>[]>,
  em: number,
): Grid {
  let [grid, texts] = [given, filled];
  for (let at = given.xs.length - 2; at >= 0; at -= 1) {
    const own = grid.cells.filter((cell) => cell.column === at && cell.columnSpan === 1);
    const rows = own.map((cell) => wordsOf(texts.get(cell))).filter((words) => words.length > 0);
    const inner = innerColumns(rows, em);
    if (inner.length > 0) ({ grid, texts } = partColumn(grid, { at, inner, em }, texts));
  }
  return grid;
}
