/** Label keys and what they mean, searchable from the front. */
import { lowerBound } from "../../layout/binary-search.ts";

export interface LabelMeaning {
  concept: string;
  /** 1 for a label that always means the concept, less for one that often does not. */
  strength: number;
}

/** An index of label keys (`labelKey`), perhaps laid over a larger one that many documents share. */
export class LabelIndex {
  readonly #meanings: ReadonlyMap<string, readonly LabelMeaning[]>;
  /** The keys in order of their code units: those that begin alike stand together. */
  readonly #keys: readonly string[];
  readonly #base: LabelIndex | null;

  constructor(meanings: ReadonlyMap<string, readonly LabelMeaning[]>, base: LabelIndex | null = null) {
    this.#meanings = meanings;
    this.#base = base;
    this.#keys = [...meanings.keys()].sort();
  }

  /** Meanings of a key, those of the shared index first; empty for none. */
  meaningsOf(key: string): readonly LabelMeaning[] {
    const own = this.#meanings.get(key) ?? [];
    const shared = this.#base?.meaningsOf(key) ?? [];
    return own.length === 0 ? shared : [...shared, ...own];
  }

  /** Does any key begin so? A search can stop early where none does. */
  begins(start: string): boolean {
    const first = this.#keys[lowerBound(this.#keys, (key) => key, start)];
    return (first?.startsWith(start) ?? false) || (this.#base?.begins(start) ?? false);
  }
}
