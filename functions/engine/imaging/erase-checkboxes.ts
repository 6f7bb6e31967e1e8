/** Erases drawn marks that would be read as letters: frames of checkboxes, and leaders of dots or dashes. */
import { type Components, eachRun } from "./connected-components.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";

/** Sides of a checkbox, and the ratio of the longer to the shorter one. */
const MIN_CHECKBOX_SIDE_INCHES = 0.06;
const MAX_CHECKBOX_SIDE_INCHES = 0.35;
const MAX_CHECKBOX_SIDE_RATIO = 1.3;
/** Share of a frame's side that is ink; no letter has four such sides. */
const CLOSED_SIDE_SHARE = 0.92;
/** Thickness of a frame, as a share of its shorter side. */
const MAX_FRAME_SHARE = 0.22;
/** Size of a leader's dot or dash at most. */
const MAX_DOT_HEIGHT_INCHES = 0.035;
const MAX_DOT_WIDTH_INCHES = 0.09;
/** Dots of a leader; an ellipsis has three. */
const MIN_LEADER_DOTS = 4;
/** Distance from dot to dot. */
const MAX_PITCH_INCHES = 0.4;
/** Difference of a distance from the one before, as a share of that and in pixels. */
const MAX_PITCH_DRIFT_SHARE = 0.2;
const MAX_PITCH_DRIFT_PIXELS = 1.5;
/** Open chains at one height; grain has more, text does not. */
const MAX_OPEN_CHAINS = 8;

const widthOf = ({ left, right }: Components, index: number): number => (right[index] ?? 0) - (left[index] ?? 0);
const heightOf = ({ top, bottom }: Components, index: number): number => (bottom[index] ?? 0) - (top[index] ?? 0);

/** True if nearly each row (or column) of each side has ink in its outermost pixels. */
function isClosed(gray: GrayImage, threshold: number, pieces: Components, index: number, frame: number): boolean {
  const { width, pixels } = gray;
  const [l, t] = [pieces.left[index] ?? 0, pieces.top[index] ?? 0];
  const [w, h] = [widthOf(pieces, index), heightOf(pieces, index)];
  const hasInk = (x: number, y: number, dx: number, dy: number): boolean => {
    for (let deep = 0; deep < frame; deep += 1) {
      if ((pixels[(y + dy * deep) * width + x + dx * deep] ?? WHITE) < threshold) return true;
    }
    return false;
  };
  const sides = [0, 0, 0, 0] as [number, number, number, number];
  for (let x = l; x < l + w; x += 1) {
    if (hasInk(x, t, 0, 1)) sides[0] += 1;
    if (hasInk(x, t + h - 1, 0, -1)) sides[1] += 1;
  }
  for (let y = t; y < t + h; y += 1) {
    if (hasInk(l, y, 1, 0)) sides[2] += 1;
    if (hasInk(l + w - 1, y, -1, 0)) sides[3] += 1;
  }
  return (
    sides[0] >= CLOSED_SIDE_SHARE * w &&
    sides[1] >= CLOSED_SIDE_SHARE * w &&
    sides[2] >= CLOSED_SIDE_SHARE * h &&
    sides[3] >= CLOSED_SIDE_SHARE * h
  );
}

/** Thickness of the frame in pixels: ink from the middle of the left side inwards. */
function frameThickness(gray: GrayImage, threshold: number, pieces: Components, index: number): number {
  const { width, pixels } = gray;
  const y = ((pieces.top[index] ?? 0) + (pieces.bottom[index] ?? 0)) >> 1;
  const most = widthOf(pieces, index) / 2;
  let deep = 0;
  while (deep < most && (pixels[y * width + (pieces.left[index] ?? 0) + deep] ?? WHITE) < threshold) deep += 1;
  return Math.max(deep, 1);
}

function eraseRing(gray: GrayImage, pieces: Components, index: number, frame: number): void {
  const { width, height, pixels } = gray;
  const [left, right] = [Math.max((pieces.left[index] ?? 0) - 1, 0), Math.min((pieces.right[index] ?? 0) + 1, width)];
  const [top, bottom] = [Math.max((pieces.top[index] ?? 0) - 1, 0), Math.min((pieces.bottom[index] ?? 0) + 1, height)];
  const ring = frame + 2; // and a soft pixel on both sides
  for (let y = top; y < bottom; y += 1) {
    const edge = y < top + ring || y >= bottom - ring;
    if (edge) pixels.fill(WHITE, y * width + left, y * width + right);
    else {
      pixels.fill(WHITE, y * width + left, y * width + left + ring);
      pixels.fill(WHITE, y * width + right - ring, y * width + right);
    }
  }
}

/**
 * Erases the frames of checkboxes in place; a mark inside stays and is recognised.
 * @returns the pieces that were frames, with the thickness of each in pixels
 */
export function eraseCheckboxes(
  gray: GrayImage,
  pieces: Components,
  threshold: number,
  dpi: number,
): Map<number, number> {
  const erased = new Map<number, number>();
  for (let index = 0; index < pieces.count; index += 1) {
    const [width, height] = [widthOf(pieces, index), heightOf(pieces, index)];
    const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
    if (
      shorter < MIN_CHECKBOX_SIDE_INCHES * dpi ||
      longer > MAX_CHECKBOX_SIDE_INCHES * dpi ||
      longer > MAX_CHECKBOX_SIDE_RATIO * shorter
    )
      continue;
    const frame = frameThickness(gray, threshold, pieces, index);
    if (frame > Math.max(MAX_FRAME_SHARE * shorter, 2)) continue;
    if (!isClosed(gray, threshold, pieces, index, Math.max(frame, 2))) continue;
    eraseRing(gray, pieces, index, frame);
    erased.set(index, frame);
  }
  return erased;
}

/** True if there is only paper between two dots, and above that as high as a letter. */
function isFree(gray: GrayImage, threshold: number, pieces: Components, from: number, to: number): boolean {
  const { width, pixels } = gray;
  const [start, end] = [(pieces.right[from] ?? 0) + 1, (pieces.left[to] ?? 0) - 1];
  const bottom = Math.max(pieces.bottom[from] ?? 0, pieces.bottom[to] ?? 0);
  const top = Math.max(Math.min(pieces.top[from] ?? 0, pieces.top[to] ?? 0) - 2 * heightOf(pieces, from), 0);
  for (let y = top; y < bottom; y += 1) {
    for (let x = start; x < end; x += 1) if ((pixels[y * width + x] ?? WHITE) < threshold) return false;
  }
  return true;
}

/** Dots and dashes. */
function findDots(pieces: Components, dpi: number): number[] {
  const dots: number[] = [];
  for (let index = 0; index < pieces.count; index += 1) {
    if (heightOf(pieces, index) <= MAX_DOT_HEIGHT_INCHES * dpi && widthOf(pieces, index) <= MAX_DOT_WIDTH_INCHES * dpi)
      dots.push(index);
  }
  return dots;
}

/** Dots and dashes that follow each other at one pitch and height. */
function findChains(gray: GrayImage, pieces: Components, threshold: number, dpi: number): number[][] {
  const { left, bottom, area } = pieces;
  const rowTolerance = Math.max(Math.round(0.012 * dpi), 1);
  const rows = new Map<number, { dots: number[]; pitch: number }[]>();
  const chains: number[][] = [];
  const dots = findDots(pieces, dpi).sort((a, b) => (left[a] ?? 0) - (left[b] ?? 0));
  for (const dot of dots) {
    const row = bottom[dot] ?? 0;
    let joined = false;
    for (let near = row - rowTolerance; near <= row + rowTolerance && !joined; near += 1) {
      for (const chain of rows.get(near) ?? []) {
        const end = chain.dots.at(-1) ?? dot;
        const distance = (left[dot] ?? 0) - (left[end] ?? 0);
        const small = Math.min(area[end] ?? 0, area[dot] ?? 0);
        const large = Math.max(area[end] ?? 0, area[dot] ?? 0);
        if (distance <= 0 || distance > MAX_PITCH_INCHES * dpi || large > 3 * small + 4) continue;
        const even =
          chain.pitch === 0 ||
          Math.abs(distance - chain.pitch) <= MAX_PITCH_DRIFT_SHARE * chain.pitch + MAX_PITCH_DRIFT_PIXELS;
        if (!even || !isFree(gray, threshold, pieces, end, dot)) continue;
        chain.dots.push(dot);
        chain.pitch = distance;
        joined = true;
        break;
      }
    }
    if (joined) continue;
    const chain = { dots: [dot], pitch: 0 };
    chains.push(chain.dots);
    // Chains that can no longer grow are dropped from their row.
    const open = (rows.get(row) ?? []).filter(
      (one) => (left[dot] ?? 0) - (left[one.dots.at(-1) ?? dot] ?? 0) <= MAX_PITCH_INCHES * dpi,
    );
    rows.set(row, [...open, chain].slice(-MAX_OPEN_CHAINS));
  }
  return chains.filter((chain) => chain.length >= MIN_LEADER_DOTS);
}

/**
 * Erases leaders in place: recognition would read "…………" as strings of o and e.
 * @returns the pieces that were dots, leader by leader
 */
export function eraseLeaders(gray: GrayImage, pieces: Components, threshold: number, dpi: number): number[][] {
  const chains = findChains(gray, pieces, threshold, dpi);
  const erased = new Set(chains.flat());
  const { width, height, pixels } = gray;
  eachRun(
    pieces,
    (index) => erased.has(index),
    (start, end, y) => {
      for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, height - 1); row += 1) {
        pixels.fill(WHITE, row * width + Math.max(start - 1, 0), row * width + Math.min(end + 1, width));
      }
    },
  );
  return chains;
}
