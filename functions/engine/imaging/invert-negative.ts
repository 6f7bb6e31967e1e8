/** Inverts pictures with light type on a dark ground, such as screenshots. */
import { histogramQuantile } from "../layout/geometry.ts";
import { type GrayImage, histogramOf, WHITE } from "./gray-image.ts";

/** Median gray below which a ground is dark. */
const DARK_GROUND_GRAY = 128;
/** Gray levels between type and its ground. */
const MIN_CONTRAST_LEVELS = 60;
/**
 * Factor by which light must stand out further than dark: a page that is only badly lit has its type on the other side.
 */
const MIN_LIGHT_TO_DARK_RATIO = 2;
/** Share of a page's pixels that a few letters cover. */
const FEW_LETTERS_SHARE = 0.002;

/**
 * Returns dark type on light ground: the picture itself, or its negative where it is mostly a dark ground with light on
 * it.
 */
export function darkOnLight(gray: GrayImage): GrayImage {
  const counts = histogramOf(gray, 7);
  const ground = histogramQuantile(counts, 0.5);
  if (ground >= DARK_GROUND_GRAY) return gray;
  const [dark, light] = [
    histogramQuantile(counts, FEW_LETTERS_SHARE),
    histogramQuantile(counts, 1 - FEW_LETTERS_SHARE),
  ];
  if (light - ground < Math.max(MIN_CONTRAST_LEVELS, MIN_LIGHT_TO_DARK_RATIO * (ground - dark))) return gray;
  return { ...gray, pixels: gray.pixels.map((value) => WHITE - value) };
}
