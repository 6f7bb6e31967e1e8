/** Which words stand where: to tell whether two readings of a page have found the same. */
import type { Block, Box, Line, Page, Word } from "../../../ports/layout.ts";
import { middleY, overlapShare, unionBox } from "../../layout/geometry.ts";
import { blockLines, pageWords } from "../../layout/page-words.ts";

/** Inches: about a line and a half, so that a word lies in two or three. */
const BAND = 0.25;
/** A word that spans more, and a band that holds more, is no text; bounds the work. */
const MOST_BANDS = 200;
const MOST_IN_BAND = 2_000;
/** Two boxes hold the same word when they share so much of the smaller one. */
export const SAME_PLACE = 0.5;
/** Larger by this factor both ways: not the same type. */
const OTHER_SIZE = 4;

const ratio = (a: number, b: number): number => Math.max(a, b) / Math.max(Math.min(a, b), Number.MIN_VALUE);

/** Whether two boxes hold the same word, or parts of one; type of quite another size across it is a watermark. */
function isSameWord(a: Box, b: Box): boolean {
  const [widths, heights] = [ratio(a.right - a.left, b.right - b.left), ratio(a.bottom - a.top, b.bottom - b.top)];
  return overlapShare(a, b) >= SAME_PLACE && Math.min(widths, heights) <= OTHER_SIZE;
}

function bandsOf({ top, bottom }: Box): number[] {
  const first = Math.floor(top / BAND);
  const length = Math.floor(bottom / BAND) - first + 1;
  return Array.from({ length: Math.min(Math.max(length, 1), MOST_BANDS) }, (_, index) => first + index);
}

/** Words by the bands that they lie in. */
function inBands(words: readonly Word[]): (band: number) => readonly Word[] {
  const bands = new Map<number, Word[]>();
  for (const word of words) {
    for (const band of bandsOf(word.box)) {
      const own = bands.get(band);
      if (own === undefined) bands.set(band, [word]);
      else if (own.length < MOST_IN_BAND) own.push(word);
    }
  }
  return (band) => bands.get(band) ?? [];
}

/** Tells of a box whether a word of the page stands there. */
export function placesOf(page: Page): (box: Box) => boolean {
  const wordsIn = inBands(pageWords(page));
  return (box) => bandsOf(box).some((band) => wordsIn(band).some((word) => isSameWord(box, word.box)));
}

/** Tells of a box which words of the page stand there. */
export function wordsAtPlaces(page: Page): (box: Box) => Word[] {
  const wordsIn = inBands(pageWords(page));
  return (box) => [
    ...new Set(bandsOf(box).flatMap((band) => wordsIn(band).filter((word) => isSameWord(box, word.box)))),
  ];
}

/** A block with its lines changed, of a table cell by cell; one without lines stays as it is. */
export function changeLines(block: Block, change: (lines: readonly Line[]) => Line[]): Block {
  if (block.kind !== "table") {
    const lines = change(block.lines);
    return lines.length === 0 ? block : { ...block, lines, box: unionBox([block.box, ...lines.map(({ box }) => box)]) };
  }
  return { ...block, cells: block.cells.map((cell) => ({ ...cell, lines: change(cell.lines) })) };
}

/** Tells of a word whether it stands in one of some areas. */
export function isAtAny(areas: readonly Box[]): (word: Word) => boolean {
  if (areas.length === 0) return () => false;
  const wordsAt = inBands(areas.map((box) => ({ text: "", box })));
  return ({ box }) =>
    bandsOf(box).some((band) => wordsAt(band).some((one) => overlapShare(box, one.box) >= SAME_PLACE));
}

/** The lines with only the words wanted; lines without any are left out. */
export function filterLines(lines: readonly Line[], wanted: (word: Word) => boolean): Line[] {
  return lines.flatMap((line) => {
    const words = line.words.filter(wanted);
    if (words.length === line.words.length) return [line];
    return words.length === 0 ? [] : [{ box: unionBox(words.map(({ box }) => box)), words }];
  });
}

/** The blocks with only the words wanted; those that lose all are left out, those that had none stay. */
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

/** The blocks with only the lines wanted; those that lose all are left out, tables and those that had none stay. */
export function keepLines(blocks: readonly Block[], wanted: (line: Line) => boolean): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.kind === "table" || block.lines.every(wanted)) return [block];
    const lines = block.lines.filter(wanted);
    return lines.length === 0 ? [] : [{ ...block, lines, box: unionBox(lines.map(({ box }) => box)) }];
  });
}

/**
 * Blocks in which words give way to those of another reading that stand at their places; where it has none, they stay.
 * @param gives whether a word may give way
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
 * Puts blocks of another reading among those of a page: each before the first block that begins below it in its column,
 * those above everything at the beginning, others at the end.
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
