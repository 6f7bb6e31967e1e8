/** Finds the places to write in a PDF. */
import { JobFailure } from "../../../ports/errors.ts";
import type { Box, Page } from "../../../ports/layout.ts";
import { grayOf } from "../../imaging/figure-regions/measure-ink.ts";
import type { GrayImage } from "../../imaging/gray-image.ts";
import { opaqueCopy, withDrawnWindow } from "../../readers/pdf/draw-page.ts";
import { withPdf } from "../../readers/pdf/pdf-document.ts";
import type { PdfPage } from "../../readers/pdf/pdf-page.ts";
import { textLayerEvidence } from "../../readers/pdf/pdf-page-evidence.ts";
import { POINTS_PER_INCH } from "../../readers/pdf/points-to-inches.ts";
import { readPdfPage } from "../../readers/pdf/read-pdf-page.ts";
import { acroFormMetadata } from "../acroform/acroform-metadata.ts";
import type { FieldDefinition } from "../field-definition.ts";
import { DETECTION_DEFAULTS, type DetectionOptions, detectFields } from "./define-fields.ts";
import type { FormPageContent } from "./form-page.ts";
import { formPageContent } from "./pdf-page-content.ts";
import { picturePageContent } from "./picture-page-content.ts";

/** The part of a PDF to search, and the recognised pages of it. */
export interface FormSource {
  /** From 1; all pages by default. */
  pages?: readonly number[];
  /** Pages of the layout, whose words are used on pages that are pictures. */
  recognised?: readonly Page[];
}

/** Share of a page under pictures from which it is a scan. */
const MIN_PICTURE_COVER = 0.6;
/** Pixels per inch of a drawn scan: a checkbox in small print has 20 pixels on a side. */
const SCAN_DPI = 200;
/** Pixels of a drawn scan at most, a page of 17 × 22 inches at full resolution: larger ones are drawn coarser. */
const MAX_SCAN_PIXELS = 15_000_000;
/** Pixels per inch below which lines of a form run together. */
const MIN_SCAN_DPI = 70;

/** The fields that a document already has: their places by page, from 1, in points as shown, and their names. */
async function ownFields(bytes: Uint8Array): Promise<{ widgets: Map<number, Box[]>; names: string[] }> {
  const { fields } = await acroFormMetadata(bytes);
  const anchors = fields.flatMap((field) => field.widgets.flatMap((widget) => widget.pageAnchors));
  const byPage = Map.groupBy(anchors, ({ pageNumber }) => pageNumber);
  return {
    widgets: new Map([...byPage].map(([page, own]) => [page, own.map(({ bbox }) => bbox)])),
    names: fields.map(({ name }) => name),
  };
}

function drawScan(page: PdfPage, number: number): GrayImage {
  const [across, down] = [page.width / POINTS_PER_INCH, page.height / POINTS_PER_INCH];
  const dpi = Math.min(SCAN_DPI, Math.sqrt(MAX_SCAN_PIXELS / (across * down)));
  if (dpi < MIN_SCAN_DPI) {
    throw new JobFailure(
      `Processing failed: Page ${number} is a picture of ${Math.round(across)} × ${Math.round(down)} inches, too large ` +
        "to find fields on; scan it smaller, or choose other pages",
    );
  }
  const [width, height] = [Math.round(across * dpi), Math.round(down * dpi)];
  const window = { left: 0, top: 0, width, height, pageWidth: width, pageHeight: height };
  return withDrawnWindow(page, window, (drawn) => grayOf({ width, height, rgba: opaqueCopy(drawn) }));
}

function readContent(page: PdfPage, number: number, recognised: Page | undefined, widgets: Box[]): FormPageContent {
  if (textLayerEvidence(page, undefined, () => true).pictureCover < MIN_PICTURE_COVER)
    return formPageContent(page, number, widgets);
  const words = recognised ?? readPdfPage(page, number, { tables: false });
  return picturePageContent(drawScan(page, number), words, widgets);
}

/**
 * Finds the places to write in a PDF, in reading order, page by page; fields that the document already has are left out.
 * @throws JobFailure: password protected, corrupted, or a scanned page is too large; BadRequest, UnprocessableEntity:
 * not a PDF, or damaged
 */
export async function detectForm(
  bytes: Uint8Array,
  options: DetectionOptions = DETECTION_DEFAULTS,
  { pages, recognised = [] }: FormSource = {},
): Promise<FieldDefinition[]> {
  const { widgets, names } = await ownFields(bytes);
  const contents = await withPdf(bytes, (document) =>
    (pages ?? Array.from({ length: document.pageCount }, (_, index) => index + 1))
      .filter((number) => number >= 1 && number <= document.pageCount)
      .map((number) =>
        document.withPage(number - 1, (page) => {
          const words = recognised.find((one) => one.number === number);
          return readContent(page, number, words, widgets.get(number) ?? []);
        }),
      ),
  );
  return detectFields(contents, options, names);
}
