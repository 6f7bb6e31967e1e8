import { describe, expect, it } from "vitest";
import { boundedPattern } from "../../../../functions/engine/schema/bounded-regex.ts";
import { Random } from "../extraction/prng.ts";

const PATTERNS = [
  "^abc$",
  "b",
  "",
  "^$",
  "^(?:a|b)*c?$",
  "^a{2,3}$",
  "^(ab){2}$",
  "^a{0}b$",
  "a{2,}",
  "^[A-Z]{2}\\d{2}[A-Z0-9 ]+$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$",
  "^\\p{Lu}\\p{L}*$",
  "\\bab\\b",
  "a\\Bb",
  "^(?=.*\\d)(?=.*[a-z]).{3,}$",
  "^(?!.*ab)[ab]+$",
  "(?<=a)b",
  "(?<!a)b",
  "^(?:(?:a|ab)(?:c|bcd))$",
  "^.$",
  "^\\u{1F600}$",
  "^\\uD83D\\uDE00$",
  "^[\\]\\[-]+$",
  "^\\x41\\t?$",
  "a|b|",
  "(?<name>a)+",
  "^(a+)+$",
  "^(a|a)*$",
  "^\\d{3}\\-\\d{2}$",
];
const ALPHABET = [
  "a",
  "b",
  "c",
  "ab",
  "A",
  "1",
  "12",
  "-",
  " ",
  "@",
  ".",
  "ä",
  "É",
  "😀",
  "]",
  "\n",
  "a@b.de",
  "2024-01-31",
];

describe("boundedPattern", () => {
  it("matches like the runtime's expressions", () => {
    const random = new Random(11);
    let matched = 0;
    for (const source of PATTERNS) {
      const native = (() => {
        try {
          return new RegExp(source, "u");
        } catch {
          return new RegExp(source);
        }
      })();
      const bounded = boundedPattern(source);
      for (let count = 0; count < 150; count += 1) {
        const text = Array.from({ length: random.int(0, 6) }, () => random.pick(ALPHABET)).join("");
        const expected = native.test(text);
        matched += expected ? 1 : 0;
        expect(bounded.test(text), `${source} on ${JSON.stringify(text)}`).toBe(expected);
      }
    }
    expect(matched).toBeGreaterThan(500);
  });

  it.each(["^(a+)+$", "^(a|aa)+$", "^(.*a){12}$", "^(\\w+\\s?)*$", "(x+x+)+y"])("%s does not backtrack", (source) => {
    const began = performance.now();
    expect(boundedPattern(source).test(`${"a".repeat(20_000)}!`)).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it.each([
    ["(a)\\1", "refers back to a group"],
    ["(?<n>a)\\k<n>", "refers back to a group"],
    ["[", "not a valid regular expression"],
    ["(?i:a)", "sets flags inside"],
    [`${"a".repeat(3_000)}`, "longer than 2,000"],
    ["(?:a{1000}){1000}", "too large"],
    ["a{999999999}", "too large"],
    [`${"(".repeat(60)}a${")".repeat(60)}`, "nests more than"],
  ])("%s is refused", (source, reason) => {
    expect(() => boundedPattern(source)).toThrow(reason);
  });

  it("ends when a lookahead takes too long", () => {
    const pattern = boundedPattern("^(?:(?=[ab]*c)[abc])*$");
    expect(pattern.test("ababc")).toBe(true);
    expect(pattern.test("abab")).toBe(false);
    expect(() => pattern.test(`${"ab".repeat(20_000)}c`)).toThrow("takes too long");
  });

  it("ends repeats of an empty part", () => {
    expect(boundedPattern("^(?:(?:){2000}){2000}$").test("")).toBe(true);
    expect(boundedPattern("^(?:a*)*$").test("aaab")).toBe(false);
  });
});
