import { describe, expect, it } from "vitest";
import { isSelective, PATTERN_INPUT, safePattern } from "../../../../functions/engine/values/safe-patterns.ts";

describe("safePattern", () => {
  it("runs plain patterns", () => {
    const accepts = safePattern("^[A-Z]{2}-\\d{4,6}$");
    expect(accepts?.("AB-12345")).toBe(true);
    expect(accepts?.("AB-1")).toBe(false);
  });
  it.each([
    "(a+)+$",
    "^(a|a)*$",
    "(\\d+)*x",
    "^(?:a*)*$",
    "(.)\\1",
    "(?=a)b",
    "a*a*a*a*b",
    "(x{1,99}){1,99}",
    "a{100,}b{100,}c{100,}d{100,}",
    "(",
    "[",
    "a".repeat(400),
  ])("refuses %j", (source) => {
    expect(safePattern(source)).toBeNull();
  });
  it("answers within a blink on hostile text", () => {
    const before = process.cpuUsage();
    safePattern("^a*a*a*b$")?.("a".repeat(PATTERN_INPUT));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  });
  it("says no to long text", () => {
    expect(safePattern("a")?.("a".repeat(PATTERN_INPUT + 1))).toBe(false);
  });
  it("knows which patterns hardly match by chance", () => {
    expect(isSelective("^\\d{2} \\d{5}$")).toBe(true);
    expect(isSelective("^.*$")).toBe(false);
    expect(isSelective("\\d+")).toBe(false);
  });
});
