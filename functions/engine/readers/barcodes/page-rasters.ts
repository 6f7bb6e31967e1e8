/** Rasters to scan for barcodes: rendered PDF pages and decoded images, upright on white. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import type { ImagePage } from "../../imaging/headers/image-page.ts";
import type { Raster } from "../../imaging/raster.ts";
import { openImage } from "../images/image-document.ts";
import { imageFrame } from "../images/image-frame.ts";
import { imagePixels, nativeDpi } from "../images/image-pixels.ts";
import { withPdf } from "../pdf/pdf-document.ts";
import { renderPage } from "../pdf/render-page.ts";

export interface PageRasterSource {
  /** From 1. */
  pageNumber: number;
  /** Inches, as shown. */
  width: number;
  height: number;
  /** @param more true for a second, larger raster; undefined where none is possible */
  draw(more: boolean): Promise<Raster | undefined>;
}

/** 4 × 20 million bytes, and as many again in the engine. */
const MAX_RASTER_PIXELS = 20_000_000;
/** Modules of 0.25 mm, the minimum for printers, are two pixels wide at 200 dpi. */
const FIRST_DPI = 200;
const SECOND_DPI = 350;
/** Images up to this size are scanned again at twice their size. */
const MAX_UPSCALED_IMAGE_PIXELS = 4_000_000;

const fittingDpi = (dpi: number, squareInches: number): number =>
  Math.max(Math.min(dpi, Math.floor(Math.sqrt(MAX_RASTER_PIXELS / Math.max(squareInches, 0.0001)))), 1);

async function pdfPages(bytes: Uint8Array): Promise<PageRasterSource[]> {
  const sizes = await withPdf(bytes, ({ pageCount, withPage }) =>
    Array.from({ length: pageCount }, (_, index) =>
      withPage(index, ({ width, height }) => ({ width: width / 72, height: height / 72 })),
    ),
  );
  return sizes.map(({ width, height }, index) => {
    const [first, second] = [fittingDpi(FIRST_DPI, width * height), fittingDpi(SECOND_DPI, width * height)];
    const draw = async (more: boolean): Promise<Raster | undefined> =>
      more && second <= first ? undefined : renderPage(bytes, index, more ? second : first);
    return { pageNumber: index + 1, width, height, draw };
  });
}

/** Decodes one page of an image at a size. @throws JobFailure (corrupted) when its pixels are damaged */
async function decodeImagePage(bytes: Uint8Array, page: ImagePage, width: number, height: number): Promise<Raster> {
  try {
    const pixels = imagePixels(bytes, page, width, height).ensureAlpha().raw();
    const { data, info } = await pixels.toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, rgba: data };
  } catch (error) {
    throw new JobFailure(JOB_SENTENCES.corrupted, { cause: error });
  }
}

function imagePages(bytes: Uint8Array, mimeType: string): PageRasterSource[] {
  return openImage(bytes, mimeType).pages.map((page, index) => {
    const { width, height } = imageFrame(page);
    const dpi = nativeDpi(page);
    const small = page.width * page.height <= MAX_UPSCALED_IMAGE_PIXELS;
    const draw = async (more: boolean): Promise<Raster | undefined> => {
      if (more && !small) return undefined;
      const scale = Math.min(more ? 2 * dpi : dpi, Math.sqrt(MAX_RASTER_PIXELS / (width * height)));
      return decodeImagePage(
        bytes,
        page,
        Math.max(Math.round(width * scale), 1),
        Math.max(Math.round(height * scale), 1),
      );
    };
    return { pageNumber: index + 1, width, height, draw };
  });
}

/** The pages of a PDF or image, drawn on demand. @throws JobFailure as the readers do */
export const pageRasters = async (bytes: Uint8Array, mimeType: string, isPdf: boolean): Promise<PageRasterSource[]> =>
  isPdf ? pdfPages(bytes) : imagePages(bytes, mimeType);
