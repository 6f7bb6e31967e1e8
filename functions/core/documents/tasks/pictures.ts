/** Work on a document's bytes that ends in pictures of its pages. */

import type { SourceLocations } from "../../extraction/sources.ts";
import type { OcrFrame, OcrLevel } from "../../ocr/ports.ts";
import type { PageImageOptions, PictureOptions } from "../../ports.ts";
import { drawMarks } from "../marks/draw.ts";
import { marksOf } from "../marks/marks.ts";
import { type PagePicture, pagePicture, picturesPdf } from "../pictures.ts";
import type { Answer } from "./task.ts";

export interface PictureTask {
  bytes: Uint8Array;
  options: PictureOptions;
}

export interface PicturesPdfTask {
  bytes: Uint8Array;
  options: { mimeType: string; pageNumbers: number[]; level: OcrLevel };
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

export const pictureTasks = {
  async picture({ bytes, options }: PictureTask): Answer<"picture"> {
    const { mimeType, pageNumber, level, maxBytes } = options;
    const wanted = { dpi: RECOGNITION_DPI[level], format: "png", gray: true, maxBytes } as const;
    const { bytes: picture, frame } = await pagePicture(bytes, mimeType, pageNumber - 1, wanted);
    return { bytes: picture, pageNumber, frame };
  },

  async picturesPdf({ bytes, options }: PicturesPdfTask): Answer<"picturesPdf"> {
    const { mimeType, pageNumbers, level } = options;
    const wanted = { dpi: RECOGNITION_DPI[level], format: "jpeg", gray: true, maxBytes: BYTES_OF_MANY } as const;
    const frames: OcrFrame[] = [];
    // One after the other, so that no more than one is held beside the PDF.
    async function* pictures(): AsyncGenerator<PagePicture> {
      for (const number of pageNumbers) {
        const picture = await pagePicture(bytes, mimeType, number - 1, wanted);
        frames.push(picture.frame);
        yield picture;
      }
    }
    return { pdf: await picturesPdf(pictures()), frames };
  },

  async pageImage({ bytes, options }: PageImageTask): Answer<"pageImage"> {
    const { mimeType, pageIndex, marks } = options;
    const { bytes: picture, frame } = await pagePicture(bytes, mimeType, pageIndex, { dpi: VIEW_DPI, format: "png" });
    if (marks === undefined) return picture;
    const sources: SourceLocations = JSON.parse(new TextDecoder().decode(marks.sources));
    return drawMarks(picture, frame, marksOf(sources, pageIndex + 1, marks.pointers));
  },
};
