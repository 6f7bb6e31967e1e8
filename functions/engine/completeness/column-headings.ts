/** What stands above rows that no table holds: the headings of their columns. */

import type { Unit } from "./candidate-rows.ts";
import { kindOf } from "./cell-kinds.ts";
import { columnAt, type Frame } from "./column-layout.ts";

/** Inches by which edges of one column differ. */
const IN_LINE = 0.08;
/** Rules that are typed, and empty places, between headings and rows. */
const BETWEEN = 2;

const isRule = ({ cells }: Unit): boolean => cells.every(({ text }) => !/[\p{L}\p{N}]/u.test(text));

/** The texts that head the columns of some rows; none where the line above is no heading: each of its words in a column. */
export function headsAbove(frame: Frame, [first]: readonly Unit[], all: readonly Unit[]): string[] {
  if (first === undefined) return [];
  const above = all.slice(Math.max(0, first.order - 1 - BETWEEN), first.order).findLast((unit) => !isRule(unit));
  if (above === undefined || above.page !== first.page || above.cells.length < 2) return [];
  if (above.cells.length > frame.columns.length || above.cells.length < frame.keys.length) return [];
  const columns = above.cells.map((cell) => columnAt(frame, cell));
  const apart = new Set(columns).size === columns.length && !columns.includes(undefined);
  const isText = above.cells.every(({ text }) => kindOf(text) === "text" && !text.endsWith(":"));
  return apart && isText ? above.cells.map(({ text }) => text) : [];
}

/** Whether two frames have their columns at the same edges: numbers keep right, texts left. */
export const sameEdges = (a: Frame, b: Frame): boolean =>
  a.columns.length === b.columns.length &&
  a.columns.every((column, at) => {
    const other = b.columns[at];
    if (other === undefined) return false;
    return Math.abs(column.left - other.left) <= IN_LINE || Math.abs(column.right - other.right) <= IN_LINE;
  });

/**
 * The rows at the indents of those that are known to be a list's, where their pages have such: what stands further in or
 * out there is made of these rows, or sums them up.
 * @param all the rows of the set
 */
export function atIndents(units: readonly Unit[], all: readonly Unit[], known: readonly Unit[]): readonly Unit[] {
  // Recognised words stand here and there.
  const isRead = ({ words }: Unit): boolean => words.every(({ confidence }) => confidence === 1);
  const leftOf = ({ words, box }: Unit): number => words[0]?.left ?? box.left;
  const lefts = known.filter(isRead).map(leftOf);
  if (lefts.length < known.length || lefts.length === 0) return units;
  const edges = [...new Set(lefts.map((left) => Math.round(left / IN_LINE)))].map((at) => at * IN_LINE);
  const isAt = (unit: Unit): boolean => edges.some((edge) => Math.abs(edge - leftOf(unit)) <= IN_LINE);
  const pages = new Set(all.filter(isAt).map(({ page }) => page));
  return units.filter((unit) => isAt(unit) || !pages.has(unit.page));
}
