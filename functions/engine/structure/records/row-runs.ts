/**
 * Runs of rows of one shape outside tables: lines aligned in columns, lines that begin with keys in sequence, list
 * items, lines with the same separators.
 */

import type { CandidateRow } from "./candidate-rows.ts";
import { cellKind, codeShape } from "./cell-kinds.ts";
import { SAME_EDGE_INCHES } from "./column-layout.ts";
import { findPatternRuns } from "./line-patterns.ts";
import type { RecordEvidence } from "./record-set.ts";

/** Minimum rows of a run of words in columns, and lines between two of its rows. */
const MIN_WORD_ROWS = 4;
const MAX_LINES_BETWEEN_WORD_ROWS = 1;
/** Minimum lines of a block, and how much the distances of its lines may differ. */
const MIN_BLOCK_LINES = 8;
const MAX_PITCH_DEVIATION_SHARE = 0.3;
/** In prose, this share of the lines has at least this share of the longest line's width. */
const PROSE_LINE_SHARE = 0.6;
const FULL_LINE_WIDTH_SHARE = 0.9;
/** Continuation lines between two rows of a run. */
const MAX_LINES_BETWEEN_ROWS = 3;
/** Minimum rows of a run. Keys in sequence need one more: a line may begin with a number by chance. */
const MIN_RUN_ROWS = 3;
const MIN_KEYED_ROWS = 4;
/** Runs that may interleave. */
const MAX_OPEN_RUNS = 4;

const shareAnEdge = (a: CandidateRow["cells"][number], b: CandidateRow["cells"][number]): boolean =>
  Math.abs(a.left - b.left) <= SAME_EDGE_INCHES || Math.abs(a.right - b.right) <= SAME_EDGE_INCHES;

function haveSameShape(a: CandidateRow, b: CandidateRow): boolean {
  if (a.cells.length !== b.cells.length) return false;
  return a.cells.every((cell, at) => {
    const other = b.cells[at];
    if (other === undefined || !shareAnEdge(cell, other)) return false;
    const [kind, otherKind] = [cellKind(cell.text), cellKind(other.text)];
    return kind === otherKind || (kind !== "date" && otherKind !== "date" && kind !== "text" && otherKind !== "text");
  });
}

const hasValue = ({ cells }: CandidateRow): boolean => cells.some(({ text }) => cellKind(text) !== "text");

/** Runs of lines in columns, either with values or of words only. @param rows of one page, in order */
function alignedRuns(rows: readonly CandidateRow[], words: boolean): CandidateRow[][] {
  const [between, fewest] = words ? [MAX_LINES_BETWEEN_WORD_ROWS, 1] : [MAX_LINES_BETWEEN_ROWS, MIN_RUN_ROWS];
  const runs: CandidateRow[][] = [];
  let open: CandidateRow[][] = [];
  for (const row of rows) {
    if (row.cells.length < 2 || hasValue(row) === words) continue;
    open = open.filter((run) => row.order - (run.at(-1)?.order ?? 0) <= between + 1);
    const own = open.find((run) => run[0] !== undefined && haveSameShape(run[0], row));
    if (own !== undefined) own.push(row);
    else {
      const run = [row];
      runs.push(run);
      open = [run, ...open].slice(0, MAX_OPEN_RUNS);
    }
  }
  return runs.filter(({ length }) => length >= fewest);
}

/** A short run of words counts if it continues a long one on the page before or after. */
function wordRuns(pages: readonly CandidateRow[][]): CandidateRow[][] {
  const runs = pages.flatMap((own) => alignedRuns(own, true));
  const long = runs.flatMap((run) => (run.length >= MIN_WORD_ROWS && run[0] !== undefined ? [run[0]] : []));
  const byPage = Map.groupBy(long, ({ page }) => page);
  return runs.filter((run) => {
    const [first] = run;
    if (first === undefined || run.length >= MIN_WORD_ROWS) return first !== undefined;
    const near = [-1, 1].flatMap((step) => byPage.get(first.page + step) ?? []);
    return near.some((one) => haveSameShape(one, first));
  });
}

/** Running text: most lines are full, and few of them end a sentence. */
function isProse(run: readonly CandidateRow[]): boolean {
  const widths = run.map(({ box }) => box.right - box.left);
  const widest = widths.reduce((most, width) => Math.max(most, width), 0);
  const full = widths.filter((width) => width >= FULL_LINE_WIDTH_SHARE * widest).length;
  const ended = run.filter(({ cells }) => /[.;!?]$/u.test(cells[0]?.text ?? "")).length;
  return full >= PROSE_LINE_SHARE * run.length && ended < PROSE_LINE_SHARE * run.length;
}

/** Lines of one cell at one indent, at even distances. */
function blockRuns(rows: readonly CandidateRow[]): CandidateRow[][] {
  const runs: { run: CandidateRow[]; pitch: number }[] = [];
  for (const row of rows) {
    if (row.cells.length !== 1 || row.level !== undefined) continue;
    const last = runs.at(-1);
    const before = last?.run.at(-1);
    const pitch = before === undefined ? 0 : row.box.top - before.box.top;
    const follows =
      before?.page === row.page &&
      row.order === before.order + 1 &&
      Math.abs(before.box.left - row.box.left) <= SAME_EDGE_INCHES &&
      (last?.run.length === 1 ||
        Math.abs(pitch - (last?.pitch ?? 0)) <= MAX_PITCH_DEVIATION_SHARE * (last?.pitch ?? 0));
    // A title stands further above its lines than these stand apart.
    const titled =
      last?.run.length === 2 && pitch < (1 - MAX_PITCH_DEVIATION_SHARE) * last.pitch && before?.page === row.page;
    if ((!follows && !titled) || last === undefined) runs.push({ run: [row], pitch: 0 });
    else {
      if (titled) last.run.shift();
      last.run.push(row);
      last.pitch = pitch;
    }
  }
  return runs.map(({ run }) => run).filter((run) => run.length >= MIN_BLOCK_LINES && !isProse(run));
}

/** The beginning of a line; the next key of its kind continues the run. */
interface LineKey {
  kind: "number" | "date" | "code";
  value: number;
  shape: string;
}

function lineKey({ words }: CandidateRow): LineKey | undefined {
  const [first] = words;
  if (first === undefined || words.length < 2) return undefined;
  const bare = first.text.replace(/[.):]$/, "").replace(/^\(/, "");
  if (/^\d{1,6}$/.test(bare)) return { kind: "number", value: Number(bare), shape: "" };
  const kind = cellKind(bare);
  if (kind !== "date" && kind !== "code") return undefined;
  return { kind, value: 0, shape: codeShape(bare) };
}

const continuesKey = (before: LineKey, key: LineKey): boolean =>
  before.kind === key.kind && (key.kind === "number" ? key.value === before.value + 1 : key.shape === before.shape);

/** Consecutive lines that begin with running numbers, dates or codes of one shape. */
function keyRuns(rows: readonly CandidateRow[]): CandidateRow[][] {
  const runs: CandidateRow[][] = [];
  let open: { run: CandidateRow[]; key: LineKey }[] = [];
  for (const row of rows) {
    const key = lineKey(row);
    if (key === undefined) continue;
    open = open.filter(({ run }) => row.order - (run.at(-1)?.order ?? 0) <= 2 * MAX_LINES_BETWEEN_ROWS);
    const own = open.find((one) => continuesKey(one.key, key));
    if (own !== undefined) {
      own.run.push(row);
      own.key = key;
      continue;
    }
    const run = [row];
    runs.push(run);
    open = [{ run, key }, ...open].slice(0, MAX_OPEN_RUNS);
  }
  return runs.filter(({ length }) => length >= MIN_KEYED_ROWS);
}

/** Consecutive list items of one level. */
function itemRuns(rows: readonly CandidateRow[]): CandidateRow[][] {
  const runs: CandidateRow[][] = [];
  for (const row of rows) {
    if (row.level === undefined) continue;
    const last = runs.at(-1);
    const before = last?.at(-1);
    const follows =
      before !== undefined && before.level === row.level && row.order - before.order <= MAX_LINES_BETWEEN_ROWS;
    if (follows) last?.push(row);
    else runs.push([row]);
  }
  return runs.filter(({ length }) => length >= MIN_RUN_ROWS);
}

export interface RowRun {
  evidence: RecordEvidence;
  rows: CandidateRow[];
}

/** Finds runs among rows that no table holds; each row is in one run at most. */
export function findRowRuns(rows: readonly CandidateRow[]): RowRun[] {
  const used = new Set<CandidateRow>();
  const take = (evidence: RecordEvidence, runs: CandidateRow[][]): RowRun[] =>
    runs.map((run) => {
      for (const row of run) used.add(row);
      return { evidence, rows: run };
    });
  const items = take("items", itemRuns(rows));
  const byPage = new Map<number, CandidateRow[]>();
  for (const row of rows) {
    if (used.has(row)) continue;
    const own = byPage.get(row.page) ?? [];
    own.push(row);
    byPage.set(row.page, own);
  }
  const lines = [...byPage.values()].flatMap((own) => take("lines", alignedRuns(own, false)));
  const words = take("words", wordRuns([...byPage.values()].map((own) => own.filter((row) => !used.has(row)))));
  const rest = (): CandidateRow[] => rows.filter((row) => !used.has(row));
  const keys = take("keys", keyRuns(rest()));
  const patterns = take("pattern", findPatternRuns(rest()));
  return [...items, ...lines, ...words, ...keys, ...patterns, ...take("block", blockRuns(rest()))];
}
