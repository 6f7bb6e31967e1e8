/** The texts that were written into a page: the words of one field, where the file tells them together, or single words. */
import type { Box, Page } from "../../../ports/layout.ts";
import { containsMiddle, unionBox } from "../../layout/geometry.ts";
import { pageWords } from "../../layout/page-words.ts";
import { boxInPoints } from "../../readers/pdf/points-to-inches.ts";
import { rotateBox } from "../../readers/pdf/text-directions.ts";
import type { FormWord } from "../detect/form-page.ts";

export interface WrittenText {
  /** Boxes of its words on the page, inches as shown. */
  words: Box[];
  /** Its place, and that of its first word: points in the frame of the page's text. */
  at: Box;
  first: Box;
  /** Number of the field; undefined for a word that is told from print by its look. */
  field: number | undefined;
}

/** A word of the characters that lines to write on consist of. */
const LINE_WORD = /^[._…·‧]{2,}$/u;

/** The texts of the page that are among the written words, in their order on the page. @param angle of the page's text */
export function writtenTexts(page: Page, written: readonly FormWord[], angle: number): WrittenText[] {
  const shown = written.map(({ box, overlaid }) => ({ box: rotateBox(box, angle), overlaid }));
  const texts: WrittenText[] = [];
  const ofField = new Map<number, WrittenText>();
  for (const { text, box } of pageWords(page)) {
    if (LINE_WORD.test(text)) continue;
    const inPoints = boxInPoints(box);
    const word = shown.find((one) => containsMiddle(one.box, inPoints));
    if (word === undefined) continue;
    const at = rotateBox(inPoints, -angle);
    const known = word.overlaid === undefined ? undefined : ofField.get(word.overlaid);
    if (known === undefined) {
      const own = { words: [box], at, first: at, field: word.overlaid };
      texts.push(own);
      if (word.overlaid !== undefined) ofField.set(word.overlaid, own);
    } else {
      known.words.push(box);
      known.at = unionBox([known.at, at]);
    }
  }
  return texts;
}
