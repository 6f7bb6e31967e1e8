/** A document as text for a model: page by page in reading order, with tables and all printed text. */
import type { Block, Layout, Page, TableBlock } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { pageWords } from "../../layout/page-words.ts";
import { blockText, linesText } from "../../structure/layout-text.ts";
import { formFieldLines } from "./form-field-lines.ts";

export interface PageContent {
  /** From 1. */
  number: number;
  text: string;
  /** Its text comes from OCR, or it has none: a picture of the page helps the model. */
  scan: boolean;
}

/** Share of recognised words from which a page counts as a scan: a stamp or logo does not make one. */
const MIN_SCANNED_SHARE = 0.5;
const MAX_HEADING_LEVEL = 6;

const cellText = (text: string): string => text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

/** A row of pipes per row. A spanning cell's text stands where the cell begins. */
function tableText(table: TableBlock): string {
  const grid = Array.from({ length: table.rows }, () => Array.from({ length: table.columns }, () => ""));
  for (const cell of table.cells) {
    const row = grid[cell.row];
    if (row !== undefined && cell.column < table.columns)
      row[cell.column] = cellText(cell.text ?? linesText(cell.lines, " "));
  }
  const rows = grid.map((cells) => `| ${cells.join(" | ")} |`);
  const heads = Math.min(table.headerRows, rows.length);
  if (heads > 0) rows.splice(heads, 0, `|${" --- |".repeat(table.columns)}`);
  return rows.join("\n");
}

function textOf(block: Block): string {
  if (block.kind === "table") return tableText(block);
  const text = blockText(block);
  if (block.kind === "heading" && text !== "") {
    return `${"#".repeat(Math.min(block.level ?? 1, MAX_HEADING_LEVEL))} ${text.replaceAll("\n", " ")}`;
  }
  return text;
}

function isScan(page: Page): boolean {
  const words = pageWords(page);
  const recognised = words.filter(({ source }) => source === "ocr").length;
  return recognised >= MIN_SCANNED_SHARE * words.length;
}

/**
 * The pages of a layout as text: Markdown for headings and tables, characters as printed. Only the bars of tables are
 * escaped. Running headers and footers are included: they hold names and numbers.
 * @param pageRange numbers from 1; absent: all pages
 */
export function modelContent(layout: Layout, { pageRange }: { pageRange?: readonly number[] } = {}): PageContent[] {
  const wanted = pageRange === undefined ? undefined : new Set(pageRange);
  return layout.pages
    .filter(({ number }) => wanted?.has(number) ?? true)
    .map((page) => {
      const texts = [...deskewPage(page).blocks.map(textOf), formFieldLines(page)].filter((text) => text !== "");
      return { number: page.number, text: texts.join("\n\n"), scan: isScan(page) };
    });
}
