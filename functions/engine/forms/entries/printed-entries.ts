/** The places of a form that is only printed: found by detection, with the words that were written in them. */
import type { Box, FormEntry, Page } from "../../../ports/layout.ts";
import type { DrawnSquare } from "../../../ports/ocr.ts";
import { checkboxCharacter, isCheckboxCharacter } from "../../layout/checkbox-characters.ts";
import { containsMiddle, middleY, quantile, unionBox } from "../../layout/geometry.ts";
import { pageWords } from "../../layout/page-words.ts";
import { boxInInches, boxInPoints } from "../../readers/pdf/points-to-inches.ts";
import { rotateBox } from "../../readers/pdf/text-directions.ts";
import { type Candidate, isChoice } from "../detect/candidate.ts";
import { groupChoices } from "../detect/choice-groups.ts";
import { choosePlaces, inReadingOrder } from "../detect/choose-places.ts";
import type { JudgedCandidate } from "../detect/confidence.ts";
import { findCandidates } from "../detect/find-candidates.ts";
import type { FormPageContent, FormWord } from "../detect/form-page.ts";
import { judgeCandidates } from "../detect/judge-page.ts";
import { PageSpace } from "../detect/page-space.ts";
import { printAbout } from "./entry-print.ts";
import { placeToWrite } from "./place-to-write.ts";
import { writtenWords } from "./written-words.ts";

/** Confidence from which a place is read: as detection suggests them to people. */
const MIN_CONFIDENCE = 0.35;
/** Places of a page at most. */
const MAX_PLACES = 400;
/** Share of a page's possible places in cells with a number and no word up to which it may be a form: most are named. */
const MAX_NUMBER_SHARE = 0.6;
/** Room around a place that belongs to it, in ems: letters reach below a line, and over the top of a box. */
const MARGIN_EM = 0.35;

/** Share of ink within a place to tick, as shown in points: 0 to 1. */
export type TickReader = (box: Box) => number;

/** Ink in a ticked place more than in most places of its page, which are empty; boxes with a shadow have some anyway. */
const MIN_TICK_SHARE = 0.08;
/** Share of a page's places to tick that have the least ink, by which the ink of an empty one is known. */
const EMPTY_SHARE = 0.3;

/** A word of the characters that lines to write on consist of. */
const LINE_WORD = /^[._…·‧]{2,}$/u;

/** The words of the page that are among the written ones, with their middles as shown in points. */
function writtenOnPage(page: Page, written: readonly FormWord[], angle: number): { box: Box; shown: Box }[] {
  const boxes = written.map(({ box }) => rotateBox(box, angle));
  return pageWords(page).flatMap(({ text, box: inches }) => {
    if (LINE_WORD.test(text)) return [];
    const shown = boxInPoints(inches);
    return boxes.some((box) => containsMiddle(box, shown)) ? [{ box: inches, shown }] : [];
  });
}

const grown = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

const isNumber = ({ text }: { text: string }): boolean => /\d/.test(text) && !/\p{L}/u.test(text);

/** True for a page whose cells hold numbers, printed or written: a form's have words that name them, or nothing. */
function isTable(all: readonly Candidate[], space: PageSpace, written: readonly FormWord[]): boolean {
  const figures = written.filter(isNumber);
  const numbers = all.filter(
    ({ shape, around }) =>
      shape === "cell" &&
      (space.runsIn(around).some(isNumber) || figures.some(({ box }) => containsMiddle(around, box))),
  );
  const named = numbers.filter(({ around }) => space.runsIn(around).some(({ text }) => /\p{L}/u.test(text)));
  return numbers.length - named.length > MAX_NUMBER_SHARE * all.length;
}

/**
 * The places of a page, without what is written on it; none where fewer than asked for are likely and open. The cells of
 * a table are filled: it is known for one before its many cells are judged.
 */
function placesOf(space: PageSpace, written: readonly FormWord[], leastOpen: number): JudgedCandidate[] {
  const all = findCandidates(space);
  if (leastOpen > 0 && isTable(all, space, written)) return [];
  const margin = MARGIN_EM * space.em;
  const isOpen = (one: Candidate): boolean =>
    isChoice(one) || !written.some(({ box }) => containsMiddle(grown(one.box, margin), box));
  const [open, filled] = [all.filter(isOpen), all.filter((one) => !isOpen(one))];
  const likely = judgeCandidates(open, all, space).filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
  if (likely.length < leastOpen) return [];
  const surest = choosePlaces([...likely, ...judgeCandidates(filled, all, space)], MIN_CONFIDENCE)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, MAX_PLACES);
  return inReadingOrder(surest);
}

/**
 * Finds the places of a page and the words written in them.
 * @param page with the words in their final boxes, as shown
 * @param minOpen likely places without words, or to tick, below which the page is taken to have no places at all, unless the file
 * tells what was written
 */
export function printedEntries(content: FormPageContent, page: Page, inkIn: TickReader, minOpen = 0): FormEntry[] {
  const { words: written, certainty } = writtenWords(content);
  const leastOpen = certainty === 1 && written.length > 0 ? 0 : minOpen;
  const over = new Set(written);
  const space = new PageSpace({ ...content, words: content.words.filter((word) => !over.has(word)) });
  const places = placesOf(space, written, leastOpen);
  if (places.length < leastOpen) return [];
  const boxes = places.map(({ candidate }) => candidate.box);
  const groups = groupChoices(places, space, true);
  const questions = new Map(
    groups.flatMap(({ members, question }, group) =>
      members.map((place) => [place, { text: question, group }] as const),
    ),
  );
  const words = writtenOnPage(page, written, content.angle).map(({ box, shown }) => ({
    box,
    at: rotateBox(shown, -content.angle),
  }));
  const margin = MARGIN_EM * space.em;
  const inks = new Map(
    places
      .filter(({ candidate }) => isChoice(candidate))
      .map(({ candidate: { box } }) => [box, inkIn(rotateBox(box, content.angle))] as const),
  );
  const emptyInk = inks.size === 0 ? 0 : quantile(inks.values(), EMPTY_SHARE);
  const taken = new Set<Box>();
  const wordsAt = (box: Box): Box[] => {
    const own = words.filter((word) => !taken.has(word.box) && containsMiddle(grown(box, margin), word.at));
    for (const word of own) taken.add(word.box);
    return own.map((word) => word.box);
  };
  const entries = places.map((place): FormEntry => {
    const { candidate } = place;
    const question = questions.get(place);
    const about = printAbout(candidate, boxes, space, question?.text, place.label);
    const box = boxInInches(rotateBox(candidate.box, content.angle));
    if (!isChoice(candidate)) {
      const comb = candidate.comb === undefined ? {} : { comb: true as const };
      return { kind: "text", box, ...about, words: wordsAt(candidate.box), ...comb };
    }
    const own = wordsAt(candidate.box);
    return {
      kind: "tick",
      box,
      ...about,
      words: own,
      ticked: own.length > 0 || (inks.get(candidate.box) ?? 0) - emptyInk >= MIN_TICK_SHARE,
      ...(question === undefined ? {} : { group: question.group }),
    };
  });
  const lone = loneEntries(
    words.filter(({ box }) => !taken.has(box)),
    boxes,
    space,
  );
  const sure = certainty < 1 ? { certainty: Number(certainty.toFixed(2)) } : {};
  return [...entries, ...lone].map((entry) => (entry.words.length === 0 ? entry : { ...entry, ...sure }));
}

/** Gap between words of one entry at most, in ems. */
const MAX_WORD_GAP_EM = 1;

/** Places of words that were written where detection finds none. */
function loneEntries(words: readonly { box: Box; at: Box }[], boxes: readonly Box[], space: PageSpace): FormEntry[] {
  const runs: { words: Box[]; at: Box }[] = [];
  for (const { box, at } of words) {
    const run = runs.at(-1);
    const gap = run === undefined ? Infinity : at.left - run.at.right;
    const isOnRow = run !== undefined && Math.abs(middleY(run.at) - middleY(at)) < 0.5 * space.em;
    if (run !== undefined && isOnRow && gap > -space.em && gap < MAX_WORD_GAP_EM * space.em) {
      run.words.push(box);
      run.at = unionBox([run.at, at]);
    } else runs.push({ words: [box], at });
  }
  const all = [...boxes, ...runs.map(({ at }) => at)];
  return runs.map(({ words: own, at }) => {
    const about = printAbout(placeToWrite(at, all, space), all, space, undefined);
    return { kind: "text", box: boxInInches(rotateBox(at, space.content.angle)), ...about, words: own };
  });
}

/** The state of boxes that recognition read as words, and the ink in those that are only drawn. */
export function recognisedTicks(page: Page, squares: readonly DrawnSquare[]): TickReader {
  const marks = pageWords(page)
    .filter(({ text }) => isCheckboxCharacter(text))
    .map(({ text, box }) => ({ ticked: text === checkboxCharacter(true), box: boxInPoints(box) }));
  const drawn = squares.map(({ box, ink }) => ({ ink, box: boxInPoints(box) }));
  const numbers = pageWords(page).flatMap(({ text, box }) => (/^\d+$/u.test(text) ? [boxInPoints(box)] : []));
  return (box) => {
    const at = grown(box, 1);
    if (marks.some((mark) => mark.ticked && containsMiddle(at, mark.box))) return 1;
    if (numbers.some((one) => containsMiddle(at, one))) return 0;
    return drawn.find((square) => containsMiddle(at, square.box))?.ink ?? 0;
  };
}
