import { describe, expect, it } from "vitest";
import { namePageRanges, readPageRanges } from "../../../../functions/engine/values/page-ranges.ts";

describe("readPageRanges", () => {
  it("reads numbers and ranges, sorted and each once", () => {
    expect(readPageRanges(["7", " 1 - 3", "2"])).toEqual([1, 2, 3, 7]);
  });

  it.each([["0"], ["3-1"], ["x"], [""], ["1-3-5"], ["1234567"]])("refuses %j", (range) => {
    expect(readPageRanges(["1", range])).toBeUndefined();
  });

  it("refuses more than 10,000 pages, counted as often as they are named", () => {
    expect(readPageRanges(["1-10000"])).toHaveLength(10_000);
    expect(readPageRanges(["1-10001"])).toBeUndefined();
    expect(readPageRanges(Array<string>(1_000_000).fill("1-9999"))).toBeUndefined();
  });
});

describe("namePageRanges", () => {
  it.each([
    [[], ""],
    [[7], "page 7"],
    [[60, 31, 32, 33, 31], "pages 31–33, 60"],
    [[1, 3], "pages 1, 3"],
  ])("of %j is %j", (pages, named) => {
    expect(namePageRanges(pages)).toBe(named);
  });

  it("counts the pages of more than 40 ranges", () => {
    const odd = Array.from({ length: 50 }, (_, index) => 2 * index + 1);
    expect(namePageRanges(odd)).toMatch(/^pages 1, 3, .*, 79 and 10 more$/);
  });
});
