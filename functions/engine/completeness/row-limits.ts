import { isObject, type Json } from "../../ports/json.ts";
import type { CandidateRow } from "./candidate-rows.ts";
import { findRowLimit, type RowLimit } from "./restriction.ts";
import type { DataList } from "./result-lists.ts";

const isOnPages = (page: number, ranges: readonly [number, number][], last: number): boolean =>
  ranges.some(([from, to]) => (from === -1 ? page === last : page >= from && page <= to));

/** The rows that are among the first `rows` of all. @param have indexes of the rows that are not missing, sorted */
function amongFirst(open: readonly CandidateRow[], have: readonly number[], rows: number): CandidateRow[] {
  let before = 0;
  return open.filter(({ order }, at) => {
    while ((have[before] ?? Number.POSITIVE_INFINITY) < order) before += 1;
    return at + before < rows;
  });
}

/**
 * The rows that are missing under a limit: those on its pages, as many as its count still lacks. Only a reader can
 * apply a criterion: all rows may be missing under one, and none need be.
 * @param open in the order of the document @param have indexes of the rows that the list has @param returned number of
 * its items
 * @param last number of the last page
 */
export function missingWithinLimit(
  { pages, count, criterion }: RowLimit,
  open: readonly CandidateRow[],
  { have, returned, last }: { have: readonly number[]; returned: number; last: number },
): CandidateRow[] {
  const own = pages === undefined ? [...open] : open.filter(({ page }) => isOnPages(page, pages, last));
  if (count === undefined || criterion) return own;
  const { rows, of } = count;
  const placed = [...have].sort((a, b) => a - b);
  if (of === "first") return amongFirst(own, placed, rows);
  if (of === "last") {
    const first = new Set(amongFirst(own, placed, own.length + placed.length - rows));
    return own.filter((row) => !first.has(row));
  }
  const lacking = Math.max(0, rows - returned);
  return of === "some" || lacking === 0 ? own.slice(0, lacking) : own;
}

/** The restrictions of a result's lists by the prompt, the schema's description and the lists' descriptions. */
export function limitsOfLists(
  lists: readonly DataList[],
  schema: Json | undefined,
  prompt = "",
): Map<DataList, RowLimit> {
  const about = isObject(schema) && typeof schema.description === "string" ? [schema.description] : [];
  return new Map(
    lists.flatMap((list): [DataList, RowLimit][] => {
      const limit = findRowLimit(list, lists, [prompt, ...about]);
      return limit === undefined ? [] : [[list, limit]];
    }),
  );
}

/** `maxItems` below the row count is a limit. @param open number of rows without an item */
export function schemaLimit({ shape, items }: DataList, open: number): RowLimit | undefined {
  const most = shape?.maxItems;
  if (most === undefined || items.length + open <= most) return undefined;
  return { said: [`At most ${most} items.`], count: { rows: most, of: "some" } };
}
