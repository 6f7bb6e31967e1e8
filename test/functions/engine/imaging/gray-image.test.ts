import { describe, expect, test } from "vitest";
import {
  compose,
  fromQuarters,
  levelling,
  mapBox,
  resample,
  scaling,
} from "../../../../functions/engine/imaging/affine.ts";
import { type GrayImage, turnQuarters } from "../../../../functions/engine/imaging/gray-image.ts";
import { at, fill, inkIn, paper } from "../../../support/pictures.ts";

const small = (): GrayImage => ({ width: 3, height: 2, pixels: Uint8Array.from([1, 2, 3, 4, 5, 6]) });

describe("turnQuarters and fromQuarters", () => {
  test("turn clockwise", () => {
    expect(turnQuarters(small(), 1)).toEqual({ width: 2, height: 3, pixels: Uint8Array.from([4, 1, 5, 2, 6, 3]) });
    expect(turnQuarters(small(), 2).pixels).toEqual(Uint8Array.from([6, 5, 4, 3, 2, 1]));
    expect(turnQuarters(small(), 3).pixels).toEqual(Uint8Array.from([3, 6, 2, 5, 1, 4]));
    expect(turnQuarters(small(), 0)).toEqual(small());
  });

  test.each([0, 1, 2, 3] as const)("the map leads back from %i quarters", (quarters) => {
    const gray = paper(40, 30);
    fill(gray, 5, 7, 9, 8);
    const turned = turnQuarters(gray, quarters);
    const xs = Array.from(turned.pixels.keys()).filter((index) => turned.pixels[index] === 0);
    const box = {
      left: Math.min(...xs.map((index) => index % turned.width)),
      top: Math.min(...xs.map((index) => Math.floor(index / turned.width))),
      right: Math.max(...xs.map((index) => index % turned.width)) + 1,
      bottom: Math.max(...xs.map((index) => Math.floor(index / turned.width))) + 1,
    };
    expect(mapBox(box, fromQuarters(quarters, 40, 30))).toEqual({ left: 5, top: 7, right: 9, bottom: 8 });
  });
});

describe("levelling and resample", () => {
  test("level a turned bar, and map its box back", () => {
    const level = paper(400, 300);
    fill(level, 100, 140, 300, 150);
    // Turned clockwise by 5 degrees, the bar's picture is what levelling by -5 degrees gives.
    const tilt = levelling(level, -5, 1);
    const tilted = resample(level, tilt.width, tilt.height, tilt.back);
    const { width, height, back } = levelling(tilted, 5, 1);
    const again = resample(tilted, width, height, back);
    const [dx, dy] = [(width - 400) / 2, (height - 300) / 2];
    expect(inkIn(again, dx + 102, dy + 142, dx + 298, dy + 148)).toBeGreaterThan(0.99 * 196 * 6);
    expect(inkIn(again, dx + 80, dy + 152, dx + 320, dy + 170)).toBe(0);
    const mapped = mapBox(
      { left: dx + 200, top: dy + 145, right: dx + 200, bottom: dy + 145 },
      compose(tilt.back, back),
    );
    expect(mapped.left).toBeCloseTo(200, 6);
    expect(mapped.top).toBeCloseTo(145, 6);
  });

  test("enlarge", () => {
    const gray = paper(60, 40);
    fill(gray, 20, 10, 30, 20);
    const { width, height, back } = levelling(gray, 0, 2);
    expect([width, height]).toEqual([120, 80]);
    const large = resample(gray, width, height, back);
    expect(inkIn(large, 0, 0, 120, 80)).toBeGreaterThan(19 * 19);
    expect(at(large, 50, 30)).toBe(0);
    expect(mapBox({ left: 40, top: 20, right: 60, bottom: 40 }, back)).toEqual({
      left: 20,
      top: 10,
      right: 30,
      bottom: 20,
    });
  });

  test("fill the outside with white", () => {
    const gray = paper(50, 50, 0);
    const { width, height, back } = levelling(gray, 10, 1);
    const turned = resample(gray, width, height, back);
    expect(at(turned, 0, 0)).toBe(255);
    expect(at(turned, width >> 1, height >> 1)).toBe(0);
  });

  test("compose: applies the inner map first", () => {
    const both = compose(scaling(2, 3), fromQuarters(1, 10, 20));
    expect(mapBox({ left: 1, top: 2, right: 1, bottom: 2 }, both)).toEqual({ left: 4, top: 57, right: 4, bottom: 57 });
  });
});
