import { JobFailure } from "../../ports/errors.ts";
import type { OcrView } from "../../ports/ocr.ts";
import { type PagePicture, pagePicture, picturesPdf } from "../readers/page-pictures.ts";
import { implementTask } from "./define-task.ts";
import { RECOGNITION_DPI, viewOf } from "./page-look.ts";
import { picturesPdfTask } from "./pictures-pdf.ts";

/** A page as a JPEG among many, of which a service reads a hundred and more. */
const MAX_JPEG_BYTES = 2_000_000;
/** The share of a PDF's bytes that is not its pictures: under two kilobytes a page, of a hundred and more. */
const OVERHEAD_SHARE = 0.01;

const tooManyPages = (most: number): JobFailure =>
  new JobFailure(`Processing failed: Text recognition takes ${most} pages at once; choose fewer by pageRange`);

export const run = implementTask(picturesPdfTask, async ({ bytes, options }) => {
  const { mimeType, pageNumbers, level, limits } = options;
  const { maxSide, maxBytes, maxPages, maxPageInches } = limits;
  const views: OcrView[] = [];
  let left = (1 - OVERHEAD_SHARE) * maxBytes;
  // One after the other, so that no more than one is held beside the PDF.
  async function* pictures(): AsyncGenerator<PagePicture> {
    for (const [at, number] of pageNumbers.entries()) {
      // The first strip of a page tells how many there are.
      for (let [index, count] = [0, 1]; index < count; index += 1) {
        if (views.length === maxPages) throw tooManyPages(maxPages);
        const share = Math.floor(left / (pageNumbers.length - at - 1 + count - index));
        const wanted = { dpi: RECOGNITION_DPI[level], format: "jpeg", gray: true, maxSide } as const;
        const strip = { index, limits: { maxSide, maxPageInches } };
        const options = { ...wanted, maxBytes: Math.min(MAX_JPEG_BYTES, share), strip };
        const picture = await pagePicture(bytes, mimeType, number - 1, options);
        count = picture.strip?.count ?? 1;
        left -= picture.bytes.length;
        views.push(await viewOf(number, picture, level));
        yield picture;
      }
    }
  }
  return { pdf: await picturesPdf(pictures(), maxPageInches), views };
});
