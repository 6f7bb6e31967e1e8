import { describe, expect, it } from "vitest";
import { alignLists } from "../../../client/eval/align.ts";
import { bestPairs } from "../../../client/eval/assignment.ts";
import type { Json } from "../../../client/index.ts";
import { Random } from "../../functions/engine/extraction/prng.ts";

const best = (expected: Json[], got: Json[]) => alignLists(expected, got, { align: "best" });

describe("bestPairs", () => {
  /** The best sum over all assignments, by brute force. */
  function most(gains: number[][], row = 0, taken: readonly number[] = []): number {
    if (row === gains.length) return 0;
    const without = most(gains, row + 1, taken);
    const withOne = (gains[row] ?? []).map((gain, column) =>
      taken.includes(column) ? 0 : gain + most(gains, row + 1, [...taken, column]),
    );
    return Math.max(without, ...withOne);
  }

  it("finds the largest sum", () => {
    const random = new Random(7);
    for (let round = 0; round < 200; round += 1) {
      const [rows, columns] = [random.int(1, 5), random.int(1, 5)];
      const gains = Array.from({ length: rows }, () =>
        Array.from({ length: columns }, () => (random.next() < 0.3 ? 0 : random.int(1, 100) / 100)),
      );
      const pairs = bestPairs(rows, columns, (i, j) => gains[i]?.[j] ?? 0);
      expect(new Set(pairs.map(([i]) => i)).size).toBe(pairs.length);
      expect(new Set(pairs.map(([, j]) => j)).size).toBe(pairs.length);
      const sum = pairs.reduce((total, [i, j]) => total + (gains[i]?.[j] ?? 0), 0);
      expect(sum).toBeCloseTo(most(gains), 3);
    }
  });

  it("keeps the order among ties, and leaves out pairs with nothing in common", () => {
    expect(bestPairs(3, 3, () => 0.5)).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    expect(bestPairs(2, 3, (i, j) => Number(i === 0 && j === 2))).toEqual([[0, 2]]);
    expect(bestPairs(0, 3, () => 1)).toEqual([]);
  });
});

describe("alignLists", () => {
  const row = (sku: string, net: number) => ({ sku, net, unit: "pc" });

  it("pairs entries by similarity, wherever they are", () => {
    const expected = [row("A-1", 10), row("B-2", 20), row("C-3", 30)];
    expect(best(expected, [row("C-3", 30), row("A-1", 10)])).toEqual([
      [0, 1],
      [2, 0],
    ]);
    // One misread letter, one wrong amount, one lost entry at the top.
    expect(best(expected, [row("B-Z", 20), row("C-3", 31)])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(best(expected, [row("Zzzz", 77)]).length).toBeLessThanOrEqual(1);
    expect(best([{ a: "x" }], [{ a: "entirely other" }])).toEqual([]);
  });

  it("considers only the members of the expected entry", () => {
    expect(
      best(
        [{ sku: "A" }, { sku: "B" }],
        [
          { sku: "B", page: 1 },
          { sku: "A", page: 1 },
        ],
      ),
    ).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it("pairs plain values, lists and repeated entries", () => {
    expect(best(["red", "green"], ["Green.", "red"])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(best(["a", "a", "b"], ["a", "b", "a"])).toEqual([
      [0, 0],
      [1, 2],
      [2, 1],
    ]);
    expect(best([[1, 2], [3]], [[3], [1, 2]])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(best([null, 3], [3])).toEqual([[1, 0]]);
  });

  it("pairs by a key, however different the rest is", () => {
    const expected = [row("A-1", 10), row("A-1", 11), row("B-2", 20)];
    const got = [row("b-2", 99), row("A-1", 77), { net: 3 }];
    expect(alignLists(expected, got, { align: "key", key: ["sku"] })).toEqual([
      [0, 1],
      [2, 0],
    ]);
    expect(alignLists(expected, got, { align: "key", key: ["sku", "net"] })).toEqual([]);
    expect(alignLists(expected, got, { align: "order" })).toHaveLength(3);
  });

  it("pairs thousands of entries in time, with rows lost and changed everywhere", () => {
    const expected = Array.from({ length: 3200 }, (_, at) => ({
      id: `R-${at}`,
      name: `Name ${at % 97}`,
      sum: at * 1.25,
    }));
    const got = expected.flatMap((one, at) => (at % 10 === 3 ? [] : [{ ...one, name: `N${at % 97}`, id: one.id }]));
    const pairs = best(expected, got);
    expect(pairs).toHaveLength(2880);
    expect(pairs.every(([i, j]) => expected[i]?.id === got[j]?.id)).toBe(true);
  });
});
