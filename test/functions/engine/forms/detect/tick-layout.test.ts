import { expect, it } from "vitest";
import type { Candidate } from "../../../../../functions/engine/forms/detect/candidate.ts";
import { hasEvenSides, misalignedShares } from "../../../../../functions/engine/forms/detect/tick-layout.ts";

const tick = (left: number, top: number, shape: Candidate["shape"] = "square"): Candidate => {
  const box = { left, top, right: left + 8, bottom: top + 8 };
  return { shape, box, around: box };
};

it("misalignedShares counts ticks that miss the row or column of another by a little", () => {
  const ticks = [tick(100, 100), tick(101.5, 140), tick(200, 180), tick(300, 181), tick(400, 300)];
  expect(misalignedShares(ticks).get("square")).toBe(0.8);
});

it("misalignedShares takes rounding, other columns and other shapes for no misalignment", () => {
  const ticks = [tick(100, 100), tick(100.2, 140), tick(105, 180), tick(101, 220, "round")];
  expect(misalignedShares(ticks)).toEqual(
    new Map([
      ["square", 0],
      ["round", 0],
    ]),
  );
});

it("hasEvenSides tells sides of whole steps from others", () => {
  expect(hasEvenSides({ left: 0.3, top: 0, right: 10.3, bottom: 8.02 }, 1)).toBe(true);
  expect(hasEvenSides({ left: 0, top: 0, right: 10.5, bottom: 8 }, 1)).toBe(false);
  expect(hasEvenSides({ left: 0, top: 0, right: 10.5, bottom: 8 }, 0.5)).toBe(true);
});
