/** All possible places to write on a page. */
import type { Candidate } from "./candidate.ts";
import { findCellRooms } from "./find-cells.ts";
import { findChoices } from "./find-choices.ts";
import { findLineRooms } from "./find-lines.ts";
import type { PageSpace } from "./page-space.ts";

/** Candidates of a page at most; a page with more is a pattern or a plan, and judging compares each with each. */
const MAX_CANDIDATES = 3_000;

/** Candidates of a page, in no order; some overlap. */
export function findCandidates(space: PageSpace): Candidate[] {
  const choices = findChoices(space);
  const boxes = choices.map(({ box }) => box);
  const { cells } = space;
  return [...choices, ...findCellRooms(cells, boxes, space), ...findLineRooms(cells, boxes, space)].slice(
    0,
    MAX_CANDIDATES,
  );
}
