/** Where ink begins. */
import { type Gray, histogramOf, WHITE } from "./gray-image.ts";
import { eachTile, gridOf } from "./tiles.ts";

/** How far from ink to white the soft edge of ink reaches: hairlines of less than a pixel are no darker. */
const SOFTNESS = 0.4;
/** Tiles so dark in the middle are bars or pictures: ink, though no paper is in them to tell it from. */
const DARK = 115;

/** The gray values of the tiles with ink in them; of a page with little ink, grain would outweigh it elsewhere. */
function inkyHistogram(gray: Gray, dpi: number): Uint32Array {
  const sum = new Uint32Array(256);
  eachTile(gray, gridOf(gray, dpi), ({ counts, hasInk, middle }) => {
    if (!hasInk && middle >= DARK) return;
    for (let value = 0; value < 256; value += 1) sum[value] = (sum[value] ?? 0) + (counts[value] ?? 0);
  });
  return sum;
}

/**
 * Pixels below it are ink: the value that parts the pixels into two classes as different as possible (Otsu, "A threshold
 * selection method from gray-level histograms", 1979), the middle one where several do. 0, so that nothing is ink, for
 * a blank picture.
 * @param gray its paper white
 * @param dpi pixels per inch
 */
export function inkThreshold(gray: Gray, dpi: number): number {
  const counts = inkyHistogram(gray, dpi);
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
