/** The statistics of repeated measurements, with made samples. */
import { describe, expect, it } from "vitest";
import {
  isNarrow,
  judge,
  medianRanks,
  quantileRanks,
  quantileSpread,
  repeatUntilNarrow,
  sayFigure,
  spreadOf,
} from "../../../bench/support/repeat.ts";

/** Numbers from 0 to below 1, always the same. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("spreadOf", () => {
  it("gives the median, and the range of few values", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3, rounds: 3 });
    expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, low: 1, high: 4, rounds: 4 });
    expect(() => spreadOf([])).toThrow("No round was measured");
  });

  it("takes the ranks of the binomial tables: 6, 10, 20 and 40 values", () => {
    expect([6, 10, 20, 40].map(medianRanks)).toEqual([
      [0, 5],
      [1, 8],
      [5, 14],
      [13, 26],
    ]);
  });

  it("encloses the true median in 95 of 100 samples, also of lopsided times", () => {
    const random = numbers(7);
    let enclosed = 0;
    for (let sample = 0; sample < 2000; sample++) {
      // The median of an exponential distribution is ln 2.
      const { low, high } = spreadOf(Array.from({ length: 20 }, () => -Math.log(1 - random())));
      if (low <= Math.LN2 && high >= Math.LN2) enclosed += 1;
    }
    expect(enclosed / 2000).toBeGreaterThan(0.94);
    expect(enclosed / 2000).toBeLessThan(0.99);
  });
});

describe("quantileSpread", () => {
  it("has an interval of a 95th percentile from 72 values on", () => {
    expect([71, 72].map((count) => quantileRanks(count, 0.95).isEnclosed)).toEqual([false, true]);
    expect([5, 6].map((count) => quantileRanks(count, 0.5).isEnclosed)).toEqual([false, true]);
    expect(() => quantileSpread([], 0.5)).toThrow("Nothing was measured");
  });

  it("encloses the true percentile in 95 of 100 samples", () => {
    const random = numbers(11);
    let enclosed = 0;
    for (let sample = 0; sample < 2000; sample++) {
      const { low, high } = quantileSpread(
        Array.from({ length: 100 }, () => random()),
        0.95,
      );
      if (low <= 0.95 && high >= 0.95) enclosed += 1;
    }
    expect(enclosed / 2000).toBeGreaterThan(0.94);
    expect(enclosed / 2000).toBeLessThan(0.99);
  });
});

describe("repeatUntilNarrow", () => {
  it("stops as soon as the interval is narrow, after six rounds at least", async () => {
    const { spreads, isNarrow: narrow } = await repeatUntilNarrow(async () => ({ ratio: 2 }));
    expect(spreads.ratio).toEqual({ median: 2, low: 2, high: 2, rounds: 6 });
    expect(narrow).toBe(true);
  });

  it("repeats noisy rounds, and says INCONCLUSIVE where they stay wide", async () => {
    const random = numbers(3);
    const calm = await repeatUntilNarrow(async () => ({ ratio: 1 + random() * 0.2 }));
    expect(calm.isNarrow).toBe(true);
    expect(calm.spreads.ratio.rounds).toBeGreaterThan(6);
    const wild = await repeatUntilNarrow(async () => ({ ratio: random() * 10 }), { mostRounds: 12 });
    expect(wild.spreads.ratio.rounds).toBe(12);
    expect(wild.isNarrow).toBe(false);
    expect(sayFigure(wild.spreads.ratio, wild.isNarrow)).toMatch(/^INCONCLUSIVE \(.+, 12 rounds\)$/);
    expect(sayFigure(calm.spreads.ratio, calm.isNarrow)).toMatch(/^1\.\d\d \(1\.\d\d to 1\.\d\d, \d+ rounds\)$/);
  });

  it("watches the named measures only, and ends at its time", async () => {
    const random = numbers(5);
    const some = async () => ({ ratio: 1, seconds: random() });
    expect((await repeatUntilNarrow(some, { narrow: ["ratio"] })).spreads.seconds.rounds).toBe(6);
    expect((await repeatUntilNarrow(some, { mostMs: 0 })).spreads.ratio.rounds).toBe(1);
  });
});

describe("judge", () => {
  it("decides by the whole interval", () => {
    expect(judge({ low: 0.9, high: 1 }, { least: 0.8 })).toBe("holds");
    expect(judge({ low: 0.7, high: 0.79 }, { least: 0.8 })).toBe("FAILED");
    expect(judge({ low: 0.7, high: 0.9 }, { least: 0.8 })).toBe("INCONCLUSIVE");
    expect(judge({ low: 2, high: 3 }, { most: 3 })).toBe("holds");
    expect(judge({ low: 4, high: 5 }, { most: 3 })).toBe("FAILED");
    expect(isNarrow({ median: 1, low: 1, high: 1, rounds: 5 }, 0.1)).toBe(false);
  });
});
