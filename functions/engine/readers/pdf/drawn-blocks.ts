/** What stands on a PDF's pages beside text, as blocks: figures and barcodes. */

import type { BarcodeBlock, Block, Box, Page } from "../../../ports/layout.ts";
import { area, overlapArea } from "../../layout/geometry.ts";
import { newBarcodes } from "../../layout/new-barcodes.ts";
import { insertByPlace } from "../../layout/word-places.ts";
import type { PageSigns } from "../../ocr/quality/page-evidence.ts";
import { barcodesOf, type ShownPart } from "../barcodes/barcode-blocks.ts";
import { type BarcodePlace, barcodePlaces } from "../barcodes/barcode-candidates.ts";
import { isStriped } from "../barcodes/barcode-texture.ts";
import { mayHoldDrawings } from "../figures/figure-drawings.ts";
import { type PlannedFigure, planFigures, withoutRepeats } from "../figures/figure-plan.ts";
import { opaque, withPart } from "./draw-page.ts";
import { pageObjects } from "./figure-objects.ts";
import { pageDrawing } from "./page-drawing.ts";
import type { PdfPage } from "./pdf-document.ts";
import { boxInInches, POINTS_PER_INCH } from "./points-to-inches.ts";

/** Points around a symbol that have to be light: four modules of a millimetre. */
const QUIET_ZONE = 12;
/** Of a document: 32 MB of pixels, held until it is closed. */
const MOST_PIXELS = 8_000_000;
const MOST_PLACES = 60;
/** A figure with so much of it under a barcode is the picture of one. */
const IS_CODE = 0.25;

/** What of a document's pages may still be drawn in search of barcodes. */
export interface DrawingBudget {
  places: number;
  pixels: number;
}

export const newDrawingBudget = (): DrawingBudget => ({ places: MOST_PLACES, pixels: MOST_PIXELS });

/** What a page shows beside its text. */
export interface DrawnParts {
  figures: PlannedFigure[];
  /** Pictures of what may be barcodes. */
  codes: ShownPart[];
}

/** Draws a place with the space around it; undefined where nothing there is striped, or the budget is spent. */
function drawPlace(page: PdfPage, { box: place, dpi }: BarcodePlace, budget: DrawingBudget): ShownPart | undefined {
  const box = {
    left: Math.max(place.left - QUIET_ZONE, 0),
    top: Math.max(place.top - QUIET_ZONE, 0),
    right: Math.min(place.right + QUIET_ZONE, page.width),
    bottom: Math.min(place.bottom + QUIET_ZONE, page.height),
  };
  const pixels = Math.ceil(area(box) * (dpi / POINTS_PER_INCH) ** 2);
  if (budget.places === 0 || pixels > budget.pixels) return undefined;
  budget.places -= 1;
  const raster = withPart(page, box, dpi, (drawn) => {
    const { width, height, data } = drawn;
    return isStriped({ width, height, rgba: data }) ? { width, height, rgba: opaque(drawn) } : undefined;
  });
  if (raster === undefined) return undefined;
  budget.pixels -= pixels;
  return { raster, box: boxInInches(box) };
}

/**
 * The figures of a page, and pictures of what may be barcodes. Costs next to nothing for a page of text and tables: what
 * is drawn there has been read for its tables.
 */
export function drawnParts(page: PdfPage, signs: PageSigns, budget: DrawingBudget): DrawnParts {
  const drawing = pageDrawing(page);
  const figures = signs.largestPicture > 0 || mayHoldDrawings(drawing) ? planFigures(pageObjects(page)) : [];
  const codes = barcodePlaces(page, drawing, figures).flatMap((place) => drawPlace(page, place, budget) ?? []);
  return { figures, codes };
}

/** The page with its figures and barcodes among its blocks. A figure that is the picture of a barcode is that barcode. */
function withBlocks(page: Page, figures: readonly PlannedFigure[], barcodes: readonly BarcodeBlock[]): Page {
  const isCode = (box: Box): boolean => barcodes.some((code) => overlapArea(code.box, box) >= IS_CODE * area(box));
  const shown = figures
    .map(({ box }): Block => ({ kind: "figure", box: boxInInches(box), lines: [] }))
    .filter(({ box }) => !isCode(box));
  const extras = [...shown, ...barcodes];
  return extras.length === 0 ? page : { ...page, blocks: insertByPlace(page.blocks, extras) };
}

/** Nobody has asked for them: an engine that fails at one is no reason to read nothing. */
const barcodesSeen = (part: ShownPart): Promise<BarcodeBlock[]> => barcodesOf(part).catch(() => []);

/**
 * Puts figures and barcodes among the blocks of pages, each where it stands in reading order. A figure that an earlier
 * page has at the same place, or a logo that was shown before, is not shown again.
 * @param parts of each page
 */
export async function withDrawnParts(pages: readonly Page[], parts: readonly DrawnParts[]): Promise<Page[]> {
  const figures = withoutRepeats(parts.map((part) => part.figures));
  const found: Page[] = [];
  for (const [index, page] of pages.entries()) {
    const barcodes: BarcodeBlock[] = [];
    for (const code of parts[index]?.codes ?? []) barcodes.push(...newBarcodes(barcodes, await barcodesSeen(code)));
    found.push(withBlocks(page, figures[index] ?? [], barcodes));
  }
  return found;
}
