/** Rows whose text lines up in columns, though no lines are drawn: where a run of them begins and ends. */

import type { Box } from "../../../ports/layout.ts";
import { spanOverlap } from "../../layout/geometry.ts";
import { groupIntoRows } from "../line-rows.ts";
import { areValue, isLeader } from "./figure-cells.ts";
import { covered, type Rules, rulesBetween } from "./rule-positions.ts";
import { headingSigns } from "./table-header.ts";
import { splitLine, type TableLine, type TableWord } from "./table-parts.ts";
import { columnsOf, type Piece, type TextRow } from "./text-rows.ts";

/** A column: what its text spans so far. */
export interface Track {
  left: number;
  right: number;
}

export interface Run<W extends TableWord> {
  /** Of the rows given: the first, and behind the last. */
  start: number;
  end: number;
  tracks: Track[];
  rows: TextRow<W>[];
}

/** All in ems. Text that reaches so little into a column is not in it. */
const TOUCH = 0.1;
/** Space between two rows of a table: beyond the widest before it by the ratio, and wider than lines of text. */
const GAP_RATIO = 1.6;
const LEAST_GAP = 1;
/** Headings on a band or above a rule hold rows together that are set wider. */
const HEADED_GAP = 2;
/** Below headings, and above a row that fills nearly all columns, rows may be set as wide as this. */
const FIRST_GAP = 3;
const LOOSE_GAP = 4.5;
const FULL_ROW = 0.7;
/** A title across columns, between rows, has no more words. */
const TITLE_WORDS = 12;
/** A rule along so much of the columns closes a table, unless its rows have rules between them. */
const ACROSS = 0.9;
const MOST_TRACKS = 40;

export interface PageRow<W extends TableWord> {
  lines: TableLine<W>[];
  box: TextRow<W>["box"];
  size: number;
}

/** Lines on rows by height. */
export const toPageRows = <W extends TableWord>(lines: readonly TableLine<W>[]): PageRow<W>[] => groupIntoRows(lines);

/** The columns that a span reaches into; columns stand from left to right. */
export function touched(tracks: readonly Track[], from: number, to: number, em: number): number[] {
  const own: number[] = [];
  const least = Math.min(TOUCH * em, 0.5 * (to - from));
  for (let index = 0; index < tracks.length; index += 1) {
    const track = tracks[index];
    if (track === undefined || track.left >= to) break;
    if (spanOverlap(track.left, track.right, from, to) > least) own.push(index);
  }
  return own;
}

/** The line's parts, each in one column, when its words tell: none lies in two, none begins before its column. */
export function cutAtGutters<W extends TableWord>(
  line: TableLine<W>,
  tracks: readonly Track[],
): Piece<W>[] | undefined {
  const em = line.size;
  let last = -1;
  const parts = splitLine(line, ({ box }) => {
    const own = touched(tracks, box.left, box.right, em);
    // What stands between two columns goes on from the one before.
    if (own.length < 2) last = own[0] ?? last;
    return own.length < 2 ? last : -1;
  });
  const pieces: Piece<W>[] = [];
  for (const { place, line: part } of parts) {
    const last = pieces.at(-1);
    if (place < 0 || (last !== undefined && place <= last.column)) return undefined;
    const track = tracks[place];
    // What begins or ends where its column does is in it; what only passes below is a sentence.
    const edges = track === undefined ? [] : [part.box.left - track.left, part.box.right - track.right];
    if (pieces.length > 0 && !edges.some((edge) => Math.abs(edge) < 0.5 * em)) return undefined;
    pieces.push({ column: place, span: 1, line: part });
  }
  return pieces;
}

/** A leader stands between two columns and belongs to the one before it. */
const isLeaderLine = (line: TableLine): boolean => line.words.every((word) => isLeader(word.text));

interface Growth<W extends TableWord> {
  tracks: Track[];
  rows: TextRow<W>[];
  /** The widest space between two rows so far, of those below the first values. */
  widest: number;
  valued: boolean;
  /** The first row is headings on a band or above a rule. */
  headed: boolean;
  /** Rules stand between rows with values. */
  lined: boolean;
}

/** The row's lines in the columns, or undefined where they do not fit; `tracks` grow by what they hold. */
function place<W extends TableWord>(row: PageRow<W>, tracks: Track[]): TextRow<W> | undefined {
  const pieces: Piece<W>[] = [];
  const fresh: TableLine<W>[] = [];
  for (const line of row.lines) {
    const own = touched(tracks, line.box.left, line.box.right, row.size);
    if (isLeaderLine(line) && pieces.length > 0) {
      pieces.push({ column: pieces.at(-1)?.column ?? 0, span: 1, line });
    } else if (own.length === 0) {
      fresh.push(line);
    } else if (own.length === 1) {
      pieces.push({ column: own[0] ?? 0, span: 1, line });
    } else {
      const cut = cutAtGutters(line, tracks);
      if (cut === undefined) return undefined;
      for (const piece of cut) pieces.push(piece);
    }
  }
  const texts = pieces.filter((piece) => !isLeaderLine(piece.line));
  if (new Set(texts.map((piece) => piece.column)).size < texts.length) return undefined;
  if (tracks.length + fresh.length > MOST_TRACKS) return undefined;
  widen(tracks, texts);
  for (const line of fresh) pieces.push({ column: insert(tracks, line, pieces), span: 1, line });
  return { box: row.box, size: row.size, pieces: pieces.sort((a, b) => a.line.box.left - b.line.box.left) };
}

function widen(tracks: readonly Track[], pieces: readonly Piece<TableWord>[]): void {
  for (const { column, line } of pieces) {
    const track = tracks[column];
    if (track === undefined) continue;
    track.left = Math.min(track.left, line.box.left);
    track.right = Math.max(track.right, line.box.right);
  }
}

/** A new column for a line that lies in none; columns behind it move on, in `pieces` too. */
function insert(tracks: Track[], { box }: TableLine, pieces: readonly Piece<TableWord>[]): number {
  const found = tracks.findIndex((track) => track.left >= box.left);
  const at = found < 0 ? tracks.length : found;
  tracks.splice(at, 0, { left: box.left, right: box.right });
  for (const piece of pieces) if (piece.column >= at) piece.column += 1;
  return at;
}

/** Whether a row fills nearly all columns, or those that the row before fills. */
function isFull(row: TextRow<TableWord>, { tracks, rows }: Growth<TableWord>): boolean {
  const own = columnsOf(row);
  const last = rows.at(-1);
  const before = last === undefined ? [] : [...columnsOf(last)];
  if (own.size < 2) return false;
  return own.size >= FULL_ROW * tracks.length || (before.length > 1 && before.every((column) => own.has(column)));
}

/** Whether the space above a row ends the run. `placed`: the row in its columns. */
function isParted<W extends TableWord>(
  growth: Growth<W>,
  placed: TextRow<W>,
  before: PageRow<W>,
  rules: Rules,
): boolean {
  const em = Math.max(placed.size, before.size);
  const gap = placed.box.top - before.box.bottom;
  const full = isFull(placed, growth);
  if (!growth.valued) return gap > FIRST_GAP * em;
  const usual = growth.headed ? HEADED_GAP : LEAST_GAP;
  if (gap > Math.max((full ? LOOSE_GAP : usual) * em, GAP_RATIO * growth.widest)) return true;
  return !full && !growth.lined && isAcross(growth, before, placed, rules);
}

/** Whether a rule along all columns stands between two rows. */
function isAcross(
  { tracks }: Growth<TableWord>,
  above: { box: Box; size: number },
  below: { box: Box },
  { horizontal }: Rules,
): boolean {
  const reach = 0.3 * above.size;
  const between = rulesBetween(horizontal, above.box.bottom - reach, below.box.top + reach);
  return covered(between, tracks[0]?.left ?? 0, tracks.at(-1)?.right ?? 0) >= ACROSS;
}

/** A row whose only line reaches over columns, between rows that fit: the title of those below. */
function placeTitle<W extends TableWord>(
  row: PageRow<W>,
  next: PageRow<W> | undefined,
  tracks: readonly Track[],
): TextRow<W> | undefined {
  const [line] = row.lines;
  if (line === undefined || row.lines.length > 1 || line.words.length > TITLE_WORDS) return undefined;
  if (next === undefined || next.lines.length < 2) return undefined;
  const own = touched(tracks, line.box.left, line.box.right, row.size);
  if (own.length >= tracks.length || place(next, copyOf(tracks)) === undefined) return undefined;
  return { box: row.box, size: row.size, pieces: [{ column: own[0] ?? 0, span: own.length, line }] };
}

const copyOf = (tracks: readonly Track[]): Track[] => tracks.map((track) => ({ ...track }));

/** Columns of the rows before, renumbered where new ones came between. */
function renumber(rows: readonly TextRow<TableWord>[], before: readonly Track[], after: readonly Track[]): void {
  if (after.length === before.length) return;
  const moved = before.map((track) => after.findIndex((one) => one.left <= track.left && one.right >= track.right));
  for (const row of rows)
    for (const piece of row.pieces) {
      const last = moved[piece.column + piece.span - 1] ?? piece.column;
      piece.column = moved[piece.column] ?? piece.column;
      piece.span = last - piece.column + 1;
    }
}

function isSetOff(row: PageRow<TableWord>, rules: Rules): boolean {
  const signs = headingSigns(row, rules);
  return signs.has("bold") || signs.has("filled");
}

/** Adds a row to the run, if it goes on there. */
function extend<W extends TableWord>(
  growth: Growth<W>,
  [before, row, next]: readonly [PageRow<W> | undefined, PageRow<W>, PageRow<W> | undefined],
  rules: Rules,
): boolean {
  // Headings below other text begin another table.
  if (before !== undefined && isSetOff(row, rules) && !isSetOff(before, rules)) return false;
  const tracks = copyOf(growth.tracks);
  const fitted = place(row, tracks);
  const placed = fitted ?? (growth.rows.length > 1 ? placeTitle(row, next, growth.tracks) : undefined);
  if (placed === undefined) return false;
  if (before !== undefined) {
    if (isParted(growth, placed, before, rules)) return false;
    if (growth.valued) {
      growth.widest = Math.max(growth.widest, row.box.top - before.box.bottom);
      growth.lined ||= isAcross(growth, before, row, rules);
    }
  }
  if (fitted !== undefined) {
    renumber(growth.rows, growth.tracks, tracks);
    growth.tracks = tracks;
  }
  growth.rows.push(placed);
  growth.valued ||= placed.pieces.some((piece) => areValue([piece.line]));
  return true;
}

/**
 * The longest run of rows from `start` on whose lines lie in columns, none in two of them but titles between rows;
 * undefined when the first row has but one line. Lines of two columns that stand close together are cut.
 */
export function growRun<W extends TableWord>(
  rows: readonly PageRow<W>[],
  start: number,
  rules: Rules,
): Run<W> | undefined {
  const first = rows[start];
  if (first === undefined || first.lines.length < 2) return undefined;
  const signs = headingSigns(first, rules);
  const headed = signs.has("filled") || signs.has("ruled");
  const growth: Growth<W> = { tracks: [], rows: [], widest: 0, valued: false, headed, lined: false };
  let end = start;
  for (; end < rows.length; end += 1) {
    const row = rows[end];
    const before = end > start ? rows[end - 1] : undefined;
    if (row === undefined || !extend(growth, [before, row, rows[end + 1]], rules)) break;
  }
  return { start, end, tracks: growth.tracks, rows: growth.rows };
}
