import { describe, expect, it } from "vitest";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import type { PdfPage } from "../../../../../functions/engine/readers/pdf/pdf-page.ts";
import { withMemory } from "../../../../../functions/engine/readers/pdf/pdfium.ts";
import { readPdfPage } from "../../../../../functions/engine/readers/pdf/read-pdf-page.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import type { Layout } from "../../../../../functions/ports/layout.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { lineTexts, pageWords, wordIn } from "../../../../support/layout.ts";
import { invoiceLines, textPdf } from "../../../../support/pdf.ts";

const read = async (bytes: Uint8Array): Promise<Layout> => (await readDocument(bytes, { mimeType: PDF })).layout;
const near = (actual: number, expected: number): void => expect(actual).toBeCloseTo(expected, 1);

describe("readPdfPage positions", () => {
  /** The shown position of a point of an unrotated letter page, in inches. */
  const shown = {
    0: (x: number, y: number) => [x / 72, (792 - y) / 72],
    90: (x: number, y: number) => [y / 72, x / 72],
    180: (x: number, y: number) => [(612 - x) / 72, y / 72],
    270: (x: number, y: number) => [(792 - y) / 72, (612 - x) / 72],
  } as const;

  it.each([0, 90, 180, 270] as const)("follow a rotation by %d", async (rotate) => {
    const layout = await read(await textPdf([{ text: "Corner", x: 100, y: 700 }], { rotate }));
    const page = layout.pages[0];
    expect(page).toMatchObject({
      rotation: rotate,
      width: rotate % 180 === 0 ? 8.5 : 11,
      height: rotate % 180 === 0 ? 11 : 8.5,
    });
    const { box } = wordIn(layout, "Corner");
    const [x, y] = shown[rotate](100, 700);
    const nearX = Math.min(Math.abs(box.left - (x ?? 0)), Math.abs(box.right - (x ?? 0)));
    const nearY = Math.min(Math.abs(box.top - (y ?? 0)), Math.abs(box.bottom - (y ?? 0)));
    expect(nearX).toBeLessThan(0.06);
    expect(nearY).toBeLessThan(0.06);
  });

  it("count from the crop box, and text outside is not read", async () => {
    const lines = [
      { text: "inside", x: 150, y: 650 },
      { text: "above", x: 150, y: 780 },
      { text: "left", x: 20, y: 650 },
    ];
    const layout = await read(await textPdf(lines, { cropBox: [100, 100, 400, 600] }));
    expect(lineTexts(layout.pages[0])).toEqual(["inside"]);
    expect(layout.pages[0]).toMatchObject({ width: 5.5556, height: 8.3333 });
    near(wordIn(layout, "inside").box.left, 50 / 72);
    near(wordIn(layout, "inside").box.bottom, 50 / 72);
  });

  it("follow upward and slanted text along its direction", async () => {
    const lines = [
      { text: "Upright heading", x: 50, y: 740 },
      { text: "Form W-4 (2024)", x: 40, y: 300, turn: 90 },
      { text: "Not for resale", x: 200, y: 200, turn: 35 },
    ];
    const layout = await read(await textPdf(lines));
    expect(lineTexts(layout.pages[0]).sort()).toEqual(["Form W-4 (2024)", "Not for resale", "Upright heading"]);
    const { box } = wordIn(layout, "Form");
    expect(box.bottom - box.top).toBeGreaterThan(box.right - box.left);
    near(box.bottom, (792 - 300) / 72);
  });
});

/** The text that pdfium finds inside a box of the page as shown. */
function cutOut(
  page: PdfPage,
  text: number,
  box: { left: number; top: number; right: number; bottom: number },
): string {
  const { a, b, c, d, e, f } = page.toShown;
  const determinant = a * d - b * c;
  const toPdf = (x: number, y: number): [number, number] => [
    (d * (x - e) - c * (y - f)) / determinant,
    (a * (y - f) - b * (x - e)) / determinant,
  ];
  const [x0, y0] = toPdf(box.left, box.top);
  const [x1, y1] = toPdf(box.right, box.bottom);
  const { call } = page.pdfium;
  return withMemory(page.pdfium, 512, (buffer) => {
    const corners = [Math.min(x0, x1), Math.max(y0, y1), Math.max(x0, x1), Math.min(y0, y1)] as const;
    const units = call.FPDFText_GetBoundedText(text, ...corners, buffer, 256);
    return Buffer.from(page.pdfium.bytes().slice(buffer, buffer + units * 2))
      .toString("utf16le")
      .replaceAll("\0", "");
  });
}

describe("readPdfPage word boxes", () => {
  it.each([0, 90, 180, 270] as const)("hold their word, rotated by %d", async (rotate) => {
    const bytes = await textPdf(invoiceLines, { rotate, cropBox: [20, 20, 580, 760] });
    const wrong = await withPdf(bytes, ({ withPage }) =>
      withPage(0, (page) => {
        const text = page.pdfium.call.FPDFText_LoadPage(page.handle);
        const found = pageWords(readPdfPage(page, 1)).map((word) => {
          // A hair inside, so that a neighbour that touches the box does not come along.
          const inset = 0.02;
          const box = {
            left: (word.box.left + inset) * 72,
            top: (word.box.top + inset) * 72,
            right: (word.box.right - inset) * 72,
            bottom: (word.box.bottom - inset) * 72,
          };
          return [word.text, cutOut(page, text, box).trim()] as const;
        });
        page.pdfium.call.FPDFText_ClosePage(text);
        return found.filter(([word, cut]) => word !== cut);
      }),
    );
    expect(wrong).toEqual([]);
  });
});
