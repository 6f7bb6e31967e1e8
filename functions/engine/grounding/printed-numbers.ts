/** Index of all numbers in a document, by value: in both notations, as percentages, with units, in thousands. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import { type Notation, scanNumbers } from "../values/numbers.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyOf } from "../values/vocabulary/word-patterns.ts";
import { type Occurrence, occurrenceOf, type Passage, type PrintedWords, passages } from "./printed-words.ts";

/** Match quality by the kind of reading. */
const EXACT_QUALITY = 1;
const WITH_UNIT_QUALITY = 0.92;
const FRACTION_FACTOR = 0.93;
const OTHER_NOTATION_QUALITY = 0.8;
const MULTIPLE_QUALITY = 0.85;
const MISREAD_QUALITY = 0.72;
const OTHER_SIGN_FACTOR = 0.7;
/** `0012` is a code. */
const PADDED_FACTOR = 0.6;
const PADDING = /^[^\d.,]*0\d/;

const MULTIPLES = (
  [
    ["thousand", 1e3],
    ["million", 1e6],
    ["billion", 1e9],
  ] as const
).map(([name, factor]) => [anyOf(wordsOf(({ numbers }) => numbers[name])), factor] as const);
const MULTIPLIERS = MULTIPLES.map(([words, factor]) => [new RegExp(`^(?:${words})$`, "u"), factor] as const);
const MULTIPLE_FORM = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(\\d+(?:[.,]\\d+)*)\\s?(${MULTIPLES.map(([words]) => words).join("|")})(?![\\p{L}\\p{N}])`,
  "gu",
);
const UNIT_FORM = /^[#x×~≈*=(]*([-+−]?\d[\d.,]*)(\p{L}{1,4}[²³]?\.?|°C?|")[),;.]*$/u;
/** Digits, and letters that recognition confuses with digits. */
const MISREAD_FORM = /^[€$£(+\-−]*[\dOoIlSBZ|][\dOoIlSBZ|.,'’]*[€$£%)\-−]*$/u;
const DIGITS: Record<string, string> = { O: "0", o: "0", I: "1", l: "1", "|": "1", S: "5", B: "8", Z: "2" };

/** Rounds away the errors of decimal arithmetic. */
const keyOf = (value: number): string => String(Number(Math.abs(value).toPrecision(12)));

/** A number among the words. Compact: a book of tables has hundreds of thousands, of which few are requested. */
interface NumberEntry {
  /** Word numbers of its first and last word, both in one segment. */
  first: number;
  last: number;
  quality: number;
  negative: boolean;
  /** Created on request. */
  occurrence: Occurrence | undefined;
}

/** A smaller number with another sign matches by chance. */
const MIN_UNSIGNED_NUMBER = 100;

const otherNotation = (notation: Notation): Notation => (notation === "comma" ? "point" : "comma");
const isAmbiguous = (text: string): boolean => /(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,])/.test(text);

/** Positions in a text, and the value there. */
interface NumberReading {
  start: number;
  end: number;
  value: number;
  quality: number;
}

function readNumbers(text: string, notation: Notation, quality: number): NumberReading[] {
  return scanNumbers(text, notation).flatMap(({ start, end, value, percent }) => {
    const padded = PADDING.test(text.slice(start, end)) ? PADDED_FACTOR : 1;
    const read = { start, end, value, quality: quality * padded };
    return percent ? [read, { ...read, value: value / 100, quality: read.quality * FRACTION_FACTOR }] : [read];
  });
}

function readMultiples(text: string, notation: Notation): NumberReading[] {
  return [...text.matchAll(MULTIPLE_FORM)].flatMap((match) => {
    const [base] = scanNumbers(match[1] ?? "", notation);
    const factor = MULTIPLIERS.find(([form]) => form.test(match[2] ?? ""))?.[1];
    if (base === undefined || factor === undefined) return [];
    const end = match.index + match[0].length;
    return [{ start: match.index, end, value: base.value * factor, quality: MULTIPLE_QUALITY }];
  });
}

/** Reads a number from a single word that its line does not show. */
function readWord(text: string, confidence: number, notation: Notation): NumberReading[] {
  const whole = { start: 0, end: text.length };
  const unit = UNIT_FORM.exec(text)?.[1];
  const [measure] = unit === undefined ? [] : scanNumbers(unit, notation);
  if (measure !== undefined) return [{ ...whole, value: measure.value, quality: WITH_UNIT_QUALITY }];
  if (confidence < 1 && /\d/.test(text) && /[OoIlSBZ|]/.test(text) && MISREAD_FORM.test(text))
    return readNumbers(
      text.replace(/[OoIlSBZ|]/g, (char) => DIGITS[char] ?? char),
      notation,
      MISREAD_QUALITY,
    ).map((read) => ({ ...read, ...whole }));
  return [];
}

export class PrintedNumbers {
  readonly #printed: PrintedWords;
  readonly #notation: Notation;
  readonly #entries = new Map<string, NumberEntry[]>();

  constructor(printed: PrintedWords, conventions: Conventions) {
    this.#printed = printed;
    this.#notation = conventions.notation;
    for (const passage of passages(printed)) this.#readPassage(passage);
    for (const entries of this.#entries.values()) entries.sort((a, b) => a.first - b.first || b.quality - a.quality);
  }

  #add(read: NumberReading, numbers: readonly number[]): void {
    if (numbers.length === 0) return;
    const key = keyOf(read.value);
    const list = this.#entries.get(key) ?? [];
    // The same words may be read twice, by line and by word.
    const first = numbers[0] ?? 0;
    const last = numbers.at(-1) ?? first;
    if (list.slice(-4).some((one) => one.first <= first && last <= one.last && one.quality >= read.quality)) return;
    list.push({ first, last, quality: read.quality, negative: read.value < 0, occurrence: undefined });
    this.#entries.set(key, list);
  }

  #readPassage(passage: Passage): void {
    const { text } = passage;
    if (!/\d/.test(text) && !/[IlOSBZ|]{2}/.test(text)) return;
    const alone = new Set<number>();
    const reads = [...readNumbers(text, this.#notation, EXACT_QUALITY), ...readMultiples(text, this.#notation)];
    if (isAmbiguous(text)) reads.push(...readNumbers(text, otherNotation(this.#notation), OTHER_NOTATION_QUALITY));
    for (const read of reads) {
      const numbers = passage.wordsBetween(read.start, read.end);
      if (numbers.length === 1) alone.add(numbers[0] ?? 0);
      this.#add(read, numbers);
    }
    for (const number of passage.wordsBetween(0, text.length)) if (!alone.has(number)) this.#readWord(number);
  }

  /** Reads a word alone: `50 275,00` may be one number or two. */
  #readWord(number: number): void {
    const token = this.#printed.tokens[number];
    if (token === undefined) return;
    const own = /\d/.test(token.text) ? readNumbers(token.text, this.#notation, EXACT_QUALITY) : [];
    const reads = own.length === 0 ? readWord(token.text, token.confidence, this.#notation) : own;
    for (const read of reads) this.#add(read, [number]);
  }

  /** Places of a number in page order; with lower quality where its sign differs. */
  find(value: number): Occurrence[] {
    const entries = this.#entries.get(keyOf(value)) ?? [];
    return entries.flatMap((entry) => {
      if (value === 0 || entry.negative === value < 0) return [this.#occurrenceOf(entry)];
      if (Number.isInteger(value) && Math.abs(value) < MIN_UNSIGNED_NUMBER) return [];
      return [{ ...this.#occurrenceOf(entry), quality: entry.quality * OTHER_SIGN_FACTOR }];
    });
  }

  #occurrenceOf(entry: NumberEntry): Occurrence {
    const { first, last, quality } = entry;
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    entry.occurrence ??= occurrenceOf(this.#printed, numbers, quality);
    return entry.occurrence;
  }
}
