import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readImageHeader } from "../../../../../functions/engine/imaging/headers/image-header.ts";
import { inspectImage, readImageDocument } from "../../../../../functions/engine/readers/images/image-document.ts";
import { JobFailure, UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { JPEG, PNG, TIFF } from "../../../../../functions/ports/media-types.ts";
import { bilevel, claimingPng, joinTiffs, quarters, tiffOf } from "../../../../support/images.ts";

const CORRUPTED = "Processing failed: Document appears to be corrupted";
const at = (density: number, orientation = 1) => ({ density, orientation });
const white = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: "white" } });

/** Offset before the first scan. */
const scanOf = (jpeg: Uint8Array): number => Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xda]));

describe("readImageDocument page sizes", () => {
  it("follow the resolution of all three formats, as shown", async () => {
    const source = quarters(1200, 600);
    const jpeg = await source.clone().withMetadata(at(300)).jpeg().toBuffer();
    const png = await source.clone().withMetadata(at(400, 6)).png().toBuffer();
    const tiff = await source.clone().withMetadata(at(600, 3)).tiff().toBuffer();
    expect(readImageDocument(jpeg, JPEG)).toEqual({ pageCount: 1, frames: [{ width: 4, height: 2, rotation: 0 }] });
    const [turned] = readImageDocument(png, PNG).frames;
    expect(turned?.width).toBeCloseTo(1.5, 3);
    expect(turned?.height).toBeCloseTo(3, 3);
    expect(turned?.rotation).toBe(90);
    expect(readImageDocument(tiff, TIFF).frames).toEqual([{ width: 2, height: 1, rotation: 180 }]);
  });

  it.each([
    [1, 0],
    [2, 0],
    [3, 180],
    [4, 180],
    [5, 90],
    [6, 90],
    [7, 270],
    [8, 270],
  ])("rotate orientation %i by %i degrees", async (orientation, rotation) => {
    for (const [bytes, type] of [
      [await quarters(40, 20).withMetadata(at(20, orientation)).jpeg().toBuffer(), JPEG],
      [await quarters(40, 20).withMetadata(at(20, orientation)).png().toBuffer(), PNG],
      [await quarters(40, 20).withMetadata(at(20, orientation)).tiff().toBuffer(), TIFF],
    ] as const) {
      expect(readImageHeader(bytes, type)?.pages[0]).toMatchObject({ width: 40, height: 20, orientation });
      const [frame] = readImageDocument(bytes, type).frames;
      expect(frame?.rotation, type).toBe(rotation);
      expect((frame?.width ?? 0) > (frame?.height ?? 0), type).toBe(orientation < 5);
    }
  });

  /** The frame of a page of so many pixels that claims so many to the inch. */
  const frameOf = (width: number, height: number, dpi: number) => {
    const fields = bilevel(width, height, 1, [
      [282, 5, [dpi, 1]],
      [283, 5, [dpi, 1]],
    ]);
    return readImageDocument(tiffOf([{ fields, strip: new Uint8Array(8) }]), TIFF).frames[0];
  };

  it("ignore a camera's 72 dpi, but accept 72 dpi for an A4 page", () => {
    const photo = frameOf(3024, 4032, 72);
    expect(photo?.width).toBe(8.5);
    expect(photo?.height).toBeCloseTo(11.333, 2);
    const sheet = frameOf(595, 842, 72);
    expect(sheet?.width).toBeCloseTo(8.264, 2);
    expect(sheet?.height).toBeCloseTo(11.694, 2);
  });

  it("accept a scanner's 200 dpi for an A1 plan, and never 10 dpi", () => {
    expect(frameOf(4677, 6622, 200)?.height).toBeCloseTo(33.11, 2);
    expect(frameOf(600, 900, 10)).toEqual({ width: 3, height: 4.5, rotation: 0 });
    expect(frameOf(4_000, 6_000, 9_000)?.height).toBe(11.69);
  });

  it("take a small picture for a receipt, also where its stated size is too narrow for paper", () => {
    expect(frameOf(300, 720, 300)).toEqual({ width: 3, height: 7.2, rotation: 0 });
    expect(frameOf(450, 600, 10)).toEqual({ width: 3, height: 4, rotation: 0 });
    expect(frameOf(144, 144, 10)).toEqual({ width: 2, height: 2, rotation: 0 });
    // A label has more pixels.
    expect(frameOf(450, 900, 300)).toEqual({ width: 1.5, height: 3, rotation: 0 });
  });

  it("keep the width of a long receipt", async () => {
    const receipt = await white(600, 5000).png().toBuffer();
    expect(readImageDocument(receipt, PNG).frames).toEqual([{ width: 3, height: 25, rotation: 0 }]);
  });

  it("account for a fax's fewer rows than columns to the inch", () => {
    const fax = (unit: number) =>
      tiffOf([
        {
          fields: bilevel(1728, 1078, 1, [
            [262, 3, [0]],
            [282, 5, [204, 1]],
            [283, 5, [98, 1]],
            [296, 3, [unit]],
          ]),
          strip: new Uint8Array(8),
        },
      ]);
    const [inch] = readImageDocument(fax(2), TIFF).frames;
    expect(inch).toEqual({ width: 8.4706, height: 11, rotation: 0 });
    // Without a unit the numbers are a proportion only: the guess's 200 dpi, shrunk to a sheet.
    const [bare] = readImageDocument(fax(1), TIFF).frames;
    expect((bare?.width ?? 0) / (bare?.height ?? 1)).toBeCloseTo(8.4706 / 11, 3);
    const [metric] = readImageDocument(fax(3), TIFF).frames;
    expect(metric?.width).toBeCloseTo(8.4706 / 2.54, 3);
  });
});

describe("readImageDocument with several pages", () => {
  it("gives each page its own size and leaves out previews", async () => {
    const pages = await Promise.all(
      [quarters(400, 200), quarters(200, 400), quarters(300, 300)].map((page) =>
        page.withMetadata(at(100)).tiff({ compression: "lzw" }).toBuffer(),
      ),
    );
    expect(readImageDocument(joinTiffs(pages), TIFF)).toEqual({
      pageCount: 3,
      frames: [
        { width: 4, height: 2, rotation: 0 },
        { width: 2, height: 4, rotation: 0 },
        { width: 3, height: 3, rotation: 0 },
      ],
    });
    const strip = new Uint8Array(8);
    const page = (subfile: number) => ({ fields: bilevel(200, 100, 1, [[254, 4, [subfile]]]), strip });
    const header = readImageHeader(tiffOf([page(1), page(2), page(0), page(4)]), TIFF);
    expect(header?.pages.map(({ directory }) => directory)).toEqual([1, 2]);
  });

  it("reads the levels of a pyramid as one page", async () => {
    const pyramid = await white(1200, 1200).tiff({ pyramid: true, tile: true }).toBuffer();
    expect(readImageDocument(pyramid, TIFF).pageCount).toBe(1);
  });

  it("reads BigTIFF and big-endian files", async () => {
    const big = await quarters(60, 30).withMetadata(at(100)).tiff({ bigtiff: true, compression: "lzw" }).toBuffer();
    expect(big.readUInt16LE(2)).toBe(43);
    expect(readImageDocument(big, TIFF).pageCount).toBe(1);
    expect(readImageHeader(big, TIFF)?.pages[0]).toMatchObject({ width: 60, height: 30 });
    const motorola = Buffer.from(
      "4d4d002a00000008" +
        "0003" +
        "010000030000000100280000" +
        "010100030000000100140000" +
        "011100040000000100000008" +
        "00000000",
      "hex",
    );
    expect(readImageHeader(motorola, TIFF)?.pages[0]).toMatchObject({ width: 40, height: 20 });
  });

  it("refuses a chain of more than 1,000 pages and one that loops", () => {
    const page = { fields: bilevel(8, 8, 1), strip: new Uint8Array(8) };
    const thousand = tiffOf(Array.from({ length: 1_000 }, () => page));
    expect(readImageDocument(thousand, TIFF).pageCount).toBe(1_000);
    const more = tiffOf(Array.from({ length: 1_001 }, () => page));
    expect(() => readImageDocument(more, TIFF)).toThrow("Processing failed: The image has more than 1,000 pages");
    expect(() => inspectImage(more, TIFF)).toThrow("The image has more than 1,000 pages");
    const loop = tiffOf([page, page]);
    const view = new DataView(loop.buffer);
    const first = view.getUint32(4, true);
    const second = view.getUint32(first + 2 + view.getUint16(first, true) * 12, true);
    view.setUint32(second + 2 + view.getUint16(second, true) * 12, first, true);
    expect(() => readImageDocument(loop, TIFF)).toThrow(CORRUPTED);
  });
});

describe("image over the limits", () => {
  it("is refused from its header, in one sentence", () => {
    const png = claimingPng(200_000, 200_000);
    const sentence = "The image has 200,000 × 200,000 pixels, more than the 100,000,000 that are read";
    expect(() => readImageDocument(png, PNG)).toThrow(new JobFailure(`Processing failed: ${sentence}`));
    expect(() => inspectImage(png, PNG)).toThrow(new UnprocessableEntity(sentence));
    expect(readImageDocument(claimingPng(10_000, 10_000), PNG).pageCount).toBe(1);
  });

  it("is refused with the number of the page", () => {
    const page = (size: number) => ({ fields: bilevel(size, size, 4), strip: new Uint8Array(8) });
    expect(() => readImageDocument(tiffOf([page(100), page(65_000)]), TIFF)).toThrow(
      /^Processing failed: Page 2 of the image has 65,000 × 65,000 pixels/,
    );
  });

  it("is measured by its memory when it is decoded as a whole", async () => {
    const interlaced = (size: number, depth: number, colourType: number): Uint8Array => {
      const png = claimingPng(size, size);
      png.set([depth, colourType], 24);
      png[28] = 1;
      return png;
    };
    for (const colourType of [0, 2, 3, 6]) {
      expect(readImageDocument(interlaced(10_000, 8, colourType), PNG).pageCount).toBe(1);
    }
    expect(() => readImageDocument(interlaced(8_000, 16, 6), PNG)).toThrow(
      "The image has 8,000 × 8,000 pixels, more than the 50,000,000 that are read of such a progressive or interlaced one",
    );
  });

  it.each([
    ["4:2:0", quarters(16, 16).jpeg({ progressive: true, chromaSubsampling: "4:2:0" }), 3],
    ["4:4:4", quarters(16, 16).jpeg({ progressive: true, chromaSubsampling: "4:4:4" }), 6],
    ["grey", quarters(16, 16).toColourspace("b-w").jpeg({ progressive: true }), 2],
    ["CMYK", quarters(16, 16).toColourspace("cmyk").jpeg({ progressive: true, chromaSubsampling: "4:4:4" }), 8],
    ["not progressive", quarters(16, 16).jpeg(), undefined],
  ])("counts the bytes of a progressive JPEG: %s", async (_name, jpeg, bytes) => {
    expect(readImageHeader(await jpeg.toBuffer(), JPEG)?.pages[0]?.wholeDecodeBytesPerPixel).toBe(bytes);
  });
});

describe("damaged image", () => {
  it("is refused at any cut before its pixels", async () => {
    const source = quarters(40, 20).withMetadata(at(100, 6));
    const jpeg = await source.clone().jpeg().toBuffer();
    const png = await source.clone().png().toBuffer();
    const tiff = await source.clone().tiff({ compression: "none" }).toBuffer();
    for (const [bytes, type, until] of [
      [jpeg, JPEG, scanOf(jpeg)],
      [png, PNG, png.indexOf("IDAT")],
      // Its directory stands behind the pixels.
      [tiff, TIFF, 40 * 20 * 3],
    ] as const) {
      for (let length = 0; length < until; length += 7) {
        const cut = bytes.subarray(0, length);
        expect(() => readImageDocument(cut, type), `${type} ${length}`).toThrow(CORRUPTED);
        expect(() => inspectImage(cut, type)).toThrow(/^The document is not an? .+ image that can be opened/);
      }
      expect(inspectImage(bytes, type)).toBe(1);
    }
  });

  it("causes no other error and no long run, whichever bytes change", async () => {
    const source = quarters(40, 20).withMetadata(at(100, 6));
    const files = [
      [await source.clone().jpeg().toBuffer(), JPEG],
      [await source.clone().png().toBuffer(), PNG],
      [await source.clone().tiff({ compression: "lzw" }).toBuffer(), TIFF],
    ] as const;
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (const [bytes, type] of files) {
      for (let round = 0; round < 400; round += 1) {
        const broken = Uint8Array.from(bytes);
        for (let change = 0; change < 4; change += 1) broken[8 + next(broken.length - 8)] = next(256);
        try {
          expect(readImageDocument(broken, type).pageCount).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(JobFailure);
        }
      }
    }
  });

  it("is a TIFF whose pixels start beyond its end", () => {
    const tiff = tiffOf([{ fields: bilevel(8, 8, 1), strip: new Uint8Array(8) }]);
    expect(inspectImage(tiff, TIFF)).toBe(1);
    const at273 = Buffer.from(tiff).indexOf(Buffer.from([0x11, 0x01, 4, 0]));
    new DataView(tiff.buffer).setUint32(at273 + 8, 1_000_000, true);
    expect(() => inspectImage(tiff, TIFF)).toThrow(/cut off/);
  });
});
