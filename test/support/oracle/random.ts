/** Reproducible random choices. */
import { randomFrom } from "../../../bench/schedule/graphs.ts";

export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomFrom(seed);
  }

  /** A whole number from 0 to below `most`. */
  below(most: number): number {
    return Math.floor(this.#next() * most);
  }

  is(share: number): boolean {
    return this.#next() < share;
  }

  of<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }

  /** Some of the values, in any order. */
  some<Value>(values: readonly Value[], most: number): Value[] {
    return this.shuffle(values).slice(0, this.below(Math.min(most, values.length) + 1));
  }

  shuffle<Value>(values: readonly Value[]): Value[] {
    return values
      .map((value) => ({ value, at: this.#next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);
  }
}
