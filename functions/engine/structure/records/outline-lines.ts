/** Outlines of amounts: lines further in detail the line above them, whose amount is their sum. */
import { isSameAmount } from "./same-amounts.ts";

/** A line of a column of amounts. Inches. */
export interface OutlineLine {
  left: number;
  em: number;
  value: number;
  label: string;
}

/** Indent of a line below the one that it details. */
const MIN_INDENT_EM = 0.6;
const MIN_HEADS = 2;
/** Lines below one head. */
const MAX_DETAILS = 300;

interface Head {
  at: number;
  details: number[];
}

/** The lines further in below a line, without those that head others, where they add up to it. */
function headAt<T extends OutlineLine>(
  lines: readonly T[],
  at: number,
  heads: ReadonlyMap<number, unknown>,
): Head | null {
  const head = lines[at];
  if (head === undefined) return null;
  const details: number[] = [];
  let sum = 0;
  for (let next = at + 1; next < lines.length && details.length <= MAX_DETAILS; next += 1) {
    const line = lines[next];
    if (line === undefined || line.left <= head.left + MIN_INDENT_EM * head.em) break;
    if (heads.has(next)) continue;
    details.push(next);
    sum += line.value;
  }
  return details.length > 0 && isSameAmount(sum, head.value) ? { at, details } : null;
}

/**
 * The lines of a list without those that repeat others' amounts: sums above their lines; or the lines below, where all
 * sums have lines of the same words (`Charges`, `VAT`), which tell them apart no more.
 */
export function withoutRepeatedAmounts<T extends OutlineLine>(lines: readonly T[]): T[] {
  const heads = new Map<number, Head>();
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const head = headAt(lines, at, heads);
    if (head !== null) heads.set(at, head);
  }
  if (heads.size < MIN_HEADS) return [...lines];
  const details = [...heads.values()].flatMap((head) => head.details);
  const words = new Set(details.map((at) => lines[at]?.label ?? ""));
  const gone = new Set(words.size * heads.size <= details.length ? details : heads.keys());
  return lines.filter((_, at) => !gone.has(at));
}
