/** A layout as text: plain, Markdown, or one JSON line for each block. */
import type { Layout, Page } from "./layout.ts";
import { blockText } from "./structure/text.ts";
import { jsonLines } from "./transcribe/json-lines.ts";
import { markdown } from "./transcribe/markdown.ts";
import { uprightPage } from "./upright.ts";

/** The rows of a page as plain text has them, an empty one between blocks; none for a page without text. */
export const pageRows = (page: Page): string[] =>
  uprightPage(page).blocks.flatMap((block, at) => [...(at === 0 ? [] : [""]), ...blockText(block).split("\n")]);

const plain = (layout: Layout): string => layout.pages.map((page) => pageRows(page).join("\n")).join("\n\f");

const WRITERS = { plain, markdown, jsonl: jsonLines };

/**
 * A layout's text in reading order, ending in a line feed when there is any. Words that a line's end cut in two are
 * whole in all formats. Plain: lines by line feeds, a blank line between blocks, a form feed before each further page;
 * a table row by row. Markdown (CommonMark, with the tables and tasks of GitHub's): page markers as comments, headings,
 * lists, tables, links, bold words; paragraphs without the page's line breaks; running headers and footers are left
 * out, they would cut sentences that go on. JSON lines: `{page, kind, bbox, text}` and what else is known of each block
 * (level, marker, confidence; rows, columns, headerRows and cells of a table), bbox in inches, the text as in plain.
 */
export function transcribe(layout: Layout, format: "plain" | "markdown" | "jsonl"): string {
  const text = WRITERS[format](layout);
  return text === "" ? "" : `${text}\n`;
}
