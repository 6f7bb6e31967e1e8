/** Index of words by their places, which tells whether two readings of a page have found the same. */
import type { Block, Box, Line, Page, Word } from "../../ports/layout.ts";
import { middleY, overlapShare, unionBox } from "./geometry.ts";
import { blockLines, pageWords } from "./page-words.ts";

/** Height of a band: about a line and a half, so that a word lies in two or three. */
const BAND_INCHES = 0.25;
/** Bands of a word, and words of a band; more is no text. Bounds the work. */
const MAX_BANDS_OF_WORD = 200;
const MAX_WORDS_IN_BAND = 2_000;
/** Share of the smaller of two boxes from which they hold the same word. */
export const SAME_PLACE_OVERLAP_SHARE = 0.5;
/** Factor by which type that is larger both ways is another's. */
const OTHER_SIZE_RATIO = 4;

const ratio = (a: number, b: number): number => Math.max(a, b) / Math.max(Math.min(a, b), Number.MIN_VALUE);

/** True if two boxes hold the same word, or parts of one; type of quite another size across it is a watermark. */
function isSameWord(a: Box, b: Box): boolean {
  const [widths, heights] = [ratio(a.right - a.left, b.right - b.left), ratio(a.bottom - a.top, b.bottom - b.top)];
  return overlapShare(a, b) >= SAME_PLACE_OVERLAP_SHARE && Math.min(widths, heights) <= OTHER_SIZE_RATIO;
}

function bandsOf({ top, bottom }: Box): number[] {
  const first = Math.floor(top / BAND_INCHES);
  const length = Math.floor(bottom / BAND_INCHES) - first + 1;
  return Array.from({ length: Math.min(Math.max(length, 1), MAX_BANDS_OF_WORD) }, (_, index) => first + index);
}

/** Index of words by the bands that they lie in. */
function inBands(words: readonly Word[]): (band: number) => readonly Word[] {
  const bands = new Map<number, Word[]>();
  for (const word of words) {
    for (const band of bandsOf(word.box)) {
      const own = bands.get(band);
      if (own === undefined) bands.set(band, [word]);
      else if (own.length < MAX_WORDS_IN_BAND) own.push(word);
    }
  }
  return (band) => bands.get(band) ?? [];
}

/** Test for boxes at which a word of the page stands. */
export function wordPlaceTest(page: Page): (box: Box) => boolean {
  const wordsIn = inBands(pageWords(page));
  return (box) => bandsOf(box).some((band) => wordsIn(band).some((word) => isSameWord(box, word.box)));
}

/** Finds the words of the page at a box. */
export function wordsAtPlaces(page: Page): (box: Box) => Word[] {
  const wordsIn = inBands(pageWords(page));
  return (box) => [
    ...new Set(bandsOf(box).flatMap((band) => wordsIn(band).filter((word) => isSameWord(box, word.box)))),
  ];
}

/** Changes the lines of a block, of a table cell by cell; a block without lines stays as it is. */
export function changeLines(block: Block, change: (lines: readonly Line[]) => Line[]): Block {
  if (block.kind !== "table") {
    const lines = change(block.lines);
    return lines.length === 0 ? block : { ...block, lines, box: unionBox([block.box, ...lines.map(({ box }) => box)]) };
  }
  return { ...block, cells: block.cells.map((cell) => ({ ...cell, lines: change(cell.lines) })) };
}

/** Test for words that stand in one of some areas. */
export function areaTest(areas: readonly Box[]): (word: Word) => boolean {
  if (areas.length === 0) return () => false;
  const wordsAt = inBands(areas.map((box) => ({ text: "", box })));
  return ({ box }) =>
    bandsOf(box).some((band) => wordsAt(band).some((one) => overlapShare(box, one.box) >= SAME_PLACE_OVERLAP_SHARE));
}

/** Keeps the wanted words of lines; lines without any are dropped. */
export function filterLines(lines: readonly Line[], wanted: (word: Word) => boolean): Line[] {
  return lines.flatMap((line) => {
    const words = line.words.filter(wanted);
    if (words.length === line.words.length) return [line];
    return words.length === 0 ? [] : [{ box: unionBox(words.map(({ box }) => box)), words }];
  });
}

/** Keeps the wanted words of blocks; blocks that lose all words are dropped, those that had none stay. */
export function filterBlocks(blocks: readonly Block[], wanted: (word: Word) => boolean): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (blockLines(block).length === 0) return [block];
    if (block.kind === "table") {
      const cells = block.cells.map((cell) => ({ ...cell, lines: filterLines(cell.lines, wanted) }));
      return cells.some(({ lines }) => lines.length > 0) ? [{ ...block, cells }] : [];
    }
    const lines = filterLines(block.lines, wanted);
    if (lines.length === 0) return [];
    const same = lines.length === block.lines.length && lines.every((line, index) => line === block.lines[index]);
    return [same ? block : { ...block, lines, box: unionBox(lines.map(({ box }) => box)) }];
  });
}

/** Keeps the wanted lines of blocks; blocks that lose all lines are dropped, tables and those that had none stay. */
export function keepLines(blocks: readonly Block[], wanted: (line: Line) => boolean): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.kind === "table" || block.lines.every(wanted)) return [block];
    const lines = block.lines.filter(wanted);
    return lines.length === 0 ? [] : [{ ...block, lines, box: unionBox(lines.map(({ box }) => box)) }];
  });
}

/**
 * Replaces words of blocks by those of another reading at their places; where it has none, they stay.
 * @param gives true for words that may be replaced
 */
export function replaceByPlace(blocks: readonly Block[], gives: (word: Word) => boolean, other: Page): Block[] {
  const wordsAt = wordsAtPlaces(other);
  const used = new Set<Word>();
  const instead = new Map<Word, Word[]>();
  for (const word of blocks.flatMap((block) => blockLines(block).flatMap(({ words }) => words))) {
    const there = gives(word) ? wordsAt(word.box) : [];
    if (there.length === 0) continue;
    instead.set(
      word,
      there.filter((one) => !used.has(one)),
    );
    for (const one of there) used.add(one);
  }
  const replace = (line: Line): Line => {
    const words = line.words.flatMap((word) => instead.get(word) ?? [word]);
    return { ...line, words, box: unionBox(words.map(({ box }) => box)) };
  };
  const kept = filterBlocks(blocks, (word) => instead.get(word)?.length !== 0);
  return kept.map((block) => changeLines(block, (lines) => lines.map(replace)));
}

const shareColumn = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right;

/**
 * Inserts blocks of another reading among those of a page: each before the first block that begins below it in its
 * column, those above everything at the beginning, others at the end.
 */
export function insertByPlace(base: readonly Block[], extras: readonly Block[]): Block[] {
  const before = new Map<Block, Block[]>();
  const first: Block[] = [];
  const last: Block[] = [];
  for (const extra of [...extras].sort((a, b) => a.box.top - b.box.top)) {
    const middle = middleY(extra.box);
    const next = base.find(({ box }) => box.top >= middle && shareColumn(box, extra.box));
    if (next !== undefined) before.set(next, [...(before.get(next) ?? []), extra]);
    else if (base.every(({ box }) => box.top >= middle)) first.push(extra);
    else last.push(extra);
  }
  return [...first, ...base.flatMap((block) => [...(before.get(block) ?? []), block]), ...last];
}
