/**
 * Items that nobody found on a row, though their values may be misread ones of it. A row is an item's where it prints
 * half of its values; where it was recognised in a picture, also where that is so within what recognition misreads. A few
 * that are like it in one value only are believed there, no more: what stands nowhere may as well be made up.
 */

import { canonical } from "../schema/json-text.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import type { Unit } from "./candidate-rows.ts";
import { isRecognised, misread } from "./ocr-errors.ts";
import { PrintedRows } from "./printed-rows.ts";
import { type DataList, type ListItem, thinOf } from "./result-lists.ts";
import { type Book, tickRow } from "./row-assignment.ts";

/** Of an item's values, so many must be on its row. */
const ENOUGH = 0.5;
/** Rows ahead that an unreadable item is looked for on. */
const AHEAD = 20;
/** Of a list's rows, so many may be unreadable; one at least. */
const UNREADABLE = 0.02;
/** An unreadable item has so many values as the others have. */
const AS_FULL = 0.8;

const isMisread = (item: ListItem, unit: Unit): boolean => misread(item, unit).length >= ENOUGH * item.leaves.length;
/** Shorter values are like many. */
const TELLING = 3;
const isLike = (item: ListItem, unit: Unit): boolean =>
  misread(item, unit).some(({ value }) => String(value).length >= TELLING);

/** Items that may be unreadable ones: as full as the others, and no two alike. */
function unreadable(strays: readonly ListItem[], { items }: DataList): Set<ListItem> {
  const astray = new Set(strays);
  const placed = items.filter((item) => !astray.has(item));
  const usual = placed.reduce((sum, { leaves }) => sum + leaves.length, 0) / Math.max(1, placed.length);
  const counts = new Map<string, number>();
  for (const { value } of strays) counts.set(canonical(value), (counts.get(canonical(value)) ?? 0) + 1);
  return new Set(
    strays.filter(({ value, leaves }) => leaves.length >= AS_FULL * usual && counts.get(canonical(value)) === 1),
  );
}

/** Between which rows each stray stands: those of its neighbours in the list. */
function rangesOf(list: DataList, places: ReadonlyMap<ListItem, number>, strays: ReadonlySet<ListItem>) {
  const ranges = new Map<ListItem, [number, number]>();
  let from = -1;
  let waiting: ListItem[] = [];
  const settle = (to: number): void => {
    for (const item of waiting) ranges.set(item, [from, to]);
    waiting = [];
  };
  for (const item of list.items) {
    const order = places.get(item);
    if (strays.has(item)) waiting.push(item);
    if (order === undefined) continue;
    settle(order > from ? order : Number.POSITIVE_INFINITY);
    from = order;
  }
  settle(Number.POSITIVE_INFINITY);
  return ranges;
}

/**
 * Finds the rows of a list's items that stand nowhere, among those that nobody has, and ticks them.
 * @param open in the order of the document @returns what is left of them
 */
export function placeStrays(list: DataList, open: readonly Unit[], book: Book, writing: FormatConventions): Unit[] {
  const isThin = thinOf(list);
  const strays = (book.loose.get(list) ?? []).filter((item) => item.leaves.length > 0 && !isThin(item));
  const places = book.places.get(list);
  if (strays.length === 0 || open.length === 0 || places === undefined) return [...open];
  const printed = new PrintedRows(open, writing);
  const ranges = rangesOf(list, places, new Set(strays));
  const take = (item: ListItem, { order }: Unit): void => {
    tickRow(book, order, item);
    places.set(item, order);
  };
  const left = strays.filter((item) => {
    const [from, to] = ranges.get(item) ?? [-1, -1];
    const isFree = ({ order }: Unit): boolean => order > from && order < to && !book.ticked.has(order);
    const row = item.leaves.length < 2 ? undefined : printed.find(item, ENOUGH).find(isFree);
    const own = row ?? ahead(open, from, isFree).find((unit) => isRecognised(unit) && isMisread(item, unit));
    if (own !== undefined) take(item, own);
    return own === undefined;
  });
  let most = Math.max(1, Math.floor(UNREADABLE * (places.size + open.length)));
  const isFull = unreadable(left, list);
  for (const item of left) {
    const [from, to] = ranges.get(item) ?? [-1, -1];
    if (most === 0 || !isFull.has(item)) continue;
    const isFree = ({ order }: Unit): boolean => order > from && order < to && !book.ticked.has(order);
    const row = ahead(open, from, isFree).find((unit) => isRecognised(unit) && isLike(item, unit));
    if (row === undefined) continue;
    take(item, row);
    most -= 1;
  }
  return open.filter(({ order }) => !book.ticked.has(order));
}

/** The next few rows behind a place. */
function ahead(open: readonly Unit[], from: number, isFree: (unit: Unit) => boolean): Unit[] {
  let low = 0;
  let high = open.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((open[middle]?.order ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  return open.slice(low, low + AHEAD).filter(isFree);
}
