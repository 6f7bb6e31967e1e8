/** Tells underlines of words from the lines between a table's rows. */
import { lowerBound } from "../../layout/binary-search.ts";
import { MAX_JUNCTION_GAP_EM } from "./lattice.ts";
import { type Rules, rulesBetween } from "./rule-positions.ts";
import type { Rule, TableLine, TableWord } from "./table-parts.ts";

/** Distance of an underline's ends from those of its words: a line between rows reaches on to the next column. */
const MAX_END_DISTANCE_EM = 0.3;
/** Distance of an underline from the middle of its words, at most: it lies at their feet. */
const MAX_DEPTH_EM = 0.9;

const someNear = (words: readonly TableWord[], edge: "left" | "right", place: number, most: number): boolean =>
  words.some(({ box }) => Math.abs(place - box[edge]) <= most);

const underlines = ({ at, from, to }: Rule, { box, size, words }: TableLine<TableWord>): boolean => {
  const depth = at - (box.top + box.bottom) / 2;
  if (depth <= 0 || depth > MAX_DEPTH_EM * size) return false;
  const most = MAX_END_DISTANCE_EM * size;
  return someNear(words, "left", from, most) && someNear(words, "right", to, most);
};

/** Finds the first line that a rule underlines; only the lines right above a rule are looked at. */
function underlinedLine(lines: readonly TableLine<TableWord>[]): (rule: Rule) => TableLine<TableWord> | undefined {
  const placed = lines
    .map((line, index) => ({ line, index, middle: (line.box.top + line.box.bottom) / 2 }))
    .sort((a, b) => a.middle - b.middle);
  const em = lines.reduce((most, { size }) => Math.max(most, size), 0);
  return (rule) => {
    let first: (typeof placed)[number] | undefined;
    // A whole em, beyond the greatest depth.
    for (let at = lowerBound(placed, ({ middle }) => middle, rule.at - em); at < placed.length; at += 1) {
      const one = placed[at];
      if (one === undefined || one.middle >= rule.at) break;
      if ((first === undefined || one.index < first.index) && underlines(rule, one.line)) first = one;
    }
    return first?.line;
  };
}

/** The rules without those that begin and end with words right above them, and do not lead from line to line. */
export function withoutUnderlines(rules: Rules, lines: readonly TableLine<TableWord>[]): Rules {
  const meets = (x: number, y: number, gap: number): boolean =>
    rulesBetween(rules.vertical, x - gap, x + gap).some((rule) => rule.from <= y + gap && rule.to >= y - gap);
  const lineAbove = underlinedLine(lines);
  const horizontal = rules.horizontal.filter((rule) => {
    const own = lineAbove(rule);
    if (own === undefined) return true;
    const gap = MAX_JUNCTION_GAP_EM * own.size;
    return meets(rule.from, rule.at, gap) && meets(rule.to, rule.at, gap);
  });
  return { ...rules, horizontal };
}
