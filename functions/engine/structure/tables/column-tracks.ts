/** Finds runs of rows whose text lines up in columns, though no lines are drawn. */

import type { Box } from "../../../ports/layout.ts";
import { spanOverlap } from "../../layout/geometry.ts";
import { groupIntoRows } from "../line-rows.ts";
import { areValue, isLeader } from "./figure-cells.ts";
import { joinSpaced, placeValues } from "./place-words.ts";
import { coveredShare, type Rules, rulesBetween } from "./rule-positions.ts";
import { isSetOff, shadeOfRow } from "./set-off-rows.ts";
import { headingSigns } from "./table-header.ts";
import { splitLine, type TableLine, type TableWord } from "./table-parts.ts";
import { type ColumnTrack, columnsOf, copyTracks, type PageRow, type RowPiece, type TextRow } from "./text-rows.ts";

export interface AlignedRun<W extends TableWord> {
  /** Indices of the first row, and behind the last. */
  start: number;
  end: number;
  tracks: ColumnTrack[];
  rows: TextRow<W>[];
}

/** Overlap of text with a column up to which it is not in it. */
const MIN_COLUMN_OVERLAP_EM = 0.1;
/** Gap between two rows of a table: beyond the widest before it by the ratio, and wider than lines of text. */
const MAX_GAP_RATIO = 1.6;
const MAX_ROW_GAP_EM = 1;
/** The same where headings on a band or above a rule hold rows together that are set wider, or bold ones full rows. */
const MAX_HEADED_ROW_GAP_EM = 2;
/** The same below headings, and above a row that fills this share of the columns. */
const MAX_FIRST_ROW_GAP_EM = 3;
const MAX_FULL_ROW_GAP_EM = 4.5;
const FULL_ROW_SHARE = 0.7;
/** Words of a title across columns, between rows. */
const MAX_TITLE_WORDS = 12;
/** Share of the columns along which a rule closes a table, unless its rows have rules between them. */
const MIN_CLOSING_WIDTH_SHARE = 0.9;
/** Gap before a text that may be in a column by its middle; spaces are narrower, also recognised ones. */
const MIN_CENTRED_GAP_EM = 0.8;
const MAX_TRACKS = 40;
/** Rows from which columns are sure enough to cut other rows by them. */
const MIN_ROWS_OF_SURE_COLUMNS = 3;

/** Groups lines into rows by height. */
export const toPageRows = <W extends TableWord>(lines: readonly TableLine<W>[]): PageRow<W>[] => groupIntoRows(lines);

/** The columns that a span reaches into; columns are sorted from left to right. */
export function tracksUnder(tracks: readonly ColumnTrack[], from: number, to: number, em: number): number[] {
  const own: number[] = [];
  const least = Math.min(MIN_COLUMN_OVERLAP_EM * em, 0.5 * (to - from));
  for (let index = 0; index < tracks.length; index += 1) {
    const track = tracks[index];
    if (track === undefined || track.left >= to) break;
    if (spanOverlap(track.left, track.right, from, to) > least) own.push(index);
  }
  return own;
}

/** The line's parts, each in one column, where its words tell: none lies in two, none begins before its column. */
export function cutAtColumns<W extends TableWord>(
  line: TableLine<W>,
  tracks: readonly ColumnTrack[],
): RowPiece<W>[] | undefined {
  const em = line.size;
  let last = -1;
  const parts = splitLine(line, ({ box }) => {
    const own = tracksUnder(tracks, box.left, box.right, em);
    // A word between two columns belongs to the one before.
    if (own.length < 2) last = own[0] ?? last;
    return own.length < 2 ? last : -1;
  });
  const pieces: RowPiece<W>[] = [];
  for (const { place, line: part } of parts) {
    const last = pieces.at(-1);
    if (place < 0 || (last !== undefined && place <= last.column)) return undefined;
    const track = tracks[place];
    // Text that begins, ends or is centred where its column is, is in it; text that only passes below is a sentence.
    const edges = track === undefined ? [] : [part.box.left - track.left, part.box.right - track.right];
    if (last !== undefined && part.box.left - last.line.box.right >= MIN_CENTRED_GAP_EM * em)
      edges.push((edges[0] ?? 0) + (edges[1] ?? 0));
    if (pieces.length > 0 && !edges.some((edge) => Math.abs(edge) < 0.5 * em)) return undefined;
    pieces.push({ column: place, span: 1, line: part });
  }
  return pieces;
}

/** True for a leader, which stands between two columns and belongs to the one before it. */
const isLeaderLine = (line: TableLine): boolean => line.words.every((word) => isLeader(word.text));

interface GrowingRun<W extends TableWord> {
  tracks: ColumnTrack[];
  rows: TextRow<W>[];
  /** The widest gap between two rows so far, of those below the first values. */
  widest: number;
  valued: boolean;
  /** Sign of headings in the first row. */
  headed: "drawn" | "bold" | undefined;
  /** Shade behind the first row. */
  head: number;
  /** True if rules stand between rows with values. */
  lined: boolean;
}

/** Places the row's lines in the columns; undefined where they do not fit. `tracks` grow by the lines they take. */
export function placeRow<W extends TableWord>(row: PageRow<W>, tracks: ColumnTrack[]): TextRow<W> | undefined {
  const pieces: RowPiece<W>[] = [];
  const fresh: TableLine<W>[] = [];
  for (const line of row.lines) {
    const own = tracksUnder(tracks, line.box.left, line.box.right, row.size);
    if (isLeaderLine(line) && pieces.length > 0) {
      pieces.push({ column: pieces.at(-1)?.column ?? 0, span: 1, line });
    } else if (own.length === 0) {
      fresh.push(line);
    } else if (own.length === 1) {
      pieces.push({ column: own[0] ?? 0, span: 1, line });
    } else {
      const cut = cutAtColumns(line, tracks);
      if (cut === undefined) return undefined;
      for (const piece of cut) pieces.push(piece);
    }
  }
  const texts = pieces.filter((piece) => !isLeaderLine(piece.line));
  if (new Set(texts.map((piece) => piece.column)).size < texts.length) return undefined;
  if (tracks.length + fresh.length > MAX_TRACKS) return undefined;
  widenTracks(tracks, texts);
  for (const line of fresh) pieces.push({ column: insertTrack(tracks, line, pieces), span: 1, line });
  return { box: row.box, size: row.size, pieces: pieces.sort((a, b) => a.line.box.left - b.line.box.left) };
}

function widenTracks(tracks: readonly ColumnTrack[], pieces: readonly RowPiece<TableWord>[]): void {
  for (const { column, line } of pieces) {
    const track = tracks[column];
    if (track === undefined) continue;
    track.left = Math.min(track.left, line.box.left);
    track.right = Math.max(track.right, line.box.right);
  }
}

/** Inserts a column for a line that lies in none; columns behind it move, in `pieces` too. */
export function insertTrack(tracks: ColumnTrack[], { box }: TableLine, pieces: readonly RowPiece<TableWord>[]): number {
  const found = tracks.findIndex((track) => track.left >= box.left);
  const at = found < 0 ? tracks.length : found;
  tracks.splice(at, 0, { left: box.left, right: box.right });
  for (const piece of pieces) if (piece.column >= at) piece.column += 1;
  return at;
}

/** True if a row fills nearly all columns, or those that the row before fills. */
function isFull(row: TextRow<TableWord>, { tracks, rows }: GrowingRun<TableWord>): boolean {
  const own = columnsOf(row);
  const last = rows.at(-1);
  const before = last === undefined ? [] : [...columnsOf(last)];
  if (own.size < 2) return false;
  return own.size >= FULL_ROW_SHARE * tracks.length || (before.length > 1 && before.every((column) => own.has(column)));
}

/** True if a full row stands right below one: both begin a table's body, not what is below it, such as its sum. */
function isFollowed<W extends TableWord>(
  growth: GrowingRun<W>,
  { box, size }: TextRow<W>,
  next: PageRow<W> | undefined,
): boolean {
  if (next === undefined || next.box.top - box.bottom > MAX_ROW_GAP_EM * size) return false;
  const placed = placeRow(next, copyTracks(growth.tracks));
  return placed !== undefined && isFull(placed, growth);
}

/** True if the gap above a row ends the run. `placed`: the row in its columns. */
function isParted<W extends TableWord>(
  growth: GrowingRun<W>,
  placed: TextRow<W>,
  [before, next]: readonly [PageRow<W>, PageRow<W> | undefined],
  rules: Rules,
): boolean {
  const em = Math.max(placed.size, before.size);
  const gap = placed.box.top - before.box.bottom;
  const full = isFull(placed, growth);
  if (!growth.valued) return gap > MAX_FIRST_ROW_GAP_EM * em;
  const held = growth.headed === "drawn" || (growth.headed === "bold" && isFollowed(growth, placed, next));
  const usual = held ? MAX_HEADED_ROW_GAP_EM : MAX_ROW_GAP_EM;
  if (gap > Math.max((full ? MAX_FULL_ROW_GAP_EM : usual) * em, MAX_GAP_RATIO * growth.widest)) return true;
  return !full && !growth.lined && isRuledAcross(growth, before, placed, rules);
}

/** True if a rule along all columns stands between two rows. */
function isRuledAcross(
  { tracks }: GrowingRun<TableWord>,
  above: { box: Box; size: number },
  below: { box: Box },
  { horizontal }: Rules,
): boolean {
  const tolerance = 0.3 * above.size;
  const between = rulesBetween(horizontal, above.box.bottom - tolerance, below.box.top + tolerance);
  return coveredShare(between, tracks[0]?.left ?? 0, tracks.at(-1)?.right ?? 0) >= MIN_CLOSING_WIDTH_SHARE;
}

/** Places a row whose only line reaches over columns, between rows that fit: the title of the rows below. */
function placeTitle<W extends TableWord>(
  row: PageRow<W>,
  next: PageRow<W> | undefined,
  tracks: readonly ColumnTrack[],
): TextRow<W> | undefined {
  const [line] = row.lines;
  if (line === undefined || row.lines.length > 1 || line.words.length > MAX_TITLE_WORDS) return undefined;
  if (next === undefined || next.lines.length < 2) return undefined;
  const own = tracksUnder(tracks, line.box.left, line.box.right, row.size);
  if (own.length >= tracks.length || placeRow(next, copyTracks(tracks)) === undefined) return undefined;
  return { box: row.box, size: row.size, pieces: [{ column: own[0] ?? 0, span: own.length, line }] };
}

/** Renumbers columns of the rows before where new ones came between. */
function renumber(
  rows: readonly TextRow<TableWord>[],
  before: readonly ColumnTrack[],
  after: readonly ColumnTrack[],
): void {
  if (after.length === before.length) return;
  const moved = before.map((track) => after.findIndex((one) => one.left <= track.left && one.right >= track.right));
  for (const row of rows)
    for (const piece of row.pieces) {
      const last = moved[piece.column + piece.span - 1] ?? piece.column;
      piece.column = moved[piece.column] ?? piece.column;
      piece.span = last - piece.column + 1;
    }
}

/** Places a row whose lines reach over columns: values that were read as one line, or a title of the rows below. */
function placeMisfit<W extends TableWord>(
  { rows, tracks, valued }: GrowingRun<W>,
  row: PageRow<W>,
  next: PageRow<W> | undefined,
): TextRow<W> | undefined {
  const isSure = rows.length >= MIN_ROWS_OF_SURE_COLUMNS;
  const joined = isSure ? placeRow(joinSpaced(row, tracks), copyTracks(tracks)) : undefined;
  const values = valued && isSure ? placeValues(row, tracks) : undefined;
  return joined ?? values ?? (rows.length > 1 ? placeTitle(row, next, tracks) : undefined);
}

/** Adds a row to the run. @returns false where the run ends before it */
function extendRun<W extends TableWord>(
  growth: GrowingRun<W>,
  [before, row, next]: readonly [PageRow<W> | undefined, PageRow<W>, PageRow<W> | undefined],
  rules: Rules,
): boolean {
  // Headings below other text begin another table.
  if (before !== undefined && isSetOff(row, growth.head, rules) && !isSetOff(before, growth.head, rules)) return false;
  const tracks = copyTracks(growth.tracks);
  const fitted = placeRow(row, tracks);
  const placed = fitted ?? placeMisfit(growth, row, next);
  if (placed === undefined) return false;
  if (before !== undefined) {
    if (isParted(growth, placed, [before, next], rules)) return false;
    if (growth.valued) {
      growth.widest = Math.max(growth.widest, row.box.top - before.box.bottom);
      growth.lined ||= isRuledAcross(growth, before, row, rules);
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
 * The longest run of rows from `start` on whose lines lie in columns, none in two of them except titles between rows;
 * undefined where the first row has only one line. Lines of two columns that stand close together are cut.
 */
export function growRun<W extends TableWord>(
  rows: readonly PageRow<W>[],
  start: number,
  rules: Rules,
): AlignedRun<W> | undefined {
  const lines = rows[start]?.lines.length ?? 0;
  return lines < 2 ? undefined : continueRun(rows, { start, end: start, tracks: [], rows: [] }, rules);
}

/** Extends a run by the rows behind it that lie in its columns. */
export function continueRun<W extends TableWord>(
  rows: readonly PageRow<W>[],
  { start, end: from, tracks, rows: placed }: AlignedRun<W>,
  rules: Rules,
): AlignedRun<W> | undefined {
  const first = rows[start];
  if (first === undefined) return undefined;
  const signs = headingSigns(first, rules);
  const headed = signs.has("filled") || signs.has("ruled") ? "drawn" : signs.has("bold") ? "bold" : undefined;
  const head = shadeOfRow(first, rules);
  const growth: GrowingRun<W> = { tracks, rows: placed, widest: 0, valued: false, headed, lined: false, head };
  let end = from;
  for (; end < rows.length; end += 1) {
    const row = rows[end];
    const before = end > start ? rows[end - 1] : undefined;
    if (row === undefined || !extendRun(growth, [before, row, rows[end + 1]], rules)) break;
  }
  return { start, end, tracks: growth.tracks, rows: growth.rows };
}
