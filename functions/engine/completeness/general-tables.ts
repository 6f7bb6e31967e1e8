/** The general result, for requests without a schema: its lists are the rows of its tables. */
import type { SourceLocations } from "../layout/source-locations.ts";
import { type CandidateRow, rowText } from "../structure/records/candidate-rows.ts";
import { itemRowsOf } from "../structure/records/group-item-rows.ts";
import type { PageRows, RowGroup } from "../structure/records/row-group-types.ts";
import { wordPlaceOf } from "./item-places.ts";
import type { ListReceipt } from "./list-receipt.ts";
import type { DataList } from "./result-lists.ts";
import type { RowAssignment } from "./row-assignment.ts";

/** Pointer of the list of tables. */
export const TABLES_POINTER = "/tables";

/** Minimum rows and headings of a table that must be in the result: smaller ones are labels with values. */
const MIN_HEADED_TABLE_ROWS = 3;
const MIN_TABLE_HEADINGS = 2;
/** Minimum rows and columns of a table without headings. */
const MIN_UNHEADED_TABLE_ROWS = 5;
const MIN_UNHEADED_TABLE_COLUMNS = 3;
/** A table with a smaller share of located rows is lost. */
const MAX_KNOWN_ROW_SHARE = 0.3;

export const isGeneralTableList = ({ path }: DataList): boolean => path === `${TABLES_POINTER}/*/rows`;

function isTable({ parts, headings, columnLayout }: RowGroup, rows: readonly CandidateRow[]): boolean {
  const [first] = parts;
  if (first?.evidence !== "table" && first?.evidence !== "lines") return false;
  if (headings.length >= MIN_TABLE_HEADINGS) return rows.length >= MIN_HEADED_TABLE_ROWS;
  return columnLayout.columns.length >= MIN_UNHEADED_TABLE_COLUMNS && rows.length >= MIN_UNHEADED_TABLE_ROWS;
}

/** Rows of the tables of which the result has nothing. */
function rowsOfLostTables(
  { candidates, groups }: PageRows,
  assignment: RowAssignment,
  sources: SourceLocations,
): CandidateRow[] {
  const knownOrders = new Set(
    Object.keys(sources.locations).map((pointer) => wordPlaceOf(pointer, sources, candidates)?.order),
  );
  return groups.flatMap((group) => {
    if (assignment.listsByGroup.has(group)) return [];
    const rows = group.parts.flatMap((part) => itemRowsOf(group, part));
    const known = rows.filter(({ order }) => knownOrders.has(order)).length;
    return !isTable(group, rows) || known >= MAX_KNOWN_ROW_SHARE * rows.length ? [] : rows;
  });
}

/** A receipt for tables that are missing as a whole: the result has no list for their rows yet. */
export function lostTablesReceipt(
  rows: PageRows,
  assignment: RowAssignment,
  sources: SourceLocations,
  isPossible: (order: number) => boolean,
): ListReceipt[] {
  const lost = rowsOfLostTables(rows, assignment, sources).filter(({ order }) => isPossible(order));
  if (lost.length === 0) return [];
  const missing = lost.map((row) => {
    const { order, page, shownBox: box } = row;
    return { order, page, box, text: rowText(row), list: TABLES_POINTER, at: 0 };
  });
  const none = { restricted: false, said: [], returned: 0, unplaced: 0, repeated: [], empty: [] };
  return [{ path: TABLES_POINTER, counted: true, ...none, missing }];
}
