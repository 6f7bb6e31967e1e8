/**
 * Counts the letters of a picture without reading it: pieces of ink as high as type that follow each other in rows.
 * Photos, patterns and the lines of drawings have pieces as small, but not side by side at one height.
 */

import type { Box } from "../../ports/layout.ts";
import { spanOverlap } from "../layout/geometry.ts";
import { flattenBackground } from "./background.ts";
import { type Components, findComponents } from "./connected-components.ts";
import type { GrayImage } from "./gray-image.ts";
import { inkThreshold } from "./ink-threshold.ts";
import { darkOnLight } from "./invert-negative.ts";
import { letterPieces } from "./skew.ts";
import { measureTiles } from "./tiles.ts";

/** Height of rows; higher ones are headlines on posters. */
const MAX_ROW_HEIGHT_INCHES = 0.5;
/** Gap to the next letter of a row, in heights of the higher one; a space between words is below 1. */
const MAX_LETTER_GAP_HEIGHTS = 1.2;
/** Overlap of two letters along the row, in heights: slanted type. */
const MAX_LETTER_OVERLAP_HEIGHTS = 0.3;
/** Share of the lower letter's height that two letters of a row have in common, and ratio of their heights. */
const MIN_COMMON_HEIGHT_SHARE = 0.6;
const MAX_HEIGHT_RATIO = 2.2;
/** Width of a letter, in heights; wider pieces are several that touch. */
const LETTER_WIDTH_HEIGHTS = 0.7;
/** Height of a letter; lower pieces have no shape. */
const MIN_LETTER_HEIGHT_PIXELS = 4;
/** Difference of level feet, in heights; and share of a row's steps that are level. */
const LEVEL_STEP_HEIGHTS = 0.12;
const MIN_LEVEL_SHARE = 0.5;
/**
 * White space above and below a row, in heights; and other pieces that may stand there, as a share of the row's pieces:
 * accents, points.
 */
const WHITE_SPACE_HEIGHTS = 0.6;
const MAX_OTHER_PIECES_SHARE = 0.4;
/** Letters and pieces of a row; fewer are chance: ticks of a scale, dots, grain. */
const MIN_ROW_LETTERS = 5;
const MIN_ROW_PIECES = 3;
/** Pieces that are counted; a picture with more is mostly grain. */
const MAX_PIECES = 20_000;

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

/** Number of letters that a piece stands for. */
const letterCount = ({ from, to, top, bottom }: Piece): number =>
  Math.max(1, Math.round((to - from) / (LETTER_WIDTH_HEIGHTS * (bottom - top))));

function follows(before: Piece, after: Piece): boolean {
  const [one, other] = [before.bottom - before.top, after.bottom - after.top];
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  const common = spanOverlap(before.top, before.bottom, after.top, after.bottom);
  const gap = after.from - before.to;
  return (
    gap <= MAX_LETTER_GAP_HEIGHTS * high &&
    gap >= -MAX_LETTER_OVERLAP_HEIGHTS * high &&
    high <= MAX_HEIGHT_RATIO * low &&
    common >= MIN_COMMON_HEIGHT_SHARE * low
  );
}

interface Row {
  pieces: Piece[];
  letters: number;
  /**
   * Number of steps from letter to letter on which their feet stay level, and their heads: the feet of a row upside
   * down.
   */
  feet: number;
  heads: number;
}

function extendRow(row: Row, piece: Piece): void {
  const last = row.pieces.at(-1);
  row.pieces.push(piece);
  row.letters += letterCount(piece);
  if (last === undefined) return;
  const level = Math.max(
    1,
    Math.round(LEVEL_STEP_HEIGHTS * Math.max(last.bottom - last.top, piece.bottom - piece.top)),
  );
  if (Math.abs(piece.bottom - last.bottom) <= level) row.feet += 1;
  if (Math.abs(piece.top - last.top) <= level) row.heads += 1;
}

const isLevel = ({ letters, pieces, feet, heads }: Row): boolean =>
  letters >= MIN_ROW_LETTERS &&
  pieces.length >= MIN_ROW_PIECES &&
  Math.max(feet, heads) >= MIN_LEVEL_SHARE * (pieces.length - 1);

/** Index of pieces by the band across the rows in which their middle lies. */
class BandIndex<T> {
  readonly #height: number;
  readonly #bands = new Map<number, T[]>();

  constructor(height: number) {
    this.#height = height;
  }

  of({ top, bottom }: Piece): T[] {
    return this.#band(Math.floor((top + bottom) / 2 / this.#height));
  }

  /** Entries of a piece's band and the bands beside it. */
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

/** Rows of pieces that follow each other. @param pieces sorted by where they begin */
function findRows(pieces: readonly Piece[], highest: number): Row[] {
  const open = new BandIndex<Row>(highest);
  const rows: Row[] = [];
  for (const piece of pieces) {
    const found = open.near(piece).find((row) => {
      const last = row.pieces.at(-1);
      return last !== undefined && follows(last, piece);
    });
    const row = found ?? { pieces: [], letters: 0, feet: 0, heads: 0 };
    if (found === undefined) rows.push(row);
    extendRow(row, piece);
    const band = open.of(piece);
    // A row may wander into another band; ended ones are dropped here and there, or each letter would be compared with
    // all of them.
    const going = band.filter(
      ({ pieces: own }) => piece.from - (own.at(-1)?.to ?? 0) <= MAX_LETTER_GAP_HEIGHTS * highest,
    );
    band.splice(0, band.length, ...new Set([...going, row]));
  }
  return rows;
}

/** True for white space above and below a row; in grain and in pictures of things, other pieces stand there. */
function isFree(row: Row, all: BandIndex<Piece>): boolean {
  const own = new Set(row.pieces);
  const others = new Set<Piece>();
  for (const { from, to, top, bottom } of row.pieces) {
    const whiteSpace = WHITE_SPACE_HEIGHTS * (bottom - top);
    for (const other of all.near({ from, to, top, bottom })) {
      const [along, across] = [(other.from + other.to) / 2, (other.top + other.bottom) / 2];
      const isNear = along >= from && along <= to && across >= top - whiteSpace && across <= bottom + whiteSpace;
      if (isNear && !own.has(other)) others.add(other);
    }
  }
  return others.size <= MAX_OTHER_PIECES_SHARE * row.pieces.length;
}

/** Number of letters in the rows that run one way. */
function lettersAlong(pieces: readonly Piece[], highest: number): number {
  const own = pieces
    .filter(({ top, bottom }) => bottom - top >= MIN_LETTER_HEIGHT_PIXELS && bottom - top <= highest)
    .sort((a, b) => a.from - b.from);
  const all = new BandIndex<Piece>(highest);
  for (const piece of own) all.of(piece).push(piece);
  return findRows(own, highest).reduce((sum, row) => sum + (isLevel(row) && isFree(row, all) ? row.letters : 0), 0);
}

/** Estimates how many of the boxes of outlines are letters, by how they stand. @param boxes pixels at `dpi` */
export function countLetterBoxes(boxes: readonly Box[], dpi: number): number {
  const pieces = boxes
    .slice(0, MAX_PIECES)
    .map(({ left, top, right, bottom }): Piece => ({ from: left, to: right, top, bottom }));
  const turned = pieces.map(({ from, to, top, bottom }): Piece => ({ from: top, to: bottom, top: from, bottom: to }));
  return Math.max(lettersAlong(pieces, MAX_ROW_HEIGHT_INCHES * dpi), lettersAlong(turned, MAX_ROW_HEIGHT_INCHES * dpi));
}

/**
 * Estimates how many letters stand in rows, level or upright, dark on light or light on dark.
 * @param dpi pixels per inch; at 100, letters of type from five points up are seen
 */
export function countLetters(gray: GrayImage, dpi: number): number {
  const positive = darkOnLight(gray);
  const tiles = measureTiles(positive, dpi);
  const flat = flattenBackground(positive, dpi, tiles);
  const pieces = findComponents(flat, inkThreshold(flat, dpi, flat === positive ? tiles : undefined));
  if (pieces === undefined) return 0;
  const chosen = letterPieces(pieces, dpi).slice(0, MAX_PIECES);
  const count = (sideways: boolean): number =>
    lettersAlong(piecesOf(pieces, chosen, sideways), MAX_ROW_HEIGHT_INCHES * dpi);
  return Math.max(count(false), count(true));
}
