import { describe, expect, it } from "vitest";
import { findJson } from "../../../../functions/engine/schema/json-text.ts";

describe("findJson", () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF  {"a":1}\n', { a: 1 }],
    ['```json\n{"a":"`"}\n```', { a: "`" }],
    ["Here you are:\n```\n[1,2]\n```\nAnything else?", [1, 2]],
    ['Sure! {"a":{"b":"}"}} is the data.', { a: { b: "}" } }],
    ['{"note":"x"} and then {"a":[1,2,3],"b":"longer"}', { a: [1, 2, 3], b: "longer" }],
    ['[see below] {"a":1}', { a: 1 }],
    ["null", null],
    ['{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
  ])("%j", (text, expected) => {
    expect(findJson(text)).toEqual(expected);
  });

  it.each(["", "no JSON at all", '{"a":1', '{"a":', "{a:1}", '{"a":NaN}', "```json\n{\n```", "{{{{{{{{"])(
    "finds nothing in %j",
    (text) => {
      expect(findJson(text)).toBeUndefined();
    },
  );

  it("keeps the digits of unsafe integers", () => {
    expect(
      findJson(
        '{"id":12345678901234567890,"n":1234567890123456,"s":"a:12345678901234567890,","list":[98765432109876543210]}',
      ),
    ).toEqual({
      id: "12345678901234567890",
      n: 1234567890123456,
      s: "a:12345678901234567890,",
      list: ["98765432109876543210"],
    });
  });

  it("handles deep nesting and many opening brackets", () => {
    const began = performance.now();
    expect(findJson(`${"[".repeat(200_000)}${"]".repeat(200_000)}`)).toBeUndefined();
    expect(findJson("{".repeat(500_000))).toBeUndefined();
    expect(findJson(`${'{"a":'.repeat(90)}1${"}".repeat(90)}`)).toBeDefined();
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
