/** Results that would be too large are refused before they are made. */
import { describe, expect, it } from "vitest";
import { isLarger, MAX_RESULT_BYTES, writeResult } from "../../../../functions/engine/nodes/result-size.ts";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { compute, many } from "./transforms.ts";

const LARGE = "x".repeat(1_000_000);
const tooLarge = /^Processing failed: The result of the node "node" has more than 10,000,000 bytes of JSON; /;

describe("isLarger and writeResult", () => {
  it.each<[Json]>([["abc"], [12], [null], [[]], [{ a: [1, "b"], c: {} }]])(
    "never overestimate the JSON of %j",
    (value) => {
      const { length } = JSON.stringify(value);
      expect(isLarger(value, length)).toBe(false);
      expect(isLarger([value, value], 1)).toBe(true);
    },
  );

  it("count repeated values each time, and stop when the result is certain", () => {
    const ten: Json = many(10).map(() => LARGE);
    expect(isLarger(ten, 9_999_999)).toBe(true);
    expect(isLarger(ten, 10_000_100)).toBe(false);
    let doubled: Json = "x";
    for (let times = 0; times < 60; times += 1) doubled = [doubled, doubled];
    expect(isLarger(doubled, MAX_RESULT_BYTES)).toBe(true);
  });

  it("count UTF-8 bytes of the written JSON", () => {
    expect(writeResult("node", "x".repeat(9_999_998)).length).toBe(10_000_000);
    expect(() => writeResult("node", "x".repeat(9_999_999))).toThrow(tooLarge);
    // Each of these characters is two bytes.
    expect(() => writeResult("node", "ü".repeat(5_000_000))).toThrow(tooLarge);
  });
});

describe("a transform", () => {
  it("refuses a repeated text that is too long", async () => {
    const text = (times: number) => ({ text: "{{a}}".repeat(times) });
    expect((await compute("template", { a: LARGE }, text(9))).result).toBe(LARGE.repeat(9));
    await expect(compute("template", { a: LARGE }, text(300))).rejects.toThrow(tooLarge);
    await expect(compute("template", { a: many(300).map(() => LARGE) }, text(1))).rejects.toThrow(tooLarge);
  });

  it("refuses to copy an input that is too large", async () => {
    const rows = many(300).map(() => ({ a: LARGE }));
    await expect(compute("calculate", rows, { formulas: { b: "1+1" } })).rejects.toThrow(JobFailure);
  });
});
