/** All possible places to write on a page. */
import type { Candidate } from "./candidate.ts";
import { findCellRooms, pageCells } from "./find-cells.ts";
import { findChoices } from "./find-choices.ts";
import { findLineRooms } from "./find-lines.ts";
import type { PageSpace } from "./page-space.ts";

/** Candidates of a page, in no order; some overlap. */
export function findCandidates(space: PageSpace): Candidate[] {
  const choices = findChoices(space);
  const boxes = choices.map(({ box }) => box);
  const cells = pageCells(space);
  return [...choices, ...findCellRooms(cells, boxes, space), ...findLineRooms(cells, boxes, space)];
}
