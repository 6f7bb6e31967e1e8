/** Lines that end with an amount of money, as tills and plain bills print their items: words, counts and prices of each. */
import { type Notation, type NumberSpan, scanNumbers } from "../../values/numbers.ts";
import type { Row, Segment, Token } from "../view/tokens.ts";
import { tokensBetween, unionOf } from "../view/tokens.ts";
import { amountText } from "./amount-text.ts";
import {
  type CountAndPrice,
  countInColumns,
  formulaIn,
  isProduct,
  joinedCountOf,
  leadingCountOf,
  MIN_LARGE_AMOUNT,
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
  /** Something else stands before the amount: words that recognition spoilt. */
  hasOthers: boolean;
}

/** Words behind an amount: a currency, the sign of its tax rate or the rate itself, `SALE`. */
const MAX_CHARS_BEHIND_AMOUNT = 4;
const MAX_WORDS_BEHIND_AMOUNT = 2;

/** Least amount without decimals in a list that its total proves: `Bread 599`, above `Total 1198`. */
export const MIN_PROVEN_WHOLE_AMOUNT = 100;

/** Money is printed with two decimals, or without any and with its thousands parted or its currency beside it. */
const isMoney = ({ decimals, value, percent, currency }: NumberSpan, leastWhole: number): boolean =>
  !percent && (decimals === 2 || (decimals === 0 && (Math.abs(value) >= leastWhole || currency !== null)));

/** A tax rate or the number of a tax group, which stands behind amounts. */
const MAX_TAX_NUMBER = 99;
const mayBeTaxNumber = ({ decimals, value }: NumberSpan): boolean =>
  decimals === 0 && value >= 0 && value <= MAX_TAX_NUMBER;

interface FoundAmount {
  value: number;
  tokens: Token[];
  /** False where a letter touches it, or where recognition changed its words. */
  spelled: boolean;
  segment: number;
}

/** The last amount of money, with nothing but numbers of taxes behind it. */
function lastMoney(spans: readonly NumberSpan[], leastWhole: number): NumberSpan | undefined {
  const found = spans.findLast((span) => !mayBeTaxNumber(span) || isMoney(span, leastWhole));
  return found !== undefined && isMoney(found, leastWhole) ? found : undefined;
}

function amountOf({ segments }: Row, notation: Notation, leastWhole: number): FoundAmount | null {
  let behind = 0;
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const segment = segments[at];
    if (segment === undefined) return null;
    const text = amountText(segment.text, segment.tokens.at(-1)?.recognised === true);
    const spans = scanNumbers(text, notation);
    const span = lastMoney(spans, leastWhole);
    const rest = text.slice(span?.end ?? 0).trim();
    const words = rest === "" ? [] : rest.split(/\s+/);
    behind += words.length;
    if (words.some((word) => word.length > MAX_CHARS_BEHIND_AMOUNT) || behind > MAX_WORDS_BEHIND_AMOUNT) return null;
    if (span === undefined && spans.every(mayBeTaxNumber)) continue;
    if (span === undefined) return null;
    const spelled = text === segment.text;
    return { value: span.value, tokens: tokensBetween(segment, span.start, span.end), spelled, segment: at };
  }
  return null;
}

const isWord = ({ text }: Token): boolean => /\p{L}{3,}/u.test(text);

/** Signs of products and bullets, which name nothing. */
const NO_WORD = /^[xX×*@|/\\•·–—-]$/u;

/** The code of an article: `4002718778871`, `1161625S`. */
const ARTICLE_CODE = /^\d{5,}\p{Lu}?$/u;
/** A position before a code. */
const POSITION = /^\d{1,3}$/;

/** Words without the code of an article, and a position before it; words behind a code name nothing. */
export function withoutCode(tokens: readonly Token[]): Token[] {
  const at = tokens.findIndex(({ text }) => !POSITION.test(text));
  const from = at >= 0 && ARTICLE_CODE.test(tokens[at]?.text ?? "") ? at + 1 : 0;
  const to = tokens.findIndex(({ text }, index) => index > from && ARTICLE_CODE.test(text));
  return tokens.slice(from, to < 0 ? tokens.length : to);
}

/** Gap up to which stretches of recognised words are one name. */
const MAX_NAME_GAP_EM = 2;

/** The stretches of words around one that recognition parted from it. */
function wholeName(segments: readonly Segment[], named: Segment, used: ReadonlySet<Token>): Token[] {
  const at = segments.indexOf(named);
  const isFree = ({ tokens }: Segment): boolean =>
    tokens.every((token) => token.recognised && !used.has(token) && !/^\d{5,}$/.test(token.text)) &&
    tokens.some(({ text }) => /\p{L}/u.test(text) && !NO_WORD.test(text));
  const goesOn = (one: Segment | undefined, next: Segment | undefined): boolean =>
    one !== undefined &&
    next !== undefined &&
    isFree(one) &&
    isFree(next) &&
    next.box.left - one.box.right <= MAX_NAME_GAP_EM * (named.tokens[0]?.em ?? 0);
  let [from, to] = [at, at];
  while (goesOn(segments[from - 1], segments[from])) from -= 1;
  while (goesOn(segments[to], segments[to + 1])) to += 1;
  return segments.slice(from, to + 1).flatMap(({ tokens }) => tokens);
}

/** The words that name the item: the first stretch of words of the line, without a code of digits before them. */
function namingWords(segments: readonly Segment[], used: ReadonlySet<Token>, inColumns: boolean): Token[] {
  const named = segments.find((segment) => segment.tokens.some((token) => !used.has(token) && isWord(token)));
  if (named === undefined) return [];
  const own = inColumns ? named.tokens : wholeName(segments, named, used);
  const rest = withoutCode(own.filter((token) => !used.has(token)));
  // The sign of a product between a count and a price belongs to neither.
  const from = rest.findIndex(({ text }) => !NO_WORD.test(text));
  const to = rest.findLastIndex(({ text }) => !NO_WORD.test(text));
  return from < 0 ? [] : rest.slice(from, to + 1);
}

const isWhole = (number: PrintedNumber | null): boolean =>
  number !== null && !number.tokens.some(({ text }) => /[.,]\d/.test(text));

/** A size in one word counts nothing: `35X35`. */
const withoutPrice = ({ quantity, price }: CountAndPrice): CountAndPrice | null =>
  quantity === null || quantity.tokens.some((token) => price?.tokens.includes(token))
    ? null
    : { quantity, price: null };

/** Reads a row that ends with an amount. @param leastWhole least amount without decimals @returns null for other rows */
export function pricedLine(row: Row, notation: Notation, leastWhole = MIN_LARGE_AMOUNT): PricedLine | null {
  const found = amountOf(row, notation, leastWhole);
  const last = found?.tokens.at(-1);
  if (found === null || last === undefined) return null;
  const taken = new Set(found.tokens);
  const before = row.segments.slice(0, found.segment + 1).filter(({ tokens }) => tokens.some((one) => !taken.has(one)));
  const formula = formulaIn(row, before, taken, notation);
  const leading = leadingCountOf(before, notation);
  const joined = joinedCountOf(before, { value: found.value, tokens: found.tokens }, notation);
  const amount = { value: joined?.value ?? found.value, tokens: found.tokens };
  const stated = joined?.counted ?? formula?.counted ?? null;
  // A size may look like a price: `1x 100 cl Mineral`.
  const apart =
    stated !== null && isProduct(stated, amount.value)
      ? null
      : countInColumns(before, amount, stated?.quantity ?? leading, notation);
  const isSize = stated !== null && !isProduct(stated, amount.value) && isWhole(stated.price);
  const counted = apart ?? (isSize ? withoutPrice(stated) : stated);
  const isFormula = counted === stated && stated !== null && stated.price !== null;
  // A stretch that computes the amount names nothing but units.
  const computing = isFormula ? (formula?.words ?? []) : [];
  const used = new Set([
    ...taken,
    ...computing,
    ...(counted?.quantity?.tokens ?? []),
    ...(counted?.price?.tokens ?? []),
  ]);
  return {
    row,
    amount: { ...amount, spelled: found.spelled && joined === null },
    right: unionOf(found.tokens).right,
    em: last.em,
    words: namingWords(before, used, apart !== null),
    counted,
    leading: counted === null ? leading : null,
    hasOthers: before.some(({ tokens }) => tokens.some((token) => !used.has(token))),
  };
}
