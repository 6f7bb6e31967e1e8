import { describe, expect, it } from "vitest";
import { readPageRanges } from "../../../../functions/engine/values/page-ranges.ts";

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
