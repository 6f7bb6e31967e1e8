/** Pages with boxes drawn on them. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { renderPagePng } from "../../functions/engine/readers/pdf/render-page.ts";
import type { Box } from "../../functions/ports/layout.ts";

const PICTURE_DPI = 110;
const POINTS_PER_INCH = 72;

export interface DrawnBox {
  box: Box;
  colour: string;
  dashed?: boolean;
  text?: string;
}

const escapeXml = (text: string): string => text.replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** Writes a page as `folder/name.png`. @param boxes points */
export async function drawBoxes(
  bytes: Uint8Array,
  pageNumber: number,
  boxes: readonly DrawnBox[],
  file: { folder: string; name: string },
): Promise<void> {
  const png = await renderPagePng(bytes, pageNumber - 1, PICTURE_DPI);
  const { width = 1, height = 1 } = await sharp(png).metadata();
  const scale = PICTURE_DPI / POINTS_PER_INCH;
  const shapes = boxes.map(({ box, colour, dashed, text }) => {
    const [x, y, w, h] = [box.left, box.top, box.right - box.left, box.bottom - box.top].map((one) => one * scale);
    const dash = dashed === true ? ' stroke-dasharray="4 3"' : "";
    const label =
      text === undefined
        ? ""
        : `<text x="${x}" y="${(y ?? 0) + 8}" font-size="8" fill="${colour}">${escapeXml(text)}</text>`;
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="1.4"${dash}/>${label}`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join("")}</svg>`;
  await mkdir(file.folder, { recursive: true });
  const drawn = await sharp(png)
    .composite([{ input: Buffer.from(svg) }])
    .png()
    .toBuffer();
  await writeFile(path.join(file.folder, `${file.name}.png`), drawn);
}
