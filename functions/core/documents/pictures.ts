/** Pictures of a document's pages: to look at, to recognise text in, to send to a service. */
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp, { type Sharp } from "sharp";
import { JOB_SENTENCES, JobFailure, NotFound } from "../errors.ts";
import type { OcrFrame } from "../ocr/ports.ts";
import { openImage } from "./images/document.ts";
import { imageFrame } from "./images/frame.ts";
import { imagePixels, nativeDpi } from "./images/pixels.ts";
import { describeType, IMAGE_TYPES, PDF } from "./media-types.ts";
import { drawPart } from "./pdf/figure-pixels.ts";
import { withPdf } from "./pdf/reader.ts";

export interface PictureOptions {
  /** Pixels per inch of the page as shown. */
  dpi: number;
  format: "png" | "jpeg";
  /** At most 20 million, which is also the default: A3 at 300 dpi is 17 million. */
  maxPixels?: number;
  maxBytes?: number;
  gray?: boolean;
}

export interface PagePicture {
  bytes: Uint8Array;
  format: "png" | "jpeg";
  /** Pixels. */
  width: number;
  height: number;
  frame: OcrFrame;
}

const POINTS_PER_INCH = 72;
const MOST_PIXELS = 20_000_000;
/** No side is longer, however narrow the page: decoders have limits there, JPEG's is 65,535. */
const MOST_SIDE = 20_000;

const JPEG_QUALITY = 85;
/** A picture with too many bytes is made smaller so many times; the last has less than a hundredth of the pixels. */
const ATTEMPTS = 8;

const TURNS = [0, 90, 180, 270] as const;

interface Size {
  width: number;
  height: number;
}

interface Wish {
  dpi: number;
  gray: boolean;
}

/** A page that can be drawn at any size. */
interface Drawing {
  frame: OcrFrame;
  size: Size;
  at(size: Size): Sharp;
}

/** As the layout has them: to a tenth of a thousandth. */
const toInches = (points: number): number => Math.max(Math.round((points / POINTS_PER_INCH) * 10_000) / 10_000, 0.0001);

/** Pixels of a page at a resolution, or at the highest that stays within the limits. */
function sizeAt({ width, height }: OcrFrame, dpi: number, mostPixels: number): Size {
  const most = Math.min(Math.sqrt(mostPixels / (width * height)), MOST_SIDE / Math.max(width, height), dpi);
  return { width: Math.max(Math.floor(width * most + 0.5), 1), height: Math.max(Math.floor(height * most + 0.5), 1) };
}

const noSuchPage = (pageCount: number, index: number): NotFound =>
  new NotFound(`The document has ${pageCount} pages; there is none at index ${index}`);

/** Luma of opaque pixels (ITU-R BT.709, 3.2), as whole 256ths; libvips' way by linear light takes longer than drawing. */
function toLuma(rgba: Uint8Array): Uint8Array {
  const luma = new Uint8Array(rgba.length / 4);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel += 1, at += 4) {
    luma[pixel] = ((rgba[at] ?? 0) * 54 + (rgba[at + 1] ?? 0) * 183 + (rgba[at + 2] ?? 0) * 19) >> 8;
  }
  return luma;
}

const drawPdf = (bytes: Uint8Array, index: number, { dpi, gray }: Wish, mostPixels: number): Promise<Drawing> =>
  withPdf(bytes, (document): Drawing => {
    if (!Number.isInteger(index) || index < 0 || index >= document.pageCount) {
      throw noSuchPage(document.pageCount, index);
    }
    return document.withPage(index, (page) => {
      const rotation = TURNS.find((turn) => turn === page.rotation) ?? 0;
      const frame: OcrFrame = { width: toInches(page.width), height: toInches(page.height), rotation };
      const wished = sizeAt(frame, dpi, mostPixels);
      const whole = { left: 0, top: 0, right: page.width, bottom: page.height };
      const { data, ...size } = drawPart(page, whole, Math.min(dpi, wished.width / frame.width));
      const [width, height] = [size.width, size.height];
      const raw = gray ? { width, height, channels: 1 as const } : { width, height, channels: 4 as const };
      const pixels = gray ? toLuma(data) : data;
      return {
        frame,
        size: { width, height },
        at: (wanted) => {
          const drawn = sharp(pixels, { raw }).resize(wanted.width, wanted.height, { fit: "fill" });
          return gray ? drawn.toColourspace("b-w") : drawn.removeAlpha();
        },
      };
    });
  });

function drawImage(bytes: Uint8Array, mimeType: string, index: number, wish: Wish, mostPixels: number): Drawing {
  const { pages, pageCount } = openImage(bytes, mimeType);
  const page = pages[index];
  if (page === undefined) throw noSuchPage(pageCount, index);
  const frame = imageFrame(page);
  return {
    frame,
    size: sizeAt(frame, Math.min(wish.dpi, nativeDpi(page)), mostPixels),
    at: ({ width, height }) => {
      const drawn = imagePixels(bytes, page, width, height);
      return wish.gray ? drawn.grayscale().toColourspace("b-w") : drawn;
    },
  };
}

/** @throws JobFailure (corrupted) when the pixels are damaged */
async function write(pixels: Sharp, format: "png" | "jpeg"): Promise<Uint8Array> {
  try {
    return await (format === "png"
      ? pixels.png({ compressionLevel: 6 })
      : pixels.jpeg({ quality: JPEG_QUALITY, chromaSubsampling: "4:4:4" })
    ).toBuffer();
  } catch (cause) {
    throw new JobFailure(JOB_SENTENCES.corrupted, { cause });
  }
}

/** As wished; else as JPEG; else smaller and smaller. @throws JobFailure */
async function encodeWithin(drawing: Drawing, { format, maxBytes = Infinity }: PictureOptions) {
  let { size } = drawing;
  let tried = format;
  let bytes = await write(drawing.at(size), tried);
  for (let attempt = 0; bytes.length > maxBytes && attempt < ATTEMPTS; attempt += 1) {
    if (tried === "jpeg") {
      const scale = 0.9 * Math.min(Math.sqrt(maxBytes / bytes.length), 1);
      size = {
        width: Math.max(Math.round(size.width * scale), 1),
        height: Math.max(Math.round(size.height * scale), 1),
      };
    }
    tried = "jpeg";
    bytes = await write(drawing.at(size), tried);
  }
  if (bytes.length > maxBytes) throw new JobFailure("Processing failed: A page's picture has too many bytes");
  return { bytes, format: tried, ...size };
}

/**
 * Draws a page of a PDF or image as it is shown.
 *
 * A page that would have too many pixels at the wished resolution is drawn at the highest that has not. Pages of images
 * are made smaller but never larger than the file has them; their pixels are made square. A picture of more than
 * `maxBytes` becomes a JPEG, and if need be a smaller one.
 * @param pageIndex from 0
 * @throws NotFound when there is no such page, also for the types that have no page images; JobFailure: corrupted,
 * password protected, an image with too many pages or pixels, a picture that cannot have so few bytes
 */
export async function pagePicture(
  bytes: Uint8Array,
  mimeType: string,
  pageIndex: number,
  options: PictureOptions,
): Promise<PagePicture> {
  const mostPixels = Math.min(options.maxPixels ?? MOST_PIXELS, MOST_PIXELS);
  const wish = { dpi: options.dpi, gray: options.gray ?? false };
  let drawing: Drawing;
  if (mimeType === PDF) drawing = await drawPdf(bytes, pageIndex, wish, mostPixels);
  else if (IMAGE_TYPES.has(mimeType)) drawing = drawImage(bytes, mimeType, pageIndex, wish, mostPixels);
  else throw new NotFound(`The document is ${describeType(mimeType)}, which has no page images`);
  return { ...(await encodeWithin(drawing, options)), frame: drawing.frame };
}

/** A PDF page is at most so long (PDF 32000-1, annex C: 14,400 units). */
const LONGEST_PAGE = 200;

/**
 * One PDF with a picture a page, at the size of its frame (a page longer than 200 inches shrunk to that). Holds the
 * JPEGs and what is made of them, so that pictures may be drawn as they are asked for; a PNG becomes a JPEG.
 * @throws JobFailure (corrupted) when a PNG is damaged
 */
export async function picturesPdf(pictures: Iterable<PagePicture> | AsyncIterable<PagePicture>): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for await (const { bytes, format, frame } of pictures) {
    const jpeg = format === "jpeg" ? bytes : await write(sharp(bytes), "jpeg");
    const image = await document.embedJpg(jpeg);
    const scale = POINTS_PER_INCH * Math.min(1, LONGEST_PAGE / Math.max(frame.width, frame.height));
    const [width, height] = [frame.width * scale, frame.height * scale];
    document.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height });
  }
  return document.save();
}
