import { JobFailure } from "../../ports/errors.ts";
import type { OcrView } from "../../ports/ocr.ts";
import { type PagePicture, pagePicture, picturesPdf } from "../readers/page-pictures.ts";
import { implementTask } from "./define-task.ts";
import { ocrViewOf, RECOGNITION_DPI } from "./ocr-view.ts";
import { picturesPdfTask } from "./pictures-pdf.ts";

/** Most bytes of one page's JPEG; a service reads a hundred and more of them. */
const MAX_JPEG_BYTES = 2_000_000;
/** Share of the PDF's bytes besides its pictures: under two kilobytes a page, of a hundred and more. */
const OVERHEAD_SHARE = 0.01;

const tooManyPages = (maxPages: number): JobFailure =>
  new JobFailure(`Processing failed: Text recognition takes ${maxPages} pages at once; choose fewer by pageRange`);

export const run = implementTask(picturesPdfTask, async ({ bytes, options }) => {
  const { mimeType, pageNumbers, level, limits, drawingTime = Infinity } = options;
  const endsAt = performance.now() + drawingTime;
  const { maxSide, maxBytes, maxPages, maxPageInches } = limits;
  const views: OcrView[] = [];
  let bytesLeft = (1 - OVERHEAD_SHARE) * maxBytes;
  // One after the other, so that only one picture is in memory beside the PDF.
  async function* pictures(): AsyncGenerator<PagePicture> {
    for (const [at, number] of pageNumbers.entries()) {
      if (at > 0 && performance.now() >= endsAt) return;
      // The first strip of a page gives the number of strips.
      for (let [index, count] = [0, 1]; index < count; index += 1) {
        if (views.length === maxPages) throw tooManyPages(maxPages);
        const share = Math.floor(bytesLeft / (pageNumbers.length - at - 1 + count - index));
        const format = { dpi: RECOGNITION_DPI[level], format: "jpeg", gray: true, maxSide } as const;
        const strip = { index, limits: { maxSide, maxPageInches } };
        const options = { ...format, maxBytes: Math.min(MAX_JPEG_BYTES, share), strip };
        const picture = await pagePicture(bytes, mimeType, number - 1, options);
        count = picture.strip?.count ?? 1;
        bytesLeft -= picture.bytes.length;
        views.push(await ocrViewOf(number, picture, level));
        yield picture;
      }
    }
  }
  return { pdf: await picturesPdf(pictures(), maxPageInches), views };
});
