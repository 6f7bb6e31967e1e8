/**
 * Places headings above rows that line up: they reach over several columns, or stand so close that they read as one
 * line.
 */

import { median, middleX } from "../../layout/geometry.ts";
import { type AlignedRun, cutAtColumns, tracksUnder } from "./column-tracks.ts";
import { areValue } from "./figure-cells.ts";
import { placeValues, placeWords } from "./place-words.ts";
import { coveredShare, type Rules, rulesBetween } from "./rule-positions.ts";
import { cutLine, type TableLine, type TableWord } from "./table-parts.ts";
import { type ColumnTrack, type PageRow, type RowPiece, type TextRow, valueColumnsOf } from "./text-rows.ts";

/** Gap between headings above each other. */
const MAX_HEADING_GAP_EM = 1.5;
const MAX_HEADING_ROWS = 4;
/** The same between two rules; the height of such a head, and the share of the columns that its rules cover. */
const MAX_RULED_HEAD_ROWS = 10;
const MAX_HEAD_HEIGHT_EM = 8;
const MIN_HEAD_RULE_SHARE = 0.8;
/** Columns of values that such a head is over; forms have lines, too. */
const MIN_VALUE_COLUMNS = 2;
/** Rows from which columns are sure. */
const MIN_ROWS_OF_SURE_COLUMNS = 4;
/** Space between words of one heading: 0.22 to 0.28 in usual types. */
const MAX_SPACE_EM = 0.3;
/** Gap between lines of one heading. */
const MAX_HEADING_LINE_GAP_EM = 0.3;
/**
 * Distance of an edge or the middle of a heading from those of its own column; and of its middle from that of several
 * columns.
 */
const SAME_COLUMN_EM = 0.5;
const SAME_MIDDLE_EM = 1;
/** Difference of gaps between rows that are the same. */
const SAME_GAP_EM = 0.15;

/** Cuts two headings that stand close where each then shares an edge with its column; at the widest such gap. */
function cutHeading<W extends TableWord>(
  line: TableLine<W>,
  tracks: readonly ColumnTrack[],
  own: readonly number[],
): RowPiece<W>[] | undefined {
  const [first = -1] = own;
  const [left, right] = [tracks[first], tracks[first + 1]];
  if (own.length !== 2 || left === undefined || right === undefined) return undefined;
  const shares = ({ box }: TableLine<W>, track: ColumnTrack): boolean =>
    Math.min(Math.abs(box.left - track.left), Math.abs(box.right - track.right)) < 0.6 * line.size;
  let best: { pieces: RowPiece<W>[]; space: number } | undefined;
  for (let at = 1; at < line.words.length; at += 1) {
    const [before, after] = [cutLine(line, line.words.slice(0, at)), cutLine(line, line.words.slice(at))];
    const space = after.box.left - before.box.right;
    const fits =
      shares(before, left) && shares(after, right) && before.box.right <= right.left && after.box.left >= left.right;
    if (!fits || (best !== undefined && best.space >= space)) continue;
    best = { pieces: [before, after].map((part, index) => ({ column: first + index, span: 1, line: part })), space };
  }
  return best?.pieces;
}

const isHeading = (row: TextRow<TableWord> | undefined): boolean =>
  row?.pieces.every(({ line }) => !areValue([line])) === true;

/** True for a text in the middle of its columns. */
const isCentred = (
  { column, span, line: { box, size } }: RowPiece<TableWord>,
  tracks: readonly ColumnTrack[],
): boolean => {
  const [left, right] = [tracks[column]?.left ?? 0, tracks[column + span - 1]?.right ?? 0];
  return Math.abs(left + right - box.left - box.right) < 2 * SAME_MIDDLE_EM * size;
};

/** True for words with only spaces between them that stand in the middle of several columns: they are one heading. */
function isOneHeading(
  pieces: readonly RowPiece<TableWord>[],
  line: TableLine,
  tracks: readonly ColumnTrack[],
): boolean {
  const [first, last] = [pieces[0]?.column ?? 0, pieces.at(-1)?.column ?? 0];
  return (
    isCentred({ column: first, span: last - first + 1, line }, tracks) &&
    pieces.every(
      ({ line: { box, size } }, at) => box.left - (pieces[at - 1]?.line.box.right ?? box.left) <= MAX_SPACE_EM * size,
    )
  );
}

/**
 * Places a row above a run as headings of its columns, some perhaps of several; undefined where it does not fit.
 * @param below the row beneath it, where that is known; of several columns with headings of their own one is the head
 */
export function placeHeading<W extends TableWord>(
  row: PageRow<W>,
  tracks: readonly ColumnTrack[],
  isTight: boolean,
  below?: TextRow<W>,
): TextRow<W> | undefined {
  const pieces: RowPiece<W>[] = [];
  for (const line of row.lines) {
    const own = tracksUnder(tracks, line.box.left, line.box.right, row.size);
    const [column] = own;
    if (column === undefined) return undefined;
    const cut = own.length > 1 ? (cutHeading(line, tracks, own) ?? cutAtColumns(line, tracks)) : undefined;
    const isWhole = cut === undefined || (isHeading(below) && isOneHeading(cut, line, tracks));
    for (const piece of isWhole ? [{ column, span: own.length, line }] : cut) {
      const last = pieces.at(-1);
      if (last !== undefined && piece.column < last.column + last.span) return undefined;
      pieces.push(piece);
    }
  }
  const [first] = pieces;
  // A title of the table stands alone, too, but at its left and further off.
  const alone = pieces.length === 1 && first !== undefined && first.span === 1 && first.column > 0 && isTight;
  return pieces.length > 1 || alone ? { box: row.box, size: row.size, pieces } : undefined;
}

/** True for a text alone over a column of values, as near to them as they are to each other, and set like them. */
function headsValues<W extends TableWord>(
  { lines }: PageRow<W>,
  { rows, tracks }: AlignedRun<W>,
  gap: number,
): boolean {
  const [line] = lines;
  if (line === undefined || lines.length > 1 || areValue([line])) return false;
  const [column, ...others] = tracksUnder(tracks, line.box.left, line.box.right, line.size);
  const track = tracks[column ?? -1];
  if (column === undefined || track === undefined || others.length > 0 || !valueColumnsOf(rows).has(column))
    return false;
  const gaps = rows.slice(1).map((row, index) => row.box.top - (rows[index]?.box.bottom ?? row.box.top));
  const edges = [
    line.box.left - track.left,
    line.box.right - track.right,
    middleX(line.box) - middleX({ ...line.box, ...track }),
  ];
  return (
    gap <= median(gaps) + SAME_GAP_EM * line.size && edges.some((edge) => Math.abs(edge) < SAME_COLUMN_EM * line.size)
  );
}

/** True if enough rows have formed the columns to cut other rows by them. */
const areColumnsSure = ({ rows }: Pick<AlignedRun<TableWord>, "rows">): boolean =>
  rows.length >= MIN_ROWS_OF_SURE_COLUMNS;

/**
 * Extends the run by rows before it that may head its columns, though their lines reach over several of them; `ruled`
 * where they stand between two rules.
 * @param above the rows before the run, top to bottom
 */
export function withHeadings<W extends TableWord>(
  run: AlignedRun<W>,
  above: readonly PageRow<W>[],
  rules: Rules,
): AlignedRun<W> & { ruled: boolean } {
  const added: TextRow<W>[] = [];
  const head = areColumnsSure(run) ? headTop(run, rules) : undefined;
  let top = run.rows[0]?.box.top ?? 0;
  for (const row of above.slice(-(head === undefined ? MAX_HEADING_ROWS : MAX_RULED_HEAD_ROWS)).reverse()) {
    const gap = (top - row.box.bottom) / row.size;
    const isRuled = head !== undefined && (row.box.top + row.box.bottom) / 2 > head;
    if (gap > MAX_HEADING_GAP_EM || (head !== undefined && !isRuled)) break;
    const isTight = isRuled || gap < MAX_HEADING_LINE_GAP_EM || headsValues(row, run, gap * row.size);
    const placed =
      placeHeading(row, run.tracks, isTight, added[0] ?? run.rows[0]) ??
      (areColumnsSure(run) ? placeWords(row, run.tracks, isRuled ? 0 : undefined) : undefined);
    if (placed === undefined) break;
    added.unshift(placed);
    top = row.box.top;
  }
  const rows = [...added, ...run.rows];
  return { ...run, start: run.start - added.length, rows, ruled: head !== undefined };
}

/** The upper one of two rules along the columns, the lower of which stands right above a run: its head is between. */
function headTop({ rows, tracks }: AlignedRun<TableWord>, { horizontal }: Rules): number | undefined {
  const [first] = rows;
  if (first === undefined || valueColumnsOf(rows).size < MIN_VALUE_COLUMNS) return undefined;
  const { box, size } = first;
  const [left, right] = [tracks[0]?.left ?? 0, tracks.at(-1)?.right ?? 0];
  const across = (from: number, to: number): number | undefined => {
    const between = rulesBetween(horizontal, from, to);
    return coveredShare(between, left, right) >= MIN_HEAD_RULE_SHARE ? between.at(-1)?.at : undefined;
  };
  const lower = across(box.top - MAX_HEADING_GAP_EM * size, box.top + 0.3 * size);
  return lower === undefined ? undefined : across(lower - MAX_HEAD_HEIGHT_EM * size, lower - size);
}

/** Extends the run by rows of values above it whose lines reach over columns, which the rows below tell. */
export function withValuesAbove<W extends TableWord>(run: AlignedRun<W>, above: readonly PageRow<W>[]): AlignedRun<W> {
  if (!areColumnsSure(run)) return run;
  const added: TextRow<W>[] = [];
  let next = run.rows[0];
  for (const row of [...above].reverse()) {
    const gap = ((next?.box.top ?? 0) - row.box.bottom) / row.size;
    const placed = gap > MAX_HEADING_GAP_EM ? undefined : placeValues(row, run.tracks);
    if (placed === undefined) break;
    added.unshift(placed);
    next = placed;
  }
  return { ...run, start: run.start - added.length, rows: [...added, ...run.rows] };
}

/** The columns around a heading's own whose middle is nearest to the heading's; none where it heads its own column. */
function bestSpan(
  { column, line }: RowPiece<TableWord>,
  below: TextRow<TableWord>,
  tracks: readonly ColumnTrack[],
  [from, to]: readonly [number, number],
): { column: number; span: number } | undefined {
  const { left, right } = line.box;
  const own = [
    tracks[column],
    ...below.pieces.filter((piece) => piece.column === column).map((piece) => piece.line.box),
  ];
  const near = own.flatMap((one) =>
    one === undefined ? [] : [left - one.left, right - one.right, (left + right - one.left - one.right) / 2],
  );
  if (near.some((distance) => Math.abs(distance) < SAME_COLUMN_EM * line.size)) return undefined;
  let best = { column, span: 1, distance: SAME_MIDDLE_EM * line.size };
  for (let first = from; first <= column; first += 1)
    for (let last = column; last <= to; last += 1) {
      const distance = Math.abs(((tracks[first]?.left ?? 0) + (tracks[last]?.right ?? 0) - left - right) / 2);
      if (last > first && distance < best.distance) best = { column: first, span: last - first + 1, distance };
    }
  return best.span > 1 ? best : undefined;
}

/** Spreads headings over the columns they stand in the middle of, where each of these has a heading below. */
export function spreadHeadings<W extends TableWord>(run: AlignedRun<W>, header: number): void {
  for (let at = 0; at < header - 1; at += 1) {
    const [row, below] = [run.rows[at], run.rows[at + 1]];
    if (row === undefined || below === undefined || below.pieces.length <= row.pieces.length) continue;
    row.pieces.forEach((piece, index) => {
      const [before, after] = [row.pieces[index - 1], row.pieces[index + 1]];
      const from = before === undefined ? 0 : before.column + before.span;
      const to = (after?.column ?? run.tracks.length) - 1;
      const best = piece.span > 1 ? undefined : bestSpan(piece, below, run.tracks, [from, to]);
      if (best !== undefined) Object.assign(piece, { column: best.column, span: best.span });
    });
  }
}
