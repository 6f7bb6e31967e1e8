/** Lines without columns that are written alike: the same signs between the same kinds of parts, `Name - phone - email`. */
import type { Unit } from "./candidate-rows.ts";

/** What parts a line into what it says: dashes with room, bars, semicolons; commas. */
const PARTING = /\s+([-–—·•|])\s+|\s*([;|])\s*|(,)\s+/u;
/** Commas part sentences too: they need a value behind one. */
const COMMA = ",";
/** Inches by which lines of one pattern are set in. */
const IN_LINE = 0.08;
/** Lines between two of one pattern. */
const BETWEEN = 3;
const FEWEST = 3;
/** Characters of a line; longer ones are running text. */
const LONGEST = 240;

/** Numbers of telephones are written in many ways: what is mostly digits is of one kind. */
function kindOfPart(text: string): string {
  if (/\S@\S/.test(text)) return "mail";
  if (/:\/\//.test(text)) return "address";
  const digits = text.replace(/\P{N}/gu, "").length;
  return 2 * digits >= text.replace(/\s/g, "").length ? "digits" : "text";
}

/** How a line is written; undefined where nothing parts it. */
export function patternOfLine({ cells, level }: Unit): string | undefined {
  const [cell] = cells;
  if (cell === undefined || cells.length > 1 || level !== undefined || cell.text.length > LONGEST) return undefined;
  const [first = "", ...others] = cell.text.split(PARTING).filter((part) => part !== undefined);
  if (others.length < 2) return undefined;
  const signs = others.filter((_, at) => at % 2 === 0);
  const kinds = [first, ...others.filter((_, at) => at % 2 === 1)].map(kindOfPart);
  if (signs.every((sign) => sign === COMMA) && kinds.every((kind) => kind === "text")) return undefined;
  return kinds.map((kind, at) => `${kind}${signs[at] ?? ""}`).join(" ");
}

/** Runs of lines that are written alike. */
export function patternRuns(units: readonly Unit[]): Unit[][] {
  const runs: Unit[][] = [];
  const open = new Map<string, Unit[]>();
  for (const unit of units) {
    const pattern = patternOfLine(unit);
    if (pattern === undefined) continue;
    const run = open.get(pattern);
    const last = run?.at(-1);
    const follows =
      last !== undefined &&
      unit.order - last.order <= BETWEEN + 1 &&
      last.page === unit.page &&
      Math.abs(last.box.left - unit.box.left) <= IN_LINE;
    if (follows) {
      run?.push(unit);
      continue;
    }
    const fresh = [unit];
    open.set(pattern, fresh);
    runs.push(fresh);
  }
  // The rows of a list that the end of a page cuts off may be few.
  const long = new Set(runs.filter(({ length }) => length >= FEWEST).map(([first]) => first && patternOfLine(first)));
  return runs.filter(([first]) => first !== undefined && long.has(patternOfLine(first)));
}
