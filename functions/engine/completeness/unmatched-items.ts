/**
 * Finds rows for items that match none exactly, among rows without an item. A row is an item's if it prints half of the
 * item's values, for recognised rows within recognition errors. A few items may match by one value only, no more: an
 * item found nowhere may be made up.
 */

import { lowerBound } from "../layout/binary-search.ts";
import { canonicalText } from "../schema/json-text.ts";
import type { CandidateRow } from "../structure/records/candidate-rows.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import { isRecognised, leavesWithinOcrErrors } from "./ocr-errors.ts";
import { PrintedRows } from "./printed-rows.ts";
import { type DataList, inconclusiveItemTest, type ListItem } from "./result-lists.ts";
import { matchRow, type RowAssignment } from "./row-assignment.ts";

/** Share of an item's values that its row must print. */
const MIN_READ_VALUE_SHARE = 0.5;
/** Rows ahead on which an unreadable item is searched. */
const MAX_ROWS_AHEAD = 20;
/** Share of a list's rows that may be unreadable; at least one may. */
const MAX_UNREADABLE_ROW_SHARE = 0.02;
/** An unreadable item has this share of the values that placed items have on average. */
const MIN_VALUE_COUNT_SHARE = 0.8;

const isMisread = (item: ListItem, row: CandidateRow): boolean =>
  leavesWithinOcrErrors(item, row).length >= MIN_READ_VALUE_SHARE * item.leaves.length;
/** Shorter values match by chance. */
const MIN_TELLING_CHARACTERS = 3;
const sharesTellingValue = (item: ListItem, row: CandidateRow): boolean =>
  leavesWithinOcrErrors(item, row).some(({ value }) => String(value).length >= MIN_TELLING_CHARACTERS);

/** Items that may stand on unreadable rows: as full as the others, and without equals. */
function unreadableItems(unmatched: readonly ListItem[], { items }: DataList): Set<ListItem> {
  const unmatchedSet = new Set(unmatched);
  const placed = items.filter((item) => !unmatchedSet.has(item));
  const usual = placed.reduce((sum, { leaves }) => sum + leaves.length, 0) / Math.max(1, placed.length);
  const counts = new Map<string, number>();
  for (const { value } of unmatched) counts.set(canonicalText(value), (counts.get(canonicalText(value)) ?? 0) + 1);
  return new Set(
    unmatched.filter(
      ({ value, leaves }) => leaves.length >= MIN_VALUE_COUNT_SHARE * usual && counts.get(canonicalText(value)) === 1,
    ),
  );
}

/** For each unmatched item, the range of rows between those of its neighbours in the list. */
function rowRanges(list: DataList, places: ReadonlyMap<ListItem, number>, unmatched: ReadonlySet<ListItem>) {
  const ranges = new Map<ListItem, [number, number]>();
  let from = -1;
  let waiting: ListItem[] = [];
  const settle = (to: number): void => {
    for (const item of waiting) ranges.set(item, [from, to]);
    waiting = [];
  };
  for (const item of list.items) {
    const order = places.get(item);
    if (unmatched.has(item)) waiting.push(item);
    if (order === undefined) continue;
    settle(order > from ? order : Number.POSITIVE_INFINITY);
    from = order;
  }
  settle(Number.POSITIVE_INFINITY);
  return ranges;
}

/**
 * Places a list's unmatched items on rows without an item.
 * @param open in the order of the document @returns the rows that remain
 */
export function placeUnmatchedItems(
  list: DataList,
  open: readonly CandidateRow[],
  assignment: RowAssignment,
  conventions: FormatConventions,
): CandidateRow[] {
  const isInconclusive = inconclusiveItemTest(list);
  const unmatched = (assignment.unmatchedItems.get(list) ?? []).filter(
    (item) => item.leaves.length > 0 && !isInconclusive(item),
  );
  const places = assignment.places.get(list);
  if (unmatched.length === 0 || open.length === 0 || places === undefined) return [...open];
  const printed = new PrintedRows(open, conventions);
  const ranges = rowRanges(list, places, new Set(unmatched));
  const take = (item: ListItem, { order }: CandidateRow): void => {
    matchRow(assignment, order, item);
    places.set(item, order);
  };
  const left = unmatched.filter((item) => {
    const [from, to] = ranges.get(item) ?? [-1, -1];
    const isFree = ({ order }: CandidateRow): boolean => order > from && order < to && !assignment.matched.has(order);
    const row = item.leaves.length < 2 ? undefined : printed.findRows(item, MIN_READ_VALUE_SHARE).find(isFree);
    const own = row ?? rowsAhead(open, from, isFree).find((row) => isRecognised(row) && isMisread(item, row));
    if (own !== undefined) take(item, own);
    return own === undefined;
  });
  let most = Math.max(1, Math.floor(MAX_UNREADABLE_ROW_SHARE * (places.size + open.length)));
  const isFull = unreadableItems(left, list);
  for (const item of left) {
    const [from, to] = ranges.get(item) ?? [-1, -1];
    if (most === 0 || !isFull.has(item)) continue;
    const isFree = ({ order }: CandidateRow): boolean => order > from && order < to && !assignment.matched.has(order);
    const row = rowsAhead(open, from, isFree).find((row) => isRecognised(row) && sharesTellingValue(item, row));
    if (row === undefined) continue;
    take(item, row);
    most -= 1;
  }
  return open.filter(({ order }) => !assignment.matched.has(order));
}

/** The next few free rows behind a row index. */
function rowsAhead(
  open: readonly CandidateRow[],
  from: number,
  isFree: (row: CandidateRow) => boolean,
): CandidateRow[] {
  const first = lowerBound(open, ({ order }) => order, from + 1);
  return open.slice(first, first + MAX_ROWS_AHEAD).filter(isFree);
}
