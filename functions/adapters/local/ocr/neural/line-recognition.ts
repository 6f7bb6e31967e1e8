/**
 * Recognises the characters of a line: SVTR-LCNet of PP-OCRv4, decoded as a connectionist temporal classification
 * (Graves et al., 2006) by the likeliest class of each step, so that each character has a place.
 */
import { type GrayImage, WHITE } from "../../../../engine/imaging/gray-image.ts";
import type { Networks } from "./model-session.ts";

/** A character as the network reads it. */
export interface ReadCharacter {
  text: string;
  /** Probability, 0 to 1. */
  confidence: number;
  /** Its middle, in pixels of the line's picture. */
  x: number;
}

/** Pixels that the network makes one step of. */
const STEP_PIXELS = 8;
/** Least width of the network's picture: it was trained with lines of 320 pixels, and reads shorter ones on paper. */
const MIN_WIDTH = 64;

/** Pixels as the network was trained: -1 to 1 in three equal planes; behind the line, gray. */
function normalized({ width, height, pixels }: GrayImage, across: number): Float32Array {
  const values = new Float32Array(3 * height * across);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) values[y * across + x] = (pixels[y * width + x] ?? 0) / (WHITE / 2) - 1;
  }
  values.copyWithin(height * across, 0, height * across);
  values.copyWithin(2 * height * across, 0, height * across);
  return values;
}

/** The likeliest class of a step. */
function likeliest(data: Float32Array, start: number, classes: number): number {
  let best = start;
  for (let at = start + 1; at < start + classes; at += 1) if ((data[at] ?? 0) > (data[best] ?? 0)) best = at;
  return best - start;
}

/** Recognises a line. */
export async function readCharacters({ recognition, characters }: Networks, line: GrayImage): Promise<ReadCharacter[]> {
  const across = Math.max(Math.ceil(line.width / STEP_PIXELS) * STEP_PIXELS, MIN_WIDTH);
  const { data, dims } = await recognition.run(normalized(line, across), 3, line.height, across);
  const [, steps = 0, classes = 0] = dims;
  const read: ReadCharacter[] = [];
  let [before, first] = [0, 0];
  for (let step = 0; step < steps; step += 1) {
    const found = likeliest(data, step * classes, classes);
    const confidence = data[step * classes + found] ?? 0;
    const last = read.at(-1);
    if (found !== before) first = step;
    if (found !== 0) {
      const x = (((first + step + 1) / 2) * across) / steps;
      if (found !== before || last === undefined) read.push({ text: characters[found] ?? "", confidence, x });
      else [last.confidence, last.x] = [Math.max(last.confidence, confidence), x];
    }
    before = found;
  }
  return read;
}
