/** Captions of figures and tables. */
import type { Block, Box } from "../../ports/layout.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyOf } from "../values/vocabulary/word-patterns.ts";

const WORDS = anyOf(wordsOf(({ layout }) => layout.captions));
const LABEL = new RegExp(`^(?:${WORDS})(?=\\s|\\d)`, "iu");
/** Behind the label: `3`, `2.1`, `3-4`, `7a`, `B2`, `IV`. */
const NUMBER = /^\s*(?:\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?|[A-Z]\d{0,3}|[IVX]{1,5})(?![\p{L}\p{N}])/u;
const FIRST = new RegExp(`^(?:${WORDS})`, "iu");
/** What parts the number from the caption. */
const STOP = /^\s*(?:[:.|]\s|[–—]|[:.]$|$)/u;
/** A row of a list of figures, not a caption. */
const LEADER = /[.·…_]{4,}|(?:\.\s){4,}/u;
/** Inches from a figure or table: as far as captions stand. */
const NEAR = 0.5;

/** Whether a first word can begin a caption: a quick look before a long one. */
export const maybeCaption = (word: string): boolean => FIRST.test(word);

/** Label and number that a text begins with, and nothing else of it. */
function labelOf(text: string): string | undefined {
  const label = LABEL.exec(text)?.[0];
  const number = label === undefined ? undefined : NUMBER.exec(text.slice(label.length))?.[0];
  return number === undefined ? undefined : `${label}${number}`;
}

/** Whether a text begins as captions do: `Figure 3: …`, `Table 2. …`, `Abb. 4 – …`. */
export function beginsCaption(text: string): boolean {
  const label = labelOf(text);
  return label !== undefined && STOP.test(text.slice(label.length)) && !LEADER.test(text);
}

function isNear(a: Box, b: Box): boolean {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const apart = Math.max(b.top - a.bottom, a.top - b.bottom);
  return across > 0 && apart <= NEAR;
}

/**
 * Whether a paragraph is a caption: by its own look, or by a label next to a figure or table.
 * @param captioned the figures and tables of the page
 * @param rows how many it has; a long text that begins with `Figure 3 shows` is none
 */
export function isCaption(text: string, box: Box, rows: number, captioned: readonly Block[]): boolean {
  if (beginsCaption(text)) return true;
  if (rows > 3 || labelOf(text) === undefined || LEADER.test(text)) return false;
  return captioned.some((block) => isNear(box, block.box));
}
