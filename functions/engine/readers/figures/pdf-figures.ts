/** Finds the figures of a PDF: its pictures at their native pixels, its drawings at 200 dpi. */

import type { Box } from "../../../ports/layout.ts";
import { overlapShare } from "../../layout/geometry.ts";
import { SAME_PLACE_OVERLAP_SHARE } from "../../layout/word-places.ts";
import { FIGURE_LIMITS, type Figure, FigureBudget } from "../../structure/figures/figure.ts";
import { drawPart } from "../pdf/draw-page.ts";
import { figureObjects, type PlacedImage } from "../pdf/figure-objects.ts";
import { type ImageContent, imageContent, type RawPixels } from "../pdf/figure-pixels.ts";
import { withPdf } from "../pdf/pdf-document.ts";
import type { PdfPage } from "../pdf/pdf-page.ts";
import { boxInPoints } from "../pdf/points-to-inches.ts";
import { type EncodedFigure, encodeFile, encodePixels, type UprightTurn } from "./figure-encoding.ts";
import { inRows, nativeDpi, type PlannedFigure, planFigures, withoutRepeats } from "./figure-plan.ts";

const POINTS_PER_INCH = 72;
/** Resolution of drawings; pictures joined of parts keep the parts' own, within bounds. */
const DRAWING_DPI = 200;
const MAX_JOINED_DPI = 300;
/** Decoded pixels held at once, while a page is open. */
const MAX_HELD_PIXELS = 8_000_000;
/** Share of a picture that a clip leaves, from which it only trims its edge. */
const MIN_UNCROPPED_SHARE = 0.98;

/**
 * The turn of a picture as shown, to the nearest quarter, from the direction of its sides on the page. Rows are stored
 * from the top, so a picture shown as stored has x to the right and y, which grows upwards, up.
 */
function uprightOf({ matrix: { a, b, c, d }, whole, box }: PlacedImage): UprightTurn {
  const mirrored = a * d - b * c > 0;
  // Mirrored sideways, the row's direction is the opposite.
  const [x, y] = mirrored ? [-a, -b] : [a, b];
  const degrees = Math.abs(x) >= Math.abs(y) ? (x >= 0 ? 0 : 180) : y >= 0 ? 90 : 270;
  const [width, height] = [whole.right - whole.left, whole.bottom - whole.top];
  const crop = {
    left: (box.left - whole.left) / width,
    top: (box.top - whole.top) / height,
    right: (box.right - whole.left) / width,
    bottom: (box.bottom - whole.top) / height,
  };
  const isCropped = (crop.right - crop.left) * (crop.bottom - crop.top) < MIN_UNCROPPED_SHARE;
  return { mirrored, degrees, ...(isCropped ? { crop } : {}) };
}

type FigureContent = { figure: PlannedFigure; upright?: UprightTurn } & (ImageContent | { raw: RawPixels });

/** Reads a figure's pixels while its page is open. */
function contentOf(page: PdfPage, figure: PlannedFigure): FigureContent | undefined {
  const { box, images, drawn } = figure;
  const [width, height] = [(box.right - box.left) / POINTS_PER_INCH, (box.bottom - box.top) / POINTS_PER_INCH];
  const fitting = Math.sqrt(FIGURE_LIMITS.pixelsEach / (width * height));
  const [image] = images;
  const stored = (image?.width ?? 0) * (image?.height ?? 0);
  if (!drawn && image !== undefined && stored <= 2 * FIGURE_LIMITS.pixelsEach) {
    const content = imageContent(page, image, DRAWING_DPI * Math.min(Math.max(width, height), 20));
    if (content !== undefined) return { figure, upright: uprightOf(image), ...content };
  }
  const dpi = Math.min(Math.max(nativeDpi(images), DRAWING_DPI), MAX_JOINED_DPI, fitting);
  return { figure, raw: drawPart(page, box, dpi) };
}

const sizeOf = (content: FigureContent): number => ("raw" in content ? content.raw.width * content.raw.height : 0);

/** The contents of a page's figures from one on, as many as may be held. */
const readSome = (
  bytes: Uint8Array,
  pageIndex: number,
  figures: readonly PlannedFigure[],
): Promise<(FigureContent | undefined)[]> =>
  withPdf(bytes, ({ withPage }) =>
    withPage(pageIndex, (page) => {
      const contents: (FigureContent | undefined)[] = [];
      let held = 0;
      for (const figure of figures) {
        if (held >= MAX_HELD_PIXELS) break;
        const content = contentOf(page, figure);
        held += content === undefined ? 0 : sizeOf(content);
        contents.push(content);
      }
      return contents;
    }),
  );

const encode = (content: FigureContent): Promise<EncodedFigure | undefined> =>
  "jpeg" in content ? encodeFile(content.jpeg, content.upright) : encodePixels(content.raw, content.upright);

const inches = (points: number): number => Math.round((points / POINTS_PER_INCH) * 1000) / 1000;
const toInches = ({ left, top, right, bottom }: Box): Box => ({
  left: inches(left),
  top: inches(top),
  right: inches(right),
  bottom: inches(bottom),
});

async function readPageFigures(
  bytes: Uint8Array,
  pageIndex: number,
  planned: readonly PlannedFigure[],
  budget: FigureBudget,
): Promise<Figure[]> {
  const pageNumber = pageIndex + 1;
  const figures: Figure[] = [];
  for (let from = 0; from < planned.length && !budget.spent; ) {
    const contents = await readSome(bytes, pageIndex, planned.slice(from));
    from += contents.length;
    for (const content of contents) {
      const encoded = content === undefined ? undefined : await encode(content);
      if (content === undefined || encoded === undefined || !budget.take(encoded)) continue;
      const id = `p${pageNumber}f${figures.length + 1}`;
      figures.push({ id, pageNumber, bbox: toInches(content.figure.box), ...encoded });
    }
  }
  return figures;
}

/** Plans the figures of a page: those of its file, and those seen on its picture besides. */
function planPage(page: PdfPage, pageNumber: number, { figures = [], captions = [] }: SeenPlaces): PlannedFigure[] {
  const objects = figureObjects(page);
  const planned = planFigures(objects, captions.map(boxInPoints));
  const fresh = figures
    .map(boxInPoints)
    .filter((box) => planned.every((one) => overlapShare(one.box, box) < SAME_PLACE_OVERLAP_SHARE));
  const cut = fresh.map((box): PlannedFigure => {
    const key = `page ${pageNumber} ${box.left} ${box.top}`;
    return { box, images: objects.images, drawn: true, key };
  });
  return inRows([...planned, ...cut]);
}

/** Places on a page that its layout names. Inches. */
export interface SeenPlaces {
  /** Figures, also those seen on the page's picture only. */
  figures?: readonly Box[];
  /** Captions of figures. */
  captions?: readonly Box[];
}

const NONE_SEEN: ReadonlyMap<number, SeenPlaces> = new Map();

/**
 * Finds the figures of a PDF, page by page, from top to bottom.
 * @param wanted by page number; absent: all pages
 * @param seen by page number
 * @throws JobFailure: corrupted, password protected
 */
export async function pdfFigures(bytes: Uint8Array, wanted?: ReadonlySet<number>, seen = NONE_SEEN): Promise<Figure[]> {
  const plans = await withPdf(bytes, ({ pageCount, withPage }) =>
    Array.from({ length: pageCount }, (_, index) =>
      wanted === undefined || wanted.has(index + 1)
        ? withPage(index, (page) => planPage(page, index + 1, seen.get(index + 1) ?? {}))
        : [],
    ),
  );
  const budget = new FigureBudget();
  const figures: Figure[] = [];
  for (const [index, planned] of withoutRepeats(plans).entries()) {
    if (planned.length > 0 && !budget.spent) figures.push(...(await readPageFigures(bytes, index, planned, budget)));
  }
  return figures;
}
