/** Plain text, Markdown and CSV on logical pages. */

import type { Layout } from "../../../ports/layout.ts";
import { CSV, MARKDOWN } from "../../../ports/media-types.ts";
import { LogicalPages } from "../../layout/logical/logical-pages.ts";
import type { GridCell } from "../../layout/logical/logical-tables.ts";
import { headRows } from "../../structure/header-rows.ts";
import { countColumns, parseCsv } from "./csv-delimiter.ts";
import { layMarkdown } from "./read-markdown.ts";
import { decodeText } from "./text-encoding.ts";

export { decodeText };

/** Rows go on below after so many columns: wide enough for any report, and a page is no wider than a desk. */
const COLUMNS = 240;
/** Cells whose columns are lined up with each other, and records of them; a large table is never held twice. */
const CELLS_AT_ONCE = 20_000;
const RECORDS_AT_ONCE = 2_000;

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

/** A field's cell; breaks within it begin rows. */
const toCell = (field: string, column: number): GridCell => ({
  column,
  span: 1,
  runs: field === "" ? [] : [{ text: field.replace(/\r\n?|[\f\v]/g, "\n") }],
});

function layCsv(pages: LogicalPages, text: string): void {
  let part: GridCell[][] = [];
  let cells = 0;
  let continued = false;
  const flush = (): void => {
    pages.table(part, { headerRows: continued ? 0 : headRows(part, true), continued });
    continued = true;
    part = [];
    cells = 0;
  };
  for (const fields of parseCsv(text)) {
    // A blank line is no record.
    if (fields.length === 1 && fields[0]?.trim() === "") continue;
    part.push(fields.map(toCell));
    cells += fields.length;
    if (part.length >= RECORDS_AT_ONCE || cells >= CELLS_AT_ONCE) flush();
  }
  if (part.length > 0) flush();
}

/**
 * Text as it stands: 66 rows or a form feed end a page, a blank line ends a block, a tab or three spaces part a row into
 * lines. CSV: a table with columns that line up; its first record heads it unless that holds values. Markdown: headings,
 * lists, tables, code.
 * @param pageRange 1-based logical pages; absent: all
 * @throws JobFailure for more text than can be processed
 */
export function readText(bytes: Uint8Array, mimeType: string, pageRange?: readonly number[]): Layout {
  const pages = new LogicalPages({
    provider: "text",
    columns: COLUMNS,
    ...(pageRange === undefined ? {} : { pageRange }),
  });
  const text = decodeText(bytes);
  if (mimeType === CSV && (countColumns(text) ?? 0) > 1) layCsv(pages, text);
  else if (mimeType === MARKDOWN) layMarkdown(pages, text);
  else layText(pages, text);
  return pages.finish();
}
