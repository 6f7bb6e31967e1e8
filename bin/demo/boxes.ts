import sharp from "sharp";
import type { SourceLocations } from "../../client/index.ts";

const COLOURS = ["#d1495b", "#00798c", "#edae49", "#30638e", "#8f2d56", "#3a7d44", "#6a4c93", "#c8553d", "#1b998b"];

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

interface Mark {
  names: string[];
  box: { left: number; top: number; right: number; bottom: number };
}

/** The boxes on a page; values that were read from the same words share one. */
function marksOf(sources: SourceLocations, pageNumber: number): Mark[] {
  const marks = new Map<string, Mark>();
  for (const [pointer, { pageAnchors }] of Object.entries(sources.locations)) {
    for (const { bbox, pageNumber: page } of pageAnchors) {
      if (page !== pageNumber) continue;
      const key = JSON.stringify(bbox);
      const mark = marks.get(key) ?? { names: [], box: bbox };
      mark.names.push(pointer.slice(1));
      marks.set(key, mark);
    }
  }
  return [...marks.values()];
}

const LETTER = 9;

/** A mark as SVG: the names stand to the right of the box, one below the other. */
function drawMark({ names, box }: Mark, colour: string, dpi: number): string {
  const [x, y] = [box.left * dpi - 2, box.top * dpi - 2];
  const [w, h] = [(box.right - box.left) * dpi + 4, (box.bottom - box.top) * dpi + 4];
  const first = y + h / 2 + 3 - ((names.length - 1) * LETTER) / 2;
  const texts = names.map(
    (name, index) =>
      `<text x="${x + w + 4}" y="${first + index * LETTER}" font-family="sans-serif" font-size="${LETTER}" fill="${colour}">${escaped(name)}</text>`,
  );
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="1.5"/>${texts.join("")}`;
}

/**
 * Draws each value's box, with its name, over a picture of its page.
 * @param picture PNG of the page at `dpi` @returns PNG
 */
export async function outlineBoxes(
  picture: Uint8Array,
  sources: SourceLocations,
  pageNumber: number,
  dpi: number,
): Promise<Buffer> {
  const image = sharp(picture);
  const { width = 0, height = 0 } = await image.metadata();
  const marks = marksOf(sources, pageNumber).map((mark, index) =>
    drawMark(mark, COLOURS[index % COLOURS.length] ?? "#000000", dpi),
  );
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${marks.join("")}</svg>`;
  return image
    .composite([{ input: Buffer.from(overlay) }])
    .png()
    .toBuffer();
}
