/** Column headings above rows that no table holds. */

import { type CandidateRow, wordEdges } from "./candidate-rows.ts";
import { cellKind } from "./cell-kinds.ts";
import { type ColumnLayout, columnAt, SAME_EDGE_INCHES } from "./column-layout.ts";

/** Typed rules and empty lines between headings and rows. */
const MAX_RULE_LINES_BETWEEN = 2;

const isTypedRule = ({ cells }: CandidateRow): boolean => cells.every(({ text }) => !/[\p{L}\p{N}]/u.test(text));

/** The headings above some rows; empty unless each cell of the line above stands in a column of its own. */
export function headingsAbove(
  columnLayout: ColumnLayout,
  [first]: readonly CandidateRow[],
  all: readonly CandidateRow[],
): string[] {
  if (first === undefined) return [];
  const above = all
    .slice(Math.max(0, first.order - 1 - MAX_RULE_LINES_BETWEEN), first.order)
    .findLast((row) => !isTypedRule(row));
  if (above === undefined || above.page !== first.page || above.cells.length < 2) return [];
  if (above.cells.length > columnLayout.columns.length || above.cells.length < columnLayout.keyColumns.length)
    return [];
  const columns = above.cells.map((cell) => columnAt(columnLayout, cell));
  const apart = new Set(columns).size === columns.length && !columns.includes(undefined);
  const isText = above.cells.every(({ text }) => cellKind(text) === "text" && !text.endsWith(":"));
  return apart && isText ? above.cells.map(({ text }) => text) : [];
}

/** Two layouts have their columns at the same edges: numbers align right, texts left. */
export const haveSameEdges = (a: ColumnLayout, b: ColumnLayout): boolean =>
  a.columns.length === b.columns.length &&
  a.columns.every((column, at) => {
    const other = b.columns[at];
    if (other === undefined) return false;
    return (
      Math.abs(column.left - other.left) <= SAME_EDGE_INCHES || Math.abs(column.right - other.right) <= SAME_EDGE_INCHES
    );
  });

/**
 * Keeps the rows at the indents of rows known to be list items, on pages that have such indents: rows further in or out
 * detail these rows or sum them up.
 * @param all the rows of the group
 */
export function rowsAtKnownIndents(
  rows: readonly CandidateRow[],
  all: readonly CandidateRow[],
  known: readonly CandidateRow[],
): readonly CandidateRow[] {
  // Recognised words have imprecise positions.
  const isRead = ({ words }: CandidateRow): boolean => words.every(({ confidence }) => confidence === 1);
  const leftOf = (row: CandidateRow): number => {
    const [first] = row.words;
    return first === undefined ? row.box.left : wordEdges(row, first).left;
  };
  const lefts = known.filter(isRead).map(leftOf);
  if (lefts.length < known.length || lefts.length === 0) return rows;
  const edges = [...new Set(lefts.map((left) => Math.round(left / SAME_EDGE_INCHES)))].map(
    (at) => at * SAME_EDGE_INCHES,
  );
  const isAt = (row: CandidateRow): boolean => edges.some((edge) => Math.abs(edge - leftOf(row)) <= SAME_EDGE_INCHES);
  const pages = new Set(all.filter(isAt).map(({ page }) => page));
  return rows.filter((row) => isAt(row) || !pages.has(row.page));
}
