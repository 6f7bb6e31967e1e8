import { describe, expect, test } from "vitest";
import type { TextRun } from "../../../../../functions/engine/forms/detect/page-space.ts";
import { sizeByWidth, withTypeEvidence } from "../../../../../functions/engine/forms/entries/type-evidence.ts";

/** A run in type of a size, as wide as its letters. */
function run(text: string, size: number, left: number): TextRun {
  const wide = { ...{ text, size, line: 0 }, box: { left: 0, top: 0, right: 100, bottom: size } };
  const box = { left, top: 0, right: left + (100 * size) / sizeByWidth({ words: [wide] }), bottom: size };
  return { text, box, size, bold: false, beginsBold: false, words: [{ text, box, size, line: 0 }] };
}

const LABELS = ["Surname", "Given names", "Occupation", "Place of birth", "Telephone", "Address"];
const VALUES = ["Kowalczyk", "Marta", "Welder", "Gdynia", "555 0142", "Long Road 8"];

describe("withTypeEvidence", () => {
  test("finds what was written in the type of the runs that are sure", () => {
    const runs = [...LABELS.map((text) => run(text, 8, 20)), ...VALUES.map((text) => run(text, 10, 20))];
    const odds = [...LABELS.map(() => -2), 2, 2, 2, 1, -1, -0.5];
    const settled = withTypeEvidence(runs, odds);
    expect(settled.map((one) => one > 0)).toEqual([...LABELS.map(() => false), ...VALUES.map(() => true)]);
  });

  test("takes print that is like other print for less", () => {
    const runs = [...LABELS, ...VALUES].map((text) => run(text, 8, 20));
    const odds = [...LABELS.map(() => -2), 0.2, 0.2, -2, -2, -2, -2];
    const settled = withTypeEvidence(runs, odds);
    expect(Math.abs((settled[6] ?? 9) - 0.2)).toBeLessThan(0.5);
    expect(settled.filter((one) => one > 1)).toEqual([]);
  });
});
