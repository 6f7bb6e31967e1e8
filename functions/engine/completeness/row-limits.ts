import type { Json } from "../../ports/json.ts";
import { isObject } from "../schema/json-text.ts";
import type { CandidateRow } from "./candidate-rows.ts";
import { findRowLimit, type RowLimit } from "./restriction.ts";
import type { DataList } from "./result-lists.ts";

const isOnPages = (page: number, ranges: readonly [number, number][], last: number): boolean =>
  ranges.some(([from, to]) => (from === -1 ? page === last : page >= from && page <= to));

/** Of all rows, those that are among the first so many. @param have places of rows that are not missing, in order */
function amongFirst(open: readonly CandidateRow[], have: readonly number[], rows: number): CandidateRow[] {
  let before = 0;
  return open.filter(({ order }, at) => {
    while ((have[before] ?? Number.POSITIVE_INFINITY) < order) before += 1;
    return at + before < rows;
  });
}

/**
 * The rows that are missing under a limit: those of its pages, as many as its count still lacks. A criterion nobody can
 * hold against a row but a reader: all of them may be missing, and none need be.
 * @param open in the order of the document @param have places of the rows that the list has @param returned its items
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

/** What the lists of a result are limited to by words: the prompt's, the schema's own, the lists' descriptions. */
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

/** A schema that takes fewer items than there are is a count of them. @param open rows that nobody has */
export function schemaLimit({ shape, items }: DataList, open: number): RowLimit | undefined {
  const most = shape?.maxItems;
  if (most === undefined || items.length + open <= most) return undefined;
  return { said: [`At most ${most} items.`], count: { rows: most, of: "some" } };
}
