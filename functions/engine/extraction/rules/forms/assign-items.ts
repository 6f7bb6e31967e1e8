/** Assigns the items of a form to the fields of a schema, one to one, with the best total of scores. */
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
  return assignItems(matches);
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
