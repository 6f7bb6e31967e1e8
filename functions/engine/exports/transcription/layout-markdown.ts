/** A layout as Markdown. */
import type { BarcodeBlock, Block, FigureBlock, Layout, TableBlock, TextBlock } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { cellText, itemText, oneLineText, paragraphText } from "./inline-text.ts";
import { escapeCell, escapeHeading, escapeInline } from "./markdown-escape.ts";

const DEEPEST = 6;
const DONE = /^(?:[☑☒✓✔✗✘]|\[[xX✓✔]\])$/u;
const OPEN = /^(?:[☐❏❑❒□]|\[ ?\])$/u;
/** Numbers that Markdown's own lists have. */
const NUMBER = /^\d{1,9}[.)]$/;
const LETTERED = /[\p{L}\p{N}]/u;

/** What stands before an item's text in Markdown. */
function markOf(marker: string): string {
  if (DONE.test(marker)) return "- [x] ";
  if (OPEN.test(marker)) return "- [ ] ";
  if (NUMBER.test(marker)) return `${marker} `;
  return LETTERED.test(marker) && marker !== "o" ? `- ${escapeInline(marker)} ` : "- ";
}

/** The columns that the text of the open items is indented by, outermost first. */
type Indents = number[];

/** One item; nested in those of lower levels before it. An item goes no deeper than one below the last. */
function listItem(block: TextBlock, indents: Indents): string {
  const level = Math.min(Math.max(block.level ?? 1, 1), indents.length + 1);
  indents.splice(level - 1);
  const indent = indents.reduce((sum, width) => sum + width, 0);
  const mark = markOf(block.marker ?? "");
  // A task's box is text: what is nested in it stands below the box.
  indents.push(mark.startsWith("- ") ? 2 : mark.length);
  return `${" ".repeat(indent)}${mark}${itemText(block.lines, block.marker ?? "")}`;
}

function gridOf({ rows, columns, cells }: TableBlock): string[][] {
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ""));
  for (const cell of cells) {
    const row = grid[cell.row];
    if (row !== undefined && cell.column < columns) row[cell.column] = escapeCell(cellText(cell.lines));
  }
  return grid;
}

const pipes = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Header rows as one, since Markdown has but one: the texts of a column one below the other. */
const headOf = (rows: readonly string[][], columns: number): string[] =>
  Array.from({ length: columns }, (_, column) =>
    rows
      .map((row) => row[column] ?? "")
      .filter((text) => text !== "")
      .join("<br>"),
  );

/**
 * A table with pipes. A spanning cell's text stands where it begins. A table without header rows gets an empty one, as
 * does one that goes on from the page before: its header has been written there.
 */
function pipeTable(table: TableBlock, before: string | undefined): { text: string; head: string } {
  const grid = gridOf(table);
  const own = headOf(grid.slice(0, table.headerRows), table.columns);
  const repeats = table.continued === true && own.join("\n") === before;
  const head = repeats ? own.map(() => "") : own;
  const rule = head.map(() => "---");
  const rows = grid.slice(table.headerRows);
  return { text: [head, rule, ...rows].map(pipes).join("\n"), head: own.join("\n") };
}

const textOf = ({ lines }: TextBlock | FigureBlock): string[] => (lines.length === 0 ? [] : [paragraphText(lines)]);

/** What is seen and not read: a comment, as page markers are. */
function comment(block: FigureBlock | BarcodeBlock): string {
  if (block.kind === "figure") return "<!-- figure -->";
  // As JSON, where two hyphens, which could end the comment, are written in another way.
  const value = JSON.stringify(block.value).replaceAll("--", "-\\u002d");
  return `<!-- barcode ${block.format} ${value} -->`;
}

/** Writes blocks one after the other; knows what a list or a table goes on from. */
class MarkdownWriter {
  #indents: Indents = [];
  #head: string | undefined;

  /** Its text; undefined for what Markdown leaves out. */
  write(block: Block): string | undefined {
    if (block.kind === "header" || block.kind === "footer") return undefined;
    if (block.kind === "list-item") return listItem(block, this.#indents);
    this.#indents = [];
    if (block.kind === "table") return this.#table(block);
    if (block.kind === "heading") {
      return `${"#".repeat(Math.min(block.level ?? 1, DEEPEST))} ${escapeHeading(oneLineText(block.lines))}`;
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

/** Items of one list stand together, all else is parted by blank lines. */
function joinBlocks(parts: readonly { text: string; item: boolean }[]): string {
  return parts
    .map(({ text, item }, at) => (at === 0 ? "" : item && parts[at - 1]?.item ? "\n" : "\n\n") + text)
    .join("");
}

/** Page markers, figures and barcodes as comments; running headers and footers are left out. */
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
