/**
 * Finds the rows of a page that begin list items. Numbers, letters and dashes need evidence: a text can begin with them
 * too.
 */

import { type BlockRow, emOfRow, isProse, rowText } from "./block-rows.ts";
import { type ListMarker, markerOfRow } from "./list-markers.ts";
import type { Typography } from "./typography.ts";

/** Rows of an item before the next one of its list. */
const MAX_ITEM_ROWS = 40;
/**
 * Distance of the left edges of markers of one list, and of their texts: numbers align by their right edges too (` 9.`
 * and `10.`).
 */
const ALIGNED_MARKERS_EM = 0.6;
/** Indent of continuation lines from the marker, and their distance from where the text begins. */
const MIN_HANGING_INDENT_EM = 0.7;
const MAX_TEXT_OFFSET_EM = 0.5;
/** Ratio of a heading's type to the body's. */
const MIN_HEADING_SIZE_RATIO = 1.15;

interface ItemCandidate {
  row: BlockRow;
  /** Index among the rows of the page. */
  at: number;
  mark: ListMarker;
}

const follows = (mark: ListMarker, next: ListMarker): boolean =>
  mark.counts.length === 0
    ? next.counts.length === 0
    : mark.counts.some((one) => next.counts.some((two) => one.as === two.as && two.value === one.value + 1));

function isAligned(a: ItemCandidate, b: ItemCandidate): boolean {
  const em = Math.max(emOfRow(a.row), emOfRow(b.row));
  return (
    Math.abs(a.mark.left - b.mark.left) <= ALIGNED_MARKERS_EM * em ||
    Math.abs(a.mark.textLeft - b.mark.textLeft) <= 0.3 * em
  );
}

/** True if the next row is a continuation line: below the text, right of the marker. */
function hangs({ row, mark }: ItemCandidate, next: BlockRow | undefined): boolean {
  if (next === undefined) return false;
  const em = emOfRow(row);
  return (
    next.box.left - mark.left >= MIN_HANGING_INDENT_EM * em &&
    Math.abs(next.box.left - mark.textLeft) <= MAX_TEXT_OFFSET_EM * em
  );
}

/**
 * True for a numbered heading: its type stands out, or it stands by itself above running text that begins at its own
 * edge.
 */
function headsText(
  { row }: ItemCandidate,
  next: BlockRow | undefined,
  endsBlock: boolean,
  { body, exact }: Typography,
): boolean {
  if (next === undefined || row.lines.length > 2 || /[,;]$/.test(rowText(row))) return false;
  const standsOut =
    (row.bold && !next.bold) || (exact && row.size >= MIN_HEADING_SIZE_RATIO * body && next.size < row.size);
  const flush = next.box.left - row.box.left < MIN_HANGING_INDENT_EM * emOfRow(row);
  return standsOut ? isProse(next) || endsBlock : endsBlock && flush && isProse(next) && !/[.:]$/.test(rowText(row));
}

/** Candidates that have a next or previous one in the same list. */
function sequencedCandidates(candidates: readonly ItemCandidate[]): Set<ItemCandidate> {
  const found = new Set<ItemCandidate>();
  const open = new Map<string, ItemCandidate[]>();
  for (const candidate of candidates) {
    const { style } = candidate.mark;
    const before = open.get(style) ?? [];
    const near = before.filter((one) => candidate.at - one.at <= MAX_ITEM_ROWS);
    const partner = near.findLast((one) => follows(one.mark, candidate.mark) && isAligned(one, candidate));
    if (partner !== undefined) found.add(partner).add(candidate);
    open.set(style, [...near.slice(-8), candidate]);
  }
  return found;
}

/** Finds the rows of a page that begin list items. @param blocks the rows of each block in reading order */
export function findItems(blocks: readonly (readonly BlockRow[])[], typography: Typography): Map<BlockRow, ListMarker> {
  const rows = blocks.flat();
  const ends = new Set(blocks.map((block) => block.at(-1)));
  const candidates: ItemCandidate[] = [];
  for (const [at, row] of rows.entries()) {
    const mark = markerOfRow(row);
    if (mark === undefined) continue;
    const candidate = { row, at, mark };
    const next = rows[at + 1];
    const heading = mark.counts.length > 0 && headsText(candidate, next, ends.has(row), typography);
    if (!heading || (next !== undefined && markerOfRow(next)?.style === mark.style)) candidates.push(candidate);
  }
  const sequences = sequencedCandidates(candidates);
  const accepted = candidates.filter((candidate) => {
    const { mark, at, row } = candidate;
    if (mark.certain || sequences.has(candidate)) return true;
    return !ends.has(row) && hangs(candidate, rows[at + 1]);
  });
  return new Map(accepted.map(({ row, mark }) => [row, mark]));
}
