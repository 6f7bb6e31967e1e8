/** Which recognised lines are text rather than specks of a picture. */
import type { Line } from "../../ports/layout.ts";

/** A line is text when its characters are as sure as this on average; one of a few, surer. */
const LIKELY = 0.6;
const FEW = 3;
const FEW_LIKELY = 0.8;
const WORD = /\p{L}{2}|\p{N}/u;

export function isLikelyText({ words }: Line): boolean {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  const sure = words.reduce((sum, { text, confidence = 1 }) => sum + text.length * confidence, 0);
  return words.some(({ text }) => WORD.test(text)) && sure >= (length <= FEW ? FEW_LIKELY : LIKELY) * length;
}
