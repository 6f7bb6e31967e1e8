/** Which row of the page each item of a list stands on, told by where its values were located. */

import type { SourceLocations } from "../layout/source-locations.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import type { Unit, Units } from "./candidate-rows.ts";
import { isPlaceholder } from "./cell-kinds.ts";
import { PrintedRows } from "./printed-rows.ts";
import { type DataList, isMute, type ListItem, thinOf } from "./result-lists.ts";

/** An item's row must hold so many of its located values, and such a share of their weight. */
const FEWEST = 2;
const SHARE = 0.34;

const REFERENCE = /^p(\d+)\/w(\d+)$/;

/** Where a value stands: the row of its first word, and that word's place among the page's. */
export interface Spot {
  order: number;
  confidence: number;
  page: number;
  word: number;
}

export function spotOf(pointer: string, sources: SourceLocations, units: Units): Spot | undefined {
  const location = Object.hasOwn(sources.locations, pointer) ? sources.locations[pointer] : undefined;
  const match = REFERENCE.exec(location?.sourceRefs[0] ?? "");
  if (match === null || location === undefined) return undefined;
  const [page, word] = [Number(match[1]), Number(match[2])];
  const order = units.byWord.get(page)?.[word] ?? -1;
  return order < 0 ? undefined : { order, confidence: location.confidence, page, word };
}

/** The row that most of an item's values stand on; undefined where no row holds enough of them. */
function rowOf(item: ListItem, sources: SourceLocations, units: Units): number | undefined {
  const votes = new Map<number, { count: number; weight: number }>();
  let total = 0;
  for (const { pointer } of item.leaves) {
    const spot = spotOf(pointer, sources, units);
    if (spot === undefined) continue;
    const vote = votes.get(spot.order) ?? { count: 0, weight: 0 };
    vote.count += 1;
    vote.weight += spot.confidence;
    total += spot.confidence;
    votes.set(spot.order, vote);
  }
  const [best] = [...votes].sort(([, a], [, b]) => b.count - a.count || b.weight - a.weight);
  if (best === undefined) return undefined;
  const [order, { count, weight }] = best;
  const enough = Math.min(FEWEST, item.leaves.length);
  return count >= enough && weight >= SHARE * total ? order : undefined;
}

/** What an earlier look at the same pages found: to locate all values again after every change would take long. */
export interface KnownPlaces {
  /** Pointers of items, with their rows. */
  placed: [string, number][];
  /** Pointers of items that came in for a row since then. */
  asked: [string, number][];
  /** The rows that were missing before: no other can be now, but those that an item stood on. */
  open: number[];
}

/** Of the values of an item that came in for a row, so many must be printed there. */
const PRINTED = 0.5;

/** The same from what is known; an item that came in stands where it was asked for if it says what stands there. */
export function placesKnown(
  list: DataList,
  known: KnownPlaces,
  units: Units,
  writing: FormatConventions,
): Map<ListItem, number> {
  const placed = new Map(known.placed);
  const asked = new Map(known.asked);
  const rows = known.asked.flatMap(([, order]): Unit[] => units.all.slice(order, order + 1));
  const printed = new PrintedRows(rows, writing);
  const places = new Map<ListItem, number>();
  const isThin = thinOf(list);
  for (const item of list.items) {
    const order = placed.get(item.pointer);
    const wanted = asked.get(item.pointer);
    const unit = wanted === undefined ? undefined : units.all[wanted];
    if (order !== undefined) places.set(item, order);
    else if (unit !== undefined && !isThin(item) && printed.match(item, unit) >= PRINTED) places.set(item, unit.order);
  }
  return places;
}

/** Of a row's words, so many must be a value's that alone tells its item's row. */
const FILLED = 0.5;

/** Whether a row says little besides an item; nothing where the item says nothing. */
function fills(item: ListItem, unit: Unit | undefined, sources: SourceLocations): boolean {
  if (unit === undefined) return false;
  if (isMute(item)) return unit.words.every(({ text }) => isPlaceholder(text));
  const words = item.leaves.reduce((sum, { pointer }) => sum + (sources.locations[pointer]?.sourceRefs.length ?? 0), 0);
  return words >= FILLED * unit.words.length;
}

/** By item, the place of its row among the units; items that stand on none are not in it. */
export function placesOf(list: DataList, sources: SourceLocations, units: Units): Map<ListItem, number> {
  const places = new Map<ListItem, number>();
  const isThin = thinOf(list);
  for (const item of list.items) {
    const order = rowOf(item, sources, units);
    if (order === undefined || (isThin(item) && !fills(item, units.all[order], sources))) continue;
    places.set(item, order);
  }
  return places;
}

/**
 * Equal rows stand in several tables; the headings tell which is meant. Items on rows of other tables are placed on those
 * of their own ones, where a free row says as much of them.
 * @param own rows of the tables that have all of the list's fields for headings @param places is changed
 */
export function placeOnOwn(
  list: DataList,
  places: Map<ListItem, number>,
  own: readonly Unit[],
  units: Units,
  writing: FormatConventions,
): void {
  const orders = new Set(own.map(({ order }) => order));
  const astray = list.items.filter((item) => !orders.has(places.get(item) ?? -1));
  if (own.length === 0 || astray.length === 0) return;
  const printed = new PrintedRows(own, writing);
  const taken = new Set(places.values());
  for (const item of astray) {
    const there = units.all[places.get(item) ?? -1];
    if (there === undefined) continue;
    const least = printed.match(item, there);
    const row = printed.find(item).find((unit) => !taken.has(unit.order) && printed.match(item, unit) >= least);
    if (row === undefined) continue;
    taken.add(row.order);
    places.set(item, row.order);
  }
}
