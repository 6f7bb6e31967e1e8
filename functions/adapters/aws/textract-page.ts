/** The blocks of one page as a page of the layout model. */
import type { Block, BlockType } from "@aws-sdk/client-textract";
import { arrangeLines, groupIntoRows, type Placed } from "../../core/documents/arrange.ts";
import { type Box, type Line, type Page, unionBox, type Word } from "../../core/documents/layout.ts";
import type { OcrBlockRole, OcrFrame, OcrPage } from "../../core/ocr/ports.ts";
import { confidenceOf, type PageBlocks, pageBlocks } from "./textract-blocks.ts";
import { boxOf, levelBox, outlineOf, textAngle } from "./textract-geometry.ts";
import { readFields, readTables } from "./textract-tables.ts";

const ROLES: Partial<Record<BlockType, OcrBlockRole>> = {
  LAYOUT_TITLE: "title",
  LAYOUT_SECTION_HEADER: "section-header",
  LAYOUT_HEADER: "header",
  LAYOUT_FOOTER: "footer",
  LAYOUT_PAGE_NUMBER: "page-number",
  LAYOUT_LIST: "list",
  LAYOUT_TABLE: "table",
  LAYOUT_KEY_VALUE: "fields",
  LAYOUT_FIGURE: "figure",
  LAYOUT_TEXT: "text",
};
/** Their lines are cells: the layout model wants them row by row, each row from left to right. */
const IN_ROWS: ReadonlySet<OcrBlockRole> = new Set(["table", "fields"]);

interface PlacedLine extends Placed {
  line: Line;
  /** Of its words, in their order. */
  ids: string[];
}

interface Group {
  role: OcrBlockRole;
  lines: PlacedLine[];
}

const isText = (word: Block): boolean => (word.Text ?? "").trim() !== "";

function placeLine(words: readonly Block[], frame: OcrFrame, angle: number): PlacedLine {
  const read = words.map(
    (block): Word => ({
      text: (block.Text ?? "").trim(),
      box: boxOf(outlineOf(block, frame), frame),
      confidence: confidenceOf(block),
    }),
  );
  const level: Box = unionBox(words.map((block) => levelBox(outlineOf(block, frame), angle)));
  return {
    line: { box: unionBox(read.map((word) => word.box)), words: read },
    ids: words.map((block) => block.Id ?? ""),
    box: level,
    size: level.bottom - level.top,
    // Outlines are as tight as the letters: their lower edges differ by descenders, their middles hardly.
    baseline: (level.top + level.bottom) / 2,
  };
}

/** Lines by the id of their block; words that no line has make lines of their own. */
function placeLines(blocks: PageBlocks, frame: OcrFrame, angle: number): Map<string, PlacedLine> {
  const lines = new Map<string, PlacedLine>();
  const inLines = new Set<string | undefined>();
  for (const block of blocks.ofType("LINE")) {
    const words = blocks.related(block, "CHILD").filter((child) => child.BlockType === "WORD" && isText(child));
    for (const word of words) inLines.add(word.Id);
    if (words.length > 0) lines.set(block.Id ?? "", placeLine(words, frame, angle));
  }
  for (const word of blocks.ofType("WORD")) {
    if (!inLines.has(word.Id) && isText(word)) lines.set(word.Id ?? "", placeLine([word], frame, angle));
  }
  return lines;
}

/**
 * Groups of lines in reading order. Layout elements come in reading order; a list names its items, which come again
 * behind it. Lines of no element follow, arranged by where they stand.
 */
function groupLines(blocks: PageBlocks, lines: Map<string, PlacedLine>): Group[] {
  const rest = new Map(lines);
  const groups: Group[] = [];
  const items = new Set(blocks.ofType("LAYOUT_LIST").flatMap((list) => blocks.related(list, "CHILD")));
  for (const element of blocks.all) {
    const role = element.BlockType === undefined ? undefined : ROLES[element.BlockType];
    if (role === undefined) continue;
    const own: PlacedLine[] = [];
    for (const { Id = "" } of blocks.related(element, "CHILD")) {
      const line = rest.get(Id);
      if (line !== undefined) own.push(line);
      rest.delete(Id);
    }
    if (own.length === 0) continue;
    const ordered = IN_ROWS.has(role) ? groupIntoRows(own).flatMap((row) => row.lines) : own;
    groups.push({ role: items.has(element) ? "list" : role, lines: ordered });
  }
  const arranged = arrangeLines([...rest.values()]).map((own): Group => ({ role: "text", lines: own }));
  return [...groups, ...arranged];
}

/**
 * @param blocks of one page, all of them
 * @param number of the page, from 1
 */
export function readPage(blocks: readonly Block[], frame: OcrFrame, number: number): OcrPage {
  const found = pageBlocks(blocks);
  const angle = textAngle(found.ofType("LINE").map((line) => outlineOf(line, frame)));
  const groups = groupLines(found, placeLines(found, frame, angle));
  const page: Page = {
    number,
    width: frame.width,
    height: frame.height,
    unit: "inch",
    rotation: frame.rotation ?? 0,
    blocks: groups.map(({ lines }) => ({
      kind: "paragraph",
      box: unionBox(lines.map(({ line }) => line.box)),
      lines: lines.map(({ line }) => line),
    })),
  };
  const ids = groups.flatMap(({ lines }) => lines.flatMap((line) => line.ids));
  const positions = new Map(ids.map((id, position) => [id, position]));
  return {
    page,
    angle,
    roles: groups.map(({ role }) => role),
    tables: readTables(found, frame, positions),
    fields: readFields(found, frame, positions),
  };
}
