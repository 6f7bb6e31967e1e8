/**
 * Solid bars that type may stand on: pieces of ink by themselves, or parts of one, such as the shaded head of a drawn
 * table.
 */

import type { Box } from "../../ports/layout.ts";
import { extendBox, spanOverlap } from "../layout/geometry.ts";
import { type Components, eachRun } from "./connected-components.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";

/** Shorter side of a bar that type can stand on. */
const MIN_BAR_HEIGHT_INCHES = 0.1;
/** Length of a bar; no letter below 40 points is so long. */
const MIN_BAR_LENGTH_INCHES = 0.5;
/** Share of its box that a bar covers; less is a frame, a drawing or bold type that touches. */
const MIN_BAR_FILL_SHARE = 0.6;
/** Share of its box that the rows of a part of a piece cover: stains and pictures have no straight sides. */
const STRAIGHT_SIDES_SHARE = 0.85;
/**
 * Share of a solid row that is ink. A bar has solid rows above and below its type, in the first and the last third;
 * large letters have none.
 */
const SOLID_ROW_SHARE = 0.97;
/** Share of a bar's row that is ink where bold type stands on it. */
const MIN_ROW_FILL_SHARE = 0.4;
/** Gap in a row of a bar: strokes of type on a bar are no wider, columns of a grid are. */
const MAX_ROW_GAP_INCHES = 0.15;
/** Share of the longer row that two neighbouring rows of a bar have in common. */
const SAME_BAR_OVERLAP_SHARE = 0.6;
/** Gray levels, of 255, by which they differ at most. */
const SAME_SHADE_LEVELS = 30;
/** Rows between them that are mostly type. */
const MAX_MISSED_ROWS = 3;

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
export function boxOf({ rows }: Pick<Bar, "rows">): Box {
  const box = { left: Infinity, top: Infinity, right: 0, bottom: 0 };
  for (const { y, start, end } of rows) extendBox(box, { left: start, top: y, right: end, bottom: y + 1 });
  return box;
}

const sizeOf = (pieces: Components, index: number): [number, number] => [
  (pieces.right[index] ?? 0) - (pieces.left[index] ?? 0),
  (pieces.bottom[index] ?? 0) - (pieces.top[index] ?? 0),
];

function isBar(pieces: Components, index: number, dpi: number): boolean {
  const [width, height] = sizeOf(pieces, index);
  if (Math.min(width, height) < MIN_BAR_HEIGHT_INCHES * dpi || Math.max(width, height) < MIN_BAR_LENGTH_INCHES * dpi)
    return false;
  return (pieces.area[index] ?? 0) >= MIN_BAR_FILL_SHARE * width * height;
}

function mayHoldBar(pieces: Components, index: number, dpi: number): boolean {
  const [width, height] = sizeOf(pieces, index);
  if (width < MIN_BAR_LENGTH_INCHES * dpi || height < MIN_BAR_HEIGHT_INCHES * dpi) return false;
  return (pieces.area[index] ?? 0) >= MIN_BAR_FILL_SHARE * MIN_BAR_HEIGHT_INCHES * MIN_BAR_LENGTH_INCHES * dpi * dpi;
}

/** A connected part of a row, and the gray of its longest run: short ones between letters have soft edges. */
interface RowSpan extends BarRow {
  ink: number;
  longest: number;
  shade: number;
}

/** A bar that is still open, with the last row that it has. */
interface OpenBar {
  rows: BarRow[];
  last: RowSpan;
  ink: number;
  room: number;
  /** The first and the last row without a gap. */
  firstSolid: number;
  lastSolid: number;
}

/** Finds the bars within a piece from its runs, row by row. */
class BarFinder {
  readonly #gray: GrayImage;
  readonly #dpi: number;
  readonly #found: BarRow[][] = [];
  #open: OpenBar[] = [];
  #span: RowSpan | undefined;

  constructor(gray: GrayImage, dpi: number) {
    this.#gray = gray;
    this.#dpi = dpi;
  }

  add(start: number, end: number, y: number): void {
    const span = this.#span;
    if (span !== undefined && (span.y !== y || start - span.end > MAX_ROW_GAP_INCHES * this.#dpi)) this.#endSpan();
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
    const ended = this.#open.filter(({ last }) => last.y < span.y - MAX_MISSED_ROWS);
    if (ended.length > 0) {
      for (const bar of ended) this.#keep(bar);
      this.#open = this.#open.filter((bar) => !ended.includes(bar));
    }
    const length = span.end - span.start;
    if (length < MIN_BAR_LENGTH_INCHES * this.#dpi || span.ink < MIN_ROW_FILL_SHARE * length) return;
    const row = { y: span.y, start: span.start, end: span.end };
    const before = this.#open.find(({ last }) => last.y < span.y && continuesBar(last, span));
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

  #keep({ rows, ink, room, firstSolid, lastSolid }: OpenBar): void {
    const { left, top, right, bottom } = boxOf({ rows });
    const height = bottom - top;
    const isHigh = height >= MIN_BAR_HEIGHT_INCHES * this.#dpi;
    const isBetween = firstSolid - top <= height / 3 && bottom - lastSolid <= height / 3;
    const isStraight = room >= STRAIGHT_SIDES_SHARE * (right - left) * height;
    if (isHigh && isBetween && isStraight && ink >= MIN_BAR_FILL_SHARE * room) this.#found.push(rows);
  }
}

function noteSolid(bar: OpenBar, { y, start, end, ink }: RowSpan): void {
  if (ink < SOLID_ROW_SHARE * (end - start)) return;
  bar.firstSolid = Math.min(bar.firstSolid, y);
  bar.lastSolid = y;
}

function continuesBar(above: RowSpan, below: RowSpan): boolean {
  const shared = spanOverlap(above.start, above.end, below.start, below.end);
  const longer = Math.max(above.end - above.start, below.end - below.start);
  return shared >= SAME_BAR_OVERLAP_SHARE * longer && Math.abs(above.shade - below.shade) <= SAME_SHADE_LEVELS;
}

/**
 * Finds the bars of a picture: first those that are pieces by themselves, then those within others.
 * @param gray the picture that the pieces are of
 * @param dpi pixels per inch
 */
export function findBars(gray: GrayImage, pieces: Components, dpi: number): Bar[] {
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
