/** Converts an engine's page to blocks of the layout model; roles become kinds of blocks. */
import type { Block, Line, Page, TextBlock, TextBlockKind } from "../../../ports/layout.ts";
import type { OcrBlockRole, OcrPage } from "../../../ports/ocr.ts";
import { isCheckboxCharacter } from "../../layout/checkbox-characters.ts";
import { unionBox } from "../../layout/geometry.ts";
import { pageWords } from "../../layout/page-words.ts";
import { toFields, withFields } from "./recognised-fields.ts";
import { cutTables, fillByIndex } from "./recognised-tables.ts";

/** Marker of a list item: a bullet, or a number or letter with a point or parenthesis. */
const MARKER = /^(?:[•·◦▪■●○*+»–—-]|\(?(?:\d{1,3}|\p{L})[.)])$/u;

const TITLE_LEVEL = 1;
const SECTION_LEVEL = 2;

const textBlock = (kind: TextBlockKind, lines: Line[], more: Partial<TextBlock> = {}): TextBlock => ({
  kind,
  box: unionBox(lines.map(({ box }) => box)),
  lines,
  ...more,
});

/** Marker of a line that is a list item; `☐ Yes ☐ No` is a row of boxes. */
function markerOf({ words }: Line): string | undefined {
  const [first, ...others] = words;
  if (first === undefined) return undefined;
  const ticked = isCheckboxCharacter(first.text) && !others.some(({ text }) => isCheckboxCharacter(text));
  return ticked || MARKER.test(first.text) ? first.text : undefined;
}

/** Items of a list block: one for each line that begins with a marker. */
function toItems(lines: readonly Line[]): TextBlock[] {
  const items: { marker: string | undefined; lines: Line[] }[] = [];
  for (const line of lines) {
    const marker = markerOf(line);
    const item = items.at(-1);
    if (item === undefined || marker !== undefined) items.push({ marker, lines: [line] });
    else item.lines.push(line);
  }
  return items.map(({ marker, lines: own }) =>
    textBlock("list-item", own, { level: 1, ...(marker === undefined ? {} : { marker }) }),
  );
}

function blocksOfRole(block: Block, role: OcrBlockRole, page: Page): Block[] {
  if (block.kind === "table" || block.kind === "figure" || block.lines.length === 0) return [block];
  const { lines, box } = block;
  switch (role) {
    case "title":
      return [textBlock("heading", lines, { level: TITLE_LEVEL })];
    case "section-header":
      return [textBlock("heading", lines, { level: SECTION_LEVEL })];
    case "header":
    case "footer":
      return [textBlock(role, lines)];
    case "page-number":
      return [textBlock(box.bottom < page.height / 2 ? "header" : "footer", lines)];
    case "list":
      return toItems(lines);
    case "figure":
      return [{ kind: "figure", box, lines }];
    default:
      return [block];
  }
}

function markRecognised(block: Block): Block {
  const mark = (lines: readonly Line[]): Line[] =>
    lines.map((line) => ({ ...line, words: line.words.map((word) => ({ ...word, source: "ocr" as const })) }));
  return block.kind === "table"
    ? { ...block, cells: block.cells.map((cell) => ({ ...cell, lines: mark(cell.lines) })) }
    : { ...block, lines: mark(block.lines) };
}

/**
 * Converts an engine's page: words are marked as recognised, roles become kinds of blocks, tables take their words,
 * each word once, and the form's fields are added.
 */
export function toPage(ocr: OcrPage): Page {
  const angle = ocr.angle === 0 ? {} : { angle: ocr.angle };
  const marked: Page = { ...ocr.page, ...angle, blocks: ocr.page.blocks.map(markRecognised) };
  const words = pageWords(marked);
  const tables = fillByIndex(ocr, words);
  const blocks = marked.blocks.flatMap((block, index) => blocksOfRole(block, ocr.roles[index] ?? "text", marked));
  return withFields({ ...marked, blocks: cutTables(blocks, tables) }, toFields(ocr.fields, words));
}
