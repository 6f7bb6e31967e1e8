/** Boolean values on the page: a ticked box beside its caption, or an answer behind its label. */

import type { LabelHit } from "../extraction/rules/find-labels.ts";
import type { Segment, Token } from "../structure/view/tokens.ts";
import { leadingTick, parseBoolean } from "../values/booleans.ts";
import type { PairedValue } from "./labelled-occurrences.ts";
import { type Occurrence, occurrenceOf, type PrintedWords, wordNumbersAt, wordReference } from "./printed-words.ts";

/** Words behind a label that may hold its answer. */
const MAX_ANSWER_WORDS = 8;
/** Maximum gap between a box and its caption, in ems. */
const MAX_BOX_GAP_EM = 2.5;
const BOX_QUALITY = 0.95;
const ANSWER_QUALITY = 0.92;

/** A box or an answer word, perhaps of several tokens (`[`, `x`, `]`). */
interface BooleanMark {
  tokens: Token[];
  value: boolean;
  box: boolean;
}

function markAt(tokens: readonly Token[], at: number): BooleanMark | null {
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

function marksIn(tokens: readonly Token[]): BooleanMark[] {
  const marks: BooleanMark[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const mark = markAt(tokens, at);
    if (mark === null) continue;
    marks.push(mark);
    at += mark.tokens.length - 1;
  }
  return marks;
}

/** `☒ yes ☐ no`: the answer with the ticked box; `Yes`: the word itself. */
function answerIn(tokens: readonly Token[]): BooleanMark | null {
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

const gapEm = (left: Token, right: Token): number =>
  (right.box.left - left.box.right) / Math.max(left.em, right.em, 0.05);

/** The box directly before a caption. */
function boxBefore(hit: LabelHit, row: readonly Segment[]): BooleanMark | null {
  const caption = hit.segment.tokens[hit.from];
  const before =
    hit.from > 0 ? hit.segment.tokens.slice(0, hit.from) : (row[row.indexOf(hit.segment) - 1]?.tokens ?? []);
  const last = before.at(-1);
  if (caption === undefined || last === undefined || gapEm(last, caption) > MAX_BOX_GAP_EM) return null;
  const mark = marksIn(before.slice(-3)).at(-1);
  return mark?.box === true && mark.tokens.includes(last) ? mark : null;
}

/** The box or answer at a label. */
function markAtLabel(hit: LabelHit, printed: PrintedWords): BooleanMark | null {
  const row = printed.view.rows[hit.segment.row]?.segments ?? [];
  const before = boxBefore(hit, row);
  if (before !== null) return before;
  const at = row.indexOf(hit.segment);
  const behind = [...hit.segment.tokens.slice(hit.to), ...row.slice(at + 1, at + 4).flatMap(({ tokens }) => tokens)];
  return answerIn(behind.slice(0, MAX_ANSWER_WORDS));
}

const wordNumbersOf = (mark: BooleanMark, printed: PrintedWords): number[] =>
  mark.tokens.flatMap((token) =>
    wordNumbersAt(printed, wordReference(token)).filter((number) => printed.tokens[number] === token),
  );

/** Places where a label's box or answer has the value. @returns each with the label's weight */
export function booleansAtLabels(
  value: boolean,
  hits: readonly LabelHit[],
  printed: PrintedWords,
): [Occurrence, number][] {
  return hits.flatMap((hit): [Occurrence, number][] => {
    const mark = markAtLabel(hit, printed);
    if (mark === null || mark.value !== value) return [];
    const quality = mark.box ? BOX_QUALITY : ANSWER_QUALITY;
    return [[occurrenceOf(printed, wordNumbersOf(mark, printed), quality), hit.strength]];
  });
}

/**
 * Places where a value that the reader paired with a label holds the boolean; boxes that contradict each other count as
 * none.
 */
export function booleansInPairs(
  value: boolean,
  paired: readonly PairedValue[],
  printed: PrintedWords,
): [Occurrence, number][] {
  return paired.flatMap(({ pair, weight }): [Occurrence, number][] => {
    const marks = pair.values.flatMap(({ tokens }) => marksIn(tokens.slice(0, MAX_ANSWER_WORDS)));
    const [first] = marks;
    if (first === undefined || marks.some((mark) => mark.value !== value)) return [];
    return [[occurrenceOf(printed, wordNumbersOf(first, printed), first.box ? BOX_QUALITY : ANSWER_QUALITY), weight]];
  });
}

/** All boxes and answers with the value, for cells of a column. */
export function allBooleanMarks(value: boolean, printed: PrintedWords): Occurrence[] {
  return printed.view.segments.flatMap(({ tokens }) =>
    marksIn(tokens)
      .filter((mark) => mark.value === value)
      .map((mark) => occurrenceOf(printed, wordNumbersOf(mark, printed), mark.box ? BOX_QUALITY : ANSWER_QUALITY)),
  );
}
