/** Finds tables in recognised text, for engines that give words and lines only. */

import type { Box, Line, Page, TableBlock, Word } from "../../ports/layout.ts";
import type { OcrDrawing } from "../../ports/ocr.ts";
import { containsMiddle, middleX, unionBox } from "../layout/geometry.ts";
import { pageWords } from "../layout/page-words.ts";
import { insertByPlace } from "../layout/word-places.ts";
import { tableBlocks } from "../structure/tables/find-tables.ts";
import { arrangeAround } from "../structure/tables/table-order.ts";
import type { Drawing, Rule } from "../structure/tables/table-parts.ts";

const NO_DRAWING: OcrDrawing = { rules: [], bars: [] };
const POINTS_PER_INCH = 72;
/** Share of a line's height below the baseline, where the size of its type is unknown. */
const DESCENDER_HEIGHT_SHARE = 0.2;

function placeLine(line: Line) {
  const height = line.box.bottom - line.box.top;
  const points = line.words.find(({ fontSize }) => fontSize !== undefined)?.fontSize;
  const size = points === undefined ? height : points / POINTS_PER_INCH;
  return { line, box: line.box, size, baseline: line.box.bottom - DESCENDER_HEIGHT_SHARE * height };
}

/** Shade of a bar, of which only the picture knows how dark it was. */
const BAR_SHADE = 0.5;

/** Distance within which a line that ends near a bar ends at it. */
const LINE_END_TOLERANCE_INCHES = 0.06;
/** Gap between words of one heading, in heights. */
const MAX_HEADING_GAP_HEIGHTS = 0.6;

/** True if an upright line would cut a word, or part two words of one heading. */
function cuts(at: number, words: readonly Word[]): boolean {
  let [before, behind, height] = [-Infinity, Infinity, 0];
  for (const { box } of words) {
    height = Math.max(height, box.bottom - box.top);
    if (middleX(box) <= at) before = Math.max(before, box.right);
    else behind = Math.min(behind, box.left);
  }
  return before > at || behind < at || behind - before < MAX_HEADING_GAP_HEIGHTS * height;
}

/** Lines on a bar that continue the column lines below it; none where they would cut a title over several columns. */
function linesOn(bar: Box, uprights: readonly Rule[], words: readonly Word[]): Rule[] {
  const own = words.filter(({ box }) => containsMiddle(bar, box));
  const below = uprights.filter(
    ({ at, from }) =>
      Math.abs(from - bar.bottom) <= LINE_END_TOLERANCE_INCHES &&
      at > bar.left + LINE_END_TOLERANCE_INCHES &&
      at < bar.right - LINE_END_TOLERANCE_INCHES,
  );
  return below.some(({ at }) => cuts(at, own)) ? [] : below.map(({ at }) => ({ at, from: bar.top, to: bar.bottom }));
}

/** Converts lines and bars to a drawing for the table finder: a bar's edges part it from its surroundings. */
function toDrawing({ rules, bars }: OcrDrawing, words: readonly Word[]): Drawing {
  const drawing: Record<"horizontal" | "vertical", Rule[]> = { horizontal: [], vertical: [] };
  for (const { left, top, right, bottom } of rules) {
    if (right - left >= bottom - top) drawing.horizontal.push({ at: (top + bottom) / 2, from: left, to: right });
    else drawing.vertical.push({ at: (left + right) / 2, from: top, to: bottom });
  }
  const uprights = [...drawing.vertical];
  for (const bar of bars) {
    const { left, top, right, bottom } = bar;
    drawing.vertical.push(...linesOn(bar, uprights, words));
    drawing.horizontal.push({ at: top, from: left, to: right }, { at: bottom, from: left, to: right });
    drawing.vertical.push({ at: left, from: top, to: bottom }, { at: right, from: top, to: bottom });
  }
  return { ...drawing, fills: bars.map((box) => ({ box, shade: BAR_SHADE })) };
}

/**
 * Adds the tables that the words of a page and the lines around them form. Only pages whose blocks are all paragraphs:
 * an engine that knows tables, lists or headers has examined more than lines.
 * @param drawn in the frame of the page's text
 */
export function withTables(page: Page, drawn: OcrDrawing = NO_DRAWING): Page {
  const lines = page.blocks.flatMap((block) => (block.kind === "paragraph" ? block.lines : []));
  const others = page.blocks.filter(({ kind }) => kind !== "paragraph");
  if (others.some(({ kind }) => kind !== "figure" && kind !== "barcode" && kind !== "note")) return page;
  const { tables, rest } = tableBlocks(lines, toDrawing(drawn, pageWords(page)));
  if (tables.length === 0) return page;
  const blocks = arrangeAround<ReturnType<typeof placeLine>, TableBlock>(rest.map(placeLine), tables).map((part) => {
    if ("table" in part) return part.table;
    const own = part.lines.map(({ line }) => line);
    return { kind: "paragraph" as const, box: unionBox(own.map(({ box }) => box)), lines: own };
  });
  const notes = others.filter(({ kind }) => kind === "note");
  const seen = others.filter(({ kind }) => kind !== "note");
  return { ...page, blocks: [...insertByPlace(blocks, seen), ...notes] };
}
