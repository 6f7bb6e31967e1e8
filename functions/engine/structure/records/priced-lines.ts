/** Lines that end with an amount of money, as tills and plain bills print their items: words, counts and prices of each. */
import { type Notation, type NumberSpan, scanNumbers } from "../../values/numbers.ts";
import type { Row, Segment, Token } from "../view/tokens.ts";
import { tokensBetween, unionOf } from "../view/tokens.ts";

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

export interface PricedLine {
  row: Row;
  amount: PrintedNumber & { spelled: boolean };
  /** Right edge of the amount, inches. */
  right: number;
  /** Size of its type, inches. */
  em: number;
  /** The words before the amount, without count and price. */
  words: Token[];
  counted: CountAndPrice | null;
}

/** Words behind an amount: a currency or the sign of its tax rate. */
const MAX_CHARS_BEHIND_AMOUNT = 3;
const MAX_WORDS_BEHIND_AMOUNT = 2;

/** Money is printed with two decimals, or without any and with its thousands parted. */
const isMoney = ({ decimals, value, percent }: NumberSpan): boolean =>
  !percent && (decimals === 2 || (decimals === 0 && Math.abs(value) >= 1000));

const COUNT_AND_PRICE =
  /(?:(?<count>(?<![\d.,])\d{1,4}(?:[.,]\d{1,4})?)\s*)?(?:\p{L}{1,6}\.?)?\s*(?<!\p{L})[xX×*@]\s*(?:\p{Sc}|\p{Lu}{3})?\s*(?<price>\d[\d.,]*\d)/u;
const COUNT_BEFORE = /^(?<count>\d{1,3})\s?[xX×]\s(?=.*\p{L}{2})/u;
const COUNT_BEHIND = /(?<!\p{L})(?:[xX×]\s|[x×])(?<count>\d{1,3})$/u;

function numberAt(segment: Segment, text: string, from: number, notation: Notation): PrintedNumber | null {
  const [span] = scanNumbers(text, notation);
  if (span === undefined) return null;
  return { value: span.value, tokens: tokensBetween(segment, from, from + text.length) };
}

function countIn(segment: Segment, notation: Notation): CountAndPrice | null {
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

/** The count and price that a row states, without its amount. */
export function countAndPriceOf(row: Row, notation: Notation): CountAndPrice | null {
  for (const segment of row.segments) {
    const found = countIn(segment, notation);
    if (found !== null) return found;
  }
  return null;
}

/** Equal to the cent. */
const CENT = 0.0051;

export const isProduct = ({ quantity, price }: CountAndPrice, amount: number): boolean =>
  price !== null && quantity !== null && Math.abs(Math.abs(quantity.value * price.value) - Math.abs(amount)) <= CENT;

/** Count and price in columns of their own: two numbers before the amount whose product it is. */
function countInColumns(before: readonly Segment[], amount: number, notation: Notation): CountAndPrice | null {
  const numbers = before.slice(1).flatMap((segment) =>
    scanNumbers(segment.text, notation)
      .filter(({ percent }) => !percent)
      .map(({ start, end, value }) => ({ value, tokens: tokensBetween(segment, start, end) })),
  );
  for (const [at, quantity] of numbers.entries())
    for (const price of numbers.slice(at + 1)) {
      const found = { quantity, price };
      if (amount !== 0 && isProduct(found, amount)) return found;
    }
  return null;
}

/** Recognition loses decimal points: `$3 89`. */
const PARTED_CENTS = /(?<whole>\p{Sc}\d{1,4}) (?<cents>\d{2})$/u;

interface FoundAmount {
  value: number;
  tokens: Token[];
  /** False where recognition lost its decimal mark. */
  spelled: boolean;
  segment: number;
}

function amountOf({ segments }: Row, notation: Notation): FoundAmount | null {
  let behind = 0;
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const segment = segments[at];
    if (segment === undefined) return null;
    const parted = segment.tokens[0]?.recognised === true ? PARTED_CENTS.exec(segment.text) : null;
    const whole = parted === null ? null : scanNumbers(parted.groups?.whole ?? "", notation)[0];
    if (parted !== null && whole !== null && whole !== undefined) {
      const value = whole.value + Number(parted.groups?.cents) / 100;
      return { value, tokens: tokensBetween(segment, parted.index, segment.text.length), spelled: false, segment: at };
    }
    const span = scanNumbers(segment.text, notation).at(-1);
    const rest = segment.text.slice(span?.end ?? 0).trim();
    const words = rest === "" ? [] : rest.split(/\s+/);
    behind += words.length;
    if (words.some((word) => word.length > MAX_CHARS_BEHIND_AMOUNT) || behind > MAX_WORDS_BEHIND_AMOUNT) return null;
    if (span === undefined) continue;
    if (!isMoney(span)) return null;
    return { value: span.value, tokens: tokensBetween(segment, span.start, span.end), spelled: true, segment: at };
  }
  return null;
}

const isWord = ({ text }: Token): boolean => /\p{L}{3,}/u.test(text);

/** The words that name the item: the first stretch of words of the line, without a code of digits before them. */
function namingWords(segments: readonly Segment[], used: ReadonlySet<Token>): Token[] {
  const named = segments.find((segment) => segment.tokens.some((token) => !used.has(token) && isWord(token)));
  const own = named?.tokens.filter((token) => !used.has(token)) ?? [];
  const first = own.findIndex(({ text }) => !/^\d{5,}$/.test(text));
  const rest = own.slice(Math.max(0, first));
  // The sign of a product between a count and a price belongs to neither.
  const from = rest.findIndex(({ text }) => !/^[xX×*@]$/.test(text));
  const to = rest.findLastIndex(({ text }) => !/^[xX×*@]$/.test(text));
  return from < 0 ? [] : rest.slice(from, to + 1);
}

/** Reads a row that ends with an amount. @returns null for other rows */
export function pricedLine(row: Row, notation: Notation): PricedLine | null {
  const found = amountOf(row, notation);
  const last = found?.tokens.at(-1);
  if (found === null || last === undefined) return null;
  const taken = new Set(found.tokens);
  const before = row.segments.slice(0, found.segment + 1).filter(({ tokens }) => tokens.some((one) => !taken.has(one)));
  const printed = before.map((segment) => ({ segment, counted: countIn(segment, notation) }));
  const formula = printed.find(({ counted }) => counted !== null);
  const counted = formula?.counted ?? countInColumns(before, found.value, notation);
  const isFormula = counted?.price !== null && formula !== undefined;
  const used = new Set([...taken, ...(counted?.quantity?.tokens ?? []), ...(counted?.price?.tokens ?? [])]);
  // A stretch that computes the amount names nothing but units.
  const naming = before.filter((segment) => !(isFormula && segment === formula?.segment));
  return {
    row,
    amount: { value: found.value, tokens: found.tokens, spelled: found.spelled },
    right: unionOf(found.tokens).right,
    em: last.em,
    words: namingWords(naming, used),
    counted,
  };
}
