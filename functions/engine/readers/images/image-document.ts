/** Images as documents: their pages, without decoding any. */
import { JOB_SENTENCES, JobFailure, UnprocessableEntity } from "../../../ports/errors.ts";
import { describeType } from "../../../ports/media-types.ts";
import type { OcrFrame } from "../../../ports/ocr.ts";
import { type ImageHeader, limitExceededSentence, readImageHeader } from "../../imaging/headers/image-header.ts";
import { imageFrame } from "./image-frame.ts";

export interface ImageDocument {
  pageCount: number;
  /** Frames of all pages, in order. */
  frames: OcrFrame[];
}

/** Reads the header of an image and checks its limits. @throws JobFailure: corrupted, too many pages or pixels */
export function openImage(bytes: Uint8Array, mimeType: string): ImageHeader {
  const header = readImageHeader(bytes, mimeType);
  if (header === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
  const excess = limitExceededSentence(header);
  if (excess !== undefined) throw new JobFailure(`Processing failed: ${excess}`);
  return header;
}

/**
 * The pages of a JPEG, PNG or TIFF in inches as shown; image-frame.ts computes their size. Only headers are read:
 * damaged pixels are found when a page is drawn.
 * @throws JobFailure: corrupted, too many pages, more than 100 megapixels
 */
export function readImageDocument(bytes: Uint8Array, mimeType: string): ImageDocument {
  const { pages, pageCount } = openImage(bytes, mimeType);
  return { pageCount, frames: pages.map(imageFrame) };
}

/**
 * Inspects an upload: refuses an image that does not open or that is over the limits.
 * @returns the number of pages @throws UnprocessableEntity
 */
export function inspectImage(bytes: Uint8Array, mimeType: string): number {
  const header = readImageHeader(bytes, mimeType);
  if (header === undefined) {
    throw new UnprocessableEntity(
      `The document is not ${describeType(mimeType)} that can be opened: its header is damaged or it was cut off`,
    );
  }
  const excess = limitExceededSentence(header);
  if (excess !== undefined) throw new UnprocessableEntity(excess);
  return header.pageCount;
}
