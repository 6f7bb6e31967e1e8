/** Tells underlines of words from the lines between a table's rows. */
import { MAX_JUNCTION_GAP_EM } from "./lattice.ts";
import { type Rules, rulesBetween } from "./rule-positions.ts";
import type { TableLine, TableWord } from "./table-parts.ts";

/** Distance of an underline's ends from those of its words: a line between rows reaches on to the next column. */
const MAX_END_DISTANCE_EM = 0.3;
/** Distance of an underline from the middle of its words, at most: it lies at their feet. */
const MAX_DEPTH_EM = 0.9;

/** The rules without those that begin and end with words right above them, and do not lead from line to line. */
export function withoutUnderlines(rules: Rules, lines: readonly TableLine<TableWord>[]): Rules {
  const meets = (x: number, y: number, gap: number): boolean =>
    rulesBetween(rules.vertical, x - gap, x + gap).some((rule) => rule.from <= y + gap && rule.to >= y - gap);
  const horizontal = rules.horizontal.filter(({ at, from, to }) => {
    const own = lines.find(({ box, size, words }) => {
      const isNear = (place: number, edge: number): boolean => Math.abs(place - edge) <= MAX_END_DISTANCE_EM * size;
      const depth = at - (box.top + box.bottom) / 2;
      if (depth <= 0 || depth > MAX_DEPTH_EM * size) return false;
      return words.some((word) => isNear(from, word.box.left)) && words.some((word) => isNear(to, word.box.right));
    });
    if (own === undefined) return true;
    const gap = MAX_JUNCTION_GAP_EM * own.size;
    return meets(from, at, gap) && meets(to, at, gap);
  });
  return { ...rules, horizontal };
}
