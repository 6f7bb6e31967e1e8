/**
 * Rows of lists that the result lacks, and rows that it repeats. A row is a band of a page; bands are in inches from the
 * top of the page as shown.
 */

import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import type { Check } from "../confidence/check.ts";
import { sameAmount } from "../extraction/rules/amounts/printed-sums.ts";
import { intersects, median, middleY } from "../layout/geometry.ts";
import { pageWords } from "../layout/page-words.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { unescapeStep } from "../schema/json-pointer.ts";
import type { CandidateRow } from "../structure/records/candidate-rows.ts";
import { cellTexts, itemRowsOf } from "../structure/records/group-item-rows.ts";
import { documentRows } from "../structure/records/page-rows.ts";
import { type Notation, parseNumber } from "../values/numbers.ts";
import { type Issue, listsOf } from "./issue.ts";
import { type Band, bandOf, type Cell, cellsAt, covers, duplicates, rowsOf } from "./item-bands.ts";

export interface RowsInput {
  layout: Layout;
  result: Json;
  sources: SourceLocations;
  /** Another extractor's reading of the same document. */
  second: { result: Json; sources: SourceLocations } | null;
  checks: readonly Check[];
  notation: Notation;
}

/** Confidence that a row is missing: the sum lacks exactly its amount. */
const MISSING_BY_SUM_CONFIDENCE = 0.95;
/** The sum lacks a number that is printed among the rows. */
const MISSING_BY_NUMBER_CONFIDENCE = 0.85;
/** No sum is known; the row's place is the only evidence. */
const MISSING_BY_PLACE_CONFIDENCE = 0.6;
/** Share of the usual number of cells from which a line counts as a row. */
const MIN_FILLED_SHARE = 0.6;
const MIN_ROW_CELLS = 2;
/** Rows further apart belong to different tables. */
const MAX_ROW_DISTANCE_PITCHES = 1.6;
const DEFAULT_PITCH_INCHES = 0.5;
/** Smaller distances of rows are ignored. */
const MIN_PITCH_INCHES = 0.02;
const MAX_REPORTED_ROWS = 20;
const MAX_QUOTE_CHARS = 120;
const MAX_NUMBER_CHARS = 24;

/** The usual distance from row to row. */
function pitchOf(bands: readonly Band[]): number {
  const gaps = bands.slice(1).flatMap((band, at) => {
    const before = bands[at];
    return before !== undefined && before.page === band.page ? [middleY(band) - middleY(before)] : [];
  });
  return median(gaps.filter((gap) => gap > MIN_PITCH_INCHES)) || DEFAULT_PITCH_INCHES;
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

/** A row of the pages that the result may lack. */
interface UncoveredRow {
  page: number;
  at: number;
  /** The numbers in its cells. */
  numbers: number[];
  text: string;
}

interface RowList {
  pointer: string;
  bands: Band[];
  columns: Map<string, { left: number; right: number }>;
  pitch: number;
  /** Median number of cells of a row. */
  usualCells: number;
}

function listOf(pointer: string, rows: ReadonlyMap<number, Cell[]>): RowList {
  const bands = [...rows.entries()].sort(([a], [b]) => a - b).flatMap(([, cells]) => bandOf(cells) ?? []);
  const counts = [...rows.values()].map((cells) => cells.length);
  return {
    pointer,
    bands,
    columns: columnsOf(rows),
    pitch: pitchOf(bands),
    usualCells: median(counts) || 1,
  };
}

/** The place lies between the rows, or right before or after them. */
const isNear = ({ bands, pitch }: RowList, page: number, at: number): boolean => {
  const own = bands.filter((band) => band.page === page);
  return own.some((band) => Math.abs(middleY(band) - at) <= pitch * MAX_ROW_DISTANCE_PITCHES);
};

/** Rows of the second reading at places where the result has none. */
function rowsOfSecondReading(list: RowList, { second }: RowsInput, notation: Notation): UncoveredRow[] {
  if (second === null) return [];
  const found: UncoveredRow[] = [];
  const lists = new Map(listsOf(second.result));
  const values = lists.get(list.pointer) ?? [];
  for (const [index, cells] of rowsOf(second.sources, list.pointer)) {
    const band = bandOf(cells);
    if (band === null || covers(list.bands, band.page, middleY(band))) continue;
    const inLine = cells.filter(({ member, box }) => {
      const column = list.columns.get(member);
      return column !== undefined && box.left <= column.right && box.right >= column.left;
    });
    if (
      inLine.length < Math.max(MIN_ROW_CELLS, MIN_FILLED_SHARE * list.usualCells) ||
      !isNear(list, band.page, middleY(band))
    )
      continue;
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

/** Rows of the pages in one group with rows of the list, none of which stands there. */
function uncoveredRows(list: RowList, { layout }: RowsInput, notation: Notation): UncoveredRow[] {
  const isCovered = ({ page, words }: CandidateRow): boolean =>
    words.some(({ shown }) => covers(list.bands, page, middleY(shown.box)));
  return documentRows(layout, notation)
    .acrossPage()
    .groups.flatMap((group) => {
      const rows = group.parts.flatMap((part) => itemRowsOf(group, part));
      if (!rows.some(isCovered)) return [];
      return rows
        .filter((row) => row.cells.length >= MIN_ROW_CELLS && !isCovered(row))
        .map((row): UncoveredRow => {
          const texts = cellTexts(row);
          const numbers = texts.flatMap((text) => parseNumber(text, notation) ?? []);
          return { page: row.page, at: middleY(row.shownBox), numbers, text: texts.join(" ") };
        });
    });
}

/** Places of the result's values outside of a list. */
function placesOutside(list: RowList, { sources }: RowsInput): Cell[] {
  return Object.entries(sources.locations).flatMap(([pointer, location]) =>
    pointer.startsWith(`${list.pointer}/`) ? [] : cellsAt(pointer, location),
  );
}

/**
 * A printed number in one of the list's columns, among its rows but in none of the result's. Signs are not compared: a
 * deduction is printed with a leading sign, a trailing one, or none.
 */
function uncoveredNumber(list: RowList, input: RowsInput, wanted: number, notation: Notation): UncoveredRow | null {
  const { layout } = input;
  const columns = [...list.columns.values()];
  const pages = new Set(list.bands.map(({ page }) => page));
  const others = placesOutside(list, input);
  for (const page of layout.pages.filter(({ number }) => pages.has(number))) {
    for (const { text, box } of pageWords(page)) {
      const value = /\d/.test(text) && text.length < MAX_NUMBER_CHARS ? parseNumber(text, notation) : null;
      if (value === null || !sameAmount(Math.abs(value), Math.abs(wanted))) continue;
      if (covers(list.bands, page.number, middleY(box)) || !isNear(list, page.number, middleY(box))) continue;
      if (others.some((other) => other.page === page.number && intersects(other.box, box))) continue;
      if (columns.some(({ left, right }) => box.left <= right && box.right >= left)) {
        return { page: page.number, at: middleY(box), numbers: [value], text };
      }
    }
  }
  return null;
}

/** The amount that a list's lines lack of their total; null without a known total, 0 when they match. */
function shortfallOf(list: string, result: Json, checks: readonly Check[], notation: Notation): number | null {
  const check = checks.find(
    ({ name, pointers }) => name === "lines-to-total" && pointers.some((one) => one.startsWith(`${list}/`)),
  );
  if (check === undefined) return null;
  if (check.ok) return 0;
  const valueAt = (pointer: string): number => {
    let value: Json | undefined = result;
    for (const name of pointer.slice(1).split("/").map(unescapeStep)) {
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

const missingRowIssue = (pointer: string, { page, text }: UncoveredRow, confidence: number): Issue => ({
  pointer,
  kind: "missing-row",
  issue: `A row of page ${page} is missing: "${text.replace(/\s+/g, " ").slice(0, MAX_QUOTE_CHARS)}".`,
  confidence,
  suggestion: "Add the row, or process the document again with mapReduce or extraction by STEPS.",
  detail: "It stands among the rows that were extracted, in their columns, and none of them has it.",
});

function missingRows(list: RowList, input: RowsInput): Issue[] {
  const { result, checks, notation } = input;
  if (list.bands.length === 0) return [];
  const short = shortfallOf(list.pointer, result, checks, notation);
  // A matching sum is better evidence than places: the rest are subtotals or notes.
  if (short === 0) return [];
  const places = [...rowsOfSecondReading(list, input, notation), ...uncoveredRows(list, input, notation)];
  const explains =
    short === null ? undefined : places.find(({ numbers }) => numbers.some((one) => sameAmount(one, short)));
  if (explains !== undefined) return [missingRowIssue(list.pointer, explains, MISSING_BY_SUM_CONFIDENCE)];
  const number = short === null ? null : uncoveredNumber(list, input, short, notation);
  if (number !== null) return [missingRowIssue(list.pointer, number, MISSING_BY_NUMBER_CONFIDENCE)];
  // Rows of other amounts do not explain the shortfall.
  if (short !== null) return [];
  const seen = new Set<string>();
  return places
    .filter(({ page, at }) => {
      const key = `${page} ${at.toFixed(1)}`;
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .slice(0, MAX_REPORTED_ROWS)
    .map((one) => missingRowIssue(list.pointer, one, MISSING_BY_PLACE_CONFIDENCE));
}

/** Issues of the rows of a result's lists. Pure. */
export function checkRows(input: RowsInput): Issue[] {
  return listsOf(input.result).flatMap(([pointer, rows]) => {
    const cells = rowsOf(input.sources, pointer);
    return [...missingRows(listOf(pointer, cells), input), ...duplicates(pointer, rows, cells)];
  });
}
