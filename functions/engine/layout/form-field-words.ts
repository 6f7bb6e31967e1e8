/** Words of a page's form fields. Fields name their words by box. */
import type { Box, Page, Word } from "../../ports/layout.ts";
import { pageWords } from "./page-words.ts";

const boxKey = ({ left, top, right, bottom }: Box): string => `${left} ${top} ${right} ${bottom}`;

/** Returns a function that finds the words standing in exactly the given boxes, in the order of the boxes. */
export function wordsInBoxes(page: Page): (boxes: readonly Box[]) => Word[] {
  const byBox = new Map<string, Word[]>();
  for (const word of pageWords(page)) {
    const key = boxKey(word.box);
    const own = byBox.get(key);
    if (own === undefined) byBox.set(key, [word]);
    else own.push(word);
  }
  return (boxes) => [...new Set(boxes.flatMap((box) => byBox.get(boxKey(box)) ?? []))];
}
