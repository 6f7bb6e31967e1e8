import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { toPgm, toTiff } from "../../../../../functions/adapters/local/ocr/picture-files.ts";

const picture = (width: number, height: number) => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height }, (_, at) => (at * 37) % 256),
});

describe("a gray picture as a file", () => {
  test("toPgm: writes the pixels behind a header", () => {
    const gray = picture(5, 3);
    expect(Buffer.from(toPgm(gray))).toEqual(Buffer.concat([Buffer.from("P5\n5 3\n255\n"), gray.pixels]));
  });

  test.each([
    [5, 3],
    [4, 2],
    [1, 1],
    [300, 200],
  ])("toTiff: writes %i by %i pixels that are read back unchanged", async (width, height) => {
    const gray = picture(width, height);
    const file = sharp(Buffer.concat(toTiff(gray)));
    expect(await file.metadata()).toMatchObject({ format: "tiff", width, height, channels: 1 });
    const { data } = await file.toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
    expect(new Uint8Array(data)).toEqual(gray.pixels);
  });
});
