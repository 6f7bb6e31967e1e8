/** A layout as text: plain, Markdown, or one JSON line per block. */
import type { Layout, Page } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { blockLines } from "../../layout/page-words.ts";
import { blockText } from "../../structure/layout-text.ts";
import { jsonLines } from "./json-lines.ts";
import { markdown } from "./layout-markdown.ts";

/** The rows of a page in plain text, with an empty one between blocks; blocks without text are left out. */
export const pageRows = (page: Page): string[] =>
  deskewPage(page)
    .blocks.filter((block) => blockLines(block).length > 0)
    .flatMap((block, at) => [...(at === 0 ? [] : [""]), ...blockText(block).split("\n")]);

const plain = (layout: Layout): string => layout.pages.map((page) => pageRows(page).join("\n")).join("\n\f");

const WRITERS = { plain, markdown, jsonl: jsonLines };

/**
 * A layout's text in reading order; any text ends with a line feed. Hyphenated words at line ends are joined in all
 * formats.
 * - Plain: line feeds, a blank line between blocks, a form feed before each further page; tables row by row.
 * - Markdown (CommonMark with GitHub's tables and tasks): page markers as comments, headings, lists, tables, links, bold
 *   words; paragraphs without the page's line breaks; comments for figures and barcodes (`<!-- figure -->`,
 *   `<!-- barcode QRCode "value" -->`). Running headers and footers are left out: they would cut sentences.
 * - JSON lines: `{page, kind, bbox, text}` and the block's other members (level, marker, confidence; rows, columns,
 *   headerRows and cells of a table; caption of a figure; format and value of a barcode). bbox is in inches, text as in
 *   plain.
 */
export function transcribe(layout: Layout, format: "plain" | "markdown" | "jsonl"): string {
  const text = WRITERS[format](layout);
  return text === "" ? "" : `${text}\n`;
}
