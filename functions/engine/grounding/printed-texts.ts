/** Finds texts among printed words: exact, with other spacing, misrecognised, or scattered. */

import { leastConfidence, type Token } from "../structure/view/tokens.ts";
import { parseNumber } from "../values/numbers.ts";
import { foldText } from "../values/text-folding.ts";
import { FuzzySearch } from "./fuzzy-search.ts";
import { distanceTolerance, foldLookalikes, ocrEditDistance } from "./ocr-edit-distance.ts";
import { ComparisonBudget, type Occurrence, occurrenceOf, type PrintedWords } from "./printed-words.ts";
import { type ScatteredMatch, scatteredMatches } from "./scattered-text.ts";
import { type PartRange, textParts, textRuns, WordStream } from "./word-stream.ts";

/** Characters of a value that are compared. */
const MAX_VALUE_CHARACTERS = 40_000;
/** Budget of comparisons with similar words, for all values together. */
const MAX_FUZZY_COMPARISONS = 15_000_000;
/** Texts up to that many characters must be printed exactly. */
const MAX_EXACT_ONLY_CHARACTERS = 3;

/** Match quality by the kind of match. */
const FOLDED_QUALITY = 0.98;
const RESPACED_QUALITY = 0.95;
const SHORT_OTHER_CASE_QUALITY = 0.55;
const SEVERAL_BLOCKS_FACTOR = 0.95;
const INSIDE_WORD_QUALITY = 0.85;
const INSIDE_NUMBER_QUALITY = 0.6;
const MISREAD_QUALITY = 0.88;
const SCATTERED_QUALITY = 0.85;

const EDGE_SIGNS = /^[^\p{L}\p{N}+\-−(€$£]+|[^\p{L}\p{N}%€$£)]+$/gu;
const trimSigns = (text: string): string => text.replace(EDGE_SIGNS, "");
const joinWords = (tokens: readonly Token[]): string => tokens.map((token) => token.text).join(" ");
/** Letters and digits, with the marks inside numbers: 1.5 is not 15. */
const withNumberMarks = (text: string): string =>
  text.replace(/(?<=\d)[.,](?=\d)/g, ".").replace(/[^\p{L}\p{N}.]|(?<!\d)\.|\.(?!\d)/gu, "");
/** The numbers that a text may mean, in either notation. */
const possibleNumbers = (text: string): number[] =>
  (["point", "comma"] as const).flatMap((notation) => parseNumber(text, notation) ?? []);

/** Two texts of the same letters and digits mean different numbers: 1.5 and 15, 5 and -5. */
function sayOtherNumbers(value: string, printed: string): boolean {
  const [a, b] = [possibleNumbers(value), possibleNumbers(printed)];
  if (a.length > 0 && b.length > 0) return !a.some((number) => b.includes(number));
  return /\d[.,]\d/.test(value + printed) && withNumberMarks(foldText(value)) !== withNumberMarks(foldText(printed));
}

/**
 * Quality of words that hold more than the value: the year of a date, one part of a double name. Null if they mean
 * something else.
 */
function insideFactor(value: string, text: string): number | null {
  const [own, all] = [textParts(value).join(""), textParts(text).join("")];
  if (own.length === all.length) return 1;
  const at = all.indexOf(own);
  if (at < 0) return INSIDE_WORD_QUALITY;
  // `Nr:123`, `(Berlin)`: a label or bracket beside the value does not lower the quality.
  const printed = foldText(text);
  const folded = foldText(value).trim();
  const place = printed.indexOf(folded);
  const before = printed.charAt(place - 1);
  const after = printed.charAt(place + folded.length);
  if (place >= 0 && /^$|[\s:#°=([{"'|]/.test(before) && /^$|[\s)\]}"'|;:]/.test(after)) return 0.97;
  if (/^\d+$/.test(own)) {
    // Digits inside a code match, digits inside another number do not.
    const numbers = possibleNumbers(trimSigns(text));
    return own.length <= 2 || (numbers.length > 0 && !numbers.includes(Number(own))) ? null : INSIDE_NUMBER_QUALITY;
  }
  if (own.length >= MAX_EXACT_ONLY_CHARACTERS) return INSIDE_WORD_QUALITY;
  // `kg` matches in `10kg`, but `NL` does not in `NL12`.
  return new RegExp(`^\\d+${own}$`).test(all) ? INSIDE_WORD_QUALITY : null;
}

/** Match quality of printed words; 0 if they mean something else. @param apart they stand in several blocks */
function qualityOf(value: string, text: string, apart: boolean): number {
  const [own, printed] = [trimSigns(value.replace(/\s+/g, " ")), trimSigns(text)];
  if (own === printed || value === printed) return 1;
  const inside = insideFactor(value, text);
  if (inside === null) return 0;
  if (inside === 1 && sayOtherNumbers(value, printed)) return 0;
  const spelt = printed.includes(own);
  const compact = textParts(own).join("");
  if (compact.length <= MAX_EXACT_ONLY_CHARACTERS && !spelt) return SHORT_OTHER_CASE_QUALITY * inside;
  const form = spelt || foldText(own) === foldText(printed) ? FOLDED_QUALITY : RESPACED_QUALITY;
  return (inside === 1 ? form : inside) * (apart ? SEVERAL_BLOCKS_FACTOR : 1);
}

export class PrintedTexts {
  readonly #printed: PrintedWords;
  readonly #budget: ComparisonBudget;
  /** A budget of its own: similar matches must not use up the budget of exact ones. */
  readonly #doubtful = new ComparisonBudget(MAX_FUZZY_COMPARISONS);
  readonly #reading: WordStream;
  #visual: WordStream | undefined;
  #lookalikes: WordStream | undefined;
  #fuzzySearch: FuzzySearch | undefined;
  readonly #signs = new Map<string, number[]>();

  constructor(printed: PrintedWords, budget: ComparisonBudget) {
    this.#printed = printed;
    this.#budget = budget;
    this.#reading = new WordStream(printed, printed.reading, textParts);
    for (const [number, { text }] of printed.tokens.entries()) {
      if (/[\p{L}\p{N}]/u.test(text)) continue;
      const list = this.#signs.get(text) ?? [];
      list.push(number);
      this.#signs.set(text, list);
    }
  }

  /** Finds the text exactly, also across lines: in reading order, else row by row. */
  findExact(value: string): Occurrence[] {
    const text = value.slice(0, MAX_VALUE_CHARACTERS);
    const parts = textParts(text);
    if (parts.length === 0)
      return (this.#signs.get(text.trim()) ?? []).map((number) => occurrenceOf(this.#printed, [number], 0.9));
    const found = this.#judged(text, this.#reading, this.#reading.find(parts, this.#budget));
    if (found.length > 0) return found;
    this.#visual ??= new WordStream(this.#printed, [...this.#printed.tokens.keys()], textParts);
    return this.#judged(text, this.#visual, this.#visual.find(parts, this.#budget));
  }

  #judged(value: string, stream: WordStream, stretches: readonly PartRange[]): Occurrence[] {
    const found = new Map<number, Occurrence>();
    // A book of tables prints most values many times, in few forms.
    const qualities = new Map<string, number>();
    for (const stretch of stretches) {
      const one = occurrenceOf(this.#printed, stream.wordsOf(stretch, value), 1);
      const text = joinWords(one.tokens);
      const apart = new Set(one.tokens.map((token) => token.block)).size > 1;
      const quality = qualities.get(`${apart} ${text}`) ?? qualityOf(value, text, apart);
      qualities.set(`${apart} ${text}`, quality);
      if (quality > (found.get(one.first)?.quality ?? 0)) found.set(one.first, { ...one, quality });
    }
    return [...found.values()].sort((a, b) => a.first - b.first);
  }

  /** Finds what recognition may have made of the text: lookalikes first, then an edit or two. */
  findMisread(value: string): Occurrence[] {
    const folded = textRuns(value.slice(0, MAX_VALUE_CHARACTERS)).join("");
    // Digits alone are numbers, with confusions of their own.
    if (folded.length <= MAX_EXACT_ONLY_CHARACTERS || folded.length > 400) return [];
    this.#lookalikes ??= new WordStream(this.#printed, this.#printed.reading, (text) =>
      [foldLookalikes(textRuns(text).join(""))].filter((key) => key !== ""),
    );
    const stream = this.#lookalikes;
    const runs = value
      .split(/\s+/)
      .map((word) => foldLookalikes(textRuns(word).join("")))
      .filter((key) => key !== "");
    const alike = this.#closest(folded, stream, stream.find(runs, this.#doubtful));
    if (alike.length > 0) return alike;
    this.#fuzzySearch ??= new FuzzySearch(stream, this.#doubtful);
    return this.#closest(folded, stream, this.#fuzzySearch.find(runs));
  }

  #closest(folded: string, stream: WordStream, stretches: readonly PartRange[]): Occurrence[] {
    const found = stretches.flatMap((stretch) => {
      const one = occurrenceOf(this.#printed, stream.wordsOf(stretch, ""), 1);
      const printed = textRuns(joinWords(one.tokens)).join("");
      const sureness = leastConfidence(one.tokens);
      const limit = distanceTolerance(folded.length, sureness);
      if (!this.#doubtful.spend(Math.ceil((folded.length * printed.length) / 16))) return [];
      const distance = ocrEditDistance(folded, printed, limit);
      return distance > limit
        ? []
        : [{ ...one, quality: MISREAD_QUALITY - 0.3 * (distance / Math.max(limit, 0.1)) * (limit / (limit + 1)) }];
    });
    const best = found.reduce((most, { quality }) => Math.max(most, quality), 0);
    return found.filter(({ quality }) => quality > best - 0.05).sort((a, b) => a.first - b.first);
  }

  /** Finds the text's words close together, in another order or with other words between: addresses, long texts. */
  findScattered(value: string): Occurrence[] {
    const parts = textParts(value.slice(0, MAX_VALUE_CHARACTERS));
    const matches = scatteredMatches(parts, this.#reading, this.#doubtful);
    return matches.map(({ positions, share }: ScatteredMatch) => {
      const numbers = [...new Set(positions.map((position) => this.#reading.owners[position] ?? 0))];
      return occurrenceOf(this.#printed, numbers, SCATTERED_QUALITY * share);
    });
  }
}
