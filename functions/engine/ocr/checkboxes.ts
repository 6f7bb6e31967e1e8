/** Marks of boxes to tick, which engines find apart from the words: put into the lines that they stand in. */
import type { Box, Line, Word } from "../../ports/layout.ts";
import { middleX, middleY, unionBox } from "../layout/geometry.ts";

/** Ems between two words of one line at most, as in a text layer (pdf/lines.ts). */
const WIDEST_GAP = 1.5;
/** Of the taller one's height: so far apart may the middles of a mark and of a word beside it be. */
const SAME_ROW = 0.5;

/** A box on the page as its text stands upright. */
export interface Level {
  /** Of its middle. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A box turned about its middle, where that lies when the page's text is level. @param angle degrees clockwise */
export function level(box: Box, angle: number): Level {
  const { left, top, right, bottom } = box;
  const [x, y] = [middleX(box), middleY(box)];
  const turn = (-angle * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
  const onSide = Math.abs(sine) > Math.abs(cosine);
  const [width, height] = onSide ? [bottom - top, right - left] : [right - left, bottom - top];
  return { x: x * cosine - y * sine, y: x * sine + y * cosine, width, height };
}

const gapBetween = (a: Level, b: Level): number => Math.max(Math.abs(a.x - b.x) - (a.width + b.width) / 2, 0);

/** Ems to the nearest word on the mark's row; infinite for a line that is on another. */
function distance(mark: Level, words: readonly { at: Level }[]): number {
  const ems = words.map(({ at: word }) => {
    const em = Math.max(word.height, mark.height);
    return Math.abs(word.y - mark.y) <= SAME_ROW * em ? gapBetween(mark, word) / Math.max(em, 0.01) : Infinity;
  });
  return ems.reduce((least, one) => Math.min(least, one), Infinity);
}

/** How many words stand before a mark, in the direction in which the line runs. */
function positionIn(words: readonly { at: Level }[], mark: Level): number {
  const [first, last] = [words[0]?.at, words.at(-1)?.at];
  const leftwards = first !== undefined && last !== undefined && last.x < first.x;
  const next = words.findIndex(({ at: { x } }) => (leftwards ? x < mark.x : x > mark.x));
  return next < 0 ? words.length : next;
}

/**
 * Puts marks into the lines beside whose words they stand.
 * @param angle degrees clockwise by which the page's text is turned
 * @returns as many lines, in their order, with the same words; and the marks that stand by themselves
 */
export function insertMarks(
  lines: readonly Line[],
  marks: readonly Word[],
  angle: number,
): { lines: Line[]; alone: Word[] } {
  const rows = lines.map(({ words }) => words.map((word) => ({ word, at: level(word.box, angle) })));
  const gained = new Set<number>();
  const alone: Word[] = [];
  for (const word of marks) {
    const at = level(word.box, angle);
    let [nearest, least] = [-1, WIDEST_GAP];
    for (const [index, row] of rows.entries()) {
      const gap = distance(at, row);
      if (gap <= least && (nearest < 0 || gap < least)) [nearest, least] = [index, gap];
    }
    const row = rows[nearest];
    if (row === undefined) alone.push(word);
    else {
      row.splice(positionIn(row, at), 0, { word, at });
      gained.add(nearest);
    }
  }
  const filled = lines.map((line, index): Line => {
    if (!gained.has(index)) return line;
    const words = (rows[index] ?? []).map(({ word }) => word);
    return { ...line, box: unionBox(words.map(({ box }) => box)), words };
  });
  return { lines: filled, alone };
}
