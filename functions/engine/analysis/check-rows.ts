/**
 * Rows of lists: those that the document has and the result has not, and those that the result has twice. A row is a
 * band of a page; bands are in inches from the top of the page as shown.
 */

import type { Json } from "../../ports/json.ts";
import type { Layout, TableBlock } from "../../ports/layout.ts";
import type { Check } from "../confidence/check.ts";
import { same } from "../extraction/rules/amounts/printed-sums.ts";
import { intersects, median, middleY, unionBox } from "../layout/geometry.ts";
import { lineText, pageWords } from "../layout/page-words.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import type { Notation } from "../values/numbers.ts";
import { parseNumber } from "../values/numbers.ts";
import { type Issue, listsOf } from "./issue.ts";
import { anchored, type Band, bandOf, type Cell, covers, duplicates, rowsOf } from "./item-bands.ts";

export interface RowsInput {
  layout: Layout;
  result: Json;
  sources: SourceLocations;
  /** What another extractor read of the same document. */
  second: { result: Json; sources: SourceLocations } | null;
  checks: readonly Check[];
  notation: Notation;
}

/** How sure a row is missing: the sum lacks exactly it; nothing tells of sums; the sums come out without it. */
const BY_SUM = 0.95;
const BY_NUMBER = 0.85;
const BY_PLACE = 0.6;
/** Of the members that rows have as a rule, so many must be there for a line to count as a row. */
const FILLED = 0.6;
/** Rows that follow each other further apart than so many of their pitches belong to different tables. */
const PITCHES = 1.6;
const MOST_NAMED = 20;

/** The usual distance from row to row. */
function pitchOf(bands: readonly Band[]): number {
  const gaps = bands.slice(1).flatMap((band, at) => {
    const before = bands[at];
    return before !== undefined && before.page === band.page ? [middleY(band) - middleY(before)] : [];
  });
  return median(gaps.filter((gap) => gap > 0.02)) || 0.5;
}

/** Columns by member: from the leftmost to the rightmost edge of their cells. */
function columnsOf(rows: ReadonlyMap<number, Cell[]>): Map<string, { left: number; right: number }> {
  const columns = new Map<string, { left: number; right: number }>();
  for (const { member, box } of [...rows.values()].flat()) {
    const known = columns.get(member);
    columns.set(member, {
      left: Math.min(known?.left ?? box.left, box.left),
      right: Math.max(known?.right ?? box.right, box.right),
    });
  }
  return columns;
}

interface Candidate {
  page: number;
  at: number;
  /** Numbers of its cells. */
  numbers: number[];
  text: string;
}

interface List {
  pointer: string;
  bands: Band[];
  columns: Map<string, { left: number; right: number }>;
  pitch: number;
  /** Cells of a row as a rule. */
  usual: number;
}

function listOf(pointer: string, rows: ReadonlyMap<number, Cell[]>): List {
  const bands = [...rows.entries()].sort(([a], [b]) => a - b).flatMap(([, cells]) => bandOf(cells) ?? []);
  const counts = [...rows.values()].map((cells) => cells.length);
  return { pointer, bands, columns: columnsOf(rows), pitch: pitchOf(bands), usual: median(counts) || 1 };
}

/** Between the rows, or right before or behind them. */
const isNear = ({ bands, pitch }: List, page: number, at: number): boolean => {
  const own = bands.filter((band) => band.page === page);
  return own.some((band) => Math.abs(middleY(band) - at) <= pitch * PITCHES);
};

/** Rows that another extractor read where the result has none. */
function readElsewhere(list: List, { second }: RowsInput, notation: Notation): Candidate[] {
  if (second === null) return [];
  const found: Candidate[] = [];
  const lists = new Map(listsOf(second.result));
  const values = lists.get(list.pointer) ?? [];
  for (const [index, cells] of rowsOf(second.sources, list.pointer)) {
    const band = bandOf(cells);
    if (band === null || covers(list.bands, band.page, middleY(band))) continue;
    const inLine = cells.filter(({ member, box }) => {
      const column = list.columns.get(member);
      return column !== undefined && box.left <= column.right && box.right >= column.left;
    });
    if (inLine.length < Math.max(2, FILLED * list.usual) || !isNear(list, band.page, middleY(band))) continue;
    const row = values[index];
    const leaves = typeof row === "object" && row !== null ? Object.values(row) : [];
    found.push({
      page: band.page,
      at: middleY(band),
      numbers: leaves.flatMap((leaf) => numbersOf(leaf, notation)),
      text: leaves.filter((leaf) => leaf !== null && typeof leaf !== "object").join(" "),
    });
  }
  return found;
}

function numbersOf(value: Json | undefined, notation: Notation): number[] {
  if (typeof value === "number") return [value];
  const number = typeof value === "string" ? parseNumber(value, notation) : null;
  return number === null ? [] : [number];
}

/** Rows of the table that the list was read from, filled as its rows are. */
function tableRows(list: List, { layout }: RowsInput, notation: Notation): Candidate[] {
  return layout.pages.flatMap((page) =>
    page.blocks
      .filter((block): block is TableBlock => block.kind === "table")
      .flatMap((table) => candidatesOf(table, page.number, list, notation)),
  );
}

function candidatesOf(table: TableBlock, page: number, list: List, notation: Notation): Candidate[] {
  const rows = new Map<number, TableBlock["cells"]>();
  for (const cell of table.cells) {
    if (cell.lines.length === 0 || cell.row < table.headerRows || cell.rowSpan > 1) continue;
    const row = rows.get(cell.row);
    if (row === undefined) rows.set(cell.row, [cell]);
    else row.push(cell);
  }
  const own = [...rows.values()].filter((cells) => cells.some(({ box }) => covers(list.bands, page, middleY(box))));
  if (own.length === 0) return [];
  const filled = median(own.map((cells) => cells.length)) || 1;
  return [...rows.values()].flatMap((cells): Candidate[] => {
    const texts = cells.map(({ lines }) => lines.map(lineText).join(" "));
    const lines = unionBox(cells.flatMap((cell) => cell.lines.map(({ box }) => box)));
    const covered = cells.some((cell) => cell.lines.some(({ box }) => covers(list.bands, page, middleY(box))));
    if (covered || cells.length < Math.max(2, filled)) return [];
    const numbers = texts.flatMap((text) => parseNumber(text, notation) ?? []);
    return [{ page, at: middleY(lines), numbers, text: texts.join(" ") }];
  });
}

/** Where the values of a result that are in no row of a list stand. */
function placesBeside(list: List, { sources }: RowsInput): Cell[] {
  return Object.entries(sources.locations).flatMap(([pointer, location]) =>
    pointer.startsWith(`${list.pointer}/`) ? [] : anchored(pointer, location),
  );
}

/**
 * A printed number in one of the list's columns that stands among its rows, on none of those of the result. Signs are
 * not compared: a deduction is printed with one, without one, or with one behind it.
 */
function uncovered(list: List, input: RowsInput, wanted: number, notation: Notation): Candidate | null {
  const { layout } = input;
  const columns = [...list.columns.values()];
  const pages = new Set(list.bands.map(({ page }) => page));
  const others = placesBeside(list, input);
  for (const page of layout.pages.filter(({ number }) => pages.has(number))) {
    for (const { text, box } of pageWords(page)) {
      const value = /\d/.test(text) && text.length < 24 ? parseNumber(text, notation) : null;
      if (value === null || !same(Math.abs(value), Math.abs(wanted))) continue;
      if (covers(list.bands, page.number, middleY(box)) || !isNear(list, page.number, middleY(box))) continue;
      if (others.some((other) => other.page === page.number && intersects(other.box, box))) continue;
      if (columns.some(({ left, right }) => box.left <= right && box.right >= left)) {
        return { page: page.number, at: middleY(box), numbers: [value], text };
      }
    }
  }
  return null;
}

/** What a list's lines lack of the total that they should make; null where nothing says, 0 where they make it. */
function shortOf(list: string, result: Json, checks: readonly Check[], notation: Notation): number | null {
  const check = checks.find(
    ({ name, pointers }) => name === "lines-to-total" && pointers.some((one) => one.startsWith(`${list}/`)),
  );
  if (check === undefined) return null;
  if (check.ok) return 0;
  const valueAt = (pointer: string): number => {
    let value: Json | undefined = result;
    for (const step of pointer.slice(1).split("/")) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      value = typeof value !== "object" || value === null ? undefined : (value as { [name: string]: Json })[name];
    }
    return numbersOf(value, notation)[0] ?? Number.NaN;
  };
  const isLine = (pointer: string): boolean => pointer.startsWith(`${list}/`);
  const lines = check.pointers.filter(isLine).reduce((sum, pointer) => sum + valueAt(pointer), 0);
  const total = check.pointers.find((pointer) => !isLine(pointer));
  const short = total === undefined ? Number.NaN : valueAt(total) - lines;
  return Number.isNaN(short) ? null : Number(short.toFixed(4));
}

const missing = (pointer: string, { page, text }: Candidate, confidence: number): Issue => ({
  pointer,
  kind: "missing-row",
  issue: `A row of page ${page} is missing: "${text.replace(/\s+/g, " ").slice(0, 120)}".`,
  confidence,
  suggestion: "Add the row, or process the document again with mapReduce or extraction by STEPS.",
  detail: "It stands among the rows that were extracted, in their columns, and none of them has it.",
});

function missingRows(list: List, input: RowsInput): Issue[] {
  const { result, checks, notation } = input;
  if (list.bands.length === 0) return [];
  const short = shortOf(list.pointer, result, checks, notation);
  // Sums that come out are better evidence than places: what is left is a subtotal, or a note.
  if (short === 0) return [];
  const places = [...readElsewhere(list, input, notation), ...tableRows(list, input, notation)];
  const explains = short === null ? undefined : places.find(({ numbers }) => numbers.some((one) => same(one, short)));
  if (explains !== undefined) return [missing(list.pointer, explains, BY_SUM)];
  const number = short === null ? null : uncovered(list, input, short, notation);
  if (number !== null) return [missing(list.pointer, number, BY_NUMBER)];
  // Where the sum lacks something else, rows at odd places do not explain it.
  if (short !== null) return [];
  const seen = new Set<string>();
  return places
    .filter(({ page, at }) => {
      const key = `${page} ${at.toFixed(1)}`;
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .slice(0, MOST_NAMED)
    .map((one) => missing(list.pointer, one, BY_PLACE));
}

/** What is wrong with the rows of a result's lists. Pure. */
export function checkRows(input: RowsInput): Issue[] {
  return listsOf(input.result).flatMap(([pointer, rows]) => {
    const cells = rowsOf(input.sources, pointer);
    return [...missingRows(listOf(pointer, cells), input), ...duplicates(pointer, rows, cells)];
  });
}
