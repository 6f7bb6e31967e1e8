/** Groups the lines of a block into rows, with the look of their type. Inches; sizes in points. */
import type { Box, Line, Word } from "../../ports/layout.ts";
import { overlapExtents, unionBox } from "../layout/geometry.ts";

const POINTS_PER_INCH = 72;
/** Height of a line of type, ascenders to descenders, from which a size is estimated where none is known. */
const LINE_HEIGHT_EM = 1.2;

/** Lines side by side in a block: one line, or the parts of a row of labels, values or marks. */
export interface BlockRow {
  lines: Line[];
  box: Box;
  /** Size of its type, points. */
  size: number;
  /** True if every word with letters or digits is bold. */
  bold: boolean;
}

/** True if `line` stands on the row of `before`, to its right. */
export function continuesRow(before: Line, line: Line): boolean {
  const overlap = overlapExtents(before.box, line.box).down;
  const height = Math.min(before.box.bottom - before.box.top, line.box.bottom - line.box.top);
  return line.box.left >= before.box.right && overlap > 0.5 * height;
}

/** Groups the lines of a block into rows. */
export function groupRows(lines: readonly Line[]): Line[][] {
  const rows: Line[][] = [];
  for (const line of lines) {
    const row = rows.at(-1);
    const before = row?.at(-1);
    if (row !== undefined && before !== undefined && continuesRow(before, line)) row.push(line);
    else rows.push([line]);
  }
  return rows;
}

/** True if a line runs along the page's width; text on its side is no row. A few signs are as high as wide. */
export const isUpright = ({ box, words }: Line): boolean =>
  box.right - box.left >= box.bottom - box.top || (words.length === 1 && (words[0]?.text.length ?? 0) <= 4);

/** Size of a word's type in points: known, or estimated from the word's height. */
export const wordSize = ({ fontSize, box }: Word): number =>
  fontSize ?? ((box.bottom - box.top) * POINTS_PER_INCH) / LINE_HEIGHT_EM;

/** Size in points that most characters of the words have. */
function usualSize(words: readonly Word[]): number {
  const first = words[0];
  if (first === undefined) return 0;
  const size = wordSize(first);
  if (words.every((word) => wordSize(word) === size)) return size;
  const lengths = new Map<number, number>();
  for (const word of words) lengths.set(wordSize(word), (lengths.get(wordSize(word)) ?? 0) + word.text.length);
  return [...lengths].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

const SIGNIFICANT = /[\p{L}\p{N}]/u;

/** True if every word with letters or digits is bold, and there is one. */
function isBold(words: readonly Word[]): boolean {
  let any = false;
  for (const { bold, text } of words) {
    if (bold === true) any ||= SIGNIFICANT.test(text);
    else if (SIGNIFICANT.test(text)) return false;
  }
  return any;
}

export function toRow(lines: Line[]): BlockRow {
  const words = rowWords({ lines });
  return {
    lines,
    box: lines.length === 1 && lines[0] !== undefined ? lines[0].box : unionBox(lines.map((line) => line.box)),
    size: usualSize(words),
    bold: isBold(words),
  };
}

export const rowWords = ({ lines }: { lines: readonly Line[] }): readonly Word[] =>
  lines.length === 1 && lines[0] !== undefined ? lines[0].words : lines.flatMap((line) => line.words);

export const rowText = (row: { lines: readonly Line[] }): string =>
  rowWords(row)
    .map((word) => word.text)
    .join(" ");

/** The last word of a row, where sentences end. */
export const lastText = ({ lines }: BlockRow): string => lines.at(-1)?.words.at(-1)?.text ?? "";
export const firstText = ({ lines }: BlockRow): string => lines[0]?.words[0]?.text ?? "";

/** Size of a row's type, inches. */
export const emOfRow = (row: BlockRow): number => row.size / POINTS_PER_INCH;

/**
 * True if the first word of `next` would have fitted on `row`: then the row ends on purpose, not because it is full. A
 * space is a quarter of an em at least.
 * @param right where rows of this column end, in inches
 */
export function endsEarly(row: BlockRow, next: BlockRow, right: number): boolean {
  const word = next.lines[0]?.words[0];
  if (word === undefined) return false;
  return right - row.box.right > word.box.right - word.box.left + 0.5 * emOfRow(row);
}

/**
 * Height of level words at most, in sizes of their type; higher ones run up or down the page, at a slant or on their
 * side.
 */
const MAX_LEVEL_HEIGHT_SIZES = 2;

/** True if its text does not run along its row, like that of a watermark across the page. */
export const isSlanted = (row: BlockRow): boolean =>
  rowWords(row).some(
    ({ box, fontSize }) =>
      fontSize !== undefined && (box.bottom - box.top) * POINTS_PER_INCH > MAX_LEVEL_HEIGHT_SIZES * fontSize,
  );

/** True for running text: long enough for a sentence, and not a row of names or capitals. */
export function isProse(row: BlockRow): boolean {
  const words = rowWords(row);
  if (row.lines.length > 1 || words.length < 5 || row.box.right - row.box.left < 12 * emOfRow(row)) return false;
  return words.filter((word) => /^[("“‘«]?\p{Ll}/u.test(word.text)).length * 2 >= words.length;
}
