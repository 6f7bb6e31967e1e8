/** The general result, which nobody described: its lists are the rows of its tables. */
import type { SourceLocations } from "../layout/source-locations.ts";
import { textOf, type Unit } from "./candidate-rows.ts";
import { spotOf } from "./item-places.ts";
import type { ListReceipt } from "./list-receipt.ts";
import type { DataList } from "./result-lists.ts";
import type { Book } from "./row-assignment.ts";
import type { PageRows, RowSet } from "./row-group-types.ts";
import { candidatesOf } from "./row-groups.ts";

/** Where its tables are. */
export const TABLES = "/tables";

/** Rows and headings of a table that must be in the result: fewer are labels and their values. */
const FEWEST_ROWS = 3;
const FEWEST_HEADS = 2;
/** Lines in columns under no heading are a table where they are so many, in so many columns. */
const FEWEST_LINES = 5;
const FEWEST_COLUMNS = 3;
/** Of a table's rows, fewer hold values where the result has nothing of it. */
const TOLD = 0.3;

export const isOfTables = ({ path }: DataList): boolean => path === `${TABLES}/*/rows`;

function isTable({ parts, heads, frame }: RowSet, rows: readonly Unit[]): boolean {
  const [first] = parts;
  if (first?.kind !== "table" && first?.kind !== "lines") return false;
  if (heads.length >= FEWEST_HEADS) return rows.length >= FEWEST_ROWS;
  return frame.columns.length >= FEWEST_COLUMNS && rows.length >= FEWEST_LINES;
}

/** Rows of the tables that a result has nothing of. */
function lostRows({ units, sets }: PageRows, book: Book, sources: SourceLocations): Unit[] {
  const told = new Set(Object.keys(sources.locations).map((pointer) => spotOf(pointer, sources, units)?.order));
  return sets.flatMap((set) => {
    if (book.claims.has(set)) return [];
    const rows = set.parts.flatMap((part) => candidatesOf(set, part));
    const known = rows.filter(({ order }) => told.has(order)).length;
    return !isTable(set, rows) || known >= TOLD * rows.length ? [] : rows;
  });
}

/** A receipt for tables that are lost as a whole: there is no list yet that their rows go into. */
export function receiptOfLost(
  rows: PageRows,
  book: Book,
  sources: SourceLocations,
  isPossible: (order: number) => boolean,
): ListReceipt[] {
  const lost = lostRows(rows, book, sources).filter(({ order }) => isPossible(order));
  if (lost.length === 0) return [];
  const missing = lost.map((unit) => {
    const { order, page, shown: box } = unit;
    return { order, page, box, text: textOf(unit), list: TABLES, at: 0 };
  });
  const none = { restricted: false, excused: false, said: [], returned: 0, unplaced: 0, repeated: [], empty: [] };
  return [{ path: TABLES, counted: true, ...none, missing }];
}
