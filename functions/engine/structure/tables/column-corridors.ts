/**
 * Cuts lines at the corridors between columns: white space that runs down over many rows. A gap between two words says
 * little by itself, as recognition measures it now narrower, now wider; all rows together tell columns from spaces.
 */

import { median, unionBox } from "../../layout/geometry.ts";
import { groupIntoRows, type LineRow } from "../line-rows.ts";
import { splitLine, type TableLine, type TableWord } from "./table-parts.ts";

/** Width that stays free over all rows: between figures wider than a space of proportional type (0.25 to 0.4). */
const MIN_WIDTH_EM = 0.45;
/** The same between words, and between parts of spaced numbers; a space of monospaced type has up to 0.8. */
const MIN_WORD_WIDTH_EM = 0.9;
/** Rows that part words at one place; spaces of running text stand above each other in three by chance. */
const MIN_ROWS = 5;
/** Rows for each one that a corridor may cross: words that recognition ran together, specks. */
const ROWS_PER_CROSSED_ROW = 8;
/** Distance between rows of one table. */
const MAX_ROW_GAP_EM = 3;
/** Gap before bound words, at most. */
const MAX_SPACE_EM = 1.8;
/** Share of a corridor's rows whose words say the same. */
const MOST = 0.5;
/** Share of a corridor's least width from which it parts a row between, too. */
const MIN_SHARED_SHARE = 0.75;
/** A gap that is so much narrower than those of the other rows is a space in a text across the columns. */
const MIN_USUAL_WIDTH_SHARE = 0.3;
/** Width of a gap that headings may close, and of one between headings. */
const MAX_STUB_WIDTH_EM = 2;
const MIN_HEADING_GAP_EM = 1.2;
const MIN_HEADING_GAPS = 2;
/** Height of a line of text, at least; small letters without ascenders have 0.5. */
const MIN_LINE_HEIGHT_EM = 0.5;

/** Signs that hold on to the figure before or behind them: remarks in brackets, scores, ranges. */
const ENDS_OPEN = /[:/([{–-]$/u;
const BEGINS_BOUND = /^[:/([{)\]}%]|^\S{1,3}[)\]}]$/u;
const DIGIT_GROUPS = /^[-+]?\d{1,3}$/u;
const DIGIT_GROUP = /^\d{3}(?:[.,]\d+)?\D?$/u;

interface Gap<W extends TableWord> {
  from: number;
  to: number;
  before: W;
  behind: W;
  /** True if nothing stands before it in its row. */
  first: boolean;
}

interface WordRow<W extends TableWord> {
  top: number;
  bottom: number;
  words: W[];
  gaps: Gap<W>[];
}

function toWordRow<W extends TableWord>({ lines, box }: LineRow<TableLine<W>>, em: number): WordRow<W> {
  const words = lines.flatMap((line) => line.words).sort((a, b) => a.box.left - b.box.left);
  const gaps: Gap<W>[] = [];
  let before = words[0];
  for (const behind of words.slice(1)) {
    if (before === undefined) break;
    const [from, to] = [before.box.right, behind.box.left];
    if (to - from >= MIN_WIDTH_EM * em) gaps.push({ from, to, before, behind, first: before === words[0] });
    if (behind.box.right > from) before = behind;
  }
  return { top: box.top, bottom: box.bottom, words, gaps };
}

interface Corridor<W extends TableWord> {
  from: number;
  to: number;
  gaps: Gap<W>[];
  /** Width that stays free. */
  least: number;
}

/** The part of a corridor that a row leaves free, at the widest. */
function freePart<W extends TableWord>(row: WordRow<W>, { from, to, least }: Corridor<W>): Corridor<W> | undefined {
  let best: Corridor<W> | undefined;
  for (const gap of row.gaps) {
    const part = { from: Math.max(gap.from, from), to: Math.min(gap.to, to), gaps: [gap], least };
    const wanted = best === undefined ? least : best.to - best.from;
    if (part.to - part.from >= wanted) best = part;
  }
  return best;
}

const hasDigit = ({ text }: TableWord): boolean => /\p{Nd}/u.test(text);
const areFigures = ({ before, behind }: Gap<TableWord>): boolean => hasDigit(before) && hasDigit(behind);

const beginCorridor = <W extends TableWord>(gap: Gap<W>, em: number): Corridor<W> => ({
  from: gap.from,
  to: gap.to,
  gaps: [gap],
  least: (areFigures(gap) ? MIN_WIDTH_EM : MIN_WORD_WIDTH_EM) * em,
});

/** Extends a corridor from a row on, up or down, as far as it stays free. @returns the row that ends it */
function extend<W extends TableWord>(
  corridor: Corridor<W>,
  rows: readonly WordRow<W>[],
  [start, step]: readonly [number, number],
  em: number,
): WordRow<W> | undefined {
  let [last, crossed] = [rows[start], 0];
  for (let at = start + step; ; at += step) {
    const row = rows[at];
    if (row === undefined || last === undefined) return undefined;
    const distance = step > 0 ? row.top - last.bottom : last.top - row.bottom;
    if (distance > MAX_ROW_GAP_EM * em) return undefined;
    last = row;
    const free = freePart(row, corridor);
    if (free !== undefined) {
      [corridor.from, corridor.to] = [free.from, free.to];
      corridor.gaps.push(...free.gaps);
    } else if (row.words.some(({ box }) => box.left < corridor.to && box.right > corridor.from)) {
      crossed += 1;
      if (crossed * ROWS_PER_CROSSED_ROW > corridor.gaps.length) return row;
    }
  }
}

const most = <T>(items: readonly T[], test: (item: T) => boolean): boolean =>
  items.filter(test).length >= MOST * items.length;

/** True if a heading is over the first two columns: a number and its name that are one entry. */
const isHeadedAsOne = (
  { from, to, gaps }: Corridor<TableWord>,
  above: WordRow<TableWord> | undefined,
  em: number,
): boolean =>
  above !== undefined &&
  to - from < MAX_STUB_WIDTH_EM * em &&
  most(gaps, ({ first }) => first) &&
  above.words.some(({ box }) => box.left <= from && box.right >= to) &&
  above.gaps.filter((gap) => gap.to - gap.from >= MIN_HEADING_GAP_EM * em).length >= MIN_HEADING_GAPS;

/** True if words on both sides of a corridor are one text: a value and its remark in brackets, two goals of a score. */
const isBound = ({ gaps }: Corridor<TableWord>): boolean =>
  gaps.length > 1 && most(gaps, ({ before, behind }) => ENDS_OPEN.test(before.text) || BEGINS_BOUND.test(behind.text));

/** True if a corridor parts columns, not the thousands of numbers. */
function partsColumns({ from, to, gaps, least }: Corridor<TableWord>, em: number): boolean {
  if (gaps.length < MIN_ROWS) return false;
  const isGrouped = most(gaps, ({ before, behind }) => DIGIT_GROUPS.test(before.text) && DIGIT_GROUP.test(behind.text));
  return to - from >= (isGrouped ? MIN_WORD_WIDTH_EM * em : least);
}

/** A row's lines, joined before the given words. */
function joinLines<W extends TableWord>(
  lines: readonly TableLine<W>[],
  isJoined: (first: W, before: TableLine<W>) => boolean,
): TableLine<W>[] {
  const joined: TableLine<W>[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const [first] = line.words;
    if (last === undefined || first === undefined || !isJoined(first, last)) joined.push(line);
    else
      joined[joined.length - 1] = {
        ...last,
        words: [...last.words, ...line.words],
        box: unionBox([last.box, line.box]),
      };
  }
  return joined;
}

/** A line's parts from one word that begins a column to the next. */
function cutBefore<W extends TableWord>(line: TableLine<W>, begins: ReadonlyMap<W, number>): TableLine<W>[] {
  let part = 0;
  const partOf = (word: W): number => {
    if (begins.has(word)) part += 1;
    return part;
  };
  return splitLine(line, partOf).map((one) => one.line);
}

/** A line as high as its type: a dash alone, as recognition boxes it, is in no row by its own height. */
function atTypeHeight<W extends TableWord>(line: TableLine<W>): TableLine<W> {
  const { top, bottom } = line.box;
  if (bottom - top >= MIN_LINE_HEIGHT_EM * line.size) return line;
  const middle = (top + bottom) / 2;
  const half = (MIN_LINE_HEIGHT_EM * line.size) / 2;
  return { ...line, box: { ...line.box, top: middle - half, bottom: middle + half } };
}

/** The gaps that a corridor parts, between its first row and its last. */
const partedGaps = <W extends TableWord>(
  rows: readonly WordRow<W>[],
  { from, to, gaps, least }: Corridor<W>,
): Gap<W>[] => {
  const own = new Set(gaps);
  const last = rows.findLastIndex((row) => row.gaps.some((gap) => own.has(gap)));
  const first = rows.findIndex((row) => row.gaps.some((gap) => own.has(gap)));
  return rows
    .slice(first, last + 1)
    .flatMap((row) =>
      row.gaps.filter((gap) => Math.min(gap.to, to) - Math.max(gap.from, from) >= MIN_SHARED_SHARE * least),
    );
};

interface RowCuts<W extends TableWord> {
  /** Words that begin columns. */
  begins: Map<W, number>;
  /** Words that belong to the text before them. */
  bound: Set<W>;
}

/** Finds the words that begin columns, with the usual width of the gap before them, and those that begin none. */
function findCuts<W extends TableWord>(rows: readonly WordRow<W>[], em: number): RowCuts<W> {
  const found: RowCuts<W> = { begins: new Map(), bound: new Set() };
  for (const [at, row] of rows.entries())
    for (const gap of row.gaps) {
      if (found.begins.has(gap.behind)) continue;
      const corridor = beginCorridor(gap, em);
      extend(corridor, rows, [at, 1], em);
      const above = extend(corridor, rows, [at, -1], em);
      if (isBound(corridor)) found.bound.add(gap.behind);
      else if (partsColumns(corridor, em) && !isHeadedAsOne(corridor, above, em)) {
        const usual = median(corridor.gaps.map(({ from, to }) => to - from));
        for (const { behind } of partedGaps(rows, corridor)) found.begins.set(behind, usual);
      }
    }
  return found;
}

/** True for spaces of a text across columns, which lie in their corridors by chance. */
function isText<W extends TableWord>({ gaps }: WordRow<W>, { begins }: RowCuts<W>, em: number): boolean {
  if (gaps.some(({ from, to }) => to - from >= MIN_HEADING_GAP_EM * em)) return false;
  const cuts = gaps.filter(({ behind }) => begins.has(behind));
  const narrow = cuts.filter(({ from, to, behind }) => to - from < MIN_USUAL_WIDTH_SHARE * (begins.get(behind) ?? 0));
  return cuts.length < 2 || narrow.length > cuts.length / 2;
}

/** Lines cut where corridors part them, and joined where a space, or in such rows only a wide one, parts them. */
export function cutAtCorridors<W extends TableWord>(lines: readonly TableLine<W>[]): TableLine<W>[] {
  const em = median(lines.map(({ size }) => size));
  const isSpaced = (first: W, before: TableLine<W>): boolean => first.box.left - before.box.right < MIN_WIDTH_EM * em;
  const lineRows = groupIntoRows(lines.map(atTypeHeight)).map((row) => ({
    ...row,
    lines: joinLines(row.lines, isSpaced),
  }));
  const rows = lineRows.map((row) => toWordRow(row, em));
  const cuts = findCuts(rows, em);
  return lineRows.flatMap((lineRow, at) => {
    const row = rows[at];
    const isCut = row?.gaps.some(({ behind }) => cuts.begins.has(behind)) === true && !isText(row, cuts, em);
    if (!isCut) return lineRow.lines;
    const spaces = row.gaps.filter(
      (gap) =>
        !cuts.begins.has(gap.behind) &&
        gap.to - gap.from <= MAX_SPACE_EM * em &&
        (cuts.bound.has(gap.behind) || !areFigures(gap)),
    );
    const bound = new Set(spaces.map(({ behind }) => behind));
    return joinLines(lineRow.lines, (first) => bound.has(first))
      .flatMap((line) => cutBefore(line, cuts.begins))
      .map(atTypeHeight);
  });
}
