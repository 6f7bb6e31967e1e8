/** Makes a picture's paper white, finds its ink, and enlarges small letters. */
import type { Box } from "../../ports/layout.ts";
import type { OcrFrame } from "../../ports/ocr.ts";
import { median } from "../layout/geometry.ts";
import { levelling, resample } from "./affine.ts";
import { flattenBackground } from "./background.ts";
import { type Components, findComponents } from "./connected-components.ts";
import { invertTints } from "./dark-regions.ts";
import type { GrayImage } from "./gray-image.ts";
import { inkThreshold, softThreshold } from "./ink-threshold.ts";
import { darkOnLight } from "./invert-negative.ts";
import { letterPieces } from "./skew.ts";
import { measureTiles } from "./tiles.ts";

/** Scales; enlarging further only blurs, enlarging less is not worth it. */
const MAX_SCALE = 2;
const MIN_SCALE = 1.3;
/** Height of letters that is read best, and pixels of a picture (half an A4 page at 200 dpi) that may take the time. */
const COMFORTABLE_LETTER_PIXELS = 24;
const SMALL_PICTURE_PIXELS = 2_000_000;

/** A picture with its paper white, its ink, and the tinted bars that were inverted. */
export interface FlatPicture {
  gray: GrayImage;
  /** Pixels per inch. */
  dpi: number;
  /** Gray below which there is ink, and below which there are its soft edges too. */
  black: number;
  threshold: number;
  pieces: Components | undefined;
  tints: Box[];
}

/** Median height of possible letters, in pixels; undefined for too few of them. */
export function letterHeight(pieces: Components, dpi: number): number | undefined {
  const heights = letterPieces(pieces, dpi).map((index) => (pieces.bottom[index] ?? 0) - (pieces.top[index] ?? 0));
  return heights.length < 8 ? undefined : median(heights);
}

function flatten(positive: GrayImage, frame: OcrFrame): FlatPicture {
  const dpi = Math.sqrt((positive.width / frame.width) * (positive.height / frame.height));
  // Tiles are measured again only of a picture that a step has changed.
  let tiles = measureTiles(positive, dpi);
  const tints = invertTints(positive, dpi, tiles);
  if (tints.gray !== positive) tiles = measureTiles(tints.gray, dpi);
  const gray = flattenBackground(tints.gray, dpi, tiles);
  if (gray !== tints.gray) tiles = measureTiles(gray, dpi);
  const black = inkThreshold(gray, dpi, tiles);
  const threshold = softThreshold(gray, black);
  return { gray, dpi, black, threshold, pieces: findComponents(gray, threshold), tints: tints.boxes };
}

/** Scale that brings letters to the wanted height, those of a small picture to a comfortable one. */
function enlargement({ gray, dpi, pieces }: FlatPicture, wanted: number): number {
  const height = pieces && letterHeight(pieces, dpi);
  if (height === undefined) return 1;
  const room = Math.sqrt(SMALL_PICTURE_PIXELS / (gray.width * gray.height));
  const scale = Math.min(Math.max(wanted / height, Math.min(COMFORTABLE_LETTER_PIXELS / height, room)), MAX_SCALE);
  return scale < MIN_SCALE ? 1 : scale;
}

/**
 * Makes a picture's paper white, and its small letters large before anything is looked for or erased: among few pixels
 * a letter has the shape of a frame or a rule.
 * @param wanted letters lower than this are enlarged to this height, pixels; absent: nothing is enlarged
 */
export function flatPicture(source: GrayImage, frame: OcrFrame, wanted: number | undefined): FlatPicture {
  const positive = darkOnLight(source);
  const flat = flatten(positive, frame);
  const scale = wanted === undefined ? 1 : enlargement(flat, wanted);
  if (scale === 1) return flat;
  const large = levelling(positive, 0, scale);
  return flatten(resample(positive, large.width, large.height, large.back), frame);
}
