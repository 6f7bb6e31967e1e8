/** A page of a layout as the API shows it: words by position in the document's text, with outlines. */

import type { BarcodeBlock, Block, Box, Line, Page, Word } from "../../ports/layout.ts";
import { wordsInBoxes } from "./form-field-words.ts";
import { unionBox } from "./geometry.ts";
import { blockLines, pageWords } from "./page-words.ts";

export const LAYOUT_PARTS = [
  "words",
  "lines",
  "blocks",
  "fields",
  "content",
  "paragraphs",
  "tables",
  "figures",
  "barcodes",
  "sections",
] as const;
export type LayoutPart = (typeof LAYOUT_PARTS)[number];

interface Span {
  offset: number;
  length: number;
}

/** Length of a page's text (its words with single spaces) in UTF-16 code units. */
export function textLength(page: Page): number {
  const words = pageWords(page);
  return words.reduce((sum, { text }) => sum + text.length, Math.max(words.length - 1, 0));
}

export const polygon = ({ left, top, right, bottom }: Box) => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

/** Maps each word of a page to its span in the document's text. */
export function spansOf(words: readonly Word[], offset: number): Map<Word, Span> {
  const spans = new Map<Word, Span>();
  let at = offset;
  for (const word of words) {
    spans.set(word, { offset: at, length: word.text.length });
    at += word.text.length + 1;
  }
  return spans;
}

export function spanOf(lines: readonly Line[], spans: ReadonlyMap<Word, Span>): Span[] {
  const words = lines.flatMap((line) => line.words);
  const [first, last] = [words[0], words.at(-1)].map((word) => word && spans.get(word));
  if (first === undefined || last === undefined) return [];
  return [{ offset: first.offset, length: last.offset + last.length - first.offset }];
}

const viewLine = (line: Line, spans: ReadonlyMap<Word, Span>) => ({
  content: line.words.map(({ text }) => text).join(" "),
  spans: spanOf([line], spans),
  polygon: polygon(line.box),
});

/** The barcode members of the API. */
export const barcodeMembers = ({ format, value, confidence }: BarcodeBlock) => ({ format, value, confidence });

function viewBlock(block: Block, spans: ReadonlyMap<Word, Span>) {
  const lines = blockLines(block);
  const common = { kind: block.kind, spans: spanOf(lines, spans), polygon: polygon(block.box) };
  if (block.kind === "figure") return { ...common, ...(block.caption ? { caption: block.caption } : {}) };
  if (block.kind === "barcode") return { ...common, ...barcodeMembers(block) };
  if (block.kind !== "table") {
    const { level, marker } = block;
    return { ...common, ...(level ? { level } : {}), ...(marker ? { marker } : {}) };
  }
  const { rows, columns, headerRows, cells, continued } = block;
  return {
    ...common,
    rowCount: rows,
    columnCount: columns,
    headerRows,
    continued: continued ?? false,
    cells: cells.map((cell) => ({
      rowIndex: cell.row,
      columnIndex: cell.column,
      rowSpan: cell.rowSpan,
      columnSpan: cell.columnSpan,
      content: cell.text ?? cell.lines.map((line) => line.words.map(({ text }) => text).join(" ")).join("\n"),
      spans: spanOf(cell.lines, spans),
      polygon: polygon(cell.box),
    })),
  };
}

/** The form fields of a page: each label with its values. */
function viewFields(page: Page, spans: ReadonlyMap<Word, Span>) {
  const wordsIn = wordsInBoxes(page);
  const viewPart = (boxes: readonly Box[]) => {
    const words = wordsIn(boxes);
    return {
      content: words.map(({ text }) => text).join(" "),
      spans: words.flatMap((word) => spans.get(word) ?? []),
      polygon: polygon(unionBox([...boxes])),
    };
  };
  return (page.fields ?? []).map(({ label, values, confidence }) => ({
    label: viewPart(label),
    values: values.map(viewPart),
    confidence,
  }));
}

/**
 * @param offset start of the page's text in the document's text, in UTF-16 code units
 * @returns the page; `words` is empty unless requested; a word's `id` is its reference (`p1/w17`)
 */
export function viewPage(page: Page, offset: number, parts: readonly LayoutPart[]) {
  const words = pageWords(page);
  const spans = spansOf(words, offset);
  const { number, width, height, unit, rotation, angle = 0 } = page;
  return {
    pageNumber: number,
    width,
    height,
    unit,
    rotation,
    angle,
    spans: [{ offset, length: textLength(page) }],
    words: parts.includes("words")
      ? words.map((word, index) => ({
          id: `p${number}/w${index}`,
          content: word.text,
          span: spans.get(word),
          polygon: polygon(word.box),
          confidence: word.confidence ?? 1,
        }))
      : [],
    ...(parts.includes("lines")
      ? { lines: page.blocks.flatMap((block) => blockLines(block).map((line) => viewLine(line, spans))) }
      : {}),
    ...(parts.includes("blocks") ? { blocks: page.blocks.map((block) => viewBlock(block, spans)) } : {}),
    ...(parts.includes("fields") ? { fields: viewFields(page, spans) } : {}),
  };
}
