/** Tables in recognised text, for engines that give words and lines only. */
import { type Line, type Page, type TableBlock, unionBox } from "../documents/layout.ts";
import { tableBlocks } from "../documents/tables/find.ts";
import { arrangeAround } from "../documents/tables/order.ts";
import { insertByPlace } from "./merge/places.ts";

const POINTS_PER_INCH = 72;
/** Of the height of a line's box, where no size of type is known: what stands below the baseline. */
const BELOW = 0.2;

function place(line: Line) {
  const height = line.box.bottom - line.box.top;
  const points = line.words.find(({ fontSize }) => fontSize !== undefined)?.fontSize;
  const size = points === undefined ? height : points / POINTS_PER_INCH;
  return { line, box: line.box, size, baseline: line.box.bottom - BELOW * height };
}

/**
 * The page with the tables that its words form. Only where its blocks are told apart by nobody yet: an engine that knows
 * tables, lists or headers has looked at the picture, and we have not.
 */
export function withTables(page: Page): Page {
  const lines = page.blocks.flatMap((block) => (block.kind === "paragraph" ? block.lines : []));
  const others = page.blocks.filter(({ kind }) => kind !== "paragraph");
  if (others.some(({ kind }) => kind !== "figure" && kind !== "barcode" && kind !== "note")) return page;
  const { tables, rest } = tableBlocks(lines);
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
