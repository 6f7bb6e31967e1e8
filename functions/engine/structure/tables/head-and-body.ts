/** Joins a grid of headings with the table beneath it, where lines frame both apart: double lines, a head in boxes. */
import type { Box } from "../../../ports/layout.ts";
import { middleX, unionBox } from "../../layout/geometry.ts";
import { areValue, isPeriod } from "./figure-cells.ts";
import { type FoundCell, type FoundTable, type TableWord, textOf } from "./table-parts.ts";

/** Distance of the head's last line from the first text beneath it. */
const MAX_GAP_EM = 2.5;
const MAX_HEAD_ROWS = 4;
const MIN_COLUMNS = 3;

type Span = Pick<Box, "left" | "right">;

/** The span of each column: of its cells, or of the text in them. */
function columnSpans<W extends TableWord>(table: FoundTable<W>, spanOf: (cell: FoundCell<W>) => Span[]): Span[] {
  const spans: Span[] = [];
  for (const cell of table.cells)
    if (cell.columnSpan === 1)
      for (const { left, right } of spanOf(cell)) {
        const own = spans[cell.column];
        spans[cell.column] =
          own === undefined ? { left, right } : { left: Math.min(own.left, left), right: Math.max(own.right, right) };
      }
  return spans;
}

/** True if a grid holds headings only: words in nearly all columns of its first row. */
const isHead = ({ cells, rows, columns }: FoundTable): boolean =>
  rows <= MAX_HEAD_ROWS &&
  columns >= MIN_COLUMNS &&
  cells.every(({ lines }) => lines.length === 0 || !areValue(lines) || isPeriod(textOf(lines))) &&
  cells.filter(({ lines }) => lines.length > 0).length >= columns;

/** The head's column for each column of the table beneath; undefined where they do not fit. */
function columnsUnder<W extends TableWord>(head: FoundTable<W>, body: FoundTable<W>): number[] | undefined {
  const edges = columnSpans(head, ({ box }) => [box]);
  const texts = columnSpans(body, ({ lines }) => lines.map(({ box }) => box));
  const places: number[] = [];
  for (let column = 0; column < body.columns; column += 1) {
    const text = texts[column];
    if (text === undefined) return undefined;
    const middle = (text.left + text.right) / 2;
    const place = edges.findIndex((edge) => edge !== undefined && edge.left <= middle && middle <= edge.right);
    if (place < 0 || place <= (places.at(-1) ?? -1)) return undefined;
    places.push(place);
  }
  return places;
}

/** True if a table stands right beneath a head, within its width. */
function isBeneath<W extends TableWord>(head: FoundTable<W>, body: FoundTable<W>): boolean {
  const size = body.cells.find(({ lines }) => lines.length > 0)?.lines[0]?.size ?? 0;
  const gap = body.box.top - head.box.bottom;
  const middle = middleX(body.box);
  return gap > -size && gap <= MAX_GAP_EM * size && middle > head.box.left && middle < head.box.right;
}

/** The cells of the table beneath, in the head's columns; those without text get empty cells. */
function moveCells<W extends TableWord>(
  head: FoundTable<W>,
  body: FoundTable<W>,
  places: readonly number[],
): FoundCell<W>[] {
  const spans = columnSpans(head, ({ box }) => [box]);
  const ends = (column: number): number => places[column] ?? head.columns;
  const moved = body.cells.map((cell) => {
    const column = ends(cell.column);
    const columnSpan = ends(cell.column + cell.columnSpan - 1) - column + 1;
    return { ...cell, row: cell.row + head.rows, column, columnSpan };
  });
  const used = new Set(places);
  const missing = Array.from({ length: head.columns }, (_, column) => column).filter((column) => !used.has(column));
  const covered = (row: number, column: number): boolean =>
    moved.some((cell) => cell.row === row && cell.column <= column && column < cell.column + cell.columnSpan);
  const added = Array.from({ length: body.rows }, (_, at) => at + head.rows).flatMap((row) => {
    const beside = moved.find((cell) => cell.row === row)?.box ?? body.box;
    return missing
      .filter((column) => !covered(row, column))
      .map((column): FoundCell<W> => {
        const box = { ...beside, ...(spans[column] ?? { left: beside.left, right: beside.left }) };
        return { row, column, rowSpan: 1, columnSpan: 1, box, lines: [] };
      });
  });
  return [...moved, ...added].sort((a, b) => a.row - b.row || a.column - b.column);
}

function join<W extends TableWord>(head: FoundTable<W>, body: FoundTable<W>, places: readonly number[]): FoundTable<W> {
  const cells = [...head.cells, ...moveCells(head, body, places)];
  return {
    box: unionBox([head.box, body.box, ...cells.map(({ box }) => box)]),
    rows: head.rows + body.rows,
    columns: head.columns,
    headerRows: head.rows,
    cells,
  };
}

/** Joins heads with the tables that stand right beneath them and fit into their columns. */
export function joinHeads<W extends TableWord>(tables: readonly FoundTable<W>[]): FoundTable<W>[] {
  let joined = [...tables];
  for (const head of tables) {
    if (!isHead(head)) continue;
    const body = joined.find((table) => table !== head && isBeneath(head, table));
    const places = body === undefined ? undefined : columnsUnder(head, body);
    if (body === undefined || places === undefined) continue;
    joined = joined.flatMap((table) => (table === head ? [join(head, body, places)] : table === body ? [] : [table]));
  }
  return joined;
}
