import { beforeEach, describe, expect, test } from "vitest";
import { type Components, findComponents } from "../../../../functions/engine/imaging/connected-components.ts";
import { eraseCheckboxes, eraseLeaders } from "../../../../functions/engine/imaging/erase-checkboxes.ts";
import { eraseRules } from "../../../../functions/engine/imaging/erase-rules.ts";
import type { GrayImage } from "../../../../functions/engine/imaging/gray-image.ts";
import { addNoise, fill, inkIn, paper } from "../../../support/pictures.ts";

const DPI = 200;

function pieces(gray: GrayImage): Components {
  const found = findComponents(gray, 128);
  if (found === undefined) throw new Error("Only grain");
  return found;
}

const withoutRules = (gray: GrayImage) =>
  eraseRules(gray, pieces(gray), () => true, { threshold: 128, black: 128, dpi: DPI });

describe("eraseRules", () => {
  let gray: GrayImage;
  beforeEach(() => {
    gray = paper(600, 400);
  });

  test("erases level and upright rules, crossings included", () => {
    for (const y of [50, 150, 250]) fill(gray, 40, y, 560, y + 2);
    for (const x of [40, 300, 558]) fill(gray, x, 50, x + 2, 252);
    const found = withoutRules(gray);
    expect(inkIn(gray, 0, 0, 600, 400)).toBe(0);
    expect(found).toEqual([
      ...[50, 150, 250].map((top) => ({ left: 40, top, right: 560, bottom: top + 2 })),
      ...[40, 300, 558].map((left) => ({ left, top: 50, right: left + 2, bottom: 252 })),
    ]);
  });

  test("keeps strokes that cross a rule", () => {
    fill(gray, 40, 200, 560, 203);
    fill(gray, 100, 180, 104, 230); // the stem of a p
    withoutRules(gray);
    expect(inkIn(gray, 100, 180, 104, 230)).toBe(200);
    expect(inkIn(gray, 120, 190, 560, 210)).toBe(0);
  });

  test("erases sides of low cells between longer rules, and no stems of letters as high", () => {
    for (const y of [100, 140]) fill(gray, 40, y, 560, y + 2);
    fill(gray, 300, 100, 302, 142);
    fill(gray, 200, 110, 202, 134); // a stem that ends before the rules
    expect(withoutRules(gray)).toContainEqual({ left: 300, top: 100, right: 302, bottom: 142 });
    expect(inkIn(gray, 290, 103, 310, 139)).toBe(0);
    expect(inkIn(gray, 190, 104, 210, 138)).toBe(48);
  });

  test("keeps rows of letters and thick bars", () => {
    for (let x = 40; x < 300; x += 14) {
      fill(gray, x, 100, x + 3, 118);
      fill(gray, x, 100, x + 9, 103);
    }
    fill(gray, 40, 200, 560, 230);
    const before = inkIn(gray, 0, 0, 600, 400);
    expect(withoutRules(gray)).toEqual([]);
    expect(inkIn(gray, 0, 0, 600, 400)).toBe(before);
  });

  test("keeps the stem of an l in large type", () => {
    fill(gray, 100, 100, 107, 180);
    withoutRules(gray);
    expect(inkIn(gray, 0, 0, 600, 400)).toBe(560);
  });

  test("erases a rule broken by noise", () => {
    fill(gray, 40, 200, 560, 203, 60);
    for (let x = 60; x < 560; x += 37) fill(gray, x, 200, x + 2, 203, 200);
    addNoise(gray, 20);
    withoutRules(gray);
    expect(inkIn(gray, 0, 190, 600, 210)).toBeLessThan(20);
  });
});

describe("eraseCheckboxes", () => {
  const box = (gray: GrayImage, left: number, top: number, side: number): void => {
    fill(gray, left, top, left + side, top + side);
    fill(gray, left + 2, top + 2, left + side - 2, top + side - 2, 255);
  };

  test("erases frames and keeps a mark inside", () => {
    const gray = paper(300, 100);
    box(gray, 20, 20, 24);
    box(gray, 100, 20, 24);
    fill(gray, 108, 28, 116, 36);
    expect(eraseCheckboxes(gray, pieces(gray), 128, DPI).size).toBe(2);
    expect(inkIn(gray, 0, 0, 300, 100)).toBe(64);
  });

  test("keeps open letters, cells of tables and dots", () => {
    const gray = paper(500, 300);
    fill(gray, 20, 20, 24, 44); // a C
    fill(gray, 20, 20, 44, 24);
    fill(gray, 20, 40, 44, 44);
    fill(gray, 100, 20, 124, 44); // a square dot
    box(gray, 200, 20, 200);
    const before = inkIn(gray, 0, 0, 500, 300);
    expect(eraseCheckboxes(gray, pieces(gray), 128, DPI).size).toBe(0);
    expect(inkIn(gray, 0, 0, 500, 300)).toBe(before);
  });
});

describe("eraseLeaders", () => {
  test("erases rows of dots and of dashes", () => {
    const gray = paper(600, 200);
    for (let x = 100; x < 500; x += 18) fill(gray, x, 60, x + 3, 63);
    for (let x = 100; x < 500; x += 12) fill(gray, x, 120, x + 8, 122);
    eraseLeaders(gray, pieces(gray), 128, DPI);
    expect(inkIn(gray, 0, 0, 600, 200)).toBe(0);
  });

  test("keeps an ellipsis, points between digits and dots at odd distances", () => {
    const gray = paper(600, 300);
    for (const x of [100, 108, 116]) fill(gray, x, 60, x + 3, 63);
    for (let x = 100; x < 250; x += 30) {
      fill(gray, x, 110, x + 14, 123); // digits
      fill(gray, x + 20, 120, x + 23, 123);
    }
    for (const x of [100, 120, 131, 170, 178, 230]) fill(gray, x, 200, x + 3, 203);
    const before = inkIn(gray, 0, 0, 600, 300);
    expect(eraseLeaders(gray, pieces(gray), 128, DPI)).toEqual([]);
    expect(inkIn(gray, 0, 0, 600, 300)).toBe(before);
  });
});
