/** Draws pictures of a document's pages: to show, to recognise text in, to send to a service. */
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp, { type Sharp } from "sharp";
import { JOB_SENTENCES, JobFailure, NotFound } from "../../ports/errors.ts";
import { describeType, IMAGE_TYPES, PDF } from "../../ports/media-types.ts";
import type { OcrFrame, OcrStrip } from "../../ports/ocr.ts";
import type { ImagePage } from "../imaging/headers/image-page.ts";
import { type PictureLimits, planStrips } from "../imaging/page-strips.ts";
import { openImage } from "./images/image-document.ts";
import { imageFrame } from "./images/image-frame.ts";
import { imagePixels, nativeDpi } from "./images/image-pixels.ts";
import { drawPart } from "./pdf/draw-page.ts";
import { withPdf } from "./pdf/pdf-document.ts";

export interface PictureOptions {
  /** Pixels per inch of the page as shown. */
  dpi: number;
  format: "png" | "jpeg";
  /** At most 20 million, which is also the default: A3 at 300 dpi is 17 million. */
  maxPixels?: number;
  /** Pixels along a side: at most 20,000, which is also the default. */
  maxSide?: number;
  maxBytes?: number;
  gray?: boolean;
  /** Strip of a page that is too long for one picture, by its index, from 0; absent: the whole page, however small. */
  strip?: { index: number; limits: PictureLimits };
}

export interface PagePicture {
  bytes: Uint8Array;
  format: "png" | "jpeg";
  /** Pixels. */
  width: number;
  height: number;
  /** Frame of the shown part. */
  frame: OcrFrame;
  /** Strip of the page; absent: all of it. */
  strip?: OcrStrip;
}

const POINTS_PER_INCH = 72;
const MAX_PIXELS = 20_000_000;
/** Pixels along a side, however narrow the page: decoders have limits there, JPEG's is 65,535. */
const MAX_SIDE_PIXELS = 20_000;

const JPEG_QUALITY = 85;
/** A picture with too many bytes is shrunk this many times; the last has less than a hundredth of the pixels. */
const MAX_SHRINK_ATTEMPTS = 8;

const PAGE_ROTATIONS = [0, 90, 180, 270] as const;

interface Size {
  width: number;
  height: number;
}

/** Part of a page that is drawn. */
interface PagePart {
  frame: OcrFrame;
  strip?: OcrStrip;
}

interface DrawingOptions {
  dpi: number;
  gray: boolean;
  maxPixels: number;
  maxSide: number;
  strip: PictureOptions["strip"];
}

/** A page, or a strip of it, that can be drawn at any size. */
interface ScalableDrawing extends PagePart {
  size: Size;
  at(size: Size): Sharp;
}

/** Inches, rounded as in the layout: to a tenth of a thousandth. */
const toInches = (points: number): number => Math.max(Math.round((points / POINTS_PER_INCH) * 10_000) / 10_000, 0.0001);

/** Size of a page in pixels at a resolution, or at the highest one within the limits. */
function sizeAt({ width, height }: OcrFrame, dpi: number, { maxPixels, maxSide }: DrawingOptions): Size {
  const most = Math.min(Math.sqrt(maxPixels / (width * height)), maxSide / Math.max(width, height), dpi);
  return { width: Math.max(Math.floor(width * most + 0.5), 1), height: Math.max(Math.floor(height * most + 0.5), 1) };
}

/** The part of the page to draw. @throws NotFound for a strip that the page is not cut into */
function partOf(page: OcrFrame, dpi: number, { strip }: DrawingOptions): PagePart {
  if (strip === undefined) return { frame: page };
  const strips = planStrips(page, dpi, strip.limits);
  const chosen = strips[strip.index];
  if (chosen !== undefined) return { frame: chosen.frame, strip: chosen.place };
  if (strips.length === 0 && strip.index === 0) return { frame: page };
  throw new NotFound(`The page has no strip ${strip.index}`);
}

const noSuchPage = (pageCount: number, index: number): NotFound =>
  new NotFound(`The document has ${pageCount} pages; there is none at index ${index}`);

/**
 * Luma of opaque pixels (ITU-R BT.709, 3.2), in whole 256ths; libvips converts through linear light, which takes longer
 * than drawing.
 */
function toLuma(rgba: Uint8Array): Uint8Array {
  const luma = new Uint8Array(rgba.length / 4);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel += 1, at += 4) {
    luma[pixel] = ((rgba[at] ?? 0) * 54 + (rgba[at + 1] ?? 0) * 183 + (rgba[at + 2] ?? 0) * 19) >> 8;
  }
  return luma;
}

const drawPdf = (bytes: Uint8Array, index: number, options: DrawingOptions): Promise<ScalableDrawing> =>
  withPdf(bytes, (document): ScalableDrawing => {
    const { dpi, gray } = options;
    if (!Number.isInteger(index) || index < 0 || index >= document.pageCount) {
      throw noSuchPage(document.pageCount, index);
    }
    return document.withPage(index, (page) => {
      const rotation = PAGE_ROTATIONS.find((turn) => turn === page.rotation) ?? 0;
      const whole: OcrFrame = { width: toInches(page.width), height: toInches(page.height), rotation };
      const part = partOf(whole, dpi, options);
      const { frame, strip: { left, top } = { left: 0, top: 0 } } = part;
      const wished = sizeAt(frame, dpi, options);
      const box = {
        left: left * POINTS_PER_INCH,
        top: top * POINTS_PER_INCH,
        right: part.strip === undefined ? page.width : (left + frame.width) * POINTS_PER_INCH,
        bottom: part.strip === undefined ? page.height : (top + frame.height) * POINTS_PER_INCH,
      };
      const { data, ...size } = drawPart(page, box, Math.min(dpi, wished.width / frame.width));
      const [width, height] = [size.width, size.height];
      const raw = gray ? { width, height, channels: 1 as const } : { width, height, channels: 4 as const };
      const pixels = gray ? toLuma(data) : data;
      return {
        ...part,
        // Rounding may add a pixel.
        size: { width: Math.min(width, options.maxSide), height: Math.min(height, options.maxSide) },
        at: (wanted) => {
          const drawn = sharp(pixels, { raw }).resize(wanted.width, wanted.height, { fit: "fill" });
          return gray ? drawn.toColourspace("b-w") : drawn.removeAlpha();
        },
      };
    });
  });

function drawImage(bytes: Uint8Array, mimeType: string, index: number, options: DrawingOptions): ScalableDrawing {
  const { pages, pageCount } = openImage(bytes, mimeType);
  const page = pages[index];
  if (page === undefined) throw noSuchPage(pageCount, index);
  const whole = imageFrame(page);
  const dpi = Math.min(options.dpi, nativeDpi(page));
  const part = partOf(whole, dpi, options);
  const { frame, strip } = part;
  return {
    ...part,
    size: sizeAt(frame, dpi, options),
    at: (size) => {
      const drawn =
        strip === undefined
          ? imagePixels(bytes, page, size.width, size.height)
          : stripPixels(bytes, page, strip, frame, size);
      return options.gray ? drawn.grayscale().toColourspace("b-w") : drawn;
    },
  };
}

/** A strip of an image's page, extracted from all of it at the strip's resolution. */
function stripPixels(bytes: Uint8Array, page: ImagePage, strip: OcrStrip, frame: OcrFrame, size: Size): Sharp {
  const [across, down] = [size.width / frame.width, size.height / frame.height];
  const width = Math.max(Math.round(strip.page.width * across), size.width);
  const height = Math.max(Math.round(strip.page.height * down), size.height);
  const left = Math.min(Math.round(strip.left * across), width - size.width);
  const top = Math.min(Math.round(strip.top * down), height - size.height);
  return imagePixels(bytes, page, width, height).extract({ left, top, ...size });
}

/** Encodes pixels. @throws JobFailure (corrupted) for damaged pixels */
async function encodePixels(pixels: Sharp, format: "png" | "jpeg"): Promise<Uint8Array> {
  try {
    return await (format === "png"
      ? pixels.png({ compressionLevel: 6 })
      : pixels.jpeg({ quality: JPEG_QUALITY, chromaSubsampling: "4:4:4" })
    ).toBuffer();
  } catch (cause) {
    throw new JobFailure(JOB_SENTENCES.corrupted, { cause });
  }
}

/** Encodes in the wanted format; else as JPEG; else smaller and smaller. @throws JobFailure */
async function encodeWithin(drawing: ScalableDrawing, { format, maxBytes = Infinity }: PictureOptions) {
  let { size } = drawing;
  let tried = format;
  let bytes = await encodePixels(drawing.at(size), tried);
  for (let attempt = 0; bytes.length > maxBytes && attempt < MAX_SHRINK_ATTEMPTS; attempt += 1) {
    if (tried === "jpeg") {
      const scale = 0.9 * Math.min(Math.sqrt(maxBytes / bytes.length), 1);
      size = {
        width: Math.max(Math.round(size.width * scale), 1),
        height: Math.max(Math.round(size.height * scale), 1),
      };
    }
    tried = "jpeg";
    bytes = await encodePixels(drawing.at(size), tried);
  }
  if (bytes.length > maxBytes) throw new JobFailure("Processing failed: A page's picture has too many bytes");
  return { bytes, format: tried, ...size };
}

/**
 * Draws a page of a PDF or image as it is shown. A page that would have too many pixels at the wanted resolution is
 * drawn at the highest one within the limits. Pages of images are never enlarged; their pixels are made square. A
 * picture of more than `maxBytes` becomes a JPEG, and a smaller one where needed.
 * @param pageIndex from 0
 * @throws NotFound for a page that does not exist, also for types without page images; JobFailure: corrupted, password
 * protected, an image with too many pages or pixels, a picture that cannot be encoded in so few bytes
 */
export async function pagePicture(
  bytes: Uint8Array,
  mimeType: string,
  pageIndex: number,
  options: PictureOptions,
): Promise<PagePicture> {
  const drawingOptions: DrawingOptions = {
    dpi: options.dpi,
    gray: options.gray ?? false,
    maxPixels: Math.min(options.maxPixels ?? MAX_PIXELS, MAX_PIXELS),
    maxSide: Math.min(options.maxSide ?? MAX_SIDE_PIXELS, MAX_SIDE_PIXELS),
    strip: options.strip,
  };
  let drawing: ScalableDrawing;
  if (mimeType === PDF) drawing = await drawPdf(bytes, pageIndex, drawingOptions);
  else if (IMAGE_TYPES.has(mimeType)) drawing = drawImage(bytes, mimeType, pageIndex, drawingOptions);
  else throw new NotFound(`The document is ${describeType(mimeType)}, which has no page images`);
  const { frame, strip } = drawing;
  return { ...(await encodeWithin(drawing, options)), frame, ...(strip === undefined ? {} : { strip }) };
}

/** Length of a PDF page (PDF 32000-1, annex C: 14,400 units). */
const MAX_PAGE_INCHES = 200;

/**
 * Writes one PDF with a picture a page, at the size of its frame, shrunk to the longest page allowed. Holds the JPEGs
 * and the growing PDF, so that pictures may be drawn one at a time; a PNG becomes a JPEG.
 * @param longest inches along a side of a page: at most 200, which is also the default
 * @throws JobFailure (corrupted) for a damaged PNG
 */
export async function picturesPdf(
  pictures: Iterable<PagePicture> | AsyncIterable<PagePicture>,
  longest = MAX_PAGE_INCHES,
): Promise<Uint8Array> {
  const most = Math.min(longest, MAX_PAGE_INCHES);
  const document = await PDFDocument.create({ updateMetadata: false });
  for await (const { bytes, format, frame } of pictures) {
    const jpeg = format === "jpeg" ? bytes : await encodePixels(sharp(bytes), "jpeg");
    const image = await document.embedJpg(jpeg);
    const scale = POINTS_PER_INCH * Math.min(1, most / Math.max(frame.width, frame.height));
    const [width, height] = [frame.width * scale, frame.height * scale];
    document.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height });
  }
  return document.save();
}
