/** Markdown by its blocks (CommonMark 0.31, chapters 4 and 5; tables as GitHub writes them). */
import type { LogicalPages } from "../../layout/logical/logical-pages.ts";
import { hasText, type TextRun } from "../../layout/logical/logical-rows.ts";
import type { GridCell } from "../../layout/logical/logical-tables.ts";
import { inlineRuns } from "./inline-markdown.ts";

const LIST_INDENT_COLUMNS = 3;
/** A list nested deeper is indented text. */
const MAX_LIST_LEVEL = 9;
const MAX_ROW_CELLS = 1_000;
/** Limit for the line between a table's head and its body. */
const MAX_TABLE_RULE_CHARACTERS = 10_000;

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const FENCE = /^ {0,3}(`{3,}|~{3,})[^`]*$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(?:[ \t]+(.*)|[ \t]*)$/;
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;

/** The cells of a row. A bar behind a backslash is text. */
function splitCells(row: string): string[] {
  const bare = row.trim().replace(/^\||(?<!\\)\|$/g, "");
  return bare
    .split(/(?<!\\)\|/)
    .slice(0, MAX_ROW_CELLS)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

const toCells = (row: string, columns: number): GridCell[] =>
  splitCells(row)
    .slice(0, columns)
    .map((text, column) => ({ column, span: 1, runs: inlineRuns(text.replace(/<br\s*\/?>/gi, "\n")) }));

/** Columns of white space at the start of a line, with tabs to every fourth column. */
function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === " ") width += 1;
    else if (character === "\t") width += 4 - (width % 4);
    else break;
  }
  return width;
}

/** Reads lines one by one and lays out each block when it ends. */
class MarkdownReader {
  readonly #pages: LogicalPages;
  readonly #lines: readonly string[];
  #at = 0;
  /** Lines of the open paragraph or list item. */
  #open: string[] = [];
  #item: { level: number; marker: string } | undefined;
  /** Start columns of the list items that enclose the current one. */
  #indents: number[] = [];

  constructor(pages: LogicalPages, lines: readonly string[]) {
    this.#pages = pages;
    this.#lines = lines;
  }

  read(): void {
    this.#frontMatter();
    while (this.#at < this.#lines.length) this.#next();
    this.#flush();
  }

  /** Front matter: facts about the file between two lines of `---`, each on a line of its own. */
  #frontMatter(): void {
    if (this.#lines[0]?.trimEnd() !== "---") return;
    const end = this.#lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
    const facts = this.#lines.slice(1, Math.max(end, 1));
    if (facts.length === 0 || !facts.every((line) => /^(?:[\w-]+:|\s|-\s|$)/.test(line))) return;
    for (const line of facts) this.#pages.line([{ text: line }]);
    this.#pages.endBlock();
    this.#at = end + 1;
  }

  #next(): void {
    const raw = this.#lines[this.#at] ?? "";
    const line = raw.replace(/^(?: {0,3}> ?)+/, "");
    const fence = FENCE.exec(line.trimStart().length > 0 && this.#indents.length > 0 ? line.trimStart() : line)?.[1];
    const heading = HEADING.exec(line);
    const level = heading?.[1]?.length ?? 0;
    this.#at += 1;
    if (line.includes("\f")) this.#pageBreak(line);
    else if (line.trim() === "") this.#blank();
    else if (fence !== undefined) this.#code(fence);
    else if (heading !== null)
      this.#heading(
        line
          .slice(heading[0].length)
          .trim()
          .replace(/(?:^|[ \t])#+$/, ""),
        level,
      );
    else if (this.#isUnderlined(line)) this.#underlined(line);
    else if (RULE.test(line)) this.#flush();
    else if (this.#beginsTable(line)) this.#table(line);
    else if (!this.#listItem(line)) this.#text(line);
  }

  #pageBreak(line: string): void {
    this.#flush();
    for (const [index, part] of line.split("\f").entries()) {
      if (index > 0 && !this.#pages.atTop) this.#pages.breakPage();
      if (part.trim() !== "") this.#text(part);
      this.#flush();
    }
  }

  #blank(): void {
    this.#flush();
    const next = this.#lines[this.#at] ?? "";
    // A list continues behind a blank line when the next line is indented or an item.
    if (indentOf(next) === 0 && !ITEM.test(next) && next.trim() !== "") this.#indents = [];
  }

  #flush(): void {
    const lines = this.#open;
    const item = this.#item;
    this.#open = [];
    this.#item = undefined;
    const text = lines.reduce(joinLine, "");
    const runs = inlineRuns(text);
    if (!hasText(runs)) return;
    if (item === undefined) this.#pages.block(runs);
    else this.#pages.block(runs, { kind: "list-item", ...item, indent: LIST_INDENT_COLUMNS * (item.level - 1) });
  }

  #heading(text: string, level: number): void {
    this.#flush();
    this.#indents = [];
    const runs = inlineRuns(text.trim());
    if (runs.length > 0) this.#pages.block(runs, { kind: "heading", level });
  }

  #isUnderlined(line: string): boolean {
    const under = UNDERLINE.exec(this.#lines[this.#at] ?? "")?.[1];
    if (under === undefined || this.#open.length > 0 || this.#indents.length > 0 || ITEM.test(line)) return false;
    return under.startsWith("=") || under.length > 1;
  }

  #underlined(line: string): void {
    const under = this.#lines[this.#at] ?? "";
    this.#at += 1;
    this.#heading(line, under.trim().startsWith("=") ? 1 : 2);
  }

  /** Lines between fences stay unchanged. */
  #code(fence: string): void {
    this.#flush();
    const close = new RegExp(`^\\s*\\${fence[0]}{${fence.length},}\\s*$`);
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? "";
      if (close.test(line)) break;
      const text: TextRun[] = [{ text: line }];
      if (line.trim() !== "") this.#pages.line(text);
    }
    this.#at += 1;
    this.#pages.endBlock();
  }

  #beginsTable(line: string): boolean {
    const rule = this.#lines[this.#at] ?? "";
    if (!line.includes("|") || rule.length > MAX_TABLE_RULE_CHARACTERS || !TABLE_RULE.test(rule) || !rule.includes("-"))
      return false;
    return splitCells(rule).length === splitCells(line).length;
  }

  #table(head: string): void {
    this.#flush();
    const columns = splitCells(head).length;
    const rows = [toCells(head, columns)];
    for (this.#at += 1; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? "";
      if (line.trim() === "" || !line.includes("|") || HEADING.test(line)) break;
      rows.push(toCells(line, columns));
    }
    this.#pages.table(rows, { headerRows: 1 });
  }

  #listItem(line: string): boolean {
    const [, space = "", mark = "", text = ""] = ITEM.exec(line) ?? [];
    if (mark === "") return false;
    const indent = indentOf(space);
    // A number at the start of a line does not end a paragraph, unless it is 1, which begins a list.
    const inText = this.#open.length > 0 && this.#item === undefined;
    if (inText && /\d/.test(mark) && Number.parseInt(mark, 10) !== 1) return false;
    if (this.#indents.length === 0 && indent > 3) return false;
    this.#flush();
    // An item indented by two columns or more belongs to the item before it.
    while (this.#indents.length > 0 && indent < (this.#indents.at(-1) ?? 0) + 2) this.#indents.pop();
    this.#indents.push(indent);
    const level = Math.min(this.#indents.length, MAX_LIST_LEVEL);
    this.#item = { level, marker: /\d/.test(mark) ? mark : "•" };
    this.#open = [text];
    return true;
  }

  #text(line: string): void {
    // Four columns of indentation without an open paragraph: code, which stays unchanged.
    if (this.#open.length === 0 && this.#indents.length === 0 && indentOf(line) >= 4) {
      this.#pages.line([{ text: line }]);
      const next = this.#lines[this.#at] ?? "";
      if (indentOf(next) < 4 || next.trim() === "") this.#pages.endBlock();
      return;
    }
    this.#open.push(line.trimStart());
  }
}

/** Two spaces or a backslash at the end of a line break it; otherwise lines are joined by a space. */
function joinLine(text: string, line: string): string {
  const isBroken = line.endsWith("  ") || line.endsWith("\\");
  const part = isBroken ? `${(line.endsWith("\\") ? line.slice(0, -1) : line).trimEnd()}\n` : line;
  return text === "" || text.endsWith("\n") ? text + part : `${text} ${part}`;
}

/** Lays out a Markdown text: headings, lists, tables, code and paragraphs; a form feed begins a new page. */
export const layMarkdown = (pages: LogicalPages, text: string): void =>
  new MarkdownReader(pages, text.split(/\r\n?|\n/)).read();
