/** Tables without lines around their cells: text that lines up in columns, and what tells it from other such text. */

import type { Box } from "../../../ports/layout.ts";
import { median, spanOverlap, unionBox } from "../../layout/geometry.ts";
import { arrangeLines } from "../reading-order.ts";
import { growRun, type PageRow, type Run, type Track, toPageRows } from "./column-tracks.ts";
import { findRowStarts } from "./row-bands.ts";
import { covered, type Rules, rulesBetween } from "./rule-positions.ts";
import { withoutSections } from "./section-rows.ts";
import { spreadHeadings, withHeadings } from "./spanning-headings.ts";
import { findHeader, type Header, headingSigns, ROWS_SEEN } from "./table-header.ts";
import { isOtherwise, looksLikeTable } from "./table-likeness.ts";
import type { FoundCell, FoundTable, FoundTables, TableLine, TableWord } from "./table-parts.ts";
import { columnsOf, isAnchor, type Piece, type TextRow, usualColumns } from "./text-rows.ts";

/** Comparisons of rows with columns on a page; what is left over after that is text. */
const MOST_STEPS = 20_000;
/** Lines of one header cell stand no further apart, in ems. */
const HEADER_SPACE = 0.6;
/** A rule that closes a table lies so far below its last row, in ems, and runs along so much of its width. */
const CLOSING_GAP = 2.5;
const CLOSING_WIDTH = 0.9;
/** Space that sets a row off from the one above, in ems. */
const CHANGE_GAP = 0.8;
/** Two columns that are never filled together are one, a heading set off from its values, when so near, in ems. */
const SET_OFF = 4;

/**
 * Lines in regions: what the reading order puts below each other. Columns of running text are regions of their own, so
 * that their lines are no rows.
 */
function toRegions<W extends TableWord>(lines: readonly TableLine<W>[]): TableLine<W>[][] {
  const regions: { lines: TableLine<W>[]; box: Box }[] = [];
  for (const block of arrangeLines(lines)) {
    const box = unionBox(block.map((line) => line.box));
    const region = regions.at(-1);
    const below = region !== undefined && box.top >= region.box.bottom - 0.5 * (block[0]?.size ?? 0);
    if (region !== undefined && below && spanOverlap(box.left, box.right, region.box.left, region.box.right) > 0) {
      for (const line of block) region.lines.push(line);
      region.box = unionBox([region.box, box]);
    } else {
      regions.push({ lines: [...block], box });
    }
  }
  return regions.map((region) => region.lines);
}

/**
 * Without rows at the end that only hang on: text below a table, unless it stands as close as lines of its cells do, or a
 * rule closes the table below it.
 */
function trimEnd<W extends TableWord>(run: Run<W>, { horizontal }: Rules): void {
  const usual = usualColumns(run.rows);
  const last = run.rows.findLastIndex((row) => isAnchor(row, usual));
  const gapAbove = (index: number): number => (run.rows[index]?.box.top ?? 0) - (run.rows[index - 1]?.box.bottom ?? 0);
  const within = run.rows.flatMap((row, index) =>
    index > 0 && index < last && !isAnchor(row, usual) ? [gapAbove(index)] : [],
  );
  const closest = Math.max(-Infinity, ...within);
  let end = last + 1;
  while (end < run.rows.length && gapAbove(end) <= closest + 0.1 * (run.rows[end]?.size ?? 0)) end += 1;
  const [left, right] = [run.tracks[0]?.left ?? 0, run.tracks.at(-1)?.right ?? 0];
  const closed = run.rows.findIndex(({ box, size }, index) => {
    const beneath =
      index < end ? [] : rulesBetween(horizontal, box.bottom - 0.3 * size, box.bottom + CLOSING_GAP * size);
    return covered(beneath, left, right) >= CLOSING_WIDTH;
  });
  end = Math.max(end, closed + 1);
  run.rows.length = end;
  run.end = run.start + end;
}

/** Joins columns beside each other that no row fills both of, where one of them holds but headings. */
function joinSetOff<W extends TableWord>(run: Run<W>): void {
  const em = median(run.rows.map((row) => row.size));
  const counts = run.tracks.map(() => 0);
  const shared = run.tracks.map(() => 0);
  for (const row of run.rows) {
    const own = columnsOf(row);
    for (const column of own) {
      counts[column] = (counts[column] ?? 0) + 1;
      if (own.has(column + 1)) shared[column] = (shared[column] ?? 0) + 1;
    }
  }
  for (let at = run.tracks.length - 2; at >= 0; at -= 1) {
    const [track, next] = [run.tracks[at], run.tracks[at + 1]];
    if (track === undefined || next === undefined || shared[at] !== 0) continue;
    if (Math.min(counts[at] ?? 0, counts[at + 1] ?? 0) > 1 || next.left - track.right > SET_OFF * em) continue;
    run.tracks.splice(at, 2, { left: Math.min(track.left, next.left), right: Math.max(track.right, next.right) });
    for (const row of run.rows) for (const piece of row.pieces) joinColumns(piece, at);
    // What was beside the second is beside the joined one; that it shares rows with it is not known any more.
    shared[at - 1] = Math.max(shared[at - 1] ?? 0, 1);
  }
}

/** Takes a piece along when column `at` and the next become one. */
function joinColumns(piece: Piece<TableWord>, at: number): void {
  if (piece.column > at) piece.column -= 1;
  else if (piece.column + piece.span > at + 1) piece.span -= 1;
}

/** For each text row whether it begins a row of the table. Headings above each other are one row when they are close. */
function rowStarts<W extends TableWord>(
  rows: readonly TextRow<W>[],
  header: number,
  table: Box,
  rules: Rules,
): boolean[] {
  const heads = rows.slice(0, header).map((row, index) => {
    const before = rows[index - 1];
    const spans = [...(before?.pieces ?? [])].some((piece) => piece.span > 1);
    return before === undefined || spans || row.box.top - before.box.bottom > HEADER_SPACE * row.size;
  });
  return [...heads, ...findRowStarts(rows.slice(header), table, rules)];
}

const edgesBetween = (spans: readonly { from: number; to: number }[]): number[] => [
  spans[0]?.from ?? 0,
  ...spans.slice(1).map((span, index) => ((spans[index]?.to ?? 0) + span.from) / 2),
  spans.at(-1)?.to ?? 0,
];

function toTable<W extends TableWord>(run: Run<W>, header: Header, table: Box, rules: Rules): FoundTable<W> {
  const starts = rowStarts(run.rows, header.rows, table, rules);
  const groups: TextRow<W>[][] = [];
  run.rows.forEach((row, index) => {
    if (starts[index] === true || groups.length === 0) groups.push([row]);
    else groups.at(-1)?.push(row);
  });
  const headerRows = starts.slice(0, header.rows).filter(Boolean).length;
  const xs = edgesBetween(run.tracks.map(({ left, right }: Track) => ({ from: left, to: right })));
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
  pieces: readonly Piece<W>[],
  row: number,
  xs: number[],
  ys: number[],
): FoundCell<W>[] {
  const cells: FoundCell<W>[] = [];
  for (let column = 0; column < xs.length - 1; ) {
    // What begins in columns that a piece reaches over is in its cell.
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

/** What the rows of a run say, taken for a table. */
function appraise<W extends TableWord>(run: Run<W>, rules: Rules): { table: Box; header: Header } {
  const table = unionBox(run.rows.map((row) => row.box));
  const rows = run.rows.slice(0, ROWS_SEEN).map((row) => ({
    box: row.box,
    cells: row.pieces.map(({ column, line }) => ({ column, lines: [line] })),
  }));
  const header = findHeader(rows, table, rules);
  const isDrawn = header.sign === "filled" || header.sign === "ruled";
  if (isDrawn || header.rows === 0) return { table, header };
  const usual = usualColumns(run.rows);
  return { table, header: { ...header, rows: withoutSections(run.rows, header.rows, (row) => isAnchor(row, usual)) } };
}

function readRun<W extends TableWord>(run: Run<W>, above: readonly PageRow<W>[], rules: Rules): Reading<W> | undefined {
  trimEnd(run, rules);
  if (run.rows.length < 2 || run.tracks.length < 2 || isOtherwise(run.rows)) return undefined;
  joinSetOff(run);
  const headed = withHeadings(run, above);
  const added = headed.rows.length - run.rows.length;
  const larger = added > 0 ? appraise(headed, rules) : undefined;
  const isHeaded = larger !== undefined && larger.header.rows >= added;
  const { table, header } = isHeaded ? larger : appraise(run, rules);
  const own = isHeaded ? headed : run;
  if (!looksLikeTable(own, header, table, rules)) return undefined;
  spreadHeadings(own, header.rows);
  return { run: own, table: toTable(own, header, table, rules) };
}

interface Reading<W extends TableWord> {
  run: Run<W>;
  table: FoundTable<W>;
}

/** After a run that is no table, the next row that may begin one: where the look or the spacing changes. */
function nextStart(rows: readonly PageRow<TableWord>[], { start, end }: Run<TableWord>): number {
  const bold = (row: PageRow<TableWord>): boolean => row.lines[0]?.words[0]?.bold === true;
  for (let at = start + 1; at < end; at += 1) {
    const [before, row] = [rows[at - 1], rows[at]];
    if (row === undefined || before === undefined) break;
    const more = row.lines.length > before.lines.length && row.lines.length > 2;
    if (more || bold(row) !== bold(before) || row.box.top - before.box.bottom > CHANGE_GAP * row.size) return at;
  }
  return Math.max(end, start + 1);
}

interface Search {
  rules: Rules;
  /** Rows that may still be compared. */
  steps: number;
}

/** The tables that begin in rows where one may, and the lines outside them. */
function findInRows<W extends TableWord>(
  rows: readonly PageRow<W>[],
  mayBegin: (row: PageRow<W>) => boolean,
  search: Search,
): FoundTables<W> {
  const tables: FoundTable<W>[] = [];
  const rest: TableLine<W>[] = [];
  const keep = (from: number, to: number): void => {
    for (const row of rows.slice(from, to)) for (const line of row.lines) rest.push(line);
  };
  let done = 0;
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    const run = row !== undefined && search.steps > 0 && mayBegin(row) ? growRun(rows, at, search.rules) : undefined;
    if (run === undefined) {
      at += 1;
      continue;
    }
    search.steps -= run.rows.length;
    const next = nextStart(rows, run);
    const reading = readRun(run, rows.slice(done, at), search.rules);
    if (reading === undefined) {
      at = next;
      continue;
    }
    tables.push(reading.table);
    keep(done, at - (reading.run.rows.length - run.rows.length));
    at = run.end;
    done = at;
  }
  keep(done, rows.length);
  return { tables, rest };
}

/**
 * The tables of a page's lines that have no cells drawn; rules and fills help to tell them. Those with headings that
 * stand out are looked for over the whole page, the others where the reading order keeps rows together.
 */
export function findAlignedTables<W extends TableWord>(lines: readonly TableLine<W>[], rules: Rules): FoundTables<W> {
  const search: Search = { rules, steps: MOST_STEPS };
  const headed = findInRows(toPageRows(lines), (row) => headingSigns(row, rules).size > 0, search);
  const found = toRegions(headed.rest).map((region) => findInRows(toPageRows(region), () => true, search));
  return { tables: [...headed.tables, ...found.flatMap((one) => one.tables)], rest: found.flatMap((one) => one.rest) };
}
