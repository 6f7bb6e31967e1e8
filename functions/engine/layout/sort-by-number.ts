/**
 * Stable sorting by a number. Pages have thousands of words and lines, most of them in order: reading each number once,
 * without a comparison function, costs a fraction of `sort`, whose comparisons of decimal numbers each make an object.
 */

/** Runs of this length are sorted by insertion, and longer ones merged from them. */
const INSERTION_LENGTH = 16;
const FIRST_CAPACITY = 1_024;

/** Working memory, kept from call to call. */
let keys = new Float64Array(FIRST_CAPACITY);
let order = new Uint32Array(FIRST_CAPACITY);
let spare = new Uint32Array(FIRST_CAPACITY);

function reserve(count: number): void {
  if (count <= keys.length) return;
  const capacity = 2 * count;
  keys = new Float64Array(capacity);
  order = new Uint32Array(capacity);
  spare = new Uint32Array(capacity);
}

const keyAt = (places: Uint32Array, index: number): number => keys[places[index] ?? 0] ?? 0;

function insertInOrder(from: number, to: number): void {
  for (let index = from + 1; index < to; index += 1) {
    const place = order[index] ?? 0;
    const key = keys[place] ?? 0;
    let at = index;
    for (; at > from && keyAt(order, at - 1) > key; at -= 1) order[at] = order[at - 1] ?? 0;
    order[at] = place;
  }
}

/** Merges two neighbouring runs of `order` into `spare`. */
function mergeRuns(from: number, middle: number, to: number): void {
  let [left, right] = [from, middle];
  for (let at = from; at < to; at += 1) {
    const takesLeft = left < middle && (right >= to || keyAt(order, left) <= keyAt(order, right));
    spare[at] = order[takesLeft ? left++ : right++] ?? 0;
  }
}

function sortOrder(count: number): void {
  for (let from = 0; from < count; from += INSERTION_LENGTH)
    insertInOrder(from, Math.min(from + INSERTION_LENGTH, count));
  for (let length = INSERTION_LENGTH; length < count; length *= 2) {
    for (let from = 0; from < count; from += 2 * length)
      mergeRuns(from, Math.min(from + length, count), Math.min(from + 2 * length, count));
    [order, spare] = [spare, order];
  }
}

/**
 * A copy in ascending order; items with equal numbers keep theirs.
 * @param numberOf the number to sort by, not NaN; it must not sort by number itself
 */
export function sortedByNumber<T>(items: readonly T[], numberOf: (item: T) => number): T[] {
  const count = items.length;
  const sorted = items.slice();
  reserve(count);
  let isSorted = true;
  let before = -Infinity;
  for (let index = 0; index < count; index += 1) {
    const key = numberOf(items[index] as T);
    keys[index] = key;
    isSorted &&= before <= key;
    before = key;
  }
  if (isSorted) return sorted;
  for (let index = 0; index < count; index += 1) order[index] = index;
  sortOrder(count);
  for (let index = 0; index < count; index += 1) sorted[index] = items[order[index] ?? 0] as T;
  return sorted;
}
