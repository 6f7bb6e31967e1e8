/** Cuts blocks of lines into pieces: paragraphs, list items, captions, and rows whose type stands out. */

import { type BlockRow, emOfRow, endsEarly, firstText, isProse, lastText, rowText } from "./block-rows.ts";
import { beginsCaption, maybeCaption } from "./caption-labels.ts";
import type { ListMarker } from "./list-markers.ts";
import type { Typography } from "./typography.ts";

/** Rows that become one block. */
export interface BlockPiece {
  rows: BlockRow[];
  /** Marker of a list item. */
  mark?: ListMarker;
}

/** Indent of a first line; less is a ragged edge, more is another column. */
const MIN_INDENT_EM = 0.7;
const MAX_INDENT_EM = 5;
const SAME_EDGE_EM = 0.3;
/** Ratio of type sizes that parts two pieces. */
const SIZE_STEP_RATIO = 1.12;
const MAX_HEADING_ROWS = 3;
const SENTENCE_END = /[.!?:…]["”’»)\]]*\d{0,2}$/u;
const SENTENCE_START = /^["“„«‘([]?[\p{Lu}\p{N}]/u;

interface ColumnShape {
  left: number;
  right: number;
  /** True if most rows begin at `left`. */
  flush: boolean;
  /** True if most rows are full: running text. */
  full: boolean;
}

/** Measures where the rows of a block begin and end. */
function measureColumn(rows: readonly BlockRow[]): ColumnShape {
  const right = rows.reduce((most, row) => Math.max(most, row.box.right), -Infinity);
  const lefts = rows.map((row) => row.box.left).sort((a, b) => a - b);
  const em = emOfRow(rows[0] ?? { lines: [], box: { left: 0, top: 0, right: 0, bottom: 0 }, size: 10, bold: false });
  let left = lefts[0] ?? 0;
  let most = 0;
  // A window over the sorted edges finds where most rows begin.
  for (let from = 0, to = 0; from < lefts.length; from += 1) {
    while (to < lefts.length && (lefts[to] ?? 0) - (lefts[from] ?? 0) <= SAME_EDGE_EM * em) to += 1;
    if (to - from > most) [left, most] = [lefts[from] ?? 0, to - from];
  }
  let full = 0;
  for (let at = 0; at + 1 < rows.length; at += 1) {
    const [row, next] = [rows[at], rows[at + 1]];
    if (row !== undefined && next !== undefined && !endsEarly(row, next, right)) full += 1;
  }
  return { left, right, flush: 2 * most >= rows.length, full: 2 * full >= rows.length - 1 };
}

/**
 * True for a heading that runs into its text: bold words begin a row, after one that ends with a sentence in plain
 * type.
 */
function beginsBold(before: BlockRow, row: BlockRow): boolean {
  const words = row.lines[0]?.words ?? [];
  return words[0]?.bold === true && words[1]?.bold === true && before.lines.at(-1)?.words.at(-1)?.bold !== true;
}

/** True if row `at` begins a paragraph: by indent, by hanging out, by bold words, or after a row that ends early. */
function beginsParagraph(rows: readonly BlockRow[], at: number, column: ColumnShape): boolean {
  const [before, row, next] = [rows[at - 1], rows[at], rows[at + 1]];
  if (before === undefined || row === undefined) return false;
  const em = emOfRow(row);
  const indentOf = (one: BlockRow): number => (one.box.left - column.left) / em;
  const ended = SENTENCE_END.test(lastText(before));
  const early = endsEarly(before, row, column.right);
  if (column.flush && column.full) {
    const indent = indentOf(row);
    if (indent >= MIN_INDENT_EM && indent <= MAX_INDENT_EM) {
      if (indentOf(before) >= MIN_INDENT_EM) return ended && early;
      return next === undefined ? ended || early : indentOf(next) < SAME_EDGE_EM || ended;
    }
    const hangsOut = (one: BlockRow | undefined): boolean => one !== undefined && indentOf(one) <= -MIN_INDENT_EM;
    if (hangsOut(row) && hangsOut(rows[0]) && !hangsOut(before)) return true;
  }
  if (ended && column.full && beginsBold(before, row)) return true;
  return column.full && early && ended && SENTENCE_START.test(firstText(row));
}

/**
 * True if a row ends a list item: it stands further left than the item's text and begins a sentence after one that
 * ended.
 */
function endsItem(item: ListMarker, before: BlockRow, row: BlockRow, column: ColumnShape): boolean {
  const em = emOfRow(row);
  const outside = row.box.left <= item.left + SAME_EDGE_EM * em && item.textLeft - item.left > MIN_INDENT_EM * em;
  return outside && endsEarly(before, row, column.right) && SENTENCE_START.test(firstText(row));
}

const isSingle = (row: BlockRow): boolean => row.lines.length === 1;

function changesSize(before: BlockRow, row: BlockRow, { exact }: Typography): boolean {
  if (!exact || !isSingle(before) || !isSingle(row)) return false;
  return Math.max(before.size, row.size) > SIZE_STEP_RATIO * Math.min(before.size, row.size);
}

/** Runs of bold rows that end on purpose above running text that is not bold. */
function findBoldRuns(rows: readonly BlockRow[], column: ColumnShape): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from: number | undefined;
  for (const [at, row] of rows.entries()) {
    if (row.bold && isSingle(row)) {
      from ??= at;
      continue;
    }
    const last = rows[at - 1];
    if (from !== undefined && last !== undefined && at - from <= MAX_HEADING_ROWS) {
      const parts = isProse(row) && row.lines[0]?.words[0]?.bold !== true && endsEarly(last, row, column.right);
      if (parts) runs.push({ from, to: at });
    }
    from = undefined;
  }
  return runs;
}

/** Cuts the rows of one block. */
export function cutBlock(
  rows: readonly BlockRow[],
  items: ReadonlyMap<BlockRow, ListMarker>,
  typography: Typography,
): BlockPiece[] {
  const first = rows[0];
  if (first === undefined) return [];
  const column = measureColumn(rows);
  const tabular = rows.filter((row) => !isSingle(row) && !items.has(row)).length * 5 > rows.length;
  const bounds = new Set(tabular ? [] : findBoldRuns(rows, column).flatMap(({ from, to }) => [from, to]));
  const pieces: BlockPiece[] = [];
  let piece: BlockPiece | undefined;
  for (const [at, row] of rows.entries()) {
    const mark = items.get(row);
    const before = rows[at - 1];
    const begins =
      mark !== undefined ||
      before === undefined ||
      bounds.has(at) ||
      changesSize(before, row, typography) ||
      (isSingle(row) && maybeCaption(firstText(row)) && beginsCaption(rowText(row))) ||
      (piece?.mark === undefined
        ? !tabular && beginsParagraph(rows, at, column)
        : endsItem(piece.mark, before, row, column));
    if (begins || piece === undefined) {
      piece = mark === undefined ? { rows: [row] } : { rows: [row], mark };
      pieces.push(piece);
    } else {
      piece.rows.push(row);
    }
  }
  return pieces;
}
