/**
 * The completeness receipt: rows that a result has, held against the rows that the page shows. What is counted is
 * counted without a model, from tables, lines of one shape and keys in sequence.
 */

import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import type { Conventions } from "../extraction/rules/value-reader.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { readSchema } from "../schema/schema-shape.ts";
import { viewDocument } from "../structure/view/document-view.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import type { Notation } from "../values/numbers.ts";
import { textOf, type Unit, type Units, unitsOf } from "./candidate-rows.ts";
import { fieldColumns, isFiltered, ruleOf } from "./field-columns.ts";
import { isOfTables, receiptOfLost } from "./general-tables.ts";
import { nameHeads, rowsHeaded } from "./header-matching.ts";
import { type KnownPlaces, placeOnOwn, placesKnown, placesOf } from "./item-places.ts";
import type { ListReceipt, MissingRow } from "./list-receipt.ts";
import type { Limit } from "./restriction.ts";
import { type DataList, isEmpty, type ListItem, listsOf } from "./result-lists.ts";
import { type Book, openBook } from "./row-assignment.ts";
import type { PageRows, Part, RowSet } from "./row-group-types.ts";
import { findSets, patternOf } from "./row-groups.ts";
import { limitOfSchema, limitsOf, rowsWithin } from "./row-limits.ts";
import { tick } from "./row-matcher.ts";
import { foldUnits } from "./side-by-side-columns.ts";
import { placeStrays } from "./unmatched-items.ts";

export interface ReconcileRequest {
  schema?: Json;
  prompt?: string;
  /** Rows (`order`) that a model was asked for and said to be none of the list. */
  declined?: readonly number[];
  /** It is the general result: nobody said what is wanted. */
  general?: boolean;
}

/**
 * The rows that a document shows.
 * @param notation in which the document writes its amounts
 * @param asked what the rows are counted for: it tells whether lines that stand side by side are one row or several
 */
export function countRows(
  layout: Layout,
  notation: Notation,
  asked?: { data: Json; schema?: Json | undefined; order: Conventions["order"] },
): PageRows {
  const view = viewDocument(layout);
  const units = unitsOf(layout, new Map(view.pages.map(({ number, rows }) => [number, rows])));
  if (asked === undefined) return findSets(units, notation);
  const { data, schema, order } = asked;
  const lists = listsOf(data, schema === undefined ? null : readSchema(schema));
  return findSets(foldUnits(units, lists, { notation, order }), notation);
}

/** A part whose rows all stand elsewhere too, where they are ticked, is a copy: a carbon, a summary. */
const COPIED = 0.8;
const FEWEST_COPIED = 3;

function copies(part: Part, book: Book): boolean {
  const rows = book.candidates(part);
  if (rows.length < FEWEST_COPIED || rows.some(({ order }) => book.ticked.has(order))) return false;
  return rows.filter((unit) => book.tickedTexts.has(textOf(unit))).length >= COPIED * rows.length;
}

/** Patterns of filled columns of the rows that are ticked. */
function patternsOf(set: RowSet, book: Book): Set<string> {
  const ticked = set.parts.flatMap(({ units }) => units.filter(({ order }) => book.ticked.has(order)));
  return new Set(ticked.map((unit) => patternOf(set.frame, unit)));
}

/**
 * A row that a model said to be none of the list is taken at its word only where the page does not say otherwise: where
 * it looks like the rows that are in the list, it is one.
 */
function declinedRows(set: RowSet, book: Book, declined: readonly number[]): Set<number> {
  if (declined.length === 0) return new Set();
  const patterns = patternsOf(set, book);
  const own = new Map(set.parts.flatMap(({ units }) => units.map((unit) => [unit.order, unit] as const)));
  return new Set(
    declined.filter((order) => {
      const unit = own.get(order);
      return unit !== undefined && !patterns.has(patternOf(set.frame, unit));
    }),
  );
}

interface Scene {
  units: Units;
  sources: SourceLocations;
  conventions: FormatConventions;
  book: Book;
  declined: readonly number[];
  /** What each list is restricted to. */
  limits: ReadonlyMap<DataList, Limit>;
}

/** Nothing was located: what an earlier look found is known. */
const NOWHERE: SourceLocations = { version: 1, granularity: "word", pages: [], locations: {}, unresolved: [] };

/** Rows of a set that nobody has, each with the list that it belongs into. */
function openRows(set: RowSet, lists: readonly DataList[], scene: Scene): [Unit, DataList][] {
  const { book, sources, units, conventions } = scene;
  const rules = new Map(
    lists.map((list) => {
      // Only what the schema rules out needs its column: to learn it, all items are gone through for each set.
      const items = isFiltered(list) ? [...(book.places.get(list) ?? [])] : [];
      return [list, ruleOf(list, set.frame, fieldColumns(items, set.frame, sources, units), conventions)] as const;
    }),
  );
  const declined = declinedRows(set, book, scene.declined);
  let [owner] = lists;
  return set.parts.flatMap((part) => {
    owner = book.ownerOf(part, lists) ?? owner;
    if (owner === undefined || copies(part, book)) return [];
    const own = owner;
    // Under a restriction, rows that look like the others may be none of those that are wanted.
    const gone = scene.limits.has(own) ? new Set(scene.declined) : declined;
    return book
      .candidates(part)
      .filter((unit) => !book.ticked.has(unit.order) && !gone.has(unit.order))
      .filter((unit) => rules.get(own)?.(unit) !== true)
      .map((unit): [Unit, DataList] => [unit, own]);
  });
}

/** Where a row goes into its list: behind the item that stands before it on the page. */
function spotIn(list: DataList, unit: Unit, anchors: readonly (readonly [ListItem, number])[], book: Book) {
  let low = 0;
  let high = anchors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((anchors[middle]?.[1] ?? 0) < unit.order) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [anchors[low - 1], anchors[low]];
  // The first row of a table on a page of its own belongs to the list that begins there.
  const joinsNext = after !== undefined && before !== undefined && after[0].list !== before[0].list;
  if (
    joinsNext &&
    book.partOf(after[1]) === book.partOf(unit.order) &&
    book.partOf(before[1]) !== book.partOf(unit.order)
  )
    return { list: after[0].list, at: after[0].index };
  if (before !== undefined) return { list: before[0].list, at: before[0].index + 1 };
  return after === undefined ? { list: list.lists[0] ?? "", at: 0 } : { list: after[0].list, at: after[0].index };
}

function receiptOf(list: DataList, open: readonly Unit[], scene: Scene): ListReceipt {
  const { book, units, conventions } = scene;
  const limit = scene.limits.get(list) ?? limitOfSchema(list, open.length);
  const repeated = new Set(book.repeated.get(list));
  const counted = book.setsOf(list).length > 0;
  const left = placeStrays(list, open, book, conventions);
  const items = list.items.filter((item) => !repeated.has(item));
  const standing = items.filter((item) => stands(item, counted, list, scene));
  const anchors = [...(book.places.get(list) ?? [])].sort(([, a], [, b]) => a - b);
  const last = units.all.at(-1)?.page ?? 0;
  const rows =
    limit === undefined
      ? left
      : rowsWithin(limit, left, { have: anchors.map(([, order]) => order), returned: standing.length, last });
  return {
    path: list.path,
    counted,
    restricted: limit !== undefined,
    excused: limit?.criterion === true,
    said: limit?.said ?? [],
    returned: standing.length,
    unplaced: items.length - standing.length,
    missing: rows.map((unit): MissingRow => {
      const { order, page, shown: box } = unit;
      return { order, page, box, text: textOf(unit), ...spotIn(list, unit, anchors, book) };
    }),
    repeated: [...repeated].map(({ pointer }) => pointer),
    empty: counted && !list.scalars ? items.flatMap(({ pointer, value }) => (isEmpty(value) ? [pointer] : [])) : [],
  };
}

/** Whether an item stands on the page: on a row where rows are counted, with any of its values where they are not. */
function stands(item: ListItem, counted: boolean, list: DataList, { book, sources }: Scene): boolean {
  if (book.places.get(list)?.has(item) === true) return true;
  if (counted) return false;
  return sources === NOWHERE
    ? !isEmpty(item.value)
    : item.leaves.some(({ pointer }) => Object.hasOwn(sources.locations, pointer));
}

/** Rows on which items stood at an earlier look, and nobody stands now. */
const rowsLeft = ({ placed }: KnownPlaces, { ticked }: Book): number[] =>
  placed.flatMap(([, order]) => (ticked.has(order) ? [] : [order]));

/** Where the items of a result stand: by the places of their values (of any granularity), or from an earlier look. */
export type Where = { sources: SourceLocations } | { known: KnownPlaces };

/**
 * Holds the lists of a result against the rows of the page.
 * @returns a receipt for each list of objects, and for lists of scalars whose rows are known; `placed`: the items that
 * stand on a row
 */
export function reconcile(
  rows: PageRows,
  data: Json,
  where: Where,
  conventions: FormatConventions,
  request: ReconcileRequest,
): { lists: ListReceipt[]; placed: [string, number][] } {
  const { units } = rows;
  const shape = request.schema === undefined ? null : readSchema(request.schema);
  const all = listsOf(data, shape);
  const lists = request.general === true ? all.filter(isOfTables) : all;
  const sets = nameHeads(rows.sets, lists);
  const sources = "sources" in where ? where.sources : NOWHERE;
  const before = "known" in where ? where.known : undefined;
  const findPlaces = (list: DataList): Map<ListItem, number> => {
    if (before !== undefined) return placesKnown(list, before, units, conventions);
    const found = placesOf(list, sources, units);
    placeOnOwn(list, found, rowsHeaded(list, sets), units, conventions);
    return found;
  };
  const places = new Map(lists.map((list) => [list, findPlaces(list)] as const));
  const book = openBook(sets, lists, places);
  tick(book, lists, conventions);
  const limits = limitsOf(lists, request.schema, request.prompt);
  const scene = { units, sources, conventions, book, limits, declined: request.declined ?? [] };
  const open = new Map<DataList, Unit[]>(lists.map((list) => [list, []]));
  const possible = before && new Set([...before.open, ...rowsLeft(before, book)]);
  for (const [set, own] of book.claims) {
    for (const [unit, list] of openRows(set, own, scene))
      if (possible?.has(unit.order) !== false) open.get(list)?.push(unit);
  }
  const receipts = lists
    .filter((list) => !list.scalars || book.setsOf(list).length > 0)
    .map((list) => {
      const missing = (open.get(list) ?? []).sort((a, b) => a.order - b.order);
      return receiptOf(list, missing, scene);
    });
  const isPossible = (order: number): boolean => possible?.has(order) !== false;
  if (request.general === true) receipts.push(...receiptOfLost(rows, book, sources, isPossible));
  const placed = [...book.places.values()].flatMap((own) =>
    [...own].map(([item, order]): [string, number] => [item.pointer, order]),
  );
  return { lists: receipts, placed };
}
