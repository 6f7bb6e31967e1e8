/** Plain text, Markdown and CSV on logical pages. */
import { isUtf8 } from "node:buffer";
import { isTabular, parseCsv } from "./csv.ts";
import type { Layout } from "./layout.ts";
import { LogicalPages, type TableCell } from "./logical-pages.ts";
import { CSV } from "./media-types.ts";

/** Rows go on below after so many columns: wide enough for any report, and a page is no wider than a desk. */
const COLUMNS = 240;
/** Records whose columns are lined up with each other; a large table is never held twice. */
const RECORDS_AT_ONCE = 2_000;

/**
 * UTF-16 by its byte order mark, UTF-8 with or without one, else windows-1252, in which every byte means something
 * (WHATWG Encoding).
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252").decode(bytes);
}

function layText(pages: LogicalPages, text: string): void {
  const breaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
  for (let start = 0; start < text.length; ) {
    const end = breaks.exec(text);
    const line = text.slice(start, end?.index ?? text.length);
    // A form feed that ends nothing is no empty line.
    if (line !== "" || end?.[0] !== "\f") pages.line([{ text: line }]);
    if (end === null) break;
    if (end[0] === "\f") pages.breakPage();
    start = end.index + end[0].length;
  }
}

function layCsv(pages: LogicalPages, text: string): void {
  let part: TableCell[][] = [];
  for (const fields of parseCsv(text)) {
    part.push(fields.map((field, column) => ({ column, span: 1, runs: [{ text: field }] })));
    if (part.length < RECORDS_AT_ONCE) continue;
    pages.table(part);
    part = [];
  }
  pages.table(part);
}

/**
 * Text as it stands: 66 rows or a form feed end a page, a blank line ends a block, a tab or three spaces part a row into
 * lines. CSV: every field a line of its own, in columns that line up.
 * @param pageRange 1-based logical pages; absent: all
 */
export function readText(bytes: Uint8Array, mimeType: string, pageRange?: readonly number[]): Layout {
  const pages = new LogicalPages({
    provider: "text",
    columns: COLUMNS,
    ...(pageRange === undefined ? {} : { pageRange }),
  });
  const text = decodeText(bytes);
  if (mimeType === CSV && isTabular(text)) layCsv(pages, text);
  else layText(pages, text);
  return pages.finish();
}
