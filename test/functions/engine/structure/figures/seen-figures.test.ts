/** Figures that were found on pages' pictures, as images. */
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { findFigures } from "../../../../../functions/engine/readers/figures/find-figures.ts";
import { PDF, PNG } from "../../../../../functions/ports/media-types.ts";
import { pattern, patternPng } from "./pictures.ts";

/** A page of 4 by 3 inches at 100 dpi, white but for a pattern at 1, 0.5 inches. */
const PLACE = { left: 1, top: 0.5, right: 2.6, bottom: 1.7 };
const paperPng = async (): Promise<Buffer> =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: "white" } })
    .composite([{ input: await patternPng(160, 120), left: 100, top: 50 }])
    .withMetadata({ density: 100 })
    .png()
    .toBuffer();
const pixels = (file: Uint8Array): Promise<Buffer> => sharp(file).removeAlpha().raw().toBuffer();
const EMPTY = { left: 3, top: 2, right: 3.8, bottom: 2.8 };

describe("figures seen on pictures", () => {
  it("are cut out of an image at its own pixels", async () => {
    const seen = new Map([[1, { figures: [EMPTY, PLACE] }]]);
    const figures = await findFigures(await paperPng(), PNG, { seen });
    expect(figures).toMatchObject([{ id: "p1f1", pageNumber: 1, bbox: PLACE, width: 160, height: 120 }]);
    expect((await pixels(figures[0]?.bytes ?? new Uint8Array())).equals(pattern(160, 120))).toBe(true);
    expect(await findFigures(await paperPng(), PNG, { seen, pageRange: [2] })).toEqual([]);
  });

  it("are cut out of a scanned page, except for those that the file has as pictures", async () => {
    const document = await PDFDocument.create();
    const scan = await document.embedPng(await paperPng());
    const page = document.addPage([288, 216]);
    page.drawImage(scan, { x: 0, y: 0, width: 288, height: 216 });
    page.drawImage(await document.embedPng(await patternPng(90, 90)), { x: 202, y: 10, width: 80, height: 80 });
    const known = { left: 2.85, top: 1.8, right: 3.9, bottom: 2.85 };
    const figures = await findFigures(await document.save(), PDF, {
      seen: new Map([[1, { figures: [known, PLACE] }]]),
    });
    expect(figures.map(({ id, bbox }) => [id, bbox?.left])).toEqual([
      ["p1f1", 1],
      ["p1f2", 2.806],
    ]);
    expect(figures[0]).toMatchObject({ bbox: PLACE, width: 320, height: 240 });
  });
});
