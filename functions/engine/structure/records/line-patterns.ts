/**
 * Lines without columns that follow one pattern: the same separators between parts of the same kinds, `Name - phone -
 * email`.
 */

import type { CandidateRow } from "./candidate-rows.ts";
import { SAME_EDGE_INCHES } from "./column-layout.ts";

/** Separators of a line's parts: dashes with spaces around them, bars, semicolons; commas. */
const SEPARATOR = /\s+([-–—·•|])\s+|\s*([;|])\s*|(,)\s+/u;
/** Commas also separate clauses: a pattern of commas needs a value. */
const COMMA = ",";
/** Lines between two lines of one pattern. */
const MAX_LINES_BETWEEN = 3;
const MIN_PATTERN_LINES = 3;
/** Longer lines are running text. */
const MAX_LINE_CHARACTERS = 240;

/** Telephone numbers have many forms: a part that is mostly digits is of one kind. */
function partKind(text: string): string {
  if (/\S@\S/.test(text)) return "mail";
  if (/:\/\//.test(text)) return "address";
  const digits = text.replace(/\P{N}/gu, "").length;
  return 2 * digits >= text.replace(/\s/g, "").length ? "digits" : "text";
}

/** The pattern of a line; undefined if it has no separators. */
export function linePattern({ cells, level }: CandidateRow): string | undefined {
  const [cell] = cells;
  if (cell === undefined || cells.length > 1 || level !== undefined || cell.text.length > MAX_LINE_CHARACTERS)
    return undefined;
  const [first = "", ...others] = cell.text.split(SEPARATOR).filter((part) => part !== undefined);
  if (others.length < 2) return undefined;
  const signs = others.filter((_, at) => at % 2 === 0);
  const kinds = [first, ...others.filter((_, at) => at % 2 === 1)].map(partKind);
  if (signs.every((sign) => sign === COMMA) && kinds.every((kind) => kind === "text")) return undefined;
  return kinds.map((kind, at) => `${kind}${signs[at] ?? ""}`).join(" ");
}

/** Runs of lines with the same pattern. */
export function findPatternRuns(rows: readonly CandidateRow[]): CandidateRow[][] {
  const runs: CandidateRow[][] = [];
  const open = new Map<string, CandidateRow[]>();
  for (const row of rows) {
    const pattern = linePattern(row);
    if (pattern === undefined) continue;
    const run = open.get(pattern);
    const last = run?.at(-1);
    const follows =
      last !== undefined &&
      row.order - last.order <= MAX_LINES_BETWEEN + 1 &&
      last.page === row.page &&
      Math.abs(last.box.left - row.box.left) <= SAME_EDGE_INCHES;
    if (follows) {
      run?.push(row);
      continue;
    }
    const fresh = [row];
    open.set(pattern, fresh);
    runs.push(fresh);
  }
  // A page break may leave a short run of a pattern that has a longer one elsewhere.
  const long = new Set(
    runs.filter(({ length }) => length >= MIN_PATTERN_LINES).map(([first]) => first && linePattern(first)),
  );
  return runs.filter(([first]) => first !== undefined && long.has(linePattern(first)));
}
