/** The places of a form that is only printed: found by detection, with the words that were written in them. */
import type { Box, FormEntry, Page } from "../../../ports/layout.ts";
import type { DrawnSquare } from "../../../ports/ocr.ts";
import { checkboxCharacter, isCheckboxCharacter } from "../../layout/checkbox-characters.ts";
import { containsMiddle, quantile } from "../../layout/geometry.ts";
import { pageWords } from "../../layout/page-words.ts";
import { boxInInches, boxInPoints } from "../../readers/pdf/points-to-inches.ts";
import { rotateBox } from "../../readers/pdf/text-directions.ts";
import { isChoice } from "../detect/candidate.ts";
import { groupChoices } from "../detect/choice-groups.ts";
import { inReadingOrder } from "../detect/choose-places.ts";
import type { JudgedCandidate } from "../detect/confidence.ts";
import type { FormPageContent } from "../detect/form-page.ts";
import { PageSpace } from "../detect/page-space.ts";
import { printAbout } from "./entry-print.ts";
import { fillPlaces } from "./fill-places.ts";
import { pageLabels } from "./page-labels.ts";
import { grown, placesOf } from "./printed-places.ts";
import { writtenTexts } from "./written-texts.ts";
import { writtenWords } from "./written-words.ts";

/** Share of ink within a place to tick, as shown in points: 0 to 1. */
export type TickReader = (box: Box) => number;

/** Ink in a ticked place more than in most places of its page, which are empty; boxes with a shadow have some anyway. */
const MIN_TICK_SHARE = 0.08;
/** Share of a page's places to tick that have the least ink, by which the ink of an empty one is known. */
const EMPTY_SHARE = 0.3;

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
  const found = placesOf(space, written, leastOpen);
  if (found.length < leastOpen) return [];
  const filled = fillPlaces(inReadingOrder(found), writtenTexts(page, written, content.angle), space);
  const places = inReadingOrder([...filled.keys()]);
  const labels = pageLabels(places, space);
  const boxes = places.map(({ candidate }) => candidate.box);
  const groups = groupChoices(places, space, true);
  const questions = new Map(
    groups.flatMap(({ members, question }, group) =>
      members.map((place) => [place, { text: question, group }] as const),
    ),
  );
  const isTicked = tickTest(places, inkIn, content.angle);
  const sure = certainty < 1 ? { certainty: Number(certainty.toFixed(2)) } : {};
  return places.map((place): FormEntry => {
    const { candidate } = place;
    const words = filled.get(place) ?? [];
    const question = questions.get(place);
    const common = {
      box: boxInInches(rotateBox(candidate.box, content.angle)),
      ...printAbout(candidate, boxes, space, question?.text, labels.get(place)),
      words,
      ...(words.length === 0 ? {} : sure),
    };
    if (!isChoice(candidate))
      return { kind: "text", ...common, ...(candidate.comb === undefined ? {} : { comb: true }) };
    const ticked = words.length > 0 || isTicked(candidate.box);
    return { kind: "tick", ...common, ticked, ...(question === undefined ? {} : { group: question.group }) };
  });
}

/** Tells which places to tick have more ink than the page's empty ones. @param angle of the page's text */
function tickTest(places: readonly JudgedCandidate[], inkIn: TickReader, angle: number): (box: Box) => boolean {
  const ticks = places.filter(({ candidate }) => isChoice(candidate));
  const inks = new Map(ticks.map(({ candidate: { box } }) => [box, inkIn(rotateBox(box, angle))] as const));
  const emptyInk = inks.size === 0 ? 0 : quantile(inks.values(), EMPTY_SHARE);
  return (box) => (inks.get(box) ?? 0) - emptyInk >= MIN_TICK_SHARE;
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
