/** Ranges of page numbers, as requests and sentences name them. */
import { BLANKS } from "./text-patterns.ts";

/** Pages that the ranges of one request name, each as often as it is named: overlapping ranges count twice. */
const MAX_NAMED_PAGES = 10_000;
/** Ranges that a sentence names; of more pages, their number is given: about four lines of text. */
const MAX_LISTED_RANGES = 40;
/** No document has so many pages: a bound for what is read. */
export const MAX_PAGE_NUMBER = 999_999;
const NUMBER = "0{0,5}[1-9][0-9]{0,5}";
const ONE = `${BLANKS}${NUMBER}(?:${BLANKS}-${BLANKS}${NUMBER})?${BLANKS}`;
/** One range as text. That its end is no less than its beginning no pattern can say. */
export const PAGE_RANGE_PATTERN = `^${ONE}$`;
/** Ranges joined by commas. */
export const PAGE_RANGES_PATTERN = `^${ONE}(?:,${ONE})*$`;
const RANGE = new RegExp(PAGE_RANGE_PATTERN.replaceAll(NUMBER, `(${NUMBER})`));

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

/** Names pages in a sentence: `page 7`, `pages 31–44, 60`. Empty for none. */
export function namePageRanges(numbers: Iterable<number>): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const ranges: { first: number; last: number }[] = [];
  for (const number of sorted) {
    const range = ranges.at(-1);
    if (range?.last === number - 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  const listed = ranges.slice(0, MAX_LISTED_RANGES);
  const more = ranges.slice(MAX_LISTED_RANGES).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const named = listed.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
  if (sorted.length === 0) return "";
  return `page${sorted.length === 1 ? "" : "s"} ${named}${more === 0 ? "" : ` and ${more} more`}`;
}
