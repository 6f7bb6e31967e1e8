/** The pass over a whole document that tells what its blocks are. */
import type { Block, Box, Layout, Line, Page, TextBlock, TextBlockKind } from "../../ports/layout.ts";
import { enclosesMiddle, unionBox } from "../layout/geometry.ts";
import { emOf, groupRows, type Row, rowText, rowWords, toRow } from "./block-rows.ts";
import { isCaption } from "./caption-labels.ts";
import { cutBlock, type Piece } from "./cut-blocks.ts";
import { findHeadings } from "./headings.ts";
import { markHyphens } from "./hyphens.ts";
import { findItems } from "./list-items.ts";
import type { Mark } from "./list-markers.ts";
import { findRunningLines } from "./running-lines.ts";
import { type Typography, typographyOf } from "./typography.ts";

/** A block that stays, or what became of one; `depicted`: it was recognised in a figure. */
type Part = { block: Block } | { piece: Piece; caption: boolean; depicted: boolean };

/** Ems: an item further right than the one before by more is nested in it. */
const NESTING = 0.7;

const textBlock = (kind: TextBlockKind, lines: Line[]): TextBlock => ({
  kind,
  box: unionBox(lines.map((line) => line.box)),
  lines,
});

/** Takes the running lines out of the blocks that they stand in. */
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

/** Text on its side is left as it is: its rows run another way. */
const isWhole = ({ box, lines }: TextBlock): boolean =>
  lines.length > 0 && lines.every((line) => line.words.length > 0) && box.right > box.left;

/** Whether text was recognised in one of the figures: a logo's words head nothing, however large they are. */
function isDepicted({ rows }: Piece, own: Box, figures: readonly Block[]): boolean {
  const within = figures.some(({ box }) => enclosesMiddle(box, own));
  return within && rows.every((row) => rowWords(row).every(({ source }) => source === "ocr"));
}

function cutPage(blocks: readonly Block[], typography: Typography): Part[] {
  const rows = new Map<Block, Row[]>();
  for (const block of blocks) {
    if (block.kind === "paragraph" && isWhole(block)) rows.set(block, groupRows(block.lines).map(toRow));
  }
  const items = findItems([...rows.values()], typography);
  const figures = blocks.filter((block) => block.kind === "figure");
  const captioned = blocks.filter((block) => block.kind === "table" || block.kind === "figure");
  return blocks.flatMap((block): Part[] => {
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

interface Nesting {
  /** Where the marks of the open lists stand, outermost first. */
  lefts: number[];
  top: number;
}

/** The level of an item, and the lists that are open behind it. */
function nest(open: Nesting, mark: Mark, { box, size }: Pick<Row, "box" | "size">): number {
  const step = NESTING * (size / 72);
  // Further up is another column.
  if (box.top < open.top) open.lefts = [];
  while (open.lefts.length > 0 && mark.left < (open.lefts.at(-1) ?? 0) - step) open.lefts.pop();
  if (open.lefts.length === 0 || mark.left > (open.lefts.at(-1) ?? 0) + step) open.lefts.push(mark.left);
  open.top = box.top;
  return open.lefts.length;
}

function toBlocks(parts: readonly Part[], headings: ReadonlyMap<Piece, number>): Block[] {
  const open: Nesting = { lefts: [], top: 0 };
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
    // What stands further in than the marks goes on with the item above it.
    if (first === undefined || block.box.left <= (open.lefts[0] ?? Infinity) + NESTING * emOf(first)) open.lefts = [];
    const level = headings.get(piece);
    if (level !== undefined) return { ...block, kind: "heading", level };
    return caption ? { ...block, kind: "caption" } : block;
  });
}

/**
 * Tells headings, list items, captions, running headers and footers from paragraphs, parts paragraphs from each other,
 * and marks the lines that end within a word. Looks at all pages that the layout holds: what repeats, and the size of
 * the body's type, are the document's. The order of words stays; tables and figures keep everything but those marks.
 * Blocks that a reader has already told apart are left alone. The layout that is given is not changed.
 */
export function structureLayout(layout: Layout): Layout {
  const typography = typographyOf(layout.pages);
  const running = findRunningLines(layout.pages);
  const parts = layout.pages.map((page) => cutPage(partRunning(page, running), typography));
  const pieces = parts.map((page) =>
    page.flatMap((part) => ("piece" in part && !part.caption && !part.depicted ? [part.piece] : [])),
  );
  const first = layout.pages.findIndex((page) => page.number === 1);
  const headings = findHeadings(pieces, typography, first < 0 ? undefined : first);
  const pages = layout.pages.map((page, at) => ({ ...page, blocks: toBlocks(parts[at] ?? [], headings) }));
  return markHyphens({ ...layout, pages });
}
