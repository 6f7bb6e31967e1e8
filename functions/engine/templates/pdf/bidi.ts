/** Order of a line's characters as shown (Unicode Standard Annex 9). */
import bidiFactory from "bidi-js";

// The package's types describe a module with a default export; Node gives what CommonJS exports, the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** A stretch of a line with one direction, in logical order. */
export interface DirectedRun {
  text: string;
  rightToLeft: boolean;
}

/** Characters of right-to-left scripts: Hebrew to Arabic Extended, their presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

const graphemes = new Intl.Segmenter("und");

/** Text in the order shown, where a font's shaping does not turn it: signs without a script of their own. */
export const shownBackwards = (text: string): string =>
  Array.from(graphemes.segment(text), ({ segment }) => segment)
    .reverse()
    .join("");

export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** True when a paragraph's first strong character is of a right-to-left script. */
export const startsFromRight = (text: string): boolean =>
  hasRightToLeft(text) && bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1;

/** Parts a line into runs from left to right as shown; mirrored characters are mirrored. */
export function directedRuns(line: string, fromRight: boolean): DirectedRun[] {
  if (!hasRightToLeft(line)) return [{ text: line, rightToLeft: false }];
  const { levels } = bidi.getEmbeddingLevels(line, fromRight ? "rtl" : "ltr");
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const runs: (DirectedRun & { level: number })[] = [];
  for (let index = 0; index < line.length; index += 1) {
    const level = levels[index] ?? 0;
    const character = mirrored.get(index) ?? line.charAt(index);
    const last = runs.at(-1);
    if (last !== undefined && last.level === level) last.text += character;
    else runs.push({ text: character, rightToLeft: level % 2 === 1, level });
  }
  return reorder(runs);
}

/** Rule L2: from the highest level to the lowest odd one, every sequence at that level or above is reversed. */
function reorder<T extends { level: number }>(runs: T[]): T[] {
  const levels = runs.map(({ level }) => level);
  let ordered = runs;
  for (let level = Math.max(0, ...levels); level > 0; level -= 1) {
    const next: T[] = [];
    let sequence: T[] = [];
    for (const run of ordered) {
      if (run.level >= level) sequence.unshift(run);
      else {
        next.push(...sequence, run);
        sequence = [];
      }
    }
    next.push(...sequence);
    ordered = next;
  }
  return ordered;
}
