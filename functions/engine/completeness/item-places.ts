/** Which row of the page each item of a list stands on, told by where its values were located. */

import type { SourceLocations } from "../layout/source-locations.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import type { CandidateRow, CandidateRows } from "./candidate-rows.ts";
import { isPlaceholder } from "./cell-kinds.ts";
import { PrintedRows } from "./printed-rows.ts";
import { type DataList, holdsOnlyPlaceholders, inconclusiveItemTest, type ListItem } from "./result-lists.ts";

/** An item's row must hold so many of its located values, and such a share of their weight. */
const MIN_VALUES_ON_ROW = 2;
const MIN_WEIGHT_SHARE_ON_ROW = 0.34;

const WORD_REFERENCE = /^p(\d+)\/w(\d+)$/;

/** Where a value stands: the row of its first word, and that word's place among the page's. */
export interface WordPlace {
  order: number;
  confidence: number;
  page: number;
  word: number;
}

export function wordPlaceOf(
  pointer: string,
  sources: SourceLocations,
  candidates: CandidateRows,
): WordPlace | undefined {
  const location = Object.hasOwn(sources.locations, pointer) ? sources.locations[pointer] : undefined;
  const match = WORD_REFERENCE.exec(location?.sourceRefs[0] ?? "");
  if (match === null || location === undefined) return undefined;
  const [page, word] = [Number(match[1]), Number(match[2])];
  const order = candidates.rowOfWord.get(page)?.[word] ?? -1;
  return order < 0 ? undefined : { order, confidence: location.confidence, page, word };
}

/** The row that most of an item's values stand on; undefined where no row holds enough of them. */
function rowOfItem(item: ListItem, sources: SourceLocations, candidates: CandidateRows): number | undefined {
  const votes = new Map<number, { count: number; weight: number }>();
  let total = 0;
  for (const { pointer } of item.leaves) {
    const spot = wordPlaceOf(pointer, sources, candidates);
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
  const enough = Math.min(MIN_VALUES_ON_ROW, item.leaves.length);
  return count >= enough && weight >= MIN_WEIGHT_SHARE_ON_ROW * total ? order : undefined;
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
const MIN_PRINTED_VALUE_SHARE = 0.5;

/** The same from what is known; an item that came in stands where it was asked for if it says what stands there. */
export function placesFromEarlierLook(
  list: DataList,
  known: KnownPlaces,
  candidates: CandidateRows,
  conventions: FormatConventions,
): Map<ListItem, number> {
  const placed = new Map(known.placed);
  const asked = new Map(known.asked);
  const rows = known.asked.flatMap(([, order]): CandidateRow[] => candidates.all.slice(order, order + 1));
  const printed = new PrintedRows(rows, conventions);
  const places = new Map<ListItem, number>();
  const isInconclusive = inconclusiveItemTest(list);
  for (const item of list.items) {
    const order = placed.get(item.pointer);
    const wanted = asked.get(item.pointer);
    const row = wanted === undefined ? undefined : candidates.all[wanted];
    if (order !== undefined) places.set(item, order);
    else if (row !== undefined && !isInconclusive(item) && printed.printedShare(item, row) >= MIN_PRINTED_VALUE_SHARE)
      places.set(item, row.order);
  }
  return places;
}

/** Of a row's words, so many must be a value's that alone tells its item's row. */
const MIN_FILLED_WORD_SHARE = 0.5;

/** Whether a row says little besides an item; nothing where the item says nothing. */
function fillsRow(item: ListItem, row: CandidateRow | undefined, sources: SourceLocations): boolean {
  if (row === undefined) return false;
  if (holdsOnlyPlaceholders(item)) return row.words.every(({ text }) => isPlaceholder(text));
  const words = item.leaves.reduce((sum, { pointer }) => sum + (sources.locations[pointer]?.sourceRefs.length ?? 0), 0);
  return words >= MIN_FILLED_WORD_SHARE * row.words.length;
}

/** By item, the place of its row among the units; items that stand on none are not in it. */
export function placesFromSources(
  list: DataList,
  sources: SourceLocations,
  candidates: CandidateRows,
): Map<ListItem, number> {
  const places = new Map<ListItem, number>();
  const isInconclusive = inconclusiveItemTest(list);
  for (const item of list.items) {
    const order = rowOfItem(item, sources, candidates);
    if (order === undefined || (isInconclusive(item) && !fillsRow(item, candidates.all[order], sources))) continue;
    places.set(item, order);
  }
  return places;
}

/**
 * Equal rows stand in several tables; the headings tell which is meant. Items on rows of other tables are placed on those
 * of their own ones, where a free row says as much of them.
 * @param own rows of the tables that have all of the list's fields for headings @param places is changed
 */
export function moveToHeadedTables(
  list: DataList,
  places: Map<ListItem, number>,
  own: readonly CandidateRow[],
  candidates: CandidateRows,
  conventions: FormatConventions,
): void {
  const orders = new Set(own.map(({ order }) => order));
  const astray = list.items.filter((item) => !orders.has(places.get(item) ?? -1));
  if (own.length === 0 || astray.length === 0) return;
  const printed = new PrintedRows(own, conventions);
  const taken = new Set(places.values());
  for (const item of astray) {
    const there = candidates.all[places.get(item) ?? -1];
    if (there === undefined) continue;
    const least = printed.printedShare(item, there);
    const row = printed.findRows(item).find((row) => !taken.has(row.order) && printed.printedShare(item, row) >= least);
    if (row === undefined) continue;
    taken.add(row.order);
    places.set(item, row.order);
  }
}
