/** Solid bars that type may stand on: pieces of ink by themselves, or parts of one, as the shaded head of a drawn table. */

import type { Box } from "../../ports/layout.ts";
import { spanOverlap } from "../layout/geometry.ts";
import { type Components, eachRun } from "./connected-components.ts";
import { type Gray, WHITE } from "./gray-image.ts";

/** Of a bar that type can stand on, inches. */
const LEAST_BAR = 0.1;
/** No letter below 40 points is so long. */
const LEAST_LENGTH = 0.5;
/** Share of its box that a bar covers: less is a frame, a drawing or bold type that touches. */
const BAR_FILL = 0.6;
/** The rows of a part of a piece, of their box: stains and pictures have no straight sides. */
const STRAIGHT = 0.85;
/** Above and below type, in the first and the last third, rows of a part are solid: those of large letters are not. */
const SOLID = 0.97;
/** Of a row of it, where bold type stands on it. */
const ROW_FILL = 0.4;
/** Inches: strokes of type on a bar are no wider, columns of a grid are. */
const MOST_GAP = 0.15;
/** A bar goes on in the next row where so much of the longer row is in both. */
const SAME_SPAN = 0.6;
/** And where its gray differs by no more, of 255. */
const SAME_SHADE = 30;
/** Or some rows below, where those between are mostly type. */
const MOST_MISSED = 3;

interface BarRow {
  y: number;
  start: number;
  end: number;
}

export interface Bar {
  /** The piece of ink that it is, or is a part of. */
  piece: number;
  whole: boolean;
  /** Each from its first pixel to behind the last, with what stands on it. */
  rows: BarRow[];
}

/** Pixels; its edges `right` and `bottom` lie behind the last. */
export const boxOf = ({ rows }: Bar): Box => boxAround(rows);

function boxAround(rows: readonly BarRow[]): Box {
  const box = { left: Infinity, top: Infinity, right: 0, bottom: 0 };
  for (const { y, start, end } of rows) {
    box.left = Math.min(box.left, start);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, end);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  return box;
}

const sizeOf = (pieces: Components, index: number): [number, number] => [
  (pieces.right[index] ?? 0) - (pieces.left[index] ?? 0),
  (pieces.bottom[index] ?? 0) - (pieces.top[index] ?? 0),
];

function isBar(pieces: Components, index: number, dpi: number): boolean {
  const [width, height] = sizeOf(pieces, index);
  if (Math.min(width, height) < LEAST_BAR * dpi || Math.max(width, height) < LEAST_LENGTH * dpi) return false;
  return (pieces.area[index] ?? 0) >= BAR_FILL * width * height;
}

function mayHoldBar(pieces: Components, index: number, dpi: number): boolean {
  const [width, height] = sizeOf(pieces, index);
  if (width < LEAST_LENGTH * dpi || height < LEAST_BAR * dpi) return false;
  return (pieces.area[index] ?? 0) >= BAR_FILL * LEAST_BAR * LEAST_LENGTH * dpi * dpi;
}

/** What of a row belongs together, and the gray of its longest run: short ones between letters have soft edges. */
interface Span extends BarRow {
  ink: number;
  longest: number;
  shade: number;
}

/** Bars in the making, each with the row that it has come to. */
interface Growing {
  rows: BarRow[];
  last: Span;
  ink: number;
  room: number;
  /** Rows without a gap: the first, and the last. */
  firstSolid: number;
  lastSolid: number;
}

/** Finds the bars within a piece from its runs, row by row. */
class BarFinder {
  readonly #gray: Gray;
  readonly #dpi: number;
  readonly #found: BarRow[][] = [];
  #open: Growing[] = [];
  #span: Span | undefined;

  constructor(gray: Gray, dpi: number) {
    this.#gray = gray;
    this.#dpi = dpi;
  }

  add(start: number, end: number, y: number): void {
    const span = this.#span;
    if (span !== undefined && (span.y !== y || start - span.end > MOST_GAP * this.#dpi)) this.#endSpan();
    const own = this.#span;
    const ink = end - start;
    if (own === undefined) {
      this.#span = { y, start, end, ink, longest: ink, shade: this.#shadeOf(start, end, y) };
      return;
    }
    own.end = end;
    own.ink += ink;
    if (ink <= own.longest) return;
    own.longest = ink;
    own.shade = this.#shadeOf(start, end, y);
  }

  close(): BarRow[][] {
    this.#endSpan();
    for (const bar of this.#open) this.#keep(bar);
    this.#open = [];
    return this.#found;
  }

  /** Mean of some pixels of a run, its edges left out. */
  #shadeOf(start: number, end: number, y: number): number {
    const { width, pixels } = this.#gray;
    const step = Math.max((end - start) >> 3, 1);
    let [sum, count] = [0, 0];
    for (let x = start + (step >> 1); x < end; x += step) {
      sum += pixels[y * width + x] ?? WHITE;
      count += 1;
    }
    return count === 0 ? WHITE : sum / count;
  }

  #endSpan(): void {
    const span = this.#span;
    this.#span = undefined;
    if (span === undefined) return;
    const ended = this.#open.filter(({ last }) => last.y < span.y - MOST_MISSED);
    if (ended.length > 0) {
      for (const bar of ended) this.#keep(bar);
      this.#open = this.#open.filter((bar) => !ended.includes(bar));
    }
    const length = span.end - span.start;
    if (length < LEAST_LENGTH * this.#dpi || span.ink < ROW_FILL * length) return;
    const row = { y: span.y, start: span.start, end: span.end };
    const before = this.#open.find(({ last }) => last.y < span.y && goesOn(last, span));
    if (before === undefined) {
      const bar = { rows: [row], last: span, ink: span.ink, room: length, firstSolid: Infinity, lastSolid: -Infinity };
      this.#open.push(bar);
      noteSolid(bar, span);
      return;
    }
    for (let y = before.last.y + 1; y < span.y; y += 1) before.rows.push({ ...row, y });
    before.rows.push(row);
    before.last = span;
    before.ink += span.ink;
    before.room += length;
    noteSolid(before, span);
  }

  #keep({ rows, ink, room, firstSolid, lastSolid }: Growing): void {
    const { left, top, right, bottom } = boxAround(rows);
    const height = bottom - top;
    const isHigh = height >= LEAST_BAR * this.#dpi;
    const isBetween = firstSolid - top <= height / 3 && bottom - lastSolid <= height / 3;
    const isStraight = room >= STRAIGHT * (right - left) * height;
    if (isHigh && isBetween && isStraight && ink >= BAR_FILL * room) this.#found.push(rows);
  }
}

function noteSolid(bar: Growing, { y, start, end, ink }: Span): void {
  if (ink < SOLID * (end - start)) return;
  bar.firstSolid = Math.min(bar.firstSolid, y);
  bar.lastSolid = y;
}

function goesOn(above: Span, below: Span): boolean {
  const shared = spanOverlap(above.start, above.end, below.start, below.end);
  const longer = Math.max(above.end - above.start, below.end - below.start);
  return shared >= SAME_SPAN * longer && Math.abs(above.shade - below.shade) <= SAME_SHADE;
}

/**
 * The bars of a picture: those that are pieces by themselves first, then those within others.
 * @param gray the picture that the pieces are of
 * @param dpi pixels per inch
 */
export function findBars(gray: Gray, pieces: Components, dpi: number): Bar[] {
  const whole = new Map<number, BarRow[]>();
  const parts = new Map<number, BarFinder>();
  for (let index = 0; index < pieces.count; index += 1) {
    if (isBar(pieces, index, dpi)) whole.set(index, []);
    else if (mayHoldBar(pieces, index, dpi)) parts.set(index, new BarFinder(gray, dpi));
  }
  if (whole.size === 0 && parts.size === 0) return [];
  eachRun(
    pieces,
    (index) => whole.has(index) || parts.has(index),
    (start, end, y, owner) => {
      const rows = whole.get(owner);
      const last = rows?.at(-1);
      if (rows === undefined) parts.get(owner)?.add(start, end, y);
      else if (last?.y === y) last.end = end;
      else rows.push({ y, start, end });
    },
  );
  return [
    ...[...whole].map(([piece, rows]): Bar => ({ piece, whole: true, rows })),
    ...[...parts].flatMap(([piece, finder]) => finder.close().map((rows): Bar => ({ piece, whole: false, rows }))),
  ];
}
