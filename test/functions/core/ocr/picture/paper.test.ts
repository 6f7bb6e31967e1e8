import { describe, expect, test } from "vitest";
import { flattenBackground } from "../../../../../functions/core/ocr/picture/background.ts";
import { findComponents } from "../../../../../functions/core/ocr/picture/components.ts";
import { eraseBorders, invertBars } from "../../../../../functions/core/ocr/picture/solids.ts";
import { inkThreshold, softThreshold } from "../../../../../functions/core/ocr/picture/threshold.ts";
import { addNoise, at, fill, inkIn, paper } from "../../../../support/pictures.ts";

describe("paper and ink", () => {
  test("a shadow across the page goes, letters stay", () => {
    const gray = paper(800, 600);
    for (let x = 0; x < 800; x += 1) fill(gray, x, 0, x + 1, 600, 250 - Math.floor(x / 6));
    for (let x = 20; x < 780; x += 40) fill(gray, x, 300, x + 4, 320, 30);
    const flat = flattenBackground(gray, 200);
    for (const x of [5, 395, 790]) expect(at(flat, x, 100)).toBeGreaterThan(245);
    for (let x = 20; x < 780; x += 40) expect(at(flat, x + 1, 310)).toBeLessThan(90);
  });

  test("faint type becomes as dark as the rest, a tint under it white", () => {
    const gray = paper(800, 800);
    fill(gray, 0, 400, 800, 800, 225);
    for (const y of [100, 200, 300]) for (let x = 20; x < 780; x += 10) fill(gray, x, y, x + 4, y + 20, 10);
    for (let x = 20; x < 780; x += 10) fill(gray, x, 600, x + 4, 620, 150);
    const flat = flattenBackground(gray, 200);
    expect(at(flat, 401, 610)).toBeLessThan(80);
    expect(at(flat, 405, 610)).toBeGreaterThan(245);
    expect(at(flat, 401, 110)).toBeLessThan(20);
  });

  test("also at the edge, whatever stands at the other one", () => {
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

  test("white paper is left alone", () => {
    const gray = paper(400, 400);
    fill(gray, 100, 100, 120, 110);
    expect(flattenBackground(gray, 200)).toBe(gray);
  });

  test("the threshold parts ink from paper; a blank page's grain has none", () => {
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

describe("pieces of ink", () => {
  test("are what touches, diagonally too", () => {
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

  test("end at the picture's sides, whatever its width", () => {
    for (const width of [1, 5, 8, 13]) {
      const gray = paper(width, 3, 0);
      const pieces = findComponents(gray, 128);
      expect(pieces?.count).toBe(1);
      expect(pieces?.area[0]).toBe(width * 3);
      expect(pieces?.runs.count).toBe(3);
    }
  });

  test("are not told apart in grain", () => {
    const gray = paper(3000, 1500);
    for (let index = 0; index < gray.pixels.length; index += 2) gray.pixels[index] = 0;
    expect(findComponents(gray, 128)).toBeUndefined();
  });
});

describe("dark areas", () => {
  test("white type on a dark bar becomes black on white", () => {
    const gray = paper(600, 200);
    fill(gray, 50, 50, 550, 100, 60);
    for (let x = 100; x < 300; x += 20) fill(gray, x, 60, x + 6, 90, 255);
    const pieces = findComponents(gray, 128);
    expect(pieces === undefined ? 0 : invertBars(gray, pieces, 200).size).toBe(1);
    expect(at(gray, 400, 75)).toBe(255);
    expect(at(gray, 102, 75)).toBe(0);
    expect(at(gray, 10, 10)).toBe(255);
  });

  test("a bold letter is no bar", () => {
    const gray = paper(300, 300);
    fill(gray, 100, 100, 115, 160);
    fill(gray, 100, 100, 140, 115);
    const pieces = findComponents(gray, 128);
    expect(pieces === undefined ? 1 : invertBars(gray, pieces, 200).size).toBe(0);
  });

  test("the black border of a copy goes, type beside it stays", () => {
    const gray = paper(400, 500);
    fill(gray, 0, 0, 25, 500);
    fill(gray, 0, 490, 400, 500);
    fill(gray, 60, 100, 70, 120);
    const pieces = findComponents(gray, 128);
    if (pieces !== undefined) eraseBorders(gray, pieces);
    expect(inkIn(gray, 0, 0, 400, 500)).toBe(200);
  });
});
