import { describe, expect, test } from "vitest";
import { flattenBackground } from "../../../../functions/engine/imaging/background.ts";
import { findComponents } from "../../../../functions/engine/imaging/connected-components.ts";
import { eraseBorders, invertBars, invertTints } from "../../../../functions/engine/imaging/dark-regions.ts";
import { inkThreshold, softThreshold } from "../../../../functions/engine/imaging/ink-threshold.ts";
import { addNoise, at, fill, inkIn, paper } from "../../../support/pictures.ts";

describe("flattenBackground and inkThreshold", () => {
  test("remove a shadow across the page and keep letters", () => {
    const gray = paper(800, 600);
    for (let x = 0; x < 800; x += 1) fill(gray, x, 0, x + 1, 600, 250 - Math.floor(x / 6));
    for (let x = 20; x < 780; x += 40) fill(gray, x, 300, x + 4, 320, 30);
    const flat = flattenBackground(gray, 200);
    for (const x of [5, 395, 790]) expect(at(flat, x, 100)).toBeGreaterThan(245);
    for (let x = 20; x < 780; x += 40) expect(at(flat, x + 1, 310)).toBeLessThan(90);
  });

  test("make faint type as dark as the rest, and a tint under it white", () => {
    const gray = paper(800, 800);
    fill(gray, 0, 400, 800, 800, 225);
    for (const y of [100, 200, 300]) for (let x = 20; x < 780; x += 10) fill(gray, x, y, x + 4, y + 20, 10);
    for (let x = 20; x < 780; x += 10) fill(gray, x, 600, x + 4, 620, 150);
    const flat = flattenBackground(gray, 200);
    expect(at(flat, 401, 610)).toBeLessThan(80);
    expect(at(flat, 405, 610)).toBeGreaterThan(245);
    expect(at(flat, 401, 110)).toBeLessThan(20);
  });

  test("darken faint type at one edge independently of the other edge", () => {
    const gray = paper(800, 800);
    for (const y of [100, 200, 300]) for (let x = 20; x < 780; x += 10) fill(gray, x, y, x + 4, y + 20, 10);
    for (const y of [600, 640, 680]) {
      for (let x = 2; x < 30; x += 10) fill(gray, x, y, x + 4, y + 20, 150);
      for (let x = 772; x < 798; x += 10) fill(gray, x, y, x + 4, y + 20, 10);
    }
    const flat = flattenBackground(gray, 200);
    expect(at(flat, 4, 650)).toBeLessThan(80);
    expect(at(flat, 784, 650)).toBeLessThan(20);
  });

  test("return the same picture for white paper", () => {
    const gray = paper(400, 400);
    fill(gray, 100, 100, 120, 110);
    expect(flattenBackground(gray, 200)).toBe(gray);
  });

  test("part ink from paper, and find no threshold in a blank page's grain", () => {
    const gray = paper(200, 200, 230);
    fill(gray, 50, 50, 100, 60, 40);
    addNoise(gray, 15);
    expect(inkThreshold(gray, 200)).toBeGreaterThan(80);
    expect(inkThreshold(gray, 200)).toBeLessThan(190);
    expect(softThreshold(gray, inkThreshold(gray, 200))).toBeGreaterThan(inkThreshold(gray, 200));
    const blank = paper(200, 200, 240);
    addNoise(blank, 15);
    expect(inkThreshold(blank, 200)).toBe(0);
    expect(softThreshold(blank, 0)).toBe(0);
  });
});

describe("findComponents", () => {
  test("joins touching ink, diagonally too", () => {
    const gray = paper(40, 20);
    fill(gray, 2, 2, 6, 4);
    fill(gray, 6, 4, 9, 6); // by a corner
    fill(gray, 20, 2, 21, 12); // a U, whose arms meet below
    fill(gray, 26, 2, 27, 12);
    fill(gray, 20, 11, 27, 12);
    const { count, left, top, right, bottom, area } = findComponents(gray, 128) ?? { count: -1 };
    expect(count).toBe(2);
    expect([left?.[0], top?.[0], right?.[0], bottom?.[0], area?.[0]]).toEqual([2, 2, 9, 6, 14]);
    expect([left?.[1], top?.[1], right?.[1], bottom?.[1], area?.[1]]).toEqual([20, 2, 27, 12, 25]);
  });

  test("ends pieces at the picture's sides, whatever its width", () => {
    for (const width of [1, 5, 8, 13]) {
      const gray = paper(width, 3, 0);
      const pieces = findComponents(gray, 128);
      expect(pieces?.count).toBe(1);
      expect(pieces?.area[0]).toBe(width * 3);
      expect(pieces?.runs.count).toBe(3);
    }
  });

  test("gives up in grain", () => {
    const gray = paper(3000, 1500);
    for (let index = 0; index < gray.pixels.length; index += 2) gray.pixels[index] = 0;
    expect(findComponents(gray, 128)).toBeUndefined();
  });
});

describe("invertBars and eraseBorders", () => {
  test("turn white type on a dark bar to black on white", () => {
    const gray = paper(600, 200);
    fill(gray, 50, 50, 550, 100, 60);
    for (let x = 100; x < 300; x += 20) fill(gray, x, 60, x + 6, 90, 255);
    const pieces = findComponents(gray, 128);
    expect(pieces && invertBars(gray, pieces, 200)).toEqual({
      pieces: new Set([0]),
      boxes: [{ left: 50, top: 50, right: 550, bottom: 100 }],
    });
    expect(at(gray, 400, 75)).toBe(255);
    expect(at(gray, 102, 75)).toBe(0);
    expect(at(gray, 10, 10)).toBe(255);
  });

  test("invert the head of a drawn table and keep its lines", () => {
    const gray = paper(700, 400);
    fill(gray, 50, 50, 650, 100, 60);
    for (let x = 100; x < 300; x += 20) fill(gray, x, 60, x + 6, 90, 255);
    for (const x of [50, 350, 648]) fill(gray, x, 100, x + 2, 302);
    for (const y of [200, 300]) fill(gray, 50, y, 650, y + 2);
    const pieces = findComponents(gray, 128);
    expect(pieces && invertBars(gray, pieces, 200)).toEqual({
      pieces: new Set(),
      boxes: [{ left: 50, top: 50, right: 650, bottom: 100 }],
    });
    expect([at(gray, 400, 75), at(gray, 102, 75), at(gray, 351, 150), at(gray, 400, 201)]).toEqual([255, 0, 0, 0]);
  });

  test("keep rows of large letters that touch, and frames", () => {
    const gray = paper(700, 400);
    for (let x = 50; x < 650; x += 30) fill(gray, x, 50, x + 12, 110);
    fill(gray, 50, 75, 650, 80);
    for (const y of [200, 298]) fill(gray, 50, y, 650, y + 2);
    for (const x of [50, 648]) fill(gray, x, 200, x + 2, 300);
    const before = gray.pixels.slice();
    const pieces = findComponents(gray, 128);
    expect(pieces && invertBars(gray, pieces, 200).boxes).toEqual([]);
    expect(gray.pixels).toEqual(before);
  });

  test("keep a bold letter", () => {
    const gray = paper(300, 300);
    fill(gray, 100, 100, 115, 160);
    fill(gray, 100, 100, 140, 115);
    const pieces = findComponents(gray, 128);
    expect(pieces && invertBars(gray, pieces, 200)).toEqual({ pieces: new Set(), boxes: [] });
  });

  test("erase the black border of a copy and keep type beside it", () => {
    const gray = paper(400, 500);
    fill(gray, 0, 0, 25, 500);
    fill(gray, 0, 490, 400, 500);
    fill(gray, 60, 100, 70, 120);
    const pieces = findComponents(gray, 128);
    if (pieces !== undefined) eraseBorders(gray, pieces);
    expect(inkIn(gray, 0, 0, 400, 500)).toBe(200);
  });
});

describe("invertTints: bars of middling shade", () => {
  /** A bar of the shade with type on it, the bar joined to the lines of a table. */
  function barOf(shade: number, type: number) {
    const gray = paper(800, 600);
    fill(gray, 50, 50, 750, 110, shade);
    for (let x = 100; x < 300; x += 20) fill(gray, x, 65, x + 6, 95, type);
    for (const x of [50, 400, 748]) fill(gray, x, 110, x + 2, 502, 90);
    fill(gray, 50, 500, 750, 502, 90);
    return gray;
  }

  test("become white, and the light type on them black, before tinted paper is flattened", () => {
    const gray = barOf(150, 255);
    const { gray: turned, boxes } = invertTints(gray, 200);
    expect(boxes).toEqual([{ left: 50, top: 50, right: 750, bottom: 110 }]);
    expect([at(turned, 600, 80), at(turned, 102, 80), at(turned, 401, 300)]).toEqual([255, 0, 90]);
    expect(at(gray, 600, 80)).toBe(150);
    // Evened out alone, the type is as white as its bar.
    const flat = flattenBackground(gray, 200);
    expect(at(flat, 102, 80)).toBeGreaterThan(240);
    expect(at(flattenBackground(turned, 200), 102, 80)).toBeLessThan(60);
  });

  test("stay with dark type, without type, as stains, and where they are dark enough for invertBars", () => {
    for (const gray of [barOf(150, 20), barOf(150, 150), barOf(60, 255)])
      expect(invertTints(gray, 200).gray).toBe(gray);
    const stained = paper(800, 600);
    for (let y = 50; y < 350; y += 1) fill(stained, 50 + 2 * y, y, 60 + 2 * y + (y % 90), y + 1, 150);
    for (let y = 100; y < 300; y += 40) fill(stained, 60 + 2 * y, y, 66 + 2 * y, y + 20);
    expect(invertTints(stained, 200).gray).toBe(stained);
  });
});
