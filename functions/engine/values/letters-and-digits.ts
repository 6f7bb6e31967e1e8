import { foldText } from "./text-folding.ts";

/** The folded letters and digits of a text, without all else: compares names and codes however they are punctuated. */
export const lettersAndDigits = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, "");

/** Number of letters and digits in a value. */
export const countLettersAndDigits = (value: string | number | boolean): number =>
  String(value).replace(/[^\p{L}\p{N}]/gu, "").length;
