/** Cuts lines out of a picture, level and of one height. */
import { type AffineMap, compose, resample, scaling } from "../../../../engine/imaging/affine.ts";
import { type GrayImage, shrink } from "../../../../engine/imaging/gray-image.ts";
import type { TiltedBox } from "./tilted-box.ts";

/** Height of the lines that the network was trained with. */
export const CROP_HEIGHT = 48;
/** Width of the longest line; longer ones are squeezed. */
const MAX_CROP_WIDTH = 3200;
/** Factor by which a large line is sampled finer than the network needs it. */
const MAX_FINER = 4;

export interface LineCrop {
  gray: GrayImage;
  /** From its pixels to those of the picture. */
  toPicture: AffineMap;
}

/** Cuts a line out. */
export function cropLine(gray: GrayImage, { x, y, width, height, angle }: TiltedBox): LineCrop {
  const across = Math.min(Math.max(Math.round((width * CROP_HEIGHT) / height), 1), MAX_CROP_WIDTH);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  // Sampled finer first where the line is larger.
  const finer = Math.min(Math.max(Math.floor(height / CROP_HEIGHT), 1), MAX_FINER);
  const [columns, rows] = [across * finer, CROP_HEIGHT * finer];
  const [stepX, stepY] = [width / columns, height / rows];
  const [a, b, c, d] = [cosine * stepX, sine * stepX, -sine * stepY, cosine * stepY];
  const back = { a, b, c, d, e: x - (a * columns + c * rows) / 2, f: y - (b * columns + d * rows) / 2 };
  const sampled = resample(gray, columns, rows, back);
  return { gray: shrink(sampled, finer), toPicture: compose(back, scaling(finer, finer)) };
}
