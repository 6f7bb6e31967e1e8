/** Frames as small as checkboxes with what is drawn in them: plain ones, and those that a mark reaches out of. */
import type { Box } from "../../ports/layout.ts";
import type { DrawnSquare } from "../../ports/ocr.ts";
import { median } from "../layout/geometry.ts";
import { boxOfPiece, type Components } from "./connected-components.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";
import { squaresOutsideCodes } from "./square-codes.ts";

interface SquareSource {
  gray: GrayImage;
  pieces: Components;
  /** Gray below which there is ink. */
  threshold: number;
  /** Pieces that are plain frames, with the thickness of their stroke in pixels. */
  frames: ReadonlyMap<number, number>;
}

/** Plain frames of one size from which others of that size are looked for. */
const MIN_FRAMES = 2;
/** Difference of sides of frames of one size, in pixels. */
const MAX_SIDE_DIFFERENCE = 2;
/** Size of a frame with the mark that reaches out of it, relative to the frame. */
const MAX_MARKED_SIZE = 3;
/** Share of a frame's side that is ink: marks cover it, but nothing cuts it. */
const CLOSED_SIDE_SHARE = 0.9;
/** Side of a frame at least, and share of the line around it that is paper: a frame stands alone, strokes of heavy type do not. */
const MIN_SIDE_PIXELS = 14;
const PAPER_AROUND_SHARE = 0.6;
const AROUND_PIXELS = 3;
/** Part of a frame's side that is its stroke and the shadow inside of it. */
const FRAME_SHARE = 0.24;
/**
 * Ink within the stroke from which a square is black: a piece of a pattern, and no place to tick. The smaller square that
 * some programs tick with leaves paper around it.
 */
const BLACK_SHARE = 0.75;
/** Soft pixels inside of a stroke. */
const SOFT_PIXELS = 2;

const edgeOf = ({ left, top, right, bottom }: Box): number =>
  Math.ceil(FRAME_SHARE * Math.min(right - left, bottom - top));

/** Share of a frame's inside that is ink. @param edge pixels of its sides that are left out */
function inkInside({ gray, threshold }: SquareSource, box: Box, edge = edgeOf(box)): number {
  const { left, top, right, bottom } = box;
  let [ink, all] = [0, 0];
  for (let y = top + edge; y < bottom - edge; y += 1)
    for (let x = left + edge; x < right - edge; x += 1) {
      all += 1;
      if ((gray.pixels[y * gray.width + x] ?? WHITE) < threshold) ink += 1;
    }
  return all === 0 ? 0 : ink / all;
}

interface FrameSize {
  width: number;
  height: number;
  stroke: number;
}

/** Usual sizes of the plain frames. */
function frameSizes({ pieces, frames }: SquareSource): FrameSize[] {
  const groups: Box[][] = [];
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= MAX_SIDE_DIFFERENCE;
  for (const index of frames.keys()) {
    const box = boxOfPiece(pieces, index);
    const own = groups.find(
      ([first]) =>
        first !== undefined &&
        isNear(first.right - first.left, box.right - box.left) &&
        isNear(first.bottom - first.top, box.bottom - box.top),
    );
    if (own === undefined) groups.push([box]);
    else own.push(box);
  }
  const stroke = frames.size === 0 ? 1 : median(frames.values());
  return groups
    .filter(
      ([first, ...others]) =>
        first !== undefined && others.length + 1 >= MIN_FRAMES && first.right - first.left >= MIN_SIDE_PIXELS,
    )
    .map((group) => ({
      width: Math.round(median(group.map(({ left, right }) => right - left))),
      height: Math.round(median(group.map(({ top, bottom }) => bottom - top))),
      stroke: Math.round(stroke),
    }));
}

/** True for a place where a frame of a size is drawn, whatever lies over it. */
function isFramed({ gray, threshold }: SquareSource, [x, y]: [number, number], size: FrameSize): boolean {
  const { width, height, stroke } = size;
  const hasInk = (left: number, top: number, dx: number, dy: number): boolean => {
    for (let deep = 0; deep < Math.max(stroke, 2); deep += 1)
      if ((gray.pixels[(top + dy * deep) * gray.width + left + dx * deep] ?? WHITE) < threshold) return true;
    return false;
  };
  const isClosed = (length: number, at: (step: number) => boolean): boolean => {
    let open = Math.floor((1 - CLOSED_SIDE_SHARE) * length);
    for (let step = 0; step < length && open >= 0; step += 1) if (!at(step)) open -= 1;
    return open >= 0;
  };
  const isPaper = (length: number, at: (step: number) => [number, number]): boolean => {
    let paper = 0;
    for (let step = 0; step < length; step += 1) {
      const [left, top] = at(step);
      if ((gray.pixels[top * gray.width + left] ?? WHITE) >= threshold) paper += 1;
    }
    return paper >= PAPER_AROUND_SHARE * length;
  };
  return (
    isClosed(height, (step) => hasInk(x, y + step, 1, 0)) &&
    isClosed(height, (step) => hasInk(x + width - 1, y + step, -1, 0)) &&
    isClosed(width, (step) => hasInk(x + step, y, 0, 1)) &&
    isClosed(width, (step) => hasInk(x + step, y + height - 1, 0, -1)) &&
    isPaper(height, (step) => [x - AROUND_PIXELS, y + step]) &&
    isPaper(height, (step) => [x + width - 1 + AROUND_PIXELS, y + step]) &&
    isPaper(width, (step) => [x + step, y - AROUND_PIXELS]) &&
    isPaper(width, (step) => [x + step, y + height - 1 + AROUND_PIXELS])
  );
}

/** The frame of a known size in a piece that a mark makes larger; undefined for none. */
function markedFrame(source: SquareSource, piece: Box, sizes: readonly FrameSize[]): Box | undefined {
  for (const size of sizes) {
    const [right, down] = [piece.right - piece.left - size.width, piece.bottom - piece.top - size.height];
    if (right < -MAX_SIDE_DIFFERENCE || right > (MAX_MARKED_SIZE - 1) * size.width) continue;
    if (down < -MAX_SIDE_DIFFERENCE || down > (MAX_MARKED_SIZE - 1) * size.height) continue;
    for (let y = piece.top; y <= piece.top + Math.max(down, 0); y += 1)
      for (let x = piece.left; x <= piece.left + Math.max(right, 0); x += 1)
        if (isFramed(source, [x, y], size)) return { left: x, top: y, right: x + size.width, bottom: y + size.height };
  }
  return undefined;
}

/** Finds the frames on a picture from which plain ones are erased, in pixels; those of QR codes are none. @param isGone pieces that are something else */
export function drawnSquares(source: SquareSource, isGone: (index: number) => boolean): DrawnSquare[] {
  const { pieces, frames } = source;
  const squareAt = (box: Box, stroke: number): DrawnSquare[] =>
    inkInside(source, box, stroke + SOFT_PIXELS) < BLACK_SHARE ? [{ box, ink: inkInside(source, box) }] : [];
  const squares = [...frames].flatMap(([index, stroke]) => squareAt(boxOfPiece(pieces, index), stroke));
  const sizes = frameSizes(source);
  const stroke = sizes[0]?.stroke ?? 0;
  for (let index = 0; index < pieces.count; index += 1) {
    if (sizes.length === 0) break;
    if (isGone(index)) continue;
    const found = markedFrame(source, boxOfPiece(pieces, index), sizes);
    if (found !== undefined) squares.push(...squareAt(found, stroke));
  }
  return squaresOutsideCodes(squares, source);
}
