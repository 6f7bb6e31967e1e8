import { describe, expect, test } from "vitest";
import { findComponents } from "../../../../functions/engine/imaging/connected-components.ts";
import type { GrayImage } from "../../../../functions/engine/imaging/gray-image.ts";
import { findTickMarks, type TickMarks } from "../../../../functions/engine/imaging/tick-marks.ts";
import { fill, paper } from "../../../support/pictures.ts";

const DPI = 200;

function ticksOf(gray: GrayImage, frames: ReadonlyMap<number, number> = new Map()): TickMarks {
  const pieces = findComponents(gray, 128);
  if (pieces === undefined) throw new Error("Only grain");
  const isGone = (index: number): boolean => frames.has(index);
  return findTickMarks(gray, pieces, { threshold: 128, dpi: DPI, frames, drawn: gray, isGone });
}

function drawBox(gray: GrayImage, left: number, top: number, right: number, bottom: number): void {
  fill(gray, left, top, right, bottom);
  fill(gray, left + 2, top + 2, right - 2, bottom - 2, 255);
}

function drawRing(gray: GrayImage, x: number, y: number, across: number, down: number): void {
  for (let row = y - down; row <= y + down; row += 1) {
    for (let column = x - across; column <= x + across; column += 1) {
      const outer = ((column - x) / across) ** 2 + ((row - y) / down) ** 2;
      const inner = ((column - x) / (across - 2)) ** 2 + ((row - y) / (down - 2)) ** 2;
      if (outer <= 1 && inner > 1) fill(gray, column, row, column + 1, row + 1);
    }
  }
}

describe("findTickMarks", () => {
  test("takes a frame to the middle of its stroke", () => {
    const gray = paper(200, 100);
    drawBox(gray, 20, 20, 44, 44);
    // A fifth of a pixel less: of two pixels that antialiasing draws, one is softer.
    expect(ticksOf(gray, new Map([[0, 2]])).squares).toEqual([{ left: 20.8, top: 20.8, right: 43.2, bottom: 43.2 }]);
  });

  test("takes a thick frame to its edge", () => {
    const gray = paper(200, 100);
    drawBox(gray, 20, 20, 44, 44);
    expect(ticksOf(gray, new Map([[0, 4]])).squares).toEqual([{ left: 20, top: 20, right: 44, bottom: 44 }]);
  });

  test("finds a box with a shadow, and the shadow with it", () => {
    const gray = paper(200, 100);
    fill(gray, 24, 24, 46, 46);
    drawBox(gray, 20, 20, 42, 42);
    expect(ticksOf(gray)).toEqual({
      squares: [],
      circles: [],
      shadowed: [{ left: 20, top: 20, right: 46, bottom: 46 }],
    });
  });

  test("finds the shadow of a small frame", () => {
    const gray = paper(200, 100);
    fill(gray, 22, 22, 39, 39);
    drawBox(gray, 20, 20, 37, 37);
    expect(ticksOf(gray, new Map([[0, 2]]))).toEqual({
      squares: [],
      circles: [],
      shadowed: [{ left: 20, top: 20, right: 39, bottom: 39 }],
    });
  });

  test("finds a circle", () => {
    const gray = paper(200, 100);
    drawRing(gray, 50, 50, 13, 13);
    expect(ticksOf(gray)).toEqual({
      squares: [],
      circles: [{ left: 37, top: 37, right: 64, bottom: 64 }],
      shadowed: [],
    });
  });

  test("takes no zero, no D and no open letter for a mark", () => {
    const gray = paper(300, 100);
    drawRing(gray, 50, 50, 11, 16); // 0
    drawRing(gray, 100, 50, 13, 13); // D: a circle with a straight left half
    drawBox(gray, 87, 37, 102, 64);
    fill(gray, 98, 39, 104, 62, 255);
    fill(gray, 150, 20, 154, 46); // C
    fill(gray, 150, 20, 176, 24);
    fill(gray, 150, 42, 176, 46);
    expect(ticksOf(gray)).toEqual({ squares: [], circles: [], shadowed: [] });
  });
});
