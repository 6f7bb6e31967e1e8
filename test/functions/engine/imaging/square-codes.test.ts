import { describe, expect, test } from "vitest";
import type { GrayImage } from "../../../../functions/engine/imaging/gray-image.ts";
import { squaresOutsideCodes } from "../../../../functions/engine/imaging/square-codes.ts";
import type { Box } from "../../../../functions/ports/layout.ts";
import { fill, paper } from "../../../support/pictures.ts";

const MODULE = 4;
const FINDER = 7 * MODULE;
/** Modules of a code's side. */
const SIDE = 25;

/** A frame of one module with a black middle of three. */
function finder(gray: GrayImage, left: number, top: number): Box {
  const box = { left, top, right: left + FINDER, bottom: top + FINDER };
  fill(gray, left, top, box.right, box.bottom);
  fill(gray, left + MODULE, top + MODULE, box.right - MODULE, box.bottom - MODULE, 255);
  fill(gray, left + 2 * MODULE, top + 2 * MODULE, box.right - 2 * MODULE, box.bottom - 2 * MODULE);
  return box;
}

/** Every second module black between the corners, as masks make it. */
function modules(gray: GrayImage, left: number, top: number): void {
  for (let row = 0; row < SIDE; row += 1)
    for (let column = 0; column < SIDE; column += 1) {
      const isCorner = (row < 8 || row >= SIDE - 8) && (column < 8 || column >= SIDE - 8);
      const [x, y] = [left + column * MODULE, top + row * MODULE];
      if (!isCorner && (row + column) % 2 === 0) fill(gray, x, y, x + MODULE, y + MODULE);
    }
}

const far = (SIDE - 7) * MODULE;
const squaresAt = (boxes: readonly Box[]) => boxes.map((box) => ({ box, ink: 0.36 }));

describe("squaresOutsideCodes", () => {
  test.each([
    [
      "upright",
      [
        [0, 0],
        [far, 0],
        [0, far],
      ],
    ],
    [
      "turned by a quarter",
      [
        [0, 0],
        [far, 0],
        [far, far],
      ],
    ],
    [
      "upside down",
      [
        [far, 0],
        [0, far],
        [far, far],
      ],
    ],
  ] as const)("leaves out the corners of a code that stands %s, and what is in it", (_, corners) => {
    const gray = paper(400, 300);
    modules(gray, 100, 80);
    const found = corners.map(([x, y]) => finder(gray, 100 + x, 80 + y));
    const inside = { left: 140, top: 120, right: 140 + FINDER, bottom: 120 + FINDER };
    const box = finder(gray, 300, 80);
    expect(squaresOutsideCodes(squaresAt([...found, inside, box]), { gray, threshold: 128 })).toEqual(squaresAt([box]));
  });

  test("keeps ticked boxes that stand as the corners of a code do, with paper between them", () => {
    const gray = paper(400, 300);
    const boxes = [
      [0, 0],
      [far, 0],
      [0, far],
    ].map(([x = 0, y = 0]) => finder(gray, 100 + x, 80 + y));
    expect(squaresOutsideCodes(squaresAt(boxes), { gray, threshold: 128 })).toEqual(squaresAt(boxes));
  });

  test("keeps two corners of what may be another pattern", () => {
    const gray = paper(400, 300);
    modules(gray, 100, 80);
    const boxes = [finder(gray, 100, 80), finder(gray, 100 + far, 80)];
    expect(squaresOutsideCodes(squaresAt(boxes), { gray, threshold: 128 })).toEqual(squaresAt(boxes));
  });
});
