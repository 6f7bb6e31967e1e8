/** Inserts checkboxes, which engines find apart from the words, into the lines that they stand in. */
import type { Box, Line, Word } from "../../ports/layout.ts";
import { middleX, middleY, unionBox } from "../layout/geometry.ts";

/** Ems between two words of one line at most, as in a text layer (readers/pdf/form-lines.ts). */
const MAX_GAP_EM = 1.5;
/** Distance of the middles of a mark and of a word beside it, as a share of the taller one's height. */
const SAME_ROW_HEIGHT_SHARE = 0.5;

/** A box on the upright page, by its middle. */
export interface UprightBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Turns a box about its middle, to where it lies on the upright page. @param angle degrees clockwise */
export function toUprightBox(box: Box, angle: number): UprightBox {
  const { left, top, right, bottom } = box;
  const [x, y] = [middleX(box), middleY(box)];
  const turn = (-angle * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
  const onSide = Math.abs(sine) > Math.abs(cosine);
  const [width, height] = onSide ? [bottom - top, right - left] : [right - left, bottom - top];
  return { x: x * cosine - y * sine, y: x * sine + y * cosine, width, height };
}

const gapBetween = (a: UprightBox, b: UprightBox): number => Math.max(Math.abs(a.x - b.x) - (a.width + b.width) / 2, 0);

/** Ems to the nearest word on the mark's row; infinite for a line that is on another row. */
function distance(mark: UprightBox, words: readonly { at: UprightBox }[]): number {
  const ems = words.map(({ at: word }) => {
    const em = Math.max(word.height, mark.height);
    return Math.abs(word.y - mark.y) <= SAME_ROW_HEIGHT_SHARE * em
      ? gapBetween(mark, word) / Math.max(em, 0.01)
      : Infinity;
  });
  return ems.reduce((least, one) => Math.min(least, one), Infinity);
}

/** Number of words before a mark, in the direction of the line. */
function positionIn(words: readonly { at: UprightBox }[], mark: UprightBox): number {
  const [first, last] = [words[0]?.at, words.at(-1)?.at];
  const leftwards = first !== undefined && last !== undefined && last.x < first.x;
  const next = words.findIndex(({ at: { x } }) => (leftwards ? x < mark.x : x > mark.x));
  return next < 0 ? words.length : next;
}

/**
 * Inserts marks into the lines beside whose words they stand.
 * @param angle degrees clockwise by which the page's text is turned
 * @returns as many lines, in their order, with the same words; and the marks that stand alone
 */
export function insertCheckboxes(
  lines: readonly Line[],
  marks: readonly Word[],
  angle: number,
): { lines: Line[]; alone: Word[] } {
  const rows = lines.map(({ words }) => words.map((word) => ({ word, at: toUprightBox(word.box, angle) })));
  const gained = new Set<number>();
  const alone: Word[] = [];
  for (const word of marks) {
    const at = toUprightBox(word.box, angle);
    let [nearest, least] = [-1, MAX_GAP_EM];
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
