/** Where the values of a result stand among the words, and how well the words there are the values. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import { Labelling } from "../grounding/labelled-occurrences.ts";
import { Budget, lowerBound, type Occurrence, type Printed, wordsNamed } from "../grounding/printed-words.ts";
import type { Leaf } from "../grounding/result-leaves.ts";
import { Finder } from "../grounding/value-finder.ts";
import type { SourceLocation } from "../layout/source-locations.ts";
import type { Token } from "../structure/view/tokens.ts";

/** Where a value stands, as numbers of printed words. */
export interface Place {
  tokens: Token[];
  /** Numbers of its words, row by row. */
  numbers: number[];
  row: number;
  /** Rows that its words stand on. */
  rows: number;
  /** 0 to 1: how well the words are the value. */
  match: number;
  /** Of the least sure word. */
  ocr: number;
  /** How often the value is printed in the document. */
  count: number;
  /** Words before and behind go on with it, without a gap: it may be a part of what is printed. */
  before: Token | null;
  after: Token | null;
}

/** Comparisons that one result may cost: seconds, not minutes. */
const STEPS = 30_000_000;
/** Words before a location's first in which what was found may begin. */
const AROUND = 12;
/** Words that were read as the value in a way that cannot be gone over again. */
const UNPROVEN = 0.75;

export class Places {
  readonly #printed: Printed;
  readonly #finder: Finder;

  constructor(printed: Printed, conventions: Conventions, leaves: readonly Leaf[]) {
    this.#printed = printed;
    this.#finder = new Finder(printed, conventions, new Labelling(printed, leaves), new Budget(STEPS));
  }

  /** @returns null where the value is not located, or not at words */
  of(leaf: Leaf, location: SourceLocation | undefined): Place | null {
    if (location === undefined) return null;
    const numbers = location.sourceRefs
      .flatMap((reference) => wordsNamed(this.#printed, reference))
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
      match: found.length === 0 ? UNPROVEN : matchAt(found, numbers, tokens),
      ocr: tokens.reduce((least, token) => Math.min(least, token.confidence), 1),
      count: found.length,
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

/** The best of what was found at these words. */
function matchAt(found: readonly Occurrence[], numbers: readonly number[], tokens: readonly Token[]): number {
  const own = new Set(tokens);
  const first = numbers[0] ?? 0;
  const last = numbers.at(-1) ?? first;
  let best: number | null = null;
  const from = lowerBound(found, (one) => one.first, first - AROUND);
  for (const one of found.slice(from, from + 4 * AROUND)) {
    if (one.first > last) break;
    if (one.tokens.some((token) => own.has(token))) best = Math.max(best ?? 0, one.quality);
  }
  return best ?? UNPROVEN;
}
