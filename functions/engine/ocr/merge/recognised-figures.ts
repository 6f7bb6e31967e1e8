/** Figures that were seen on a page's picture, among its blocks. */
import type { Block, Box, Page } from "../../../ports/layout.ts";
import { containsMiddle, overlapShare, unionBox } from "../../layout/geometry.ts";
import { isLikelyText } from "./likely-text.ts";
import { insertByPlace, keepLines, SAME_PLACE } from "./word-places.ts";

/** The blocks, those figures of an engine that have lines as large as they were seen; and what is not among them yet. */
function place(blocks: readonly Block[], figures: readonly Box[]): { known: Block[]; fresh: Block[] } {
  const isSame = (block: Block, box: Box): boolean =>
    block.kind === "figure" && overlapShare(block.box, box) >= SAME_PLACE;
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
 * A recognised page with the figures that its picture shows, each where it stands in reading order. What was read in
 * one and is more likely specks of it goes, as it does beside a text layer; words that a form's fields name stay.
 */
export function withFigures(page: Page, figures: readonly Box[] = []): Page {
  if (figures.length === 0) return page;
  const { known, fresh } = place(page.blocks, figures);
  const isIn = (box: Box): boolean => figures.some((figure) => containsMiddle(figure, box));
  const kept = page.fields === undefined ? keepLines(known, (line) => isLikelyText(line) || !isIn(line.box)) : known;
  return { ...page, blocks: insertByPlace(kept, fresh) };
}
