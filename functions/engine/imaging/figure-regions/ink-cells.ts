/**
 * A page's picture in coarse cells: enough to tell figures from text once the words are known, and small enough to
 * travel with a page from where its picture is drawn to where its words are.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { PackedInk } from "../../../ports/ocr.ts";

export interface InkCells extends Omit<PackedInk, "cells"> {
  /** Row by row. */
  cells: Uint8Array;
}

/** The lowest bits of a cell: the brightness of the brightest spot around it; PAPER for paper, 0 for black. */
export const BRIGHTNESS_BITS = 0b111;
export const PAPER = 7;
/** Ink that is no rule. */
export const INK = 1 << 3;
/** Ink thicker than the strokes of type, and no letter of a large one. */
export const SOLID = 1 << 4;
/** Ink of a piece that is larger both ways than written words. */
export const LARGE = 1 << 5;
/** Ink that may be a letter of large type. */
export const LETTER = 1 << 7;
/** A long thin line, level or upright. */
export const RULE = 1 << 6;

export const packInk = ({ cells, ...grid }: InkCells): PackedInk => ({
  ...grid,
  cells: Buffer.from(deflateRawSync(cells)).toString("base64"),
});

export const unpackInk = ({ cells, ...grid }: PackedInk): InkCells => ({
  ...grid,
  cells: inflateRawSync(Buffer.from(cells, "base64"), { maxOutputLength: grid.across * grid.down }),
});
