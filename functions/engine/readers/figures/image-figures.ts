/** Cuts the figures out of images, which are documents whose pages are pictures. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import type { Box } from "../../../ports/layout.ts";
import type { ImagePage } from "../../imaging/headers/image-page.ts";
import { type Figure, FigureBudget } from "../../structure/figures/figure.ts";
import { openImage } from "../images/image-document.ts";
import { imageFrame } from "../images/image-frame.ts";
import { imagePixels, nativeDpi } from "../images/image-pixels.ts";
import { type EncodedFigure, encodePixels } from "./figure-encoding.ts";

/** Decoded pixels of the page that a figure is cut from, three bytes each. */
const MAX_DECODED_PAGE_PIXELS = 20_000_000;

/** Cuts a figure out of a page. @throws JobFailure (corrupted) for damaged pixels */
async function cutFigure(bytes: Uint8Array, page: ImagePage, box: Box): Promise<EncodedFigure | undefined> {
  const frame = imageFrame(page);
  const dpi = Math.min(nativeDpi(page), Math.sqrt(MAX_DECODED_PAGE_PIXELS / (frame.width * frame.height)));
  const [width, height] = [Math.max(Math.round(frame.width * dpi), 1), Math.max(Math.round(frame.height * dpi), 1)];
  const left = Math.min(Math.floor(box.left * dpi), width - 1);
  const top = Math.min(Math.floor(box.top * dpi), height - 1);
  const size = {
    width: Math.max(Math.min(Math.ceil(box.right * dpi), width) - left, 1),
    height: Math.max(Math.min(Math.ceil(box.bottom * dpi), height) - top, 1),
  };
  try {
    const pixels = imagePixels(bytes, page, width, height)
      .extract({ left, top, ...size })
      .removeAlpha();
    const { data } = await pixels.raw().toBuffer({ resolveWithObject: true });
    return await encodePixels({ ...size, channels: 3, data });
  } catch (cause) {
    throw new JobFailure(JOB_SENTENCES.corrupted, { cause });
  }
}

/**
 * Cuts figures out of the pages of an image as it is shown.
 * @param seen inches, by page number
 * @throws JobFailure: corrupted, too many pages or pixels
 */
export async function imageFigures(
  bytes: Uint8Array,
  mimeType: string,
  seen: ReadonlyMap<number, readonly Box[]>,
): Promise<Figure[]> {
  const budget = new FigureBudget();
  const figures: Figure[] = [];
  for (const [index, page] of openImage(bytes, mimeType).pages.entries()) {
    const pageNumber = index + 1;
    let count = 0;
    for (const bbox of [...(seen.get(pageNumber) ?? [])].sort((a, b) => a.top - b.top || a.left - b.left)) {
      const encoded = budget.spent ? undefined : await cutFigure(bytes, page, bbox);
      if (encoded === undefined || !budget.take(encoded)) continue;
      count += 1;
      figures.push({ id: `p${pageNumber}f${count}`, pageNumber, bbox, ...encoded });
    }
  }
  return figures;
}
