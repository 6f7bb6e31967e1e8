import { describe, expect, test } from "vitest";
import type { GrayImage } from "../../../../functions/engine/imaging/gray-image.ts";
import { darkOnLight } from "../../../../functions/engine/imaging/invert-negative.ts";
import { drawOcrPage, LETTER } from "../../../support/ocr-page.ts";

const letter = await drawOcrPage(LETTER, 100);

/** The letter with other shades for its paper and its type. */
const shaded = (paper: number, type: number): GrayImage => ({
  ...letter.gray,
  pixels: letter.gray.pixels.map((value) => Math.round(type + (value / 255) * (paper - type))),
});
const sorted = ({ pixels }: GrayImage) => pixels.toSorted();
const ground = (gray: GrayImage): number => sorted(gray)[gray.pixels.length >> 1] ?? 0;

describe("darkOnLight", () => {
  test.each([
    [30, 238],
    [0, 255],
    [60, 150],
  ])("inverts ground %i with type %i", (paper, type) => {
    const light = darkOnLight(shaded(paper, type));
    expect(ground(light)).toBe(255 - paper);
    expect(sorted(light)[0]).toBe(255 - type);
  });

  test.each([
    [255, 0],
    [150, 20],
    [90, 10],
    [120, 0],
  ])("keeps badly lit paper %i with type %i", (paper, type) => {
    const dim = shaded(paper, type);
    expect(darkOnLight(dim)).toBe(dim);
  });

  test("keeps an even dark picture and one with little contrast", () => {
    for (const dim of [shaded(20, 20), shaded(20, 60)]) expect(darkOnLight(dim)).toBe(dim);
  });
});
