/** Settles where the items of lists stand: each on rows of its own, its cells in their columns. */

import { lowerBound } from "../layout/binary-search.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import type { Labelling } from "./labelled-occurrences.ts";
import { Columns } from "./list-columns.ts";
import { longestChain, type Step } from "./longest-chain.ts";
import type { Occurrence } from "./printed-words.ts";

export interface Placed {
  occurrence: Occurrence;
  /** 0 to 1. */
  confidence: number;
}

interface Cell {
  leaf: Leaf;
  found: readonly Occurrence[];
}

/** Rows before and after an item's own that are its own too. */
const ROWS_BEFORE = 1;
const ROWS_AFTER = 3;
const MOST_ROWS = 12;
/** Places tried for one item, and for all of a list. */
const FEWEST_STEPS = 60;
const MOST_STEPS = 400_000;
const WHOLENESS = 3;
/** Values that stand in so few places say where an item stands. */
const TELLING = 30;

const ALONE = 0.6;
const ELSEWHERE = 0.6;
const NO_COLUMN = 0.93;
const CONTESTED = 0.88;

const nearness = (distance: number): number => (distance < 0 ? 0.6 : Math.max(0.45, 1 - 0.1 * distance));

/** The rarer a value is printed, the more its place says. */
const weightOf = (found: readonly Occurrence[]): number => 1 / (1 + Math.log10(Math.max(1, found.length)));

/** How much of an item stands on a row and those around it. */
function scoreOn(cells: readonly Cell[], row: number): number {
  let score = 0;
  for (const { found } of cells) {
    let best = 0;
    for (let at = lowerBound(found, (one) => one.row, row - ROWS_BEFORE); at < found.length; at += 1) {
      const one = found[at];
      if (one === undefined || one.row > row + ROWS_AFTER) break;
      best = Math.max(best, one.quality * nearness(one.row - row));
      if (best >= 1) break;
    }
    score += best * weightOf(found);
  }
  return score;
}

/** Of a value printed more often than can be tried, the places in the middle of its share. */
class Shares {
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

const rarest = (cells: readonly Cell[]): readonly Occurrence[] | undefined =>
  cells
    .map(({ found }) => found)
    .filter((found) => found.length > 0)
    .sort((a, b) => a.length - b.length)[0];

/** Is every item a single scalar? Then several may stand on one row. */
const areScalars = (items: readonly (readonly Cell[])[]): boolean =>
  items.every((cells) => cells.length <= 1 && cells.every(({ leaf }) => leaf.path === leaf.item?.list));

function stepsOf(items: readonly (readonly Cell[])[], scalars: boolean): Step[][] {
  const most = Math.max(FEWEST_STEPS, Math.floor(MOST_STEPS / Math.max(1, items.length)));
  const shares = new Shares(items.map(rarest));
  return items.map((cells) => {
    const first = rarest(cells);
    if (first === undefined) return [];
    const places = shares.take(first, most);
    if (scalars) return places.map((one) => ({ order: one.first, score: one.quality * weightOf(first) }));
    const more = cells.flatMap(({ found }) => (found.length <= TELLING ? found : []));
    const rows = [...new Set([...places, ...more].map((one) => one.row))].slice(0, most);
    const scores = rows.map((row) => scoreOn(cells, row));
    const best = scores.reduce((most, score) => Math.max(most, score), 0);
    // A row that holds half of an item is worth much less than half.
    return rows.map((order, at) => ({ order, score: best * ((scores[at] ?? 0) / best) ** WHOLENESS }));
  });
}

/** In its order an item may get a row that hardly fits, where another fits well. */
const FAR_WORSE = 0.8;

function dropForced(chosen: (Step | null)[], steps: readonly (readonly Step[])[]): void {
  for (const [index, own] of steps.entries()) {
    const best = own.reduce((most, { score }) => Math.max(most, score), 0);
    if ((chosen[index]?.score ?? best) < FAR_WORSE * best) chosen[index] = null;
  }
}

/** Items that no chain could hold (another order than the page's) take the best place that is left. */
function settleRest(chosen: (Step | null)[], steps: readonly (readonly Step[])[]): void {
  const taken = new Set(chosen.flatMap((step) => step?.order ?? []));
  for (const [index, own] of steps.entries()) {
    if (chosen[index] !== null) continue;
    let best: Step | null = null;
    for (const step of own) {
      const score = taken.has(step.order) ? step.score * 0.5 : step.score;
      if (best === null || score > best.score) best = { order: step.order, score };
    }
    if (best === null) continue;
    taken.add(best.order);
    chosen[index] = best;
  }
}

/** Where each item ends: at the next one, the last as far down as the longest of the others. */
function endsOf(rows: readonly number[]): Map<number, number> {
  const gaps = rows.slice(1).map((row, at) => Math.min(MOST_ROWS, row - (rows[at] ?? row)));
  const last = gaps.length === 0 ? MOST_ROWS : Math.max(ROWS_AFTER, ...gaps.slice(0, 1000));
  return new Map(rows.map((row, at) => [row, row + (gaps[at] ?? last)]));
}

/** The words of a cell between an item's row and the next item's. */
function within(found: readonly Occurrence[], row: number, end: number): Occurrence[] {
  const list: Occurrence[] = [];
  for (let at = lowerBound(found, (one) => one.row, row - ROWS_BEFORE); at < found.length; at += 1) {
    const one = found[at];
    if (one === undefined || one.row >= end || list.length >= MOST_ROWS * 2) break;
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

interface Placing {
  columns: Columns;
  /** First words of what is taken. */
  used: Set<number>;
  placed: Map<Leaf, Placed>;
}

/** Where a cell may stand. */
interface Spot {
  near: readonly Occurrence[];
  row: number;
  /** 0 to 1: how many of the item's cells stand there. */
  share: number;
  /** Cells of the item with the same value: each has a place of its own. */
  equals: number;
}

function placeCell({ leaf, found }: Cell, { near, row, share, equals }: Spot, placing: Placing): void {
  const { columns, used, placed } = placing;
  if (near.length === 0) {
    const other = nearest(found, row);
    if (other !== undefined) placed.set(leaf, { occurrence: other, confidence: other.quality * ELSEWHERE });
    return;
  }
  const ranked = near
    .map((one) => {
      const fit = columns.fit(leaf.path, one.box);
      const free = used.has(one.first) ? 0.5 : 1;
      return { one, fit, score: one.quality * nearness(one.row - row) * (0.6 + 0.4 * (fit ?? 0.5)) * free };
    })
    .sort((a, b) => b.score - a.score || a.one.first - b.one.first);
  const [best] = ranked;
  if (best === undefined) return;
  used.add(best.one.first);
  const close = ranked.filter(({ score }) => score > best.score * 0.95).length;
  const contested = close > equals ? CONTESTED : 1;
  const column = best.fit !== null && best.fit < 0.5 ? NO_COLUMN : 1;
  const confidence = best.one.quality * (0.7 + 0.3 * share) * column * contested;
  placed.set(leaf, { occurrence: best.one, confidence });
}

function placeOnRows(
  items: readonly (readonly Cell[])[],
  chosen: readonly (Step | null)[],
  columns: Columns,
): Map<Leaf, Placed> {
  const rows = [...new Set(chosen.flatMap((step) => step?.order ?? []))].sort((a, b) => a - b);
  const ends = endsOf(rows);
  const nears = items.map((cells, index) => {
    const row = chosen[index]?.order;
    if (row === undefined) return [];
    return cells.map((cell) => within(cell.found, row, ends.get(row) ?? row + 1));
  });
  for (const [index, cells] of items.entries()) {
    const row = chosen[index]?.order;
    for (const [at, cell] of cells.entries()) {
      const own = (nears[index]?.[at] ?? []).filter((one) => one.row === row);
      if (own.length === 1 && own[0] !== undefined) columns.learn(cell.leaf.path, own[0].box);
    }
  }
  const placing: Placing = { columns, used: new Set(), placed: new Map() };
  for (const [index, cells] of items.entries()) {
    const row = chosen[index]?.order;
    if (row === undefined) continue;
    const own = cells.map((cell, at) => ({ cell, near: nears[index]?.[at] ?? [] }));
    const share = own.filter(({ near }) => near.length > 0).length / Math.max(1, own.length);
    // What can stand in one place only goes first.
    for (const { cell, near } of own.sort((a, b) => a.near.length - b.near.length))
      placeCell(
        cell,
        { near, row, share, equals: own.filter((other) => other.cell.leaf.value === cell.leaf.value).length },
        placing,
      );
  }
  return placing.placed;
}

function placeScalars(items: readonly (readonly Cell[])[], chosen: readonly (Step | null)[]): Map<Leaf, Placed> {
  const placed = new Map<Leaf, Placed>();
  for (const [index, [cell]] of items.entries()) {
    const order = chosen[index]?.order;
    const found = cell?.found ?? [];
    const one = order === undefined ? undefined : found[lowerBound(found, ({ first }) => first, order)];
    if (cell === undefined || one === undefined) continue;
    const sureness = found.length === 1 ? 0.95 : ALONE + 0.3 / found.length;
    placed.set(cell.leaf, { occurrence: one, confidence: one.quality * sureness });
  }
  return placed;
}

/**
 * Places the leaves of one list.
 * @param leaves all of the list's, in the result's order @param find where a leaf's value may stand, in the page's order
 */
export function placeItems(
  leaves: readonly Leaf[],
  find: (leaf: Leaf) => readonly Occurrence[],
  labelling: Labelling,
): Map<Leaf, Placed> {
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
  dropForced(chosen, steps);
  settleRest(chosen, steps);
  return scalars ? placeScalars(dense, chosen) : placeOnRows(dense, chosen, new Columns(leaves, labelling));
}
