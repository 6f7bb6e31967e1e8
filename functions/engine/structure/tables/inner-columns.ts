/** Finds columns that only narrow gaps part, which words have, too: figures that keep one place over many rows. */
import type { Box } from "../../../ports/layout.ts";
import { middleX, spanOverlap } from "../../layout/geometry.ts";
import { isPeriod, isValue } from "./figure-cells.ts";
import type { TableWord } from "./table-parts.ts";

/** Gap that stays free over all rows: wider than the spaces of usual types, 0.22 to 0.28, which part words of one text. */
const MIN_FREE_GAP_EM = 0.3;
/** Gap between the thousands of a number, at most; a wider one parts columns. */
const MAX_DIGIT_GROUP_GAP_EM = 0.6;
/** Rows with several figures; in fewer, gaps may lie above each other by chance. */
const MIN_ROWS = 5;
/** Share of a column's texts that are figures, and of the rows that have a text in it. */
const MIN_FIGURES_SHARE = 0.7;
const MIN_FILLED_ROWS_SHARE = 0.3;
/** Overlap with a column from which a word is in it. */
const MIN_OVERLAP_EM = 0.3;

const SPACED_NUMBER = /^[-+]?\d{1,3} \d{3}(?:[.,]\d+)?$/u;
/** A remark behind a figure; recognition loses a bracket now and then. */
const BRACKETED = /^[([{]|[)\]}]$/u;
/** A part of a range. */
const RANGE_PART = /^[-–—]\s|[-–—]$/u;
const hasDigit = (text: string): boolean => /\p{Nd}/u.test(text);
const textOfWords = (words: readonly TableWord[]): string => words.map((word) => word.text).join(" ");

/** The span of a column's words. */
export interface InnerColumn {
  left: number;
  right: number;
}

/** Spans that words of any of the rows cover, parted by gaps that are free in all of them. */
function coveredSpans(rows: readonly (readonly TableWord[])[], em: number): InnerColumn[] {
  const boxes = rows.flatMap((words) => words.map(({ box }) => box)).sort((a, b) => a.left - b.left);
  const spans: InnerColumn[] = [];
  for (const { left, right } of boxes) {
    const last = spans.at(-1);
    if (last !== undefined && left - last.right < MIN_FREE_GAP_EM * em) last.right = Math.max(last.right, right);
    else spans.push({ left, right });
  }
  return spans;
}

const wordsIn = <W extends TableWord>(words: readonly W[], { left, right }: InnerColumn): W[] =>
  words.filter(({ box }) => middleX(box) >= left && middleX(box) <= right);

/** True if a span holds figures: digits in nearly all of its texts, not in brackets, in enough of the rows. */
function isFigureColumn(rows: readonly (readonly TableWord[])[], span: InnerColumn): boolean {
  const texts = rows.map((words) => textOfWords(wordsIn(words, span))).filter((text) => text !== "");
  const figures = texts.filter((text) => hasDigit(text) && isValue(text) && !RANGE_PART.test(text));
  return (
    texts.length >= MIN_FILLED_ROWS_SHARE * rows.length &&
    figures.length >= MIN_FIGURES_SHARE * texts.length &&
    texts.filter((text) => BRACKETED.test(text)).length < MIN_FIGURES_SHARE * texts.length
  );
}

/** True if most rows have one number or date over two neighbouring spans: the thousands of a number. */
function isOneFigure(rows: readonly (readonly TableWord[])[], a: InnerColumn, b: InnerColumn, em: number): boolean {
  const both = rows.flatMap((words) => {
    const [left, right] = [wordsIn(words, a), wordsIn(words, b)];
    return left.length > 0 && right.length > 0 ? [textOfWords([...left, ...right])] : [];
  });
  const isNarrow = b.left - a.right < MAX_DIGIT_GROUP_GAP_EM * em;
  const joined = both.filter((text) => isPeriod(text) || (isNarrow && SPACED_NUMBER.test(text)));
  return joined.length >= 0.5 * both.length;
}

const joinSpans = (a: InnerColumn, b: InnerColumn): InnerColumn => ({
  left: Math.min(a.left, b.left),
  right: Math.max(a.right, b.right),
});

/**
 * The columns within one column, left to right; none where it is one. Rows of words, such as headings, do not count.
 * @param rows the words of the column's cells, row by row
 */
export function innerColumns(rows: readonly (readonly TableWord[])[], em: number): InnerColumn[] {
  const several = rows.filter((words) => words.length > 1);
  if (several.length < MIN_ROWS || several.length < 0.5 * rows.length) return [];
  const figures = several.filter((words) => words.filter(({ text }) => hasDigit(text)).length >= 0.5 * words.length);
  if (figures.length < MIN_ROWS || figures.length < 0.5 * several.length) return [];
  const columns: InnerColumn[] = [];
  let open: InnerColumn | undefined;
  for (const span of coveredSpans(figures, em)) {
    const isFigure = isFigureColumn(figures, span);
    const last = columns.at(-1);
    if (!isFigure) open = open === undefined ? span : joinSpans(open, span);
    else if (last !== undefined && (open !== undefined || isOneFigure(figures, last, span, em)))
      columns[columns.length - 1] = joinSpans(last, span);
    else columns.push(open === undefined ? span : joinSpans(open, span));
    if (isFigure) open = undefined;
  }
  const last = columns.at(-1);
  if (open !== undefined && last !== undefined) columns[columns.length - 1] = joinSpans(last, open);
  return columns.length > 1 ? columns : [];
}

/** First and last of the columns that a word is in; the nearest one where it is in none. */
export function columnsOfWord({ left, right }: Box, columns: readonly InnerColumn[], em: number): [number, number] {
  const least = Math.min(MIN_OVERLAP_EM * em, 0.5 * (right - left));
  const own = columns.flatMap((column, index) =>
    spanOverlap(column.left, column.right, left, right) > least ? [index] : [],
  );
  const [from, to] = [own[0], own.at(-1)];
  if (from !== undefined && to !== undefined) return [from, to];
  const gaps = columns.map((column) => Math.max(column.left - right, left - column.right));
  const nearest = gaps.indexOf(Math.min(...gaps));
  return [nearest, nearest];
}

/** The words' parts, each in one column, or in several where a word reaches over them. */
export function cutAtInnerColumns<W extends TableWord>(
  words: readonly W[],
  columns: readonly InnerColumn[],
  em: number,
): { from: number; to: number; words: W[] }[] {
  const parts: { from: number; to: number; words: W[] }[] = [];
  for (const word of words) {
    const [from, to] = columnsOfWord(word.box, columns, em);
    const last = parts.at(-1);
    if (last === undefined || from > last.to) parts.push({ from, to, words: [word] });
    else {
      last.words.push(word);
      last.to = Math.max(last.to, to);
    }
  }
  return parts;
}
