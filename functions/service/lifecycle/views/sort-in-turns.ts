/** Sorting of long lists that lets other requests run in between. */
import { setImmediate as turn } from "node:timers/promises";

/** Items sorted or merged at a time: a few milliseconds. */
const ITEMS_A_TURN = 4000;

/** Sorts items; the order of equal ones is not kept. */
export async function sortInTurns<T>(items: readonly T[], order: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = [];
  for (let first = 0; first < items.length; first += ITEMS_A_TURN) {
    runs.push(items.slice(first, first + ITEMS_A_TURN).sort(order));
    await turn();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let first = 0; first < runs.length; first += 2) {
      merged.push(await mergeInTurns(runs[first] ?? [], runs[first + 1] ?? [], order));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeInTurns<T>(left: T[], right: T[], order: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    merged.push(order(left[l] as T, right[r] as T) <= 0 ? (left[l++] as T) : (right[r++] as T));
    if (merged.length % ITEMS_A_TURN === 0) await turn();
  }
  return merged.concat(left.slice(l), right.slice(r));
}
