/** Work on a document's bytes that ends in pictures of its pages. */

import type { PageImageOptions, PictureOptions, PicturesPdfOptions } from "../../ports/engine.ts";
import { JobFailure } from "../../ports/errors.ts";
import type { OcrLevel, OcrView } from "../../ports/ocr.ts";
import { packInk } from "../imaging/figure-regions/ink-cells.ts";
import { grayOf, measureInkCells } from "../imaging/figure-regions/measure-ink.ts";
import { type PagePicture, pagePicture, picturesPdf } from "../imaging/page-pictures.ts";
import { drawValueMarks } from "../imaging/value-overlay/draw-overlay.ts";
import { marksOf } from "../imaging/value-overlay/value-marks.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { barcodesOn, pixelsOf } from "../readers/barcodes/picture-barcodes.ts";
import type { Answer } from "./task.ts";

export interface PictureTask {
  bytes: Uint8Array;
  options: PictureOptions;
}

export interface PicturesPdfTask {
  bytes: Uint8Array;
  options: PicturesPdfOptions;
}

export interface PageImageTask {
  bytes: Uint8Array;
  options: PageImageOptions;
}

/** Pixels per inch: what a page is recognised at, and what somebody looks at. */
const RECOGNITION_DPI: Record<OcrLevel, number> = { LOW: 150, DEFAULT: 200, PREMIUM: 300 };
const VIEW_DPI = 150;
/** A page as a JPEG among many, of which a service reads a hundred and more. */
const BYTES_OF_MANY = 2_000_000;
/** Of a PDF's bytes, what is not its pictures: under two kilobytes a page, of a hundred and more. */
const OVERHEAD = 0.01;

const tooManyPages = (most: number): JobFailure =>
  new JobFailure(`Processing failed: Text recognition takes ${most} pages at once; choose fewer by pageRange`);

/** What a picture shows beside its text; a look takes a tenth of the time that recognition does. */
async function viewOf(pageNumber: number, picture: PagePicture, level: OcrLevel): Promise<OcrView> {
  const { frame, strip } = picture;
  // LOW is text only, as fast as may be.
  const raster = level === "LOW" ? undefined : await pixelsOf(picture);
  const barcodes = raster === undefined ? [] : await barcodesOn(raster, frame);
  const ink = raster === undefined ? undefined : measureInkCells(grayOf(raster), raster.width / frame.width);
  return {
    pageNumber,
    frame,
    ...(strip === undefined ? {} : { strip }),
    ...(barcodes.length === 0 ? {} : { barcodes }),
    ...(ink === undefined ? {} : { ink: packInk(ink) }),
  };
}

export const pictureTasks = {
  async picture({ bytes, options }: PictureTask): Answer<"picture"> {
    const { mimeType, pageNumber, level, maxBytes, maxSide = Infinity, strip: index } = options;
    const wanted = { dpi: RECOGNITION_DPI[level], format: "png", gray: true, maxBytes, maxSide } as const;
    const strip = index === undefined ? {} : { strip: { index, limits: { maxSide } } };
    const picture = await pagePicture(bytes, mimeType, pageNumber - 1, { ...wanted, ...strip });
    return { ...(await viewOf(pageNumber, picture, level)), bytes: picture.bytes };
  },

  async picturesPdf({ bytes, options }: PicturesPdfTask): Answer<"picturesPdf"> {
    const { mimeType, pageNumbers, level, limits } = options;
    const { maxSide, maxBytes, maxPages, maxPageInches } = limits;
    const views: OcrView[] = [];
    let left = (1 - OVERHEAD) * maxBytes;
    // One after the other, so that no more than one is held beside the PDF.
    async function* pictures(): AsyncGenerator<PagePicture> {
      for (const [at, number] of pageNumbers.entries()) {
        // The first strip of a page tells how many there are.
        for (let [index, count] = [0, 1]; index < count; index += 1) {
          if (views.length === maxPages) throw tooManyPages(maxPages);
          const share = Math.floor(left / (pageNumbers.length - at - 1 + count - index));
          const wanted = { dpi: RECOGNITION_DPI[level], format: "jpeg", gray: true, maxSide } as const;
          const strip = { index, limits: { maxSide, maxPageInches } };
          const options = { ...wanted, maxBytes: Math.min(BYTES_OF_MANY, share), strip };
          const picture = await pagePicture(bytes, mimeType, number - 1, options);
          count = picture.strip?.count ?? 1;
          left -= picture.bytes.length;
          views.push(await viewOf(number, picture, level));
          yield picture;
        }
      }
    }
    return { pdf: await picturesPdf(pictures(), maxPageInches), views };
  },

  async pageImage({ bytes, options }: PageImageTask): Answer<"pageImage"> {
    const { mimeType, pageIndex, marks } = options;
    const { bytes: picture, frame } = await pagePicture(bytes, mimeType, pageIndex, { dpi: VIEW_DPI, format: "png" });
    if (marks === undefined) return picture;
    const sources: SourceLocations = JSON.parse(new TextDecoder().decode(marks.sources));
    return drawValueMarks(picture, frame, marksOf(sources, pageIndex + 1, marks.pointers));
  },
};
