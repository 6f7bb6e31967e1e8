/** The rows of a layout that may be items of a list: table rows, list items, and lines of all other text. */
import type { Box, Layout, Page } from "../../../ports/layout.ts";
import { unionBox } from "../../layout/geometry.ts";
import { blockLines } from "../../layout/page-words.ts";
import type { DocumentView } from "../view/document-view.ts";
import type { TableView } from "../view/table-view.ts";
import { type Row, type Token, unionOf } from "../view/tokens.ts";
import { cellOf, type RecordCell } from "./record-set.ts";
import { certainHeaderRows } from "./table-records.ts";

/** A cell with its place. */
export interface RowCell extends RecordCell {
  /** Inches; in lists side by side, from where the first column stands; in turned tables, from its top. */
  left: number;
  right: number;
  /** Column index in its table; only for cells of a table. */
  column?: number;
}

export interface CandidateRow {
  /** Zero-based index among all rows of the document. */
  order: number;
  page: number;
  /** In the deskewed page's coordinates. */
  box: Box;
  /** In the coordinates of the page as shown. */
  shownBox: Box;
  /** From left to right; in a table one for each filled cell. */
  cells: RowCell[];
  /** From left to right. */
  words: Token[];
  /** Rows of a table only: the table's index in the document, and `header` for header rows. */
  table?: number;
  header?: true;
  /** List items only: the nesting level. */
  level?: number;
  /** In lists side by side: the distance of its column from the first one, inches; in turned tables its top. */
  shift?: number;
  /** It is a column of a table: its cells stand below each other. */
  turned?: true;
}

export interface CandidateRows {
  all: CandidateRow[];
  /** By page number: the row index of each word in reading order, -1 for words of no row. */
  rowOfWord: Map<number, Int32Array>;
}

const byLeft = (a: RowCell, b: RowCell): number => a.left - b.left;
const tokensFromLeft = (a: Token, b: Token): number => a.box.left - b.box.left;
export const rowText = (row: CandidateRow): string => row.cells.map(({ text }) => text).join(" | ");

/** The edges of a row's word, in lists side by side from where the first column stands, in turned tables from its top. */
export function wordEdges({ shift = 0, turned }: CandidateRow, { box }: Token): { left: number; right: number } {
  const [left, right] = turned ? [box.top, box.bottom] : [box.left, box.right];
  return { left: left - shift, right: right - shift };
}

function rowCell(lines: readonly Token[][], column?: number): RowCell {
  const cell = cellOf(lines);
  const { left, right } = unionOf(cell.tokens);
  return { ...cell, left, right, ...(column === undefined ? {} : { column }) };
}

/** A row without its index yet. */
type RowDraft = Omit<CandidateRow, "order">;

function draftRow(page: number, cells: RowCell[], facts: Pick<CandidateRow, "table" | "header" | "level">): RowDraft {
  const words = cells.flatMap(({ tokens }) => tokens).sort(tokensFromLeft);
  const shownBox = unionBox(words.map(({ shown }) => shown.box));
  return { page, box: unionOf(words), shownBox, cells: cells.sort(byLeft), words, ...facts };
}

/** The words of a page by their positions: those of blocks that are rows by themselves, and of running lines. */
interface PageWords {
  count: number;
  /** The level of each list item, and for each of its words its position among them. */
  levels: number[];
  itemOf: number[];
  /** True for words of tables and list items. */
  taken: boolean[];
  /** True for words of repeated page headers and footers: no rows of a list, but they may be part of one. */
  edges: boolean[];
}

function wordsOfBlocks({ blocks }: Page): PageWords {
  const found: PageWords = { count: 0, levels: [], itemOf: [], taken: [], edges: [] };
  for (const block of blocks) {
    const from = found.count;
    found.count += blockLines(block).reduce((sum, { words }) => sum + words.length, 0);
    if (block.kind === "list-item") found.levels.push(block.level ?? 1);
    for (let at = from; at < found.count; at += 1) {
      found.itemOf[at] = block.kind === "list-item" ? found.levels.length - 1 : -1;
      found.taken[at] = block.kind === "table" || block.kind === "list-item";
      found.edges[at] = block.kind === "header" || block.kind === "footer";
    }
  }
  return found;
}

/** Tables of one page, with their indexes in the document. */
type PageTables = readonly (TableView & { table: number })[];

const tableRows = (page: number, tables: PageTables): RowDraft[] =>
  tables.flatMap((view) => {
    const [{ table, rows }, heads] = [view, certainHeaderRows(view)];
    return rows.flatMap((cells, at) => {
      const own = cells.map(({ lines, column }) => rowCell(lines, column));
      const facts = at < heads ? { table, header: true as const } : { table };
      return own.length === 0 ? [] : [draftRow(page, own, facts)];
    });
  });

function itemRows(page: number, rows: readonly Row[], { levels, itemOf }: PageWords): RowDraft[] {
  if (levels.length === 0) return [];
  const tokens = rows.flatMap(({ segments }) => segments.flatMap((segment) => segment.tokens));
  const items = Map.groupBy(tokens, ({ index }) => itemOf[index] ?? -1);
  return levels.flatMap((level, at) => {
    const own = items.get(at)?.sort((a, b) => a.index - b.index);
    return own === undefined ? [] : [draftRow(page, [rowCell([own])], { level })];
  });
}

const lineRows = (page: number, rows: readonly Row[], { taken, edges }: PageWords): RowDraft[] =>
  rows.flatMap(({ segments }) => {
    const cells = segments.map(({ tokens }) => tokens.filter(({ index }) => !taken[index]));
    const filled = cells.filter(({ length }) => length > 0);
    if (!filled.some((tokens) => tokens.some(({ index }) => !edges[index]))) return [];
    return [
      draftRow(
        page,
        filled.map((tokens) => rowCell([tokens])),
        {},
      ),
    ];
  });

const byPosition = (a: RowDraft, b: RowDraft): number => a.box.top - b.box.top || a.box.left - b.box.left;

/** Finds all candidate rows of a layout, page by page, each page from top to bottom in its deskewed coordinates. */
export function findCandidateRows(layout: Layout, view: DocumentView): CandidateRows {
  const all: CandidateRow[] = [];
  const rowOfWord = new Map<number, Int32Array>();
  const tables = Map.groupBy(
    view.tables.map((own, table) => ({ ...own, table })),
    ({ page }) => page,
  );
  for (const [at, page] of layout.pages.entries()) {
    const { number, rows } = view.pages[at] ?? { number: page.number, rows: [] };
    const words = wordsOfBlocks(page);
    const drafts = [
      ...tableRows(number, tables.get(number) ?? []),
      ...itemRows(number, rows, words),
      ...lineRows(number, rows, words),
    ];
    const owners = new Int32Array(words.count).fill(-1);
    for (const draft of drafts.sort(byPosition)) {
      const order = all.push({ ...draft, order: all.length }) - 1;
      for (const { index } of draft.words) owners[index] = order;
    }
    rowOfWord.set(number, owners);
  }
  return { all, rowOfWord };
}

/** A row that is printed on several lines: the other lines are merged into one of them. */
export interface RowJoin {
  /** Row index (`order`) that the others are merged into. */
  into: number;
  from: readonly CandidateRow[];
  /** The merged lines stand beside the row, slightly higher or lower: cells are ordered from left to right. */
  beside?: true;
}

export function joinedRow(row: CandidateRow, { from, beside }: Pick<RowJoin, "from" | "beside">): CandidateRow {
  const parts = [...from, row].sort((a, b) => a.order - b.order);
  const [cells, words] = [parts.flatMap((part) => part.cells), parts.flatMap((part) => part.words)];
  // Lines beyond a page break do not extend the box.
  const here = parts.filter(({ page }) => page === row.page);
  const box = unionBox(here.map((part) => part.box));
  const shown = unionBox(here.map((part) => part.shownBox));
  return beside
    ? { ...row, box, shownBox: shown, cells: cells.sort(byLeft), words: words.sort(tokensFromLeft) }
    : { ...row, box, shownBox: shown, cells, words };
}

/** Merges rows. Rows that were merged into others keep their index, without words. */
export function joinRows({ all, rowOfWord }: CandidateRows, joins: readonly RowJoin[]): CandidateRows {
  const next = [...all];
  const owners = new Map([...rowOfWord].map(([page, own]) => [page, Int32Array.from(own)]));
  for (const join of joins) {
    const row = next[join.into];
    if (row === undefined) continue;
    next[join.into] = joinedRow(row, join);
    for (const { order, page, box, shownBox, words: gone } of join.from) {
      next[order] = { order, page, box, shownBox, cells: [], words: [] };
      for (const { index } of gone) owners.get(page)?.fill(join.into, index, index + 1);
    }
  }
  return { all: next, rowOfWord: owners };
}
