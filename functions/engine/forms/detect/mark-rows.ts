/** Rows of equal marks on a baseline: underscores, dots. */
import type { Rule } from "../../structure/tables/table-parts.ts";

/** A row of marks on a baseline, with its count of marks. */
export interface MarkRow extends Rule {
  count: number;
}

/** Joins marks that follow each other on a baseline. @param marks in content order */
export function joinMarks(marks: readonly Rule[], maxGap: (mark: Rule) => number): MarkRow[] {
  const rows: MarkRow[] = [];
  for (const mark of [...marks].sort((a, b) => a.at - b.at || a.from - b.from)) {
    const gap = maxGap(mark);
    const own = rows.findLast(
      ({ at, from, to }) => Math.abs(at - mark.at) <= gap && mark.from - to <= gap && mark.to >= from,
    );
    if (own === undefined) rows.push({ ...mark, count: 1 });
    else {
      own.to = Math.max(own.to, mark.to);
      own.count += 1;
    }
  }
  return rows;
}
