/** Plain text, Markdown and CSV on logical pages. */

import type { Layout } from "../../../ports/layout.ts";
import { CSV, MARKDOWN } from "../../../ports/media-types.ts";
import { LogicalPages } from "../../layout/logical/logical-pages.ts";
import type { GridCell } from "../../layout/logical/logical-tables.ts";
import { headRows } from "../../structure/header-rows.ts";
import { countColumns, parseCsv } from "./csv-delimiter.ts";
import { layMarkdown } from "./read-markdown.ts";
import { decodeText } from "./text-encoding.ts";

/** Columns after which rows wrap: wide enough for any report. */
const TEXT_COLUMNS = 240;
/**
 * Cells and records of one table part. A part's columns are aligned with each other; a large table is never held twice.
 */
const MAX_TABLE_PART_CELLS = 20_000;
const MAX_TABLE_PART_RECORDS = 2_000;

function layText(pages: LogicalPages, text: string): void {
  const breaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
  for (let start = 0; start < text.length; ) {
    const end = breaks.exec(text);
    const line = text.slice(start, end?.index ?? text.length);
    // A form feed that ends no text makes no empty line.
    if (line !== "" || end?.[0] !== "\f") pages.line([{ text: line }]);
    if (end === null) break;
    if (end[0] === "\f") pages.breakPage();
    start = end.index + end[0].length;
  }
}

/** A field as a cell. Line breaks within it begin new rows. */
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
    pages.table(part, { headerRows: continued ? 0 : headRows(part, true), continued, verbatim: true });
    continued = true;
    part = [];
    cells = 0;
  };
  for (const fields of parseCsv(text)) {
    // A blank line is no record.
    if (fields.length === 1 && fields[0]?.trim() === "") continue;
    part.push(fields.map(toCell));
    cells += fields.length;
    if (part.length >= MAX_TABLE_PART_RECORDS || cells >= MAX_TABLE_PART_CELLS) flush();
  }
  if (part.length > 0) flush();
}

/**
 * Lays out text: 66 rows or a form feed end a page, a blank line ends a block, a tab or three spaces split a row into
 * lines. CSV becomes a table with aligned columns; its first record is the header unless it holds values. Markdown
 * gives headings, lists, tables and code.
 * @param pageRange logical page numbers, from 1; absent: all
 * @throws JobFailure for more text than can be processed
 */
export function readText(bytes: Uint8Array, mimeType: string, pageRange?: readonly number[]): Layout {
  const pages = new LogicalPages({
    provider: "text",
    columns: TEXT_COLUMNS,
    ...(pageRange === undefined ? {} : { pageRange }),
  });
  const text = decodeText(bytes);
  if (mimeType === CSV && (countColumns(text) ?? 0) > 1) layCsv(pages, text);
  else if (mimeType === MARKDOWN) layMarkdown(pages, text);
  else layText(pages, text);
  return pages.finish();
}
