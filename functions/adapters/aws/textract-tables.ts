/** Tables and form fields of one page, from Textract's TABLES and FORMS features. */
import type { Block } from "@aws-sdk/client-textract";
import type { OcrCell, OcrField, OcrFrame, OcrSpan, OcrTable } from "../../ports/ocr.ts";
import { confidenceOf, type PageBlocks, shownText } from "./textract-blocks.ts";
import { boxOf, outlineOf } from "./textract-geometry.ts";

/** Positions of words and checkboxes in the page's reading order, by block id. */
export type WordPositions = ReadonlyMap<string, number>;

interface Reader {
  blocks: PageBlocks;
  frame: OcrFrame;
  positions: WordPositions;
}

/** @param holder the block that gives the place @param parts the blocks whose children are its words and checkboxes */
function spanOf(holder: Block, parts: readonly Block[], { blocks, frame, positions }: Reader): OcrSpan {
  const words = parts
    .flatMap((part) => blocks.related(part, "CHILD"))
    .flatMap((child) => {
      const position = positions.get(child.Id ?? "");
      return position === undefined ? [] : [{ position, text: shownText(child) }];
    })
    .sort((a, b) => a.position - b.position);
  return {
    text: words.map(({ text }) => text).join(" "),
    box: boxOf(outlineOf(holder, frame), frame),
    words: words.map(({ position }) => position),
  };
}

const isHeader = (cell: Block): boolean => cell.EntityTypes?.includes("COLUMN_HEADER") ?? false;

function cellOf(cell: Block, parts: readonly Block[], reader: Reader): OcrCell {
  const { RowIndex = 1, ColumnIndex = 1, RowSpan = 1, ColumnSpan = 1 } = cell;
  return {
    ...spanOf(cell, parts, reader),
    row: RowIndex,
    column: ColumnIndex,
    rowSpan: RowSpan,
    columnSpan: ColumnSpan,
    header: isHeader(cell) || parts.some(isHeader),
  };
}

function tableOf(table: Block, reader: Reader): OcrTable {
  const { blocks, frame } = reader;
  const merged = blocks
    .related(table, "MERGED_CELL")
    .map((cell) => ({ cell, parts: blocks.related(cell, "CHILD") }))
    // A merged cell without parts replaces no cell.
    .filter(({ parts }) => parts.length > 0);
  const inMerged = new Set(merged.flatMap(({ parts }) => parts));
  const simple = blocks.related(table, "CHILD").filter((cell) => cell.BlockType === "CELL" && !inMerged.has(cell));
  const cells = [
    ...merged.map(({ cell, parts }) => cellOf(cell, parts, reader)),
    ...simple.map((cell) => cellOf(cell, [cell], reader)),
  ].sort((a, b) => a.row - b.row || a.column - b.column);
  const spans = (type: "TABLE_TITLE" | "TABLE_FOOTER") =>
    blocks.related(table, type).map((block) => spanOf(block, [block], reader));
  return {
    box: boxOf(outlineOf(table, frame), frame),
    rows: cells.reduce((most, cell) => Math.max(most, cell.row + cell.rowSpan - 1), 0),
    columns: cells.reduce((most, cell) => Math.max(most, cell.column + cell.columnSpan - 1), 0),
    cells,
    titles: spans("TABLE_TITLE"),
    footers: spans("TABLE_FOOTER"),
    confidence: confidenceOf(table),
  };
}

/** Tables in which merged cells replace their parts, row by row. */
export function readTables(blocks: PageBlocks, frame: OcrFrame, positions: WordPositions): OcrTable[] {
  return blocks.ofType("TABLE").map((table) => tableOf(table, { blocks, frame, positions }));
}

/** Labels with all their values. */
export function readFields(blocks: PageBlocks, frame: OcrFrame, positions: WordPositions): OcrField[] {
  const reader = { blocks, frame, positions };
  const labels = blocks.ofType("KEY_VALUE_SET").filter((block) => block.EntityTypes?.includes("KEY") ?? false);
  return labels.map((label) => ({
    label: spanOf(label, [label], reader),
    values: blocks.related(label, "VALUE").map((value) => spanOf(value, [value], reader)),
    confidence: confidenceOf(label),
  }));
}
