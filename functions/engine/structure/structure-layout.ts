/** Structures the blocks of a whole document. */
import type { Block, Box, Layout, Line, Page, TextBlock, TextBlockKind } from "../../ports/layout.ts";
import { enclosesMiddle, unionBox } from "../layout/geometry.ts";
import { type BlockRow, emOfRow, groupRows, rowText, rowWords, toRow } from "./block-rows.ts";
import { isCaption } from "./caption-labels.ts";
import { type BlockPiece, cutBlock } from "./cut-blocks.ts";
import { findHeadings } from "./headings.ts";
import { markHyphens } from "./hyphens.ts";
import { findItems } from "./list-items.ts";
import type { ListMarker } from "./list-markers.ts";
import { findRunningLines } from "./running-lines.ts";
import { type Typography, typographyOf } from "./typography.ts";

/** A block that stays, or a piece of one; `depicted`: recognised in a figure. */
type StructuredPart = { block: Block } | { piece: BlockPiece; caption: boolean; depicted: boolean };

/** Indent from which an item is nested in the one before. */
const MIN_NESTING_INDENT_EM = 0.7;

/** Readers of files that state their headers and footers; their pages end at invented places, where any line may repeat. */
const STATED_EDGES = new Set(["docx", "xlsx"]);

const textBlock = (kind: TextBlockKind, lines: Line[]): TextBlock => ({
  kind,
  box: unionBox(lines.map((line) => line.box)),
  lines,
});

/** Takes the running lines out of their blocks. */
function partRunning(page: Page, running: ReadonlyMap<Line, TextBlockKind>): Block[] {
  return page.blocks.flatMap((block): Block[] => {
    if (block.kind !== "paragraph" || !block.lines.some((line) => running.has(line))) return [block];
    const parts: { kind: TextBlockKind; lines: Line[] }[] = [];
    for (const line of block.lines) {
      const kind = running.get(line) ?? "paragraph";
      const part = parts.at(-1);
      if (part?.kind === kind) part.lines.push(line);
      else parts.push({ kind, lines: [line] });
    }
    return parts.map((part) => textBlock(part.kind, part.lines));
  });
}

/** True for level text with words; text on its side stays as it is, as its rows run another way. */
const isWhole = ({ box, lines }: TextBlock): boolean =>
  lines.length > 0 && lines.every((line) => line.words.length > 0) && box.right > box.left;

/** True if text was recognised in one of the figures: a logo's words head nothing, however large they are. */
function isDepicted({ rows }: BlockPiece, own: Box, figures: readonly Block[]): boolean {
  const within = figures.some(({ box }) => enclosesMiddle(box, own));
  return within && rows.every((row) => rowWords(row).every(({ source }) => source === "ocr"));
}

function cutPage(blocks: readonly Block[], typography: Typography): StructuredPart[] {
  const rows = new Map<Block, BlockRow[]>();
  for (const block of blocks) {
    if (block.kind === "paragraph" && isWhole(block)) rows.set(block, groupRows(block.lines).map(toRow));
  }
  const items = findItems([...rows.values()], typography);
  const figures = blocks.filter((block) => block.kind === "figure");
  const captioned = blocks.filter((block) => block.kind === "table" || block.kind === "figure");
  return blocks.flatMap((block): StructuredPart[] => {
    const own = rows.get(block);
    if (own === undefined) return [{ block }];
    return cutBlock(own, items, typography).map((piece) => {
      const box = unionBox(piece.rows.map((row) => row.box));
      const text = piece.rows.slice(0, 1).map(rowText).join(" ");
      const caption = piece.mark === undefined && isCaption(text, box, piece.rows.length, captioned);
      return { piece, caption, depicted: isDepicted(piece, box, figures) };
    });
  });
}

interface OpenLists {
  /** Left edges of the markers of the open lists, outermost first. */
  lefts: number[];
  top: number;
}

/** Level of an item; updates the open lists. */
function nest(open: OpenLists, mark: ListMarker, { box, size }: Pick<BlockRow, "box" | "size">): number {
  const step = MIN_NESTING_INDENT_EM * (size / 72);
  // An item further up is in another column.
  if (box.top < open.top) open.lefts = [];
  while (open.lefts.length > 0 && mark.left < (open.lefts.at(-1) ?? 0) - step) open.lefts.pop();
  if (open.lefts.length === 0 || mark.left > (open.lefts.at(-1) ?? 0) + step) open.lefts.push(mark.left);
  open.top = box.top;
  return open.lefts.length;
}

function toBlocks(parts: readonly StructuredPart[], headings: ReadonlyMap<BlockPiece, number>): Block[] {
  const open: OpenLists = { lefts: [], top: 0 };
  return parts.map((part) => {
    if ("block" in part) return part.block;
    const { piece, caption } = part;
    const block = textBlock(
      "paragraph",
      piece.rows.flatMap((row) => row.lines),
    );
    const [first] = piece.rows;
    if (piece.mark !== undefined && first !== undefined) {
      return { ...block, kind: "list-item", level: nest(open, piece.mark, first), marker: piece.mark.marker };
    }
    // Text further in than the markers continues the item above it.
    if (first === undefined || block.box.left <= (open.lefts[0] ?? Infinity) + MIN_NESTING_INDENT_EM * emOfRow(first))
      open.lefts = [];
    const level = headings.get(piece);
    if (level !== undefined) return { ...block, kind: "heading", level };
    return caption ? { ...block, kind: "caption" } : block;
  });
}

/**
 * Tells headings, list items, captions, running headers and footers from paragraphs, parts paragraphs from each other,
 * and marks the lines that end within a word. Examines all pages of the layout: repetition and the size of the body's
 * type are the document's. The order of words stays; tables and figures keep everything but those marks. Blocks that a
 * reader has already told apart stay as they are. The given layout is not changed.
 */
export function structureLayout(layout: Layout): Layout {
  const typography = typographyOf(layout.pages);
  const running = STATED_EDGES.has(layout.provider) ? new Map() : findRunningLines(layout.pages);
  const parts = layout.pages.map((page) => cutPage(partRunning(page, running), typography));
  const pieces = parts.map((page) =>
    page.flatMap((part) => ("piece" in part && !part.caption && !part.depicted ? [part.piece] : [])),
  );
  const first = layout.pages.findIndex((page) => page.number === 1);
  const headings = findHeadings(pieces, typography, first < 0 ? undefined : first);
  const pages = layout.pages.map((page, at) => ({ ...page, blocks: toBlocks(parts[at] ?? [], headings) }));
  return markHyphens({ ...layout, pages });
}
