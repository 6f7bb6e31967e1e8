/** The places of a result's values among the words, and how well the words match. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import { LeafLabels } from "../grounding/labelled-occurrences.ts";
import { ComparisonBudget, type Occurrence, type PrintedWords, wordNumbersAt } from "../grounding/printed-words.ts";
import { ValueFinder } from "../grounding/value-finder.ts";
import { lowerBound } from "../layout/binary-search.ts";
import type { SourceLocation } from "../layout/source-locations.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import { leastConfidence, type Token } from "../structure/view/tokens.ts";

/** The place of a value, as numbers of printed words. */
export interface ValuePlace {
  tokens: Token[];
  /** Numbers of its words, row by row. */
  numbers: number[];
  row: number;
  /** Number of rows that its words stand on. */
  rows: number;
  /** Match quality, 0 to 1. */
  match: number;
  /** Recognition confidence of its least certain word. */
  ocr: number;
  /** Adjacent words without a gap: the value may be a part of a longer text. */
  before: Token | null;
  after: Token | null;
}

/** Comparisons that one result may cost: seconds, not minutes. */
const MAX_COMPARISONS = 30_000_000;
/** Words before a location's first word at which an occurrence may begin. */
const MAX_WORDS_BEFORE = 12;
/** Match quality of words whose reading cannot be repeated. */
const UNPROVEN_MATCH = 0.75;

export class ValuePlaces {
  readonly #printed: PrintedWords;
  readonly #finder: ValueFinder;

  constructor(printed: PrintedWords, conventions: Conventions, leaves: readonly Leaf[]) {
    this.#printed = printed;
    this.#finder = new ValueFinder(
      printed,
      conventions,
      new LeafLabels(printed, leaves),
      new ComparisonBudget(MAX_COMPARISONS),
    );
  }

  /** @returns null for values not located at words */
  placeOf(leaf: Leaf, location: SourceLocation | undefined): ValuePlace | null {
    if (location === undefined) return null;
    const numbers = location.sourceRefs
      .flatMap((reference) => wordNumbersAt(this.#printed, reference))
      .sort((a, b) => a - b);
    const [first] = numbers;
    if (first === undefined) return null;
    const tokens = numbers.flatMap((number) => this.#printed.tokens[number] ?? []);
    const found = typeof leaf.value === "boolean" ? [] : this.#finder.find(leaf);
    return {
      tokens,
      numbers,
      row: this.#printed.rows[first] ?? 0,
      rows: new Set(numbers.map((number) => this.#printed.rows[number])).size,
      match: found.length === 0 ? UNPROVEN_MATCH : matchAt(found, numbers, tokens),
      ocr: leastConfidence(tokens),
      before: this.#neighbour(first, -1),
      after: this.#neighbour(numbers.at(-1) ?? first, 1),
    };
  }

  /** The next word of the same segment. */
  #neighbour(number: number, step: 1 | -1): Token | null {
    const { segments, tokens } = this.#printed;
    return segments[number + step] === segments[number] ? (tokens[number + step] ?? null) : null;
  }
}

/** The best match at these words. */
function matchAt(found: readonly Occurrence[], numbers: readonly number[], tokens: readonly Token[]): number {
  const own = new Set(tokens);
  const first = numbers[0] ?? 0;
  const last = numbers.at(-1) ?? first;
  let best: number | null = null;
  const from = lowerBound(found, (one) => one.first, first - MAX_WORDS_BEFORE);
  for (const one of found.slice(from, from + 4 * MAX_WORDS_BEFORE)) {
    if (one.first > last) break;
    if (one.tokens.some((token) => own.has(token))) best = Math.max(best ?? 0, one.quality);
  }
  return best ?? UNPROVEN_MATCH;
}
