/** Pictures with light type on a dark ground, as screens show them. */
import { histogramQuantile } from "../layout/geometry.ts";
import { type Gray, histogramOf, WHITE } from "./gray-image.ts";

/** Most of a dark ground is darker than the middle gray. */
const DARK = 128;
/** Type and its ground are so far apart. */
const LEAST_CONTRAST = 60;
/** A page that is only badly lit has its type on the other side: light must stand out so many times further than dark. */
const FURTHER = 2;
/** A few letters on a page are no more of its pixels. */
const FEW = 0.002;

/** Dark type on light ground: the picture itself, or its negative where it is mostly a dark ground with light on it. */
export function darkOnLight(gray: Gray): Gray {
  const counts = histogramOf(gray, 7);
  const ground = histogramQuantile(counts, 0.5);
  if (ground >= DARK) return gray;
  const [dark, light] = [histogramQuantile(counts, FEW), histogramQuantile(counts, 1 - FEW)];
  if (light - ground < Math.max(LEAST_CONTRAST, FURTHER * (ground - dark))) return gray;
  return { ...gray, pixels: gray.pixels.map((value) => WHITE - value) };
}
