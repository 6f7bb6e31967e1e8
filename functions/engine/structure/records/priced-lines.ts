/** Lines that end with an amount of money, as tills and plain bills print their items: words, counts and prices of each. */
import { type Notation, type NumberSpan, scanNumbers } from "../../values/numbers.ts";
import type { Row, Segment, Token } from "../view/tokens.ts";
import { tokensBetween, unionOf } from "../view/tokens.ts";
import {
  type CountAndPrice,
  countIn,
  countInColumns,
  isProduct,
  leadingCountOf,
  type PrintedNumber,
} from "./counts-and-prices.ts";

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
  /** A number before its words that no price proves to be a count. */
  leading: PrintedNumber | null;
}

/** Words behind an amount: a currency, the sign of its tax rate, `SALE`. */
const MAX_CHARS_BEHIND_AMOUNT = 4;
const MAX_WORDS_BEHIND_AMOUNT = 2;

/** Money is printed with two decimals, or without any and with its thousands parted. */
const isMoney = ({ decimals, value, percent }: NumberSpan): boolean =>
  !percent && (decimals === 2 || (decimals === 0 && Math.abs(value) >= 1000));

/** Recognition loses decimal points: `$3 89`, and `3 89` apart from other words. */
const PARTED_CENTS = /(?<whole>\p{Sc}\d{1,4}|^\d{1,4}) (?<cents>\d{2})$/u;

/** The sign of a tax rate that touches its amount: `1,19A`, `1.99·A`. */
const TOUCHING_TAX_SIGN = /(?<=\d[.,]\d{2})[·•*]?\p{Lu}$/u;
/** A currency sign that recognition takes for a letter: `L18.00`. */
const LETTER_FOR_CURRENCY = /(?<![\p{L}\p{N}])\p{Lu}(?=\d+[.,]\d{2}$)/u;

/** The text with spaces for letters that touch its amount: positions stay. */
function withoutTouchingLetters({ text, tokens }: Segment): string {
  const blank = (letters: string): string => " ".repeat(letters.length);
  const bare = text.replace(TOUCHING_TAX_SIGN, blank);
  return tokens.at(-1)?.recognised === true ? bare.replace(LETTER_FOR_CURRENCY, blank) : bare;
}

interface FoundAmount {
  value: number;
  tokens: Token[];
  /** False where a letter touches it, or where recognition lost its decimal mark. */
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
    const text = withoutTouchingLetters(segment);
    const span = scanNumbers(text, notation).at(-1);
    const rest = text.slice(span?.end ?? 0).trim();
    const words = rest === "" ? [] : rest.split(/\s+/);
    behind += words.length;
    if (words.some((word) => word.length > MAX_CHARS_BEHIND_AMOUNT) || behind > MAX_WORDS_BEHIND_AMOUNT) return null;
    if (span === undefined) continue;
    if (!isMoney(span)) return null;
    const spelled = text === segment.text;
    return { value: span.value, tokens: tokensBetween(segment, span.start, span.end), spelled, segment: at };
  }
  return null;
}

const isWord = ({ text }: Token): boolean => /\p{L}{3,}/u.test(text);

/** Signs of products and bullets, which name nothing. */
const NO_WORD = /^[xX×*@|•·–—-]$/u;

/** The words that name the item: the first stretch of words of the line, without a code of digits before them. */
function namingWords(segments: readonly Segment[], used: ReadonlySet<Token>): Token[] {
  const named = segments.find((segment) => segment.tokens.some((token) => !used.has(token) && isWord(token)));
  const own = named?.tokens.filter((token) => !used.has(token)) ?? [];
  const first = own.findIndex(({ text }) => !/^\d{5,}$/.test(text));
  const rest = own.slice(Math.max(0, first));
  // The sign of a product between a count and a price belongs to neither.
  const from = rest.findIndex(({ text }) => !NO_WORD.test(text));
  const to = rest.findLastIndex(({ text }) => !NO_WORD.test(text));
  return from < 0 ? [] : rest.slice(from, to + 1);
}

const isWhole = (number: PrintedNumber | null): boolean =>
  number !== null && !number.tokens.some(({ text }) => /[.,]\d/.test(text));

const withoutPrice = ({ quantity }: CountAndPrice): CountAndPrice | null =>
  quantity === null ? null : { quantity, price: null };

/** Reads a row that ends with an amount. @returns null for other rows */
export function pricedLine(row: Row, notation: Notation): PricedLine | null {
  const found = amountOf(row, notation);
  const last = found?.tokens.at(-1);
  if (found === null || last === undefined) return null;
  const taken = new Set(found.tokens);
  const before = row.segments.slice(0, found.segment + 1).filter(({ tokens }) => tokens.some((one) => !taken.has(one)));
  const printed = before.map((segment) => ({ segment, counted: countIn(segment, notation) }));
  const formula = printed.find(({ counted }) => counted !== null);
  const leading = leadingCountOf(before, notation);
  const amount = { value: found.value, tokens: found.tokens };
  const stated = formula?.counted ?? null;
  // A size may look like a price: `1x 100 cl Mineral`.
  const apart =
    stated !== null && isProduct(stated, amount.value)
      ? null
      : countInColumns(before, amount, stated?.quantity ?? leading, notation);
  const isSize = stated !== null && !isProduct(stated, amount.value) && isWhole(stated.price);
  const counted = apart ?? (isSize ? withoutPrice(stated) : stated);
  const isFormula = formula !== undefined && counted === stated && stated?.price !== null;
  const used = new Set([...taken, ...(counted?.quantity?.tokens ?? []), ...(counted?.price?.tokens ?? [])]);
  // A stretch that computes the amount names nothing but units.
  const naming = before.filter((segment) => !(isFormula && segment === formula?.segment));
  return {
    row,
    amount: { ...amount, spelled: found.spelled },
    right: unionOf(found.tokens).right,
    em: last.em,
    words: namingWords(naming, used),
    counted,
    leading: counted === null ? leading : null,
  };
}
