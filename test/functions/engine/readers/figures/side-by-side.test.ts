/** Figures side by side, each with its caption. */
import { PDFDocument, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { figurePlaces, findFigures } from "../../../../../functions/engine/readers/figures/find-figures.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { attachCaptions } from "../../../../../functions/engine/structure/figures/figure-captions.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";

const CAPTIONS = ["Figure 1: Sunshine by month at the pier", "Figure 2: Rainfall by month at the coast"];
const SIZE = 9;
const HEIGHT = 140;

type Drawer = (page: ReturnType<PDFDocument["addPage"]>, x: number, width: number, turn: number) => void;

const bars: Drawer = (page, x, width, turn) => {
  for (let bar = 0; bar < 8; bar += 1) {
    const height = 20 + ((bar * 37 + turn * 11) % 110);
    page.drawRectangle({ x: x + (bar * width) / 8, y: 500, width: width / 8 - 3, height, color: rgb(0.2, 0.4, 0.8) });
  }
};
const curve: Drawer = (page, x, width, turn) => {
  const at = (point: number): number => -HEIGHT * (0.5 + 0.5 * Math.sin(point / 3 + turn));
  const pieces = Array.from({ length: 30 }, (_, piece) => {
    const [from, to] = [(piece * width) / 30, ((piece + 1) * width) / 30];
    return `C ${from} ${at(piece)} ${from} -20 ${to} ${at(piece + 1)}`;
  });
  page.drawSvgPath(`M 0 0 ${pieces.join(" ")}`, { x, y: 500, borderColor: rgb(0, 0, 0.6), borderWidth: 1 });
  page.drawLine({ start: { x, y: 500 }, end: { x: x + width, y: 500 } });
  page.drawLine({ start: { x, y: 500 }, end: { x, y: 500 + HEIGHT } });
};

/** Two drawings with so many points between them; with `close`, the captions meet in the middle of the page. */
async function figuresOf(draw: Drawer, gap: number, close: boolean, captions = CAPTIONS) {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([612, 792]);
  const width = (468 - gap) / 2;
  const [left, right] = [72, 72 + width + gap];
  draw(page, left, width, 0);
  draw(page, right, width, 1);
  const middle = right - gap / 2;
  for (const [at, text] of captions.entries()) {
    const ends = at === 0 ? middle - 3 - font.widthOfTextAtSize(text, SIZE) : middle + 3;
    page.drawText(text, { x: close ? ends : ([left, right][at] ?? left), y: 474, size: SIZE, font });
  }
  const bytes = await document.save();
  const { layout } = await readDocument(bytes, { mimeType: PDF });
  const blocks = layout.pages.flatMap((one) => one.blocks.flatMap((block) => (block.kind === "figure" ? [block] : [])));
  const found = attachCaptions(await findFigures(bytes, PDF, { seen: figurePlaces(layout) }), layout);
  return { found: found.map(({ caption }) => caption), blocks: blocks.map(({ caption }) => caption).sort() };
}

describe("two drawings side by side", () => {
  it.each([
    ["bars, 9 points apart", bars, 9],
    ["bars, 24 points apart", bars, 24],
    ["curves, 4 points apart", curve, 4],
    ["curves, 14 points apart", curve, 14],
  ] as const)("are two figures, each with its own caption: %s", async (_, draw, gap) => {
    for (const close of [false, true])
      expect(await figuresOf(draw, gap, close)).toEqual({ found: CAPTIONS, blocks: CAPTIONS });
  });

  it("are one figure under one caption", async () => {
    const [caption = ""] = CAPTIONS;
    expect(await figuresOf(bars, 9, false, [caption])).toEqual({ found: [caption], blocks: [caption] });
  });
});
