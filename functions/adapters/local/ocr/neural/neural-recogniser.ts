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

/** The lines to read: from top to bottom, and from left to right. */
const inReadingOrder = (lines: readonly TiltedBox[]): TiltedBox[] =>
  lines
    .filter(({ width, height }) => height <= MAX_HEIGHT_WIDTHS * width)
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .slice(0, MAX_LINES);

/** Loads the models from packages only. @throws Error when loading fails */
export async function openNeural(): Promise<NeuralRecogniser> {
  const networks = await openNetworks();
  return {
    async recognize(picture, dpi, hasTime) {
      const words: ReadWord[] = [];
      if (!hasTime()) return words;
      const lines = inReadingOrder(await detectLines(networks.detection, picture));
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
