/** Views the reader's tables for extraction: cells of tokens. Inches from the top left corner of the page as shown. */
import type { Box, Line, Page, TableBlock, Word } from "../../../ports/layout.ts";
import { linesText } from "../layout-text.ts";
import type { Token } from "./tokens.ts";

export interface CellView {
  column: number;
  columnSpan: number;
  box: Box;
  /** Top to bottom. */
  lines: Token[][];
  /** In a table of data: the cell's text, every character of it. */
  verbatim?: string;
}

export interface TableView {
  page: number;
  box: Box;
  columns: number;
  /** Number of rows from the top that head the columns. */
  headerRows: number;
  /** True if it continues the previous page's. */
  continued: boolean;
  /** A table of data: each of its cells has its text. */
  verbatim: boolean;
  /** Row by row; the cells of a row from left to right, without covered and empty ones. */
  rows: CellView[][];
}

/** Cells of one table; larger tables are cut. */
const MAX_CELLS = 400_000;

function viewTable(block: TableBlock, page: number, tokensOf: ReadonlyMap<Word, Token[]>): TableView {
  const tokensIn = (line: Line): Token[] => line.words.flatMap((word) => tokensOf.get(word) ?? []).slice();
  // A grown array holds room for many more: a cell's arrays are copied to their length.
  const rows: CellView[][] = Array.from({ length: Math.min(block.rows, MAX_CELLS) }, () => []);
  for (const cell of block.cells.slice(0, MAX_CELLS)) {
    const lines = cell.lines.map(tokensIn).filter((line) => line.length > 0);
    if (lines.length === 0) continue;
    const { column, columnSpan, box } = cell;
    const verbatim = block.verbatim ? { verbatim: cell.text ?? linesText(cell.lines, " ") } : {};
    rows[cell.row]?.push({ column, columnSpan, box, lines: lines.slice(), ...verbatim });
  }
  return {
    page,
    box: block.box,
    columns: block.columns,
    headerRows: block.headerRows,
    continued: block.continued === true,
    verbatim: block.verbatim === true,
    rows: rows.map((cells) => cells.sort((a, b) => a.column - b.column)),
  };
}

/** Views the tables of a page. @param tokensOf the tokens that were made of each word */
export const viewTables = (page: Page, tokensOf: ReadonlyMap<Word, Token[]>): TableView[] =>
  page.blocks.flatMap((block) => (block.kind === "table" ? [viewTable(block, page.number, tokensOf)] : []));
