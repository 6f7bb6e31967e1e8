/** Tells recognised lines of text from specks of a picture. */
import type { Line } from "../../ports/layout.ts";

/** Mean confidence of a line's characters from which it is text; of a line with few characters. */
const MIN_LINE_CONFIDENCE = 0.6;
const SHORT_LINE_LENGTH = 3;
const MIN_SHORT_LINE_CONFIDENCE = 0.8;
const WORDLIKE = /\p{L}{2}|\p{N}/u;

export function isLikelyText({ words }: Line): boolean {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  const sure = words.reduce((sum, { text, confidence = 1 }) => sum + text.length * confidence, 0);
  return (
    words.some(({ text }) => WORDLIKE.test(text)) &&
    sure >= (length <= SHORT_LINE_LENGTH ? MIN_SHORT_LINE_CONFIDENCE : MIN_LINE_CONFIDENCE) * length
  );
}
