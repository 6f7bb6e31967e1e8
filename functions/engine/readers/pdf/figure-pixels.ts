/** Pixels of a page's pictures: as stored where they can be had, else as a part of the page drawn. */

import { readJpegPage } from "../../imaging/headers/jpeg-header.ts";
import { area } from "../../layout/geometry.ts";
import type { PlacedImage } from "./figure-objects.ts";
import type { PdfPage } from "./pdf-document.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";

/** Three or four bytes a pixel, rows from the top. */
export interface RawPixels {
  width: number;
  height: number;
  channels: 3 | 4;
  data: Uint8Array;
}

/** FPDFBitmap_*, fpdfview.h: bytes a pixel by format, blue first where there are three and more. */
const BYTES_PER_PIXEL: Record<number, number> = { 1: 1, 2: 3, 3: 4, 4: 4, 5: 4 };
const WITH_ALPHA = 4;
/** FPDF_COLORSPACE_*, fpdf_edit.h: grey and RGB, device's, calibrated, by profile. A JPEG means the same without it. */
const PLAIN_COLOURS = new Set([1, 2, 4, 5, 7]);
/** A picture so small shows whether it has a mask. */
const SAMPLE = 48;
const OPAQUE = 250;
const EDGE = 2;
/** A clip that cuts off less only trims; what a sample shows of a larger one is so inexact. */
const TRIMMED = 0.02;
const CLIP_TOLERANCE = 0.06;

/** Turns pdfium's blue-green-red into red-green-blue; grey becomes three equal ones. Alpha stays where it is one. */
function readBitmap(pdfium: Pdfium, bitmap: number): RawPixels | undefined {
  const { call } = pdfium;
  const format = call.FPDFBitmap_GetFormat(bitmap);
  const size = BYTES_PER_PIXEL[format];
  const [width, height] = [call.FPDFBitmap_GetWidth(bitmap), call.FPDFBitmap_GetHeight(bitmap)];
  if (size === undefined || width <= 0 || height <= 0) return undefined;
  const stride = call.FPDFBitmap_GetStride(bitmap);
  const source = pdfium.bytes();
  const buffer = call.FPDFBitmap_GetBuffer(bitmap);
  const channels = format === WITH_ALPHA ? 4 : 3;
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

const withBitmap = (pdfium: Pdfium, bitmap: number): RawPixels | undefined => {
  if (bitmap === 0) return undefined;
  try {
    return readBitmap(pdfium, bitmap);
  } finally {
    pdfium.call.FPDFBitmap_Destroy(bitmap);
  }
};

/** The picture with its masks at a size, transparent where they are: drawn by itself, on nothing. */
function drawMasked(page: PdfPage, image: number, width: number, height: number): RawPixels | undefined {
  const { pdfium, document, handle } = page;
  const { call } = pdfium;
  return withMemory(pdfium, 48, (scratch) => {
    if (call.FPDFPageObj_GetMatrix(image, scratch) === 0) return undefined;
    const values = [width, 0, 0, height, 0, 0];
    for (const [index, value] of values.entries()) pdfium.view().setFloat32(scratch + 24 + 4 * index, value, true);
    call.FPDFPageObj_SetMatrix(image, scratch + 24);
    try {
      return withBitmap(pdfium, call.FPDFImageObj_GetRenderedBitmap(document, handle, image));
    } finally {
      call.FPDFPageObj_SetMatrix(image, scratch);
    }
  });
}

/** pdfium tells of no mask: it shows in what a picture leaves free, beyond what its clip cuts off. */
function isMasked(page: PdfPage, image: number, { whole, box }: PlacedImage): boolean {
  const sample = drawMasked(page, image, SAMPLE, SAMPLE);
  if (sample === undefined || sample.channels !== 4) return false;
  const { width, height, data } = sample;
  let free = 0;
  // The outermost pixels may be blended with the outside.
  for (let y = EDGE; y < height - EDGE; y += 1) {
    for (let x = EDGE; x < width - EDGE; x += 1) {
      if ((data[4 * (y * width + x) + 3] ?? 255) < OPAQUE) free += 1;
    }
  }
  const cut = 1 - area(box) / Math.max(area(whole), Number.MIN_VALUE);
  const share = free / Math.max((width - 2 * EDGE) * (height - 2 * EDGE), 1);
  return cut < TRIMMED ? free > 0 : share > cut + CLIP_TOLERANCE;
}

/** FPDF_IMAGEOBJ_METADATA: width, height, dpi twice, bits, then the colour space. */
function colourSpace({ pdfium, handle }: PdfPage, image: number): number {
  return withMemory(pdfium, 32, (scratch) => {
    if (pdfium.call.FPDFImageObj_GetImageMetadata(image, handle, scratch) === 0) return 0;
    return pdfium.view().getInt32(scratch + 20, true);
  });
}

const ascii = new TextDecoder("latin1");

/** The file of a plain JPEG, as every viewer shows it: grey or three colours, upright, nothing else around it. */
function plainJpeg(page: PdfPage, image: number, { width, height }: PlacedImage): Uint8Array | undefined {
  const { pdfium } = page;
  const { call } = pdfium;
  if (call.FPDFImageObj_GetImageFilterCount(image) !== 1) return undefined;
  const filter = withMemory(pdfium, 32, (buffer) => {
    const bytes = Math.min(call.FPDFImageObj_GetImageFilter(image, 0, buffer, 32), 32);
    return ascii.decode(pdfium.bytes().slice(buffer, buffer + Math.max(bytes - 1, 0)));
  });
  if ((filter !== "DCTDecode" && filter !== "DCT") || !PLAIN_COLOURS.has(colourSpace(page, image))) return undefined;
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
 * The picture at its native pixels, in the way up in which it is stored: its JPEG file where that says it all, else its
 * pixels, with alpha where it has a mask. Undefined where pdfium cannot decode it.
 * @param leastPixels along the longer side for a picture whose mask is finer than itself
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
  const raw = withBitmap(pdfium, pdfium.call.FPDFImageObj_GetBitmap(image));
  return raw === undefined ? undefined : { raw };
}
