/** The largest room in a box that nothing stands in. */
import type { Box } from "../../../ports/layout.ts";

/** Obstacles that are looked at; a cell with more is a page of text. */
export const MAX_OBSTACLES = 40;

export interface RoomNeeds {
  /** Points. */
  minWidth: number;
  minHeight: number;
  /** Height from which more height is worth nothing: people write in lines. */
  enoughHeight: number;
}

/** The widest span of a band that no obstacle reaches into. */
function widestSpan(within: Box, obstacles: readonly Box[], top: number, bottom: number): [number, number] {
  const blocking = obstacles.filter((one) => one.top < bottom && one.bottom > top).sort((a, b) => a.left - b.left);
  let best: [number, number] = [within.left, within.left];
  let at = within.left;
  for (const { left, right } of blocking) {
    if (left - at > best[1] - best[0]) best = [at, left];
    at = Math.max(at, right);
  }
  return within.right - at > best[1] - best[0] ? [at, within.right] : best;
}

/**
 * Finds the room that holds most writing: the widest, and of equally wide ones the highest.
 * @param obstacles boxes that stand in `within`
 * @returns undefined for none of the size needed
 */
export function freeRoom(within: Box, obstacles: readonly Box[], needs: RoomNeeds): Box | undefined {
  if (obstacles.length > MAX_OBSTACLES) return undefined;
  const tops = [within.top, ...obstacles.map((one) => one.bottom)].filter((y) => y >= within.top);
  const bottoms = [within.bottom, ...obstacles.map((one) => one.top)].filter((y) => y <= within.bottom);
  let best: { box: Box; worth: number } | undefined;
  for (const top of tops) {
    for (const bottom of bottoms) {
      if (bottom - top < needs.minHeight) continue;
      const [left, right] = widestSpan(within, obstacles, top, bottom);
      if (right - left < needs.minWidth) continue;
      // The last term decides between rooms of the same width only.
      const worth = (right - left) * (Math.min(bottom - top, needs.enoughHeight) + 0.01 * (bottom - top));
      if (best === undefined || worth > best.worth) best = { box: { left, top, right, bottom }, worth };
    }
  }
  return best?.box;
}
