/** Figures and barcodes of PDF pages, as blocks. */

import type { BarcodeBlock, Block, Box, Page } from "../../../ports/layout.ts";
import { area, overlapArea } from "../../layout/geometry.ts";
import { newBarcodes } from "../../layout/new-barcodes.ts";
import { insertByPlace } from "../../layout/word-places.ts";
import type { TextLayerEvidence } from "../../ocr/quality/page-evidence.ts";
import { figureCaptionBoxes } from "../../structure/figures/figure-captions.ts";
import { findBarcodesSingleFirst, type PagePart } from "../barcodes/barcode-blocks.ts";
import { type BarcodeCandidate, barcodeCandidates } from "../barcodes/barcode-candidates.ts";
import { isStriped } from "../barcodes/barcode-texture.ts";
import { mayHoldDrawings } from "../figures/figure-drawings.ts";
import { type PlannedFigure, planFigures, withoutRepeats } from "../figures/figure-plan.ts";
import { opaqueCopy, withDrawnPart } from "./draw-page.ts";
import { figureObjects } from "./figure-objects.ts";
import { pageDrawing } from "./page-drawing.ts";
import type { PdfPage } from "./pdf-page.ts";
import { boxInInches, boxInPoints, POINTS_PER_INCH } from "./points-to-inches.ts";

/** Light margin around a symbol in points: four modules of a millimetre. */
const QUIET_ZONE_POINTS = 12;
/** Limit of a document: 32 MB of pixels, held until it is closed. */
const MAX_DRAWN_PIXELS = 8_000_000;
const MAX_DRAWN_PLACES = 60;
/** A figure with this share under a barcode is the picture of that barcode. */
const MIN_BARCODE_COVER_SHARE = 0.25;

/** The rest of what a document may draw in search of barcodes. */
export interface DrawingBudget {
  places: number;
  pixels: number;
}

export const newDrawingBudget = (): DrawingBudget => ({ places: MAX_DRAWN_PLACES, pixels: MAX_DRAWN_PIXELS });

/** The figures of a page, and its barcode candidates. */
export interface DrawnParts {
  figures: PlannedFigure[];
  /** Pictures of barcode candidates. */
  codes: PagePart[];
}

/** Draws a candidate with the space around it; undefined when nothing there is striped, or the budget is spent. */
function drawCandidate(
  page: PdfPage,
  { box: place, dpi }: BarcodeCandidate,
  budget: DrawingBudget,
): PagePart | undefined {
  const box = {
    left: Math.max(place.left - QUIET_ZONE_POINTS, 0),
    top: Math.max(place.top - QUIET_ZONE_POINTS, 0),
    right: Math.min(place.right + QUIET_ZONE_POINTS, page.width),
    bottom: Math.min(place.bottom + QUIET_ZONE_POINTS, page.height),
  };
  const pixels = Math.ceil(area(box) * (dpi / POINTS_PER_INCH) ** 2);
  if (budget.places === 0 || pixels > budget.pixels) return undefined;
  budget.places -= 1;
  const raster = withDrawnPart(page, box, dpi, (drawn) => {
    const { width, height, data } = drawn;
    return isStriped({ width, height, rgba: data }) ? { width, height, rgba: opaqueCopy(drawn) } : undefined;
  });
  if (raster === undefined) return undefined;
  budget.pixels -= pixels;
  return { raster, box: boxInInches(box) };
}

/**
 * Finds the figures of a page and draws its barcode candidates. Nearly free for a page of text and tables, whose
 * drawing has been read for the tables.
 * @param read the page with its text
 */
export function drawnParts(page: PdfPage, read: Page, signs: TextLayerEvidence, budget: DrawingBudget): DrawnParts {
  const drawing = pageDrawing(page);
  const figures =
    signs.largestPicture > 0 || mayHoldDrawings(drawing)
      ? planFigures(figureObjects(page), captionsInPoints(read))
      : [];
  const codes = barcodeCandidates(page, drawing, figures).flatMap((place) => drawCandidate(page, place, budget) ?? []);
  return { figures, codes };
}

const captionsInPoints = (page: Page): Box[] => figureCaptionBoxes(page).map(boxInPoints);

/** Adds figures and barcodes to a page's blocks. A figure that is the picture of a barcode is left out. */
function withFiguresAndBarcodes(
  page: Page,
  figures: readonly PlannedFigure[],
  barcodes: readonly BarcodeBlock[],
): Page {
  const isCode = (box: Box): boolean =>
    barcodes.some((code) => overlapArea(code.box, box) >= MIN_BARCODE_COVER_SHARE * area(box));
  const figureBlocks = figures
    .map(({ box }): Block => ({ kind: "figure", box: boxInInches(box), lines: [] }))
    .filter(({ box }) => !isCode(box));
  const extras = [...figureBlocks, ...barcodes];
  return extras.length === 0 ? page : { ...page, blocks: insertByPlace(page.blocks, extras) };
}

/** The barcodes of a part; none when the engine fails, because nobody asked for barcodes. */
const findBarcodesOrNone = (part: PagePart): Promise<BarcodeBlock[]> => findBarcodesSingleFirst(part).catch(() => []);

/**
 * Adds figures and barcodes to the blocks of pages, at their place in reading order. A figure that an earlier page has
 * at the same place, and a logo shown before, is left out.
 * @param parts one member a page
 */
export async function withDrawnParts(pages: readonly Page[], parts: readonly DrawnParts[]): Promise<Page[]> {
  const figures = withoutRepeats(parts.map((part) => part.figures));
  const found: Page[] = [];
  for (const [index, page] of pages.entries()) {
    const barcodes: BarcodeBlock[] = [];
    for (const code of parts[index]?.codes ?? [])
      barcodes.push(...newBarcodes(barcodes, await findBarcodesOrNone(code)));
    found.push(withFiguresAndBarcodes(page, figures[index] ?? [], barcodes));
  }
  return found;
}
