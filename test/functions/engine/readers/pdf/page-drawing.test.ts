import { LineCapStyle, PDFName, type PDFPage, rgb } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { pageDrawing, rotateDrawing } from "../../../../../functions/engine/readers/pdf/page-drawing.ts";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import type { Drawing } from "../../../../../functions/engine/structure/tables/table-parts.ts";
import { drawnPdf, type PageOptions } from "../../../../support/pdf.ts";
import { drawn, level } from "../../../../support/table-lines.ts";

const round = (value: number): number => Math.round(value * 10) / 10;

/** The drawing of a letter page, to a tenth of a point. */
async function read(draw: (page: PDFPage) => void, options: PageOptions = {}): Promise<Drawing> {
  const bytes = await drawnPdf([draw], options);
  const { horizontal, vertical, fills } = await withPdf(bytes, ({ withPage }) => withPage(0, pageDrawing));
  const rule = ({ at, from, to }: Drawing["horizontal"][number]) => ({
    at: round(at),
    from: round(from),
    to: round(to),
  });
  return {
    horizontal: horizontal.map(rule),
    vertical: vertical.map(rule),
    fills: fills.map(({ box, shade }) => ({
      box: { left: round(box.left), top: round(box.top), right: round(box.right), bottom: round(box.bottom) },
      shade: Math.round(shade * 100) / 100,
    })),
  };
}

/** Writes operators as they are. */
const write = (page: PDFPage, content: string): void => {
  const { context } = page.doc;
  const stream = context.register(context.stream(content));
  page.node.addContentStream(stream);
};

describe("pageDrawing", () => {
  it("returns level and upright lines, from the top left corner", async () => {
    const drawing = await read((page) => {
      page.drawLine({ start: { x: 72, y: 720 }, end: { x: 540, y: 720 }, thickness: 1 });
      page.drawLine({ start: { x: 100, y: 700 }, end: { x: 100, y: 600 }, thickness: 0.5, lineCap: LineCapStyle.Butt });
      page.drawLine({ start: { x: 100, y: 700 }, end: { x: 200, y: 600 }, thickness: 1 });
    });
    expect(drawing.horizontal).toEqual([{ at: 72, from: 72, to: 540 }]);
    expect(drawing.vertical).toEqual([{ at: 100, from: 92, to: 192 }]);
    expect(drawing.fills).toEqual([]);
  });

  it("returns the sides of boxes, also those of closed paths", async () => {
    const drawing = await read((page) =>
      write(page, "100 600 200 50 re S 400 600 m 500 600 l 500 650 l 400 650 l h S"),
    );
    expect(drawing.horizontal.map(({ at, from, to }) => [at, from, to])).toEqual(
      expect.arrayContaining([
        [192, 100, 300],
        [142, 100, 300],
        [192, 400, 500],
        [142, 400, 500],
      ]),
    );
    expect(drawing.vertical).toHaveLength(4);
  });

  it("returns thin filled boxes as lines and thick strokes as boxes", async () => {
    const drawing = await read((page) => {
      page.drawRectangle({ x: 72, y: 700, width: 400, height: 0.8, color: rgb(0, 0, 0) });
      page.drawRectangle({ x: 72, y: 600, width: 1.2, height: 90, color: rgb(0, 0, 0) });
      page.drawLine({ start: { x: 72, y: 500 }, end: { x: 300, y: 500 }, thickness: 20, color: rgb(0.5, 0.5, 0.5) });
    });
    expect(drawing.horizontal).toEqual([{ at: 91.6, from: 72, to: 472 }]);
    expect(drawing.vertical).toEqual([{ at: 72.6, from: 102, to: 192 }]);
    expect(drawing.fills).toEqual([{ box: { left: 72, top: 282, right: 300, bottom: 302 }, shade: 0.5 }]);
  });

  it("returns boxes with their shade, also with rounded corners", async () => {
    const drawing = await read((page) =>
      write(
        page,
        "0.8 0.8 0.8 rg 72 700 400 20 re f 0 0 0 rg 80 600 m 192 600 l 200 600 200 600 200 608 c 200 622 l 200 630 200 630 192 630 c 80 630 l 72 630 72 630 72 622 c 72 608 l 72 600 72 600 80 600 c f",
      ),
    );
    expect(drawing.fills).toEqual([
      { box: { left: 72, top: 72, right: 472, bottom: 92 }, shade: 0.8 },
      { box: { left: 72, top: 162, right: 200, bottom: 192 }, shade: 0 },
    ]);
  });

  it("leaves out invisible, slanted and round objects", async () => {
    const drawing = await read((page) => {
      page.drawRectangle({ x: 72, y: 700, width: 400, height: 40, color: rgb(1, 1, 1) });
      page.drawRectangle({ x: 72, y: 600, width: 400, height: 40, color: rgb(0, 0, 0), opacity: 0 });
      page.drawLine({ start: { x: 72, y: 500 }, end: { x: 300, y: 500 }, color: rgb(1, 1, 1) });
      page.drawCircle({ x: 300, y: 300, size: 40, color: rgb(0, 0, 0) });
      page.drawText("words are no rules", { x: 72, y: 200 });
      write(page, "100 100 200 20 re W n 72 72 m 100 100 l 128 72 l f 300 80 m 400 80 l n");
    });
    expect(drawing).toEqual(drawn({}));
  });

  it("follows the page's rotation and crop box", async () => {
    const draw = (page: PDFPage): void => page.drawLine({ start: { x: 100, y: 700 }, end: { x: 300, y: 700 } });
    expect((await read(draw, { rotate: 90 })).vertical).toEqual([{ at: 700, from: 100, to: 300 }]);
    expect((await read(draw, { cropBox: [50, 50, 500, 700] })).horizontal).toEqual([{ at: 50, from: 50, to: 250 }]);
  });

  it("reads nested forms, each with its rotation and scale", async () => {
    const drawing = await read((page) => {
      const { context } = page.doc;
      const form = (content: string, matrix: number[], resources = {}) =>
        context.register(
          context.stream(content, {
            Type: "XObject",
            Subtype: "Form",
            BBox: [0, 0, 1000, 1000],
            Matrix: matrix,
            Resources: resources,
          }),
        );
      const inner = form("0 0 m 100 0 l S", [2, 0, 0, 2, 10, 0]);
      const outer = form("q 1 0 0 1 0 50 cm /In Do Q", [0, 1, -1, 0, 300, 0], { XObject: { In: inner } });
      page.node.setXObject(PDFName.of("Out"), outer);
      write(page, "q 1 0 0 1 100 100 cm /Out Do Q");
    });
    // 0..100 → 10..210 at 0, raised to 50, turned upright to x = 250, y = 10..210, moved by 100.
    expect(drawing.horizontal).toEqual([]);
    expect(drawing.vertical).toEqual([{ at: 350, from: 792 - 310, to: 792 - 110 }]);
  });

  it("stops at its limits: forms that draw themselves many times, thousands of strokes", async () => {
    const start = performance.now();
    const drawing = await read((page) => {
      const { context } = page.doc;
      let last = context.register(
        context.stream("0 0 m 100 0 l S", { Type: "XObject", Subtype: "Form", BBox: [0, 0, 600, 800] }),
      );
      for (let depth = 0; depth < 9; depth += 1)
        last = context.register(
          context.stream("/In Do /In Do /In Do", {
            Type: "XObject",
            Subtype: "Form",
            BBox: [0, 0, 600, 800],
            Resources: { XObject: { In: last } },
          }),
        );
      page.node.setXObject(PDFName.of("Out"), last);
      write(
        page,
        `/Out Do ${Array.from({ length: 60_000 }, (_, index) => `${index % 600} 10 m ${index % 600} 700 l S`).join("\n")}`,
      );
    });
    expect(drawing.horizontal.length + drawing.vertical.length).toBeLessThanOrEqual(50_000);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it("rotates with text at quarter turns, and is empty for other text", () => {
    const drawing = drawn({
      horizontal: [level(100, 20, 80)],
      fills: [{ box: { left: 0, top: 0, right: 10, bottom: 20 }, shade: 0.5 }],
    });
    expect(rotateDrawing(drawing, 0)).toBe(drawing);
    const [rule] = rotateDrawing(drawing, 90).vertical;
    expect([rule?.at, rule?.from, rule?.to].map((value) => round(value ?? 0))).toEqual([100, -80, -20]);
    expect(rotateDrawing(drawing, 90).fills[0]?.box.right).toBeCloseTo(20);
    expect(rotateDrawing(drawing, 30)).toEqual(drawn({}));
  });
});
