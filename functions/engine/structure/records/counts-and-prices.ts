/** Counts and prices of lines with an amount: `2 x 1,50`, columns of both, and counts before a name. */
import { type Notation, scanNumbers } from "../../values/numbers.ts";
import type { Row, Segment, Token } from "../view/tokens.ts";
import { tokensBetween, unionOf } from "../view/tokens.ts";
import { isSameAmount } from "./same-amounts.ts";

/** A number of a line with its words. */
export interface PrintedNumber {
  value: number;
  tokens: Token[];
}

/** `2 x 1,50`, `0,310 kg X 2,09 EUR/kg`, `3 @ 4.00`; a count alone has no price, and recognition loses counts. */
export interface CountAndPrice {
  quantity: PrintedNumber | null;
  price: PrintedNumber | null;
}

const COUNT_AND_PRICE =
  /(?:(?<count>(?<![\d.,])\d{1,4}(?:[.,]\d{1,4})?)\s*)?(?:\p{L}{1,6}\.?)?\s*(?<!\p{L})[xX×*@]\s*(?:\p{Sc}|\p{Lu}{3})?\s*(?<price>\d[\d.,]*\d)/u;
const COUNT_BEFORE = /^(?<count>\d{1,3})\s?[xX×]\s(?=.*\p{L}{2})/u;
const COUNT_BEHIND = /(?<!\p{L})(?:[xX×]\s|[x×])(?<count>\d{1,3})$/u;

function numberAt(segment: Segment, text: string, from: number, notation: Notation): PrintedNumber | null {
  const [span] = scanNumbers(text, notation);
  if (span === undefined) return null;
  return { value: span.value, tokens: tokensBetween(segment, from, from + text.length) };
}

/** The count and price that a stretch of words states. */
export function countIn(segment: Segment, notation: Notation): CountAndPrice | null {
  const product = COUNT_AND_PRICE.exec(segment.text);
  // Without a count, only a price with cents is one: `X23` is a code.
  const both =
    product?.groups?.count === undefined && !/[.,]\d{2}$/.test(product?.groups?.price ?? "") ? null : product;
  const match = both ?? COUNT_BEFORE.exec(segment.text) ?? COUNT_BEHIND.exec(segment.text);
  const { count, price } = match?.groups ?? {};
  if (match === null) return null;
  const first = count === undefined ? null : numberAt(segment, count, match.index + match[0].indexOf(count), notation);
  if (price === undefined) return first === null ? null : { quantity: first, price: null };
  const second = numberAt(segment, price, match.index + match[0].lastIndexOf(price), notation);
  if (second === null || count === undefined) return second === null ? null : { quantity: null, price: second };
  // `1,50 x 2` says the price first.
  const swapped = /[.,]\d{2}$/.test(count) && !/[.,]/.test(price);
  return swapped ? { quantity: second, price: first } : { quantity: first, price: second };
}

/** All words of a row as one stretch. */
function joined({ page, index, segments }: Row): Segment {
  const parts: string[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const segment of segments) {
    starts.push(...segment.starts.map((start) => length + start));
    parts.push(segment.text);
    length += segment.text.length + 1;
  }
  const tokens = segments.flatMap((segment) => segment.tokens);
  return { page, row: index, tokens, text: parts.join(" "), starts, box: unionOf(tokens) };
}

/** The count and price that a row states, without its amount. */
export function countAndPriceOf(row: Row, notation: Notation): CountAndPrice | null {
  for (const segment of row.segments) {
    const found = countIn(segment, notation);
    if (found !== null) return found;
  }
  return row.segments.length > 1 ? countIn(joined(row), notation) : null;
}

export const isProduct = ({ quantity, price }: CountAndPrice, amount: number): boolean =>
  price !== null && quantity !== null && isSameAmount(Math.abs(quantity.value * price.value), Math.abs(amount));

/** A count or a position before a name: `2 Gringas`, `- 1 Refresco`. */
const LEADING_COUNT = /^(?:[-–•*|]\s)?(?<count>\d{1,3})\s(?=\p{L}{2}|\d+\s?\p{L})/u;

/** The number before the first words of a line. */
export function leadingCountOf([first, next]: readonly Segment[], notation: Notation): PrintedNumber | null {
  const words = next !== undefined && first?.tokens.length === 1 ? `${first.text} ${next.text}` : first?.text;
  const match = LEADING_COUNT.exec(words ?? "");
  const { count } = match?.groups ?? {};
  if (first === undefined || match === null || count === undefined) return null;
  return numberAt(first, count, match[0].indexOf(count), notation);
}

/** Count and price apart from each other: two numbers before the amount whose product it is. */
export function countInColumns(
  before: readonly Segment[],
  amount: PrintedNumber,
  leading: PrintedNumber | null,
  notation: Notation,
): CountAndPrice | null {
  const taken = new Set(amount.tokens);
  const numbers = before.flatMap((segment, at) => {
    const spans = scanNumbers(segment.text, notation)
      .filter(({ percent }) => !percent)
      // In `$30.00 $30.00`, the sign of the second number ends the span of the first.
      .map(({ start, end, value }) => ({
        value,
        tokens: tokensBetween(segment, start, end).filter((token) => !taken.has(token)),
      }))
      .filter(({ tokens }) => tokens.length > 0);
    // The first words name the item: of their numbers, only the last one before the amount may be its price.
    const last = segment.tokens.findLast((token) => !taken.has(token));
    return at > 0 ? spans : spans.filter(({ tokens }) => tokens.at(-1) === last);
  });
  const all = leading === null ? numbers : [leading, ...numbers];
  for (const [at, quantity] of all.entries())
    for (const price of all.slice(at + 1)) {
      const found = { quantity, price };
      if (amount.value !== 0 && isProduct(found, amount.value)) return found;
    }
  return null;
}
