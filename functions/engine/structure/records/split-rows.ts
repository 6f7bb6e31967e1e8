/** Rows of a table whose cells do not share a line: some stand slightly higher or lower than the others. */

import { type CandidateRow, type CandidateRows, joinedRow, joinRows, type RowJoin } from "./candidate-rows.ts";
import { type ColumnLayout, fitsColumns, textsByColumn } from "./column-layout.ts";
import type { RowGroup } from "./row-group-types.ts";

/** Minimum key columns of a layout that two lines hardly fit by chance, and minimum cells on the row's main line. */
const MIN_KEY_COLUMNS = 3;
const MIN_MAIN_LINE_CELLS = 2;
/** Maximum gap in line heights: a part further away is another line of text. */
const MAX_GAP_LINE_HEIGHTS = 0.6;

/** The two rows together fill the key columns, each some of them. */
function formOneRow(columnLayout: ColumnLayout, main: CandidateRow, rest: CandidateRow): boolean {
  if (main.page !== rest.page || main.cells.length < MIN_MAIN_LINE_CELLS || rest.cells.length >= main.cells.length)
    return false;
  const height = Math.min(main.box.bottom - main.box.top, rest.box.bottom - rest.box.top);
  const gap = Math.max(rest.box.top - main.box.bottom, main.box.top - rest.box.bottom);
  if (gap > MAX_GAP_LINE_HEIGHTS * height) return false;
  const filled = textsByColumn(columnLayout, main).texts;
  if ([...textsByColumn(columnLayout, rest).texts.keys()].some((column) => filled.has(column))) return false;
  return !fitsColumns(columnLayout, main) && fitsColumns(columnLayout, joinedRow(main, { from: [rest], beside: true }));
}

/**
 * Joins lines beside tables that form one row together.
 * @param verified rows known to be whole @param near by page, the groups on it and on its neighbours
 */
export function joinSplitRows(
  candidates: CandidateRows,
  verified: ReadonlySet<CandidateRow>,
  near: ReadonlyMap<number, readonly RowGroup[]>,
): CandidateRows {
  const joins: RowJoin[] = [];
  const used = new Set<number>();
  const isFree = (row: CandidateRow | undefined): row is CandidateRow =>
    row !== undefined && row.table === undefined && !verified.has(row) && !used.has(row.order);
  for (const main of candidates.all) {
    const own =
      near.get(main.page)?.filter(({ columnLayout }) => columnLayout.keyColumns.length >= MIN_KEY_COLUMNS) ?? [];
    if (own.length === 0 || !isFree(main)) continue;
    const rest = [candidates.all[main.order + 1], candidates.all[main.order - 1]].find(
      (row) => isFree(row) && own.some(({ columnLayout }) => formOneRow(columnLayout, main, row)),
    );
    if (rest === undefined) continue;
    for (const { order } of [main, rest]) used.add(order);
    joins.push({ into: main.order, from: [rest], beside: true });
  }
  return joins.length === 0 ? candidates : joinRows(candidates, joins);
}
