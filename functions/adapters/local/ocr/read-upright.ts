/** Recognises whole pages and parts of them, and finds the turn in which a page reads best. */
import { cutBox, type GrayImage } from "../../../engine/imaging/gray-image.ts";
import { blankOut, type Preparation, type PreparedPicture } from "../../../engine/imaging/prepare-picture.ts";
import type { QuarterTurns } from "../../../engine/imaging/skew.ts";
import type { Box } from "../../../ports/layout.ts";
import { certainLetters, meanConfidence } from "./merge-words.ts";
import { MODES, type Mode, type RecognitionTools } from "./recognition-tools.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

/** Confidence of letters that need no second pass. */
export const SURE_CONFIDENCE = 0.5;

/** Pieces of stray ink that are worth a second pass; fewer are no text. */
export const MIN_STRAY_PIECES = 12;

/** Pixels along a side that a letter needs at least. */
const MIN_SIDE_PIXELS = 8;

/** Pieces of ink; a page with fewer is nearly white. */
const MIN_INK_PIECES = 300;

/** Mean confidence below which a page may be upside down or sideways. */
const DOUBTFUL_CONFIDENCE = 0.55;

/** The same for the share of pieces of ink that are certain letters. */
const MIN_LETTER_SHARE = 0.3;

/** Factor by which another turn must read better than the first. */
const BETTER_TURN_RATIO = 1.3;

const STRIP_HEIGHT_INCHES = 1.2;

/** Paper around a recognised part whose edges are known. */
const EDGE_MARGIN_INCHES = 0.15;

const ALL_QUARTERS: readonly QuarterTurns[] = [0, 1, 2, 3];

/** Cuts out the strip of the picture with the most pieces of ink. */
function cutStrip({ gray, dpi, ink }: PreparedPicture): { strip: GrayImage; pieces: number } {
  const bin = 0.1 * dpi;
  const counts = new Float64Array(Math.ceil(gray.height / bin) + 1);
  for (let at = 1; at < ink.length; at += 3) {
    const place = Math.floor((ink[at] ?? 0) / bin);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const high = Math.round(STRIP_HEIGHT_INCHES / 0.1);
  let [best, from] = [-1, 0];
  for (let start = 0; start + high <= Math.max(counts.length, high); start += 1) {
    const sum = counts.subarray(start, start + high).reduce((total, count) => total + count, 0);
    if (sum > best) [best, from] = [sum, start];
  }
  const top = Math.min(Math.round(from * bin), gray.height - 1);
  const bottom = Math.min(Math.round((from + high) * bin), gray.height);
  return { strip: cutBox(gray, { left: 0, top, right: gray.width, bottom }), pieces: best };
}

/** Certain letters per piece of ink, in a strip of the page. */
async function scoreTurn(tools: RecognitionTools, prepared: PreparedPicture): Promise<number> {
  const { strip, pieces } = cutStrip(prepared);
  if (pieces <= 0 || Math.min(strip.width, strip.height) < MIN_SIDE_PIXELS) return 0;
  const words = await tools.recognize(strip, prepared.dpi, MODES.block);
  return certainLetters(words, SURE_CONFIDENCE) / pieces;
}

/** Number of pieces of ink, which are letters for the most part. */
export const pieceCount = ({ ink }: PreparedPicture): number => ink.length / 3;

/**
 * Recognises a part of a picture: on white margins the engine also searches for columns and lines, which takes a tenth
 * of the time of a page.
 * @param part pixels of the picture
 */
export async function recognizePart(
  tools: RecognitionTools,
  { gray, dpi }: Pick<PreparedPicture, "gray" | "dpi">,
  mode: Mode,
  part: Box,
  marginInches = EDGE_MARGIN_INCHES,
): Promise<ReadWord[]> {
  const margin = marginInches * dpi;
  const box = {
    left: Math.max(Math.floor(part.left - margin), 0),
    top: Math.max(Math.floor(part.top - margin), 0),
    right: Math.min(Math.ceil(part.right + margin), gray.width),
    bottom: Math.min(Math.ceil(part.bottom + margin), gray.height),
  };
  const [x, y] = [box.left / dpi, box.top / dpi];
  const words = await tools.recognize(cutBox(gray, box), dpi, mode);
  return words.map((word) => ({
    ...word,
    box: {
      left: word.box.left + x,
      top: word.box.top + y,
      right: word.box.right + x,
      bottom: word.box.bottom + y,
    },
  }));
}

export interface PassResult {
  prepared: PreparedPicture;
  words: ReadWord[];
}

/** Reads the whole page. On a page with little ink, grain is removed first, or it would be taken for ink. */
export function readWholePage(
  tools: RecognitionTools,
  { gray, dpi, ink, threshold, empty, bounds }: PreparedPicture,
): Promise<ReadWord[]> {
  if (empty || Math.min(gray.width, gray.height) < MIN_SIDE_PIXELS) return Promise.resolve([]);
  const picture = ink.length / 3 < MIN_INK_PIECES ? blankOut(gray, [], threshold) : gray;
  return recognizePart(tools, { gray: picture, dpi }, MODES.page, bounds);
}

/** The turn, of those given, that reads best in a strip of the page. */
async function findTurn(
  tools: RecognitionTools,
  quarters: readonly QuarterTurns[],
  prepare: (quarters: QuarterTurns) => Promise<PreparedPicture>,
): Promise<{ prepared: PreparedPicture; score: number } | undefined> {
  let best: { prepared: PreparedPicture; score: number } | undefined;
  for (const one of quarters) {
    if (best !== undefined && !tools.hasTime(0.3)) break;
    const prepared = await prepare(one);
    const score = await scoreTurn(tools, prepared);
    if (best === undefined || score > best.score) best = { prepared, score };
  }
  return best;
}

/**
 * Reads the page upright, once. Rows of letters tell the turn; where they say that the page is not upright, or the
 * words make no sense, strips of the page read in other turns decide.
 */
export async function readUpright(
  tools: RecognitionTools,
  preparation: Preparation,
  maxDpi: number,
): Promise<PassResult> {
  const prepare = (quarters: QuarterTurns): Promise<PreparedPicture> =>
    tools.prepare({ ...preparation, quarters }, maxDpi);
  let prepared = await tools.prepare(preparation, maxDpi);
  const first = prepared.quarters;
  if (first !== 0) {
    const opposite = ALL_QUARTERS[(first + 2) % 4] ?? 0;
    const found = await findTurn(tools, [first, opposite, ...(opposite === 0 ? [] : [0 as const])], prepare);
    prepared = found?.prepared ?? prepared;
  }
  const words = await readWholePage(tools, prepared);
  const pieces = pieceCount(prepared);
  const score = certainLetters(words, SURE_CONFIDENCE) / Math.max(pieces, 1);
  const isDoubtful = meanConfidence(words) < DOUBTFUL_CONFIDENCE || score < MIN_LETTER_SHARE;
  if (!isDoubtful || pieces < MIN_STRAY_PIECES || !tools.hasTime(1.5)) return { prepared, words };
  const others = ALL_QUARTERS.filter((one) => one !== prepared.quarters);
  const found = await findTurn(tools, others, prepare);
  if (found === undefined || found.score < BETTER_TURN_RATIO * Math.max(score, 0.1)) return { prepared, words };
  return { prepared: found.prepared, words: await readWholePage(tools, found.prepared) };
}
