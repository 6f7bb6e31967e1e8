/** Prepares a page's picture for recognition: upright, level, paper white, drawn lines erased, type large enough. */

import type { Box } from "../../ports/layout.ts";
import type { OcrDrawing, OcrFrame } from "../../ports/ocr.ts";
import { extendBox, median, unionBox } from "../layout/geometry.ts";
import { type AffineMap, compose, fromQuarters, levelling, mapBox, resample, scaling } from "./affine.ts";
import { flattenBackground } from "./background.ts";
import { boxOfPiece, type Components, findComponents } from "./connected-components.ts";
import { eraseBorders, invertBars, invertTints } from "./dark-regions.ts";
import { drawnSquares } from "./drawn-squares.ts";
import { eraseCheckboxes, eraseLeaders } from "./erase-checkboxes.ts";
import { eraseRules } from "./erase-rules.ts";
import { type GrayImage, turnQuarters, WHITE } from "./gray-image.ts";
import { inkThreshold, softThreshold } from "./ink-threshold.ts";
import { darkOnLight } from "./invert-negative.ts";
import { findRowDirection, letterPieces, MIN_LETTER_INCHES, type QuarterTurns, type RowDirection } from "./skew.ts";
import { findTickMarks, mapTicks, type TickMarks } from "./tick-marks.ts";
import { measureTiles } from "./tiles.ts";

export interface Preparation {
  /** Quarter turns clockwise; absent: found from the rows of letters. */
  quarters?: QuarterTurns;
  /** Only turns and levels the picture and inverts dark bars; drawn lines stay. */
  plain?: boolean;
  /** Letters lower than this are enlarged to this height, pixels. */
  letterHeight?: number;
  /** Keeps the frames of checkboxes, which are letters in some scripts. */
  keepCheckboxes?: boolean;
  /** Inches of the shortest rule; absent: longer than any stroke of usual type. */
  shortestRule?: number;
  /** Finds rules that are fainter than the page's ink, too. */
  faintRules?: boolean;
  /** Finds the marks to tick. */
  tickMarks?: boolean;
}

export interface PreparedPicture {
  gray: GrayImage;
  /** From its pixels to inches of the page as shown. */
  toPage: AffineMap;
  /** Its pixels per inch. */
  dpi: number;
  quarters: QuarterTurns;
  /** Angle of the page's text as shown: degrees clockwise, above -180 to 180. */
  angle: number;
  /** Gray below which there is ink or its soft edges. */
  threshold: number;
  /** True if there is nothing on the page but grain. */
  empty: boolean;
  /** Box around everything on the cleaned page but grain, pixels; all zeros where there is nothing. */
  bounds: Box;
  /** Drawn rules and bars, inches of the page as shown; none of a plain preparation. */
  drawn: OcrDrawing;
  /** Pieces of ink that may be letters: of each its middle and its pixels (x, y, ink, one after the other). */
  ink: Float32Array;
}

/** A prepared picture with the small drawn things that were erased from it, in inches of the page as shown. */
export interface PreparedForm extends PreparedPicture {
  /** Frames of checkboxes. */
  checkboxes: Box[];
  /** Dots and dashes of leaders. */
  dots: Box[];
  /** Marks to tick, where they are asked for. */
  ticks: TickMarks;
}

/** Clarity of rows from which the other axis is not tried. */
const CLEAR_ROWS = 4;
/** Factors of clarity for the upright direction and for level axes: pages are upright more often than not. */
const UPRIGHT_PRIOR = 1.15;
const AXIS_PRIOR = 1.3;
/** Skew that recognition tolerates. */
const LEVEL_DEGREES = 0.12;
/** Clarity of rows that are worth turning for. */
const MIN_CLARITY = 1.6;
/** Pieces of ink that are reported of a page; of more, every n-th. */
const MAX_INK_PIECES = 20_000;
/** Scales; enlarging further only blurs, enlarging less is not worth it. */
const MAX_SCALE = 2;
const MIN_SCALE = 1.3;

/** The rows of the likeliest direction; the other axis is tried only where the first is not clear. */
function chooseRows(pieces: Components, dpi: number, wanted: QuarterTurns | undefined): RowDirection | undefined {
  const rowsOf = (...quarters: QuarterTurns[]): RowDirection[] =>
    quarters.map((one) => findRowDirection(pieces, dpi, one)).filter((one) => one !== undefined);
  if (wanted !== undefined) return rowsOf(wanted)[0];
  const level = rowsOf(0, 2);
  const clear = level.some(({ clarity }) => clarity >= CLEAR_ROWS);
  const weight = ({ quarters, clarity }: RowDirection): number =>
    clarity * (quarters === 0 ? UPRIGHT_PRIOR : 1) * (quarters % 2 === 0 ? AXIS_PRIOR : 1);
  const all = clear ? level : [...level, ...rowsOf(1, 3)];
  return all.reduce<RowDirection | undefined>((a, b) => (a === undefined || weight(b) > weight(a) ? b : a), undefined);
}

const normalAngle = (degrees: number): number => {
  const turned = ((((degrees + 180) % 360) + 360) % 360) - 180;
  return Math.round((turned === -180 ? 180 : turned) * 100) / 100 + 0;
};

/** Median height of possible letters, in pixels; undefined for too few of them. */
function letterHeight(pieces: Components, dpi: number): number | undefined {
  const heights = letterPieces(pieces, dpi).map((index) => (pieces.bottom[index] ?? 0) - (pieces.top[index] ?? 0));
  return heights.length < 8 ? undefined : median(heights);
}

function inkOf(pieces: Components, dpi: number, gone: (index: number) => boolean): Float32Array {
  const all = letterPieces(pieces, dpi).filter((index) => !gone(index));
  const step = Math.ceil(all.length / MAX_INK_PIECES);
  const letters = all.filter((_, at) => at % step === 0);
  const ink = new Float32Array(letters.length * 3);
  for (const [at, index] of letters.entries()) {
    ink[at * 3] = ((pieces.left[index] ?? 0) + (pieces.right[index] ?? 0)) / 2;
    ink[at * 3 + 1] = ((pieces.top[index] ?? 0) + (pieces.bottom[index] ?? 0)) / 2;
    ink[at * 3 + 2] = pieces.area[index] ?? 0;
  }
  return ink;
}

/** Box around the pieces that are no smaller than the smallest letter; all zeros for none. */
function boundsOf({ count, left, top, right, bottom }: Components, dpi: number, gone: (index: number) => boolean): Box {
  let bounds: Box | undefined;
  for (let index = 0; index < count; index += 1) {
    const [l, t, r, b] = [left[index] ?? 0, top[index] ?? 0, right[index] ?? 0, bottom[index] ?? 0];
    if (Math.max(r - l, b - t) < MIN_LETTER_INCHES * dpi || gone(index)) continue;
    const box = { left: l, top: t, right: r, bottom: b };
    if (bounds === undefined) bounds = box;
    else extendBox(bounds, box);
  }
  return bounds ?? { left: 0, top: 0, right: 0, bottom: 0 };
}

/** Gray below which there is ink with its soft edges, and ink alone. */
interface InkLevels {
  threshold: number;
  black: number;
}

interface CleaningResult {
  /** True for pieces that are no letters. */
  isGone(index: number): boolean;
  /** True for pieces that were erased whole; bars had type on them. */
  isErased(index: number): boolean;
  /** Pixels. */
  drawn: OcrDrawing;
  checkboxes: Box[];
  dots: Box[];
  ticks: TickMarks;
}

const NO_TICKS: TickMarks = { squares: [], circles: [], shadowed: [] };

const boxesOf = (pieces: Components, chosen: Iterable<number>): Box[] =>
  [...chosen].map((index) => boxOfPiece(pieces, index));

/** Erases drawn lines and inverts bars, in place. @param source the picture before its paper was made white */
function clean(
  [gray, source]: [GrayImage, GrayImage],
  pieces: Components,
  ink: InkLevels,
  dpi: number,
  { plain = false, keepCheckboxes = false, shortestRule, faintRules, tickMarks = false }: Preparation,
): CleaningResult {
  const { pieces: bars, boxes } = invertBars(gray, pieces, dpi);
  const nothing = { drawn: { rules: [], bars: [] }, checkboxes: [], dots: [], ticks: NO_TICKS };
  if (plain) return { isGone: (index) => bars.has(index), isErased: () => false, ...nothing };
  const borders = eraseBorders(gray, pieces);
  const before = tickMarks ? { ...gray, pixels: gray.pixels.slice() } : gray;
  const frames = keepCheckboxes ? new Map<number, number>() : eraseCheckboxes(gray, pieces, ink.threshold, dpi);
  const leaders = eraseLeaders(gray, pieces, ink.threshold, dpi);
  const dots = new Set(leaders.flat());
  const sets = [borders, frames, dots];
  const isErased = (index: number): boolean => sets.some((set) => set.has(index));
  const isGone = (index: number): boolean => bars.has(index) || isErased(index);
  const ticks = tickMarks
    ? findTickMarks(gray, pieces, { threshold: ink.threshold, dpi, frames, drawn: before, isGone })
    : NO_TICKS;
  const squares = drawnSquares({ gray, pieces, threshold: ink.threshold, frames }, isGone);
  const ruleChoice = { shortest: shortestRule, faintSource: faintRules === true ? source : undefined };
  const rules = eraseRules(gray, pieces, (index) => !isGone(index), { ...ink, dpi }, ruleChoice);
  const found = { checkboxes: boxesOf(pieces, frames.keys()), dots: boxesOf(pieces, dots), ticks };
  const drawn = { rules, bars: boxes, squares, leaders: leaders.map((row) => unionBox(boxesOf(pieces, row))) };
  return { isGone, isErased, drawn, ...found };
}

/** A picture upright and level, and the map back to the original. */
interface StraightPicture {
  gray: GrayImage;
  back: AffineMap;
  /** True if its pieces of ink are not where they were. */
  moved: boolean;
  quarters: QuarterTurns;
  skew: number;
}

/** Turns the picture by the quarters that are given or found, then levels and enlarges it. */
function straighten(
  flat: GrayImage,
  pieces: Components | undefined,
  dpi: number,
  preparation: Preparation,
): StraightPicture {
  const rows = pieces === undefined ? undefined : chooseRows(pieces, dpi, preparation.quarters);
  const found = rows !== undefined && rows.clarity >= MIN_CLARITY ? rows : undefined;
  const quarters = preparation.quarters ?? found?.quarters ?? 0;
  const skew = found === undefined || Math.abs(found.skew) < LEVEL_DEGREES ? 0 : found.skew;
  const upright = turnQuarters(flat, quarters);
  const back = fromQuarters(quarters, flat.width, flat.height);
  const height = pieces === undefined ? undefined : letterHeight(pieces, dpi);
  const wanted = height === undefined ? 1 : Math.min((preparation.letterHeight ?? 0) / height, MAX_SCALE);
  const scale = wanted < MIN_SCALE ? 1 : wanted;
  if (skew === 0 && scale === 1) return { gray: upright, back, moved: quarters !== 0, quarters, skew };
  const level = levelling(upright, skew, scale);
  const gray = resample(upright, level.width, level.height, level.back);
  return { gray, back: compose(back, level.back), moved: true, quarters, skew };
}

/** Measures a cleaned picture; on one with too much grain to tell its pieces apart, everything may be ink. */
function measureCleaned(
  { width, height }: GrayImage,
  pieces: Components | undefined,
  cleaned: CleaningResult | undefined,
  dpi: number,
): Pick<PreparedPicture, "empty" | "bounds" | "ink"> {
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

/** Prepares a picture for recognition. @param source the picture as shown @param frame the page that it shows */
export function preparePicture(source: GrayImage, frame: OcrFrame, preparation: Preparation): PreparedForm {
  const toInches = scaling(frame.width / source.width, frame.height / source.height);
  const sourceDpi = Math.sqrt((source.width / frame.width) * (source.height / frame.height));
  const positive = darkOnLight(source);
  // Tiles are measured again only of a picture that a step has changed.
  let tiles = measureTiles(positive, sourceDpi);
  const tints = invertTints(positive, sourceDpi, tiles);
  if (tints.gray !== positive) tiles = measureTiles(tints.gray, sourceDpi);
  const flat = flattenBackground(tints.gray, sourceDpi, tiles);
  if (flat !== tints.gray) tiles = measureTiles(flat, sourceDpi);
  const black = inkThreshold(flat, sourceDpi, tiles);
  const threshold = softThreshold(flat, black);
  const first = findComponents(flat, threshold);
  const { gray, back, moved, quarters, skew } = straighten(flat, first, sourceDpi, preparation);
  const toPage = compose(toInches, back);
  // Maps scale areas by their determinant, so that its root is inches a pixel.
  const dpi = 1 / Math.sqrt(Math.abs(toPage.a * toPage.d - toPage.b * toPage.c));
  const pieces = moved ? findComponents(gray, threshold) : first;
  const own = gray === source ? { ...gray, pixels: gray.pixels.slice() } : gray;
  const cleaned = pieces && clean([own, moved ? own : positive], pieces, { threshold, black }, dpi, preparation);
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
      squares: (cleaned?.drawn.squares ?? []).map(({ box, ink }) => ({ box: mapBox(box, toPage), ink })),
      leaders: (cleaned?.drawn.leaders ?? []).map((box) => mapBox(box, toPage)),
    },
    checkboxes: (cleaned?.checkboxes ?? []).map((box) => mapBox(box, toPage)),
    dots: (cleaned?.dots ?? []).map((box) => mapBox(box, toPage)),
    ticks: mapTicks(cleaned?.ticks ?? NO_TICKS, (box) => mapBox(box, toPage)),
    ...measureCleaned(own, pieces, cleaned, dpi),
  };
}

/**
 * Copies the picture with boxes (pixels) and all paper made white: with little ink left, its grain would be taken for
 * ink.
 * @param threshold pixels below it are ink or its soft edges
 */
export function blankOut({ width, height, pixels }: GrayImage, boxes: readonly Box[], threshold: number): GrayImage {
  const rest = new Uint8Array(pixels.length);
  for (let at = 0; at < rest.length; at += 1) {
    const value = pixels[at] ?? 0;
    rest[at] = value | ((threshold - 1 - value) >> 31); // all bits set where there is no ink, without a branch
  }
  for (const box of boxes) {
    const [left, right] = [Math.max(Math.floor(box.left), 0), Math.min(Math.ceil(box.right), width)];
    for (let y = Math.max(Math.floor(box.top), 0); y < Math.min(Math.ceil(box.bottom), height); y += 1) {
      if (right > left) rest.fill(WHITE, y * width + left, y * width + right);
    }
  }
  return { width, height, pixels: rest };
}
