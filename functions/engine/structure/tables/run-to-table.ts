/** Makes a table of a run of rows whose text lines up: its header, its rows of one line or several, its cells. */
import type { Box } from "../../../ports/layout.ts";
import { unionBox } from "../../layout/geometry.ts";
import type { AlignedRun } from "./column-tracks.ts";
import { findRowStarts } from "./row-bands.ts";
import type { Rules } from "./rule-positions.ts";
import { withoutSections } from "./section-rows.ts";
import { findHeader, type Header, MAX_EXAMINED_ROWS } from "./table-header.ts";
import type { FoundCell, FoundTable, TableWord } from "./table-parts.ts";
import { type ColumnTrack, isAnchor, type RowPiece, type TextRow, usualColumns } from "./text-rows.ts";

/** Gap between lines of one header cell. */
const MAX_HEADER_LINE_GAP_EM = 0.6;

/**
 * For each text row: true if it begins a row of the table. Headings above each other are one row where they are close.
 */
function rowStarts<W extends TableWord>(
  rows: readonly TextRow<W>[],
  header: number,
  table: Box,
  rules: Rules,
): boolean[] {
  const heads = rows.slice(0, header).map((row, index) => {
    const before = rows[index - 1];
    const spans = [...(before?.pieces ?? [])].some((piece) => piece.span > 1);
    return before === undefined || spans || row.box.top - before.box.bottom > MAX_HEADER_LINE_GAP_EM * row.size;
  });
  return [...heads, ...findRowStarts(rows.slice(header), table, rules)];
}

const edgesBetween = (spans: readonly { from: number; to: number }[]): number[] => [
  spans[0]?.from ?? 0,
  ...spans.slice(1).map((span, index) => ((spans[index]?.to ?? 0) + span.from) / 2),
  spans.at(-1)?.to ?? 0,
];

/** The table of a run of rows. */
export function toTable<W extends TableWord>(
  run: AlignedRun<W>,
  header: Header,
  table: Box,
  rules: Rules,
): FoundTable<W> {
  const starts = rowStarts(run.rows, header.rows, table, rules);
  const groups: TextRow<W>[][] = [];
  run.rows.forEach((row, index) => {
    if (starts[index] === true || groups.length === 0) groups.push([row]);
    else groups.at(-1)?.push(row);
  });
  const headerRows = starts.slice(0, header.rows).filter(Boolean).length;
  const xs = edgesBetween(run.tracks.map(({ left, right }: ColumnTrack) => ({ from: left, to: right })));
  const ys = edgesBetween(
    groups.map((rows) => {
      const { top, bottom } = unionBox(rows.map((row) => row.box));
      return { from: top, to: bottom };
    }),
  );
  const cells = groups.flatMap((rows, row) =>
    toCells(
      rows.flatMap((one) => one.pieces),
      row,
      xs,
      ys,
    ),
  );
  return { box: table, rows: groups.length, columns: run.tracks.length, headerRows, cells };
}

function toCells<W extends TableWord>(
  pieces: readonly RowPiece<W>[],
  row: number,
  xs: number[],
  ys: number[],
): FoundCell<W>[] {
  const cells: FoundCell<W>[] = [];
  for (let column = 0; column < xs.length - 1; ) {
    // A piece that begins in columns under a spanning piece is in its cell.
    let end = column + 1;
    for (let at = column; at < end; at += 1)
      for (const piece of pieces) if (piece.column === at) end = Math.max(end, at + piece.span);
    end = Math.min(end, xs.length - 1);
    const own = pieces.filter((piece) => piece.column >= column && piece.column < end);
    const box = { left: xs[column] ?? 0, right: xs[end] ?? 0, top: ys[row] ?? 0, bottom: ys[row + 1] ?? 0 };
    cells.push({ row, column, rowSpan: 1, columnSpan: end - column, box, lines: own.map((piece) => piece.line) });
    column = end;
  }
  return cells;
}

/** Reads the rows of a run as a table. */
export function boxAndHeader<W extends TableWord>(run: AlignedRun<W>, rules: Rules): { table: Box; header: Header } {
  const table = unionBox(run.rows.map((row) => row.box));
  const rows = run.rows.slice(0, MAX_EXAMINED_ROWS).map((row) => ({
    box: row.box,
    cells: row.pieces.map(({ column, line }) => ({ column, lines: [line] })),
  }));
  const header = findHeader(rows, table, rules);
  const isDrawn = header.sign === "filled" || header.sign === "ruled";
  if (isDrawn || header.rows === 0) return { table, header };
  const usual = usualColumns(run.rows);
  return { table, header: { ...header, rows: withoutSections(run.rows, header.rows, (row) => isAnchor(row, usual)) } };
}
