/** Label keys and what they mean, searchable from the front. */

export interface LabelMeaning {
  concept: string;
  /** 1 for a label that always means the concept, less for one that often does not. */
  strength: number;
}

/** An index of label keys (`labelKey`), perhaps laid over a larger one that many documents share. */
export class LabelIndex {
  readonly #meanings: ReadonlyMap<string, readonly LabelMeaning[]>;
  /** Every beginning of every key, so that a search can stop early. */
  readonly #beginnings = new Set<string>();
  readonly #base: LabelIndex | null;

  constructor(meanings: ReadonlyMap<string, readonly LabelMeaning[]>, base: LabelIndex | null = null) {
    this.#meanings = meanings;
    this.#base = base;
    for (const key of meanings.keys()) {
      for (let length = 1; length <= key.length; length += 1) this.#beginnings.add(key.slice(0, length));
    }
  }

  /** Meanings of a key, those of the shared index first; empty for none. */
  meaningsOf(key: string): readonly LabelMeaning[] {
    const own = this.#meanings.get(key) ?? [];
    const shared = this.#base?.meaningsOf(key) ?? [];
    return own.length === 0 ? shared : [...shared, ...own];
  }

  /** Does any key begin so? */
  begins(key: string): boolean {
    return this.#beginnings.has(key) || (this.#base?.begins(key) ?? false);
  }
}
