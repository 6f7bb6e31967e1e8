/** Lines of a block as rows, with the look of their type. Inches; sizes in points. */
import type { Box, Line, Word } from "../../ports/layout.ts";
import { overlapExtents, unionBox } from "../layout/geometry.ts";

const POINTS_PER_INCH = 72;
/** The height of a line of type, ascenders to descenders, in ems: what a size is worked out from where none is known. */
const LINE_HEIGHT = 1.2;

/** What stands side by side in a block: one line, or the parts of a row of labels, values or marks. */
export interface Row {
  lines: Line[];
  box: Box;
  /** Of its type, in points. */
  size: number;
  /** Every word with letters or digits is bold. */
  bold: boolean;
}

/** Whether `line` stands on the row of `before`, to the right of it. */
export function continuesRow(before: Line, line: Line): boolean {
  const overlap = overlapExtents(before.box, line.box).down;
  const height = Math.min(before.box.bottom - before.box.top, line.box.bottom - line.box.top);
  return line.box.left >= before.box.right && overlap > 0.5 * height;
}

/** The lines of a block by rows. */
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

/** Whether a line runs along the page's width; text on its side is no row. A few signs are as high as wide. */
export const isUpright = ({ box, words }: Line): boolean =>
  box.right - box.left >= box.bottom - box.top || (words.length === 1 && (words[0]?.text.length ?? 0) <= 4);

/** Points: as the reader says, or else from the height of the word. */
export const wordSize = ({ fontSize, box }: Word): number =>
  fontSize ?? ((box.bottom - box.top) * POINTS_PER_INCH) / LINE_HEIGHT;

/** In points. The size that most characters of the words have. */
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

/** Every word with letters or digits is bold, and there is one. */
function isBold(words: readonly Word[]): boolean {
  let any = false;
  for (const { bold, text } of words) {
    if (bold === true) any ||= SIGNIFICANT.test(text);
    else if (SIGNIFICANT.test(text)) return false;
  }
  return any;
}

export function toRow(lines: Line[]): Row {
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
export const lastText = ({ lines }: Row): string => lines.at(-1)?.words.at(-1)?.text ?? "";
export const firstText = ({ lines }: Row): string => lines[0]?.words[0]?.text ?? "";

/** Inches. */
export const emOf = (row: Row): number => row.size / POINTS_PER_INCH;

/**
 * Whether the first word of `next` would still have stood on `row`: then the row ends on purpose, not because it is
 * full. A space is a quarter of an em at least.
 * @param right where rows of this column end, in inches
 */
export function endsEarly(row: Row, next: Row, right: number): boolean {
  const word = next.lines[0]?.words[0];
  if (word === undefined) return false;
  return right - row.box.right > word.box.right - word.box.left + 0.5 * emOf(row);
}

/** Of their type's size: words higher than this run up or down the page, at a slant or on their side. */
const LEVEL_HEIGHT = 2;

/** Whether its text does not run along its row, as that of a watermark across the page. */
export const isSlanted = (row: Row): boolean =>
  rowWords(row).some(
    ({ box, fontSize }) => fontSize !== undefined && (box.bottom - box.top) * POINTS_PER_INCH > LEVEL_HEIGHT * fontSize,
  );

/** Running text: long enough for a sentence, and not a row of names or capitals. */
export function isProse(row: Row): boolean {
  const words = rowWords(row);
  if (row.lines.length > 1 || words.length < 5 || row.box.right - row.box.left < 12 * emOf(row)) return false;
  return words.filter((word) => /^[("“‘«]?\p{Ll}/u.test(word.text)).length * 2 >= words.length;
}
