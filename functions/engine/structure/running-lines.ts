/**
 * Finds running headers and footers: lines that repeat at the same place of the edge of pages, the same or the same but
 * for the page's number. Only rows that are parted from the edge by nothing but such rows.
 */

import type { Line, Page, TextBlockKind } from "../../ports/layout.ts";
import { middleY } from "../layout/geometry.ts";
import { isUpright, rowText } from "./block-rows.ts";
import { romanValue } from "./list-markers.ts";

/** Distance of a running line from its edge, as a share of the page's height. */
const EDGE_SHARE = 0.15;
/** Rows of a letterhead. */
const MAX_EDGE_ROWS = 6;
/** Difference of places that count as one: a third of a line. */
const SAME_PLACE_INCHES = 0.06;
/** Pages whose repeated text is no coincidence. */
const MIN_REPEATING_PAGES = 3;
/** Share of the pages on which a number counts with the page number. */
const MIN_COUNTING_SHARE = 0.8;

type Edge = "header" | "footer";

interface EdgeLine {
  line: Line;
  /** Position of the page in the layout, and its number in the file. */
  page: number;
  number: number;
  edge: Edge;
  /** Distance of the line from the edge of the page, inches. */
  place: number;
  text: string;
  /** The text with `#` for its numbers. */
  pattern: string;
  numbers: number[];
}

interface EdgeRow {
  lines: EdgeLine[];
  /** Distance to the next row inwards, inches; Infinity where none is near. */
  gap: number;
}

function textAndNumbers(line: Line): Pick<EdgeLine, "text" | "pattern" | "numbers"> {
  const text = rowText({ lines: [line] });
  const roman = romanValue(text);
  if (roman > 0) return { text, pattern: "#", numbers: [roman] };
  const numbers = text.match(/\d{1,9}/g)?.map(Number) ?? [];
  return { text, pattern: text.replaceAll(/\d{1,9}/g, "#"), numbers };
}

/** The rows at an edge of a page, from the edge inwards. */
function rowsAtEdge(page: Page, index: number, edge: Edge): EdgeRow[] {
  const distance = ({ box }: Line): number => (edge === "header" ? box.bottom : page.height - box.top);
  const near: Line[] = [];
  for (const block of page.blocks) {
    if (block.kind !== "paragraph") continue;
    for (const line of block.lines) {
      if (distance(line) <= 2 * EDGE_SHARE * page.height && line.words.length > 0 && isUpright(line)) near.push(line);
    }
  }
  near.sort((a, b) => distance(a) - distance(b));
  const rows: { lines: Line[]; top: number; bottom: number }[] = [];
  for (const line of near) {
    const row = rows.at(-1);
    const middle = middleY(line.box);
    if (row !== undefined && middle > row.top && middle < row.bottom) row.lines.push(line);
    else rows.push({ lines: [line], top: line.box.top, bottom: line.box.bottom });
  }
  const within = rows
    .slice(0, MAX_EDGE_ROWS)
    .filter(({ lines: [line] }) => line && distance(line) <= EDGE_SHARE * page.height);
  return within.map(({ lines, top, bottom }, at) => {
    const next = rows[at + 1];
    return {
      gap: next === undefined ? Infinity : Math.max(next.top - bottom, top - next.bottom),
      lines: lines.map((line) => {
        const place = edge === "header" ? line.box.top : page.height - line.box.bottom;
        return { line, page: index, number: page.number, edge, place, ...textAndNumbers(line) };
      }),
    };
  });
}

const pagesOf = (lines: readonly EdgeLine[]): Set<number> => new Set(lines.map((line) => line.page));

/** Groups lines by their places. */
function groupByPlace(lines: readonly EdgeLine[]): EdgeLine[][] {
  const groups: EdgeLine[][] = [];
  for (const line of [...lines].sort((a, b) => a.place - b.place)) {
    const group = groups.at(-1);
    if (group !== undefined && line.place - (group[0]?.place ?? 0) <= SAME_PLACE_INCHES) group.push(line);
    else groups.push([line]);
  }
  return groups;
}

function groupBy(lines: readonly EdgeLine[], key: (line: EdgeLine) => string): EdgeLine[][] {
  return [...Map.groupBy(lines, key).values()];
}

/** True if one of the numbers goes up with the pages. */
function countsPages(lines: readonly EdgeLine[]): boolean {
  const first = lines[0];
  if (first === undefined) return false;
  return first.numbers.some((_, at) => {
    const offsets = Map.groupBy(lines, (line) => (line.numbers[at] ?? 0) - line.number);
    const most = [...offsets.values()].reduce((size, group) => Math.max(size, pagesOf(group).size), 0);
    return most >= 2 && most >= MIN_COUNTING_SHARE * pagesOf(lines).size;
  });
}

/** `3`, `- 3 -`, `Page 3 of 7`, `Seite 3/7`: nothing but the number and its label. */
const PAGE_NUMBER = /^[-–—|\s]*(?:\p{L}{1,9}\.?\s+)?#(?:\s*(?:\/|\||\p{L}{1,6})\s*#)?[-–—|\s]*$/iu;

/**
 * True for lines on every other page only, while the pages between have another such line at this place: left and right
 * pages.
 */
function alternates(lines: readonly EdgeLine[], others: readonly EdgeLine[][]): boolean {
  const parity = (group: readonly EdgeLine[]): number | undefined => {
    const sides = new Set(group.map((line) => line.number % 2));
    return sides.size === 1 && pagesOf(group).size >= 2 ? [...sides][0] : undefined;
  };
  const own = parity(lines);
  return own !== undefined && others.some((other) => parity(other) === 1 - own);
}

/** The lines at one place of one edge that repeat. */
function repeating(lines: readonly EdgeLine[]): EdgeLine[] {
  const same = groupBy(lines, (line) => line.text);
  const found = same.filter((group) => pagesOf(group).size >= MIN_REPEATING_PAGES || alternates(group, same));
  const counted = groupBy(lines, (line) => line.pattern).filter((group) => {
    const least = PAGE_NUMBER.test(group[0]?.pattern ?? "") ? 2 : MIN_REPEATING_PAGES;
    return pagesOf(group).size >= least && countsPages(group);
  });
  return [...found, ...counted].flat();
}

interface RunningPlace {
  edge: Edge;
  place: number;
  /** Differences of its page numbers and the pages' positions in the file; empty without page numbers. */
  offsets: Set<number>;
}

interface RunningLines {
  lines: Set<EdgeLine>;
  /**
   * Places that repeat on half the pages: what stands beside a page number there (a chapter's title) is running text
   * too.
   */
  places: RunningPlace[];
}

function findRunning(lines: readonly EdgeLine[], pageCount: number): RunningLines {
  const running: RunningLines = { lines: new Set(), places: [] };
  for (const own of groupBy(lines, (line) => line.edge)) {
    for (const group of groupByPlace(own)) {
      const repeated = repeating(group);
      for (const line of repeated) running.lines.add(line);
      const first = repeated[0];
      const pages = pagesOf(repeated).size;
      if (first === undefined || pages < MIN_REPEATING_PAGES || 2 * pages < pageCount) continue;
      const offsets = repeated.flatMap((line) => line.numbers.map((number) => number - line.number));
      const usual = Map.groupBy(offsets, (offset) => offset);
      const kept = [...usual].filter(([, group]) => group.length >= MIN_REPEATING_PAGES).map(([offset]) => offset);
      running.places.push({ edge: first.edge, place: first.place, offsets: new Set(kept) });
    }
  }
  return running;
}

/** True if it begins or ends with the number of its page. */
function bearsNumber({ text, number }: EdgeLine, { offsets }: RunningPlace): boolean {
  const [, first, last] = /^(?:(\d{1,9})\b)?.*?(?:\b(\d{1,9}))?$/s.exec(text) ?? [];
  return [first, last].some((digits) => digits !== undefined && offsets.has(Number(digits) - number));
}

/** The running lines of a row: those that repeat, and those beside a page number. */
function runningOf({ lines: row }: EdgeRow, { lines, places }: RunningLines): EdgeLine[] {
  const repeated = row.filter((line) => lines.has(line));
  const first = row[0];
  if (repeated.length === row.length || first === undefined) return repeated;
  const place = places.find((one) => one.edge === first.edge && Math.abs(one.place - first.place) <= SAME_PLACE_INCHES);
  return place !== undefined && row.some((line) => bearsNumber(line, place)) ? row : repeated;
}

/**
 * The running lines at one edge: rows from the edge inwards up to the widest gap behind one of them. Repeated lines
 * below that belong to the page (the heads of a continued table).
 */
function runningAtEdge(rows: readonly EdgeRow[], running: RunningLines): EdgeLine[] {
  const marked: EdgeLine[][] = [];
  let last = 0;
  let widest = -Infinity;
  for (const [at, row] of rows.entries()) {
    const own = runningOf(row, running);
    if (own.length > 0) marked.push(own);
    if (own.length < row.lines.length) {
      // Other lines of this row are the page's own.
      if (own.length > 0) last = at + 1;
      break;
    }
    if (row.gap >= widest - SAME_PLACE_INCHES / 2) [last, widest] = [at + 1, Math.max(row.gap, widest)];
  }
  return marked.slice(0, last).flat();
}

/** Finds the running lines of a document's pages, with their kinds. A single page has none. */
export function findRunningLines(pages: readonly Page[]): Map<Line, TextBlockKind> {
  const found = new Map<Line, TextBlockKind>();
  if (pages.length < 2) return found;
  const edges = pages.flatMap((page, index) => [rowsAtEdge(page, index, "header"), rowsAtEdge(page, index, "footer")]);
  const running = findRunning(
    edges.flatMap((rows) => rows.flatMap((row) => row.lines)),
    pages.length,
  );
  for (const rows of edges) {
    for (const { line, edge } of runningAtEdge(rows, running)) found.set(line, edge);
  }
  return found;
}
