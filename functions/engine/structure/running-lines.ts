/**
 * Running headers and footers: what stands again at the same place of the edge of pages, the same or the same but for
 * the page's number. Only rows that nothing but such rows parts from the edge.
 */
import type { Line, Page, TextBlockKind } from "../../ports/layout.ts";
import { isUpright, rowText } from "./block-rows.ts";
import { romanValue } from "./list-markers.ts";

/** How far from its edge a running line may end: a share of the page's height. */
const EDGE = 0.15;
/** Rows of a letterhead at most. */
const MOST_ROWS = 6;
/** Inches. Places that differ by less are one: a third of a line. */
const SAME_PLACE = 0.06;
/** Repeated by so many pages, text is no coincidence. */
const LEAST_PAGES = 3;
/** Share of the pages that count on with the page number. */
const COUNTING = 0.8;

type Edge = "header" | "footer";

interface EdgeLine {
  line: Line;
  /** Position in the layout, and number as the file counts. */
  page: number;
  number: number;
  edge: Edge;
  /** Inches from the edge of the page to the line's own. */
  place: number;
  text: string;
  /** The text with `#` for its numbers. */
  pattern: string;
  numbers: number[];
}

interface EdgeRow {
  lines: EdgeLine[];
  /** Inches to the next row inwards; Infinity when there is none near. */
  gap: number;
}

function describe(line: Line): Pick<EdgeLine, "text" | "pattern" | "numbers"> {
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
      if (distance(line) <= 2 * EDGE * page.height && line.words.length > 0 && isUpright(line)) near.push(line);
    }
  }
  near.sort((a, b) => distance(a) - distance(b));
  const rows: { lines: Line[]; top: number; bottom: number }[] = [];
  for (const line of near) {
    const row = rows.at(-1);
    const middle = (line.box.top + line.box.bottom) / 2;
    if (row !== undefined && middle > row.top && middle < row.bottom) row.lines.push(line);
    else rows.push({ lines: [line], top: line.box.top, bottom: line.box.bottom });
  }
  const within = rows.slice(0, MOST_ROWS).filter(({ lines: [line] }) => line && distance(line) <= EDGE * page.height);
  return within.map(({ lines, top, bottom }, at) => {
    const next = rows[at + 1];
    return {
      gap: next === undefined ? Infinity : Math.max(next.top - bottom, top - next.bottom),
      lines: lines.map((line) => {
        const place = edge === "header" ? line.box.top : page.height - line.box.bottom;
        return { line, page: index, number: page.number, edge, place, ...describe(line) };
      }),
    };
  });
}

const pagesOf = (lines: readonly EdgeLine[]): Set<number> => new Set(lines.map((line) => line.page));

/** Cuts lines, by their places, where one is further from the last than chance explains. */
function byPlace(lines: readonly EdgeLine[]): EdgeLine[][] {
  const groups: EdgeLine[][] = [];
  for (const line of [...lines].sort((a, b) => a.place - b.place)) {
    const group = groups.at(-1);
    if (group !== undefined && line.place - (group[0]?.place ?? 0) <= SAME_PLACE) group.push(line);
    else groups.push([line]);
  }
  return groups;
}

function groupBy(lines: readonly EdgeLine[], key: (line: EdgeLine) => string): EdgeLine[][] {
  return [...Map.groupBy(lines, key).values()];
}

/** Whether one of the numbers goes up with the pages. */
function counts(lines: readonly EdgeLine[]): boolean {
  const first = lines[0];
  if (first === undefined) return false;
  return first.numbers.some((_, at) => {
    const offsets = Map.groupBy(lines, (line) => (line.numbers[at] ?? 0) - line.number);
    const most = [...offsets.values()].reduce((size, group) => Math.max(size, pagesOf(group).size), 0);
    return most >= 2 && most >= COUNTING * pagesOf(lines).size;
  });
}

/** `3`, `- 3 -`, `Page 3 of 7`, `Seite 3/7`: nothing but the number and what announces it. */
const PAGE_NUMBER = /^[-–—|\s]*(?:\p{L}{1,9}\.?\s+)?#(?:\s*(?:\/|\||\p{L}{1,6})\s*#)?[-–—|\s]*$/iu;

/** On every other page only, while the pages between have another such line at this place: left and right pages. */
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
  const found = same.filter((group) => pagesOf(group).size >= LEAST_PAGES || alternates(group, same));
  const counted = groupBy(lines, (line) => line.pattern).filter((group) => {
    const least = PAGE_NUMBER.test(group[0]?.pattern ?? "") ? 2 : LEAST_PAGES;
    return pagesOf(group).size >= least && counts(group);
  });
  return [...found, ...counted].flat();
}

interface Place {
  edge: Edge;
  place: number;
  /** Its page numbers less the pages' positions in the file; none where it has none. */
  offsets: Set<number>;
}

interface Running {
  lines: Set<EdgeLine>;
  /** Places that repeat on half the pages: what stands beside a page number there (a chapter's title) runs as well. */
  places: Place[];
}

function findRunning(lines: readonly EdgeLine[], pageCount: number): Running {
  const running: Running = { lines: new Set(), places: [] };
  for (const own of groupBy(lines, (line) => line.edge)) {
    for (const group of byPlace(own)) {
      const repeated = repeating(group);
      for (const line of repeated) running.lines.add(line);
      const first = repeated[0];
      const pages = pagesOf(repeated).size;
      if (first === undefined || pages < LEAST_PAGES || 2 * pages < pageCount) continue;
      const offsets = repeated.flatMap((line) => line.numbers.map((number) => number - line.number));
      const usual = Map.groupBy(offsets, (offset) => offset);
      const kept = [...usual].filter(([, group]) => group.length >= LEAST_PAGES).map(([offset]) => offset);
      running.places.push({ edge: first.edge, place: first.place, offsets: new Set(kept) });
    }
  }
  return running;
}

/** Begins or ends with the number of its page. */
function bearsNumber({ text, number }: EdgeLine, { offsets }: Place): boolean {
  const [, first, last] = /^(?:(\d{1,9})\b)?.*?(?:\b(\d{1,9}))?$/s.exec(text) ?? [];
  return [first, last].some((digits) => digits !== undefined && offsets.has(Number(digits) - number));
}

/** The running lines of a row: those that repeat, and what stands beside a page number. */
function runningOf({ lines: row }: EdgeRow, { lines, places }: Running): EdgeLine[] {
  const repeated = row.filter((line) => lines.has(line));
  const first = row[0];
  if (repeated.length === row.length || first === undefined) return repeated;
  const place = places.find((one) => one.edge === first.edge && Math.abs(one.place - first.place) <= SAME_PLACE);
  return place !== undefined && row.some((line) => bearsNumber(line, place)) ? row : repeated;
}

/**
 * The running lines at one edge: rows from the edge inwards up to the widest gap behind one of them. What repeats below
 * that belongs to the page (the heads of a table that goes on).
 */
function runningAtEdge(rows: readonly EdgeRow[], running: Running): EdgeLine[] {
  const marked: EdgeLine[][] = [];
  let last = 0;
  let widest = -Infinity;
  for (const [at, row] of rows.entries()) {
    const own = runningOf(row, running);
    if (own.length > 0) marked.push(own);
    if (own.length < row.lines.length) {
      // Beside what is the page's own.
      if (own.length > 0) last = at + 1;
      break;
    }
    if (row.gap >= widest - SAME_PLACE / 2) [last, widest] = [at + 1, Math.max(row.gap, widest)];
  }
  return marked.slice(0, last).flat();
}

/** The running lines of a document's pages, with what they are. A single page has none. */
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
