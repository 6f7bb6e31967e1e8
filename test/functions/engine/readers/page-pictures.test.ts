import { PDFDocument, rgb } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type PagePicture, pagePicture, picturesPdf } from "../../../../functions/engine/readers/page-pictures.ts";
import { JobFailure, NotFound } from "../../../../functions/ports/errors.ts";
import { DOCX, JPEG, PDF, PLAIN_TEXT, PNG, TIFF } from "../../../../functions/ports/media-types.ts";
import {
  bilevel,
  cornersOf,
  type Field,
  joinTiffs,
  nameColours,
  quarters,
  tiffOf,
  whiteQuarter,
} from "../../../support/images.ts";
import { drawnPdf } from "../../../support/pdf.ts";

const CORRUPTED = "Processing failed: Document appears to be corrupted";
const whole = { dpi: 1_000, format: "png" } as const;

const colours = async ({ bytes }: PagePicture): Promise<string> => nameColours(await cornersOf(bytes));

/** Pixels that no compression makes small. */
function noise(width: number, height: number) {
  const gray = Buffer.alloc(width * height);
  for (let index = 0, seed = 1; index < gray.length; index += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    gray[index] = seed & 0xff;
  }
  return sharp(gray, { raw: { width, height, channels: 1 } });
}

describe("pagePicture of an image", () => {
  // Meaning of each by EXIF and TIFF 6.0, seen from the stored quarters r g / b k.
  it.each([
    [1, "rgbk"],
    [2, "grkb"],
    [3, "kbgr"],
    [4, "bkrg"],
    [5, "rbgk"],
    [6, "brkg"],
    [7, "kgbr"],
    [8, "gkrb"],
  ])("turns orientation %i to %s in all three formats", async (orientation, expected) => {
    const source = quarters(60, 40).withMetadata({ orientation, density: 100 });
    for (const [bytes, type] of [
      [await source.clone().jpeg({ quality: 95 }).toBuffer(), JPEG],
      [await source.clone().png().toBuffer(), PNG],
      [await source.clone().tiff({ compression: "lzw" }).toBuffer(), TIFF],
    ] as const) {
      const picture = await pagePicture(bytes, type, 0, whole);
      expect([picture.width, picture.height], type).toEqual(orientation < 5 ? [60, 40] : [40, 60]);
      expect(picture.width / picture.frame.width, type).toBeCloseTo(picture.height / picture.frame.height, 0);
      expect(await colours(picture), type).toBe(expected);
    }
  });

  it.each([
    ["none", {}],
    ["lzw", {}],
    ["deflate", {}],
    ["deflate", { tile: true, tileWidth: 16, tileHeight: 16 }],
    ["packbits", {}],
    ["jpeg", { quality: 95 }],
    ["jpeg", { quality: 95, tile: true, tileWidth: 16, tileHeight: 16 }],
    ["lzw", { predictor: "horizontal", bigtiff: true }],
  ] as const)("draws TIFF %s %o", async (compression, options) => {
    const tiff = await quarters(60, 40)
      .tiff({ compression, ...options })
      .toBuffer();
    expect(await colours(await pagePicture(tiff, TIFF, 0, whole))).toBe("rgbk");
  });

  const bitonal = whiteQuarter(64, 32);
  it.each([
    [{ compression: "ccittfax4", bitdepth: 1 }],
    [{ compression: "ccittfax4", bitdepth: 1, miniswhite: true }],
    [{ compression: "packbits", bitdepth: 1, miniswhite: true }],
    [{ compression: "lzw", bitdepth: 1, predictor: "none" }],
    [{ compression: "none", bitdepth: 1, miniswhite: true }],
    [{ compression: "deflate", bitdepth: 4, predictor: "none" }],
  ] as const)("draws TIFF of few bits: %o", async (options) => {
    const tiff = await bitonal.clone().tiff(options).toBuffer();
    expect(await colours(await pagePicture(tiff, TIFF, 0, whole))).toBe("wkkk");
  });

  describe("faxes with oblong pixels", () => {
    // ITU-T T.4, tables 2 and 3a: eight white pixels, eight black ones; the end of a line.
    const ROW = `${"10011"}${"000101"}`;
    const END_OF_LINE = "000000000001";
    const toBytes = (bits: string): Uint8Array =>
      Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, "0"), 2));
    const reverse = (bytes: Uint8Array): Uint8Array =>
      bytes.map((byte) => Number.parseInt(byte.toString(2).padStart(8, "0").split("").reverse().join(""), 2));
    const MODIFIED_HUFFMAN = toBytes(ROW.padEnd(16, "0").repeat(8));
    const GROUP_3 = toBytes(`${(END_OF_LINE + ROW).repeat(8)}${END_OF_LINE.repeat(6)}`);
    const PLAIN = toBytes("0000000011111111".repeat(8));
    const MIN_IS_WHITE: Field = [262, 3, [0]];
    const LOWEST_BIT_FIRST: Field = [266, 3, [2]];

    it.each([
      ["modified Huffman", 2, MODIFIED_HUFFMAN, []],
      ["group 3", 3, GROUP_3, []],
      ["group 3, lowest bit first", 3, reverse(GROUP_3), [LOWEST_BIT_FIRST]],
      ["uncompressed", 1, PLAIN, []],
    ] as const)("%s", async (_name, compression, strip, more) => {
      const fields = bilevel(16, 8, compression, [MIN_IS_WHITE, ...more]);
      const picture = await pagePicture(tiffOf([{ fields, strip }]), TIFF, 0, whole);
      expect([picture.width, picture.height]).toEqual([16, 8]);
      expect(await colours(picture)).toBe("wkwk");
    });

    it("makes the pixels square", async () => {
      const resolution: Field[] = [
        [282, 5, [204, 1]],
        [283, 5, [102, 1]],
      ];
      const fields = bilevel(16, 8, 1, [MIN_IS_WHITE, ...resolution]);
      // Too small for its resolution to be believed, but not its proportion.
      const picture = await pagePicture(tiffOf([{ fields, strip: PLAIN }]), TIFF, 0, whole);
      expect([picture.width, picture.height]).toEqual([16, 16]);
    });
  });

  it("draws each page of a TIFF by its index, whatever its size and compression", async () => {
    const tiff = joinTiffs(
      await Promise.all([
        quarters(60, 40).tiff({ compression: "lzw" }).toBuffer(),
        quarters(20, 90).tiff({ compression: "jpeg", quality: 95 }).toBuffer(),
        bitonal.clone().tiff({ compression: "ccittfax4", bitdepth: 1 }).toBuffer(),
      ]),
    );
    const pictures = await Promise.all([0, 1, 2].map((index) => pagePicture(tiff, TIFF, index, whole)));
    expect(pictures.map(({ width, height }) => [width, height])).toEqual([
      [60, 40],
      [20, 90],
      [64, 32],
    ]);
    expect(await Promise.all(pictures.map(colours))).toEqual(["rgbk", "rgbk", "wkkk"]);
    await expect(pagePicture(tiff, TIFF, 3, whole)).rejects.toThrow(NotFound);
    await expect(pagePicture(tiff, TIFF, 0.5, whole)).rejects.toThrow(NotFound);
  });

  it("leaves previews out", async () => {
    const preview = { fields: bilevel(8, 8, 1, [[254, 4, [1]]]), strip: new Uint8Array(8) };
    const page = { fields: bilevel(16, 8, 1), strip: new Uint8Array(16) };
    const picture = await pagePicture(tiffOf([preview, page]), TIFF, 0, whole);
    expect([picture.width, picture.height]).toEqual([16, 8]);
  });

  it.each([
    ["palette", () => quarters(60, 40).png({ palette: true }), "rgbk"],
    ["16 bits", () => quarters(60, 40).toColourspace("rgb16").png(), "rgbk"],
    ["gray", () => bitonal.clone().png(), "wkkk"],
    ["gray of 16 bits", () => bitonal.clone().toColourspace("grey16").png(), "wkkk"],
    ["interlaced", () => quarters(60, 40).png({ progressive: true }), "rgbk"],
    ["CMYK", () => quarters(60, 40).toColourspace("cmyk").tiff({ compression: "lzw" }), "rgbk"],
  ] as const)("%s", async (name, make, expected) => {
    const bytes = await make().toBuffer();
    const picture = await pagePicture(bytes, name === "CMYK" ? TIFF : PNG, 0, whole);
    expect(await colours(picture)).toBe(expected);
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ depth: "uchar", hasAlpha: false });
  });

  it.each(["srgb", "rgb16"])("puts transparent pixels on white (%s)", async (space) => {
    const png = await sharp({
      create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .composite([{ input: await quarters(20, 20).png().toBuffer(), left: 0, top: 0 }])
      .toColourspace(space)
      .png()
      .toBuffer();
    expect(await colours(await pagePicture(png, PNG, 0, { ...whole, dpi: 1_000 }))).toBe("kwww");
  });

  it("is as fine as wanted, never finer than the file, and gray on request", async () => {
    const png = await quarters(600, 400).withMetadata({ density: 200 }).png().toBuffer();
    const small = await pagePicture(png, PNG, 0, { dpi: 100, format: "jpeg" });
    expect(small).toMatchObject({ width: 300, height: 200, format: "jpeg" });
    expect(small.frame.width).toBeCloseTo(3, 3);
    expect((await sharp(small.bytes).metadata()).format).toBe("jpeg");
    const gray = await pagePicture(png, PNG, 0, { dpi: 300, format: "png", gray: true });
    expect(gray).toMatchObject({ width: 600, height: 400 });
    expect((await sharp(gray.bytes).metadata()).channels).toBe(1);
    expect(await pagePicture(png, PNG, 0, { dpi: 200, format: "png", maxPixels: 60_000 })).toMatchObject({
      width: 300,
      height: 200,
    });
  });

  it("stays within bytes: as JPEG, then smaller, then fails", async () => {
    const png = await noise(400, 400).png().toBuffer();
    const options = { dpi: 200, format: "png", gray: true } as const;
    expect(await pagePicture(png, PNG, 0, { ...options, maxBytes: 300_000 })).toMatchObject({
      format: "png",
      width: 400,
    });
    const jpeg = await pagePicture(png, PNG, 0, { ...options, maxBytes: 130_000 });
    expect(jpeg).toMatchObject({ format: "jpeg", width: 400 });
    expect(jpeg.bytes.length).toBeLessThanOrEqual(130_000);
    const smaller = await pagePicture(png, PNG, 0, { ...options, maxBytes: 20_000 });
    expect(smaller.bytes.length).toBeLessThanOrEqual(20_000);
    expect(smaller.width).toBeGreaterThan(100);
    expect(smaller.width).toBeLessThan(300);
    expect(smaller.frame).toEqual(jpeg.frame);
    await expect(pagePicture(png, PNG, 0, { ...options, maxBytes: 50 })).rejects.toThrow(
      "Processing failed: A page's picture has too many bytes",
    );
  });

  it("fails as corrupted for damaged pixels", async () => {
    for (const [bytes, type] of [
      [await noise(200, 200).jpeg().toBuffer(), JPEG],
      [await noise(200, 200).png().toBuffer(), PNG],
    ] as const) {
      const cut = bytes.subarray(0, bytes.length / 2);
      await expect(pagePicture(cut, type, 0, whole), type).rejects.toThrow(new JobFailure(CORRUPTED));
    }
    const fields = bilevel(1_000, 1_000, 8);
    const nonsense = tiffOf([{ fields, strip: new Uint8Array(100).fill(0xaa) }]);
    await expect(pagePicture(nonsense, TIFF, 0, whole)).rejects.toThrow(new JobFailure(CORRUPTED));
    await expect(pagePicture(new Uint8Array(3), PNG, 0, whole)).rejects.toThrow(new JobFailure(CORRUPTED));
  });
});

describe("pagePicture of a PDF", () => {
  const square = (page: Parameters<Parameters<typeof drawnPdf>[0][number]>[0]) =>
    page.drawRectangle({ x: 0, y: 0, width: 36, height: 36, color: rgb(1, 0, 0), borderWidth: 0 });

  it("draws a page with its frame in inches", async () => {
    const pdf = await drawnPdf([() => {}, square], { size: [72, 144], rotate: 90 });
    const picture = await pagePicture(pdf, PDF, 1, { dpi: 100, format: "png" });
    expect(picture).toMatchObject({ width: 200, height: 100, frame: { width: 2, height: 1, rotation: 90 } });
    // The lower left corner, turned clockwise, is the upper left one.
    expect(nameColours(await cornersOf(picture.bytes))).toBe("wwww");
    const corner = await sharp(picture.bytes).extract({ left: 2, top: 2, width: 40, height: 40 }).png().toBuffer();
    expect(nameColours(await cornersOf(corner))).toBe("rrrr");
  });

  it("draws a huge page at a lower resolution, and a long thin one too", async () => {
    const huge = await pagePicture(await drawnPdf([square], { size: [14_400, 14_400] }), PDF, 0, {
      dpi: 300,
      format: "png",
      gray: true,
      maxPixels: 1_000_000,
    });
    expect(huge).toMatchObject({ width: 1_000, height: 1_000, frame: { width: 200, height: 200 } });
    const thin = await pagePicture(await drawnPdf([() => {}], { size: [14_400, 3] }), PDF, 0, whole);
    expect(Math.max(thin.width, thin.height)).toBeLessThanOrEqual(20_000);
    expect(thin.height).toBeGreaterThan(0);
  });

  it("refuses a page before the first or behind the last", async () => {
    const pdf = await drawnPdf([square]);
    for (const index of [-1, 1, 0.5]) await expect(pagePicture(pdf, PDF, index, whole)).rejects.toThrow(NotFound);
    await expect(pagePicture(new Uint8Array(9), PDF, 0, whole)).rejects.toThrow(CORRUPTED);
  });
});

it("pagePicture: refuses types without page images", async () => {
  await expect(pagePicture(new Uint8Array(9), DOCX, 0, whole)).rejects.toThrow(
    new NotFound("The document is a Word document (.docx), which has no page images"),
  );
  await expect(pagePicture(new Uint8Array(9), PLAIN_TEXT, 0, whole)).rejects.toThrow(NotFound);
});

describe("picturesPdf", () => {
  it("has a page for each picture, at its size, also from a generator", async () => {
    const png = await quarters(300, 200).withMetadata({ density: 100 }).png().toBuffer();
    async function* pictures() {
      yield pagePicture(png, PNG, 0, { dpi: 100, format: "jpeg" });
      yield pagePicture(png, PNG, 0, { dpi: 50, format: "png", gray: true });
    }
    const pdf = await picturesPdf(pictures());
    const sizes = (await PDFDocument.load(pdf)).getPages().map((page) => page.getSize());
    for (const { width, height } of sizes) {
      expect(width).toBeCloseTo(216, 1);
      expect(height).toBeCloseTo(144, 1);
    }
    expect(sizes).toHaveLength(2);
    const drawn = await pagePicture(pdf, PDF, 0, { dpi: 100, format: "png" });
    expect(nameColours(await cornersOf(drawn.bytes))).toBe("rgbk");
    expect(pdf.length).toBeLessThan(20_000);
  });

  it("shrinks a page that exceeds PDF's limit", async () => {
    const bytes = await quarters(30, 10).jpeg().toBuffer();
    const frame = { width: 600, height: 200 };
    const pdf = await picturesPdf([{ bytes, format: "jpeg", width: 30, height: 10, frame }]);
    const [page] = (await PDFDocument.load(pdf)).getPages();
    expect(page?.getSize()).toEqual({ width: 14_400, height: 4_800 });
  });
});
