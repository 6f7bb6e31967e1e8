/** Values that a recognised row may print, within the errors of recognition. */

import type { CandidateRow } from "../structure/records/candidate-rows.ts";
import { editDistance, foldText } from "../values/text-folding.ts";
import type { ListItem } from "./result-lists.ts";

/** Share of a text's letters that recognition may get wrong. */
const MAX_MISREAD_LETTER_SHARE = 0.34;

/** A row that was recognised in a picture: its letters may differ from those printed. */
export const isRecognised = ({ words }: CandidateRow): boolean => words.some(({ confidence }) => confidence < 1);

/** The item's values that a row prints within the errors of recognition. */
export function leavesWithinOcrErrors(item: ListItem, { words, cells }: CandidateRow): ListItem["leaves"] {
  const texts = [...words, ...cells].map(({ text }) => foldText(text));
  return item.leaves.filter(({ value }) => {
    const wanted = foldText(String(value));
    const limit = Math.floor(wanted.length * MAX_MISREAD_LETTER_SHARE);
    return texts.some((text) => editDistance(wanted, text, limit) <= limit);
  });
}
