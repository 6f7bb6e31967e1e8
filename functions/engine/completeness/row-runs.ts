/**
 * Rows of one shape that no table holds: lines aligned in columns, lines that begin with keys in sequence, list items,
 * lines with the same signs between their parts.
 */

import type { Unit } from "./candidate-rows.ts";
import { kindOf, shapeOf } from "./cell-kinds.ts";
import { patternRuns } from "./line-patterns.ts";

/** Inches by which edges of one column differ. */
const IN_LINE = 0.08;
/** Lines of words in columns that make a run, and lines between them. */
const FEWEST_WORDS = 4;
const BETWEEN_WORDS = 1;
/** Lines one below the other that make a block, and by how much of their usual distance theirs differ. */
const FEWEST_LINES = 8;
const EVEN = 0.3;
/** Running text fills its lines: so many of them to so much of the longest. */
const FULL_LINES = 0.6;
const FULL_WIDTH = 0.9;
/** Lines between two rows of a run: what goes on from the first. */
const BETWEEN = 3;
/** Rows that make a run; keys in sequence need one more, for a line begins with a number by chance. */
const FEWEST = 3;
const FEWEST_KEYS = 4;
/** Runs that may be under way side by side. */
const OPEN_RUNS = 4;

const aligned = (a: Unit["cells"][number], b: Unit["cells"][number]): boolean =>
  Math.abs(a.left - b.left) <= IN_LINE || Math.abs(a.right - b.right) <= IN_LINE;

function sameShape(a: Unit, b: Unit): boolean {
  if (a.cells.length !== b.cells.length) return false;
  return a.cells.every((cell, at) => {
    const other = b.cells[at];
    if (other === undefined || !aligned(cell, other)) return false;
    const [kind, otherKind] = [kindOf(cell.text), kindOf(other.text)];
    return kind === otherKind || (kind !== "date" && otherKind !== "date" && kind !== "text" && otherKind !== "text");
  });
}

const hasValue = ({ cells }: Unit): boolean => cells.some(({ text }) => kindOf(text) !== "text");

/** Runs of lines in columns, those with values or those of words alone; `units` of one page in order. */
function alignedRuns(units: readonly Unit[], words: boolean): Unit[][] {
  const [between, fewest] = words ? [BETWEEN_WORDS, 1] : [BETWEEN, FEWEST];
  const runs: Unit[][] = [];
  let open: Unit[][] = [];
  for (const unit of units) {
    if (unit.cells.length < 2 || hasValue(unit) === words) continue;
    open = open.filter((run) => unit.order - (run.at(-1)?.order ?? 0) <= between + 1);
    const own = open.find((run) => run[0] !== undefined && sameShape(run[0], unit));
    if (own !== undefined) own.push(unit);
    else {
      const run = [unit];
      runs.push(run);
      open = [run, ...open].slice(0, OPEN_RUNS);
    }
  }
  return runs.filter(({ length }) => length >= fewest);
}

/** Lines of words on the page before or after a run may be the rest of it, however few. */
function wordRuns(pages: readonly Unit[][]): Unit[][] {
  const runs = pages.flatMap((own) => alignedRuns(own, true));
  const long = runs.flatMap((run) => (run.length >= FEWEST_WORDS && run[0] !== undefined ? [run[0]] : []));
  const byPage = Map.groupBy(long, ({ page }) => page);
  return runs.filter((run) => {
    const [first] = run;
    if (first === undefined || run.length >= FEWEST_WORDS) return first !== undefined;
    const near = [-1, 1].flatMap((step) => byPage.get(first.page + step) ?? []);
    return near.some((one) => sameShape(one, first));
  });
}

/** Running text: most lines are full, and few of them end a sentence. */
function isProse(run: readonly Unit[]): boolean {
  const widths = run.map(({ box }) => box.right - box.left);
  const widest = widths.reduce((most, width) => Math.max(most, width), 0);
  const full = widths.filter((width) => width >= FULL_WIDTH * widest).length;
  const ended = run.filter(({ cells }) => /[.;!?]$/u.test(cells[0]?.text ?? "")).length;
  return full >= FULL_LINES * run.length && ended < FULL_LINES * run.length;
}

/** Lines of one cell at one indent, evenly one below the other. */
function blockRuns(units: readonly Unit[]): Unit[][] {
  const runs: { run: Unit[]; pitch: number }[] = [];
  for (const unit of units) {
    if (unit.cells.length !== 1 || unit.level !== undefined) continue;
    const last = runs.at(-1);
    const before = last?.run.at(-1);
    const pitch = before === undefined ? 0 : unit.box.top - before.box.top;
    const follows =
      before?.page === unit.page &&
      unit.order === before.order + 1 &&
      Math.abs(before.box.left - unit.box.left) <= IN_LINE &&
      (last?.run.length === 1 || Math.abs(pitch - (last?.pitch ?? 0)) <= EVEN * (last?.pitch ?? 0));
    // A title stands further from the lines below it than these from each other.
    const titled = last?.run.length === 2 && pitch < (1 - EVEN) * last.pitch && before?.page === unit.page;
    if ((!follows && !titled) || last === undefined) runs.push({ run: [unit], pitch: 0 });
    else {
      if (titled) last.run.shift();
      last.run.push(unit);
      last.pitch = pitch;
    }
  }
  return runs.map(({ run }) => run).filter((run) => run.length >= FEWEST_LINES && !isProse(run));
}

/** What a line begins with: the next of its kind continues it. */
interface Key {
  kind: "number" | "date" | "code";
  value: number;
  shape: string;
}

function keyOf({ words }: Unit): Key | undefined {
  const [first] = words;
  if (first === undefined || words.length < 2) return undefined;
  const bare = first.text.replace(/[.):]$/, "").replace(/^\(/, "");
  if (/^\d{1,6}$/.test(bare)) return { kind: "number", value: Number(bare), shape: "" };
  const kind = kindOf(bare);
  if (kind !== "date" && kind !== "code") return undefined;
  return { kind, value: 0, shape: shapeOf(bare) };
}

const continues = (before: Key, key: Key): boolean =>
  before.kind === key.kind && (key.kind === "number" ? key.value === before.value + 1 : key.shape === before.shape);

/** Lines that begin with running numbers, dates or codes of one shape, one below the other. */
function keyRuns(units: readonly Unit[]): Unit[][] {
  const runs: Unit[][] = [];
  let open: { run: Unit[]; key: Key }[] = [];
  for (const unit of units) {
    const key = keyOf(unit);
    if (key === undefined) continue;
    open = open.filter(({ run }) => unit.order - (run.at(-1)?.order ?? 0) <= 2 * BETWEEN);
    const own = open.find((one) => continues(one.key, key));
    if (own !== undefined) {
      own.run.push(unit);
      own.key = key;
      continue;
    }
    const run = [unit];
    runs.push(run);
    open = [{ run, key }, ...open].slice(0, OPEN_RUNS);
  }
  return runs.filter(({ length }) => length >= FEWEST_KEYS);
}

/** Items of one level that follow each other. */
function itemRuns(units: readonly Unit[]): Unit[][] {
  const runs: Unit[][] = [];
  for (const unit of units) {
    if (unit.level === undefined) continue;
    const last = runs.at(-1);
    const before = last?.at(-1);
    const follows = before !== undefined && before.level === unit.level && unit.order - before.order <= BETWEEN;
    if (follows) last?.push(unit);
    else runs.push([unit]);
  }
  return runs.filter(({ length }) => length >= FEWEST);
}

export interface Run {
  /** `words`: lines of words in columns; `pattern`: parts between signs; `block`: lines that are alike in their place only. */
  kind: "lines" | "keys" | "items" | "words" | "pattern" | "block";
  units: Unit[];
}

/** The runs among units that no table holds; each unit is in one at most. */
export function findRuns(units: readonly Unit[]): Run[] {
  const used = new Set<Unit>();
  const take = (kind: Run["kind"], runs: Unit[][]): Run[] =>
    runs.map((run) => {
      for (const unit of run) used.add(unit);
      return { kind, units: run };
    });
  const items = take("items", itemRuns(units));
  const byPage = new Map<number, Unit[]>();
  for (const unit of units) {
    if (used.has(unit)) continue;
    const own = byPage.get(unit.page) ?? [];
    own.push(unit);
    byPage.set(unit.page, own);
  }
  const lines = [...byPage.values()].flatMap((own) => take("lines", alignedRuns(own, false)));
  const words = take("words", wordRuns([...byPage.values()].map((own) => own.filter((unit) => !used.has(unit)))));
  const rest = (): Unit[] => units.filter((unit) => !used.has(unit));
  const keys = take("keys", keyRuns(rest()));
  const patterns = take("pattern", patternRuns(rest()));
  return [...items, ...lines, ...words, ...keys, ...patterns, ...take("block", blockRuns(rest()))];
}
