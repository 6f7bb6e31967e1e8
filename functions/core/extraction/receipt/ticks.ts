/** Ticks off the rows that items stand on, each row once; finds the rows of items whose place is not known, and items returned twice. */
import { canonical } from "../model/json.ts";
import type { Conventions } from "../reading.ts";
import { type Book, tickRow } from "./book.ts";
import { type DataList, type ListItem, thinOf } from "./lists.ts";
import { PrintedRows } from "./values.ts";

/** An item equal to another one stands on a row of its own only where the page has one more that says the same. */
function isRepeated(item: ListItem, list: DataList, equal: ReadonlyMap<string, number>): boolean {
  return !list.scalars && item.leaves.length > 0 && (equal.get(canonical(item.value)) ?? 0) > 1;
}

export function tick(
  book: Book,
  lists: readonly DataList[],
  { notation, order }: Pick<Conventions, "notation" | "order">,
): void {
  const waiting: [DataList, ListItem][] = [];
  for (const list of lists) {
    const places = book.places.get(list) ?? new Map<ListItem, number>();
    const own = new Set<number>();
    for (const item of list.items) {
      const row = places.get(item);
      // Two lists may share a row; two items of one list do not, but for short values side by side.
      if (row === undefined || (own.has(row) && !list.scalars)) waiting.push([list, item]);
      else tickRow(book, row, item);
      if (row !== undefined) own.add(row);
    }
  }
  if (waiting.length === 0) return;
  const equal = new Map<DataList, Map<string, number>>();
  const printed = new Map<DataList, PrintedRows>();
  const thin = new Map(lists.map((list) => [list, thinOf(list)]));
  for (const [list, item] of waiting) settle(item, list);

  function settle(item: ListItem, list: DataList): void {
    const sets = book.setsOf(list);
    if (sets.length === 0) return;
    let rows = printed.get(list);
    if (rows === undefined) {
      const units = sets.flatMap(({ parts }) => parts.flatMap((part) => book.candidates(part)));
      rows = new PrintedRows(units, { notation, order });
      printed.set(list, rows);
      equal.set(list, countEqual(list));
    }
    const places = book.places.get(list);
    const was = places?.get(item);
    const found =
      thin.get(list)?.(item) === true ? undefined : rows.find(item).find((unit) => !book.ticked.has(unit.order));
    if (found !== undefined) {
      tickRow(book, found.order, item);
      places?.set(item, found.order);
      return;
    }
    if (isRepeated(item, list, equal.get(list) ?? new Map()) && rows.find(item).length > 0) {
      // The others of its equals keep their rows; this one has none.
      places?.delete(item);
      book.repeated.set(list, [...(book.repeated.get(list) ?? []), item]);
    } else if (was === undefined) book.loose.set(list, [...(book.loose.get(list) ?? []), item]);
  }
}

function countEqual(list: DataList): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { value } of list.items) {
    const key = canonical(value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
