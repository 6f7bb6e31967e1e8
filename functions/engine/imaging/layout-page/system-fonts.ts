/**
 * Words in the fonts of this machine, for scripts that the standard fonts of PDF lack. A character that no font has
 * becomes a box with its code.
 */
import sharp from "sharp";
import { BOX_HEIGHT_EM, DESCENT_EM, type DrawnWord, MAX_STRETCH } from "./drawn-page.ts";

/** Type size on the sheets on which words are measured, in pixels. */
const EM = 24;
/** A cell of a sheet: its height and its baseline's distance from the top, in pixels; the room of a letter, in ems. */
const CELL_HEIGHT = 2 * EM;
const CELL_BASELINE = 1.4 * EM;
const LETTER_ROOM_EM = 1.5;
/** Side of a sheet in pixels: 16 megapixels, 64 MB while it is drawn. */
const SHEET_SIDE = 4_000;

/** The ink of a word in ems: to the right of its start, and above and below its baseline. */
interface Ink {
  left: number;
  right: number;
  above: number;
  below: number;
}

interface Cell {
  word: DrawnWord;
  left: number;
  top: number;
  width: number;
}

export interface Canvas {
  /** Pixels. */
  width: number;
  height: number;
  pixelsPerInch: number;
}

/** XML's characters (XML 1.0, 2.2); others, such as half a surrogate pair, become a box. */
const NO_XML_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const toXml = (text: string): string =>
  text.replace(NO_XML_CHARACTER, "\u25a1").replace(/[&<>]/g, (character) => ENTITIES[character] ?? "");

const textElement = ({ text, bold }: DrawnWord, family: string, transform: string): string =>
  `<text transform="${transform}" font-family="${family}" font-size="${EM}"${bold ? ' font-weight="bold"' : ""}>${toXml(text)}</text>`;

const svgOf = (width: number, height: number, content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);

const keyOf = ({ text, bold }: DrawnWord): string => `${bold ? "b" : "p"}${text}`;

/** Packs words into cells of sheets, each word once. */
function packCells(words: readonly DrawnWord[]): Cell[][] {
  const sheets: Cell[][] = [];
  let [left, top] = [0, SHEET_SIDE];
  for (const word of new Map(words.map((one) => [keyOf(one), one])).values()) {
    const width = Math.min(Math.ceil((word.text.length * LETTER_ROOM_EM + 1) * EM), SHEET_SIDE);
    if (left + width > SHEET_SIDE) [left, top] = [0, top + CELL_HEIGHT];
    if (top + CELL_HEIGHT > SHEET_SIDE) {
      [left, top] = [0, 0];
      sheets.push([]);
    }
    sheets.at(-1)?.push({ word, left, top, width });
    left += width;
  }
  return sheets;
}

/** Bounds of the ink within a cell; undefined for a cell without ink. */
function inkOf(alpha: Uint8Array, rowPixels: number, cell: Cell): Ink | undefined {
  let [left, right, top, bottom] = [Infinity, -1, Infinity, -1];
  for (let y = 0; y < CELL_HEIGHT; y += 1) {
    const start = (cell.top + y) * rowPixels + cell.left;
    for (let x = 0; x < cell.width; x += 1) {
      if ((alpha[start + x] ?? 0) === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  }
  if (right < 0) return undefined;
  return {
    left: left / EM - 0.5,
    right: right / EM - 0.5,
    above: (CELL_BASELINE - top) / EM,
    below: (bottom - CELL_BASELINE) / EM,
  };
}

/** Draws a sheet of words. @returns the opacity of each pixel */
async function drawSheet(cells: readonly Cell[], family: string): Promise<{ alpha: Uint8Array; width: number }> {
  const width = Math.max(...cells.map((cell) => cell.left + cell.width));
  const height = Math.max(...cells.map((cell) => cell.top)) + CELL_HEIGHT;
  // Each cell is a picture of its own, whose letters cannot reach into another.
  const content = cells.map(
    ({ word, left, top, width: room }) =>
      `<svg x="${left}" y="${top}" width="${room}" height="${CELL_HEIGHT}">${textElement(word, family, `translate(${EM / 2} ${CELL_BASELINE})`)}</svg>`,
  );
  const alpha = await sharp(svgOf(width, height, content.join("")), { unlimited: true })
    .ensureAlpha()
    .extractChannel("alpha")
    .raw()
    .toBuffer();
  return { alpha, width };
}

let fontsThere: Promise<boolean> | undefined;

/** Tells whether this machine has a font: without one, all letters are the same box. Asked once a process. */
export function hasSystemFonts(): Promise<boolean> {
  fontsThere ??= findFonts();
  return fontsThere;
}

async function findFonts(): Promise<boolean> {
  const box = { left: 0, top: 0, right: 1, bottom: 1 };
  const letters = ["A", "B"].map((text) => ({ text, box, bold: false }));
  const [cells = []] = packCells(letters);
  const { alpha, width } = await drawSheet(cells, "Helvetica");
  const [first, second] = cells.map((cell) => {
    const rows = Array.from({ length: CELL_HEIGHT }, (_, y) => (cell.top + y) * width + cell.left);
    return Buffer.concat(rows.map((start) => alpha.subarray(start, start + cell.width)));
  });
  return first !== undefined && second !== undefined && !first.equals(second);
}

/** Moves and scales a word's letters from their baseline's start into its box. */
function placeIn({ box }: DrawnWord, ink: Ink, pixelsPerInch: number): string {
  const em = ((box.bottom - box.top) / BOX_HEIGHT_EM) * pixelsPerInch;
  const ascent = BOX_HEIGHT_EM - DESCENT_EM;
  const down = Math.min(1, ascent / Math.max(ink.above, 0.01), ink.below > 0 ? DESCENT_EM / ink.below : 1) * em;
  const room = (box.right - box.left) * pixelsPerInch;
  const across = Math.min(room / (ink.right - ink.left), MAX_STRETCH * em);
  const x = box.left * pixelsPerInch - ink.left * across;
  const y = box.bottom * pixelsPerInch - DESCENT_EM * em;
  return `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${(across / EM).toFixed(4)} ${(down / EM).toFixed(4)})`;
}

/** Draws words in their boxes as SVG of the canvas' size. @param monospaced in letters of one width */
export async function systemFontOverlay(
  words: readonly DrawnWord[],
  { width, height, pixelsPerInch }: Canvas,
  monospaced: boolean,
): Promise<Buffer> {
  const family = monospaced ? "Courier, monospace" : "Helvetica";
  const inks = new Map<string, Ink>();
  for (const cells of packCells(words)) {
    const { alpha, width: rowPixels } = await drawSheet(cells, family);
    for (const cell of cells) {
      const ink = inkOf(alpha, rowPixels, cell);
      if (ink !== undefined) inks.set(keyOf(cell.word), ink);
    }
  }
  const drawn = words.flatMap((word) => {
    const ink = inks.get(keyOf(word));
    return ink === undefined ? [] : [textElement(word, family, placeIn(word, ink, pixelsPerInch))];
  });
  return svgOf(width, height, drawn.join(""));
}
