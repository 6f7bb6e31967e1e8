/**
 * Pages as a layout file holds them (version 3). A manual's words take a third of the bytes of their objects. Lengths
 * are whole ten-thousandths of an inch. Members not named here are those of the model.
 * - a box: `[left, top, right, bottom]`; absent where it is the union of its block's lines, or its line's words
 * - a page: the styles of its words (all members but text, box and confidence), each once, and its blocks
 * - a cell: `[row, column, rowSpan, columnSpan, box, lines]`
 * - a line: `[texts, places, styles, rest]`. Texts: one string of words with single spaces, or a list where a word
 * contains a space. Places: four numbers a word: its left and top less the right and top of the word before, its width,
 * its bottom less the bottom of the word before. Styles: the style number of all words, or pairs of a style number and
 * its count of words
 */
import type { Block, Box, Line, Page, TableCell, Word } from "../../ports/layout.ts";
import { unionBox } from "./geometry.ts";

const UNITS_PER_INCH = 10_000;

type PackedBox = [left: number, top: number, right: number, bottom: number];
type Style = Omit<Word, "text" | "box" | "confidence">;

interface PackedLineRest extends Omit<Line, "box" | "words"> {
  box?: PackedBox;
  /** One for each word, null where it has none; absent when no word has one. */
  confidences?: (number | null)[];
}
type PackedLine = [texts: string | string[], places: number[], styles: number | number[], rest?: PackedLineRest];
type PackedCell = [
  row: number,
  column: number,
  rowSpan: number,
  columnSpan: number,
  box: PackedBox,
  lines: PackedLine[],
  text?: string,
];

/** A block of any kind. Further members are the model's. */
interface PackedBlock {
  kind: Block["kind"];
  box?: PackedBox;
  lines?: PackedLine[];
  cells?: PackedCell[];
}

interface PackedField {
  label: PackedBox[];
  values: PackedBox[][];
  confidence: number;
}

export interface PackedPage extends Omit<Page, "blocks" | "fields"> {
  styles: Style[];
  blocks: PackedBlock[];
  fields?: PackedField[];
}

const toUnits = (inches: number): number => Math.round(inches * UNITS_PER_INCH);

const packBox = ({ left, top, right, bottom }: Box): PackedBox => [
  toUnits(left),
  toUnits(top),
  toUnits(right),
  toUnits(bottom),
];

const unpackBox = ([left, top, right, bottom]: PackedBox): Box => ({
  left: left / UNITS_PER_INCH,
  top: top / UNITS_PER_INCH,
  right: right / UNITS_PER_INCH,
  bottom: bottom / UNITS_PER_INCH,
});

/** Rounding is monotonic, so a union of boxes stays their union when all are rounded. */
function isUnionOf({ left, top, right, bottom }: Box, parts: readonly { box: Box }[]): boolean {
  if (parts.length === 0) return false;
  const union = unionBox(parts.map(({ box }) => box));
  return left === union.left && top === union.top && right === union.right && bottom === union.bottom;
}

/** The styles of a page's words, numbered in order of appearance. */
class StyleTable {
  readonly list: Style[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(style: Style): number {
    const key = JSON.stringify(style);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.list.push(style) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

function packTexts(words: readonly Word[]): string | string[] {
  const texts = words.map(({ text }) => text);
  return texts.length === 0 || texts.some((text) => text === "" || text.includes(" ")) ? texts : texts.join(" ");
}

function packLine({ box, words, ...others }: Line, styles: StyleTable): PackedLine {
  const places: number[] = [];
  const runs: number[] = [];
  let before: PackedBox = [0, 0, 0, 0];
  let hasConfidence = false;
  for (const { text: _, box: at, confidence, ...style } of words) {
    const own = packBox(at);
    places.push(own[0] - before[2], own[1] - before[1], own[2] - own[0], own[3] - before[3]);
    before = own;
    hasConfidence ||= confidence !== undefined;
    const number = styles.numberOf(style);
    if (runs.at(-2) === number) runs.push((runs.pop() ?? 0) + 1);
    else runs.push(number, 1);
  }
  const rest: PackedLineRest = {
    ...others,
    ...(isUnionOf(box, words) ? {} : { box: packBox(box) }),
    ...(hasConfidence ? { confidences: words.map(({ confidence }) => confidence ?? null) } : {}),
  };
  const line: PackedLine = [packTexts(words), places, runs.length === 2 ? (runs[0] ?? 0) : runs];
  if (Object.keys(rest).length > 0) line.push(rest);
  return line;
}

function unpackLine([texts, places, runs, rest = {}]: PackedLine, styles: readonly Style[]): Line {
  const { box, confidences, ...others } = rest;
  let [right, top, bottom] = [0, 0, 0];
  let [run, remaining] = [0, typeof runs === "number" ? Infinity : (runs[1] ?? 0)];
  const words = (typeof texts === "string" ? texts.split(" ") : texts).map((text, index) => {
    const at = 4 * index;
    const start = right + (places[at] ?? 0);
    right = start + (places[at + 2] ?? 0);
    top += places[at + 1] ?? 0;
    bottom += places[at + 3] ?? 0;
    if (remaining === 0 && typeof runs !== "number") {
      run += 2;
      remaining = runs[run + 1] ?? 0;
    }
    remaining -= 1;
    const style = styles[typeof runs === "number" ? runs : (runs[run] ?? 0)];
    const word: Word = { text, box: unpackBox([start, top, right, bottom]), ...style };
    const confidence = confidences?.[index];
    if (typeof confidence === "number") word.confidence = confidence;
    return word;
  });
  return { box: box === undefined ? unionBox(words.map((word) => word.box)) : unpackBox(box), words, ...others };
}

const packCell = (
  { row, column, rowSpan, columnSpan, box, lines, text }: TableCell,
  styles: StyleTable,
): PackedCell => {
  const packed = lines.map((line) => packLine(line, styles));
  return text === undefined
    ? [row, column, rowSpan, columnSpan, packBox(box), packed]
    : [row, column, rowSpan, columnSpan, packBox(box), packed, text];
};

const unpackCell = (
  [row, column, rowSpan, columnSpan, box, lines, text]: PackedCell,
  styles: readonly Style[],
): TableCell => ({
  row,
  column,
  rowSpan,
  columnSpan,
  box: unpackBox(box),
  lines: lines.map((line) => unpackLine(line, styles)),
  ...(text === undefined ? {} : { text }),
});

function packBlock(block: Block, styles: StyleTable): PackedBlock {
  if (block.kind === "table") {
    const { cells, box, ...others } = block;
    return { ...others, box: packBox(box), cells: cells.map((cell) => packCell(cell, styles)) };
  }
  const { lines, box, ...others } = block;
  const place = isUnionOf(box, lines) ? {} : { box: packBox(box) };
  return { ...others, ...place, lines: lines.map((line) => packLine(line, styles)) };
}

/** Unpacks a block. Members other than box, lines and cells are the model's. */
function unpackBlock({ box, lines, cells, ...others }: PackedBlock, styles: readonly Style[]): Block {
  const unpacked = lines?.map((line) => unpackLine(line, styles));
  const place = box === undefined ? unionBox((unpacked ?? []).map((line) => line.box)) : unpackBox(box);
  return {
    ...others,
    box: place,
    ...(unpacked === undefined ? {} : { lines: unpacked }),
    ...(cells === undefined ? {} : { cells: cells.map((cell) => unpackCell(cell, styles)) }),
  } as Block;
}

/** @returns the page as JSON holds it; `unpackPage` restores it, with boxes to a ten-thousandth of an inch */
export function packPage({ blocks, fields, ...others }: Page): PackedPage {
  const styles = new StyleTable();
  const packed = blocks.map((block) => packBlock(block, styles));
  const form = fields?.map(({ label, values, confidence }) => ({
    label: label.map(packBox),
    values: values.map((boxes) => boxes.map(packBox)),
    confidence,
  }));
  return { ...others, styles: styles.list, blocks: packed, ...(form === undefined ? {} : { fields: form }) };
}

/** Restores a packed page. @throws RangeError for a line or block without a place */
export function unpackPage({ styles, blocks, fields, ...others }: PackedPage): Page {
  const form = fields?.map(({ label, values, confidence }) => ({
    label: label.map(unpackBox),
    values: values.map((boxes) => boxes.map(unpackBox)),
    confidence,
  }));
  return {
    ...others,
    blocks: blocks.map((block) => unpackBlock(block, styles)),
    ...(form === undefined ? {} : { fields: form }),
  };
}
