/** Converts the blocks of one page to a page of the layout model. */
import type { Block, BlockType } from "@aws-sdk/client-textract";
import { area, containsMiddle, middleY, overlapShare, unionBox } from "../../engine/layout/geometry.ts";
import { SAME_PLACE_OVERLAP_SHARE } from "../../engine/layout/word-places.ts";
import { insertCheckboxes } from "../../engine/ocr/checkboxes.ts";
import { groupIntoRows, type PlacedLine } from "../../engine/structure/line-rows.ts";
import { arrangeLines } from "../../engine/structure/reading-order.ts";
import type { Box, Line, Page, Word } from "../../ports/layout.ts";
import type { OcrBlockRole, OcrFrame, OcrPage } from "../../ports/ocr.ts";
import { confidenceOf, type PageBlocks, pageBlocks, shownText } from "./textract-blocks.ts";
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
/** Blocks whose lines are cells: the layout model requires them row by row, each row from left to right. */
const ROW_ORDERED_ROLES: ReadonlySet<OcrBlockRole> = new Set(["table", "fields"]);

interface TextractLine extends PlacedLine {
  line: Line;
  /** Ids of its words, in their order. */
  ids: string[];
}

interface Group {
  role: OcrBlockRole;
  lines: TextractLine[];
}

/** Texts that Textract reads for a checkbox taken as letters. */
const CHECKBOX_AS_LETTERS = /^[[(]?[xXvVoO✓✔☐☑☒□■○●]?[\])]?$/u;

/** Converts blocks to words; drops a word that is only a checkbox misread as a letter, at the checkbox's place. */
function readWords(blocks: PageBlocks, frame: OcrFrame): Map<Block, Word> {
  const toWord = (block: Block): Word => ({
    text: shownText(block),
    box: boxOf(outlineOf(block, frame), frame),
    confidence: confidenceOf(block),
  });
  const read = new Map(blocks.ofType("SELECTION_ELEMENT").map((block) => [block, toWord(block)]));
  const marks = [...read.values()];
  for (const block of blocks.ofType("WORD")) {
    const word = toWord(block);
    const isMark =
      CHECKBOX_AS_LETTERS.test(word.text) &&
      marks.some(({ box }) => overlapShare(box, word.box) >= SAME_PLACE_OVERLAP_SHARE);
    if (word.text !== "" && !isMark) read.set(block, word);
  }
  return read;
}

function placeLine(line: Line, blockOf: ReadonlyMap<Word, Block>, frame: OcrFrame, angle: number): TextractLine {
  const words = line.words.flatMap((word) => blockOf.get(word) ?? []);
  const level: Box = unionBox(words.map((block) => levelBox(outlineOf(block, frame), angle)));
  return {
    line,
    ids: words.map((block) => block.Id ?? ""),
    box: level,
    size: level.bottom - level.top,
    // Outlines are tight around the letters: their lower edges differ by descenders, their middles hardly do.
    baseline: middleY(level),
  };
}

const lineOf = (words: Word[]): Line => ({ box: unionBox(words.map((word) => word.box)), words });

/**
 * Lines by the id of their block, with checkboxes in their place; words and checkboxes outside lines form their own
 * lines.
 */
function placeLines(blocks: PageBlocks, frame: OcrFrame, angle: number): Map<string, TextractLine> {
  const read = readWords(blocks, frame);
  const blockOf = new Map([...read].map(([block, word]) => [word, block]));
  const idOf = (word: Word | undefined): string => (word && blockOf.get(word)?.Id) ?? "";
  const inLines = new Set<Block>();
  const lines: { id: string; line: Line }[] = [];
  for (const block of blocks.ofType("LINE")) {
    const words = blocks.related(block, "CHILD").filter((child) => child.BlockType === "WORD" && read.has(child));
    for (const word of words) inLines.add(word);
    if (words.length > 0)
      lines.push({ id: block.Id ?? "", line: lineOf(words.flatMap((word) => read.get(word) ?? [])) });
  }
  for (const [block, word] of read) {
    if (block.BlockType === "WORD" && !inLines.has(block)) lines.push({ id: idOf(word), line: lineOf([word]) });
  }
  const marks = [...read].flatMap(([block, word]) => (block.BlockType === "SELECTION_ELEMENT" ? [word] : []));
  const marked = insertCheckboxes(
    lines.map(({ line }) => line),
    marks,
    angle,
  );
  return new Map([
    ...marked.lines.map((line, index): [string, TextractLine] => [
      lines[index]?.id ?? "",
      placeLine(line, blockOf, frame, angle),
    ]),
    ...marked.alone.map((mark): [string, TextractLine] => [
      idOf(mark),
      placeLine(lineOf([mark]), blockOf, frame, angle),
    ]),
  ]);
}

/** Layout elements name lines only: the smallest element around a checkbox without a line, by the checkbox's id. */
function elementsOfMarks(blocks: PageBlocks, lines: ReadonlyMap<string, TextractLine>, frame: OcrFrame) {
  const elements = blocks.all
    .filter((block) => block.BlockType !== undefined && ROLES[block.BlockType] !== undefined)
    .map((block) => ({ block, box: boxOf(outlineOf(block, frame), frame) }))
    .sort((a, b) => area(a.box) - area(b.box));
  const found = new Map<Block, string[]>();
  for (const { Id = "" } of blocks.ofType("SELECTION_ELEMENT")) {
    const place = lines.get(Id);
    const element = place && elements.find(({ box }) => containsMiddle(box, place.line.box))?.block;
    if (element !== undefined) found.set(element, [...(found.get(element) ?? []), Id]);
  }
  return found;
}

/**
 * Groups of lines in reading order. Layout elements come in reading order; a list names its items, which are repeated
 * after it. Lines without an element follow, ordered by their position.
 */
function groupLines(blocks: PageBlocks, lines: Map<string, TextractLine>, frame: OcrFrame): Group[] {
  const rest = new Map(lines);
  const groups: Group[] = [];
  const marks = elementsOfMarks(blocks, lines, frame);
  const items = new Set(blocks.ofType("LAYOUT_LIST").flatMap((list) => blocks.related(list, "CHILD")));
  for (const element of blocks.all) {
    const role = element.BlockType === undefined ? undefined : ROLES[element.BlockType];
    if (role === undefined) continue;
    const own: TextractLine[] = [];
    const gained = marks.get(element) ?? [];
    for (const Id of [...blocks.related(element, "CHILD").map((child) => child.Id ?? ""), ...gained]) {
      const line = rest.get(Id);
      if (line !== undefined) own.push(line);
      rest.delete(Id);
    }
    if (own.length === 0) continue;
    const ordered =
      ROW_ORDERED_ROLES.has(role) || gained.length > 0 ? groupIntoRows(own).flatMap((row) => row.lines) : own;
    groups.push({ role: items.has(element) ? "list" : role, lines: ordered });
  }
  const arranged = arrangeLines([...rest.values()]).map((own): Group => ({ role: "text", lines: own }));
  return [...groups, ...arranged];
}

/**
 * @param blocks all blocks of one page
 * @param number page number, from 1
 */
export function readPage(blocks: readonly Block[], frame: OcrFrame, number: number): OcrPage {
  const found = pageBlocks(blocks);
  const angle = textAngle(found.ofType("LINE").map((line) => outlineOf(line, frame)));
  const groups = groupLines(found, placeLines(found, frame, angle), frame);
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
  // Most figures have no line, and so are in no group.
  const figures = found.ofType("LAYOUT_FIGURE").map((block) => boxOf(outlineOf(block, frame), frame));
  const ids = groups.flatMap(({ lines }) => lines.flatMap((line) => line.ids));
  const positions = new Map(ids.map((id, position) => [id, position]));
  return {
    page,
    angle,
    roles: groups.map(({ role }) => role),
    tables: readTables(found, frame, positions),
    fields: readFields(found, frame, positions),
    figures,
  };
}
