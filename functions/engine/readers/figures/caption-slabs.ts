/** Parts a drawing by the captions that stand side by side below or above it. Points as shown. */
import type { Box } from "../../../ports/layout.ts";
import { middleX, overlapExtents } from "../../layout/geometry.ts";
import type { PathShape } from "../pdf/path-shapes.ts";

/** Distance of a caption from a drawing that it may be about: as far as captions are attached. */
const MAX_CAPTION_GAP_POINTS = 43;
/** Empty space between figures side by side. */
const MIN_PARTING_GAP_POINTS = 1;

/**
 * The ranges of a drawing from left to right, one for each caption below or above it, with nothing drawn where they meet;
 * one range where that is not so.
 */
export function slabsOf(
  core: Box,
  shapes: readonly Pick<PathShape, "box">[],
  captions: readonly Box[],
): { left: number; right: number }[] {
  const own = captions.filter((caption) => {
    const { across, down } = overlapExtents(caption, core);
    return across > 0 && down >= -MAX_CAPTION_GAP_POINTS;
  });
  const [first, ...others] = own.sort((a, b) => a.left - b.left);
  const cuts: number[] = [];
  let before = first;
  for (const caption of others) {
    const isBeside = before !== undefined && overlapExtents(before, caption).down > 0;
    const cut = before !== undefined && isBeside ? emptyAt(shapes, middleX(before), middleX(caption)) : undefined;
    if (cut === undefined) return [{ left: -Infinity, right: Infinity }];
    cuts.push(cut);
    before = caption;
  }
  const edges = [-Infinity, ...cuts, Infinity];
  return edges.slice(1).map((right, at) => ({ left: edges[at] ?? -Infinity, right }));
}

/** The middle of the widest range from left to right without a shape. */
function emptyAt(shapes: readonly Pick<PathShape, "box">[], from: number, to: number): number | undefined {
  let reached = from;
  let widest = { gap: MIN_PARTING_GAP_POINTS, at: -1 };
  const ends = { box: { left: to, right: to } };
  const inOrder = [...shapes].sort((a, b) => a.box.left - b.box.left);
  for (const { box } of [...inOrder, ends]) {
    const start = Math.min(box.left, to);
    if (start - reached > widest.gap) widest = { gap: start - reached, at: (start + reached) / 2 };
    reached = Math.max(reached, box.right);
  }
  return widest.at < 0 ? undefined : widest.at;
}
