import { describe, expect, test } from "vitest";
import { sortedByNumber } from "../../../../functions/engine/layout/sort-by-number.ts";

interface Item {
  number: number;
  place: number;
}

/** Numbers that repeat, from a fixed sequence. */
const items = (count: number, values: number): Item[] =>
  Array.from({ length: count }, (_, place) => ({ number: ((place * 7919) % values) / 4 - 3, place }));

const expected = (given: readonly Item[]): Item[] =>
  [...given].sort((a, b) => a.number - b.number || a.place - b.place);

describe("sortedByNumber", () => {
  test.each([0, 1, 2, 15, 16, 17, 33, 1_000, 5_000])("sorts %i items, and keeps the order of equal ones", (count) => {
    const given = items(count, 97);
    expect(sortedByNumber(given, ({ number }) => number)).toEqual(expected(given));
  });

  test("leaves the given list as it is, in order or not", () => {
    const given = items(40, 11);
    const before = [...given];
    expect(sortedByNumber(given, ({ number }) => number)).not.toBe(given);
    expect(given).toEqual(before);
    const sorted = expected(given);
    expect(sortedByNumber(sorted, ({ number }) => number)).toEqual(sorted);
  });

  test("a shorter list after a longer one holds only its own items", () => {
    sortedByNumber(items(3_000, 50), ({ number }) => number);
    expect(sortedByNumber([3, 1, 2], (number) => number)).toEqual([1, 2, 3]);
  });
});
