/** Binary search in sorted lists. */

/** The first position in a sorted list whose key is at least `key`; strings in order of their code units. */
export function lowerBound<T, Key extends number | string>(
  sorted: readonly T[],
  keyOf: (item: T) => Key,
  key: Key,
): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && keyOf(item) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
