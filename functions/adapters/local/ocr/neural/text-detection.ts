/**
 * Finds lines of text with a network that draws them: DBNet (Liao et al., "Real-time scene text detection with
 * differentiable binarization", 2020), as PP-OCRv4 trained it.
 */
import { resample, scaling } from "../../../../engine/imaging/affine.ts";
import { eachRun, findComponents } from "../../../../engine/imaging/connected-components.ts";
import { cutBox, type GrayImage, shrink, WHITE } from "../../../../engine/imaging/gray-image.ts";
import { inkThreshold } from "../../../../engine/imaging/ink-threshold.ts";
import { letterPieces } from "../../../../engine/imaging/skew.ts";
import { median } from "../../../../engine/layout/geometry.ts";
import type { Network } from "./model-session.ts";
import { type Point, type TiltedBox, tiltedBoxAround } from "./tilted-box.ts";

/** The network halves a picture five times. */
const SIDE_MULTIPLE = 32;
/**
 * Height of the median letter in the network's picture, pixels. On thirteen pictures, heights of 9, 12 and 16 let
 * 0.94, 0.91 and 0.94 of the values be read, and 16 takes twice the time of 9.
 */
const LETTER_HEIGHT_PIXELS = 10;
/** Letters that tell a height at least; with fewer the picture keeps its size. */
const MIN_LETTERS = 8;
/** Enlarging further only blurs. */
const MAX_SCALE = 2;
/** Pixels that the network gets of a page; more take longer than they find. */
const MAX_INPUT_PIXELS = 3_000_000;
/** Pixels that the network gets at once: a million take 220 MB. */
const STRIP_PIXELS = 700_000;
/** Rows of the strips above and below that the network sees beside its own: some lines of text. */
const STRIP_OVERLAP = 64;
/** Means and deviations of ImageNet's colours, with which the network was trained. */
const COLOUR_MEANS = [0.485, 0.456, 0.406] as const;
const COLOUR_DEVIATIONS = [0.229, 0.224, 0.225] as const;
/** Least probability of text in a pixel, and its mean in a line. The paper's and PaddleOCR's values. */
const PIXEL_THRESHOLD = 0.3;
const LINE_THRESHOLD = 0.5;
/** Ratio by which the drawn core of a line grows to the line: the paper's formula, with PaddleOCR's value. */
const UNCLIP_RATIO = 1.6;
/** Shorter sides of a core, in pixels of the network's picture; smaller ones are specks. */
const MIN_CORE_SIDE = 3;

/** Median height of a picture's letters, pixels; undefined for too few of them. */
function letterHeight(gray: GrayImage, dpi: number): number | undefined {
  const pieces = findComponents(gray, inkThreshold(gray, dpi));
  if (pieces === undefined) return undefined;
  const heights = letterPieces(pieces, dpi).map((index) => (pieces.bottom[index] ?? 0) - (pieces.top[index] ?? 0));
  return heights.length < MIN_LETTERS ? undefined : median(heights);
}

/** Size of the picture that the network gets. */
function inputSize(gray: GrayImage, dpi: number): { width: number; height: number } {
  const { width, height } = gray;
  const wanted = LETTER_HEIGHT_PIXELS / (letterHeight(gray, dpi) ?? LETTER_HEIGHT_PIXELS);
  const scale = Math.min(wanted, MAX_SCALE, Math.sqrt(MAX_INPUT_PIXELS / (width * height)));
  const side = (length: number): number => Math.max(Math.round((length * scale) / SIDE_MULTIPLE), 1) * SIDE_MULTIPLE;
  return { width: side(width), height: side(height) };
}

/** A gray picture as three planes of normalized colours. */
function colourPlanes({ pixels }: GrayImage): Float32Array {
  const planes = new Float32Array(3 * pixels.length);
  for (const [plane, mean] of COLOUR_MEANS.entries()) {
    const values = Float32Array.from(
      { length: 256 },
      (_, gray) => (gray / WHITE - mean) / (COLOUR_DEVIATIONS[plane] ?? 1),
    );
    const start = plane * pixels.length;
    for (let at = 0; at < pixels.length; at += 1) planes[start + at] = values[pixels[at] ?? 0] ?? 0;
  }
  return planes;
}

/** Draws the map of probabilities strip by strip: text is dark. @param picture its sides are multiples of 32 */
async function drawMap(network: Network, picture: GrayImage): Promise<GrayImage> {
  const { width, height } = picture;
  const pixels = new Uint8Array(width * height);
  const strips = Math.ceil((width * height) / STRIP_PIXELS);
  const rows = Math.ceil(height / strips / SIDE_MULTIPLE) * SIDE_MULTIPLE;
  for (let top = 0; top < height; top += rows) {
    const [from, to] = [Math.max(top - STRIP_OVERLAP, 0), Math.min(top + rows + STRIP_OVERLAP, height)];
    const strip = cutBox(picture, { left: 0, top: from, right: width, bottom: to });
    const { data } = await network.run(colourPlanes(strip), 3, to - from, width);
    const [start, end] = [top * width, Math.min(top + rows, height) * width];
    for (let at = start; at < end; at += 1) pixels[at] = WHITE - Math.round((data[at - from * width] ?? 0) * WHITE);
  }
  return { width, height, pixels };
}

interface Core {
  /** Ends of its rows of pixels. */
  points: Point[];
  sum: number;
  area: number;
}

/** The connected parts of the map. */
function findCores(map: GrayImage): Core[] {
  const pieces = findComponents(map, Math.ceil(WHITE * (1 - PIXEL_THRESHOLD)));
  if (pieces === undefined) return [];
  const cores = Array.from({ length: pieces.count }, (): Core => ({ points: [], sum: 0, area: 0 }));
  eachRun(
    pieces,
    () => true,
    (start, end, y, owner) => {
      const core = cores[owner];
      if (core === undefined) return;
      core.points.push({ x: start, y }, { x: end, y }, { x: start, y: y + 1 }, { x: end, y: y + 1 });
      core.area += end - start;
      for (let x = start; x < end; x += 1) core.sum += WHITE - (map.pixels[y * map.width + x] ?? WHITE);
    },
  );
  return cores;
}

/** Grows the core of a line: the network draws lines thinner, so that neighbours stay apart. */
function unclip(box: TiltedBox): TiltedBox {
  const distance = (box.width * box.height * UNCLIP_RATIO) / (2 * (box.width + box.height));
  return { ...box, width: box.width + 2 * distance, height: box.height + 2 * distance };
}

/** Finds the lines of a picture, in its pixels; in no order. */
export async function detectLines(network: Network, gray: GrayImage, dpi: number): Promise<TiltedBox[]> {
  const { width, height } = inputSize(gray, dpi);
  const [x, y] = [gray.width / width, gray.height / height];
  // Sampling points of a much larger picture would tear its strokes.
  const by = Math.max(Math.floor(Math.min(x, y)), 1);
  const map = await drawMap(network, resample(shrink(gray, by), width, height, scaling(x / by, y / by)));
  return findCores(map).flatMap(({ points, sum, area }) => {
    const core = tiltedBoxAround(points);
    if (Math.min(core.width, core.height) < MIN_CORE_SIDE || sum < LINE_THRESHOLD * WHITE * area) return [];
    const line = unclip(core);
    const scaled = { ...line, x: line.x * x, y: line.y * y, width: line.width * x, height: line.height * y };
    return [scaled];
  });
}
