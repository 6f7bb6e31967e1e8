/** Blocks of lines cut into pieces: paragraphs, list items, captions, and rows whose type stands out. */

import { emOf, endsEarly, firstText, isProse, lastText, type Row, rowText } from "./block-rows.ts";
import { beginsCaption, maybeCaption } from "./caption-labels.ts";
import type { Mark } from "./list-markers.ts";
import type { Typography } from "./typography.ts";

/** What becomes one block. */
export interface Piece {
  rows: Row[];
  /** Of a list item. */
  mark?: Mark;
}

/** All in ems. A first line's indent; what is less is a ragged edge, what is more another column. */
const LEAST_INDENT = 0.7;
const MOST_INDENT = 5;
const AT_EDGE = 0.3;
/** Type sizes that differ by this share part two pieces. */
const SIZE_STEP = 1.12;
const MOST_HEADING_ROWS = 3;
const SENTENCE_END = /[.!?:…]["”’»)\]]*\d{0,2}$/u;
const SENTENCE_START = /^["“„«‘([]?[\p{Lu}\p{N}]/u;

interface Column {
  left: number;
  right: number;
  /** Most rows begin at `left`. */
  flush: boolean;
  /** Most rows are full: running text. */
  full: boolean;
}

/** Where the rows of a block begin and end. */
function measureColumn(rows: readonly Row[]): Column {
  const right = rows.reduce((most, row) => Math.max(most, row.box.right), -Infinity);
  const lefts = rows.map((row) => row.box.left).sort((a, b) => a - b);
  const em = emOf(rows[0] ?? { lines: [], box: { left: 0, top: 0, right: 0, bottom: 0 }, size: 10, bold: false });
  let left = lefts[0] ?? 0;
  let most = 0;
  // A window over the sorted edges: where the most rows begin.
  for (let from = 0, to = 0; from < lefts.length; from += 1) {
    while (to < lefts.length && (lefts[to] ?? 0) - (lefts[from] ?? 0) <= AT_EDGE * em) to += 1;
    if (to - from > most) [left, most] = [lefts[from] ?? 0, to - from];
  }
  let full = 0;
  for (let at = 0; at + 1 < rows.length; at += 1) {
    const [row, next] = [rows[at], rows[at + 1]];
    if (row !== undefined && next !== undefined && !endsEarly(row, next, right)) full += 1;
  }
  return { left, right, flush: 2 * most >= rows.length, full: 2 * full >= rows.length - 1 };
}

/** A heading that runs into its text: bold words begin a row, after one that ends with a sentence in plain type. */
function beginsBold(before: Row, row: Row): boolean {
  const words = row.lines[0]?.words ?? [];
  return words[0]?.bold === true && words[1]?.bold === true && before.lines.at(-1)?.words.at(-1)?.bold !== true;
}

/** Whether row `at` begins a paragraph: by indent, by hanging out, by bold words, or after a row that ends early. */
function beginsParagraph(rows: readonly Row[], at: number, column: Column): boolean {
  const [before, row, next] = [rows[at - 1], rows[at], rows[at + 1]];
  if (before === undefined || row === undefined) return false;
  const em = emOf(row);
  const indentOf = (one: Row): number => (one.box.left - column.left) / em;
  const ended = SENTENCE_END.test(lastText(before));
  const early = endsEarly(before, row, column.right);
  if (column.flush && column.full) {
    const indent = indentOf(row);
    if (indent >= LEAST_INDENT && indent <= MOST_INDENT) {
      if (indentOf(before) >= LEAST_INDENT) return ended && early;
      return next === undefined ? ended || early : indentOf(next) < AT_EDGE || ended;
    }
    const hangsOut = (one: Row | undefined): boolean => one !== undefined && indentOf(one) <= -LEAST_INDENT;
    if (hangsOut(row) && hangsOut(rows[0]) && !hangsOut(before)) return true;
  }
  if (ended && column.full && beginsBold(before, row)) return true;
  return column.full && early && ended && SENTENCE_START.test(firstText(row));
}

/** An item goes on until a row further left than its mark begins a sentence after one that ended. */
function endsItem(item: Mark, before: Row, row: Row, column: Column): boolean {
  const em = emOf(row);
  const outside = row.box.left <= item.left + AT_EDGE * em && item.textLeft - item.left > LEAST_INDENT * em;
  return outside && endsEarly(before, row, column.right) && SENTENCE_START.test(firstText(row));
}

const isSingle = (row: Row): boolean => row.lines.length === 1;

function changesSize(before: Row, row: Row, { exact }: Typography): boolean {
  if (!exact || !isSingle(before) || !isSingle(row)) return false;
  return Math.max(before.size, row.size) > SIZE_STEP * Math.min(before.size, row.size);
}

/** Rows in bold that end on purpose above running text that is not: from which row to which they stand. */
function findBoldRuns(rows: readonly Row[], column: Column): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from: number | undefined;
  for (const [at, row] of rows.entries()) {
    if (row.bold && isSingle(row)) {
      from ??= at;
      continue;
    }
    const last = rows[at - 1];
    if (from !== undefined && last !== undefined && at - from <= MOST_HEADING_ROWS) {
      const parts = isProse(row) && row.lines[0]?.words[0]?.bold !== true && endsEarly(last, row, column.right);
      if (parts) runs.push({ from, to: at });
    }
    from = undefined;
  }
  return runs;
}

/** Cuts the rows of one block. */
export function cutBlock(rows: readonly Row[], items: ReadonlyMap<Row, Mark>, typography: Typography): Piece[] {
  const first = rows[0];
  if (first === undefined) return [];
  const column = measureColumn(rows);
  const tabular = rows.filter((row) => !isSingle(row) && !items.has(row)).length * 5 > rows.length;
  const bounds = new Set(tabular ? [] : findBoldRuns(rows, column).flatMap(({ from, to }) => [from, to]));
  const pieces: Piece[] = [];
  let piece: Piece | undefined;
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
