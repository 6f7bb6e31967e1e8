/** Thresholds of ink. */
import { type GrayImage, histogramOf, WHITE } from "./gray-image.ts";
import { measureTiles } from "./tiles.ts";

/**
 * Share of the way from ink to white that the soft edge of ink reaches: hairlines of less than a pixel are no darker.
 */
const SOFT_EDGE_SHARE = 0.4;
/**
 * Threshold of ink: the value that parts the pixels into two classes as different as possible (Otsu, "A threshold
 * selection method from gray-level histograms", 1979), the middle one where several do. 0, so that nothing is ink, for
 * a blank picture.
 * @param gray its paper white
 * @param dpi pixels per inch
 * @param tiles of the picture; those without ink do not count, as grain would outweigh the ink of a page with little
 */
export function inkThreshold(gray: GrayImage, dpi: number, tiles = measureTiles(gray, dpi)): number {
  const counts = tiles.inkyCounts;
  let total = 0;
  let sum = 0;
  for (const [value, count] of counts.entries()) {
    total += count;
    sum += value * count;
  }
  let [best, first, last] = [0, 0, 0];
  let [below, belowSum] = [0, 0];
  for (const [value, count] of counts.entries()) {
    below += count;
    belowSum += value * count;
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const difference = (sum - belowSum) / above - belowSum / below;
    const between = below * above * difference * difference;
    if (between > best) [best, first] = [between, value];
    if (between === best) last = value;
  }
  return best === 0 ? 0 : Math.round((first + last) / 2) + 1;
}

/**
 * Threshold of ink with its soft edges, which makes drawn things whole, also faint hairlines. Never so high that grain
 * makes more of it than there is ink.
 * @param threshold inkThreshold of the picture
 */
export function softThreshold(gray: GrayImage, threshold: number): number {
  if (threshold === 0) return 0;
  const counts = histogramOf(gray, 3);
  let ink = 0;
  for (let value = 0; value < threshold; value += 1) ink += counts[value] ?? 0;
  const most = Math.round(threshold + SOFT_EDGE_SHARE * (WHITE - threshold));
  let soft = ink;
  for (let value = threshold; value < most; value += 1) {
    soft += counts[value] ?? 0;
    if (soft > 2 * ink) return value;
  }
  return most;
}
