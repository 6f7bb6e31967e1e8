import { describe, expect, test } from "vitest";
import { findComponents } from "../../../../functions/engine/imaging/connected-components.ts";
import { drawnSquares } from "../../../../functions/engine/imaging/drawn-squares.ts";
import { eraseCheckboxes } from "../../../../functions/engine/imaging/erase-checkboxes.ts";
import type { GrayImage } from "../../../../functions/engine/imaging/gray-image.ts";
import { fill, paper } from "../../../support/pictures.ts";

const DPI = 200;
const THRESHOLD = 128;
const SIDE = 28;

function frame(gray: GrayImage, left: number, top: number): void {
  fill(gray, left, top, left + SIDE, top + 2);
  fill(gray, left, top + SIDE - 2, left + SIDE, top + SIDE);
  fill(gray, left, top, left + 2, top + SIDE);
  fill(gray, left + SIDE - 2, top, left + SIDE, top + SIDE);
}

/** A slanted stroke from the lower left to the upper right. */
function stroke(gray: GrayImage, left: number, bottom: number, length: number): void {
  for (let step = 0; step < length; step += 1)
    fill(gray, left + step, bottom - step - 4, left + step + 4, bottom - step);
}

function squaresOf(gray: GrayImage) {
  const pieces = findComponents(gray, THRESHOLD);
  if (pieces === undefined) throw new Error("Only grain");
  const frames = eraseCheckboxes(gray, pieces, THRESHOLD, DPI);
  return drawnSquares({ gray, pieces, threshold: THRESHOLD, frames }, (index) => frames.has(index));
}

describe("drawnSquares", () => {
  test("tells empty frames, frames with a mark inside, and frames that a mark reaches out of", () => {
    const gray = paper(400, 200);
    for (const left of [50, 120, 190, 260]) frame(gray, left, 100);
    stroke(gray, 128, 120, 12);
    stroke(gray, 195, 122, 50);
    const squares = squaresOf(gray).sort((a, b) => a.box.left - b.box.left);
    expect(squares.map(({ box }) => box.left)).toEqual([50, 120, 190, 260]);
    for (const { box } of squares) expect(Math.abs(box.top - 100)).toBeLessThanOrEqual(1);
    expect(squares.map(({ ink }) => ink > 0.08)).toEqual([false, true, true, false]);
  });

  test("finds a frame that is ticked with a smaller black square", () => {
    const gray = paper(400, 200);
    for (const left of [50, 120, 190]) frame(gray, left, 100);
    fill(gray, 196, 106, 190 + SIDE - 6, 100 + SIDE - 6);
    const squares = squaresOf(gray).sort((a, b) => a.box.left - b.box.left);
    expect(squares.map(({ box, ink }) => [box.left, ink > 0.08])).toEqual([
      [50, false],
      [120, false],
      [190, true],
    ]);
  });

  test("takes no black square and no heavy stroke for a frame", () => {
    const gray = paper(400, 200);
    for (const left of [50, 120]) frame(gray, left, 100);
    fill(gray, 190, 100, 190 + SIDE, 100 + SIDE);
    fill(gray, 260, 80, 300, 150);
    expect(squaresOf(gray)).toHaveLength(2);
  });
});
