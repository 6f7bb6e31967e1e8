/** Assigns the items of a form to the fields of a schema, one to one, with the best total of scores. */
import { middleY } from "../../../layout/geometry.ts";
import type { FormItem } from "./form-items.ts";
import type { ItemMatch } from "./match-score.ts";

/** Fields that are assigned together; further ones each take their best free item. */
const MAX_FIELDS = 400;

/**
 * Solves the assignment of rows to columns with the least total cost (the Hungarian method, in its form with potentials).
 * @param costs of each row for each column; at least as many columns as rows
 * @returns the column of each row
 */
function assignLeastCost(costs: readonly (readonly number[])[]): number[] {
  const [rows, columns] = [costs.length, costs[0]?.length ?? 0];
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  const before = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row += 1) {
    rowOf[0] = row;
    let column = 0;
    const least = new Float64Array(columns + 1).fill(Infinity);
    const used = new Uint8Array(columns + 1);
    do {
      used[column] = 1;
      const own = rowOf[column] ?? 0;
      let [delta, next] = [Infinity, 0];
      for (let at = 1; at <= columns; at += 1) {
        if (used[at]) continue;
        const cost = (costs[own - 1]?.[at - 1] ?? 0) - (rowPotential[own] ?? 0) - (columnPotential[at] ?? 0);
        if (cost < (least[at] ?? 0)) [least[at], before[at]] = [cost, column];
        if ((least[at] ?? 0) < delta) [delta, next] = [least[at] ?? 0, at];
      }
      for (let at = 0; at <= columns; at += 1) {
        if (used[at]) {
          const held = rowOf[at] ?? 0;
          rowPotential[held] = (rowPotential[held] ?? 0) + delta;
          columnPotential[at] = (columnPotential[at] ?? 0) - delta;
        } else least[at] = (least[at] ?? 0) - delta;
      }
      column = next;
    } while (rowOf[column] !== 0);
    for (; column !== 0; column = before[column] ?? 0) rowOf[column] = rowOf[before[column] ?? 0] ?? 0;
  }
  const found = new Array<number>(rows).fill(-1);
  for (let at = 1; at <= columns; at += 1) if ((rowOf[at] ?? 0) > 0) found[(rowOf[at] ?? 0) - 1] = at - 1;
  return found;
}

/** Score of a match from which its place tells where its neighbours are. */
const MIN_ANCHOR_SCORE = 0.5;
/** Added to a match beside an item of a neighbour in the schema, and items over which it falls to a third. */
const NEAR_BONUS = 0.09;
const NEAR_ITEMS = 5;

/** Neighbours of a field in the schema: those of its own parent, and the fields before and after it. */
function neighboursOf(paths: readonly (readonly string[])[], at: number): number[] {
  const parentOf = (index: number): string => (paths[index] ?? []).slice(0, -1).join("/");
  const [own, nested] = [parentOf(at), (paths[at] ?? []).length > 1];
  return paths.flatMap((_, index) => {
    if (index === at) return [];
    return nested ? (parentOf(index) === own ? [index] : []) : Math.abs(index - at) === 1 ? [index] : [];
  });
}

/**
 * Assigns in two passes: fields of one part of the schema stand together on a form, so that of items that say the same
 * those beside a neighbour's are meant.
 * @param paths of the fields in the schema @param matches of each field, the best first; scores are changed
 */
export function assignTogether(
  paths: readonly (readonly string[])[],
  matches: readonly ItemMatch[][],
): (ItemMatch | undefined)[] {
  const first = assignItems(matches);
  for (const [at, own] of matches.entries()) {
    const anchors = neighboursOf(paths, at).flatMap((index) => {
      const match = first[index];
      return match !== undefined && match.score >= MIN_ANCHOR_SCORE ? [match.item] : [];
    });
    for (const match of own) {
      const distances = anchors.map((item) =>
        item.page === match.item.page ? Math.abs(item.at - match.item.at) : Infinity,
      );
      match.score +=
        NEAR_BONUS * distances.reduce((most, distance) => Math.max(most, Math.exp(-distance / NEAR_ITEMS)), 0);
    }
    own.sort((a, b) => b.score - a.score);
  }
  return inOrder(assignItems(matches), matches);
}

/** Loss of score up to which two fields may have each other's items. */
const MAX_SWAP_LOSS = 0.08;

/** True for an item that stands before another one on the page: over it, or on its row to its left. */
function comesBefore(one: FormItem, other: FormItem): boolean {
  const [a, b] = [one.members[0]?.entry.box, other.members[0]?.entry.box];
  if (a === undefined || b === undefined || one.page !== other.page) return one.page < other.page;
  const isOnRow = Math.abs(middleY(a) - middleY(b)) < 0.5 * (a.bottom - a.top);
  return isOnRow ? a.left < b.left : a.top < b.top;
}

/** Exchanges items that answer two fields about alike: the first field of a schema means the first item of a form. */
function inOrder(
  assigned: readonly (ItemMatch | undefined)[],
  matches: readonly (readonly ItemMatch[])[],
): (ItemMatch | undefined)[] {
  const ordered = [...assigned];
  for (let first = 0; first < Math.min(ordered.length, MAX_FIELDS); first += 1)
    for (let second = first + 1; second < Math.min(ordered.length, MAX_FIELDS); second += 1) {
      const [one, other] = [ordered[first], ordered[second]];
      if (one === undefined || other === undefined || !comesBefore(other.item, one.item)) continue;
      const swapped = matches[first]?.find(({ item }) => item === other.item);
      const back = matches[second]?.find(({ item }) => item === one.item);
      if (swapped === undefined || back === undefined) continue;
      if (one.score + other.score - swapped.score - back.score > MAX_SWAP_LOSS) continue;
      [ordered[first], ordered[second]] = [swapped, back];
    }
  return ordered;
}

/** @returns the chosen match of each field; undefined for one that leads to no item, or whose items others need more */
function assignItems(matches: readonly (readonly ItemMatch[])[]): (ItemMatch | undefined)[] {
  const together = matches.slice(0, MAX_FIELDS);
  const items = [...new Set(together.flatMap((own) => own.map(({ item }) => item)))];
  const columns = new Map<FormItem, number>(items.map((item, index) => [item, index]));
  // A column of its own lets a field stay without an item.
  const costs = together.map((own, row) => {
    const costs = new Array<number>(items.length + together.length).fill(0);
    for (const { item, score } of own) costs[columns.get(item) ?? 0] = -score;
    costs[items.length + row] = -1e-6;
    return costs;
  });
  const chosen = costs.length === 0 ? [] : assignLeastCost(costs);
  const taken = new Set<FormItem>();
  const assigned = together.map((own, row): ItemMatch | undefined => {
    const item = items[chosen[row] ?? -1];
    const match = item === undefined ? undefined : own.find((one) => one.item === item);
    if (match !== undefined) taken.add(match.item);
    return match;
  });
  const rest = matches.slice(MAX_FIELDS).map((own): ItemMatch | undefined => {
    const free = own.find(({ item }) => !taken.has(item));
    if (free !== undefined) taken.add(free.item);
    return free;
  });
  return [...assigned, ...rest];
}
