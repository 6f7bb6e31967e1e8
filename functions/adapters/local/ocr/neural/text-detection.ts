/**
 * Finds lines of text with a network that draws them: DBNet (Liao et al., "Real-time scene text detection with
 * differentiable binarization", 2020), as PP-OCRv4 trained it.
 */
import { resample, scaling } from "../../../../engine/imaging/affine.ts";
import { eachRun, findComponents } from "../../../../engine/imaging/connected-components.ts";
import { type GrayImage, WHITE } from "../../../../engine/imaging/gray-image.ts";
import type { Network, NetworkOutput } from "./model-session.ts";
import { type Point, type TiltedBox, tiltedBoxAround } from "./tilted-box.ts";

/** The network halves a picture five times. */
const SIDE_MULTIPLE = 32;
/** Sides that the network gets: smaller pictures are enlarged, larger ones shrunk. PaddleOCR's defaults. */
const MIN_SHORT_SIDE = 736;
const MAX_LONG_SIDE = 2000;
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

/** Size of the picture that the network gets. */
function inputSize({ width, height }: GrayImage): { width: number; height: number } {
  const grown = Math.max(MIN_SHORT_SIDE / Math.min(width, height), 1);
  const scale = Math.min(grown, MAX_LONG_SIDE / Math.max(width, height));
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

/** The map of probabilities as a picture: text is dark. */
function toPicture({ data, dims }: NetworkOutput): GrayImage {
  const [, , height = 0, width = 0] = dims;
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = WHITE - Math.round((data[at] ?? 0) * WHITE);
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
export async function detectLines(network: Network, gray: GrayImage): Promise<TiltedBox[]> {
  const { width, height } = inputSize(gray);
  const [x, y] = [gray.width / width, gray.height / height];
  const input = colourPlanes(resample(gray, width, height, scaling(x, y)));
  const map = toPicture(await network.run(input, 3, height, width));
  return findCores(map).flatMap(({ points, sum, area }) => {
    const core = tiltedBoxAround(points);
    if (Math.min(core.width, core.height) < MIN_CORE_SIDE || sum < LINE_THRESHOLD * WHITE * area) return [];
    const line = unclip(core);
    const scaled = { ...line, x: line.x * x, y: line.y * y, width: line.width * x, height: line.height * y };
    return [scaled];
  });
}
