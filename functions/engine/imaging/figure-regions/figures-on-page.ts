/**
 * The figures of a page that was recognised: photos, logos with shapes, charts, found from its picture and its words by
 * our own rules, for engines that know words only. Costs some 50 ms a page (1700 by 2200 pixels), nearly all in ink.ts.
 *
 * A figure is a region of thick ink, or of ink on changing tones without paper, that words cover little of. Thin strokes
 * may be writing that nobody has read: they are a figure only where a caption says so. What reaches the picture's edge is
 * what the page lies on, a shadow, or a border.
 */

import type { Block, Box } from "../../../ports/layout.ts";
import type { OcrPage, PackedInk } from "../../../ports/ocr.ts";
import { inOwnFrame } from "../../layout/deskew.ts";
import { area, overlapShare } from "../../layout/geometry.ts";
import { blockLines } from "../../layout/page-words.ts";
import { isLikelyText } from "../../ocr/merge/likely-text.ts";
import { SAME_PLACE } from "../../ocr/merge/word-places.ts";
import { beginsFigureCaption, tieCaptions } from "../../structure/figures/figure-captions.ts";
import { BRIGHTNESS, INK, type InkCells, LARGE, PAPER, RULE, SOLID, unpackInk } from "./ink-cells.ts";
import { type Region, regionsOf } from "./ink-regions.ts";

/** Inches either way: smaller ones are icons and large letters; thin lines with a caption are larger. */
const LEAST_SIDE = 0.4;
const LEAST_DRAWING = 0.75;
/** Of its box a figure has so much ink, a drawing less; and words at most so much: more is text on a ground. */
const LEAST_FILL = 0.2;
const LEAST_LINES = 0.05;
const MOST_TEXT = 0.3;
/** A bar behind a heading: so low, in inches, with so much text on it; or so many times longer than high. */
const BAR_HEIGHT = 0.6;
const BAR_TEXT = 0.1;
const LONGEST = 8;
/** So much of a figure is thick ink; or it has no paper, but ink and tones so far apart: tints, stains, folds have not. */
const LEAST_SOLID = 0.15;
const LEAST_PAPERLESS = 0.3;
const LEAST_INK = 0.2;
const LEAST_TONES = 2;
/** And so much may be large type that nobody has read: a picture has ink that looks like it, too. */
const MOST_LETTERS = 0.4;
/** A picture of so much of the page is the page. */
const WHOLE_PAGE = 0.5;
/** Inches around a barcode that belong to it. */
const QUIET_ZONE = 0.12;
/** A drawing has so much thick ink, or strokes of large pieces: rules alone are a table. */
const LEAST_DRAWN = 0.15;

const isPictured = (cell: number): boolean => (cell & BRIGHTNESS) < PAPER || (cell & (SOLID | LARGE)) !== 0;

const isInk = (cell: number): boolean => isPictured(cell) || (cell & (INK | RULE)) !== 0;

function isShapedLikeOne({ box, text }: Region): boolean {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const isBar = longer > LONGEST * shorter || (shorter < BAR_HEIGHT && text > BAR_TEXT);
  return text <= MOST_TEXT && !isBar;
}

function isPicture({ fill, ink, solid, letters, paperless, tones }: Region): boolean {
  const isPhoto = paperless >= LEAST_PAPERLESS && tones >= LEAST_TONES && ink >= LEAST_INK;
  return fill >= LEAST_FILL && letters <= MOST_LETTERS && (solid >= LEAST_SOLID || isPhoto);
}

const isDrawing = ({ fill, solid, large }: Region): boolean =>
  fill >= LEAST_LINES && Math.max(solid, large) >= LEAST_DRAWN;

/** Those of the boxes that stand beside the caption of a figure. */
function withCaption({ page, angle }: OcrPage, boxes: readonly Box[]): Box[] {
  const figures = boxes.map((box): Block => ({ kind: "figure", box, lines: [] }));
  const tied = inOwnFrame({ ...page, angle, blocks: [...page.blocks, ...figures] }, tieCaptions);
  return tied.blocks.flatMap((block) =>
    block.kind === "figure" && block.caption !== undefined && beginsFigureCaption(block.caption) ? [block.box] : [],
  );
}

const grown = ({ left, top, right, bottom }: Box): Box => ({
  left: left - QUIET_ZONE,
  top: top - QUIET_ZONE,
  right: right + QUIET_ZONE,
  bottom: bottom + QUIET_ZONE,
});

const round = (inches: number, most: number): number => Math.round(Math.min(inches, most) * 10_000) / 10_000;

/** Those of the boxes that share little with the ones before. */
export function apart(boxes: readonly Box[]): Box[] {
  const kept: Box[] = [];
  for (const box of boxes) {
    if (kept.every((one) => overlapShare(one, box) < SAME_PLACE)) kept.push(box);
  }
  return kept;
}

/** The likeliest first: where two are at one place, the first stands. */
function found(ocr: OcrPage, map: InkCells): Box[] {
  const words = ocr.page.blocks
    .flatMap((block) => blockLines(block).filter(isLikelyText))
    .flatMap(({ words }) => words);
  const codes = (ocr.barcodes ?? []).map(({ box }) => grown(box));
  const text = [...words.map(({ box }) => box), ...codes];
  const isFree = (region: Region): boolean => !region.atEdge && isShapedLikeOne(region);
  const drawn = regionsOf(map, text, isInk, LEAST_DRAWING).filter((one) => isFree(one) && isDrawing(one));
  const pictures = regionsOf(map, text, isPictured, LEAST_SIDE).filter((one) => isFree(one) && isPicture(one));
  const boxes = (regions: readonly Region[]): Box[] => regions.map(({ box }) => box).sort((a, b) => area(b) - area(a));
  return [...withCaption(ocr, boxes(drawn)), ...boxes(pictures)];
}

/**
 * The figures that a page shows, inches as its words: those that the engine knows, and those that we find beside them.
 * @param ocr the page with its words, as the engine gave it
 * @param ink of the picture that it was recognised from; absent: the engine's only
 */
export function figuresOn(ocr: OcrPage, ink: PackedInk | undefined): Box[] {
  const { width, height } = ocr.page;
  const own = ink === undefined ? [] : found(ocr, unpackInk(ink));
  const all = [...(ocr.figures ?? []), ...own].filter((box) => area(box) < WHOLE_PAGE * width * height);
  return apart(all).map((box) => ({
    left: round(box.left, width),
    top: round(box.top, height),
    right: round(box.right, width),
    bottom: round(box.bottom, height),
  }));
}
