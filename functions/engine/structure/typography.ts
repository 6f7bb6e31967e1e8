/** Measures the type of a document, over all its pages. */
import type { Page } from "../../ports/layout.ts";
import { blockLines } from "../layout/page-words.ts";
import { wordSize } from "./block-rows.ts";

export interface Typography {
  /** Size that most characters have: points, to half a point. */
  body: number;
  /**
   * True for sizes of the file itself; false for sizes estimated from the height of words, which depends on their
   * letters.
   */
  exact: boolean;
}

/** Rounds to half points. */
export const toHalves = (points: number): number => Math.round(points * 2) / 2;

export function typographyOf(pages: readonly Page[]): Typography {
  const lengths = new Map<number, number>();
  let stated = 0;
  let all = 0;
  for (const block of pages.flatMap((page) => page.blocks)) {
    for (const { words } of blockLines(block)) {
      const [first] = words;
      if (first === undefined) continue;
      // The size of a line's first word is near enough over a whole document.
      const size = toHalves(wordSize(first));
      let length = 0;
      for (const { text } of words) length += text.length;
      lengths.set(size, (lengths.get(size) ?? 0) + length);
      all += 1;
      if (first.fontSize !== undefined) stated += 1;
    }
  }
  let body = 0;
  let most = 0;
  for (const [size, length] of lengths) {
    if (length > most || (length === most && size < body)) [body, most] = [size, length];
  }
  return { body, exact: 2 * stated > all };
}
