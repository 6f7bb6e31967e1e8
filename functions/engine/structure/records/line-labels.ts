/** What the words of a line say about its amount. */
import { namesTotal } from "./charges.ts";
import type { PricedLine } from "./priced-lines.ts";

/** Text of a line before its amount. */
export function labelOf({ row, amount }: PricedLine): string {
  const taken = new Set(amount.tokens);
  return row.segments
    .flatMap(({ tokens }) => tokens)
    .filter((token) => !taken.has(token))
    .map(({ text }) => text)
    .join(" ");
}

/** The stretch of words beside the amount, or all words where they stand in the amount's own. */
function wordsBeside(line: PricedLine): string {
  const at = line.row.segments.findIndex(({ tokens }) => tokens.some((token) => line.amount.tokens.includes(token)));
  const isAlone = line.row.segments[at]?.tokens.every((token) => line.amount.tokens.includes(token));
  return (isAlone === true && line.row.segments[at - 1]?.text) || labelOf(line);
}

/** A line says that its amount is a total. */
export function isTotal(line: PricedLine): boolean {
  const [label, beside] = [labelOf(line), wordsBeside(line)];
  return namesTotal(label) || (beside !== label && namesTotal(beside));
}
