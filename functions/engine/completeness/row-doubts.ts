/** Reasons to doubt that a list is complete, though no printed row is known to be missing. */
import type { CandidateRow, CandidateRows } from "../structure/records/candidate-rows.ts";
import { mayLackRows } from "../structure/records/record-set.ts";
import type { RowGroup } from "../structure/records/row-group-types.ts";
import { nextNumbered, numberedRows } from "../structure/records/row-numbers.ts";
import { unexplainedSum } from "../structure/records/unexplained-sums.ts";
import type { Notation } from "../values/numbers.ts";

/** Rows behind a list that are searched for its next number: a page of lines. */
const MAX_ROWS_BEHIND = 60;
const MAX_NAMED_NUMBERS = 5;

const named = (numbers: readonly number[]): string =>
  numbers.length > MAX_NAMED_NUMBERS ? `${numbers.slice(0, MAX_NAMED_NUMBERS).join(", ")}, …` : numbers.join(", ");

/** A doubt in words that follow the name of the list; undefined without one. @param rows those of the list, in order */
export function doubtAbout(
  rows: readonly CandidateRow[],
  groups: readonly RowGroup[],
  { all }: CandidateRows,
  notation: Notation,
): string | undefined {
  if (groups.some(({ parts }) => parts.some(({ evidence }) => mayLackRows(evidence))))
    return "is a recognised list that no sum proves: rows may be lost";
  const own = new Set(rows.map(({ order }) => order));
  const behind = (order: number): CandidateRow[] =>
    all.slice(order + 1, order + 1 + MAX_ROWS_BEHIND).filter((row) => !own.has(row.order) && row.words.length > 0);
  for (const section of numberedRows(rows)) {
    if (section.absent.length > 0)
      return `has rows numbered up to ${section.lastNumber}, but none numbered ${named(section.absent)}`;
    const next = nextNumbered(section, behind(section.last.order));
    if (next !== undefined)
      return `ends with row ${section.lastNumber}, but a line numbered ${section.lastNumber + 1} is printed on page ${next.page}`;
  }
  const last = rows.at(-1);
  const sum = last === undefined ? undefined : unexplainedSum(rows, behind(last.order), notation);
  return sum && `adds up to ${sum.own.toFixed(2)}, but the sum printed below it is ${sum.printed.toFixed(2)}`;
}
