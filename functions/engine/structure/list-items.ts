/** Which rows of a page begin list items. Numbers, letters and dashes need evidence: a text can begin with them too. */

import { emOf, isProse, type Row, rowText } from "./block-rows.ts";
import { type Mark, markOf } from "./list-markers.ts";
import type { Typography } from "./typography.ts";

/** Rows that an item may have before the next one of its list. */
const LONGEST_ITEM = 40;
/** Ems: marks of one list stand below each other, numbers also by their right edges (` 9.` and `10.`). */
const ALIGNED = 0.6;
/** Ems: how far continuation lines stand in from the mark, and how near to where the text begins. */
const HANGING = 0.7;
const HANGING_TEXT = 0.5;
/** Type larger than the body's by this is a heading's. */
const LARGER = 1.15;

interface Candidate {
  row: Row;
  /** Among the rows of the page. */
  at: number;
  mark: Mark;
}

const follows = (mark: Mark, next: Mark): boolean =>
  mark.counts.length === 0
    ? next.counts.length === 0
    : mark.counts.some((one) => next.counts.some((two) => one.as === two.as && two.value === one.value + 1));

function isAligned(a: Candidate, b: Candidate): boolean {
  const em = Math.max(emOf(a.row), emOf(b.row));
  return Math.abs(a.mark.left - b.mark.left) <= ALIGNED * em || Math.abs(a.mark.textLeft - b.mark.textLeft) <= 0.3 * em;
}

/** Continuation lines stand below the text, right of the mark. */
function hangs({ row, mark }: Candidate, next: Row | undefined): boolean {
  if (next === undefined) return false;
  const em = emOf(row);
  return next.box.left - mark.left >= HANGING * em && Math.abs(next.box.left - mark.textLeft) <= HANGING_TEXT * em;
}

/** A numbered heading: its type stands out, or it stands by itself above running text that begins at its own edge. */
function headsText(
  { row }: Candidate,
  next: Row | undefined,
  endsBlock: boolean,
  { body, exact }: Typography,
): boolean {
  if (next === undefined || row.lines.length > 2 || /[,;]$/.test(rowText(row))) return false;
  const standsOut = (row.bold && !next.bold) || (exact && row.size >= LARGER * body && next.size < row.size);
  const flush = next.box.left - row.box.left < HANGING * emOf(row);
  return standsOut ? isProse(next) || endsBlock : endsBlock && flush && isProse(next) && !/[.:]$/.test(rowText(row));
}

/** Finds the next candidate of the same list for each one. */
function inSequence(candidates: readonly Candidate[]): Set<Candidate> {
  const found = new Set<Candidate>();
  const open = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { style } = candidate.mark;
    const before = open.get(style) ?? [];
    const near = before.filter((one) => candidate.at - one.at <= LONGEST_ITEM);
    const partner = near.findLast((one) => follows(one.mark, candidate.mark) && isAligned(one, candidate));
    if (partner !== undefined) found.add(partner).add(candidate);
    open.set(style, [...near.slice(-8), candidate]);
  }
  return found;
}

/**
 * The rows of a page that begin list items.
 * @param blocks the rows of each block in reading order
 */
export function findItems(blocks: readonly (readonly Row[])[], typography: Typography): Map<Row, Mark> {
  const rows = blocks.flat();
  const ends = new Set(blocks.map((block) => block.at(-1)));
  const candidates: Candidate[] = [];
  for (const [at, row] of rows.entries()) {
    const mark = markOf(row);
    if (mark === undefined) continue;
    const candidate = { row, at, mark };
    const next = rows[at + 1];
    const heading = mark.counts.length > 0 && headsText(candidate, next, ends.has(row), typography);
    if (!heading || (next !== undefined && markOf(next)?.style === mark.style)) candidates.push(candidate);
  }
  const sequences = inSequence(candidates);
  const accepted = candidates.filter((candidate) => {
    const { mark, at, row } = candidate;
    if (mark.certain || sequences.has(candidate)) return true;
    return !ends.has(row) && hangs(candidate, rows[at + 1]);
  });
  return new Map(accepted.map(({ row, mark }) => [row, mark]));
}
