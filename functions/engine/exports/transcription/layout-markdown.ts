/** A layout as Markdown. */
import type { BarcodeBlock, Block, FigureBlock, Layout, TableBlock, TextBlock } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { cellText, itemText, oneLineText, paragraphText } from "./inline-text.ts";
import { escapeCell, escapeHeading, escapeInline } from "./markdown-escape.ts";

const MAX_HEADING_LEVEL = 6;
const CHECKED_MARKER = /^(?:[☑☒✓✔✗✘]|\[[xX✓✔]\])$/u;
const UNCHECKED_MARKER = /^(?:[☐❏❑❒□]|\[ ?\])$/u;
/** Numbers of Markdown's own lists. */
const NUMBER_MARKER = /^\d{1,9}[.)]$/;
const LETTERED = /[\p{L}\p{N}]/u;

/** The marker before an item's text in Markdown. */
function markdownMarker(marker: string): string {
  if (CHECKED_MARKER.test(marker)) return "- [x] ";
  if (UNCHECKED_MARKER.test(marker)) return "- [ ] ";
  if (NUMBER_MARKER.test(marker)) return `${marker} `;
  return LETTERED.test(marker) && marker !== "o" ? `- ${escapeInline(marker)} ` : "- ";
}

/** Indents of the open items' text in columns, the outermost first. */
type Indents = number[];

/** One item, nested in the items of lower levels before it, at most one level deeper than the last. */
function listItem(block: TextBlock, indents: Indents): string {
  const level = Math.min(Math.max(block.level ?? 1, 1), indents.length + 1);
  indents.splice(level - 1);
  const indent = indents.reduce((sum, width) => sum + width, 0);
  const mark = markdownMarker(block.marker ?? "");
  // A task's checkbox is text: nested items are indented to the box.
  indents.push(mark.startsWith("- ") ? 2 : mark.length);
  return `${" ".repeat(indent)}${mark}${itemText(block.lines, block.marker ?? "")}`;
}

function gridOf({ rows, columns, cells }: TableBlock): string[][] {
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ""));
  for (const cell of cells) {
    const row = grid[cell.row];
    if (row !== undefined && cell.column < columns) row[cell.column] = escapeCell(cellText(cell));
  }
  return grid;
}

const pipes = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Joins header rows, since Markdown has only one: the texts of a column are separated by line breaks. */
const joinHeaderRows = (rows: readonly string[][], columns: number): string[] =>
  Array.from({ length: columns }, (_, column) =>
    rows
      .map((row) => row[column] ?? "")
      .filter((text) => text !== "")
      .join("<br>"),
  );

/**
 * A table with pipes. A spanning cell's text stands where the cell begins. A table without header rows gets an empty one;
 * so does one that continues from the page before with the same header.
 */
function pipeTable(table: TableBlock, before: string | undefined): { text: string; head: string } {
  const grid = gridOf(table);
  const own = joinHeaderRows(grid.slice(0, table.headerRows), table.columns);
  const repeats = table.continued === true && own.join("\n") === before;
  const head = repeats ? own.map(() => "") : own;
  const rule = head.map(() => "---");
  const rows = grid.slice(table.headerRows);
  return { text: [head, rule, ...rows].map(pipes).join("\n"), head: own.join("\n") };
}

const textOf = ({ lines }: TextBlock | FigureBlock): string[] => (lines.length === 0 ? [] : [paragraphText(lines)]);

/** Figures and barcodes as comments, like page markers. */
function comment(block: FigureBlock | BarcodeBlock): string {
  if (block.kind === "figure") return "<!-- figure -->";
  // Two hyphens could end the comment; in JSON they can be escaped.
  const value = JSON.stringify(block.value).replaceAll("--", "-\\u002d");
  return `<!-- barcode ${block.format} ${value} -->`;
}

/** Writes blocks in order; remembers open lists and the last table header. */
class MarkdownWriter {
  #indents: Indents = [];
  #head: string | undefined;

  /** The block as Markdown; undefined for running headers and footers. */
  write(block: Block): string | undefined {
    if (block.kind === "header" || block.kind === "footer") return undefined;
    if (block.kind === "list-item") return listItem(block, this.#indents);
    this.#indents = [];
    if (block.kind === "table") return this.#table(block);
    if (block.kind === "heading") {
      return `${"#".repeat(Math.min(block.level ?? 1, MAX_HEADING_LEVEL))} ${escapeHeading(oneLineText(block.lines))}`;
    }
    if (block.kind === "barcode") return comment(block);
    if (block.kind === "figure") return [comment(block), ...textOf(block)].join("\n\n");
    if (block.kind === "caption") return `*${oneLineText(block.lines)}*`;
    return textOf(block)[0];
  }

  /** Lists end with their page. */
  endPage(): void {
    this.#indents = [];
  }

  #table(table: TableBlock): string | undefined {
    if (table.rows === 0 || table.columns === 0) return undefined;
    const { text, head } = pipeTable(table, this.#head);
    this.#head = head;
    return text;
  }
}

/** Joins items of a list with line breaks, and other blocks with blank lines. */
function joinBlocks(parts: readonly { text: string; item: boolean }[]): string {
  return parts
    .map(({ text, item }, at) => (at === 0 ? "" : item && parts[at - 1]?.item ? "\n" : "\n\n") + text)
    .join("");
}

/** Writes a layout; page markers, figures and barcodes are comments, running headers and footers are left out. */
export function markdown(layout: Layout): string {
  const writer = new MarkdownWriter();
  return layout.pages
    .map((page) => {
      const parts = [{ text: `<!-- page ${page.number} -->`, item: false }];
      for (const block of deskewPage(page).blocks) {
        const text = writer.write(block);
        if (text !== undefined) parts.push({ text, item: block.kind === "list-item" });
      }
      writer.endPage();
      return joinBlocks(parts);
    })
    .join("\n\n");
}
