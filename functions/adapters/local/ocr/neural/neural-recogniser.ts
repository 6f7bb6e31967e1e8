/** A second recogniser beside Tesseract, for photos and poor scans: the networks of PP-OCRv4 find and read lines. */
import type { GrayImage } from "../../../../engine/imaging/gray-image.ts";
import type { ReadWord } from "../tesseract-tsv.ts";
import { cropLine } from "./line-crop.ts";
import { readCharacters } from "./line-recognition.ts";
import { wordsOfLine } from "./line-words.ts";
import { openNetworks } from "./model-session.ts";
import { detectLines } from "./text-detection.ts";
import type { TiltedBox } from "./tilted-box.ts";

export interface NeuralRecogniser {
  /**
   * Finds and recognises the lines of an upright picture.
   * @param dpi pixels per inch of the picture
   * @param hasTime asked before each line; false ends the reading
   */
  recognize(picture: GrayImage, dpi: number, hasTime: () => boolean): Promise<ReadWord[]>;
  close(): Promise<void>;
}

/** Lines of a page; more are grain. */
const MAX_LINES = 600;
/** Height of a line, in its widths, from which it is text from top to bottom; single letters are lower. */
const MAX_HEIGHT_WIDTHS = 2.5;

/** Share of the lower line's height by which the middles of lines in one row differ at most. */
const MAX_ROW_OFFSET = 0.4;

/** The lines to read: row by row from the top, and from left to right. */
function inReadingOrder(lines: readonly TiltedBox[]): TiltedBox[] {
  const rows: TiltedBox[][] = [];
  const level = lines.filter(({ width, height }) => height <= MAX_HEIGHT_WIDTHS * width);
  for (const line of level.sort((a, b) => a.y - b.y).slice(0, MAX_LINES)) {
    const last = rows.at(-1)?.at(-1);
    if (last !== undefined && line.y - last.y <= MAX_ROW_OFFSET * Math.min(line.height, last.height)) {
      rows.at(-1)?.push(line);
    } else rows.push([line]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.x - b.x));
}

/** Loads the models from packages only. @throws Error when loading fails */
export async function openNeural(): Promise<NeuralRecogniser> {
  const networks = await openNetworks();
  return {
    async recognize(picture, dpi, hasTime) {
      const words: ReadWord[] = [];
      if (!hasTime()) return words;
      const lines = inReadingOrder(await detectLines(networks.detection, picture, dpi));
      for (const [line, place] of lines.entries()) {
        if (!hasTime()) break;
        const crop = cropLine(picture, place);
        for (const { text, confidence, box } of wordsOfLine(crop, await readCharacters(networks, crop.gray))) {
          const { left, top, right, bottom } = box;
          const inches = { left: left / dpi, top: top / dpi, right: right / dpi, bottom: bottom / dpi };
          words.push({ text, confidence: Math.round(confidence * 10_000) / 10_000, box: inches, line });
        }
      }
      return words;
    },
    async close() {
      await networks.detection.close();
      await networks.recognition.close();
    },
  };
}
