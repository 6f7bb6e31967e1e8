/** The words of a page's form fields, which are named by their boxes. */
import type { Box, Page, Word } from "../../ports/layout.ts";
import { pageWords } from "./page-words.ts";

const keyOf = ({ left, top, right, bottom }: Box): string => `${left} ${top} ${right} ${bottom}`;

/** Tells of boxes the words that stand in the very same, in the order of the boxes. */
export function wordsInBoxes(page: Page): (boxes: readonly Box[]) => Word[] {
  const byBox = new Map<string, Word[]>();
  for (const word of pageWords(page)) {
    const key = keyOf(word.box);
    const own = byBox.get(key);
    if (own === undefined) byBox.set(key, [word]);
    else own.push(word);
  }
  return (boxes) => [...new Set(boxes.flatMap((box) => byBox.get(keyOf(box)) ?? []))];
}
