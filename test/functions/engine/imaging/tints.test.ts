import { describe, expect, test } from "vitest";
import { findTintEdges, findTints, shadeOf } from "../../../../functions/engine/imaging/tints.ts";
import { addNoise, fill, paper } from "../../../support/pictures.ts";

const DPI = 200;

describe("findTints", () => {
  test("finds a tinted area with the gray under its print", () => {
    const gray = paper(400, 300);
    fill(gray, 100, 100, 300, 200, 243);
    for (let x = 120; x < 280; x += 20) fill(gray, x, 120, x + 8, 140);
    const tints = findTints(gray, DPI);
    expect(tints).toEqual([{ box: { left: 100, top: 100, right: 300, bottom: 200 }, gray: 243 }]);
    expect(tints.map(shadeOf)).toEqual([243 / 255]);
  });

  test("leaves out white boxes on a tint, and dark bars", () => {
    const gray = paper(400, 300);
    fill(gray, 100, 100, 300, 200, 225);
    fill(gray, 160, 100, 240, 200);
    expect(findTints(gray, DPI).map(({ box }) => [box.left, box.right])).toEqual([
      [100, 160],
      [240, 300],
    ]);
  });

  test("takes grain for no tint", () => {
    const gray = paper(400, 300, 240);
    addNoise(gray, 5);
    expect(findTints(gray, DPI)).toEqual([]);
  });
});

describe("findTintEdges", () => {
  test("finds the edges of a white box on a tint", () => {
    const gray = paper(400, 300);
    fill(gray, 0, 0, 400, 250, 243);
    fill(gray, 100, 100, 300, 200, 255);
    const near = (a: number, b: number): boolean => Math.abs(a - b) <= 2;
    const edges = findTintEdges(gray, 32);
    const level = edges.filter(({ top, bottom }) => top === bottom);
    const upright = edges.filter(({ left, right }) => left === right);
    expect(level.some(({ top, left, right }) => near(top, 100) && near(left, 100) && near(right, 300))).toBe(true);
    expect(level.some(({ top, left, right }) => near(top, 200) && near(left, 100) && near(right, 300))).toBe(true);
    expect(upright.some(({ left, top, bottom }) => near(left, 100) && near(top, 100) && near(bottom, 200))).toBe(true);
    expect(upright.some(({ left, top, bottom }) => near(left, 300) && near(top, 100) && near(bottom, 200))).toBe(true);
  });

  test("takes rules and print for no edges", () => {
    const gray = paper(400, 300);
    fill(gray, 50, 100, 350, 102);
    fill(gray, 50, 150, 350, 200);
    expect(findTintEdges(gray, 32)).toEqual([]);
  });
});
