/** Letter pages as scanned or photographed, with their words, and pictures without text. */
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { grayOf } from "../../functions/engine/imaging/figure-regions/measure-ink.ts";
import type { GrayImage } from "../../functions/engine/imaging/gray-image.ts";
import { blockLines } from "../../functions/engine/layout/page-words.ts";
import { renderPage } from "../../functions/engine/readers/pdf/render-page.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import type { Block, Box } from "../../functions/ports/layout.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import type { OcrPage } from "../../functions/ports/ocr.ts";
import { ocrPage } from "./pages.ts";

const SCAN_DPI = 100;
export const PAGE_WIDTH_INCHES = 8.5;
export const PAGE_HEIGHT_INCHES = 11;
const POINTS_PER_INCH = 72;

export interface Scan {
  gray: GrayImage;
  /** The text of the page, every word read. */
  ocr: OcrPage;
}

/** Draws in inches from the top left corner. */
export interface Pen {
  page: PDFPage;
  font: PDFFont;
  text(text: string, left: number, baseline: number, size?: number): void;
  paragraph(left: number, top: number, lines: number, words?: number): void;
  line(from: readonly [number, number], to: readonly [number, number], points?: number): void;
  box(box: Box, gray: number): void;
  ring(x: number, y: number, radius: number, points: number): void;
}

const WORDS = "the office has received your letter of the third and will answer every question that it asks".split(" ");

function penOn(page: PDFPage, font: PDFFont): Pen {
  const place = (left: number, top: number) => ({
    x: left * POINTS_PER_INCH,
    y: (PAGE_HEIGHT_INCHES - top) * POINTS_PER_INCH,
  });
  const text: Pen["text"] = (value, left, baseline, size = 11) =>
    page.drawText(value, { ...place(left, baseline), size, font });
  return {
    page,
    font,
    text,
    paragraph(left, top, lines, words = 14) {
      for (let line = 0; line < lines; line += 1) {
        const own = Array.from({ length: words }, (_, at) => WORDS[(at + line * 5) % WORDS.length]);
        text(own.join(" "), left, top + 0.15 + line * 0.18);
      }
    },
    line(from, to, points = 1) {
      page.drawLine({ start: place(...from), end: place(...to), thickness: points });
    },
    box({ left, top, right, bottom }, gray) {
      const size = { width: (right - left) * POINTS_PER_INCH, height: (bottom - top) * POINTS_PER_INCH };
      page.drawRectangle({ ...place(left, bottom), ...size, color: rgb(gray, gray, gray) });
    },
    ring(x, y, radius, points) {
      page.drawCircle({
        ...place(x, y),
        size: radius * POINTS_PER_INCH,
        borderWidth: points,
        borderColor: rgb(0.2, 0.2, 0.2),
      });
    },
  };
}

/** A page of text as a PDF. */
async function pagePdf(draw: (pen: Pen) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  draw(penOn(document.addPage([PAGE_WIDTH_INCHES * POINTS_PER_INCH, PAGE_HEIGHT_INCHES * POINTS_PER_INCH]), font));
  return document.save();
}

/** The scanned page, recognised without a mistake. */
export async function scanPage(draw: (pen: Pen) => void, dpi = SCAN_DPI): Promise<Scan> {
  const pdf = await pagePdf(draw);
  const { layout } = await readDocument(pdf, { mimeType: PDF, ocr: "NONE", mayBeEmpty: true });
  const [page] = layout.pages;
  if (page === undefined) throw new RangeError("A page was drawn");
  const lines = page.blocks.flatMap(blockLines);
  const sure = lines.map((line) => ({ ...line, words: line.words.map((word) => ({ ...word, confidence: 0.9 })) }));
  const blocks = sure.map((line): Block => ({ kind: "paragraph", box: line.box, lines: [line] }));
  return { gray: grayOf(await renderPage(pdf, 0, dpi)), ocr: ocrPage({ ...page, blocks }) };
}

/** Changes the pixels of an area, in inches. @param shade maps the old gray and the position in the area, 0 to 1 */
export function shadeIn(
  { width, height, pixels }: GrayImage,
  box: Box,
  shade: (gray: number, x: number, y: number) => number,
): void {
  const dpi = width / PAGE_WIDTH_INCHES;
  const [left, right] = [Math.max(Math.round(box.left * dpi), 0), Math.min(Math.round(box.right * dpi), width)];
  const [top, bottom] = [Math.max(Math.round(box.top * dpi), 0), Math.min(Math.round(box.bottom * dpi), height)];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = y * width + x;
      const value = shade(pixels[at] ?? 255, (x - left) / (right - left), (y - top) / (bottom - top));
      pixels[at] = Math.min(Math.max(Math.round(value), 0), 255);
    }
  }
}

/** A landscape photo: soft tones, edges, some grain. */
export function photo(x: number, y: number): number {
  const hills = 0.55 + 0.15 * Math.sin(9 * x) + 0.06 * Math.sin(31 * x + 2);
  const grain = 14 * Math.sin(977 * x + 1_511 * y) * Math.sin(613 * y);
  if (y < hills) return 205 - 90 * y + 30 * Math.sin(6 * x + 4 * y) + grain;
  return 95 + 50 * Math.sin(40 * x) * Math.sin(23 * y + 5 * x) - 40 * (y - hills) + grain;
}

/** The page rotated clockwise about its centre with its words; white outside of it. */
export function rotatePage({ gray, ocr }: Scan, degrees: number): Scan {
  const { width, height, pixels } = gray;
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const turned = new Uint8Array(pixels.length).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const [fromX, fromY] = [
        Math.round(dx * cosine + dy * sine + width / 2),
        Math.round(dy * cosine - dx * sine + height / 2),
      ];
      if (fromX < 0 || fromY < 0 || fromX >= width || fromY >= height) continue;
      turned[y * width + x] = pixels[fromY * width + fromX] ?? 255;
    }
  }
  const turnBox = (box: Box): Box => turnedBox(box, degrees);
  const blocks = ocr.page.blocks.map((block): Block => {
    if (block.kind === "table") return block;
    const lines = block.lines.map((line) => ({
      box: turnBox(line.box),
      words: line.words.map((word) => ({ ...word, box: turnBox(word.box) })),
    }));
    return { ...block, box: turnBox(block.box), lines };
  });
  return { gray: { width, height, pixels: turned }, ocr: { ...ocr, angle: degrees, page: { ...ocr.page, blocks } } };
}

/** Around a box of the page that was rotated with it. */
export function turnedBox({ left, top, right, bottom }: Box, degrees: number): Box {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const corners = [left, right].flatMap((x) =>
    [top, bottom].map((y) => {
      const [dx, dy] = [x - PAGE_WIDTH_INCHES / 2, y - PAGE_HEIGHT_INCHES / 2];
      return {
        x: dx * cosine - dy * sine + PAGE_WIDTH_INCHES / 2,
        y: dx * sine + dy * cosine + PAGE_HEIGHT_INCHES / 2,
      };
    }),
  );
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
