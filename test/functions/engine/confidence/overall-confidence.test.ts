import { describe, expect, it } from "vitest";
import { overallConfidence } from "../../../../functions/engine/confidence/overall-confidence.ts";

const field = (path: string, ...values: number[]) => values.map((confidence) => ({ path, confidence }));

describe("overallConfidence", () => {
  it("is the weakest field's among few fields", () => {
    expect(overallConfidence([...field("a", 0.99), ...field("b", 0.2), ...field("c", 0.97)])).toBe(0.2);
  });

  it("is not lowered by one weak cell among a thousand", () => {
    const column = Array.from({ length: 1000 }, (_, at) => (at === 500 ? 0 : 0.9));
    expect(overallConfidence(field("rows/*/a", ...column))).toBeCloseTo(0.891, 5);
  });

  it("counts a column as one field, however long", () => {
    const column = field("rows/*/a", ...Array.from({ length: 500 }, () => 0.99));
    expect(overallConfidence([...column, ...field("total", 0.1)])).toBe(0.1);
  });

  it("is null without values", () => {
    expect(overallConfidence([])).toBeNull();
  });
});
