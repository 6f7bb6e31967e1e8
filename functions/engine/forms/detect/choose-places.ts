/** Keeps the likeliest of candidates that claim the same place, in reading order. */
import { area, intersects, middleY, overlapArea, overlapShare } from "../../layout/geometry.ts";
import { isChoice } from "./candidate.ts";
import type { JudgedCandidate } from "./confidence.ts";

/** Share of the smaller of two places that they have in common to be rivals. */
const MAX_SHARED = 0.25;
/** Share of a room to write in that checkboxes may stand in; more, and it is the space between them. */
const MAX_CHOICE_SHARE = 0.02;

/** Confidence from which a drawn checkbox goes before any room that overlaps it. */
const SURE_CHOICE = 0.5;

const isRival = (one: JudgedCandidate, other: JudgedCandidate): boolean => {
  const [a, b] = [one.candidate.box, other.candidate.box];
  if (!intersects(a, b)) return false;
  const share = isChoice(one.candidate) === isChoice(other.candidate) ? MAX_SHARED : MAX_CHOICE_SHARE;
  return overlapShare(a, b) > share || overlapArea(a, b) > share * Math.max(area(a), area(b));
};

/** Drops candidates that a likelier one overlaps. @param least confidence below which none is kept */
export function choosePlaces(judged: readonly JudgedCandidate[], least: number): JudgedCandidate[] {
  const kept: JudgedCandidate[] = [];
  const drawnFirst = (one: JudgedCandidate): number =>
    isChoice(one.candidate) && one.confidence >= SURE_CHOICE ? 1 : 0;
  for (const one of [...judged].sort((a, b) => drawnFirst(b) - drawnFirst(a) || b.confidence - a.confidence)) {
    if (one.confidence < least) continue;
    if (!kept.some((other) => isRival(one, other))) kept.push(one);
  }
  return kept;
}

/** Share of the lower of two places by which they overlap in height to be on one row. */
const SAME_ROW_SHARE = 0.5;

/** Orders places by rows, each from left to right. */
export function inReadingOrder(places: readonly JudgedCandidate[]): JudgedCandidate[] {
  const rows: JudgedCandidate[][] = [];
  for (const place of [...places].sort((a, b) => middleY(a.candidate.box) - middleY(b.candidate.box))) {
    const { top, bottom } = place.candidate.box;
    const row = rows.at(-1);
    const first = row?.[0]?.candidate.box;
    const shared = first === undefined ? 0 : Math.min(bottom, first.bottom) - Math.max(top, first.top);
    const lower = first === undefined ? 1 : Math.min(bottom - top, first.bottom - first.top);
    if (row !== undefined && shared >= SAME_ROW_SHARE * lower) row.push(place);
    else rows.push([place]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.candidate.box.left - b.candidate.box.left));
}
