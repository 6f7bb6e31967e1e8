/** Cuts lines out of a picture, level and of one height. */
import { type AffineMap, resample } from "../../../../engine/imaging/affine.ts";
import type { GrayImage } from "../../../../engine/imaging/gray-image.ts";
import type { TiltedBox } from "./tilted-box.ts";

/** Height of the lines that the network was trained with. */
export const CROP_HEIGHT = 48;
/** Width of the longest line; longer ones are squeezed. */
const MAX_CROP_WIDTH = 3200;

export interface LineCrop {
  gray: GrayImage;
  /** From its pixels to those of the picture. */
  toPicture: AffineMap;
}

/** Cuts a line out. */
export function cropLine(gray: GrayImage, { x, y, width, height, angle }: TiltedBox): LineCrop {
  const across = Math.min(Math.max(Math.round((width * CROP_HEIGHT) / height), 1), MAX_CROP_WIDTH);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const [stepX, stepY] = [width / across, height / CROP_HEIGHT];
  const [a, b, c, d] = [cosine * stepX, sine * stepX, -sine * stepY, cosine * stepY];
  const e = x - (a * across + c * CROP_HEIGHT) / 2;
  const f = y - (b * across + d * CROP_HEIGHT) / 2;
  const toPicture = { a, b, c, d, e, f };
  return { gray: resample(gray, across, CROP_HEIGHT, toPicture), toPicture };
}
