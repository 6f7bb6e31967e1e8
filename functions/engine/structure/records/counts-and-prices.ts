/** Counts and prices of lines with an amount: `2 x 1,50`, columns of both, and counts before a name. */
import { type Notation, scanNumbers } from "../../values/numbers.ts";
import type { Row, Segment, Token } from "../view/tokens.ts";
import { tokensBetween, unionOf } from "../view/tokens.ts";
import { amountText } from "./amount-text.ts";
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

/** The signs of a product: `x`, `1.00 X @16.00`, `2 Xx *17.39`. */
const TIMES = "(?<!\\p{L})[xX×*@](?:\\s?[xX×*@]){0,2}";
const COUNT_AND_PRICE = new RegExp(
  `(?:(?<count>(?<![\\d.,])\\d{1,4}(?:[.,]\\d{1,4})?)\\s*)?(?:\\p{L}{1,6}\\.?)?\\s*${TIMES}\\s*(?:\\p{Sc}|\\p{Lu}{3})?\\s*(?<price>\\d[\\d.,]*\\d)`,
  "u",
);
/** `59,90 x 2 =` says the price first, with cents; so does `3000 x6`. */
const PRICE_AND_COUNT = new RegExp(
  `(?<![\\d.,])(?<price>\\d{1,4}[.,]\\d{2}|\\d{4,7})\\s*${TIMES}\\s*(?<count>\\d{1,3})(?![\\d.,])`,
  "u",
);
/** `5 EA 0.29/EA` needs no sign. */
const COUNT_AND_UNIT_PRICE =
  /(?<count>(?<![\d.,])\d{1,4}(?:[.,]\d{1,4})?)\s?(?<unit>\p{L}{1,4})\s(?:\p{Sc}|@)?\s?(?<price>\d[\d.,]*\d)\s?\/\s?\k<unit>/iu;
const COUNT_BEFORE = /^(?<count>\d{1,3})\s?[xX×]\s(?=.*\p{L}{2})/u;
const COUNT_BEHIND = /(?<!\p{L})(?:[xX×]\s|[x×])(?<count>\d{1,3})$|\([xX×]\s?(?<inBrackets>\d{1,3})\)/u;

function numberAt(segment: Segment, text: string, from: number, notation: Notation): PrintedNumber | null {
  const [span] = scanNumbers(text, notation);
  if (span === undefined) return null;
  return { value: span.value, tokens: tokensBetween(segment, from, from + text.length) };
}

/** The count and price that a stretch of words states. */
export function countIn(segment: Segment, notation: Notation): CountAndPrice | null {
  const at = (match: RegExpExecArray, text: string): PrintedNumber | null =>
    numberAt(segment, text, match.index + match[0].lastIndexOf(text), notation);
  const swapped = PRICE_AND_COUNT.exec(segment.text);
  const { count: few, price: each } = swapped?.groups ?? {};
  if (swapped !== null && few !== undefined && each !== undefined)
    return { quantity: at(swapped, few), price: numberAt(segment, each, swapped.index, notation) };
  const product = COUNT_AND_PRICE.exec(segment.text);
  // Without a count, only a price with cents is one: `X23` is a code.
  const both =
    product?.groups?.count === undefined && !/[.,]\d{2}$/.test(product?.groups?.price ?? "") ? null : product;
  const match =
    both ??
    COUNT_AND_UNIT_PRICE.exec(segment.text) ??
    COUNT_BEFORE.exec(segment.text) ??
    COUNT_BEHIND.exec(segment.text);
  if (match === null) return null;
  const { price } = match.groups ?? {};
  const count = match.groups?.count ?? match.groups?.inBrackets;
  if (price === undefined) {
    const quantity = count === undefined ? null : at(match, count);
    return quantity === null ? null : { quantity, price: null };
  }
  const second = at(match, price);
  const first = count === undefined ? null : numberAt(segment, count, match.index + match[0].indexOf(count), notation);
  return second === null ? null : { quantity: first, price: second };
}

/** Words of a row as one stretch. */
function joinedSegment({ page, index }: Row, tokens: Token[]): Segment {
  const starts: number[] = [];
  let text = "";
  for (const token of tokens) {
    if (text !== "") text += " ";
    starts.push(text.length);
    text += token.text;
  }
  return { page, row: index, tokens, text, starts, box: unionOf(tokens) };
}

/** A count and price, and the words that say so. */
export interface Formula {
  counted: CountAndPrice;
  words: readonly Token[];
}

/** The count and price that stretches of a row state: in one of them, or over several. @param taken words of its amount */
export function formulaIn(
  row: Row,
  segments: readonly Segment[],
  taken: ReadonlySet<Token>,
  notation: Notation,
): Formula | null {
  const stated = segments.flatMap((segment): Formula[] => {
    const counted = countIn(segment, notation);
    if (counted === null) return [];
    const { tokens } = segment;
    const first = tokens.findIndex((token) =>
      [counted.quantity, counted.price].some((one) => one?.tokens.includes(token)),
    );
    return [{ counted, words: tokens.slice(Math.max(0, first)) }];
  });
  const alone = stated.find(({ counted }) => counted.quantity !== null) ?? null;
  if (alone !== null || segments.length < 2) return alone ?? stated[0] ?? null;
  const tokens = segments.flatMap((segment) => segment.tokens).filter((token) => !taken.has(token));
  const counted = countIn(joinedSegment(row, tokens), notation);
  const [first, price] = [counted?.quantity?.tokens[0], counted?.price?.tokens[0]];
  if (counted === null || first === undefined || price === undefined) return stated[0] ?? null;
  // Units follow the price: `1,254 kg x 1,59 EUR/kg`.
  const last = segments.find((segment) => segment.tokens.includes(price))?.tokens.at(-1);
  const to = last === undefined ? tokens.length : tokens.indexOf(last) + 1;
  return { counted, words: tokens.slice(tokens.indexOf(first), to) };
}

/** The count and price that a row states, without its amount. */
export const countAndPriceOf = (row: Row, notation: Notation): CountAndPrice | null =>
  formulaIn(row, row.segments, new Set(), notation)?.counted ?? null;

export const isProduct = ({ quantity, price }: CountAndPrice, amount: number): boolean =>
  price !== null && quantity !== null && isSameAmount(Math.abs(quantity.value * price.value), Math.abs(amount));

/** A count or a position before a name: `2 Gringas`, `- 1 Refresco`, `1 x Soup`, `1.000 STK`. */
const LEADING_COUNT = /^(?:[-–•*|]\s)?(?<count>\d{1,3})(?:[.,]0{2,3})?\s(?:[xX×]\s)?(?=\p{L}{2}|\d+\s?\p{L})/u;
/** Words of such a number that stand apart from the name. */
const MAX_WORDS_OF_COUNT = 2;

/** The number before the first words of a line. */
export function leadingCountOf([first, next]: readonly Segment[], notation: Notation): PrintedNumber | null {
  const apart = first !== undefined && first.tokens.length <= MAX_WORDS_OF_COUNT ? next : undefined;
  const words = apart === undefined ? first?.text : `${first?.text} ${apart.text}`;
  const match = LEADING_COUNT.exec(words ?? "");
  const { count } = match?.groups ?? {};
  if (first === undefined || match === null || count === undefined) return null;
  return numberAt(first, count, match[0].indexOf(count), notation);
}

/** A count and the amount behind it, between which recognition lost a sign or space: `218.00` for `2 £18.00`. */
const JOINED_AMOUNT = /^(?<count>\d)(?<amount>\d+[.,]\d{2})$/;

/** The count and amount that are joined in one recognised word, where the number before is the price of one. */
export function joinedCountOf(
  before: readonly Segment[],
  { tokens: [token, more] }: PrintedNumber,
  notation: Notation,
) {
  const { count, amount = "" } = JOINED_AMOUNT.exec(token?.text ?? "")?.groups ?? {};
  const last = before.flatMap(({ tokens }) => tokens).findLast((other) => other !== token);
  if (token?.recognised !== true || more !== undefined || count === undefined || last === undefined) return null;
  const valueIn = (text: string): number => scanNumbers(text, notation).at(-1)?.value ?? 0;
  const [value, price] = [valueIn(amount), valueIn(amountText(last.text, true))];
  const counted = { quantity: { value: Number(count), tokens: [token] }, price: { value: price, tokens: [last] } };
  return value !== 0 && isProduct(counted, value) ? { counted, value } : null;
}

/** The number has cents, or is too large for a count. */
const isPrice = ({ value, tokens }: PrintedNumber): boolean =>
  Math.abs(value) >= MIN_LARGE_AMOUNT || tokens.some(({ text }) => /[.,]\d{2}(?!\d)/.test(text));
/** Whole amounts from here on are money where nothing else tells. */
export const MIN_LARGE_AMOUNT = 1000;

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
      if (amount.value === 0 || !isProduct(found, amount.value)) continue;
      return isPrice(quantity) && !isPrice(price) ? { quantity: price, price: quantity } : found;
    }
  return null;
}
