/** Finds tables without lines around their cells: text that lines up in columns. */

import type { Box } from "../../../ports/layout.ts";
import { spanOverlap, unionBox } from "../../layout/geometry.ts";
import { arrangeLines } from "../reading-order.ts";
import { type AlignedRun, toPageRows } from "./column-tracks.ts";
import { joinSetOff } from "./join-columns.ts";
import { joinRuns } from "./join-runs.ts";
import { growTable } from "./later-columns.ts";
import { partTracks } from "./part-columns.ts";
import { coveredShare, type Rules, rulesBetween } from "./rule-positions.ts";
import { boxAndHeader, toTable } from "./run-to-table.ts";
import { spreadHeadings, withHeadings, withValuesAbove } from "./spanning-headings.ts";
import { headingSigns } from "./table-header.ts";
import { isNoTable, looksLikeTable } from "./table-likeness.ts";
import type { FoundTable, FoundTables, TableLine, TableWord } from "./table-parts.ts";
import { isAnchor, type PageRow, usualColumns } from "./text-rows.ts";

/** Rows of a page that are compared with columns; the rest of the page is text. */
const MAX_COMPARED_ROWS = 20_000;
/** Rule that closes a table: its distance below the last row, and the share of the table's width that it covers. */
const MAX_CLOSING_GAP_EM = 2.5;
const MIN_CLOSING_WIDTH_SHARE = 0.9;
/** Gap that sets a row off from the one above. */
const MIN_CHANGE_GAP_EM = 0.8;

/**
 * Groups lines into regions: blocks that the reading order puts below each other. Columns of running text are regions
 * of their own, so that their lines are no rows.
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
 * Drops loose rows at the end: text below a table, unless it stands as close as lines of its cells do, or a rule closes
 * the table below it.
 */
function trimEnd<W extends TableWord>(run: AlignedRun<W>, { horizontal }: Rules): void {
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
      index < end ? [] : rulesBetween(horizontal, box.bottom - 0.3 * size, box.bottom + MAX_CLOSING_GAP_EM * size);
    return coveredShare(beneath, left, right) >= MIN_CLOSING_WIDTH_SHARE;
  });
  end = Math.max(end, closed + 1);
  run.rows.length = end;
  run.end = run.start + end;
}

function readRun<W extends TableWord>(
  grown: AlignedRun<W>,
  before: readonly PageRow<W>[],
  rules: Rules,
): TableReading<W> | undefined {
  trimEnd(grown, rules);
  if (grown.rows.length < 2 || grown.tracks.length < 2 || isNoTable(grown.rows)) return undefined;
  joinSetOff(grown);
  partTracks(grown);
  const run = withValuesAbove(grown, before);
  const above = before.slice(0, before.length - (grown.start - run.start));
  const headed = withHeadings(run, above, rules);
  const added = headed.rows.length - run.rows.length;
  const larger = added > 0 ? boxAndHeader(headed, rules) : undefined;
  // Between two rules everything is heading, also dates and years.
  if (larger !== undefined && headed.ruled && larger.header.rows < added)
    larger.header = { rows: added, sign: "ruled" };
  const isHeaded = larger !== undefined && larger.header.rows >= added;
  const { table, header } = isHeaded ? larger : boxAndHeader(run, rules);
  const own = isHeaded ? headed : run;
  if (!looksLikeTable(own, header, table, rules)) return undefined;
  spreadHeadings(own, header.rows);
  return { run: own, table: toTable(own, header, table, rules) };
}

interface TableReading<W extends TableWord> {
  run: AlignedRun<W>;
  table: FoundTable<W>;
}

/** The next row that may begin a table, after a run that is none: where the style or the spacing changes. */
function nextStart(rows: readonly PageRow<TableWord>[], { start, end }: AlignedRun<TableWord>): number {
  const bold = (row: PageRow<TableWord>): boolean => row.lines[0]?.words[0]?.bold === true;
  for (let at = start + 1; at < end; at += 1) {
    const [before, row] = [rows[at - 1], rows[at]];
    if (row === undefined || before === undefined) break;
    const more = row.lines.length > before.lines.length && row.lines.length > 2;
    if (more || bold(row) !== bold(before) || row.box.top - before.box.bottom > MIN_CHANGE_GAP_EM * row.size) return at;
  }
  return Math.max(end, start + 1);
}

interface TableSearch {
  rules: Rules;
  /** Number of rows that may still be compared. */
  steps: number;
}

/** Finds tables that begin in rows that pass `mayBegin`, and the lines outside them. */
function findInRows<W extends TableWord>(
  rows: readonly PageRow<W>[],
  mayBegin: (row: PageRow<W>) => boolean,
  search: TableSearch,
): FoundTables<W> {
  const tables: FoundTable<W>[] = [];
  const rest: TableLine<W>[] = [];
  const keep = (from: number, to: number): void => {
    for (const row of rows.slice(from, to)) for (const line of row.lines) rest.push(line);
  };
  let done = 0;
  /** The last table's run, and what there was before it. */
  let last: { run: AlignedRun<W>; done: number; kept: number } | undefined;
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    const run = row !== undefined && search.steps > 0 && mayBegin(row) ? growTable(rows, at, search.rules) : undefined;
    if (run === undefined) {
      at += 1;
      continue;
    }
    search.steps -= run.rows.length;
    const next = nextStart(rows, run);
    const own = readRun(run, rows.slice(done, at), search.rules);
    const joined = last === undefined ? undefined : joinRuns(rows, last.run, run, search.rules);
    const whole =
      joined === undefined ? undefined : readRun(joined, rows.slice(last?.done, joined.start), search.rules);
    const reading = whole ?? own;
    if (reading === undefined) {
      at = next;
      continue;
    }
    if (whole !== undefined && last !== undefined) {
      tables.pop();
      rest.length = last.kept;
      done = last.done;
    }
    last = { run: whole === undefined ? run : (joined ?? run), done, kept: rest.length };
    tables.push(reading.table);
    keep(done, reading.run.start);
    at = last.run.end;
    done = at;
  }
  keep(done, rows.length);
  return { tables, rest };
}

/**
 * Finds the tables of a page's lines without drawn cells; rules and fills help to tell them. Tables with headings that
 * stand out are searched for over the whole page, the others where the reading order keeps rows together.
 */
export function findAlignedTables<W extends TableWord>(lines: readonly TableLine<W>[], rules: Rules): FoundTables<W> {
  const search: TableSearch = { rules, steps: MAX_COMPARED_ROWS };
  const headed = findInRows(toPageRows(lines), (row) => headingSigns(row, rules).size > 0, search);
  const found = toRegions(headed.rest).map((region) => findInRows(toPageRows(region), () => true, search));
  return { tables: [...headed.tables, ...found.flatMap((one) => one.tables)], rest: found.flatMap((one) => one.rest) };
}
