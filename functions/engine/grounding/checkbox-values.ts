/** Yes and no on the page: a box ticked beside its caption, or a word behind its label. */

import type { LabelHit } from "../extraction/rules/find-labels.ts";
import type { Segment, Token } from "../structure/view/tokens.ts";
import { leadingTick, parseBoolean } from "../values/booleans.ts";
import type { Paired } from "./labelled-occurrences.ts";
import { type Occurrence, occurrence, type Printed, referenceOf, wordsNamed } from "./printed-words.ts";

/** Words behind a label that may answer it. */
const REACH = 8;
/** A box stands within so many ems of its caption. */
const BOX_GAP = 2.5;
const BESIDE = 0.95;
const ANSWERED = 0.92;

/** A mark or an answer, perhaps of several words (`[`, `x`, `]`). */
interface Mark {
  tokens: Token[];
  value: boolean;
  box: boolean;
}

function markAt(tokens: readonly Token[], at: number): Mark | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.text === "[" || token.text === "(") {
    const close = tokens.slice(at + 1, at + 3).findIndex(({ text }) => text === "]" || text === ")");
    const parts = close < 0 ? [] : tokens.slice(at, at + close + 2);
    const value = leadingTick(parts.map(({ text }) => text).join(""));
    return value === null ? null : { tokens: parts, value, box: true };
  }
  const tick = leadingTick(token.text);
  if (tick !== null) return { tokens: [token], value: tick, box: true };
  const word = parseBoolean(token.text);
  return word === null ? null : { tokens: [token], value: word, box: false };
}

function marksIn(tokens: readonly Token[]): Mark[] {
  const marks: Mark[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const mark = markAt(tokens, at);
    if (mark === null) continue;
    marks.push(mark);
    at += mark.tokens.length - 1;
  }
  return marks;
}

/** `☒ yes ☐ no`: the answer whose box is ticked; `Yes`: the word itself. */
function answerIn(tokens: readonly Token[]): Mark | null {
  const marks = marksIn(tokens);
  const [first, second] = marks;
  if (first === undefined) return null;
  if (second === undefined || first.box === second.box)
    return first.tokens[0] !== undefined && tokens.indexOf(first.tokens[0]) <= 2 ? first : null;
  for (let at = 0; at + 1 < marks.length; at += 2) {
    const pair = marks.slice(at, at + 2);
    const [box, word] = [pair.find((mark) => mark.box), pair.find((mark) => !mark.box)];
    if (box?.value === true && word !== undefined)
      return { tokens: pair.flatMap((mark) => mark.tokens), value: word.value, box: true };
  }
  return null;
}

const gapOf = (left: Token, right: Token): number =>
  (right.box.left - left.box.right) / Math.max(left.em, right.em, 0.05);

/** The box directly before a caption. */
function boxBefore(hit: LabelHit, row: readonly Segment[]): Mark | null {
  const caption = hit.segment.tokens[hit.from];
  const before =
    hit.from > 0 ? hit.segment.tokens.slice(0, hit.from) : (row[row.indexOf(hit.segment) - 1]?.tokens ?? []);
  const last = before.at(-1);
  if (caption === undefined || last === undefined || gapOf(last, caption) > BOX_GAP) return null;
  const mark = marksIn(before.slice(-3)).at(-1);
  return mark?.box === true && mark.tokens.includes(last) ? mark : null;
}

/** What is marked at a label. */
function markOf(hit: LabelHit, printed: Printed): Mark | null {
  const row = printed.view.rows[hit.segment.row]?.segments ?? [];
  const before = boxBefore(hit, row);
  if (before !== null) return before;
  const at = row.indexOf(hit.segment);
  const behind = [...hit.segment.tokens.slice(hit.to), ...row.slice(at + 1, at + 4).flatMap(({ tokens }) => tokens)];
  return answerIn(behind.slice(0, REACH));
}

const numbersOf = (mark: Mark, printed: Printed): number[] =>
  mark.tokens.flatMap((token) =>
    wordsNamed(printed, referenceOf(token)).filter((number) => printed.tokens[number] === token),
  );

/** Where a label's box or answer says the value. @returns each with how surely the label is meant */
export function tickedAt(value: boolean, hits: readonly LabelHit[], printed: Printed): [Occurrence, number][] {
  return hits.flatMap((hit): [Occurrence, number][] => {
    const mark = markOf(hit, printed);
    if (mark === null || mark.value !== value) return [];
    const quality = mark.box ? BESIDE : ANSWERED;
    return [[occurrence(printed, numbersOf(mark, printed), quality), hit.strength]];
  });
}

/** Where what the reader paired with a label says the value; boxes that say yes and no say nothing. */
export function tickedIn(value: boolean, paired: readonly Paired[], printed: Printed): [Occurrence, number][] {
  return paired.flatMap(({ pair, weight }): [Occurrence, number][] => {
    const marks = pair.values.flatMap(({ tokens }) => marksIn(tokens.slice(0, REACH)));
    const [first] = marks;
    if (first === undefined || marks.some((mark) => mark.value !== value)) return [];
    return [[occurrence(printed, numbersOf(first, printed), first.box ? BESIDE : ANSWERED), weight]];
  });
}

/** Every mark and answer that says the value: cells of a column. */
export function allMarks(value: boolean, printed: Printed): Occurrence[] {
  return printed.view.segments.flatMap(({ tokens }) =>
    marksIn(tokens)
      .filter((mark) => mark.value === value)
      .map((mark) => occurrence(printed, numbersOf(mark, printed), mark.box ? BESIDE : ANSWERED)),
  );
}
