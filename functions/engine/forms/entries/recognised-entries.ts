/** The places of a form on a page that was recognised in a picture, from its words and the rules around them. */
import type { Box, FormEntry, Page } from "../../../ports/layout.ts";
import type { OcrDrawing } from "../../../ports/ocr.ts";
import { isCheckboxCharacter } from "../../layout/checkbox-characters.ts";
import { deskewBoxes, deskewPage } from "../../layout/deskew.ts";
import { pageWords } from "../../layout/page-words.ts";
import { boxInPoints, POINTS_PER_INCH } from "../../readers/pdf/points-to-inches.ts";
import { type FormPageContent, type FormWord, pageEm } from "../detect/form-page.ts";
import { rulesOf, wordsOf } from "../detect/picture-page-content.ts";
import { completeLeaders, joinBrokenRules } from "./lines-under-words.ts";
import { printedEntries, recognisedTicks } from "./printed-entries.ts";

/** Rules, boxes and leaders from which a page may have places to write. */
const MIN_DRAWN = 6;

/** The page's words but the checkboxes, which are places. */
function printOf(page: Page, drawn: readonly Box[]): { words: FormWord[]; squares: Box[] } {
  const read = pageWords(page)
    .filter(({ text }) => isCheckboxCharacter(text))
    .map(({ box }) => boxInPoints(box));
  const squares = [...read, ...drawn];
  return { words: wordsOf(page, { frames: squares }, (box) => box), squares };
}

/** @param upright the page, turned upright @param drawn on it, inches */
function contentOf(upright: Page, { rules, bars, squares: frames = [], leaders = [] }: OcrDrawing): FormPageContent {
  const { words, squares } = printOf(
    upright,
    frames.map(({ box }) => boxInPoints(box)),
  );
  const { horizontal, vertical } = rulesOf(rules.map(boxInPoints));
  const pieces = leaders.map(boxInPoints).map(({ left, right, bottom }) => ({ at: bottom, from: left, to: right }));
  const [width, height] = [upright.width * POINTS_PER_INCH, upright.height * POINTS_PER_INCH];
  return {
    pageNumber: upright.number,
    width,
    height,
    angle: 0,
    frame: { left: 0, top: 0, right: width, bottom: height },
    words,
    horizontal: joinBrokenRules(horizontal),
    vertical,
    fills: bars.map((box) => ({ box: boxInPoints(box), shade: 0 })),
    blanks: [],
    frames: [],
    rounds: [],
    squares,
    marks: [],
    underscores: [],
    leaders: completeLeaders(pieces, words, pageEm({ words })),
    widgets: [],
    isPicture: true,
  };
}

/** The drawing of a page, upright. */
function deskewDrawing(page: Page, { rules, bars, squares = [], leaders = [] }: OcrDrawing): Required<OcrDrawing> {
  const boxes = deskewBoxes(
    page,
    squares.map(({ box }) => box),
  );
  return {
    rules: deskewBoxes(page, rules),
    bars: deskewBoxes(page, bars),
    squares: squares.map(({ box, ink }, index) => ({ box: boxes[index] ?? box, ink })),
    leaders: deskewBoxes(page, leaders),
  };
}

/** The content of a recognised page, upright. @param drawn as shown */
export const recognisedContent = (page: Page, drawn: OcrDrawing): FormPageContent =>
  contentOf(deskewPage(page), deskewDrawing(page, drawn));

/**
 * Finds the places of a recognised page with the words written in them.
 * @param drawn as shown
 */
export function recognisedEntries(page: Page, drawn: OcrDrawing): FormEntry[] {
  const upright = deskewPage(page);
  const own = deskewDrawing(page, drawn);
  const content = contentOf(upright, own);
  const { horizontal, vertical, squares, leaders } = content;
  if (horizontal.length + vertical.length + squares.length + leaders.length < MIN_DRAWN) return [];
  const shown = pageWords(page);
  const shownBox = new Map(pageWords(upright).map((word, index) => [word.box, shown[index]?.box ?? word.box]));
  return printedEntries(content, upright, recognisedTicks(upright, own.squares)).map((entry) => ({
    ...entry,
    words: entry.words.map((box) => shownBox.get(box) ?? box),
  }));
}
