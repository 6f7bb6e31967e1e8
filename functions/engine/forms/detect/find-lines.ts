/** Places to write on lines: the room over rules, underscores and leaders that stand by themselves. */
import type { Box } from "../../../ports/layout.ts";
import { intersects, spanOverlap, unionBox } from "../../layout/geometry.ts";
import type { Rule } from "../../structure/tables/table-parts.ts";
import type { Candidate, Shape } from "./candidate.ts";
import { captionStarts } from "./captions.ts";
import { divideRows, SPLIT_GAP_EM } from "./line-tables.ts";
import { type Cell, inkBox, type PageSpace, type TextRun } from "./page-space.ts";

/** Length of a line to write on, in ems. */
const MIN_LINE_LENGTH_EM = 2;
/**
 * Height of a written line over its rule, in ems, and in points at most: people write and type in one size, whatever the
 * print. Of the heights that suit the fields of 64 open forms, in print of 7 to 11 points, best; underscores stand in
 * running text, whose lines are closer. Larger print is that of a poster.
 */
const LINE_HEIGHT = { ems: 1.9, points: 15 };
const UNDERSCORE_HEIGHT = { ems: 1.75, points: 14 };
const POSTER_EM_POINTS = 12;
/** Height that is left under the print above at least, in ems. */
const MIN_LINE_HEIGHT_EM = 0.8;
/** Band over a rule in which print stands on the rule, in ems. */
const STANDING_EM = 0.75;
/** Lift of the band over the rule: descenders of print that stands on it. */
const LIFT_EM = 0.1;
/** Share of a place's width under print from which the print bounds its height. */
const MIN_COVER_SHARE = 0.02;
/** Share of a rule along cells that makes it their edge. */
const MIN_EDGE_SHARE = 0.6;
/** Distance of a rule from the edge of a cell that it is, in ems. */
const SAME_PLACE_EM = 0.3;
/** Pieces of one line: their length and the gap between them at most, in ems; and their number from which two may touch. */
const [MAX_PIECE_LENGTH_EM, MAX_PIECE_GAP_EM] = [2.6, 1];
const MIN_ROW_PIECES = 3;

function lineHeight(shape: Shape, em: number): number {
  const { ems, points } = shape === "underscore" ? UNDERSCORE_HEIGHT : LINE_HEIGHT;
  return Math.min(ems * em, em > POSTER_EM_POINTS ? Infinity : points);
}

/** True for a rule that bounds cells from above or below. */
function isCellEdge(rule: Rule, cells: readonly Cell[], em: number): boolean {
  let along = 0;
  for (const { box } of cells) {
    if (Math.min(Math.abs(box.top - rule.at), Math.abs(box.bottom - rule.at)) > SAME_PLACE_EM * em) continue;
    along += Math.max(spanOverlap(rule.from, rule.to, box.left, box.right), 0);
  }
  return along >= MIN_EDGE_SHARE * (rule.to - rule.from);
}

/** Joins short pieces beside each other: a line with a place for each character. */
function joinShortPieces(rules: readonly Rule[], em: number): { rule: Rule; pieces: number }[] {
  const joined: { rule: Rule; pieces: number }[] = [];
  const isPiece = ({ from, to }: Rule, count = 1): boolean => to - from <= count * MAX_PIECE_LENGTH_EM * em;
  for (const rule of [...rules].sort((a, b) => a.at - b.at || a.from - b.from)) {
    const before = joined.findLast(
      ({ rule: { at, to } }) => Math.abs(at - rule.at) < SAME_PLACE_EM * em && to <= rule.from,
    );
    const gap = before === undefined ? Infinity : rule.from - before.rule.to;
    if (
      before !== undefined &&
      isPiece(rule, before.pieces < MIN_ROW_PIECES ? 1 : 2) &&
      (before.pieces > 1 || isPiece(before.rule)) &&
      gap <= MAX_PIECE_GAP_EM * em
    ) {
      before.rule = { ...before.rule, to: rule.to };
      before.pieces += 1;
    } else joined.push({ rule, pieces: 1 });
  }
  return joined;
}

/** The parts of a span that nothing stands in. */
function freeSpans({ from, to }: Rule, blocking: readonly { left: number; right: number }[]): [number, number][] {
  const spans: [number, number][] = [];
  let at = from;
  for (const { left, right } of [...blocking].sort((a, b) => a.left - b.left)) {
    if (left > at) spans.push([at, Math.min(left, to)]);
    at = Math.max(at, right);
    if (at >= to) break;
  }
  if (at < to) spans.push([at, to]);
  return spans;
}

/** Distance of the thing that a leader leads to, in ems. */
const MAX_LEAD_EM = 4;
const ENDS_IN_POINTER = /[►▶➔→]$/u;
/** The number of a line, or a pointer: `12`, `12a.`, `(3)`, `►`. */
const LINE_NUMBER = /^(?:\(?\d{1,3}\s?\p{Ll}?[.):]?|[$▪■•►▶➔→]+)$/u;

/** Words between a leader and the thing that it leads to, as runs: `..... Form 309 ► 2 [ ]`. */
const MAX_RUNS_BETWEEN = 2;

/** True for a leader that ends before a number, a cell or a place to tick: it leads the eye there, and is no place. */
function leadsOn(
  { at, to }: Rule,
  cells: readonly Cell[],
  choices: readonly Box[],
  { runs, content, em }: PageSpace,
): boolean {
  const isOnRow = ({ top, bottom }: Box): boolean => top <= at && bottom >= at - STANDING_EM * em;
  let end = to;
  for (let step = 0; step <= MAX_RUNS_BETWEEN; step += 1) {
    const isNext = (box: Box): boolean => box.left >= end - em && box.left <= end + MAX_LEAD_EM * em && isOnRow(box);
    if (choices.some(isNext) || cells.some(({ box }) => isNext(box))) return true;
    const next = runs.find(({ box }) => isNext(box) && box.right > end);
    if (next === undefined) return false;
    if (LINE_NUMBER.test(next.text) || ENDS_IN_POINTER.test(next.text)) return true;
    end = next.box.right;
    const isBeforeLeader = content.leaders.some(
      (one) => Math.abs(one.at - at) < STANDING_EM * em && one.from >= end - em && one.from <= end + MAX_LEAD_EM * em,
    );
    if (isBeforeLeader) return false;
  }
  return false;
}

interface LineSource {
  rule: Rule;
  shape: Shape;
  pieces: number;
}

/** Rooms over one line. */
function roomsOver({ rule, shape, pieces }: LineSource, choices: readonly Box[], space: PageSpace): Candidate[] {
  const { em, rules } = space;
  const band = { left: rule.from, right: rule.to, top: rule.at - STANDING_EM * em, bottom: rule.at - LIFT_EM * em };
  const standing = [
    ...(pieces > 1 ? space.runsAt(band).filter(({ text }) => /[\p{L}\p{N}]/u.test(text)) : space.runsAt(band)).map(
      ({ box }) => box,
    ),
    ...choices.filter((one) => one.top < band.bottom && one.bottom > band.top),
    ...(shape === "leader" ? [] : space.leadersAt(band)),
    ...captionStarts(rule, choices, space).map((x) => ({ left: x - SPLIT_GAP_EM * em, right: x })),
    ...rules.vertical
      .filter(({ at, from, to }) => at > rule.from + 1 && at < rule.to - 1 && from < band.top && to > band.bottom)
      .map(({ at }) => ({ left: at, right: at })),
  ];
  return freeSpans(rule, standing).flatMap(([left, right]): Candidate[] => {
    if (right - left < MIN_LINE_LENGTH_EM * em) return [];
    const highest = rule.at - lineHeight(shape, em);
    const over = { left, right, top: highest, bottom: rule.at - LIFT_EM * em };
    const cover = MIN_COVER_SHARE * (right - left);
    const isOver = (from: number, to: number): boolean => spanOverlap(from, to, left, right) > cover;
    const bounds = [
      ...space
        .runsAt(over)
        .filter(({ box }) => isOver(box.left, box.right))
        .map((run) => inkBox(run).bottom),
      ...choices.filter((one) => one.bottom <= rule.at && isOver(one.left, one.right)).map((one) => one.bottom),
      ...rules.horizontal
        .filter(({ at, from, to }) => at < rule.at - SAME_PLACE_EM * em && isOver(from, to))
        .map(({ at }) => at),
      ...space.content.underscores
        .filter(({ at, from, to }) => at < rule.at - SAME_PLACE_EM * em && isOver(from, to))
        .map(({ at }) => at),
    ];
    const top = Math.max(highest, ...bounds.filter((y) => y <= rule.at));
    if (rule.at - top < MIN_LINE_HEIGHT_EM * em) return [];
    const box = { left, right, top, bottom: rule.at };
    return [
      {
        shape,
        box,
        around: { left: rule.from, right: rule.to, top, bottom: rule.at },
        ...(pieces > 2 ? { comb: pieces } : {}),
      },
    ];
  });
}

/** Parts of one number: their width, and the gap in which only a dash or a stroke stands, in ems. */
const MAX_PART_EM = 14;
const MAX_PART_GAP_EM = 2.2;
const DASH = /^[-‐‑–—/]$/u;

/** True for a part of a number that follows another on its row, with a dash or a stroke between them. */
function followsDash(last: Box, next: Box, { runs, em }: PageSpace): boolean {
  const gap = next.left - last.right;
  const isPart = ({ left, right }: Box): boolean => right - left <= MAX_PART_EM * em;
  if (Math.abs(last.bottom - next.bottom) >= SAME_PLACE_EM * em || gap <= 0 || gap > MAX_PART_GAP_EM * em) return false;
  if (!isPart(last) || !isPart(next)) return false;
  const space = { left: last.right, right: next.left, top: next.top, bottom: next.bottom };
  const between = runs.filter(({ box }) => intersects(box, space));
  return between.length === 1 && DASH.test(between[0]?.text ?? "");
}

/** Joins parts of a line that dashes or strokes divide, as `__-_______` or `__/__/____`: one number, one date. */
function joinDashed(rooms: readonly Candidate[], space: PageSpace): Candidate[] {
  const rows: Candidate[][] = [];
  for (const room of [...rooms].sort((a, b) => a.box.left - b.box.left)) {
    const row = rows.find((one) => followsDash(one.at(-1)?.box ?? room.box, room.box, space));
    if (row === undefined) rows.push([room]);
    else row.push(room);
  }
  return rows.flatMap((row): Candidate[] => {
    const [{ shape } = { shape: "rule" as const }] = row;
    const unite = (part: "box" | "around"): Box => unionBox(row.map((one) => one[part]));
    return row.length === 1 ? row : [{ shape, box: unite("box"), around: unite("around") }];
  });
}

/** Length of the lines of a text of several lines at least, in ems. */
const MIN_TEXT_LINE_EM = 10;
/** Distance of the name of a line before it, in ems. */
const MAX_NAME_DISTANCE_EM = 1.5;
/** Distance of stacked lines in ems, and by how much two distances may differ, as a share. */
const MAX_STACK_DISTANCE_EM = 3.2;
const MAX_DISTANCE_DIFFERENCE = 0.25;

/** True for print right before a line: it is a line of its own. */
const hasNameBefore = ({ box }: Candidate, space: PageSpace): boolean =>
  space.runsAt({
    left: box.left - MAX_NAME_DISTANCE_EM * space.em,
    right: box.left,
    top: box.bottom - space.em,
    bottom: box.bottom,
  }).length > 0;

/** Distance of the name of a row before its line, in ems. */
const MAX_ROW_NAME_EM = 20;

/** The last print before a line on its row, with nothing drawn in between. */
function rowName({ box }: Candidate, { runs, rules, content, em }: PageSpace): TextRun | undefined {
  const isOnRow = (one: Box): boolean =>
    one.bottom > box.bottom - STANDING_EM * em && one.top < box.bottom - LIFT_EM * em;
  const last = runs
    .filter(
      (run) =>
        run.box.right <= box.left + 0.5 * em && run.box.right > box.left - MAX_ROW_NAME_EM * em && isOnRow(inkBox(run)),
    )
    .sort((a, b) => b.box.right - a.box.right)[0];
  if (last === undefined) return undefined;
  const isBetween = (x: number): boolean => x > last.box.right && x < box.left - 0.5 * em;
  const isParted =
    rules.vertical.some(({ at, from, to }) => isBetween(at) && from < box.bottom && to > box.top) ||
    [...rules.horizontal, ...content.underscores].some(
      ({ at, from, to }) => Math.abs(at - box.bottom) < SAME_PLACE_EM * em && isBetween((from + to) / 2),
    );
  return isParted ? undefined : last;
}

/** True if a line goes on with the text of the one over it: of the same length, with nothing between them. */
function continuesText(over: Candidate, line: Candidate, first: Candidate, space: PageSpace): boolean {
  const { em } = space;
  const distance = line.box.bottom - over.box.bottom;
  if (distance <= em * 0.8 || distance > MAX_STACK_DISTANCE_EM * em) return false;
  if (Math.abs(line.box.left - first.box.left) > em || Math.abs(line.box.right - first.box.right) > em) return false;
  if (
    hasNameBefore(line, space) ||
    (over === first && rowName(over, space) !== undefined && rowName(line, space) !== undefined)
  )
    return false;
  const between = { ...line.box, top: over.box.bottom };
  if (space.runsAt(between).some(({ box }) => spanOverlap(box.top, box.bottom, between.top, between.bottom) > 0.3 * em))
    return false;
  const height = over === first ? distance : over.box.bottom - over.box.top;
  return over === first || Math.abs(distance - height) <= Math.max(MAX_DISTANCE_DIFFERENCE * distance, em);
}

/** Texts of several lines: rules under each other. */
function stackedLines(lines: readonly Candidate[], space: PageSpace): Candidate[][] {
  const stacks: Candidate[][] = [];
  const isLong = ({ shape, box }: Candidate): boolean =>
    shape === "rule" && box.right - box.left >= MIN_TEXT_LINE_EM * space.em;
  for (const line of lines.filter(isLong).sort((a, b) => a.box.bottom - b.box.bottom)) {
    const stack = stacks.find((one) => continuesText(one.at(-1) ?? line, line, one[0] ?? line, space));
    if (stack === undefined) stacks.push([line]);
    else stack.push(line);
  }
  return stacks.filter((stack) => stack.length > 1);
}

/** The places to write on the lines of a page. */
export function findLineRooms(cells: readonly Cell[], choices: readonly Box[], space: PageSpace): Candidate[] {
  const { em, rules, content } = space;
  const own = rules.horizontal.filter((rule) => !isCellEdge(rule, cells, em));
  const lines: LineSource[] = [
    ...joinShortPieces(own, em).map((one): LineSource => ({ ...one, shape: "rule" })),
    ...joinShortPieces(content.underscores, em).map((one): LineSource => ({ ...one, shape: "underscore" })),
    ...content.leaders
      .filter((rule) => !leadsOn(rule, cells, choices, space))
      .map((rule): LineSource => ({ rule, shape: "leader", pieces: 1 })),
  ];
  const over = lines.flatMap((line) => roomsOver(line, choices, space));
  const { inTables, others } = divideRows(over, space);
  const rooms = joinDashed(others, space);
  const stacks = stackedLines(rooms, space);
  const stacked = new Set(stacks.flat());
  return [
    ...inTables,
    ...rooms.filter((room) => !stacked.has(room)),
    ...stacks.map((stack): Candidate => {
      const box = unionBox(stack.map((line) => line.box));
      return { shape: "lines", box, around: box };
    }),
  ];
}
