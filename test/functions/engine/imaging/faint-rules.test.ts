import { describe, expect, test } from "vitest";
import { findComponents } from "../../../../functions/engine/imaging/connected-components.ts";
import { eraseRules } from "../../../../functions/engine/imaging/erase-rules.ts";
import type { GrayImage } from "../../../../functions/engine/imaging/gray-image.ts";
import type { Box } from "../../../../functions/ports/layout.ts";
import { addNoise, at, fill, paper } from "../../../support/pictures.ts";

const INK = { threshold: 180, black: 128, dpi: 200 };

/** The rules of a picture, faint ones too, whose source is the picture itself or another. */
function rulesOf(gray: GrayImage, source: GrayImage = gray): Box[] {
  const pieces = findComponents(gray, INK.threshold);
  if (pieces === undefined) throw new Error("Only grain");
  return eraseRules(gray, pieces, () => true, INK, { shortest: 0.16, faintSource: source });
}

describe("eraseRules with a source for faint rules", () => {
  test("finds and erases hairlines that are fainter than ink", () => {
    const gray = paper(300, 200);
    fill(gray, 50, 100, 250, 101, 215);
    fill(gray, 120, 20, 121, 80, 215);
    expect(rulesOf(gray)).toEqual([
      { left: 50, top: 100, right: 250, bottom: 101 },
      { left: 120, top: 20, right: 121, bottom: 80 },
    ]);
    expect([at(gray, 100, 100), at(gray, 120, 50)]).toEqual([255, 255]);
  });

  test("finds no faint rule where none is asked for", () => {
    const gray = paper(300, 200);
    fill(gray, 50, 100, 250, 101, 215);
    const pieces = findComponents(gray, INK.threshold);
    if (pieces === undefined) throw new Error("Only grain");
    expect(eraseRules(gray, pieces, () => true, INK)).toEqual([]);
  });

  test("finds a gray line of two points, which is no blurred print", () => {
    const gray = paper(300, 200);
    fill(gray, 50, 100, 250, 106, 166);
    expect(rulesOf(gray)).toEqual([{ left: 50, top: 100, right: 250, bottom: 106 }]);
  });

  test("finds a hairline whole that ink crosses", () => {
    const gray = paper(300, 200);
    fill(gray, 50, 100, 250, 101, 215);
    fill(gray, 140, 60, 148, 140);
    expect(rulesOf(gray)).toContainEqual({ left: 50, top: 100, right: 250, bottom: 101 });
  });

  test("finds each rule once", () => {
    const gray = paper(300, 200);
    fill(gray, 50, 100, 250, 102);
    expect(rulesOf(gray)).toHaveLength(1);
  });

  test("takes neither a tint nor its streaks for a rule", () => {
    const source = paper(300, 200);
    fill(source, 50, 60, 250, 140, 225);
    const streaked = paper(300, 200);
    fill(streaked, 50, 60, 250, 62, 235);
    expect(rulesOf(streaked, source)).toEqual([]);
  });

  test("takes grain for no rule", () => {
    const gray = paper(300, 200, 235);
    addNoise(gray, 12);
    expect(rulesOf(gray)).toEqual([]);
  });
});
