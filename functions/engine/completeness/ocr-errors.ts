/** Values that a recognised row may print, though not to the letter. */
import { editDistance, foldText } from "../values/text-folding.ts";
import type { CandidateRow } from "./candidate-rows.ts";
import type { ListItem } from "./result-lists.ts";

/** Share of a text's letters that recognition may get wrong. */
const MAX_MISREAD_LETTER_SHARE = 0.34;

/** Whether a row was recognised in a picture, so that its letters may be others than those printed. */
export const isRecognised = ({ words }: CandidateRow): boolean => words.some(({ confidence }) => confidence < 1);

/** Of an item's values, those that a row says within what recognition misreads. */
export function leavesWithinOcrErrors(item: ListItem, { words, cells }: CandidateRow): ListItem["leaves"] {
  const texts = [...words, ...cells].map(({ text }) => foldText(text));
  return item.leaves.filter(({ value }) => {
    const wanted = foldText(String(value));
    const limit = Math.floor(wanted.length * MAX_MISREAD_LETTER_SHARE);
    return texts.some((text) => editDistance(wanted, text, limit) <= limit);
  });
}
