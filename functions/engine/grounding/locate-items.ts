/** Locates the items of lists: each item on rows of its own, its cells in their columns. */

import { lowerBound } from "../layout/binary-search.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import type { LeafLabels } from "./labelled-occurrences.ts";
import { ListColumns } from "./list-columns.ts";
import { type ChainStep, longestChain } from "./longest-chain.ts";
import type { Occurrence } from "./printed-words.ts";

export interface PlacedValue {
  occurrence: Occurrence;
  /** 0 to 1. */
  confidence: number;
}

interface Cell {
  leaf: Leaf;
  found: readonly Occurrence[];
}

/** Rows before and after an item's main row that belong to it, and its maximum number of rows. */
const ITEM_ROWS_BEFORE = 1;
const ITEM_ROWS_AFTER = 3;
const MAX_ITEM_ROWS = 12;
/** Limits on the places tried: at least for each item, at most for all items of a list. */
const MIN_STEPS_PER_ITEM = 60;
const MAX_STEPS_PER_LIST = 400_000;
const WHOLENESS_EXPONENT = 3;
/** Maximum places of a value that determines its item's row. */
const MAX_PLACES_OF_TELLING_VALUE = 30;

const LONE_SCALAR_CONFIDENCE = 0.6;
const OTHER_ROW_FACTOR = 0.6;
const OFF_COLUMN_FACTOR = 0.93;
const CONTESTED_FACTOR = 0.88;

const rowDistanceFactor = (distance: number): number => (distance < 0 ? 0.6 : Math.max(0.45, 1 - 0.1 * distance));

/** A value that is printed rarely determines its place better. */
const rarityWeight = (found: readonly Occurrence[]): number => 1 / (1 + Math.log10(Math.max(1, found.length)));

/** The match of an item with a row and the rows around it. */
function scoreOnRow(cells: readonly Cell[], row: number): number {
  let score = 0;
  for (const { found } of cells) {
    let best = 0;
    for (let at = lowerBound(found, (one) => one.row, row - ITEM_ROWS_BEFORE); at < found.length; at += 1) {
      const one = found[at];
      if (one === undefined || one.row > row + ITEM_ROWS_AFTER) break;
      best = Math.max(best, one.quality * rowDistanceFactor(one.row - row));
      if (best >= 1) break;
    }
    score += best * rarityWeight(found);
  }
  return score;
}

/** For a value with more places than can be tried, gives each of its items the middle of its share. */
class PlaceShares {
  readonly #taken = new Map<readonly Occurrence[], number>();
  readonly #owners = new Map<readonly Occurrence[], number>();

  constructor(lists: readonly (readonly Occurrence[] | undefined)[]) {
    for (const list of lists) if (list !== undefined) this.#owners.set(list, (this.#owners.get(list) ?? 0) + 1);
  }

  take(list: readonly Occurrence[], most: number): readonly Occurrence[] {
    const at = this.#taken.get(list) ?? 0;
    this.#taken.set(list, at + 1);
    if (list.length <= most) return list;
    const start = Math.floor((list.length - most) * (at / Math.max(1, (this.#owners.get(list) ?? 1) - 1)));
    return list.slice(start, start + most);
  }
}

const rarestPlaces = (cells: readonly Cell[]): readonly Occurrence[] | undefined =>
  cells
    .map(({ found }) => found)
    .filter((found) => found.length > 0)
    .sort((a, b) => a.length - b.length)[0];

/** All items are single scalars: several may stand on one row. */
const areScalars = (items: readonly (readonly Cell[])[]): boolean =>
  items.every((cells) => cells.length <= 1 && cells.every(({ leaf }) => leaf.path === leaf.item?.list));

function stepsOf(items: readonly (readonly Cell[])[], scalars: boolean): ChainStep[][] {
  const most = Math.max(MIN_STEPS_PER_ITEM, Math.floor(MAX_STEPS_PER_LIST / Math.max(1, items.length)));
  const shares = new PlaceShares(items.map(rarestPlaces));
  return items.map((cells) => {
    const first = rarestPlaces(cells);
    if (first === undefined) return [];
    const places = shares.take(first, most);
    if (scalars) return places.map((one) => ({ order: one.first, score: one.quality * rarityWeight(first) }));
    const more = cells.flatMap(({ found }) => (found.length <= MAX_PLACES_OF_TELLING_VALUE ? found : []));
    const rows = [...new Set([...places, ...more].map((one) => one.row))].slice(0, most);
    const scores = rows.map((row) => scoreOnRow(cells, row));
    const best = scores.reduce((most, score) => Math.max(most, score), 0);
    // A row with half of an item is worth much less than half.
    return rows.map((order, at) => ({ order, score: best * ((scores[at] ?? 0) / best) ** WHOLENESS_EXPONENT }));
  });
}

/** The order of the items may force an item on a row that matches it far worse than another. */
const MIN_SHARE_OF_BEST_SCORE = 0.8;

function dropForcedSteps(chosen: (ChainStep | null)[], steps: readonly (readonly ChainStep[])[]): void {
  for (const [index, own] of steps.entries()) {
    const best = own.reduce((most, { score }) => Math.max(most, score), 0);
    if ((chosen[index]?.score ?? best) < MIN_SHARE_OF_BEST_SCORE * best) chosen[index] = null;
  }
}

/** Places items outside the chain (in another order than the page's) on the best remaining row. */
function placeUnchainedItems(chosen: (ChainStep | null)[], steps: readonly (readonly ChainStep[])[]): void {
  const taken = new Set(chosen.flatMap((step) => step?.order ?? []));
  for (const [index, own] of steps.entries()) {
    if (chosen[index] !== null) continue;
    let best: ChainStep | null = null;
    for (const step of own) {
      const score = taken.has(step.order) ? step.score * 0.5 : step.score;
      if (best === null || score > best.score) best = { order: step.order, score };
    }
    if (best === null) continue;
    taken.add(best.order);
    chosen[index] = best;
  }
}

/** The end of each item: the start of the next; for the last item, the length of the longest of the others. */
function itemEnds(rows: readonly number[]): Map<number, number> {
  const gaps = rows.slice(1).map((row, at) => Math.min(MAX_ITEM_ROWS, row - (rows[at] ?? row)));
  const last = gaps.length === 0 ? MAX_ITEM_ROWS : Math.max(ITEM_ROWS_AFTER, ...gaps.slice(0, 1000));
  return new Map(rows.map((row, at) => [row, row + (gaps[at] ?? last)]));
}

/** The occurrences of a cell from an item's row to the next item's. */
function occurrencesWithin(found: readonly Occurrence[], row: number, end: number): Occurrence[] {
  const list: Occurrence[] = [];
  for (let at = lowerBound(found, (one) => one.row, row - ITEM_ROWS_BEFORE); at < found.length; at += 1) {
    const one = found[at];
    if (one === undefined || one.row >= end || list.length >= MAX_ITEM_ROWS * 2) break;
    list.push(one);
  }
  return list;
}

function nearest(found: readonly Occurrence[], row: number): Occurrence | undefined {
  const at = lowerBound(found, (one) => one.row, row);
  const [before, after] = [found[at - 1], found[at]];
  if (before === undefined || after === undefined) return before ?? after;
  return row - before.row < after.row - row ? before : after;
}

interface PlacingState {
  columns: ListColumns;
  /** First word numbers of taken occurrences. */
  used: Set<number>;
  placed: Map<Leaf, PlacedValue>;
}

/** Rows where a cell may stand. */
interface CellRange {
  near: readonly Occurrence[];
  row: number;
  /** Share of the item's cells that stand there, 0 to 1. */
  share: number;
  /** Cells of the item with the same value: each has a place of its own. */
  equals: number;
}

function placeCell({ leaf, found }: Cell, { near, row, share, equals }: CellRange, placing: PlacingState): void {
  const { columns, used, placed } = placing;
  if (near.length === 0) {
    const other = nearest(found, row);
    if (other !== undefined) placed.set(leaf, { occurrence: other, confidence: other.quality * OTHER_ROW_FACTOR });
    return;
  }
  const ranked = near
    .map((one) => {
      const fit = columns.fit(leaf.path, one.box);
      const free = used.has(one.first) ? 0.5 : 1;
      return { one, fit, score: one.quality * rowDistanceFactor(one.row - row) * (0.6 + 0.4 * (fit ?? 0.5)) * free };
    })
    .sort((a, b) => b.score - a.score || a.one.first - b.one.first);
  const [best] = ranked;
  if (best === undefined) return;
  used.add(best.one.first);
  const close = ranked.filter(({ score }) => score > best.score * 0.95).length;
  const contested = close > equals ? CONTESTED_FACTOR : 1;
  const column = best.fit !== null && best.fit < 0.5 ? OFF_COLUMN_FACTOR : 1;
  const confidence = best.one.quality * (0.7 + 0.3 * share) * column * contested;
  placed.set(leaf, { occurrence: best.one, confidence });
}

function placeOnRows(
  items: readonly (readonly Cell[])[],
  chosen: readonly (ChainStep | null)[],
  columns: ListColumns,
): Map<Leaf, PlacedValue> {
  const rows = [...new Set(chosen.flatMap((step) => step?.order ?? []))].sort((a, b) => a - b);
  const ends = itemEnds(rows);
  const nears = items.map((cells, index) => {
    const row = chosen[index]?.order;
    if (row === undefined) return [];
    return cells.map((cell) => occurrencesWithin(cell.found, row, ends.get(row) ?? row + 1));
  });
  for (const [index, cells] of items.entries()) {
    const row = chosen[index]?.order;
    for (const [at, cell] of cells.entries()) {
      const own = (nears[index]?.[at] ?? []).filter((one) => one.row === row);
      if (own.length === 1 && own[0] !== undefined) columns.learn(cell.leaf.path, own[0].box);
    }
  }
  const placing: PlacingState = { columns, used: new Set(), placed: new Map() };
  for (const [index, cells] of items.entries()) {
    const row = chosen[index]?.order;
    if (row === undefined) continue;
    const own = cells.map((cell, at) => ({ cell, near: nears[index]?.[at] ?? [] }));
    const share = own.filter(({ near }) => near.length > 0).length / Math.max(1, own.length);
    // Cells with a single place go first.
    for (const { cell, near } of own.sort((a, b) => a.near.length - b.near.length))
      placeCell(
        cell,
        { near, row, share, equals: own.filter((other) => other.cell.leaf.value === cell.leaf.value).length },
        placing,
      );
  }
  return placing.placed;
}

function placeScalars(
  items: readonly (readonly Cell[])[],
  chosen: readonly (ChainStep | null)[],
): Map<Leaf, PlacedValue> {
  const placed = new Map<Leaf, PlacedValue>();
  for (const [index, [cell]] of items.entries()) {
    const order = chosen[index]?.order;
    const found = cell?.found ?? [];
    const one = order === undefined ? undefined : found[lowerBound(found, ({ first }) => first, order)];
    if (cell === undefined || one === undefined) continue;
    const sureness = found.length === 1 ? 0.95 : LONE_SCALAR_CONFIDENCE + 0.3 / found.length;
    placed.set(cell.leaf, { occurrence: one, confidence: one.quality * sureness });
  }
  return placed;
}

/**
 * Locates the leaves of one list.
 * @param leaves all leaves of the list, in the result's order @param find occurrences of a leaf's value, in page order
 */
export function locateItems(
  leaves: readonly Leaf[],
  find: (leaf: Leaf) => readonly Occurrence[],
  labels: LeafLabels,
): Map<Leaf, PlacedValue> {
  const items: Cell[][] = [];
  for (const leaf of leaves) {
    const at = leaf.item?.at ?? 0;
    const cells = items[at] ?? [];
    cells.push({ leaf, found: find(leaf) });
    items[at] = cells;
  }
  const dense = items.filter((cells) => cells !== undefined);
  const scalars = areScalars(dense);
  const steps = stepsOf(dense, scalars);
  const chosen = longestChain(steps);
  dropForcedSteps(chosen, steps);
  placeUnchainedItems(chosen, steps);
  return scalars ? placeScalars(dense, chosen) : placeOnRows(dense, chosen, new ListColumns(leaves, labels));
}
