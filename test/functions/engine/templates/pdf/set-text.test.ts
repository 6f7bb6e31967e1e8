import { describe, expect, it } from "vitest";
import type { Face } from "../../../../../functions/engine/templates/pdf/faces.ts";
import { type PlacedRun, setComb, setLine, setLines } from "../../../../../functions/engine/templates/pdf/set-text.ts";

/** A face whose characters are half an em wide, and whose codes are the text itself. */
const face: Face = {
  name: "Test",
  ref: undefined as never,
  covers: () => true,
  encode: (text) => text,
  width: (text) => Array.from(text).length / 2,
  ascent: 0.7,
  descent: -0.2,
  capHeight: 0.7,
};
const runs = (text: string) => Promise.resolve(text === "" ? [] : [{ face, text }]);
const box = { width: 100, height: 20, padding: 2, size: 0, quadding: 0 as const };

const shown = (placed: readonly PlacedRun[]): string[] => placed.map(({ codes }) => codes);
/** The texts of the rows, from the top. */
function rows(placed: readonly PlacedRun[]): string[] {
  const byHeight = Map.groupBy(placed, ({ y }) => y);
  return [...byHeight.entries()].sort(([a], [b]) => b - a).map(([, row]) => shown(row).join(""));
}

describe("setLine", () => {
  it("orders words of both directions as they are shown", async () => {
    // Hebrew from the right, the number and the word from the left, the brackets mirrored.
    const placed = await setLine("שלום (12) ab", { ...box, width: 400 }, runs);
    expect(shown([...placed].sort((a, b) => a.x - b.x))).toEqual(["ab", " (", "12", expect.stringContaining("שלום")]);
  });

  it("fills the height, and shrinks for the width, to four points at least", async () => {
    expect((await setLine("ab", box, runs))[0]?.size).toBeCloseTo(14.4);
    expect((await setLine("a".repeat(24), box, runs))[0]?.size).toBe(8);
    expect((await setLine("a".repeat(900), box, runs))[0]?.size).toBe(4);
  });
});

describe("setComb", () => {
  it("puts each character in the middle of its cell", async () => {
    const placed = await setComb("abc", { ...box, size: 10 }, 4, runs);
    expect(placed.map(({ x }) => x + 2.5)).toEqual([12.5, 37.5, 62.5]);
  });
});

describe("setLines", () => {
  const area = { ...box, height: 100, size: 10 };

  it("breaks between words, within words that are too long, and anywhere in Chinese", async () => {
    expect(rows(await setLines("aaaaaaaaaaaa bbbb cccccc", area, runs))).toEqual(["aaaaaaaaaaaa bbbb", "cccccc"]);
    expect(rows(await setLines("a".repeat(25), area, runs))).toEqual(["a".repeat(19), "a".repeat(6)]);
    expect(rows(await setLines("中".repeat(25), area, runs))).toEqual(["中".repeat(19), "中".repeat(6)]);
  });

  it("keeps empty lines", async () => {
    const placed = await setLines("a\n\nb", area, runs);
    expect((placed[0]?.y ?? 0) - (placed[1]?.y ?? 0)).toBeCloseTo(2 * 11.5);
  });

  it("chooses the largest size that fits", async () => {
    const placed = await setLines("word ".repeat(100), { ...area, size: 0 }, runs);
    const size = placed[0]?.size ?? 0;
    expect(size).toBeGreaterThan(4);
    expect(size).toBeLessThan(12);
    expect(Math.min(...placed.map(({ y }) => y))).toBeGreaterThanOrEqual(0);
  });
});
