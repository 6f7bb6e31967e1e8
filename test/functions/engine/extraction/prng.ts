/** Seeded random numbers (xorshift, G. Marsaglia 2003), so that a failing case can be run again. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed >>> 0) + 1;
  }

  /** From 0 to below 1. */
  next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return this.#state / 4294967296;
  }

  /** A whole number from `low` to `high`. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new RangeError("Nothing to pick from");
    return item;
  }
}
