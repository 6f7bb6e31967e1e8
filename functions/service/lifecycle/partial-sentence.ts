/** The error of a PARTIAL job. */
import { type Receipt, shortfallSentences } from "../../engine/completeness/completeness-report.ts";

/** More would not be read; `receipt` and `validationErrors` name all. */
const MAX_NAMED_SHORTFALLS = 3;

interface Shortfalls {
  receipt?: Receipt | undefined;
  validationErrors?: readonly { pointer: string; message: string }[] | undefined;
}

/** Messages are predicates of the value, or sentences of their own. */
function faultSentence({ pointer, message }: { pointer: string; message: string }): string {
  const isSentence = /^\p{Lu}/u.test(message);
  if (pointer === "") return isSentence ? message : `The result ${message}`;
  return `${pointer}${isSentence ? ":" : ""} ${message}`;
}

/** One sentence without prefix about what a PARTIAL result lacks. */
export function partialSentence({ receipt, validationErrors = [] }: Shortfalls): string {
  const all = [
    ...(receipt === undefined ? [] : shortfallSentences(receipt)),
    ...validationErrors.map(faultSentence),
  ].map((sentence) => sentence.replace(/\.$/, ""));
  if (all.length === 0) return "The result is incomplete";
  const more = all.length - MAX_NAMED_SHORTFALLS;
  return [...all.slice(0, MAX_NAMED_SHORTFALLS), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
