/** The ink of a line: its pieces, without rests of rules and of the lines above and below. */
import { boxOfPiece, findComponents } from "../../../../engine/imaging/connected-components.ts";
import { type GrayImage, histogramOf, WHITE } from "../../../../engine/imaging/gray-image.ts";
import { histogramQuantile } from "../../../../engine/layout/geometry.ts";
import type { Box } from "../../../../ports/layout.ts";

/** Quantiles of a line's gray that are its ink and its paper: text covers a tenth to a third of a line. */
const INK_QUANTILE = 0.03;
const PAPER_QUANTILE = 0.75;
/** Outer share of a line's height in which only parts of its neighbours end. */
const EDGE_SHARE = 0.2;
/** Rules are lower than a dash is high, and longer than a dash, in heights of the line. */
const MAX_RULE_HEIGHT = 0.12;
const MIN_RULE_LENGTH = 1.5;
/** Pixels of a piece; smaller ones are grain. */
const MIN_PIECE_PIXELS = 4;

/** The picture with dark letters. */
function darkLetters(line: GrayImage): GrayImage {
  const counts = histogramOf(line);
  const [darkest, usual, brightest] = [INK_QUANTILE, 0.5, 1 - INK_QUANTILE].map((at) => histogramQuantile(counts, at));
  const isDark = (usual ?? 0) - (darkest ?? 0) >= (brightest ?? 0) - (usual ?? 0);
  return isDark ? line : { ...line, pixels: line.pixels.map((value) => WHITE - value) };
}

/** The boxes of a line's pieces of ink, from left to right. */
export function inkOfLine(line: GrayImage): Box[] {
  const dark = darkLetters(line);
  const counts = histogramOf(dark);
  const threshold = (histogramQuantile(counts, INK_QUANTILE) + histogramQuantile(counts, PAPER_QUANTILE)) / 2;
  const pieces = findComponents(dark, threshold);
  if (pieces === undefined) return [];
  const { height } = line;
  const boxes: Box[] = [];
  for (let index = 0; index < pieces.count; index += 1) {
    const box = boxOfPiece(pieces, index);
    const isNeighbour =
      (box.top === 0 && box.bottom <= EDGE_SHARE * height) ||
      (box.bottom === height && box.top >= (1 - EDGE_SHARE) * height);
    const isRule = box.bottom - box.top <= MAX_RULE_HEIGHT * height && box.right - box.left >= MIN_RULE_LENGTH * height;
    if ((pieces.area[index] ?? 0) >= MIN_PIECE_PIXELS && !isNeighbour && !isRule) boxes.push(box);
  }
  return boxes.sort((a, b) => a.left - b.left);
}
