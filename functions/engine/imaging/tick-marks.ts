/** Marks to tick on a picture: plain frames, boxes with a shadow, and circles. */
import type { Box } from "../../ports/layout.ts";
import { boxOfPiece, type Components } from "./connected-components.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";

/** Boxes in pixels. */
export interface TickMarks {
  /** Thin frames to the middle of their stroke, as a PDF draws them; thicker ones to its edge. */
  squares: Box[];
  circles: Box[];
  /** Boxes with a shadow, to its edge. */
  shadowed: Box[];
}

/** The same marks elsewhere. @param map of a box */
export const mapTicks = ({ squares, circles, shadowed }: TickMarks, map: (box: Box) => Box): TickMarks => ({
  squares: squares.map(map),
  circles: circles.map(map),
  shadowed: shadowed.map(map),
});

interface TickSource {
  /** Gray below which there is ink. */
  threshold: number;
  dpi: number;
  /** Pieces that are plain frames, with the thickness of their stroke in pixels. */
  frames: ReadonlyMap<number, number>;
  /** The picture before frames were erased from it. */
  drawn: GrayImage;
  /** True for pieces that are something else, or frames. */
  isGone(index: number): boolean;
}

/** Sides of a mark, and of the paper inside of it as a share of that. */
const MIN_SIDE_INCHES = 0.08;
const MAX_SIDE_INCHES = 0.35;
const MIN_INSIDE_SHARE = 0.6;
/** Longer side relative to the shorter one. */
const MAX_RATIO = 1.3;
/** Share of the inside's sides that border on ink, and share of its pixels that are ink at most. */
const CLOSED_SHARE = 0.92;
const MAX_INK_SHARE = 0.02;
/** A letter is no circle: a circle's sides differ less, and it is no smaller than the capitals of small print. */
const MAX_CIRCLE_RATIO = 1.08;
const MIN_CIRCLE_INCHES = 0.1;
/** Pixels by which half of a row of the inside differs from a circle on average: rounding; a D of that size differs by 1.2. */
const MAX_CIRCLE_DRIFT_PIXELS = 1;

/** Thickness of a frame with its soft edges up to which it is thin: half a point, and a soft pixel at 200 dpi. */
const MAX_THIN_FRAME_INCHES = 0.0125;
/** Part of a thin frame's pixels that are the soft edge of its stroke, on average of the frames of three open forms. */
const SOFT_PIXELS = 0.4;
/** Thickness of the sides with a shadow relative to the others. */
const MIN_SHADOW_RATIO = 1.6;

type HasInk = (x: number, y: number) => boolean;

/** The paper around the middle of a piece along its middle row and column; undefined where the middle is ink. */
function insideOf(piece: Box, hasInk: HasInk): Box | undefined {
  const [x, y] = [(piece.left + piece.right) >> 1, (piece.top + piece.bottom) >> 1];
  if (hasInk(x, y)) return undefined;
  const inside = { left: x, top: y, right: x + 1, bottom: y + 1 };
  while (inside.left > piece.left && !hasInk(inside.left - 1, y)) inside.left -= 1;
  while (inside.right < piece.right && !hasInk(inside.right, y)) inside.right += 1;
  while (inside.top > piece.top && !hasInk(x, inside.top - 1)) inside.top -= 1;
  while (inside.bottom < piece.bottom && !hasInk(x, inside.bottom)) inside.bottom += 1;
  const isOpen =
    inside.left === piece.left ||
    inside.right === piece.right ||
    inside.top === piece.top ||
    inside.bottom === piece.bottom;
  return isOpen ? undefined : inside;
}

/** True for an inside of paper alone that ink borders on along all four sides. */
function isSquare({ left, top, right, bottom }: Box, hasInk: HasInk): boolean {
  const [width, height] = [right - left, bottom - top];
  const sides = [0, 0, 0, 0] as [number, number, number, number];
  for (let x = left; x < right; x += 1) {
    if (hasInk(x, top - 1)) sides[0] += 1;
    if (hasInk(x, bottom)) sides[1] += 1;
  }
  for (let y = top; y < bottom; y += 1) {
    if (hasInk(left - 1, y)) sides[2] += 1;
    if (hasInk(right, y)) sides[3] += 1;
  }
  if (Math.min(sides[0], sides[1]) < CLOSED_SHARE * width || Math.min(sides[2], sides[3]) < CLOSED_SHARE * height)
    return false;
  let ink = 0;
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) if (hasInk(x, y)) ink += 1;
  return ink <= MAX_INK_SHARE * width * height;
}

/** True for an inside whose rows are as wide as those of a circle. */
function isCircle({ left, top, right, bottom }: Box, hasInk: HasInk): boolean {
  const [across, down] = [(right - left) / 2, (bottom - top) / 2];
  const x = Math.floor((left + right) / 2);
  let drift = 0;
  for (let y = top; y < bottom; y += 1) {
    const off = (y + 0.5 - (top + bottom) / 2) / down;
    const half = across * Math.sqrt(Math.max(1 - off * off, 0));
    let [from, to] = [x, x];
    while (from > left && !hasInk(from - 1, y)) from -= 1;
    while (to < right && !hasInk(to, y)) to += 1;
    drift += Math.abs((to - from) / 2 - half);
  }
  return drift <= MAX_CIRCLE_DRIFT_PIXELS * (bottom - top);
}

/** True for a box whose right and lower sides are thicker by a shadow. */
const hasShadow = (piece: Box, inside: Box): boolean =>
  piece.right - inside.right >= MIN_SHADOW_RATIO * (inside.left - piece.left) &&
  piece.bottom - inside.bottom >= MIN_SHADOW_RATIO * (inside.top - piece.top);

/** Tells a hollow piece that is no plain frame. */
function hollowKind(piece: Box, dpi: number, hasInk: HasInk): keyof TickMarks | undefined {
  const [across, down] = [piece.right - piece.left, piece.bottom - piece.top];
  const [shorter, longer] = [Math.min(across, down), Math.max(across, down)];
  if (shorter < MIN_SIDE_INCHES * dpi || longer > MAX_SIDE_INCHES * dpi || longer > MAX_RATIO * shorter)
    return undefined;
  const inside = insideOf(piece, hasInk);
  if (inside === undefined) return undefined;
  const [insideAcross, insideDown] = [inside.right - inside.left, inside.bottom - inside.top];
  const least = Math.min(insideAcross, insideDown);
  if (least < MIN_INSIDE_SHARE * shorter || Math.max(insideAcross, insideDown) > MAX_RATIO * least) return undefined;
  if (isSquare(inside, hasInk)) return hasShadow(piece, inside) ? "shadowed" : "squares";
  const isLarge = shorter >= MIN_CIRCLE_INCHES * dpi && longer <= MAX_CIRCLE_RATIO * shorter;
  return isLarge && isCircle(inside, hasInk) ? "circles" : undefined;
}

/** Ink on a half of a line of pixels from the middle of a frame outwards, its edges soft: in pixels of black. */
function inkAlong({ pixels }: GrayImage, at: number, step: number, count: number): number {
  let sum = 0;
  for (let steps = 0; steps < count; steps += 1) sum += WHITE - (pixels[at + step * steps] ?? WHITE);
  return sum / WHITE;
}

/** True for a plain frame whose right and lower sides have more ink by a shadow. */
function isShadowed(drawn: GrayImage, { left, top, right, bottom }: Box): boolean {
  const [x, y] = [(left + right) >> 1, (top + bottom) >> 1];
  const middle = y * drawn.width + x;
  const inkBefore = (step: number, count: number): number => inkAlong(drawn, middle, -step, count);
  return (
    inkAlong(drawn, middle, 1, right - x) >= MIN_SHADOW_RATIO * inkBefore(1, x - left + 1) &&
    inkAlong(drawn, middle, drawn.width, bottom - y) >= MIN_SHADOW_RATIO * inkBefore(drawn.width, y - top + 1)
  );
}

/** Finds the marks to tick among the pieces of a picture, from which plain frames are erased already. */
export function findTickMarks(
  { width, pixels }: GrayImage,
  pieces: Components,
  { threshold, dpi, frames, drawn, isGone }: TickSource,
): TickMarks {
  const found: TickMarks = { squares: [], circles: [], shadowed: [] };
  const hasInk: HasInk = (x, y) => (pixels[y * width + x] ?? WHITE) < threshold;
  for (const [index, stroke] of frames) {
    const frame = boxOfPiece(pieces, index);
    if (isShadowed(drawn, frame)) {
      found.shadowed.push(frame);
      continue;
    }
    const { left, top, right, bottom } = frame;
    const inset = stroke <= MAX_THIN_FRAME_INCHES * dpi ? Math.max(stroke - SOFT_PIXELS, 0) / 2 : 0;
    found.squares.push({ left: left + inset, top: top + inset, right: right - inset, bottom: bottom - inset });
  }
  for (let index = 0; index < pieces.count; index += 1) {
    if (isGone(index)) continue;
    const piece = boxOfPiece(pieces, index);
    const kind = hollowKind(piece, dpi, hasInk);
    if (kind !== undefined) found[kind].push(piece);
  }
  return found;
}
