/** Recognises captions of figures and tables by their labels. */

import type { Block, Box } from "../../ports/layout.ts";
import { overlapExtents } from "../layout/geometry.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyOf } from "../values/vocabulary/word-patterns.ts";

/** Labels in the languages of the documents. */
const CAPTION_WORDS = anyOf(wordsOf(({ layout }) => layout.captions));
const CAPTION_LABEL = new RegExp(`^(?:${CAPTION_WORDS})(?=\\s|\\d)`, "iu");
/** Number behind the label: `3`, `2.1`, `3-4`, `7a`, `B2`, `IV`. */
const CAPTION_NUMBER = /^\s*(?:\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?|[A-Z]\d{0,3}|[IVX]{1,5})(?![\p{L}\p{N}])/u;
const CAPTION_START = new RegExp(`^(?:${CAPTION_WORDS})`, "iu");
/** Separator of the number and the caption. */
const LABEL_END = /^\s*(?:[:.|]\s|[–—]|[:.]$|$)/u;
/** Leader in a row of a list of contents or figures, which is no heading and no caption. */
export const LEADER = /[.·…_]{4,}|(?:\.\s){4,}/u;
/** Distance of a caption from its figure or table. */
const MAX_CAPTION_DISTANCE_INCHES = 0.5;

/** True if a first word can begin a caption: a quick test before a long one. */
export const maybeCaption = (word: string): boolean => CAPTION_START.test(word);

/** Label and number that a text begins with, without the rest. */
function labelOf(text: string): string | undefined {
  const label = CAPTION_LABEL.exec(text)?.[0];
  const number = label === undefined ? undefined : CAPTION_NUMBER.exec(text.slice(label.length))?.[0];
  return number === undefined ? undefined : `${label}${number}`;
}

/** True if a text begins like a caption: `Figure 3: …`, `Table 2. …`, `Abb. 4 – …`. */
export function beginsCaption(text: string): boolean {
  const label = labelOf(text);
  return label !== undefined && LABEL_END.test(text.slice(label.length)) && !LEADER.test(text);
}

function isNear(a: Box, b: Box): boolean {
  const { across, down } = overlapExtents(a, b);
  return across > 0 && -down <= MAX_CAPTION_DISTANCE_INCHES;
}

/**
 * True if a paragraph is a caption: by its own look, or by a label next to a figure or table.
 * @param rows its number of rows; a long text that begins with `Figure 3 shows` is no caption
 * @param captioned the figures and tables of the page
 */
export function isCaption(text: string, box: Box, rows: number, captioned: readonly Block[]): boolean {
  if (beginsCaption(text)) return true;
  if (rows > 3 || labelOf(text) === undefined || LEADER.test(text)) return false;
  return captioned.some((block) => isNear(box, block.box));
}
