/** Finds ranges of a word stream that may spell a text with an edit or so; callers judge their distance. */
import type { ComparisonBudget } from "./printed-words.ts";
import type { PartRange, WordStream } from "./word-stream.ts";

/** Lengths of words, in characters, that are searched with one edit. */
const MIN_WORD_CHARACTERS = 5;
const MAX_WORD_CHARACTERS = 32;
/** Distinct words that are indexed: as many as a long book has. */
const MAX_INDEXED_WORDS = 60_000;
/** Places of a word that are tried, and words of the text whose places are tried. */
const MAX_PLACES_PER_WORD = 50;
const MAX_ANCHOR_WORDS = 3;
/** Share of a text's characters that a range may be longer or shorter. */
const MAX_LENGTH_CHANGE_SHARE = 0.15;

/** The word and all its single deletions: two words that share one are an edit apart. */
function singleDeletions(word: string): string[] {
  const list = [word];
  for (let at = 0; at < word.length; at += 1) list.push(word.slice(0, at) + word.slice(at + 1));
  return list;
}

const isIndexable = (word: string): boolean => word.length >= MIN_WORD_CHARACTERS && word.length <= MAX_WORD_CHARACTERS;

export class FuzzySearch {
  readonly #stream: WordStream;
  readonly #budget: ComparisonBudget;
  #words: Map<string, string[]> | undefined;

  constructor(stream: WordStream, budget: ComparisonBudget) {
    this.#stream = stream;
    this.#budget = budget;
  }

  #index(): Map<string, string[]> {
    const words = new Map<string, string[]>();
    let count = 0;
    for (const word of this.#stream.vocabulary()) {
      if (!isIndexable(word)) continue;
      count += 1;
      if (count > MAX_INDEXED_WORDS) break;
      for (const rest of singleDeletions(word)) {
        const list = words.get(rest);
        if (list === undefined) words.set(rest, [word]);
        else list.push(word);
      }
    }
    return words;
  }

  /** Printed words about one edit away from a word. */
  #neighbours(word: string): string[] {
    if (!isIndexable(word) || !this.#budget.spend(word.length)) return [];
    this.#words ??= this.#index();
    const index = this.#words;
    return [...new Set(singleDeletions(word).flatMap((rest) => (index.get(rest) ?? []).slice(0, MAX_PLACES_PER_WORD)))];
  }

  /** @param runs the text's words in the stream's spelling */
  find(runs: readonly string[]): PartRange[] {
    const found: PartRange[] = [];
    const length = runs.join("").length;
    const places = runs.map((run) => this.#stream.positions(run));
    const anchors = [...places.keys()]
      .filter((at) => (places[at]?.length ?? 0) > 0 && (runs[at]?.length ?? 0) > 2)
      .sort((a, b) => (places[a]?.length ?? 0) - (places[b]?.length ?? 0))
      .slice(0, MAX_ANCHOR_WORDS);
    for (const at of anchors) {
      for (const place of (places[at] ?? []).slice(0, MAX_PLACES_PER_WORD))
        this.#around(place - at, runs.length, length, found);
    }
    if (anchors.length > 0) return found;
    const [first = ""] = runs;
    for (const neighbour of this.#neighbours(first)) {
      for (const place of this.#stream.positions(neighbour).slice(0, MAX_PLACES_PER_WORD))
        this.#around(place, runs.length, length, found);
    }
    return found;
  }

  /** Tries ranges of as many words as the text has, one more or one less: recognition splits and joins words. */
  #around(from: number, count: number, length: number, found: PartRange[]): void {
    const last = this.#stream.keys.length - 1;
    for (const shift of count > 1 ? [-1, 0, 1] : [0]) {
      for (const more of count > 1 ? [-1, 0, 1] : [0, 1]) {
        const begin = from + shift;
        const to = begin + count - 1 + more;
        if (begin < 0 || to < begin || to > last || !this.#budget.spend(count)) continue;
        const own = this.#stream.keys.slice(begin, to + 1).reduce((sum, key) => sum + key.length, 0);
        if (Math.abs(own - length) <= 1 + length * MAX_LENGTH_CHANGE_SHARE) found.push({ from: begin, to });
      }
    }
  }
}
