/** Label keys and what they mean, searchable from the front. */
import { lowerBound } from "../../layout/binary-search.ts";

export interface LabelMeaning {
  concept: string;
  /** 1 for a label that always means the concept, less for one that often does not. */
  strength: number;
}

type Meanings = ReadonlyMap<string, readonly LabelMeaning[]>;

/** An index of label keys (`labelKey`), perhaps laid over a larger one that many documents share. */
export class LabelIndex {
  readonly #meanings: () => Meanings;
  #keys: readonly string[] | undefined;
  readonly #base: LabelIndex | null;

  /** @param meanings or what gives them, which is called at each use of the index, but not before the first */
  constructor(meanings: Meanings | (() => Meanings), base: LabelIndex | null = null) {
    this.#meanings = typeof meanings === "function" ? meanings : () => meanings;
    this.#base = base;
  }

  /** The keys in order of their code units: those that begin alike stand together. */
  #sortedKeys(): readonly string[] {
    this.#keys ??= [...this.#meanings().keys()].sort();
    return this.#keys;
  }

  /** Meanings of a key, those of the shared index first; empty for none. */
  meaningsOf(key: string): readonly LabelMeaning[] {
    const own = this.#meanings().get(key) ?? [];
    const shared = this.#base?.meaningsOf(key) ?? [];
    return own.length === 0 ? shared : [...shared, ...own];
  }

  /** Does any key begin so? A search can stop early where none does. */
  begins(start: string): boolean {
    const keys = this.#sortedKeys();
    const first = keys[lowerBound(keys, (key) => key, start)];
    return (first?.startsWith(start) ?? false) || (this.#base?.begins(start) ?? false);
  }
}
