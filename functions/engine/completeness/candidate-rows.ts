/** A layout as rows that may stand for items of a list: rows of tables, list items, and lines of all else. */
import type { Box, Layout, Page, Word } from "../../ports/layout.ts";
import { uprightPage } from "../layout/deskew.ts";
import { unionBox } from "../layout/geometry.ts";
import { blockLines, pageWords } from "../layout/page-words.ts";
import type { Row } from "../structure/view/document-view.ts";

/** Words of a row that belong together: a cell of a table, or what a wide gap parts from the rest. */
export interface Cell {
  text: string;
  left: number;
  right: number;
  /** Of a table: the column that it stands in. */
  column?: number;
}

export interface RowWord {
  text: string;
  left: number;
  right: number;
  box: Box;
  /** Its box as shown; `box`, `left` and `right` are in the frame of the page's text. */
  shownBox: Box;
  /** Its place in the page's reading order, from 0. */
  index: number;
  /** 0 to 1. */
  confidence: number;
}

export interface CandidateRow {
  /** Its place among all of the document, from 0. */
  order: number;
  page: number;
  /** In the frame of the page's text. */
  box: Box;
  /** The same as shown. */
  shownBox: Box;
  /** From left to right; of a table one for each filled cell. */
  cells: Cell[];
  words: RowWord[];
  /** Of a table: its number in the document, and whether the row heads its columns. */
  table?: number;
  header?: true;
  /** Of a list item: its level. */
  level?: number;
}

export interface CandidateRows {
  all: CandidateRow[];
  /** By page number: for each word of the page in reading order its unit's place, or -1. */
  rowOfWord: Map<number, Int32Array>;
  /** By page number: its words in reading order. */
  words: Map<number, readonly Word[]>;
}

const byLeft = (a: { left: number }, b: { left: number }): number => a.left - b.left;
export const rowText = (row: CandidateRow): string => row.cells.map(({ text }) => text).join(" | ");

interface PlacedWord {
  /** In the frame of the page's text. */
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

/** Rows of a page in the making, with the words that belong to each. */
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

/** Units of the blocks that are rows by themselves; words that are left are read as lines. */
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
      // What repeats at the edge of pages is no row of a list, but may be a word of one.
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
      // The parts of one word share its place.
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
 * All units of a layout, page after page, each page from top to bottom as its text runs.
 * @param rows the rows of each page as seen, by page number
 */
export function findCandidateRows(layout: Layout, rows: ReadonlyMap<number, readonly Row[]>): CandidateRows {
  const all: CandidateRow[] = [];
  const rowOfWord = new Map<number, Int32Array>();
  const words = new Map<number, readonly Word[]>();
  const tables = { count: 0 };
  for (const page of layout.pages) {
    const upright = uprightPage(page);
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

/** A row that is printed on several lines: they become a part of it. */
export interface RowJoin {
  /** Places among the units (`order`). */
  into: number;
  from: readonly CandidateRow[];
  /** They stand beside it, if a little lower or higher: their cells go between its own. */
  beside?: true;
}

export function joinedRow(row: CandidateRow, { from, beside }: Pick<RowJoin, "from" | "beside">): CandidateRow {
  const parts = [...from, row].sort((a, b) => a.order - b.order);
  const [cells, words] = [parts.flatMap((part) => part.cells), parts.flatMap((part) => part.words)];
  // What the end of a page cut off stands elsewhere.
  const here = parts.filter(({ page }) => page === row.page);
  const box = unionBox(here.map((part) => part.box));
  const shown = unionBox(here.map((part) => part.shownBox));
  return beside
    ? { ...row, box, shownBox: shown, cells: cells.sort(byLeft), words: words.sort(byLeft) }
    : { ...row, box, shownBox: shown, cells, words };
}

/** The same units with some of them in one; those that went into others stay as places without words. */
export function joinRows({ all, rowOfWord, words }: CandidateRows, joins: readonly RowJoin[]): CandidateRows {
  const next = [...all];
  const owners = new Map([...rowOfWord].map(([page, own]) => [page, Int32Array.from(own)]));
  for (const join of joins) {
    const row = next[join.into];
    if (row === undefined) continue;
    next[join.into] = joinedRow(row, join);
    for (const { order, page, box, shownBox: shown, words: gone } of join.from) {
      next[order] = { order, page, box, shownBox: shown, cells: [], words: [] };
      for (const { index } of gone) owners.get(page)?.fill(join.into, index, index + 1);
    }
  }
  return { all: next, rowOfWord: owners, words };
}
