/** Where ink begins. */
import { type Gray, histogramOf, WHITE } from "./gray.ts";

/** How far from ink to white the soft edge of ink reaches: hairlines of less than a pixel are no darker. */
const SOFTNESS = 0.4;
/** Ink and paper closer to each other than this are one thing: a blank page's grain. */
const LEAST_CONTRAST = 40;

/**
 * Pixels below it are ink: the value that parts the picture's pixels into two classes as different as possible (Otsu,
 * "A threshold selection method from gray-level histograms", 1979). 0, so that nothing is ink, for a blank picture.
 */
export function inkThreshold(gray: Gray): number {
  const counts = histogramOf(gray, gray.pixels.length > 100_000 ? 3 : 1);
  let total = 0;
  let sum = 0;
  for (const [value, count] of counts.entries()) {
    total += count;
    sum += value * count;
  }
  let [best, threshold, contrast] = [0, 0, 0];
  let [below, belowSum] = [0, 0];
  for (const [value, count] of counts.entries()) {
    below += count;
    belowSum += value * count;
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const difference = (sum - belowSum) / above - belowSum / below;
    const between = below * above * difference * difference;
    if (between > best) [best, threshold, contrast] = [between, value + 1, difference];
  }
  return contrast < LEAST_CONTRAST ? 0 : threshold;
}

/**
 * Pixels below it are ink or its soft edges: what is drawn is whole then, also in faint hairlines. Never so high that
 * grain makes more of it than there is ink.
 * @param threshold inkThreshold of the picture
 */
export function softThreshold(gray: Gray, threshold: number): number {
  if (threshold === 0) return 0;
  const counts = histogramOf(gray, 3);
  let ink = 0;
  for (let value = 0; value < threshold; value += 1) ink += counts[value] ?? 0;
  const most = Math.round(threshold + SOFTNESS * (WHITE - threshold));
  let soft = ink;
  for (let value = threshold; value < most; value += 1) {
    soft += counts[value] ?? 0;
    if (soft > 2 * ink) return value;
  }
  return most;
}
