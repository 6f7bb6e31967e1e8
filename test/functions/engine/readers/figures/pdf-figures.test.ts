import {
  clip,
  degrees,
  endPath,
  PDFDocument,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  rgb,
} from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { findFigures } from "../../../../../functions/engine/readers/figures/find-figures.ts";
import { type Figure, FigureBudget } from "../../../../../functions/engine/structure/figures/figure.ts";
import { PDF, PNG } from "../../../../../functions/ports/media-types.ts";
import { drawnPdf, encryptedPdf } from "../../../../support/pdf.ts";
import { pattern, patternJpeg, patternPng, picturesPdf, show } from "../../structure/figures/pictures.ts";

const pixels = async (file: Uint8Array): Promise<Buffer> => sharp(file).removeAlpha().raw().toBuffer();
const boxes = (figures: readonly Figure[]): (number[] | undefined)[] =>
  figures.map(({ bbox }) => (bbox === null ? undefined : [bbox.left, bbox.top, bbox.right, bbox.bottom]));

describe("pictures in a PDF", () => {
  it("have their native pixels, however small they are shown", async () => {
    const bytes = await picturesPdf({ a: await patternPng(320, 200) }, [
      (page, { a }) => show(page, a, 72, 600, 96, 60),
    ]);
    const figures = await findFigures(bytes, PDF);
    expect(figures).toMatchObject([{ id: "p1f1", pageNumber: 1, width: 320, height: 200, mimeType: "image/png" }]);
    expect(boxes(figures)).toEqual([[1, 1.833, 2.333, 2.667]]);
    expect((await pixels(figures[0]?.bytes ?? new Uint8Array())).equals(pattern(320, 200))).toBe(true);
  });

  it("keep a plain JPEG's own file", async () => {
    const jpeg = await patternJpeg(240, 160);
    const bytes = await picturesPdf({ a: jpeg }, [(page, { a }) => show(page, a, 72, 400, 240, 160)]);
    const [figure] = await findFigures(bytes, PDF);
    expect(figure?.mimeType).toBe("image/jpeg");
    expect(Buffer.from(figure?.bytes ?? []).equals(jpeg)).toBe(true);
  });

  it("are put on white where they are transparent", async () => {
    const half = await sharp(pattern(100, 80), { raw: { width: 100, height: 80, channels: 3 } })
      .composite([
        {
          input: { create: { width: 50, height: 80, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 1 } } },
          left: 0,
          top: 0,
          blend: "dest-out",
        },
      ])
      .png()
      .toBuffer();
    const bytes = await picturesPdf({ half }, [(page, images) => show(page, images.half, 72, 400, 200, 160)]);
    const [figure] = await findFigures(bytes, PDF);
    expect(figure).toMatchObject({ mimeType: "image/png" });
    const seen = await pixels(figure?.bytes ?? new Uint8Array());
    const width = figure?.width ?? 1;
    const at = (x: number, y: number): number[] => [...seen.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)];
    expect(at(Math.round(width / 5), 10)).toEqual([255, 255, 255]);
    expect(at(Math.round((width * 4) / 5), 10)).not.toEqual([255, 255, 255]);
  });

  it.each([0, 90, 180, 270] as const)("stand upright on a page that is turned by %i°", async (turn) => {
    const png = await patternPng(96, 48);
    const bytes = await picturesPdf({ a: png }, [
      (page, { a }) => {
        page.setRotation(degrees(turn));
        show(page, a, 72, 400, 192, 96);
      },
    ]);
    const [figure] = await findFigures(bytes, PDF);
    const shown = await sharp(png).rotate(turn).removeAlpha().raw().toBuffer();
    expect([figure?.width, figure?.height]).toEqual(turn % 180 === 0 ? [96, 48] : [48, 96]);
    expect((await pixels(figure?.bytes ?? new Uint8Array())).equals(shown)).toBe(true);
  });

  it("stay mirrored where they are shown mirrored", async () => {
    const png = await patternPng(96, 48);
    const bytes = await picturesPdf({ a: png }, [(page, { a }) => show(page, a, 300, 400, -192, 96)]);
    const [figure] = await findFigures(bytes, PDF);
    const shown = await sharp(png).flop().removeAlpha().raw().toBuffer();
    expect((await pixels(figure?.bytes ?? new Uint8Array())).equals(shown)).toBe(true);
  });

  it("are cropped by their clip", async () => {
    const bytes = await picturesPdf({ a: await patternPng(96, 48) }, [
      (page, { a }) => {
        page.pushOperators(pushGraphicsState(), rectangle(168, 400, 96, 96), clip(), endPath());
        show(page, a, 72, 400, 192, 96);
        page.pushOperators(popGraphicsState());
      },
    ]);
    const [figure] = await findFigures(bytes, PDF);
    expect(figure?.bbox).toEqual({ left: 2.333, top: 4.111, right: 3.667, bottom: 5.444 });
    const shown = await sharp(pattern(96, 48), { raw: { width: 96, height: 48, channels: 3 } })
      .extract({ left: 48, top: 0, width: 48, height: 48 })
      .raw()
      .toBuffer();
    expect((await pixels(figure?.bytes ?? new Uint8Array())).equals(shown)).toBe(true);
  });

  it("are joined from strips and tiles", async () => {
    const png = (seed: number): Promise<Buffer> => patternPng(200, 50, seed);
    const files = { a: await png(1), b: await png(2), c: await png(3), apart: await png(4) };
    const bytes = await picturesPdf(files, [
      (page, { a, b, c, apart }) => {
        show(page, a, 100, 600, 200, 50);
        show(page, b, 100, 550, 200, 50);
        show(page, c, 100, 500, 200, 50);
        show(page, apart, 100, 400, 200, 50);
      },
    ]);
    const figures = await findFigures(bytes, PDF);
    expect(boxes(figures)).toEqual([
      [1.389, 1.972, 4.167, 4.056],
      [1.389, 4.75, 4.167, 5.444],
    ]);
    expect(figures[0]?.height).toBeGreaterThan(2 * (figures[1]?.height ?? 0));
  });

  it("are no figures as whole pages, icons, lines, shades or blanks", async () => {
    const white = await sharp({ create: { width: 60, height: 60, channels: 3, background: "white" } })
      .png()
      .toBuffer();
    const files = {
      scan: await patternPng(400, 500),
      icon: await patternPng(40, 40, 2),
      line: await patternPng(600, 12, 3),
    };
    const bytes = await picturesPdf({ ...files, white, shade: await patternPng(300, 2, 4) }, [
      (page, { scan, icon, line, white: blank, shade }) => {
        show(page, scan, 0, 0, 612, 792);
        show(page, icon, 50, 700, 12, 12);
        show(page, line, 50, 650, 500, 4);
        show(page, blank, 50, 400, 200, 200);
        show(page, shade, 50, 100, 300, 200);
      },
    ]);
    expect(await findFigures(bytes, PDF)).toEqual([]);
  });

  it("are kept once where they repeat at their place, as logos do; others are kept again", async () => {
    const files = { logo: await patternPng(90, 40), photo: await patternPng(300, 200, 2) };
    const bytes = await picturesPdf(
      files,
      [0, 1, 2].map((index) => (page, { logo, photo }) => {
        show(page, logo, 60, 720, 90, 40);
        show(page, photo, 60, 400 - 100 * index, 300, 200);
      }),
    );
    const figures = await findFigures(bytes, PDF);
    expect(figures.map(({ id }) => id)).toEqual(["p1f1", "p1f2", "p2f1", "p3f1"]);
    expect(figures.map(({ width }) => width)).toEqual([90, 300, 300, 300]);
    expect((await findFigures(bytes, PDF, { pageRange: [2] })).map(({ id }) => id)).toEqual(["p2f1", "p2f2"]);
  });
});

describe("drawings in a PDF", () => {
  it("are drawn at 200 dpi: a chart with axes and labels", async () => {
    const bytes = await drawnPdf([
      (page, { regular }) => {
        const points = Array.from({ length: 20 }, (_, at) => ({ x: 120 + at * 14, y: 430 + 60 * Math.sin(at / 2) }));
        for (const [index, end] of points.entries()) {
          const start = points[index - 1];
          if (start !== undefined) page.drawLine({ start, end, thickness: 1.5, color: rgb(0.8, 0, 0) });
        }
        page.drawLine({ start: { x: 112, y: 360 }, end: { x: 392, y: 360 }, thickness: 1 });
        page.drawLine({ start: { x: 112, y: 360 }, end: { x: 112, y: 500 }, thickness: 1 });
        page.drawText("months", { x: 230, y: 350, size: 8, font: regular });
        const text = "Text that has nothing to do with it, line after line of it.";
        for (let row = 0; row < 12; row += 1)
          page.drawText(text, { x: 72, y: 700 - row * 14, size: 11, font: regular });
      },
    ]);
    const figures = await findFigures(bytes, PDF);
    expect(figures).toHaveLength(1);
    const [box] = boxes(figures);
    expect(box?.[0]).toBeCloseTo(112 / 72, 1);
    expect(box?.[3]).toBeGreaterThan((792 - 352) / 72);
    expect(figures[0]?.width).toBeCloseTo(200 * ((box?.[2] ?? 0) - (box?.[0] ?? 0)), -1);
  });

  it("may be bars only", async () => {
    const bytes = await drawnPdf([
      (page) => {
        for (const [index, height] of [40, 95, 130, 70, 110].entries())
          page.drawRectangle({ x: 150 + 50 * index, y: 300, width: 30, height, color: rgb(0.2, 0.4, 0.8) });
      },
    ]);
    expect(boxes(await findFigures(bytes, PDF))).toEqual([[2.083, 5.028, 5.278, 6.833]]);
  });

  it("are not tables, forms, frames, rules or underlines", async () => {
    const bytes = await drawnPdf([
      (page, { regular }) => {
        page.drawRectangle({ x: 20, y: 20, width: 572, height: 752, borderWidth: 2, borderColor: rgb(0, 0, 0) });
        for (let row = 0; row < 8; row += 1) {
          page.drawRectangle({ x: 72, y: 600 - 20 * row, width: 400, height: 20, color: rgb(0.9, 0.9, row % 2) });
          for (let column = 0; column < 4; column += 1) {
            const place = { x: 72 + 100 * column, y: 600 - 20 * row };
            page.drawRectangle({ ...place, width: 100, height: 20, borderWidth: 1, borderColor: rgb(0, 0, 0) });
            page.drawText("cell", { x: place.x + 4, y: place.y + 6, size: 9, font: regular });
          }
        }
        for (let row = 0; row < 6; row += 1) {
          page.drawCircle({ x: 80, y: 400 - 24 * row, size: 4, borderWidth: 1, borderColor: rgb(0, 0, 0) });
          page.drawLine({ start: { x: 100, y: 395 - 24 * row }, end: { x: 400, y: 395 - 24 * row }, thickness: 0.5 });
        }
      },
    ]);
    expect(await findFigures(bytes, PDF)).toEqual([]);
  });

  it("are joined with the picture that they are drawn on", async () => {
    const bytes = await picturesPdf({ a: await patternPng(200, 150) }, [
      (page, { a }) => {
        show(page, a, 150, 400, 300, 225);
        page.drawEllipse({ x: 300, y: 500, xScale: 60, yScale: 40, borderWidth: 3, borderColor: rgb(1, 0, 0) });
        page.drawSvgPath("M 0 0 L 30 20 L 60 0 L 90 30", { x: 240, y: 540, borderWidth: 2 });
      },
    ]);
    const figures = await findFigures(bytes, PDF);
    expect(figures).toHaveLength(1);
    expect(figures[0]?.width).toBeGreaterThan(800);
  });
});

describe("pdfFigures: limits and errors", () => {
  it("shows a small picture once, however often it stands there", async () => {
    const png = await patternPng(24, 24);
    const bytes = await picturesPdf({ a: png }, [
      (page, { a }) => {
        for (let index = 0; index < 90; index += 1)
          show(page, a, 10 + (index % 9) * 65, 10 + Math.floor(index / 9) * 75, 40, 50);
      },
    ]);
    expect(await findFigures(bytes, PDF)).toHaveLength(1);
  });

  it("limits figures, bytes and pixels", () => {
    const figure = (width: number, bytes: number) => ({ width, height: 1_000, bytes: new Uint8Array(bytes) });
    const some = new FigureBudget();
    expect(Array.from({ length: 510 }, () => some.take(figure(10, 10))).filter(Boolean)).toHaveLength(500);
    expect(some.spent).toBe(true);
    const large = new FigureBudget();
    expect([40_000, 60_000, 1].map((width) => large.take(figure(width, 1)))).toEqual([true, true, false]);
    const heavy = new FigureBudget();
    expect([30_000_000, 30_000_000, 20_000_000].map((bytes) => heavy.take(figure(1, bytes)))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("names what is wrong with the file", async () => {
    await expect(findFigures(new TextEncoder().encode("%PDF-1.7 nothing"), PDF)).rejects.toThrow("corrupted");
    await expect(findFigures(await encryptedPdf({ user: "u", owner: "o" }), PDF)).rejects.toThrow("password protected");
  });

  it("finds none in images and empty pages", async () => {
    expect(await findFigures(await patternPng(50, 50), PNG)).toEqual([]);
    const empty = await PDFDocument.create();
    empty.addPage();
    expect(await findFigures(await empty.save(), PDF)).toEqual([]);
  });
});
