/** Lines without columns that are written alike: the same signs between the same kinds of parts, `Name - phone - email`. */

import type { CandidateRow } from "./candidate-rows.ts";
import { SAME_EDGE_INCHES } from "./column-layout.ts";

/** What parts a line into what it says: dashes with room, bars, semicolons; commas. */
const SEPARATOR = /\s+([-–—·•|])\s+|\s*([;|])\s*|(,)\s+/u;
/** Commas part sentences too: they need a value behind one. */
const COMMA = ",";
/** Lines between two of one pattern. */
const MAX_LINES_BETWEEN = 3;
const MIN_PATTERN_LINES = 3;
/** Characters of a line; longer ones are running text. */
const MAX_LINE_CHARACTERS = 240;

/** Numbers of telephones are written in many ways: what is mostly digits is of one kind. */
function partKind(text: string): string {
  if (/\S@\S/.test(text)) return "mail";
  if (/:\/\//.test(text)) return "address";
  const digits = text.replace(/\P{N}/gu, "").length;
  return 2 * digits >= text.replace(/\s/g, "").length ? "digits" : "text";
}

/** How a line is written; undefined where nothing parts it. */
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

/** Runs of lines that are written alike. */
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
  // The rows of a list that the end of a page cuts off may be few.
  const long = new Set(
    runs.filter(({ length }) => length >= MIN_PATTERN_LINES).map(([first]) => first && linePattern(first)),
  );
  return runs.filter(([first]) => first !== undefined && long.has(linePattern(first)));
}
