/** The columns of a header, and the cells of a row below them. Inches. */

import { spanOverlap } from "../../../layout/geometry.ts";
import { cellOf, type RecordCell } from "../../../structure/records/record-set.ts";
import { type Row, type Segment, type Token, unionOf } from "../../../structure/view/tokens.ts";

export interface Column {
  heading: string;
  concepts: Set<string>;
  left: number;
  right: number;
}

/** A column that a box overlaps is nearer by this much. */
const OVERLAP_BONUS_INCHES = 0.2;

const distance = (box: { left: number; right: number }, column: Column): number => {
  const edges = Math.min(
    Math.abs(box.left - column.left),
    Math.abs(box.right - column.right),
    Math.abs(box.left + box.right - column.left - column.right) / 2,
  );
  const overlap = spanOverlap(box.left, box.right, column.left, column.right);
  return overlap > 0 ? Math.min(edges, OVERLAP_BONUS_INCHES) : edges + OVERLAP_BONUS_INCHES;
};

function nearest(box: { left: number; right: number }, columns: readonly Column[]): number {
  let best = 0;
  for (let index = 1; index < columns.length; index += 1) {
    const [here, there] = [columns[index], columns[best]];
    if (here !== undefined && there !== undefined && distance(box, here) < distance(box, there)) best = index;
  }
  return best;
}

/** A segment overlaps a column horizontally. */
export const overlaps = (segment: Segment, column: Column): boolean =>
  segment.box.left < column.right && column.left < segment.box.right;

/** Cells of a row by column. A segment over several columns is split into words. */
export function cellsOf(row: Row, columns: readonly Column[]): Map<number, RecordCell> {
  const cells = new Map<number, Token[]>();
  for (const segment of row.segments) {
    const under = columns.filter((column) => overlaps(segment, column)).length;
    const words = segment.tokens.filter(({ text }) => /\p{L}{3,}/u.test(text)).length;
    // More words than columns form a sentence across them; words beside another cell's are their own column's.
    const beside = row.segments.flatMap((one) => (one === segment ? [] : [nearest(one.box, columns)]));
    const first = columns.findIndex((column) => overlaps(segment, column));
    const filled = columns.every((column, at) => at === first || !overlaps(segment, column) || beside.includes(at));
    const isName = filled && segment.tokens.every(({ text }) => !/\d/.test(text));
    const groups = under > 1 && words <= under && !isName ? segment.tokens.map((token) => [token]) : [segment.tokens];
    for (const tokens of groups) {
      const { left, right } = unionOf(tokens);
      const index = nearest(under > 1 && words > under ? { left, right: left } : { left, right }, columns);
      cells.set(index, [...(cells.get(index) ?? []), ...tokens]);
    }
  }
  return new Map([...cells].map(([index, tokens]) => [index, cellOf([tokens])]));
}
