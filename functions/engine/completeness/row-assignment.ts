/** Which sets of rows the lists of a result are about, and which rows are ticked. */

import { labelKey } from "../values/text-folding.ts";
import { textOf, type Unit } from "./candidate-rows.ts";
import { atIndents } from "./column-headings.ts";
import { cellsIn } from "./column-layout.ts";
import { headedSets, headedWhole, onlySet } from "./header-matching.ts";
import { type DataList, type ListItem, nameOf } from "./result-lists.ts";
import type { Part, RowSet } from "./row-group-types.ts";
import { candidatesOf, isPairs } from "./row-groups.ts";
import { namesCharge } from "./sum-verified-rows.ts";

/** A set is a list's when all fields of the list head it, when so many of the list's placed items stand in it … */
const OF_LIST = 0.5;
/** … or when so many of the set's own rows are the list's, a few at least. */
const OF_SET = 0.3;
const FEWEST = 3;
/** A few labels with amounts and nothing above them are as often sums of a document as rows of a list: more must be a list's. */
const OF_PAIRS = 0.5;
/** So many of one shape are no sums. */
const MANY_PAIRS = 10;
/** Of a line, an item that is one says so much. */
const OF_LINE = 0.5;
/** Columns that fewer of the ticked rows fill are none that every row fills, where enough rows are ticked to tell. */
const FILLED = 0.9;
const ENOUGH_TICKED = 3;

export interface Book {
  /** The lists that a set belongs to. */
  claims: Map<RowSet, DataList[]>;
  /** By list, its items with the rows they stand on. */
  places: Map<DataList, Map<ListItem, number>>;
  /** Rows that an item stands on, with it. */
  ticked: Map<number, ListItem>;
  /** Texts of those rows. */
  tickedTexts: Set<string>;
  /** Items that stand on no row. */
  loose: Map<DataList, ListItem[]>;
  repeated: Map<DataList, ListItem[]>;
  setsOf(list: DataList): RowSet[];
  partOf(order: number): Part | undefined;
  unitAt(order: number): Unit | undefined;
  /** The rows of a part that are rows of its lists. */
  candidates(part: Part): Unit[];
  /** The list that most of a part's ticked rows are of. */
  ownerOf(part: Part, lists: readonly DataList[]): DataList | undefined;
}

const headKey = ({ heads }: RowSet): string => heads.map(labelKey).join("|");

/** Whether the items on a block of lines are its lines: each says about what its line says. */
function areLines(set: RowSet, places: ReadonlyMap<ListItem, number>): boolean {
  const texts = new Map(set.parts.flatMap(({ units }) => units.map((unit) => [unit.order, textOf(unit)] as const)));
  const shares = [...places].flatMap(([item, order]) => {
    const text = texts.get(order);
    const said = item.leaves.reduce((sum, { value }) => sum + String(value).length, 0);
    return text === undefined ? [] : [said / text.length];
  });
  const lines = shares.filter((share) => share >= OF_LINE && share <= 1 / FILLED).length;
  return shares.length >= FEWEST && lines >= FILLED * shares.length;
}

const countWords = (unit: Unit): number => unit.words.length;
const countFigures = (unit: Unit): number => unit.words.filter(({ text }) => /\d/.test(text)).length;

/** Lines of a block that say as much as those that are items: titles of one word stand between them as evenly. */
function alike(units: readonly Unit[], items: readonly Unit[]): Unit[] {
  if (items.length === 0) return [...units];
  const fewest = (count: (unit: Unit) => number): number =>
    items.reduce((least, unit) => Math.min(least, count(unit)), Number.POSITIVE_INFINITY);
  const [words, figures] = [fewest(countWords), fewest(countFigures)];
  return units.filter((unit) => countWords(unit) >= words && countFigures(unit) >= figures);
}

function claimsOf(
  sets: readonly RowSet[],
  lists: readonly DataList[],
  places: ReadonlyMap<DataList, ReadonlyMap<ListItem, number>>,
  setOf: ReadonlyMap<number, RowSet>,
): Map<RowSet, DataList[]> {
  const claims = new Map<RowSet, DataList[]>();
  const claim = (set: RowSet, list: DataList): void => {
    const own = claims.get(set) ?? [];
    if (!own.includes(list)) claims.set(set, [...own, list]);
  };
  const sizes = new Map(sets.map((set) => [set, set.parts.reduce((sum, { units }) => sum + units.length, 0)]));
  for (const list of lists) {
    const counts = new Map<RowSet, number>();
    let placed = 0;
    const charges = namesCharge(nameOf(list));
    for (const order of new Set(places.get(list)?.values())) {
      const set = setOf.get(order);
      placed += 1;
      if (set !== undefined) counts.set(set, (counts.get(set) ?? 0) + 1);
    }
    const own = places.get(list) ?? new Map<ListItem, number>();
    const whole = new Set(headedWhole(list, sets));
    for (const [set, count] of counts) {
      const size = sizes.get(set) ?? 0;
      const half = count >= OF_PAIRS * size;
      if (isPairs(set) && !half && (charges || (count < 2 && set.heads.length === 0 && size < MANY_PAIRS))) continue;
      if (set.parts[0]?.kind === "block" && !areLines(set, own)) continue;
      // Discounts and fees stand among the rows that they are put on.
      if (set.parts[0]?.kind === "addends" && charges) continue;
      const most = whole.has(set) || (count >= OF_LIST * placed && (count >= 2 || placed === 1));
      if (most || (count >= FEWEST && count >= OF_SET * size)) claim(set, list);
    }
  }
  // Sections with the same headings are one list, however wide their columns are.
  const alikeHeaded = Map.groupBy(sets, headKey);
  for (const [set, own] of [...claims])
    for (const other of set.heads.length < 2 ? [] : (alikeHeaded.get(headKey(set)) ?? []))
      if (!claims.has(other)) for (const list of own) claim(other, list);
  const free = sets.filter((set) => !claims.has(set));
  for (const list of lists) {
    // Where the rows of its items do not tell, the headings do.
    if ([...claims.values()].some((own) => own.includes(list))) continue;
    const placed = (places.get(list)?.size ?? 0) > 0;
    const headed = list.scalars ? [] : headedSets(list, free, placed);
    const own = headed.length > 0 || list.items.length > 0 ? headed : onlySet(lists, sets);
    for (const set of own) claim(set, list);
  }
  return claims;
}

/** The columns that a row of a set fills, as its ticked rows have them. */
function keysOf(set: RowSet, ticked: ReadonlyMap<number, ListItem>): number[] {
  const own = set.parts.flatMap(({ units }) => units.filter(({ order }) => ticked.has(order)));
  const { keys } = set.frame;
  if (own.length < ENOUGH_TICKED) return keys;
  const filled = own.map((unit) => cellsIn(set.frame, unit).texts);
  const kept = keys.filter((key) => filled.filter((texts) => texts.has(key)).length >= FILLED * own.length);
  return kept.length === 0 ? keys : kept;
}

/** Opens the account of a result; nothing is ticked yet. */
export function openBook(
  sets: readonly RowSet[],
  lists: readonly DataList[],
  places: Map<DataList, Map<ListItem, number>>,
): Book {
  const parts = new Map<number, { set: RowSet; part: Part; unit: Unit }>();
  for (const set of sets)
    for (const part of set.parts) for (const unit of part.units) parts.set(unit.order, { set, part, unit });
  const setOf = new Map([...parts].map(([order, { set }]) => [order, set]));
  const claims = claimsOf(sets, lists, places, setOf);
  const known = new Map<Part, Unit[]>();
  const keys = new Map<RowSet, number[]>();
  const setsByPart = new Map(sets.flatMap((set) => set.parts.map((part) => [part, set] as const)));
  const onRows = new Map([...places].flatMap(([, own]) => [...own].map(([item, order]) => [order, item] as const)));
  const ticked = new Map<number, ListItem>();
  const listOf = new Map(lists.flatMap((list) => list.items.map((item) => [item, list] as const)));
  return {
    claims,
    places,
    ticked,
    tickedTexts: new Set(),
    loose: new Map(),
    repeated: new Map(),
    setsOf: (list) => [...claims].filter(([, own]) => own.includes(list)).map(([set]) => set),
    partOf: (order) => parts.get(order)?.part,
    unitAt: (order) => parts.get(order)?.unit,
    candidates(part) {
      const set = setsByPart.get(part);
      let rows = known.get(part);
      if (rows === undefined && set !== undefined) {
        const own = keys.get(set) ?? keysOf(set, onRows);
        keys.set(set, own);
        rows = candidatesOf(set, part, own);
        if (part.kind === "block") {
          rows = alike(
            rows,
            part.units.filter(({ order }) => onRows.has(order)),
          );
        }
        if (isPairs(set)) {
          const all = set.parts.flatMap(({ units }) => units);
          rows = [
            ...atIndents(
              rows,
              all,
              all.filter(({ order }) => onRows.has(order)),
            ),
          ];
        }
        known.set(part, rows);
      }
      return rows ?? [];
    },
    ownerOf(part, own) {
      const counts = new Map<DataList, number>();
      for (const { order } of part.units) {
        const item = ticked.get(order);
        const list = item === undefined ? undefined : listOf.get(item);
        if (list !== undefined && own.includes(list)) counts.set(list, (counts.get(list) ?? 0) + 1);
      }
      return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
    },
  };
}

/** Ticks a row as an item's. */
export function tickRow(book: Book, order: number, item: ListItem): void {
  book.ticked.set(order, item);
  const unit = book.unitAt(order);
  if (unit !== undefined) book.tickedTexts.add(textOf(unit));
}
