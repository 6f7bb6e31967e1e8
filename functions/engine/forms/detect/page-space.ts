/** The words, rules and boxes of a page, prepared for questions about places on it. */
import type { Box } from "../../../ports/layout.ts";
import { containsMiddle, intersects, median, middleX, middleY, unionBox } from "../../layout/geometry.ts";
import { type Rules, settleRules } from "../../structure/tables/rule-positions.ts";
import type { Rule } from "../../structure/tables/table-parts.ts";
import { type Cell, enclosedCells } from "./enclosed-cells.ts";
import { type FormPageContent, type FormWord, pageEm } from "./form-page.ts";

/** Words of one line without a wide gap. */
export interface TextRun {
  text: string;
  box: Box;
  size: number;
  /** True if all its words are. */
  bold: boolean;
  words: FormWord[];
  /** True if its first word is. */
  beginsBold: boolean;
}

/** Cells of a page at most; more are a pattern. */
const MAX_CELLS = 3_000;
/** Distance of sides that two cells share, in ems. */
const SAME_SIDE_EM = 0.4;
/** Cells between a cell and its head at most. */
const MAX_STEPS = 60;
/** Heads of columns that make a row one of heads. */
const MIN_HEADS = 2;

/** Words that are brackets only: places to tick, and no part of a label. */
const BRACKETS = /^(?:[[\]]|\[\s*\]|\(|\))$/u;

const WORDED = /[\p{L}\p{N}]/u;

/** Gap that ends a run of words, in ems: two labels beside each other stand further apart. */
const MAX_RUN_GAP_EM = 0.9;
/** Height of a leader's dots in ems. */
const LEADER_HEIGHT_EM = 0.3;
/** Share of a run's height that a rule between two words covers at least. */
const MIN_PARTING_SHARE = 0.6;

/** Height of a word's letters without the room for ascent and descent, as shares of its box. */
const INK_TOP_SHARE = 0.12;
const INK_BOTTOM_SHARE = 0.1;

/** The box of a word's ink: boxes of type reach from its descent to its ascent, and touch the lines around. */
export function inkBox({ box }: Pick<FormWord, "box">): Box {
  const height = box.bottom - box.top;
  return { ...box, top: box.top + INK_TOP_SHARE * height, bottom: box.bottom - INK_BOTTOM_SHARE * height };
}

/** Shade of the paper in the middle of a box, 0 black to 1 white. */
export function tintOf(box: Box, { content, rules }: Pick<PageSpace, "content" | "rules">): number {
  const isBlank = content.blanks.some((one) => containsMiddle(one, box));
  return isBlank ? 1 : (rules.fillAt(middleX(box), middleY(box))?.shade ?? 1);
}

import { isTickSquare, ruledSquares } from "./ruled-squares.ts";

export type { Cell } from "./enclosed-cells.ts";

type Side = "left" | "right" | "above" | "below";

export class PageSpace {
  readonly content: FormPageContent;
  /** Usual type size, points. */
  readonly em: number;
  /** Rules without gaps. */
  readonly rules: Rules;
  readonly runs: readonly TextRun[];
  /** Runs with a letter or a figure. */
  readonly wordedRuns: readonly TextRun[];
  /** Squares of the size of a place to tick that rules enclose. */
  readonly squares: readonly Box[];
  /** Those of thin lines, whose thickness a picture does not tell. */
  readonly thinSquares: ReadonlySet<Box>;
  /** Boxes that rules enclose. */
  readonly cells: readonly Cell[];
  /** Usual thickness of the page's level lines, points; 0 where none is known. */
  readonly thickness: number;
  readonly #inks: readonly Box[];
  readonly #columnHeads = new Map<Box, boolean>();
  readonly #runsIn = new Map<Box, TextRun[]>();
  readonly #heads = { left: new Map<Box, TextRun[]>(), above: new Map<Box, TextRun[]>() };
  /** Cells by their upper and left side, in strips as wide as sides of neighbours may be apart. */
  #byStrip: Record<"row" | "column", ReadonlyMap<number, readonly Cell[]>> | undefined;
  readonly #beside: Record<Side, Map<Box, Box | undefined>> = {
    left: new Map(),
    right: new Map(),
    above: new Map(),
    below: new Map(),
  };

  constructor(content: FormPageContent) {
    this.content = content;
    this.em = pageEm(content);
    const squares = ruledSquares(content.horizontal, content.vertical, this.em);
    this.squares = squares.map(({ box }) => box);
    this.thinSquares = new Set(content.isPicture ? [] : squares.filter(({ isThin }) => isThin).map(({ box }) => box));
    // Squares to tick and around numbers part no cell that they stand in.
    const sides = new Set(squares.flatMap((square) => square.sides));
    const boxes = [...content.blanks, ...content.frames].filter((box) => !isTickSquare(box, this.em));
    this.rules = settleRules(
      {
        horizontal: [...content.horizontal.filter((rule) => !sides.has(rule)), ...boxes.flatMap(levelEdges)],
        vertical: [...content.vertical.filter((rule) => !sides.has(rule)), ...boxes.flatMap(uprightEdges)],
        fills: content.fills,
      },
      this.em,
    );
    const known = this.rules.horizontal.flatMap(({ thickness }) => (thickness === undefined ? [] : [thickness]));
    this.thickness = known.length === 0 ? 0 : median(known);
    this.runs = this.#joinRuns(content.words);
    this.#inks = this.runs.map(inkBox);
    this.wordedRuns = this.runs.filter(({ text }) => WORDED.test(text));
    this.cells = enclosedCells(this.rules, this.em, MAX_CELLS);
  }

  /** The cell that shares a whole side with a cell; undefined for none. */
  cellBeside(cell: Box, side: Side): Box | undefined {
    const known = this.#beside[side];
    if (!known.has(cell)) known.set(cell, this.#findBeside(cell, side));
    return known.get(cell);
  }

  #findBeside(cell: Box, side: Side): Box | undefined {
    const near = SAME_SIDE_EM * this.em;
    const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= near;
    const isInColumn = (one: Box): boolean => isSame(one.left, cell.left) && isSame(one.right, cell.right);
    const isInRow = (one: Box): boolean => isSame(one.top, cell.top) && isSame(one.bottom, cell.bottom);
    const tests = {
      left: (one: Box) => isSame(one.right, cell.left) && isInRow(one),
      right: (one: Box) => isSame(one.left, cell.right) && isInRow(one),
      above: (one: Box) => isSame(one.bottom, cell.top) && isInColumn(one),
      below: (one: Box) => isSame(one.top, cell.bottom) && isInColumn(one),
    };
    const isLevel = side === "left" || side === "right";
    this.#byStrip ??= {
      row: Map.groupBy(this.cells, ({ box }) => Math.floor(box.top / near)),
      column: Map.groupBy(this.cells, ({ box }) => Math.floor(box.left / near)),
    };
    const strip = Math.floor((isLevel ? cell.top : cell.left) / near);
    const strips = this.#byStrip[isLevel ? "row" : "column"];
    for (const at of [strip, strip - 1, strip + 1]) {
      const found = strips.get(at)?.find(({ box }) => box !== cell && tests[side](box));
      if (found !== undefined) return found.box;
    }
    return undefined;
  }

  /** The nearest print in the cells before a cell in its row, then over it in its column; none where there is none. */
  headsOf(cell: Box): TextRun[][] {
    return [this.headTowards(cell, "left"), this.headTowards(cell, "above")].filter((print) => print.length > 0);
  }

  /** The nearest print in the cells on one side of a cell; empty where there is none. */
  headTowards(cell: Box, side: "left" | "above"): TextRun[] {
    const known = this.#heads[side].get(cell) ?? this.#findHead(cell, side);
    this.#heads[side].set(cell, known);
    return known;
  }

  #findHead(cell: Box, side: "left" | "above"): TextRun[] {
    let next = this.cellBeside(cell, side);
    for (let step = 0; next !== undefined && step < MAX_STEPS; step += 1) {
      const print = this.runsIn(next).filter(({ text }) => WORDED.test(text));
      if (print.length > 0) return print;
      next = this.cellBeside(next, side);
    }
    return [];
  }

  /** True for a cell with print over an empty one, or one with a sign of money alone: the head of a column. */
  isColumnHead(cell: Box): boolean {
    const known = this.#columnHeads.get(cell);
    if (known !== undefined) return known;
    const below = this.#isOpen(cell) ? undefined : this.cellBeside(cell, "below");
    const isHead = below !== undefined && this.#isOpen(below);
    this.#columnHeads.set(cell, isHead);
    return isHead;
  }

  /** True for a cell without print, or with a sign of money alone: an amount is to be written there. */
  #isOpen(cell: Box): boolean {
    return this.runsIn(cell).every(({ text }) => /^\p{Sc}$/u.test(text));
  }

  /** True for a cell in a row of column heads, itself no head: the corner of a table. */
  isAmongHeads(cell: Box): boolean {
    if (this.isColumnHead(cell)) return false;
    const others = (["left", "right"] as const).flatMap((side) => this.#cellsTowards(cell, side));
    const heads = others.filter((one) => this.isColumnHead(one)).length;
    return heads >= MIN_HEADS && heads > others.length / 2;
  }

  /** The cells of a row on one side of a cell, the nearest first. */
  #cellsTowards(cell: Box, side: "left" | "right"): Box[] {
    const found: Box[] = [];
    for (let next = this.cellBeside(cell, side); next !== undefined; next = this.cellBeside(next, side)) {
      if (found.length >= MAX_STEPS) break;
      found.push(next);
    }
    return found;
  }

  /** Words whose middle lies in the box, as runs. */
  runsIn(box: Box): TextRun[] {
    let known = this.#runsIn.get(box);
    if (known === undefined) {
      known = this.#joinRuns(this.content.words.filter((word) => containsMiddle(box, word.box)));
      this.#runsIn.set(box, known);
    }
    return known;
  }

  /** Runs that touch the box. */
  runsAt(box: Box): TextRun[] {
    return this.runs.filter((_, index) => intersects(box, this.#inks[index] ?? box));
  }

  /** The boxes of leaders that run through a band. */
  leadersAt(band: Box): Box[] {
    return this.content.leaders
      .filter(({ at, from, to }) => at > band.top && at < band.bottom + this.em && from < band.right && to > band.left)
      .map(({ at, from, to }) => ({ left: from, right: to, top: at - LEADER_HEIGHT_EM * this.em, bottom: at }));
  }

  #isParted(left: Box, right: Box): boolean {
    const [top, bottom] = [Math.max(left.top, right.top), Math.min(left.bottom, right.bottom)];
    const least = MIN_PARTING_SHARE * (bottom - top);
    return this.rules.vertical.some(
      ({ at, from, to }) =>
        at >= left.right - 1 && at <= right.left + 1 && Math.min(to, bottom) - Math.max(from, top) >= least,
    );
  }

  #joinRuns(words: readonly FormWord[]): TextRun[] {
    const runs: TextRun[] = [];
    let before: FormWord | undefined;
    for (const word of words) {
      if (BRACKETS.test(word.text)) {
        before = undefined;
        continue;
      }
      const run = runs.at(-1);
      const gap = before === undefined ? Infinity : word.box.left - before.box.right;
      const isNext =
        run !== undefined && before?.line === word.line && gap < MAX_RUN_GAP_EM * word.size && gap > -word.size;
      if (isNext && before !== undefined && !this.#isParted(before.box, word.box)) {
        run.words.push(word);
        run.text += ` ${word.text}`;
        run.box = unionBox([run.box, word.box]);
        run.bold &&= word.bold === true;
      } else {
        const bold = word.bold === true;
        runs.push({ text: word.text, box: word.box, size: word.size, bold, beginsBold: bold, words: [word] });
      }
      before = word;
    }
    return runs;
  }
}

export const levelEdges = ({ left, top, right, bottom }: Box): Rule[] => [
  { at: top, from: left, to: right },
  { at: bottom, from: left, to: right },
];

export const uprightEdges = ({ left, top, right, bottom }: Box): Rule[] => [
  { at: left, from: top, to: bottom },
  { at: right, from: top, to: bottom },
];
