/** The row that each item of a list stands on, by the locations of its values. */

import type { SourceLocations } from "../layout/source-locations.ts";
import type { CandidateRow, CandidateRows } from "../structure/records/candidate-rows.ts";
import { isPlaceholder } from "../structure/records/cell-kinds.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import { PrintedRows } from "./printed-rows.ts";
import { type DataList, holdsOnlyPlaceholders, inconclusiveItemTest, type ListItem } from "./result-lists.ts";

/** Minimum located values of an item on its row, and minimum share of their weight. */
const MIN_VALUES_ON_ROW = 2;
const MIN_WEIGHT_SHARE_ON_ROW = 0.34;

const WORD_REFERENCE = /^p(\d+)\/w(\d+)$/;

/** The row of a value's first word, and the word's index in its page. */
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

/** The row of most of an item's values; undefined if no row has enough of them. */
function rowOfItem(item: ListItem, sources: SourceLocations, candidates: CandidateRows): number | undefined {
  const votes = new Map<number, { count: number; weight: number }>();
  let total = 0;
  for (const { pointer } of item.leaves) {
    const place = wordPlaceOf(pointer, sources, candidates);
    if (place === undefined) continue;
    const vote = votes.get(place.order) ?? { count: 0, weight: 0 };
    vote.count += 1;
    vote.weight += place.confidence;
    total += place.confidence;
    votes.set(place.order, vote);
  }
  const [best] = [...votes].sort(([, a], [, b]) => b.count - a.count || b.weight - a.weight);
  if (best === undefined) return undefined;
  const [order, { count, weight }] = best;
  const enough = Math.min(MIN_VALUES_ON_ROW, item.leaves.length);
  return count >= enough && weight >= MIN_WEIGHT_SHARE_ON_ROW * total ? order : undefined;
}

/**
 * The outcome of an earlier reconciliation of the same pages: locating all values again after every change takes too
 * long.
 */
export interface KnownPlaces {
  /** Pointers of items, with their rows. */
  placed: [string, number][];
  /** Pointers of items added since then, with the rows they were requested for. */
  asked: [string, number][];
  /** Rows that were missing before. Only these, and rows whose item is gone, can be missing now. */
  open: number[];
}

/** Share of an added item's values that must be printed on the row it was requested for. */
const MIN_PRINTED_VALUE_SHARE = 0.5;

/** Places of items from an earlier reconciliation; an added item gets the row it was requested for if it matches. */
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

/** Share of a row's words that a value must have to determine the row alone. */
const MIN_FILLED_WORD_SHARE = 0.5;

/** The item's values make up most of the row; for an item of placeholders, the row holds nothing else. */
function fillsRow(item: ListItem, row: CandidateRow | undefined, sources: SourceLocations): boolean {
  if (row === undefined) return false;
  if (holdsOnlyPlaceholders(item)) return row.words.every(({ text }) => isPlaceholder(text));
  const words = item.leaves.reduce((sum, { pointer }) => sum + (sources.locations[pointer]?.sourceRefs.length ?? 0), 0);
  return words >= MIN_FILLED_WORD_SHARE * row.words.length;
}

/** Row indexes of a list's items; items without a row are left out. */
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
 * Equal rows may stand in several tables; the headings decide. Moves items from rows of other tables to free rows of
 * the list's own tables that match them at least as well.
 * @param places changed in place @param own rows of the tables that have a heading for every field of the list
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
