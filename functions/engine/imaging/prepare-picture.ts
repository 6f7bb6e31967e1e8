/** A page's picture made ready for recognition: upright, level, paper white, drawn lines out, type large enough. */

import type { Box } from "../../ports/layout.ts";
import type { OcrDrawing, OcrFrame } from "../../ports/ocr.ts";
import { median } from "../layout/geometry.ts";
import { type Affine, compose, fromQuarters, levelling, mapBox, resample, scaling } from "./affine.ts";
import { flattenBackground } from "./background.ts";
import { type Components, findComponents } from "./connected-components.ts";
import { eraseBorders, invertBars, invertTints } from "./dark-regions.ts";
import { eraseCheckBoxes, eraseLeaders } from "./erase-checkboxes.ts";
import { eraseRules } from "./erase-rules.ts";
import { type Gray, turnQuarters, WHITE } from "./gray-image.ts";
import { inkThreshold, softThreshold } from "./ink-threshold.ts";
import { darkOnLight } from "./invert-negative.ts";
import { findRows, LEAST_LETTER, letterPieces, type Quarters, type Rows } from "./skew.ts";

export interface Preparation {
  /** Turned clockwise by so many quarters; found from the rows of letters when absent. */
  quarters?: Quarters;
  /** Only upright and level, dark bars turned to white; what is drawn stays. */
  plain?: boolean;
  /** Letters of at most so many pixels are enlarged to them. */
  letterHeight?: number;
  /** Frames of check boxes are letters in some scripts. */
  keepBoxes?: boolean;
}

export interface Prepared {
  gray: Gray;
  /** From its pixels to inches of the page as shown. */
  toPage: Affine;
  /** Its pixels per inch. */
  dpi: number;
  quarters: Quarters;
  /** Degrees clockwise, above -180 to 180, by which the page's text is turned as shown. */
  angle: number;
  /** Gray below which there is ink or its soft edges. */
  threshold: number;
  /** There is nothing on the page but grain. */
  empty: boolean;
  /** Pixels around all that is left on the page but grain; empty when nothing is. */
  bounds: Box;
  /** What is drawn, inches of the page as shown; none of a page that is only made plain. */
  drawn: OcrDrawing;
  /** Ink that may be letters: of each piece its middle and its pixels (x, y, ink, one after the other). */
  ink: Float32Array;
}

/** Rows this clear are no chance: the other axis need not be asked. */
const CLEAR = 4;
/** Another direction than upright needs so much clearer rows: pages are upright more often than not. */
const UPRIGHT_PRIOR = 1.15;
const AXIS_PRIOR = 1.3;
/** Degrees that recognition does not mind. */
const LEVEL = 0.12;
/** Rows less clear than this have no direction worth turning for. */
const LEAST_CLARITY = 1.6;
/** Pieces of ink that are told of a page; of more, every so many-th. */
const MOST_INK = 20_000;
/** Enlarging further only blurs. */
const MOST_SCALE = 2;
const LEAST_SCALE = 1.3;

/** The rows of the likeliest direction; of one axis first, of the other only when the first is not clear. */
function chooseRows(pieces: Components, dpi: number, wanted: Quarters | undefined): Rows | undefined {
  const rowsOf = (...quarters: Quarters[]): Rows[] =>
    quarters.map((one) => findRows(pieces, dpi, one)).filter((one) => one !== undefined);
  if (wanted !== undefined) return rowsOf(wanted)[0];
  const level = rowsOf(0, 2);
  const clear = level.some(({ clarity }) => clarity >= CLEAR);
  const weight = ({ quarters, clarity }: Rows): number =>
    clarity * (quarters === 0 ? UPRIGHT_PRIOR : 1) * (quarters % 2 === 0 ? AXIS_PRIOR : 1);
  const all = clear ? level : [...level, ...rowsOf(1, 3)];
  return all.reduce<Rows | undefined>((a, b) => (a === undefined || weight(b) > weight(a) ? b : a), undefined);
}

const normalAngle = (degrees: number): number => {
  const turned = ((((degrees + 180) % 360) + 360) % 360) - 180;
  return Math.round((turned === -180 ? 180 : turned) * 100) / 100 + 0;
};

/** Median height of what may be letters, in pixels; undefined when there are too few. */
function letterHeight(pieces: Components, dpi: number): number | undefined {
  const heights = letterPieces(pieces, dpi).map((index) => (pieces.bottom[index] ?? 0) - (pieces.top[index] ?? 0));
  return heights.length < 8 ? undefined : median(heights);
}

function inkOf(pieces: Components, dpi: number, gone: (index: number) => boolean): Float32Array {
  const all = letterPieces(pieces, dpi).filter((index) => !gone(index));
  const step = Math.ceil(all.length / MOST_INK);
  const letters = all.filter((_, at) => at % step === 0);
  const ink = new Float32Array(letters.length * 3);
  for (const [at, index] of letters.entries()) {
    ink[at * 3] = ((pieces.left[index] ?? 0) + (pieces.right[index] ?? 0)) / 2;
    ink[at * 3 + 1] = ((pieces.top[index] ?? 0) + (pieces.bottom[index] ?? 0)) / 2;
    ink[at * 3 + 2] = pieces.area[index] ?? 0;
  }
  return ink;
}

/** Around the pieces that are no smaller than the smallest letter; all zeros when there are none. */
function boundsOf({ count, left, top, right, bottom }: Components, dpi: number, gone: (index: number) => boolean): Box {
  let bounds: Box | undefined;
  for (let index = 0; index < count; index += 1) {
    const [l, t, r, b] = [left[index] ?? 0, top[index] ?? 0, right[index] ?? 0, bottom[index] ?? 0];
    if (Math.max(r - l, b - t) < LEAST_LETTER * dpi || gone(index)) continue;
    bounds ??= { left: l, top: t, right: r, bottom: b };
    bounds.left = Math.min(bounds.left, l);
    bounds.top = Math.min(bounds.top, t);
    bounds.right = Math.max(bounds.right, r);
    bounds.bottom = Math.max(bounds.bottom, b);
  }
  return bounds ?? { left: 0, top: 0, right: 0, bottom: 0 };
}

/** Gray below which there is ink with its soft edges, and ink alone. */
interface Ink {
  threshold: number;
  black: number;
}

interface Cleaned {
  /** What is no letter. */
  isGone(index: number): boolean;
  /** What left nothing behind; on a bar there was type. */
  isErased(index: number): boolean;
  /** Pixels. */
  drawn: OcrDrawing;
}

/** Takes out what is drawn, in place. */
function clean(
  gray: Gray,
  pieces: Components,
  ink: Ink,
  dpi: number,
  { plain = false, keepBoxes = false }: Preparation,
): Cleaned {
  const { pieces: bars, boxes } = invertBars(gray, pieces, dpi);
  if (plain) return { isGone: (index) => bars.has(index), isErased: () => false, drawn: { rules: [], bars: [] } };
  const sets = [
    eraseBorders(gray, pieces),
    keepBoxes ? new Set<number>() : eraseCheckBoxes(gray, pieces, ink.threshold, dpi),
    eraseLeaders(gray, pieces, ink.threshold, dpi),
  ];
  const isErased = (index: number): boolean => sets.some((set) => set.has(index));
  const isGone = (index: number): boolean => bars.has(index) || isErased(index);
  const rules = eraseRules(gray, pieces, (index) => !isGone(index), { ...ink, dpi });
  return { isGone, isErased, drawn: { rules, bars: boxes } };
}

/** A picture upright and level, and the map back to the one that was given. */
interface Straight {
  gray: Gray;
  back: Affine;
  /** Its pieces of ink are not where they were. */
  moved: boolean;
  quarters: Quarters;
  skew: number;
}

/** Quarters found or given, then the rest of the turn. */
function straighten(flat: Gray, pieces: Components | undefined, dpi: number, preparation: Preparation): Straight {
  const rows = pieces === undefined ? undefined : chooseRows(pieces, dpi, preparation.quarters);
  const found = rows !== undefined && rows.clarity >= LEAST_CLARITY ? rows : undefined;
  const quarters = preparation.quarters ?? found?.quarters ?? 0;
  const skew = found === undefined || Math.abs(found.skew) < LEVEL ? 0 : found.skew;
  const upright = turnQuarters(flat, quarters);
  const back = fromQuarters(quarters, flat.width, flat.height);
  const height = pieces === undefined ? undefined : letterHeight(pieces, dpi);
  const wanted = height === undefined ? 1 : Math.min((preparation.letterHeight ?? 0) / height, MOST_SCALE);
  const scale = wanted < LEAST_SCALE ? 1 : wanted;
  if (skew === 0 && scale === 1) return { gray: upright, back, moved: quarters !== 0, quarters, skew };
  const level = levelling(upright, skew, scale);
  const gray = resample(upright, level.width, level.height, level.back);
  return { gray, back: compose(back, level.back), moved: true, quarters, skew };
}

/** What there is on a picture that is cleaned; of one with too much grain to tell its pieces apart, all may be ink. */
function measure(
  { width, height }: Gray,
  pieces: Components | undefined,
  cleaned: Cleaned | undefined,
  dpi: number,
): Pick<Prepared, "empty" | "bounds" | "ink"> {
  if (pieces === undefined || cleaned === undefined) {
    return { empty: false, bounds: { left: 0, top: 0, right: width, bottom: height }, ink: new Float32Array() };
  }
  const all = boundsOf(pieces, dpi, () => false);
  return {
    empty: all.right === 0,
    bounds: boundsOf(pieces, dpi, cleaned.isErased),
    ink: inkOf(pieces, dpi, cleaned.isGone),
  };
}

/**
 * @param source the picture as shown
 * @param frame the page that it shows
 */
export function preparePicture(source: Gray, frame: OcrFrame, preparation: Preparation): Prepared {
  const toInches = scaling(frame.width / source.width, frame.height / source.height);
  const sourceDpi = Math.sqrt((source.width / frame.width) * (source.height / frame.height));
  const tints = invertTints(darkOnLight(source), sourceDpi);
  const flat = flattenBackground(tints.gray, sourceDpi);
  const black = inkThreshold(flat, sourceDpi);
  const threshold = softThreshold(flat, black);
  const first = findComponents(flat, threshold);
  const { gray, back, moved, quarters, skew } = straighten(flat, first, sourceDpi, preparation);
  const toPage = compose(toInches, back);
  // Maps keep areas but for their scale, so that the root of the determinant is inches a pixel.
  const dpi = 1 / Math.sqrt(Math.abs(toPage.a * toPage.d - toPage.b * toPage.c));
  const pieces = moved ? findComponents(gray, threshold) : first;
  const own = gray === source ? { ...gray, pixels: gray.pixels.slice() } : gray;
  const cleaned = pieces && clean(own, pieces, { threshold, black }, dpi, preparation);
  return {
    gray: own,
    toPage,
    dpi,
    quarters,
    angle: normalAngle(skew - quarters * 90),
    threshold,
    drawn: {
      rules: (cleaned?.drawn.rules ?? []).map((box) => mapBox(box, toPage)),
      bars: [
        ...(preparation.plain === true ? [] : tints.boxes.map((box) => mapBox(box, toInches))),
        ...(cleaned?.drawn.bars ?? []).map((box) => mapBox(box, toPage)),
      ],
    },
    ...measure(own, pieces, cleaned, dpi),
  };
}

/**
 * A copy with boxes (pixels) made white, and all paper: with little ink left, its grain would be taken for ink.
 * @param threshold pixels below it are ink or its soft edges
 */
export function blank({ width, height, pixels }: Gray, boxes: readonly Box[], threshold: number): Gray {
  const rest = new Uint8Array(pixels.length);
  for (let at = 0; at < rest.length; at += 1) {
    const value = pixels[at] ?? 0;
    rest[at] = value | ((threshold - 1 - value) >> 31); // all bits where it is no ink: no branch at each edge
  }
  for (const box of boxes) {
    const [left, right] = [Math.max(Math.floor(box.left), 0), Math.min(Math.ceil(box.right), width)];
    for (let y = Math.max(Math.floor(box.top), 0); y < Math.min(Math.ceil(box.bottom), height); y += 1) {
      if (right > left) rest.fill(WHITE, y * width + left, y * width + right);
    }
  }
  return { width, height, pixels: rest };
}
