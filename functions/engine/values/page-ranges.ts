/** Ranges of page numbers, as requests name them. */

/** Pages that the ranges of one request name, each as often as it is named: overlapping ranges count twice. */
const MAX_NAMED_PAGES = 10_000;
const RANGE = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/;

/**
 * Reads ranges such as `7` and `1-3`, from 1.
 * @returns the numbers, sorted and each once; undefined for a text that is no range, or for too many pages
 */
export function readPageRanges(ranges: readonly string[]): number[] | undefined {
  const pages = new Set<number>();
  let named = 0;
  for (const text of ranges) {
    const range = RANGE.exec(text);
    const [first, last] = [Number(range?.[1]), Number(range?.[2] ?? range?.[1])];
    if (!(first >= 1 && last >= first)) return undefined;
    named += last - first + 1;
    if (named > MAX_NAMED_PAGES) return undefined;
    for (let page = first; page <= last; page += 1) pages.add(page);
  }
  return [...pages].sort((a, b) => a - b);
}
