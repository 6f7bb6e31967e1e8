/** A layout as rows that may stand for items of a list: rows of tables, list items, and lines of all else. */
import type { Box, Layout, Page, Word } from "../../ports/layout.ts";
import { uprightPage } from "../layout/deskew.ts";
import { unionBox } from "../layout/geometry.ts";
import { blockLines, pageWords } from "../layout/page-words.ts";
import type { Row } from "../structure/view/tokens.ts";

/** Words of a row that belong together: a cell of a table, or what a wide gap parts from the rest. */
export interface Cell {
  text: string;
  left: number;
  right: number;
  /** Of a table: the column that it stands in. */
  column?: number;
}

export interface UnitWord {
  text: string;
  left: number;
  right: number;
  box: Box;
  /** Its box as shown; `box`, `left` and `right` are in the frame of the page's text. */
  shown: Box;
  /** Its place in the page's reading order, from 0. */
  index: number;
  /** 0 to 1. */
  confidence: number;
}

export interface Unit {
  /** Its place among all of the document, from 0. */
  order: number;
  page: number;
  /** In the frame of the page's text. */
  box: Box;
  /** The same as shown. */
  shown: Box;
  /** From left to right; of a table one for each filled cell. */
  cells: Cell[];
  words: UnitWord[];
  /** Of a table: its number in the document, and whether the row heads its columns. */
  table?: number;
  header?: true;
  /** Of a list item: its level. */
  level?: number;
}

export interface Units {
  all: Unit[];
  /** By page number: for each word of the page in reading order its unit's place, or -1. */
  byWord: Map<number, Int32Array>;
  /** By page number: its words in reading order. */
  words: Map<number, readonly Word[]>;
}

const byLeft = (a: { left: number }, b: { left: number }): number => a.left - b.left;
export const textOf = (unit: Unit): string => unit.cells.map(({ text }) => text).join(" | ");

interface Placed {
  /** In the frame of the page's text. */
  word: Word;
  shown: Box;
  index: number;
  column?: number;
}

const cellOf = (placed: readonly Placed[]): Cell => {
  const box = unionBox(placed.map(({ word }) => word.box));
  const column = placed[0]?.column;
  const text = placed.map(({ word }) => word.text).join(" ");
  return { text, left: box.left, right: box.right, ...(column === undefined ? {} : { column }) };
};

/** Rows of a page in the making, with the words that belong to each. */
interface Draft {
  unit: Omit<Unit, "order">;
  indexes: number[];
}

function draft(
  page: number,
  cells: readonly (readonly Placed[])[],
  facts: Pick<Unit, "table" | "header" | "level">,
): Draft[] {
  const filled = cells.filter((cell) => cell.length > 0);
  const placed = filled.flat();
  if (placed.length === 0) return [];
  const words = placed.map(({ index, shown, word: { text, box, confidence = 1 } }) => {
    return { text, left: box.left, right: box.right, box, shown, index, confidence };
  });
  const unit = {
    page,
    box: unionBox(placed.map(({ word }) => word.box)),
    shown: unionBox(placed.map(({ shown }) => shown)),
    cells: filled.map(cellOf).sort(byLeft),
    words: words.sort(byLeft),
    ...facts,
  };
  return [{ unit, indexes: placed.map(({ index }) => index) }];
}

/** Units of the blocks that are rows by themselves; words that are left are read as lines. */
function ownUnits(page: Page, shown: readonly Word[], tables: { count: number }) {
  const drafts: Draft[] = [];
  const taken = new Set<number>();
  const edges = new Set<number>();
  let index = 0;
  for (const block of page.blocks) {
    const take = (words: readonly Word[], column?: number): Placed[] =>
      words.map((word) => {
        taken.add(index);
        index += 1;
        return {
          word,
          shown: shown[index - 1]?.box ?? word.box,
          index: index - 1,
          ...(column === undefined ? {} : { column }),
        };
      });
    if (block.kind === "table") {
      const rows: Placed[][][] = Array.from({ length: block.rows }, () => []);
      for (const cell of block.cells) {
        const words = cell.lines.flatMap((line) => line.words);
        rows[cell.row]?.push(take(words, cell.column));
      }
      const table = tables.count;
      tables.count += 1;
      for (const [at, cells] of rows.entries())
        drafts.push(...draft(page.number, cells, { table, ...(at < block.headerRows ? { header: true } : {}) }));
    } else if (block.kind === "list-item") {
      const words = take(block.lines.flatMap((line) => line.words));
      drafts.push(...draft(page.number, [words], { level: block.level ?? 1 }));
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

function lineUnits(
  page: number,
  words: readonly Placed[],
  rows: readonly Row[],
  { taken, edges }: { taken: ReadonlySet<number>; edges: ReadonlySet<number> },
): Draft[] {
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
    return draft(page, cells, {});
  });
}

const inOrder = (a: Draft, b: Draft): number => a.unit.box.top - b.unit.box.top || a.unit.box.left - b.unit.box.left;

/**
 * All units of a layout, page after page, each page from top to bottom as its text runs.
 * @param rows the rows of each page as seen, by page number
 */
export function unitsOf(layout: Layout, rows: ReadonlyMap<number, readonly Row[]>): Units {
  const all: Unit[] = [];
  const byWord = new Map<number, Int32Array>();
  const words = new Map<number, readonly Word[]>();
  const tables = { count: 0 };
  for (const page of layout.pages) {
    const upright = uprightPage(page);
    const printed = pageWords(page);
    const { drafts, ...own } = ownUnits(upright, printed, tables);
    words.set(page.number, printed);
    const placed = pageWords(upright).map((word, index) => ({ word, shown: printed[index]?.box ?? word.box, index }));
    const lines = lineUnits(page.number, placed, rows.get(page.number) ?? [], own);
    const owners = new Int32Array(printed.length).fill(-1);
    for (const { unit, indexes } of [...drafts, ...lines].sort(inOrder)) {
      const order = all.push({ ...unit, order: all.length }) - 1;
      for (const index of indexes) owners[index] = order;
    }
    byWord.set(page.number, owners);
  }
  return { all, byWord, words };
}

/** A row that is printed on several lines: they become a part of it. */
export interface Joined {
  /** Places among the units (`order`). */
  into: number;
  from: readonly Unit[];
  /** They stand beside it, if a little lower or higher: their cells go between its own. */
  beside?: true;
}

export function joinedUnit(unit: Unit, { from, beside }: Pick<Joined, "from" | "beside">): Unit {
  const parts = [...from, unit].sort((a, b) => a.order - b.order);
  const [cells, words] = [parts.flatMap((part) => part.cells), parts.flatMap((part) => part.words)];
  // What the end of a page cut off stands elsewhere.
  const here = parts.filter(({ page }) => page === unit.page);
  const box = unionBox(here.map((part) => part.box));
  const shown = unionBox(here.map((part) => part.shown));
  return beside
    ? { ...unit, box, shown, cells: cells.sort(byLeft), words: words.sort(byLeft) }
    : { ...unit, box, shown, cells, words };
}

/** The same units with some of them in one; those that went into others stay as places without words. */
export function joinUnits({ all, byWord, words }: Units, joins: readonly Joined[]): Units {
  const next = [...all];
  const owners = new Map([...byWord].map(([page, own]) => [page, Int32Array.from(own)]));
  for (const join of joins) {
    const unit = next[join.into];
    if (unit === undefined) continue;
    next[join.into] = joinedUnit(unit, join);
    for (const { order, page, box, shown, words: gone } of join.from) {
      next[order] = { order, page, box, shown, cells: [], words: [] };
      for (const { index } of gone) owners.get(page)?.fill(join.into, index, index + 1);
    }
  }
  return { all: next, byWord: owners, words };
}
