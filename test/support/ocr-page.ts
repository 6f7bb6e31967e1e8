/** Pages for recognition, drawn as a PDF whose text layer is the truth. */
import sharp from "sharp";
import type { GrayImage } from "../../functions/engine/imaging/gray-image.ts";
import { blockLines } from "../../functions/engine/layout/page-words.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../../functions/engine/readers/pdf/read-pdf-page.ts";
import { renderPage } from "../../functions/engine/readers/pdf/render-page.ts";
import type { Word } from "../../functions/ports/layout.ts";
import type { OcrFrame } from "../../functions/ports/ocr.ts";
import { type DrawnLine, drawPdf } from "./drawn-pdf.ts";

export interface OcrTestPage {
  gray: GrayImage;
  png: Uint8Array;
  frame: OcrFrame;
  words: Word[];
}

/** Prose of a letter in words of every English dictionary; both cases, digits, ascenders and descenders. */
export const LETTER: DrawnLine[] = [
  { text: "Quarterly report of the northern harbour office", x: 72, y: 700, size: 18 },
  { text: "The harbour received 482 ships between January and March, which is", x: 72, y: 660, size: 12 },
  { text: "a little more than in the year before. Most of them carried timber,", x: 72, y: 643, size: 12 },
  { text: "paper and machines; only 37 brought coal. The quay was closed for", x: 72, y: 626, size: 12 },
  { text: "eleven days because of heavy storms and the ice that followed them.", x: 72, y: 609, size: 12 },
  { text: "Repairs of the eastern wall should be finished by 15 August.", x: 72, y: 580, size: 12 },
];

export async function drawOcrPage(lines: readonly DrawnLine[], dpi = 200): Promise<OcrTestPage> {
  const pdf = await drawPdf([lines]);
  const page = await withPdf(pdf, (document) => document.withPage(0, (open) => readPdfPage(open, 1)));
  const { width, height, rgba } = await renderPage(pdf, 0, dpi);
  const picture = sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha();
  const png = await picture.clone().png({ compressionLevel: 3 }).toBuffer();
  const pixels = await picture.greyscale().toColourspace("b-w").raw().toBuffer();
  return {
    gray: { width, height, pixels: new Uint8Array(pixels) },
    png,
    frame: { width: page.width, height: page.height },
    words: page.blocks.flatMap((block) => blockLines(block).flatMap((line) => line.words)),
  };
}

const ARTICLES = ["Pipe", "Valve", "Flange", "Gasket", "Pump", "Hose", "Clamp", "Filter", "Sensor", "Cable", "Switch"];
const AMOUNTS = ["2", "1", "7", "12", "3", "5", "8", "40", "1", "6", "100"];
/** In points: the left edges of the columns, and the right edge of the last one. */
const COLUMN_EDGES_POINTS = [54, 126, 306, 414, 540] as const;
const ROW_HEIGHT_POINTS = 22;
const FIRST_BASELINE_POINTS = 690;

/** A list with a column of consecutive numbers and one of amounts, most of them a single figure. */
export async function drawPackingList(
  ruled: boolean,
): Promise<{ page: OcrTestPage; columns: { left: number; right: number; texts: string[] }[] }> {
  const rows = [["Pos", "Article", "Qty", "Unit"]];
  for (const [at, article] of ARTICLES.entries()) rows.push([String(at + 1), article, AMOUNTS[at] ?? "", "pcs"]);
  const lines = rows.flatMap((cells, row) =>
    cells.map((text, column) => ({
      text,
      x: (COLUMN_EDGES_POINTS[column] ?? 0) + 5,
      y: FIRST_BASELINE_POINTS - row * ROW_HEIGHT_POINTS - 15,
      size: 11,
    })),
  );
  const page = await drawOcrPage(lines);
  const columns = [0, 1, 2, 3].map((column) => ({
    left: (COLUMN_EDGES_POINTS[column] ?? 0) / 72,
    right: (COLUMN_EDGES_POINTS[column + 1] ?? 0) / 72,
    texts: rows.map((cells) => cells[column] ?? ""),
  }));
  if (!ruled) return { page, columns };
  const { gray, frame } = page;
  const scale = gray.width / frame.width / 72;
  const fill = (left: number, top: number, right: number, bottom: number): void => {
    for (let y = Math.round(top * scale); y <= Math.round(bottom * scale); y += 1) {
      gray.pixels.fill(0, y * gray.width + Math.round(left * scale), y * gray.width + Math.round(right * scale) + 1);
    }
  };
  const [head, foot] = [792 - FIRST_BASELINE_POINTS, 792 - FIRST_BASELINE_POINTS + rows.length * ROW_HEIGHT_POINTS];
  for (let row = 0; row <= rows.length; row += 1)
    fill(
      COLUMN_EDGES_POINTS[0],
      head + row * ROW_HEIGHT_POINTS,
      COLUMN_EDGES_POINTS[4],
      head + row * ROW_HEIGHT_POINTS + 0.5,
    );
  for (const edge of COLUMN_EDGES_POINTS) fill(edge, head, edge + 0.5, foot);
  return { page: { ...page, png: await toPng(gray) }, columns };
}

/** A PNG of gray pixels. */
export const toPng = ({ width, height, pixels }: GrayImage): Promise<Uint8Array> =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
