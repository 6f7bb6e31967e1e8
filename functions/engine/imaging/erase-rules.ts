/**
 * Erases rules from a level picture: lines of forms and tables, underlines. Text that crosses a rule keeps its strokes:
 * a rule's pixels are erased only where the ink is no thicker than the rule.
 */

import type { Box } from "../../ports/layout.ts";
import { histogramQuantile } from "../layout/geometry.ts";
import type { Components } from "./connected-components.ts";
import { findFaintStrokes } from "./faint-strokes.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";
import { findStrokes, MIN_SIDE_INCHES, type Stroke, sidesBetween } from "./rule-strokes.ts";

/** Length of a rule: longer than any straight stroke of a letter below 40 points. */
const MIN_LENGTH_INCHES = 0.3;
/** Thickness of a rule (three points); thicker bars are parts of drawings. */
const MAX_THICKNESS_INCHES = 0.045;
/** Ratio of a rule's length to its thickness; the stem of an l has ten. */
const MIN_LENGTH_TO_THICKNESS = 15;
/**
 * Thickness above which a rule must be black nearly everywhere, and the share of it that is black: blurred fine print
 * runs together to gray bars.
 */
const THIN_RULE_INCHES = 0.022;
const BLACK_SHARE = 0.95;
/**
 * Both edges of a rule are straight, unlike those of letters in a row: share of its length that is even, and pixels by
 * which it may differ.
 */
const EVEN_EDGE_SHARE = 0.75;
const EVEN_EDGE_PIXELS = 1;
/** Distance between rows of pixels of one rule. */
const MAX_STROKE_DISTANCE_PIXELS = 2;

/** Direction of walking a picture: along rows for level rules, along columns for upright ones. */
interface Walk {
  /** Distance of pixels in memory along a rule, and across it. */
  stepAlong: number;
  stepAcross: number;
  /** Pixels across. */
  across: number;
}

/** Number of ink pixels across the rule from `at` in one direction, at most `most`. */
function inkDepth(pixels: Uint8Array, threshold: number, at: number, step: number, room: number, most: number): number {
  let deep = 0;
  const limit = Math.min(room, most);
  while (deep < limit && (pixels[at + step * (deep + 1)] ?? WHITE) < threshold) deep += 1;
  return deep;
}

/** Gray below which there is ink, and below which it is black; pixels of a thin rule, and of the thickest. */
interface RuleLimits {
  threshold: number;
  black: number;
  thin: number;
  most: number;
}

/**
 * Ink pixels of a stroke: their index, and the ink before and behind each across the stroke. Reused; longer than the
 * ink found.
 */
interface InkSpans {
  at: Int32Array;
  before: Int32Array;
  behind: Int32Array;
}

/** Histogram of depths. */
function countDepths(depths: Int32Array, count: number, most: number): Uint32Array {
  const counts = new Uint32Array(most + 1);
  for (let pixel = 0; pixel < count; pixel += 1) {
    const deep = depths[pixel] ?? 0;
    counts[deep] = (counts[deep] ?? 0) + 1;
  }
  return counts;
}

/**
 * Erases a stroke where the ink across it is no thicker than the rule, with a pixel of soft edge on both sides; leaves
 * it where it is no rule.
 * @returns true for a rule
 */
function eraseStroke(
  gray: GrayImage,
  ink: Uint8Array,
  walk: Walk,
  { place, start, end }: Stroke,
  limits: RuleLimits,
  spans: InkSpans,
): boolean {
  const { stepAlong, stepAcross, across } = walk;
  const { threshold, black, thin } = limits;
  const thickest = Math.min(limits.most, Math.floor((end - start) / MIN_LENGTH_TO_THICKNESS));
  // Deeper ink is too deep, whatever its depth.
  const most = Math.min(limits.most, thickest + EVEN_EDGE_PIXELS);
  let [pixels, dark] = [0, 0];
  for (let position = start; position < end; position += 1) {
    const at = position * stepAlong + place * stepAcross;
    const value = ink[at] ?? WHITE;
    if (value >= threshold) continue;
    if (value < black) dark += 1;
    spans.at[pixels] = at;
    spans.before[pixels] = inkDepth(ink, threshold, at, -stepAcross, place, most);
    pixels += 1;
  }
  if (pixels === 0) return false;
  const befores = countDepths(spans.before, pixels, most);
  const above = histogramQuantile(befores, 0.5);
  const isEven = (counts: Uint32Array, middle: number): boolean => {
    const even = counts.subarray(Math.max(middle - EVEN_EDGE_PIXELS, 0), middle + EVEN_EDGE_PIXELS + 1);
    return even.reduce((sum, count) => sum + count, 0) >= EVEN_EDGE_SHARE * pixels;
  };
  // Most strokes are rows of a picture or a bar: one side tells that.
  if (above >= thickest || !isEven(befores, above)) return false;
  const room = across - 1 - place;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    spans.behind[pixel] = inkDepth(ink, threshold, spans.at[pixel] ?? 0, stepAcross, room, most);
  }
  const behinds = countDepths(spans.behind, pixels, most);
  const below = histogramQuantile(behinds, 0.5);
  const thickness = above + below + 1;
  if (thickness > thickest || (thickness > thin && dark < BLACK_SHARE * pixels) || !isEven(behinds, below))
    return false;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const at = spans.at[pixel] ?? 0;
    const before = spans.before[pixel] ?? 0;
    const behind = spans.behind[pixel] ?? 0;
    if (before > above + EVEN_EDGE_PIXELS || behind > below + EVEN_EDGE_PIXELS) continue;
    const last = Math.min(behind + 1, room);
    for (let offset = -Math.min(before + 1, place); offset <= last; offset += 1) {
      gray.pixels[at + offset * stepAcross] = WHITE;
    }
  }
  return true;
}

/** A rule of several strokes, from `place` to `last` across it. */
interface JoinedRule extends Stroke {
  last: number;
}

/** Joins strokes that lie side by side, from the first start to the last end. */
function joinStrokes(strokes: readonly Stroke[]): JoinedRule[] {
  const joined: JoinedRule[] = [];
  let open: JoinedRule[] = [];
  for (const { place, start, end } of [...strokes].sort((a, b) => a.place - b.place || a.start - b.start)) {
    open = open.filter(({ last }) => place - last <= MAX_STROKE_DISTANCE_PIXELS);
    const own = open.find((one) => one.last < place && start < one.end && one.start < end);
    if (own === undefined) {
      const rule = { place, start, end, last: place };
      joined.push(rule);
      open.push(rule);
      continue;
    }
    own.last = place;
    own.start = Math.min(own.start, start);
    own.end = Math.max(own.end, end);
  }
  return joined;
}

/** Boxes of the erased rules, pixels; `right` and `bottom` lie behind the last. */
const ruleBoxes = (level: readonly Stroke[], upright: readonly Stroke[]): Box[] => [
  ...joinStrokes(level).map(({ place, last, start, end }) => ({
    left: start,
    top: place,
    right: end,
    bottom: last + 1,
  })),
  ...joinStrokes(upright).map(({ place, last, start, end }) => ({
    left: place,
    top: start,
    right: last + 1,
    bottom: end,
  })),
];

/** Strokes by their direction. */
interface Strokes {
  level: Stroke[];
  upright: Stroke[];
}

/** Erases the strokes that are rules, in place. @returns those @param limitsOf a stroke */
function eraseStrokes(gray: GrayImage, { level, upright }: Strokes, limitsOf: (stroke: Stroke) => RuleLimits): Strokes {
  const { width, height, pixels } = gray;
  const along: Walk = { stepAlong: 1, stepAcross: width, across: height };
  const down: Walk = { stepAlong: width, stepAcross: 1, across: width };
  const longest = Math.max(width, height);
  const spans = { at: new Int32Array(longest), before: new Int32Array(longest), behind: new Int32Array(longest) };
  const ink = new Uint8Array(pixels.length);
  const found = { level: new Set<Stroke>(), upright: new Set<Stroke>() };
  const isRule = (stroke: Stroke, walk: Walk): boolean => eraseStroke(gray, ink, walk, stroke, limitsOf(stroke), spans);
  // The second round erases the crossings of rules: what stood on them is gone then.
  for (let time = 0; time < 2; time += 1) {
    ink.set(pixels); // a stroke's crossings must not depend on the strokes before it
    for (const stroke of level) if (isRule(stroke, along)) found.level.add(stroke);
    for (const stroke of upright) if (isRule(stroke, down)) found.upright.add(stroke);
  }
  return { level: [...found.level], upright: [...found.upright] };
}

/** The rules that are erased. */
interface RuleChoice {
  /** Inches of the shortest rule. */
  shortest?: number | undefined;
  /** The picture before its paper was made white, for rules that are fainter than the page's ink; absent: none. */
  faintSource?: GrayImage | undefined;
}

/**
 * Erases level and upright rules in place.
 * @param gray level to a tenth of a degree or so
 * @param pieces of its ink, before anything was erased
 * @param chosen pieces that are searched for rules
 * @param threshold pixels below it are ink or its soft edges; below `black` they are ink
 * @returns boxes of the erased rules, pixels
 */
export function eraseRules(
  gray: GrayImage,
  pieces: Components,
  chosen: (index: number) => boolean,
  { threshold, black, dpi }: { threshold: number; black: number; dpi: number },
  { shortest = MIN_LENGTH_INCHES, faintSource }: RuleChoice = {},
): Box[] {
  const limits: RuleLimits = {
    threshold,
    black,
    thin: Math.max(Math.round(THIN_RULE_INCHES * dpi), 2),
    most: Math.max(Math.round(MAX_THICKNESS_INCHES * dpi), 3),
  };
  const least = Math.round(shortest * dpi);
  const strokes = findStrokes(gray, pieces, chosen, [dpi, Math.min(shortest, MIN_SIDE_INCHES)]);
  const isLong = ({ start, end }: Stroke): boolean => end - start >= least;
  const [longLevel, longUpright] = [strokes.level.filter(isLong), strokes.upright.filter(isLong)];
  const sides = (all: readonly Stroke[], across: readonly Stroke[]): Stroke[] =>
    sidesBetween(
      all.filter((one) => !isLong(one)),
      across,
      dpi,
    );
  const level = [...longLevel, ...sides(strokes.level, longUpright)];
  const upright = [...longUpright, ...sides(strokes.upright, longLevel)];
  const found =
    level.length + upright.length === 0 ? { level, upright } : eraseStrokes(gray, { level, upright }, () => limits);
  if (faintSource === undefined) return ruleBoxes(found.level, found.upright);
  // What the first rounds erased is paper now, so that no rule is found twice.
  const pale = findFaintStrokes(
    { cleaned: gray, source: faintSource },
    { black, thickest: limits.most, shortest: least },
  );
  const own = new Map<Stroke, number>([...pale.level, ...pale.upright].map((one) => [one, one.threshold]));
  const paleRules = eraseStrokes(gray, pale, (stroke) => {
    const pale = own.get(stroke) ?? threshold;
    return { ...limits, threshold: pale, black: pale };
  });
  return ruleBoxes([...found.level, ...paleRules.level], [...found.upright, ...paleRules.upright]);
}
