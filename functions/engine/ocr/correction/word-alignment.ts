/** Aligns two texts of one page word by word. */

/**
 * A difference: words of the first text and of the second, both from and up to (exclusive). Equal words are in none.
 */
export interface Hunk {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** Cells of a comparison; longer texts are not compared. */
const MAX_TABLE_CELLS = 4_000_000;

/** Edit distance of two short texts (Levenshtein). */
export function editDistance(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, sign] of left.entries()) {
    const next = [i + 1];
    for (const [j, other] of right.entries()) {
      const change = (row[j] ?? 0) + (sign === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/** Longest common subsequence of words by dynamic programming, as pairs of indices in order. */
function commonPairs(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      const skip = Math.max(table[at + width] ?? 0, table[at + 1] ?? 0);
      table[at] = a[i] === b[j] ? Math.max(skip, (table[at + width + 1] ?? 0) + 1) : skip;
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** The differences between two lists of words, in order. @returns null where they are too long to compare */
export function alignWords(a: readonly string[], b: readonly string[]): Hunk[] | null {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if ((left.length + 1) * (right.length + 1) > MAX_TABLE_CELLS) return null;
  const hunks: Hunk[] = [];
  let [from, newFrom] = [0, 0];
  for (const [i, j] of [...commonPairs(left, right), [left.length, right.length] as [number, number]]) {
    if (i > from || j > newFrom) {
      hunks.push({ from: start + from, to: start + i, newFrom: start + newFrom, newTo: start + j });
    }
    [from, newFrom] = [i + 1, j + 1];
  }
  return hunks;
}
