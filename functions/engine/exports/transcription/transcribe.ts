/** A layout as text: plain, Markdown, or one JSON line for each block. */
import type { Layout, Page } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { blockLines } from "../../layout/page-words.ts";
import { blockText } from "../../structure/layout-text.ts";
import { jsonLines } from "./json-lines.ts";
import { markdown } from "./layout-markdown.ts";

/** The rows of a page as plain text has them, an empty one between blocks; none for what has no text. */
export const pageRows = (page: Page): string[] =>
  deskewPage(page)
    .blocks.filter((block) => blockLines(block).length > 0)
    .flatMap((block, at) => [...(at === 0 ? [] : [""]), ...blockText(block).split("\n")]);

const plain = (layout: Layout): string => layout.pages.map((page) => pageRows(page).join("\n")).join("\n\f");

const WRITERS = { plain, markdown, jsonl: jsonLines };

/**
 * A layout's text in reading order, ending in a line feed when there is any. Words that a line's end cut in two are
 * whole in all formats. Plain: lines by line feeds, a blank line between blocks, a form feed before each further page;
 * a table row by row. Markdown (CommonMark, with the tables and tasks of GitHub's): page markers as comments, headings,
 * lists, tables, links, bold words; paragraphs without the page's line breaks; a comment where a figure or barcode
 * stands (`<!-- figure -->`, `<!-- barcode QRCode "value" -->`); running headers and footers are left out, they would cut
 * sentences that go on. JSON lines: `{page, kind, bbox, text}` and what else is known of each block (level, marker,
 * confidence; rows, columns, headerRows and cells of a table; caption of a figure; format and value of a barcode), bbox in
 * inches, the text as in plain, which leaves out what is not text.
 */
export function transcribe(layout: Layout, format: "plain" | "markdown" | "jsonl"): string {
  const text = WRITERS[format](layout);
  return text === "" ? "" : `${text}\n`;
}
