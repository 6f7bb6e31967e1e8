import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { mapBox } from "../../../../functions/engine/imaging/affine.ts";
import { findComponents } from "../../../../functions/engine/imaging/connected-components.ts";
import { type GrayImage, turnQuarters } from "../../../../functions/engine/imaging/gray-image.ts";
import { blankOut, preparePicture } from "../../../../functions/engine/imaging/prepare-picture.ts";
import { findRowDirection } from "../../../../functions/engine/imaging/skew.ts";
import { drawOcrPage, LETTER, type OcrTestPage } from "../../../support/ocr-page.ts";
import { addNoise, fill, inkIn, paper } from "../../../support/pictures.ts";

let letter: OcrTestPage;
beforeAll(async () => {
  letter = await drawOcrPage(LETTER);
});

async function tilted({ width, height, pixels }: GrayImage, degrees: number): Promise<GrayImage> {
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .rotate(degrees, { background: "white" })
    .greyscale()
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

const frameOf = ({ width, height }: GrayImage): { width: number; height: number } => ({
  width: width / 200,
  height: height / 200,
});

describe("the direction of text", () => {
  test.each([-14, -3.3, -0.4, 0, 0.8, 7.25, 13.9])("is found at %d degrees", async (degrees) => {
    const gray = await tilted(letter.gray, degrees);
    const prepared = preparePicture(gray, frameOf(gray), {});
    expect(Math.abs(prepared.angle - degrees)).toBeLessThan(0.16);
    expect(prepared.quarters).toBe(0);
  });

  test("is found in noise", async () => {
    const gray = await tilted(letter.gray, 2);
    addNoise(gray, 60);
    expect(Math.abs(preparePicture(gray, frameOf(gray), {}).angle - 2)).toBeLessThan(0.16);
  });

  test("is clear along the text, not across it, and clearest the right way up", () => {
    const pieces = findComponents(letter.gray, 128);
    if (pieces === undefined) throw new Error("Only grain");
    const [upright, left, upsideDown, right] = ([0, 1, 2, 3] as const).map(
      (quarters) => findRowDirection(pieces, 200, quarters)?.clarity ?? 0,
    );
    expect(upright).toBeGreaterThan(5);
    expect(upright).toBeGreaterThan(upsideDown ?? 0);
    expect(left).toBeLessThan(3);
    expect(right).toBeLessThan(3);
  });

  test.each([1, 2, 3] as const)("is found for a page turned by %i quarters, and maps back", (quarters) => {
    const gray = turnQuarters(letter.gray, quarters);
    const prepared = preparePicture(gray, frameOf(gray), {});
    expect((prepared.quarters + quarters) % 4).toBe(0);
    expect(prepared.angle).toBeCloseTo(quarters === 3 ? -90 : quarters * 90, 0);
    expect([prepared.gray.width, prepared.gray.height]).toEqual([letter.gray.width, letter.gray.height]);
    const corner = mapBox({ left: 0, top: 0, right: 0, bottom: 0 }, prepared.toPage);
    const { width, height } = frameOf(gray);
    expect([corner.left, corner.top].map((one) => one + 0)).toEqual(
      quarters === 1 ? [width, 0] : quarters === 2 ? [width, height] : [0, height],
    );
  });

  test("is unknown for too few letters", () => {
    const gray = paper(400, 400);
    fill(gray, 100, 100, 110, 115);
    expect(preparePicture(gray, frameOf(gray), {})).toMatchObject({ quarters: 0, angle: 0, empty: false });
  });
});

describe("a prepared page", () => {
  test("leaves the given picture unchanged", () => {
    const gray = { ...letter.gray, pixels: letter.gray.pixels.slice() };
    fill(gray, 100, 1200, 1500, 1203);
    const before = gray.pixels.slice();
    const prepared = preparePicture(gray, letter.frame, {});
    expect(gray.pixels).toEqual(before);
    expect(inkIn(prepared.gray, 100, 1190, 1500, 1210)).toBe(0);
    expect(inkIn(preparePicture(gray, letter.frame, { plain: true }).gray, 100, 1190, 1500, 1210)).toBe(4200);
  });

  test("has small type enlarged, at most twice", async () => {
    const { gray, frame } = await drawOcrPage(LETTER, 72);
    const prepared = preparePicture(gray, frame, { letterHeight: 13 });
    expect(prepared.dpi).toBeGreaterThan(100);
    expect(prepared.dpi).toBeLessThanOrEqual(144.5);
    const far = mapBox({ left: 0, top: 0, right: prepared.gray.width, bottom: prepared.gray.height }, prepared.toPage);
    expect(far.right).toBeCloseTo(frame.width, 1);
    expect(far.bottom).toBeCloseTo(frame.height, 1);
    expect(preparePicture(letter.gray, letter.frame, { letterHeight: 13 }).dpi).toBeCloseTo(200, 3);
  });

  test("is empty with nothing but grain on it", () => {
    const gray = paper(850, 1100, 240);
    addNoise(gray, 12);
    expect(preparePicture(gray, { width: 8.5, height: 11 }, {})).toMatchObject({ empty: true, angle: 0 });
  });

  test("reports its ink: type on a dark bar, but no copier's border and no specks", () => {
    const gray = paper(850, 1100);
    fill(gray, 0, 0, 12, 1100);
    fill(gray, 300, 200, 600, 240);
    for (let x = 320; x < 560; x += 20) fill(gray, x, 210, x + 8, 230, 255);
    fill(gray, 400, 700, 409, 716);
    fill(gray, 800, 1000, 801, 1001);
    const { bounds } = preparePicture(gray, { width: 8.5, height: 11 }, {});
    expect(bounds).toEqual({ left: 300, top: 200, right: 600, bottom: 716 });
    const { width, height } = letter.gray;
    const all = preparePicture(paper(width, height), letter.frame, {});
    expect(all).toMatchObject({ empty: true, bounds: { left: 0, top: 0, right: 0, bottom: 0 } });
  });

  test("keeps square letters of scripts that have them", () => {
    const gray = paper(850, 1100);
    fill(gray, 100, 100, 124, 124);
    fill(gray, 102, 102, 122, 122, 255);
    const frame = { width: 4.25, height: 5.5 };
    expect(inkIn(preparePicture(gray, frame, {}).gray, 90, 90, 140, 140)).toBe(0);
    expect(inkIn(preparePicture(gray, frame, { keepCheckboxes: true }).gray, 90, 90, 140, 140)).toBe(176);
  });

  test("blankOut: covers boxes of it", () => {
    const gray = paper(100, 100, 230);
    fill(gray, 10, 10, 30, 20);
    fill(gray, 50, 10, 70, 20);
    const rest = blankOut(gray, [{ left: 9.5, top: 9, right: 30.2, bottom: 21 }], 128);
    expect(inkIn(rest, 0, 0, 45, 100)).toBe(0);
    expect(inkIn(rest, 45, 0, 100, 100)).toBe(200);
    expect(rest.pixels.every((value) => value === 0 || value === 255)).toBe(true);
  });
});
