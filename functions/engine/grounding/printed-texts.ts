import type { Token } from "../structure/view/tokens.ts";
import { parseNumber } from "../values/numbers.ts";
import { foldText } from "../values/text-folding.ts";
import { Vicinity } from "./fuzzy-search.ts";
import { confusionDistance, lookalike, toleranceFor } from "./ocr-edit-distance.ts";
import { Budget, type Occurrence, occurrence, type Printed } from "./printed-words.ts";
import { type Loose, looseMatches } from "./scattered-text.ts";
import { partsOf, runsOf, Stream, type Stretch } from "./word-stream.ts";

/** Characters of a value that are compared; the rest follows from where they stand. */
const LONGEST_VALUE = 40_000;
/** Comparisons with words that are not the text's own, for all values together. */
const DOUBTFUL_STEPS = 15_000_000;
/** In characters: what is that short must be printed exactly so. */
const SHORT = 3;

/** How well the printed words are the text. */
const FOLDED = 0.98;
const RESPACED = 0.95;
const OTHER_CASE_SHORT = 0.55;
const OTHER_BLOCK = 0.95;
const INSIDE_WORD = 0.85;
const INSIDE_NUMBER = 0.6;
const MISREAD = 0.88;
const LOOSE = 0.85;

const EDGES = /^[^\p{L}\p{N}+\-−(€$£]+|[^\p{L}\p{N}%€$£)]+$/gu;
const bare = (text: string): string => text.replace(EDGES, "");
const joined = (tokens: readonly Token[]): string => tokens.map((token) => token.text).join(" ");
/** Digits with the marks between them: 1.5 is not 15. */
const marks = (text: string): string =>
  text.replace(/(?<=\d)[.,](?=\d)/g, ".").replace(/[^\p{L}\p{N}.]|(?<!\d)\.|\.(?!\d)/gu, "");
/** What a text may be as a number, in either notation. */
const numeric = (text: string): number[] =>
  (["point", "comma"] as const).flatMap((notation) => parseNumber(text, notation) ?? []);

/** Two texts of the same letters and digits that say different things: 1.5 and 15, 5 and -5. */
function contradict(value: string, printed: string): boolean {
  const [a, b] = [numeric(value), numeric(printed)];
  if (a.length > 0 && b.length > 0) return !a.some((number) => b.includes(number));
  return /\d[.,]\d/.test(value + printed) && marks(foldText(value)) !== marks(foldText(printed));
}

/** Of words that hold more than the value: the year of a date, a name of a double name. */
function insideFactor(value: string, text: string): number | null {
  const [own, all] = [partsOf(value).join(""), partsOf(text).join("")];
  if (own.length === all.length) return 1;
  const at = all.indexOf(own);
  if (at < 0) return INSIDE_WORD;
  // `Nr:123`, `(Berlin)`: a label or a bracket before it takes nothing from it.
  const printed = foldText(text);
  const folded = foldText(value).trim();
  const place = printed.indexOf(folded);
  const before = printed.charAt(place - 1);
  const after = printed.charAt(place + folded.length);
  if (place >= 0 && /^$|[\s:#°=([{"'|]/.test(before) && /^$|[\s)\]}"'|;:]/.test(after)) return 0.97;
  if (/^\d+$/.test(own)) {
    // Digits of a code, but not of another number.
    const numbers = numeric(bare(text));
    return own.length <= 2 || (numbers.length > 0 && !numbers.includes(Number(own))) ? null : INSIDE_NUMBER;
  }
  if (own.length >= SHORT) return INSIDE_WORD;
  // `kg` of `10kg`, but not `NL` of `NL12`.
  return new RegExp(`^\\d+${own}$`).test(all) ? INSIDE_WORD : null;
}

/** How well printed words are a value; 0 where they say something else. @param apart they stand in several blocks */
function qualityOf(value: string, text: string, apart: boolean): number {
  const [own, printed] = [bare(value.replace(/\s+/g, " ")), bare(text)];
  if (own === printed || value === printed) return 1;
  const inside = insideFactor(value, text);
  if (inside === null) return 0;
  if (inside === 1 && contradict(value, printed)) return 0;
  const spelt = printed.includes(own);
  const compact = partsOf(own).join("");
  if (compact.length <= SHORT && !spelt) return OTHER_CASE_SHORT * inside;
  const form = spelt || foldText(own) === foldText(printed) ? FOLDED : RESPACED;
  return (inside === 1 ? form : inside) * (apart ? OTHER_BLOCK : 1);
}

export class PrintedTexts {
  readonly #printed: Printed;
  readonly #budget: Budget;
  /** What nearly matches must not use up what finding exact words takes. */
  readonly #doubtful = new Budget(DOUBTFUL_STEPS);
  readonly #reading: Stream;
  #visual: Stream | undefined;
  #lookalikes: Stream | undefined;
  #vicinity: Vicinity | undefined;
  readonly #signs = new Map<string, number[]>();

  constructor(printed: Printed, budget: Budget) {
    this.#printed = printed;
    this.#budget = budget;
    this.#reading = new Stream(printed, printed.reading, partsOf);
    for (const [number, { text }] of printed.tokens.entries()) {
      if (/[\p{L}\p{N}]/u.test(text)) continue;
      const list = this.#signs.get(text) ?? [];
      list.push(number);
      this.#signs.set(text, list);
    }
  }

  /** Where exactly this text stands, also across lines: in the reader's order, else row by row. */
  exact(value: string): Occurrence[] {
    const text = value.slice(0, LONGEST_VALUE);
    const parts = partsOf(text);
    if (parts.length === 0)
      return (this.#signs.get(text.trim()) ?? []).map((number) => occurrence(this.#printed, [number], 0.9));
    const found = this.#judged(text, this.#reading, this.#reading.find(parts, this.#budget));
    if (found.length > 0) return found;
    this.#visual ??= new Stream(this.#printed, [...this.#printed.tokens.keys()], partsOf);
    return this.#judged(text, this.#visual, this.#visual.find(parts, this.#budget));
  }

  #judged(value: string, stream: Stream, stretches: readonly Stretch[]): Occurrence[] {
    const found = new Map<number, Occurrence>();
    // A book of tables says most values many times, in a few ways.
    const qualities = new Map<string, number>();
    for (const stretch of stretches) {
      const one = occurrence(this.#printed, stream.wordsOf(stretch, value), 1);
      const text = joined(one.tokens);
      const apart = new Set(one.tokens.map((token) => token.block)).size > 1;
      const quality = qualities.get(`${apart} ${text}`) ?? qualityOf(value, text, apart);
      qualities.set(`${apart} ${text}`, quality);
      if (quality > (found.get(one.first)?.quality ?? 0)) found.set(one.first, { ...one, quality });
    }
    return [...found.values()].sort((a, b) => a.first - b.first);
  }

  /** What recognition may have made of the text: look-alikes first, then a letter or two more, less or other. */
  misread(value: string): Occurrence[] {
    const folded = runsOf(value.slice(0, LONGEST_VALUE)).join("");
    // Digits alone are numbers: those have confusions of their own.
    if (folded.length <= SHORT || folded.length > 400) return [];
    this.#lookalikes ??= new Stream(this.#printed, this.#printed.reading, (text) =>
      [lookalike(runsOf(text).join(""))].filter((key) => key !== ""),
    );
    const stream = this.#lookalikes;
    const runs = value
      .split(/\s+/)
      .map((word) => lookalike(runsOf(word).join("")))
      .filter((key) => key !== "");
    const alike = this.#closest(folded, stream, stream.find(runs, this.#doubtful));
    if (alike.length > 0) return alike;
    this.#vicinity ??= new Vicinity(stream, this.#doubtful);
    return this.#closest(folded, stream, this.#vicinity.near(runs));
  }

  #closest(folded: string, stream: Stream, stretches: readonly Stretch[]): Occurrence[] {
    const found = stretches.flatMap((stretch) => {
      const one = occurrence(this.#printed, stream.wordsOf(stretch, ""), 1);
      const printed = runsOf(joined(one.tokens)).join("");
      const sureness = one.tokens.reduce((least, token) => Math.min(least, token.confidence), 1);
      const limit = toleranceFor(folded.length, sureness);
      if (!this.#doubtful.spend(Math.ceil((folded.length * printed.length) / 16))) return [];
      const distance = confusionDistance(folded, printed, limit);
      return distance > limit
        ? []
        : [{ ...one, quality: MISREAD - 0.3 * (distance / Math.max(limit, 0.1)) * (limit / (limit + 1)) }];
    });
    const best = found.reduce((most, { quality }) => Math.max(most, quality), 0);
    return found.filter(({ quality }) => quality > best - 0.05).sort((a, b) => a.first - b.first);
  }

  /** The text's words close together, in another order or with other words between: addresses, long texts. */
  loose(value: string): Occurrence[] {
    const parts = partsOf(value.slice(0, LONGEST_VALUE));
    const matches = looseMatches(parts, this.#reading, this.#doubtful);
    return matches.map(({ positions, share }: Loose) => {
      const numbers = [...new Set(positions.map((position) => this.#reading.owners[position] ?? 0))];
      return occurrence(this.#printed, numbers, LOOSE * share);
    });
  }
}
