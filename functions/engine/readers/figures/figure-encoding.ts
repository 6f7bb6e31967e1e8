/** Encodes figures as files: JPEGs as they are, everything else as PNG, or as JPEG where that would be too large. */
import sharp, { type Sharp } from "sharp";
import type { Figure } from "../../structure/figures/figure.ts";
import { FIGURE_LIMITS } from "../../structure/figures/figure.ts";

export type EncodedFigure = Pick<Figure, "width" | "height" | "mimeType" | "bytes">;

/** Turns that bring a stored picture upright as shown: mirrored sideways first, then turned clockwise. */
export interface UprightTurn {
  mirrored: boolean;
  degrees: 0 | 90 | 180 | 270;
  /** Clip, in shares of the picture as shown. */
  crop?: { left: number; top: number; right: number; bottom: number };
}

const AS_STORED: UprightTurn = { mirrored: false, degrees: 0 };

/** Bytes of a PNG; a larger one is a photograph. */
const MAX_PNG_BYTES = 4_000_000;
const JPEG_QUALITY = 90;
const SAMPLE_SIDE_PIXELS = 24;
/** Levels between the lightest and the darkest pixel of a blank picture. */
const MAX_BLANK_CONTRAST_LEVELS = 6;
const MAX_DECODED_PIXELS = 120_000_000;

const openPicture = (file: Uint8Array): Sharp => sharp(file, { limitInputPixels: MAX_DECODED_PIXELS, failOn: "error" });

/** True if all of it is one colour. */
async function isBlank(pixels: Sharp): Promise<boolean> {
  const small = await pixels
    .resize(SAMPLE_SIDE_PIXELS, SAMPLE_SIDE_PIXELS, { fit: "fill" })
    .removeAlpha()
    .raw()
    .toBuffer();
  let [least, most] = [255, 0];
  for (const value of small) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return most - least <= MAX_BLANK_CONTRAST_LEVELS;
}

/** Turns, mirrors and crops in steps, as sharp does these in an order of its own. */
async function turn(pixels: Sharp, { mirrored, degrees, crop }: UprightTurn): Promise<Sharp> {
  let turned = mirrored ? pixels.flop() : pixels;
  if (degrees !== 0) {
    const { data, info } = await turned.raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    turned = sharp(data, { raw: { width, height, channels } }).rotate(degrees);
  }
  if (crop === undefined) return turned;
  const { data, info } = await turned.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const left = Math.min(Math.round(crop.left * width), width - 1);
  const top = Math.min(Math.round(crop.top * height), height - 1);
  const right = Math.min(Math.max(Math.round(crop.right * width), left + 1), width);
  const bottom = Math.min(Math.max(Math.round(crop.bottom * height), top + 1), height);
  return sharp(data, { raw: { width, height, channels } }).extract({
    left,
    top,
    width: right - left,
    height: bottom - top,
  });
}

async function encodeUnlessBlank(pixels: Sharp): Promise<EncodedFigure | undefined> {
  const { data, info } = await pixels.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const raw = (): Sharp => sharp(data, { raw: { width, height, channels } });
  if (await isBlank(raw())) return undefined;
  const scale = Math.sqrt(FIGURE_LIMITS.pixelsEach / (width * height));
  const sized = (): Sharp => (scale < 1 ? raw().resize({ width: Math.max(Math.floor(width * scale), 1) }) : raw());
  const png = await sized().png({ compressionLevel: 6 }).toBuffer({ resolveWithObject: true });
  if (png.data.length <= MAX_PNG_BYTES)
    return { width: png.info.width, height: png.info.height, mimeType: "image/png", bytes: png.data };
  const jpeg = await sized().jpeg({ quality: JPEG_QUALITY }).toBuffer();
  return { width: png.info.width, height: png.info.height, mimeType: "image/jpeg", bytes: jpeg };
}

/** Encodes pixels, on white; undefined for pixels of one colour, or broken ones. */
export async function encodePixels(
  raw: { width: number; height: number; channels: 3 | 4; data: Uint8Array },
  upright: UprightTurn = AS_STORED,
): Promise<EncodedFigure | undefined> {
  const { data, ...size } = raw;
  const onWhite = sharp(data, { raw: size }).flatten({ background: "white" }).toColourspace("srgb");
  return encodeUnlessBlank(await turn(onWhite, upright));
}

/**
 * A picture's file as it is where every viewer shows it, else as a PNG or JPEG; undefined for blank and broken ones.
 */
export async function encodeFile(
  file: Uint8Array,
  upright: UprightTurn = AS_STORED,
): Promise<EncodedFigure | undefined> {
  try {
    const { width, height, format, channels, orientation } = await openPicture(file).metadata();
    const plain = (format === "jpeg" && channels <= 3) || format === "png";
    const asIs = upright.degrees === 0 && !upright.mirrored && upright.crop === undefined && (orientation ?? 1) === 1;
    if (plain && asIs && width * height <= FIGURE_LIMITS.pixelsEach) {
      if (await isBlank(openPicture(file).flatten({ background: "white" }))) return undefined;
      return { width, height, mimeType: format === "png" ? "image/png" : "image/jpeg", bytes: file };
    }
    const pixels = openPicture(file).autoOrient().flatten({ background: "white" }).toColourspace("srgb");
    return await encodeUnlessBlank(await turn(pixels, upright));
  } catch {
    return undefined;
  }
}
