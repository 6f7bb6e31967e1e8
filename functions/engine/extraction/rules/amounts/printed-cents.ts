/** How often a document prints each amount, to be compared with sums of its items. */
import type { Segment } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import type { DocumentContext } from "../document-context.ts";

/** Stretches of words that are searched. */
const MAX_SEGMENTS = 50_000;

export const toCents = (amount: number): number => Math.round(amount * 100);

/** Amount in cents → its count. @param textOf the text of a stretch of words, as it is read */
export function printedCents(
  { view, conventions }: Pick<DocumentContext, "view" | "conventions">,
  textOf: (segment: Segment) => string = ({ text }) => text,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const segment of view.segments.slice(0, MAX_SEGMENTS))
    for (const { value } of scanNumbers(textOf(segment), conventions.notation))
      counts.set(toCents(value), (counts.get(toCents(value)) ?? 0) + 1);
  return counts;
}
