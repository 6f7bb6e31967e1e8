/** Tables in recognised text, for engines that give words and lines only. */
import type { Box, Line, Page, TableBlock, Word } from "../../ports/layout.ts";
import type { OcrDrawing } from "../../ports/ocr.ts";
import { containsMiddle, middleX, unionBox } from "../layout/geometry.ts";
import { pageWords } from "../layout/page-words.ts";
import { tableBlocks } from "../structure/tables/find-tables.ts";
import { arrangeAround } from "../structure/tables/table-order.ts";
import type { Drawing, Rule } from "../structure/tables/table-parts.ts";
import { insertByPlace } from "./merge/word-places.ts";

const NOTHING_DRAWN: OcrDrawing = { rules: [], bars: [] };
const POINTS_PER_INCH = 72;
/** Of the height of a line's box, where no size of type is known: what stands below the baseline. */
const BELOW = 0.2;

function place(line: Line) {
  const height = line.box.bottom - line.box.top;
  const points = line.words.find(({ fontSize }) => fontSize !== undefined)?.fontSize;
  const size = points === undefined ? height : points / POINTS_PER_INCH;
  return { line, box: line.box, size, baseline: line.box.bottom - BELOW * height };
}

/** Gray of a bar, of which only the picture knows how dark it was. */
const BAR_SHADE = 0.5;

/** Inches: a line that ends so near to a bar ends at it. */
const REACH = 0.06;
/** Of a word's height: words of one heading are no further apart. */
const ONE_HEADING = 0.6;

/** Whether an upright line would cut a word, or part two of one heading. */
function cuts(at: number, words: readonly Word[]): boolean {
  let [before, behind, height] = [-Infinity, Infinity, 0];
  for (const { box } of words) {
    height = Math.max(height, box.bottom - box.top);
    if (middleX(box) <= at) before = Math.max(before, box.right);
    else behind = Math.min(behind, box.left);
  }
  return before > at || behind < at || behind - before < ONE_HEADING * height;
}

/** Lines between the columns below a bar, as if they were drawn on it: unless its type is a title over several of them. */
function linesOn(bar: Box, uprights: readonly Rule[], words: readonly Word[]): Rule[] {
  const own = words.filter(({ box }) => containsMiddle(bar, box));
  const below = uprights.filter(
    ({ at, from }) => Math.abs(from - bar.bottom) <= REACH && at > bar.left + REACH && at < bar.right - REACH,
  );
  return below.some(({ at }) => cuts(at, own)) ? [] : below.map(({ at }) => ({ at, from: bar.top, to: bar.bottom }));
}

/** Lines and bars as tables are found in them: a bar's edges part it from what is around it. */
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
 * The page with the tables that its words form, and the lines drawn around them. Only where its blocks are told apart by
 * nobody yet: an engine that knows tables, lists or headers has looked at more than lines.
 * @param drawn in the frame of the page's text
 */
export function withTables(page: Page, drawn: OcrDrawing = NOTHING_DRAWN): Page {
  const lines = page.blocks.flatMap((block) => (block.kind === "paragraph" ? block.lines : []));
  const others = page.blocks.filter(({ kind }) => kind !== "paragraph");
  if (others.some(({ kind }) => kind !== "figure" && kind !== "barcode" && kind !== "note")) return page;
  const { tables, rest } = tableBlocks(lines, toDrawing(drawn, pageWords(page)));
  if (tables.length === 0) return page;
  const blocks = arrangeAround<ReturnType<typeof place>, TableBlock>(rest.map(place), tables).map((part) => {
    if ("table" in part) return part.table;
    const own = part.lines.map(({ line }) => line);
    return { kind: "paragraph" as const, box: unionBox(own.map(({ box }) => box)), lines: own };
  });
  const notes = others.filter(({ kind }) => kind === "note");
  const seen = others.filter(({ kind }) => kind !== "note");
  return { ...page, blocks: [...insertByPlace(blocks, seen), ...notes] };
}
