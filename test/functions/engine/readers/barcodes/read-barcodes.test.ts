import { PDFDocument } from "@cantoo/pdf-lib";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it, vi } from "vitest";
import { type Barcode, readBarcodes } from "../../../../../functions/engine/readers/barcodes/read-barcodes.ts";
import { JPEG, PDF, PLAIN_TEXT, PNG, TIFF } from "../../../../../functions/ports/media-types.ts";
import { textPdf } from "../../../../support/pdf.ts";
import { symbol, symbolImage, symbolsPdf } from "./symbols.ts";

const said = (barcodes: readonly Barcode[]): string[] => barcodes.map(({ format, text }) => `${format} ${text}`);

describe("readBarcodes on PDF pages", () => {
  it("reads many symbologies, each at its place", async () => {
    const placed = [
      { modules: await symbol("https://example.org/1", { format: "QRCode" }), left: 72, top: 72, module: 2 },
      { modules: await symbol("SHEAF-128", { format: "Code128" }), left: 72, top: 216, module: 1.5 },
      { modules: await symbol("Data matrix", { format: "DataMatrix" }), left: 360, top: 72, module: 3 },
      { modules: await symbol("Aztec here", { format: "Aztec" }), left: 360, top: 216, module: 3 },
      { modules: await symbol("PDF417 on the page", { format: "PDF417" }), left: 72, top: 400, module: 1.5 },
      { modules: await symbol("400638133393", { format: "EAN13" }), left: 360, top: 400, module: 1.2 },
    ];
    const barcodes = await readBarcodes(await symbolsPdf(placed), PDF);
    expect(said(barcodes).sort()).toEqual(
      [
        "QRCode https://example.org/1",
        "Code128 SHEAF-128",
        "DataMatrix Data matrix",
        "Aztec Aztec here",
        "PDF417 PDF417 on the page",
        "EAN13 4006381333931",
      ].sort(),
    );
    for (const { text, bbox, pageNumber } of barcodes) {
      expect(pageNumber).toBe(1);
      const at = placed.find(
        ({ left, top }) => Math.abs(bbox.left - left / 72) < 0.6 && Math.abs(bbox.top - top / 72) < 0.6,
      );
      expect(at, `${text} at ${JSON.stringify(bbox)}`).toBeDefined();
      expect(bbox.right).toBeGreaterThan(bbox.left);
      expect(bbox.bottom).toBeGreaterThan(bbox.top);
    }
    const tops = barcodes.map(({ bbox }) => bbox.top);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
  });

  it("places symbols as the page is shown, also on a rotated page", async () => {
    const modules = await symbol("turned", { format: "QRCode" });
    const bytes = await symbolsPdf([{ modules, left: 36, top: 36, module: 3 }], 90);
    const [barcode] = await readBarcodes(bytes, PDF);
    // The top left corner of an upright page is the top right one once it is turned clockwise: 11 inches wide.
    expect(barcode?.bbox.right).toBeCloseTo(10.5 - (4 * 3) / 72, 0);
    expect(barcode?.bbox.top).toBeLessThan(1);
  });

  it("scans again with more pixels when modules are too fine for the first scan", async () => {
    const modules = await symbol("x".repeat(400), { format: "QRCode" });
    const bytes = await symbolsPdf([{ modules, left: 72, top: 72, module: 0.5 }]);
    expect(said(await readBarcodes(bytes, PDF))).toEqual([`QRCode ${"x".repeat(400)}`]);
  });

  it("returns each text once a page, at its first place, for each page separately", async () => {
    const modules = await symbol("twice", { format: "QRCode" });
    const page = await symbolsPdf([
      { modules, left: 72, top: 72, module: 3 },
      { modules, left: 72, top: 400, module: 3 },
    ]);
    const document = await PDFDocument.create();
    const source = await PDFDocument.load(page);
    for (let count = 0; count < 2; count += 1) {
      const [copy] = await document.copyPages(source, [0]);
      if (copy !== undefined) document.addPage(copy);
    }
    const bytes = await document.save();
    const barcodes = await readBarcodes(bytes, PDF);
    expect(barcodes.map(({ pageNumber }) => pageNumber)).toEqual([1, 2]);
    expect(barcodes[0]?.bbox.top).toBeLessThan(2);
    expect((await readBarcodes(bytes, PDF, { pageRange: [2, 7] })).map(({ pageNumber }) => pageNumber)).toEqual([2]);
  });

  it("finds no barcodes in text", async () => {
    const lines = Array.from({ length: 40 }, (_, row) => ({
      text: "lorem ipsum IIIIllll 1111 ".repeat(3),
      x: 40,
      y: 740 - 16 * row,
    }));
    expect(await readBarcodes(await textPdf(lines), PDF)).toEqual([]);
    expect(await readBarcodes(new TextEncoder().encode("no page"), PLAIN_TEXT)).toEqual([]);
  });

  it("renders a page of any size with a bounded number of pixels", async () => {
    const document = await PDFDocument.create();
    document.addPage([14_000, 14_000]);
    expect(await readBarcodes(await document.save(), PDF)).toEqual([]);
  });
});

describe("readBarcodes in images", () => {
  it.each([
    ["grey PNG", PNG, (image: Sharp) => image.png()],
    ["two colours", PNG, (image: Sharp) => image.png({ colours: 2 })],
    ["16 bits", PNG, (image: Sharp) => image.toColourspace("rgb16").png()],
    ["JPEG", JPEG, (image: Sharp) => image.jpeg({ quality: 60 })],
    ["CMYK JPEG", JPEG, (image: Sharp) => image.toColourspace("cmyk").jpeg()],
    ["sideways", PNG, (image: Sharp) => image.rotate(90).png()],
    ["aslant", PNG, (image: Sharp) => image.rotate(5, { background: "white" }).png()],
  ])("reads %s", async (_name, type, write) => {
    const image = symbolImage(await symbol("in a picture", { format: "Code128" }), 3);
    // Written once more: sharp turns before it extends.
    const bytes = await write(sharp(await image.png().toBuffer())).toBuffer();
    expect(said(await readBarcodes(bytes, type))).toEqual(["Code128 in a picture"]);
  });

  it("downloads nothing: the engine comes from its package", async () => {
    const picture = await symbolImage(await symbol("at home", { format: "QRCode" }), 3)
      .png()
      .toBuffer();
    const fetched = vi.fn(() => Promise.reject(new Error("The network was asked for")));
    vi.stubGlobal("fetch", fetched);
    vi.resetModules();
    try {
      const fresh = await import("../../../../../functions/engine/readers/barcodes/read-barcodes.ts");
      expect(said(await fresh.readBarcodes(picture, PNG))).toEqual(["QRCode at home"]);
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("reads light symbols on dark", async () => {
    const image = symbolImage(await symbol("inverted", { format: "QRCode" }), 4);
    const bytes = await sharp(await image.png().toBuffer())
      .negate()
      .png()
      .toBuffer();
    expect(said(await readBarcodes(bytes, PNG))).toEqual(["QRCode inverted"]);
  });

  it("applies a photograph's orientation before it places symbols", async () => {
    const image = symbolImage(await symbol("upright", { format: "QRCode" }), 4);
    const wide = await image.extend({ right: 400, background: "white" }).png().toBuffer();
    const turned = await sharp(wide).jpeg().withMetadata({ orientation: 6, density: 100 }).toBuffer();
    const [barcode] = await readBarcodes(turned, JPEG);
    expect(barcode?.text).toBe("upright");
    // Stored at the left end; a quarter turn clockwise brings the left end to the top.
    const { width = 0 } = await sharp(wide).metadata();
    expect(barcode?.bbox.bottom).toBeLessThan(width / 100 / 2);
  });

  it("reads the pages of a TIFF", async () => {
    const pages = await Promise.all(
      ["first", "second"].map(async (text) => {
        const image = symbolImage(await symbol(text, { format: "QRCode" }), 4);
        return image.resize(300, 300).png().toBuffer();
      }),
    );
    const bytes = await sharp(pages, { join: { animated: true } })
      .tiff({ compression: "lzw" })
      .toBuffer();
    const barcodes = await readBarcodes(bytes, TIFF);
    expect(barcodes.map(({ text, pageNumber }) => [text, pageNumber])).toEqual([
      ["first", 1],
      ["second", 2],
    ]);
  });

  it("shows unprintable bytes by name", async () => {
    const bytes = new Uint8Array([0, 1, 2, 255, 254, 0x80, 0x41]);
    const image = await symbolImage(await symbol(bytes, { format: "QRCode" }), 4)
      .png()
      .toBuffer();
    const [barcode] = await readBarcodes(image, PNG);
    expect(barcode?.text).toBe("<NUL><SOH><STX>ÿþ<U+80>A");
    expect(barcode?.payload).toBeUndefined();
  });

  it("fails with the corrupted sentence for a damaged image", async () => {
    const image = await symbolImage(await symbol("cut", { format: "QRCode" }), 4)
      .jpeg()
      .toBuffer();
    await expect(readBarcodes(new Uint8Array([0xff, 0xd8, 0xff]), JPEG)).rejects.toThrow("corrupted");
    await expect(readBarcodes(image.subarray(0, image.length / 2), JPEG)).rejects.toThrow("corrupted");
  });
});

describe("readBarcodes payloads", () => {
  it("splits GS1 symbols at their separators", async () => {
    const text = "(01)09501101530003(10)AB-123(17)250600(3103)001750";
    for (const format of ["Code128", "QRCode", "DataMatrix"] as const) {
      const image = await symbolImage(await symbol(text, { format, options: "gs1" }), 3)
        .png()
        .toBuffer();
      const [barcode] = await readBarcodes(image, PNG);
      expect(barcode?.text).toBe(text);
      expect(barcode?.payload).toEqual({
        type: "gs1",
        fields: { gtin: "09501101530003", batch: "AB-123", expirationDate: "2025-06-30", netWeightKg: 1.75 },
        valid: true,
        faults: [],
      });
    }
  });

  it("names goods by their numbers and payment slips by their first line", async () => {
    const ean = await symbolImage(await symbol("978316148410", { format: "EAN13" }), 3)
      .png()
      .toBuffer();
    expect((await readBarcodes(ean, PNG))[0]?.payload?.fields).toEqual({
      gtin: "9783161484100",
      isbn: "9783161484100",
    });
    const slip = "BCD\n002\n1\nSCT\n\nTierheim e.V.\nDE89370400440532013000\nEUR12.5";
    const epc = await symbolImage(await symbol(slip, { format: "QRCode" }), 4)
      .png()
      .toBuffer();
    expect((await readBarcodes(epc, PNG))[0]?.payload).toMatchObject({
      type: "epc",
      valid: true,
      fields: { amount: 12.5 },
    });
  });
});
