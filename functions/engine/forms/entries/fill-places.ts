/** Puts what was written into the places of a page, and finds places for what stands in none. */
import type { Box } from "../../../ports/layout.ts";
import { containsMiddle, middleY, unionBox } from "../../layout/geometry.ts";
import { isChoice } from "../detect/candidate.ts";
import type { JudgedCandidate } from "../detect/confidence.ts";
import { findLabel } from "../detect/labels.ts";
import type { PageSpace } from "../detect/page-space.ts";
import { placeToWrite } from "./place-to-write.ts";
import { roomOf } from "./printed-places.ts";
import type { WrittenText } from "./written-texts.ts";

/** Gap between words of one place at most, in ems. */
const MAX_WORD_GAP_EM = 1;

/** Joins single words that follow each other on a row; the words of a field are together already. */
function joinWords(texts: readonly WrittenText[], em: number): WrittenText[] {
  const runs: WrittenText[] = [];
  for (const text of texts) {
    const { field, words, at } = text;
    const run = runs.at(-1);
    const gap = run === undefined ? Infinity : at.left - run.at.right;
    const isOnRow = run !== undefined && Math.abs(middleY(run.at) - middleY(at)) < 0.5 * em;
    const isNext = isOnRow && gap > -em && gap < MAX_WORD_GAP_EM * em;
    if (run !== undefined && run.field === undefined && field === undefined && isNext) {
      run.words.push(...words);
      run.at = unionBox([run.at, at]);
    } else runs.push({ ...text, words: [...words] });
  }
  return runs;
}

/** Places of texts that were written where detection finds none. @param boxes of the other places */
function lonePlaces(
  texts: readonly WrittenText[],
  boxes: readonly Box[],
  space: PageSpace,
): [JudgedCandidate, Box[]][] {
  const runs = joinWords(texts, space.em);
  const all = [...boxes, ...runs.map(({ at }) => at)];
  return runs.map(({ words, at }) => {
    const candidate = placeToWrite(at, all, space);
    return [{ candidate, label: findLabel(candidate, space), signs: {}, confidence: 1 }, words];
  });
}

/**
 * The places of a page with the words in them, in inches as shown. A room that several fields stand in is none of their
 * places: each has one of its own.
 */
export function fillPlaces(
  places: readonly JudgedCandidate[],
  texts: readonly WrittenText[],
  space: PageSpace,
): Map<JudgedCandidate, Box[]> {
  const filled = new Map<JudgedCandidate, Box[]>();
  const taken = new Set<WrittenText>();
  for (const place of places) {
    const room = roomOf(place.candidate.box, space);
    const own = texts.filter((text) => !taken.has(text) && containsMiddle(room, text.first));
    if (!isChoice(place.candidate) && new Set(own.map(({ field }) => field)).size > 1) continue;
    for (const text of own) taken.add(text);
    filled.set(
      place,
      own.flatMap(({ words }) => words),
    );
  }
  const lone = texts.filter((text) => !taken.has(text));
  const boxes = [...filled.keys()].map(({ candidate }) => candidate.box);
  for (const [place, words] of lonePlaces(lone, boxes, space)) filled.set(place, words);
  return filled;
}
