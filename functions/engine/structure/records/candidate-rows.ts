/** The rows of a layout that may be items of a list: table rows, list items, and lines of all other text. */
import type { Box, Layout, Page, Word } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { unionBox } from "../../layout/geometry.ts";
import { blockLines, pageWords } from "../../layout/page-words.ts";
import type { Row } from "../view/tokens.ts";

/** Adjacent words of a row: a table cell, or a stretch of words between wide gaps. */
export interface Cell {
  text: string;
  left: number;
  right: number;
  /** Column index in its table; only for cells of a table. */
  column?: number;
}

export interface RowWord {
  text: string;
  left: number;
  right: number;
  box: Box;
  /** The word's box on the page as shown; `box`, `left` and `right` are in the deskewed page's coordinates. */
  shownBox: Box;
  /** Zero-based position in the page's reading order. */
  index: number;
  /** Recognition confidence, 0 to 1. */
  confidence: number;
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
  cells: Cell[];
  words: RowWord[];
  /** Rows of a table only: the table's index in the document, and `header` for header rows. */
  table?: number;
  header?: true;
  /** List items only: the nesting level. */
  level?: number;
}

export interface CandidateRows {
  all: CandidateRow[];
  /** By page number: the row index of each word in reading order, -1 for words of no row. */
  rowOfWord: Map<number, Int32Array>;
  /** By page number: the words in reading order. */
  words: Map<number, readonly Word[]>;
}

const byLeft = (a: { left: number }, b: { left: number }): number => a.left - b.left;
export const rowText = (row: CandidateRow): string => row.cells.map(({ text }) => text).join(" | ");

interface PlacedWord {
  /** In the deskewed page's coordinates. */
  word: Word;
  shownBox: Box;
  index: number;
  column?: number;
}

const cellFromWords = (placed: readonly PlacedWord[]): Cell => {
  const box = unionBox(placed.map(({ word }) => word.box));
  const column = placed[0]?.column;
  const text = placed.map(({ word }) => word.text).join(" ");
  return { text, left: box.left, right: box.right, ...(column === undefined ? {} : { column }) };
};

/** A row without its order yet, with the indexes of its words. */
interface RowDraft {
  row: Omit<CandidateRow, "order">;
  wordIndexes: number[];
}

function draftRows(
  page: number,
  cells: readonly (readonly PlacedWord[])[],
  facts: Pick<CandidateRow, "table" | "header" | "level">,
): RowDraft[] {
  const filled = cells.filter((cell) => cell.length > 0);
  const placed = filled.flat();
  if (placed.length === 0) return [];
  const words = placed.map(({ index, shownBox, word: { text, box, confidence = 1 } }) => {
    return { text, left: box.left, right: box.right, box, shownBox, index, confidence };
  });
  const row = {
    page,
    box: unionBox(placed.map(({ word }) => word.box)),
    shownBox: unionBox(placed.map(({ shownBox }) => shownBox)),
    cells: filled.map(cellFromWords).sort(byLeft),
    words: words.sort(byLeft),
    ...facts,
  };
  return [{ row, wordIndexes: placed.map(({ index }) => index) }];
}

/** Rows of tables and list items; the remaining words are read as lines. */
function blockRows(page: Page, shown: readonly Word[], tables: { count: number }) {
  const drafts: RowDraft[] = [];
  const taken = new Set<number>();
  const edges = new Set<number>();
  let index = 0;
  for (const block of page.blocks) {
    const take = (words: readonly Word[], column?: number): PlacedWord[] =>
      words.map((word) => {
        taken.add(index);
        index += 1;
        return {
          word,
          shownBox: shown[index - 1]?.box ?? word.box,
          index: index - 1,
          ...(column === undefined ? {} : { column }),
        };
      });
    if (block.kind === "table") {
      const rows: PlacedWord[][][] = Array.from({ length: block.rows }, () => []);
      for (const cell of block.cells) {
        const words = cell.lines.flatMap((line) => line.words);
        rows[cell.row]?.push(take(words, cell.column));
      }
      const table = tables.count;
      tables.count += 1;
      for (const [at, cells] of rows.entries())
        drafts.push(...draftRows(page.number, cells, { table, ...(at < block.headerRows ? { header: true } : {}) }));
    } else if (block.kind === "list-item") {
      const words = take(block.lines.flatMap((line) => line.words));
      drafts.push(...draftRows(page.number, [words], { level: block.level ?? 1 }));
    } else if (block.kind === "header" || block.kind === "footer") {
      // A repeated page header or footer is no row of a list, but its words may be part of one.
      const count = block.lines.reduce((sum, { words }) => sum + words.length, 0);
      for (let at = 0; at < count; at += 1) edges.add(index + at);
      index += count;
    } else {
      index += blockLines(block).reduce((sum, { words }) => sum + words.length, 0);
    }
  }
  return { drafts, taken, edges };
}

function lineRows(
  page: number,
  words: readonly PlacedWord[],
  rows: readonly Row[],
  { taken, edges }: { taken: ReadonlySet<number>; edges: ReadonlySet<number> },
): RowDraft[] {
  return rows.flatMap((row) => {
    const isBody = row.segments.some(({ tokens }) =>
      tokens.some(({ index }) => !taken.has(index) && !edges.has(index)),
    );
    if (!isBody) return [];
    const cells = row.segments.map(({ tokens }) =>
      // Parts of one word share its index.
      [...new Set(tokens.map(({ index }) => index))]
        .filter((index) => !taken.has(index))
        .flatMap((index) => words[index] ?? []),
    );
    return draftRows(page, cells, {});
  });
}

const byPosition = (a: RowDraft, b: RowDraft): number =>
  a.row.box.top - b.row.box.top || a.row.box.left - b.row.box.left;

/**
 * Finds all candidate rows of a layout, page by page, each page from top to bottom in its deskewed coordinates.
 * @param rows the visual rows of each page, by page number
 */
export function findCandidateRows(layout: Layout, rows: ReadonlyMap<number, readonly Row[]>): CandidateRows {
  const all: CandidateRow[] = [];
  const rowOfWord = new Map<number, Int32Array>();
  const words = new Map<number, readonly Word[]>();
  const tables = { count: 0 };
  for (const page of layout.pages) {
    const upright = deskewPage(page);
    const printed = pageWords(page);
    const { drafts, ...own } = blockRows(upright, printed, tables);
    words.set(page.number, printed);
    const placed = pageWords(upright).map((word, index) => ({
      word,
      shownBox: printed[index]?.box ?? word.box,
      index,
    }));
    const lines = lineRows(page.number, placed, rows.get(page.number) ?? [], own);
    const owners = new Int32Array(printed.length).fill(-1);
    for (const { row, wordIndexes } of [...drafts, ...lines].sort(byPosition)) {
      const order = all.push({ ...row, order: all.length }) - 1;
      for (const index of wordIndexes) owners[index] = order;
    }
    rowOfWord.set(page.number, owners);
  }
  return { all, rowOfWord, words };
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
    ? { ...row, box, shownBox: shown, cells: cells.sort(byLeft), words: words.sort(byLeft) }
    : { ...row, box, shownBox: shown, cells, words };
}

/** Merges rows. Rows that were merged into others keep their index, without words. */
export function joinRows({ all, rowOfWord, words }: CandidateRows, joins: readonly RowJoin[]): CandidateRows {
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
  return { all: next, rowOfWord: owners, words };
}
