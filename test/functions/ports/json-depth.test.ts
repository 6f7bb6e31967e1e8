/** The nesting of JSON, counted in its text. */
import { describe, expect, it } from "vitest";
import { depthOfJson } from "../../../functions/ports/json-depth.ts";

describe("depthOfJson", () => {
  it.each([
    [0, 1],
    [0, "[[[["],
    [1, []],
    [1, { a: 1, b: 2 }],
    [3, [[], { a: [] }, []]],
    [2, { "[{": ['"[', '\\"[[', "\\"], "\\": 1 }],
    [1, ["", '"', '\\\\"[', "\u2028{"]],
  ])("is %i for %j", (depth, value) => {
    expect(depthOfJson(JSON.stringify(value))).toBe(depth);
    expect(depthOfJson(JSON.stringify(value, null, 2))).toBe(depth);
  });

  it("counts a hundred thousand levels without recursion", () => {
    expect(depthOfJson(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toBe(100_000);
  });
});
