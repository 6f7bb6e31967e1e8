/** Adds figures that were seen on a page's picture to its blocks. */
import type { Block, Box, Page } from "../../../ports/layout.ts";
import { containsMiddle, overlapShare, unionBox } from "../../layout/geometry.ts";
import { isLikelyText } from "../../layout/likely-text.ts";
import { insertByPlace, keepLines, SAME_PLACE_OVERLAP_SHARE } from "../../layout/word-places.ts";

/**
 * Parts figures into those that are among the blocks, widened to their seen size where they have lines, and new ones.
 */
function matchFigures(blocks: readonly Block[], figures: readonly Box[]): { known: Block[]; fresh: Block[] } {
  const isSame = (block: Block, box: Box): boolean =>
    block.kind === "figure" && overlapShare(block.box, box) >= SAME_PLACE_OVERLAP_SHARE;
  const known = blocks.map((block): Block => {
    const seen =
      block.kind === "figure" && block.lines.length > 0 ? figures.find((box) => isSame(block, box)) : undefined;
    return seen === undefined ? block : { ...block, box: unionBox([block.box, seen]) };
  });
  const fresh = figures
    .filter((box) => !known.some((block) => isSame(block, box)))
    .map((box): Block => ({ kind: "figure", box, lines: [] }));
  return { known, fresh };
}

/**
 * Adds the figures of its picture to a recognised page, each in its place in reading order. Lines in a figure that are
 * more likely specks of it are dropped, as they are beside a text layer; lines of pages with form fields stay.
 */
export function withFigures(page: Page, figures: readonly Box[] = []): Page {
  if (figures.length === 0) return page;
  const { known, fresh } = matchFigures(page.blocks, figures);
  const isIn = (box: Box): boolean => figures.some((figure) => containsMiddle(figure, box));
  const kept = page.fields === undefined ? keepLines(known, (line) => isLikelyText(line) || !isIn(line.box)) : known;
  return { ...page, blocks: insertByPlace(kept, fresh) };
}
