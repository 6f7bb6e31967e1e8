/** Pixels of a page's pictures: as stored where possible, else drawn. */

import { readJpegPage } from "../../imaging/headers/jpeg-header.ts";
import { area } from "../../layout/geometry.ts";
import type { PlacedImage } from "./figure-objects.ts";
import type { PdfPage } from "./pdf-page.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";

/** Three or four bytes a pixel, rows from the top. */
export interface RawPixels {
  width: number;
  height: number;
  channels: 3 | 4;
  data: Uint8Array;
}

/** FPDFBitmap_*, fpdfview.h: bytes a pixel by format; formats of three and more bytes have blue first. */
const BYTES_PER_PIXEL: Record<number, number> = { 1: 1, 2: 3, 3: 4, 4: 4, 5: 4 };
const FORMAT_WITH_ALPHA = 4;
/**
 * FPDF_COLORSPACE_*, fpdf_edit.h: grey and RGB, of the device, calibrated or by profile. A JPEG looks the same without
 * them.
 */
const PLAIN_COLOUR_SPACES = new Set([1, 2, 4, 5, 7]);
/** A sample of this size shows whether a picture has a mask. */
const MASK_SAMPLE_PIXELS = 48;
const MIN_OPAQUE_ALPHA = 250;
const SAMPLE_EDGE_PIXELS = 2;
/** A clip that cuts off less only trims. The sample's share of a larger clip is off by up to the tolerance. */
const MAX_TRIM_SHARE = 0.02;
const CLIP_TOLERANCE_SHARE = 0.06;

/** Converts pdfium's blue-green-red into red-green-blue and grey into three equal channels; keeps alpha. */
function readBitmap(pdfium: Pdfium, bitmap: number): RawPixels | undefined {
  const { call } = pdfium;
  const format = call.FPDFBitmap_GetFormat(bitmap);
  const size = BYTES_PER_PIXEL[format];
  const [width, height] = [call.FPDFBitmap_GetWidth(bitmap), call.FPDFBitmap_GetHeight(bitmap)];
  if (size === undefined || width <= 0 || height <= 0) return undefined;
  const stride = call.FPDFBitmap_GetStride(bitmap);
  const source = pdfium.bytes();
  const buffer = call.FPDFBitmap_GetBuffer(bitmap);
  const channels = format === FORMAT_WITH_ALPHA ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  for (let row = 0, to = 0; row < height; row += 1) {
    let from = buffer + row * stride;
    for (let column = 0; column < width; column += 1, from += size, to += channels) {
      data[to] = source[size === 1 ? from : from + 2] ?? 0;
      data[to + 1] = source[size === 1 ? from : from + 1] ?? 0;
      data[to + 2] = source[from] ?? 0;
      if (channels === 4) data[to + 3] = source[from + 3] ?? 0;
    }
  }
  return { width, height, channels, data };
}

const readAndDestroyBitmap = (pdfium: Pdfium, bitmap: number): RawPixels | undefined => {
  if (bitmap === 0) return undefined;
  try {
    return readBitmap(pdfium, bitmap);
  } finally {
    pdfium.call.FPDFBitmap_Destroy(bitmap);
  }
};

/** Draws a picture with its masks at a size, on a transparent background. */
function drawMasked(page: PdfPage, image: number, width: number, height: number): RawPixels | undefined {
  const { pdfium, document, handle } = page;
  const { call } = pdfium;
  return withMemory(pdfium, 48, (scratch) => {
    if (call.FPDFPageObj_GetMatrix(image, scratch) === 0) return undefined;
    const values = [width, 0, 0, height, 0, 0];
    for (const [index, value] of values.entries()) pdfium.view().setFloat32(scratch + 24 + 4 * index, value, true);
    call.FPDFPageObj_SetMatrix(image, scratch + 24);
    try {
      return readAndDestroyBitmap(pdfium, call.FPDFImageObj_GetRenderedBitmap(document, handle, image));
    } finally {
      call.FPDFPageObj_SetMatrix(image, scratch);
    }
  });
}

/** Tells whether a picture has a mask. pdfium does not say so; a mask leaves more free than the clip cuts off. */
function isMasked(page: PdfPage, image: number, { whole, box }: PlacedImage): boolean {
  const sample = drawMasked(page, image, MASK_SAMPLE_PIXELS, MASK_SAMPLE_PIXELS);
  if (sample === undefined || sample.channels !== 4) return false;
  const { width, height, data } = sample;
  let free = 0;
  // The outermost pixels may be blended with the outside.
  for (let y = SAMPLE_EDGE_PIXELS; y < height - SAMPLE_EDGE_PIXELS; y += 1) {
    for (let x = SAMPLE_EDGE_PIXELS; x < width - SAMPLE_EDGE_PIXELS; x += 1) {
      if ((data[4 * (y * width + x) + 3] ?? 255) < MIN_OPAQUE_ALPHA) free += 1;
    }
  }
  const cut = 1 - area(box) / Math.max(area(whole), Number.MIN_VALUE);
  const share = free / Math.max((width - 2 * SAMPLE_EDGE_PIXELS) * (height - 2 * SAMPLE_EDGE_PIXELS), 1);
  return cut < MAX_TRIM_SHARE ? free > 0 : share > cut + CLIP_TOLERANCE_SHARE;
}

/** FPDF_IMAGEOBJ_METADATA: width, height, dpi twice, bits, then the colour space. */
function colourSpace({ pdfium, handle }: PdfPage, image: number): number {
  return withMemory(pdfium, 32, (scratch) => {
    if (pdfium.call.FPDFImageObj_GetImageMetadata(image, handle, scratch) === 0) return 0;
    return pdfium.view().getInt32(scratch + 20, true);
  });
}

const ascii = new TextDecoder("latin1");

/** The file of a plain JPEG that every viewer shows the same: grey or three colours, upright. */
function plainJpeg(page: PdfPage, image: number, { width, height }: PlacedImage): Uint8Array | undefined {
  const { pdfium } = page;
  const { call } = pdfium;
  if (call.FPDFImageObj_GetImageFilterCount(image) !== 1) return undefined;
  const filter = withMemory(pdfium, 32, (buffer) => {
    const bytes = Math.min(call.FPDFImageObj_GetImageFilter(image, 0, buffer, 32), 32);
    return ascii.decode(pdfium.bytes().slice(buffer, buffer + Math.max(bytes - 1, 0)));
  });
  if ((filter !== "DCTDecode" && filter !== "DCT") || !PLAIN_COLOUR_SPACES.has(colourSpace(page, image)))
    return undefined;
  const size = call.FPDFImageObj_GetImageDataRaw(image, 0, 0);
  if (size === 0) return undefined;
  const file = withMemory(pdfium, size, (buffer) => {
    call.FPDFImageObj_GetImageDataRaw(image, buffer, size);
    return pdfium.bytes().slice(buffer, buffer + size);
  });
  const header = readJpegPage(file);
  const same = header?.width === width && header.height === height && header.orientation === 1;
  return same ? file : undefined;
}

function objectAt({ pdfium: { call }, handle }: PdfPage, [first = -1, ...rest]: readonly number[]): number {
  let object = call.FPDFPage_GetObject(handle, first);
  for (const index of rest) object = object === 0 ? 0 : call.FPDFFormObj_GetObject(object, index);
  return object;
}

export type ImageContent = { jpeg: Uint8Array } | { raw: RawPixels };

/**
 * A picture at its native pixels, in its stored orientation: the JPEG file where that is complete, else the pixels,
 * with alpha for a mask; undefined when pdfium cannot decode it.
 * @param leastPixels minimum along the longer side, for a picture whose mask is finer than itself
 */
export function imageContent(page: PdfPage, placed: PlacedImage, leastPixels: number): ImageContent | undefined {
  const { pdfium } = page;
  const image = objectAt(page, placed.path);
  if (image === 0) return undefined;
  if (isMasked(page, image, placed)) {
    const scale = Math.max(1, leastPixels / Math.max(placed.width, placed.height));
    const [width, height] = [Math.round(placed.width * scale), Math.round(placed.height * scale)];
    const raw = drawMasked(page, image, width, height);
    return raw === undefined ? undefined : { raw };
  }
  const jpeg = plainJpeg(page, image, placed);
  if (jpeg !== undefined) return { jpeg };
  const raw = readAndDestroyBitmap(pdfium, pdfium.call.FPDFImageObj_GetBitmap(image));
  return raw === undefined ? undefined : { raw };
}
