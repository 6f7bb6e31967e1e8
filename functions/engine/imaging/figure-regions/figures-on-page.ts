/**
 * Figures of a recognised page: photos, logos with shapes, charts, found from its picture and its words, for engines
 * that know words only. Costs some 50 ms a page (1700 by 2200 pixels), nearly all in measure-ink.ts.
 *
 * A figure is a region of thick ink, or of ink on changing tones without paper, that words cover little of. Thin
 * strokes may be writing that nobody has read: they are a figure only where a caption says so. A region at the
 * picture's edge is what the page lies on, a shadow, or a border.
 */

import type { Block, Box } from "../../../ports/layout.ts";
import type { OcrPage, PackedInk } from "../../../ports/ocr.ts";
import { withUprightPage } from "../../layout/deskew.ts";
import { area, overlapShare } from "../../layout/geometry.ts";
import { isLikelyText } from "../../layout/likely-text.ts";
import { blockLines } from "../../layout/page-words.ts";
import { SAME_PLACE_OVERLAP_SHARE } from "../../layout/word-places.ts";
import { beginsFigureCaption, tieCaptions } from "../../structure/figures/figure-captions.ts";
import { BRIGHTNESS_BITS, INK, type InkCells, LARGE, PAPER, RULE, SOLID, unpackInk } from "./ink-cells.ts";
import { findRegions, type Region } from "./ink-regions.ts";

/** Least side of a figure and of a captioned drawing of thin lines; smaller ones are icons and large letters. */
const MIN_FIGURE_SIDE_INCHES = 0.4;
const MIN_DRAWING_SIDE_INCHES = 0.75;
/** Shares of a region's box: least ink of a figure and of a drawing, and most text; more is text on a ground. */
const MIN_FIGURE_FILL_SHARE = 0.2;
const MIN_DRAWING_FILL_SHARE = 0.05;
const MAX_TEXT_SHARE = 0.3;
/** A bar behind a heading: its height at most with at least this share of text, or its ratio of length to height. */
const MAX_BAR_HEIGHT_INCHES = 0.6;
const MIN_BAR_TEXT_SHARE = 0.1;
const MAX_SIDE_RATIO = 8;
/**
 * Share of a figure that is thick ink; or, without paper, share of paperless cells and of ink, and distance of tones:
 * tints, stains and folds have less.
 */
const MIN_SOLID_SHARE = 0.15;
const MIN_PAPERLESS_SHARE = 0.3;
const MIN_PHOTO_INK_SHARE = 0.2;
const MIN_PHOTO_TONES = 2;
/** Share that may be large unread type: a picture has ink that looks like it, too. */
const MAX_LETTER_SHARE = 0.4;
/** Share of the page from which a picture is the page. */
const WHOLE_PAGE_SHARE = 0.5;
/** Paper around a barcode that belongs to it. */
const QUIET_ZONE_INCHES = 0.12;
/** Share of a drawing that is thick ink, or strokes of large pieces: rules alone are a table. */
const MIN_DRAWN_SHARE = 0.15;

const isPictured = (cell: number): boolean => (cell & BRIGHTNESS_BITS) < PAPER || (cell & (SOLID | LARGE)) !== 0;

const isInk = (cell: number): boolean => isPictured(cell) || (cell & (INK | RULE)) !== 0;

function hasFigureShape({ box, text }: Region): boolean {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const isBar = longer > MAX_SIDE_RATIO * shorter || (shorter < MAX_BAR_HEIGHT_INCHES && text > MIN_BAR_TEXT_SHARE);
  return text <= MAX_TEXT_SHARE && !isBar;
}

function isPicture({ fill, ink, solid, letters, paperless, tones }: Region): boolean {
  const isPhoto = paperless >= MIN_PAPERLESS_SHARE && tones >= MIN_PHOTO_TONES && ink >= MIN_PHOTO_INK_SHARE;
  return fill >= MIN_FIGURE_FILL_SHARE && letters <= MAX_LETTER_SHARE && (solid >= MIN_SOLID_SHARE || isPhoto);
}

const isDrawing = ({ fill, solid, large }: Region): boolean =>
  fill >= MIN_DRAWING_FILL_SHARE && Math.max(solid, large) >= MIN_DRAWN_SHARE;

/** The boxes beside the caption of a figure. */
function withCaption({ page, angle }: OcrPage, boxes: readonly Box[]): Box[] {
  const figures = boxes.map((box): Block => ({ kind: "figure", box, lines: [] }));
  const tied = withUprightPage({ ...page, angle, blocks: [...page.blocks, ...figures] }, tieCaptions);
  return tied.blocks.flatMap((block) =>
    block.kind === "figure" && block.caption !== undefined && beginsFigureCaption(block.caption) ? [block.box] : [],
  );
}

const grown = ({ left, top, right, bottom }: Box): Box => ({
  left: left - QUIET_ZONE_INCHES,
  top: top - QUIET_ZONE_INCHES,
  right: right + QUIET_ZONE_INCHES,
  bottom: bottom + QUIET_ZONE_INCHES,
});

const round = (inches: number, most: number): number => Math.round(Math.min(inches, most) * 10_000) / 10_000;

/** The boxes that share little with the ones before. */
export function withoutOverlaps(boxes: readonly Box[]): Box[] {
  const kept: Box[] = [];
  for (const box of boxes) {
    if (kept.every((one) => overlapShare(one, box) < SAME_PLACE_OVERLAP_SHARE)) kept.push(box);
  }
  return kept;
}

/** Boxes of the page's figures, the likeliest first. */
function findFigureBoxes(ocr: OcrPage, map: InkCells): Box[] {
  const words = ocr.page.blocks
    .flatMap((block) => blockLines(block).filter(isLikelyText))
    .flatMap(({ words }) => words);
  const codes = (ocr.barcodes ?? []).map(({ box }) => grown(box));
  const text = [...words.map(({ box }) => box), ...codes];
  const isFree = (region: Region): boolean => !region.atEdge && hasFigureShape(region);
  const drawn = findRegions(map, text, isInk, MIN_DRAWING_SIDE_INCHES).filter((one) => isFree(one) && isDrawing(one));
  const pictures = findRegions(map, text, isPictured, MIN_FIGURE_SIDE_INCHES).filter(
    (one) => isFree(one) && isPicture(one),
  );
  const boxes = (regions: readonly Region[]): Box[] => regions.map(({ box }) => box).sort((a, b) => area(b) - area(a));
  return [...withCaption(ocr, boxes(drawn)), ...boxes(pictures)];
}

/**
 * The figures that a page shows, inches like its words: those that the engine knows, and those found beside them.
 * @param ocr the page with its words, as the engine gave it
 * @param ink of the picture that it was recognised from; absent: the engine's figures only
 */
export function figuresOn(ocr: OcrPage, ink: PackedInk | undefined): Box[] {
  const { width, height } = ocr.page;
  const own = ink === undefined ? [] : findFigureBoxes(ocr, unpackInk(ink));
  const all = [...(ocr.figures ?? []), ...own].filter((box) => area(box) < WHOLE_PAGE_SHARE * width * height);
  return withoutOverlaps(all).map((box) => ({
    left: round(box.left, width),
    top: round(box.top, height),
    right: round(box.right, width),
    bottom: round(box.bottom, height),
  }));
}
