/**
 * How much of a picture is lettering, told without reading it: pieces of ink as high as type that follow each other in
 * rows. Photos, patterns and the lines of drawings have pieces as small, but not side by side at one height.
 */

import type { Box } from "../../ports/layout.ts";
import { spanOverlap } from "../layout/geometry.ts";
import { flattenBackground } from "./background.ts";
import { type Components, findComponents } from "./connected-components.ts";
import type { Gray } from "./gray-image.ts";
import { inkThreshold } from "./ink-threshold.ts";
import { darkOnLight } from "./invert-negative.ts";
import { letterPieces } from "./skew.ts";

/** Inches: higher rows are headlines on posters. */
const HIGHEST = 0.5;
/** The next letter of a row begins no further away, in heights of the higher one; a space between words is below 1. */
const REACH = 1.2;
/** It may begin before the other ends: slanted type. */
const OVERLAP = 0.3;
/** Letters of one row share so much of the lower one's height, and the higher is at most so many times as high. */
const SHARED = 0.6;
const HIGHER = 2.2;
/** Letters are about so wide, in heights: what is wider is several that touch. */
const LETTER_WIDTH = 0.7;
/** Pixels: what is lower has no shape. */
const LOWEST = 4;
/** Feet stand level when they differ by no more, in heights; of a row's steps, so many are. */
const LEVEL = 0.12;
const MOST_LEVEL = 0.5;
/** White above and below, in heights; so many other pieces, of a row's, may stand there all the same: accents, points. */
const LEADING = 0.6;
const MOST_OTHERS = 0.4;
/** Rows of fewer are chance: ticks of a scale, dots, grain. */
const LEAST_ROW = 5;
const LEAST_PIECES = 3;
/** Pieces that are looked at; a picture with more is grain for the most part. */
const MOST_PIECES = 20_000;

interface Piece {
  /** Along the row, and across it. Pixels. */
  from: number;
  to: number;
  top: number;
  bottom: number;
}

function piecesOf({ left, top, right, bottom }: Components, chosen: readonly number[], sideways: boolean): Piece[] {
  return chosen.map((index) => {
    const [l, t, r, b] = [left[index] ?? 0, top[index] ?? 0, right[index] ?? 0, bottom[index] ?? 0];
    return sideways ? { from: t, to: b, top: l, bottom: r } : { from: l, to: r, top: t, bottom: b };
  });
}

/** Letters that a piece stands for. */
const worth = ({ from, to, top, bottom }: Piece): number =>
  Math.max(1, Math.round((to - from) / (LETTER_WIDTH * (bottom - top))));

function follows(before: Piece, after: Piece): boolean {
  const [one, other] = [before.bottom - before.top, after.bottom - after.top];
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  const common = spanOverlap(before.top, before.bottom, after.top, after.bottom);
  const gap = after.from - before.to;
  return gap <= REACH * high && gap >= -OVERLAP * high && high <= HIGHER * low && common >= SHARED * low;
}

interface Row {
  pieces: Piece[];
  letters: number;
  /** Steps from letter to letter on which their feet stay level, and their heads: the feet of a row upside down. */
  feet: number;
  heads: number;
}

function extend(row: Row, piece: Piece): void {
  const last = row.pieces.at(-1);
  row.pieces.push(piece);
  row.letters += worth(piece);
  if (last === undefined) return;
  const level = Math.max(1, Math.round(LEVEL * Math.max(last.bottom - last.top, piece.bottom - piece.top)));
  if (Math.abs(piece.bottom - last.bottom) <= level) row.feet += 1;
  if (Math.abs(piece.top - last.top) <= level) row.heads += 1;
}

const isLevel = ({ letters, pieces, feet, heads }: Row): boolean =>
  letters >= LEAST_ROW && pieces.length >= LEAST_PIECES && Math.max(feet, heads) >= MOST_LEVEL * (pieces.length - 1);

/** Pieces by the band across the rows that their middle lies in. */
class Bands<T> {
  readonly #height: number;
  readonly #bands = new Map<number, T[]>();

  constructor(height: number) {
    this.#height = height;
  }

  of({ top, bottom }: Piece): T[] {
    return this.#band(Math.floor((top + bottom) / 2 / this.#height));
  }

  /** Those of a piece's band and the bands beside it. */
  near({ top, bottom }: Piece): T[] {
    const band = Math.floor((top + bottom) / 2 / this.#height);
    return [band - 1, band, band + 1].flatMap((one) => this.#bands.get(one) ?? []);
  }

  #band(band: number): T[] {
    const own = this.#bands.get(band) ?? [];
    this.#bands.set(band, own);
    return own;
  }
}

/** Rows of pieces that follow each other. @param pieces by where they begin */
function findRows(pieces: readonly Piece[], highest: number): Row[] {
  const open = new Bands<Row>(highest);
  const rows: Row[] = [];
  for (const piece of pieces) {
    const found = open.near(piece).find((row) => {
      const last = row.pieces.at(-1);
      return last !== undefined && follows(last, piece);
    });
    const row = found ?? { pieces: [], letters: 0, feet: 0, heads: 0 };
    if (found === undefined) rows.push(row);
    extend(row, piece);
    const band = open.of(piece);
    // A row may wander into another band; ended ones are left out here and there, or each letter would ask all of them.
    const going = band.filter(({ pieces: own }) => piece.from - (own.at(-1)?.to ?? 0) <= REACH * highest);
    band.splice(0, band.length, ...new Set([...going, row]));
  }
  return rows;
}

/** Rows of type have white above and below; in grain and in pictures of things, other pieces stand there. */
function isFree(row: Row, all: Bands<Piece>): boolean {
  const own = new Set(row.pieces);
  const others = new Set<Piece>();
  for (const { from, to, top, bottom } of row.pieces) {
    const reach = LEADING * (bottom - top);
    for (const other of all.near({ from, to, top, bottom })) {
      const [along, across] = [(other.from + other.to) / 2, (other.top + other.bottom) / 2];
      const isNear = along >= from && along <= to && across >= top - reach && across <= bottom + reach;
      if (isNear && !own.has(other)) others.add(other);
    }
  }
  return others.size <= MOST_OTHERS * row.pieces.length;
}

/** Letters in the rows that run one way. */
function lettersAlong(pieces: readonly Piece[], highest: number): number {
  const own = pieces
    .filter(({ top, bottom }) => bottom - top >= LOWEST && bottom - top <= highest)
    .sort((a, b) => a.from - b.from);
  const all = new Bands<Piece>(highest);
  for (const piece of own) all.of(piece).push(piece);
  return findRows(own, highest).reduce((sum, row) => sum + (isLevel(row) && isFree(row, all) ? row.letters : 0), 0);
}

/** About how many letters the boxes of outlines may be, by how they stand. @param boxes pixels at `dpi` */
export function countBoxes(boxes: readonly Box[], dpi: number): number {
  const pieces = boxes
    .slice(0, MOST_PIECES)
    .map(({ left, top, right, bottom }): Piece => ({ from: left, to: right, top, bottom }));
  const turned = pieces.map(({ from, to, top, bottom }): Piece => ({ from: top, to: bottom, top: from, bottom: to }));
  return Math.max(lettersAlong(pieces, HIGHEST * dpi), lettersAlong(turned, HIGHEST * dpi));
}

/**
 * About how many letters stand in rows, level or upright, dark on light or light on dark.
 * @param dpi pixels per inch; at 100 letters of type from five points up are seen
 */
export function countLettering(gray: Gray, dpi: number): number {
  const flat = flattenBackground(darkOnLight(gray), dpi);
  const pieces = findComponents(flat, inkThreshold(flat, dpi));
  if (pieces === undefined) return 0;
  const chosen = letterPieces(pieces, dpi).slice(0, MOST_PIECES);
  const count = (sideways: boolean): number => lettersAlong(piecesOf(pieces, chosen, sideways), HIGHEST * dpi);
  return Math.max(count(false), count(true));
}
