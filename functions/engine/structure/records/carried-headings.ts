/** Column headings that are printed on an earlier page than the rows that they head. */
import type { PageRows, RowGroup } from "./row-group-types.ts";

interface HeadedPage {
  /** The first row of the group on the page. */
  order: number;
  headings: string[];
}

/** The first row of a group on each page, and the pages with headings of their own. */
function pagesOf({ parts }: RowGroup): { first: Map<number, number>; headed: Set<number> } {
  const first = new Map<number, number>();
  const headed = new Set<number>();
  for (const { records, headings } of parts) {
    if (records[0] !== undefined && headings.length > 0) headed.add(records[0].page);
    for (const { page, order } of records) first.set(page, Math.min(order, first.get(page) ?? order));
  }
  return { first, headed };
}

/**
 * The headings of the first table on each page that continues from an earlier page without repeating them, by page
 * number.
 */
export function carriedHeadings({ groups }: PageRows): Map<number, string[]> {
  const found = new Map<number, HeadedPage>();
  for (const group of groups) {
    const { first, headed } = pagesOf(group);
    const begin = Math.min(...headed);
    const headings = group.parts.find((part) => part.headings.length > 0)?.headings ?? group.headings;
    for (const [page, order] of first) {
      if (page <= begin || headed.has(page) || headings.length === 0) continue;
      if (order < (found.get(page)?.order ?? Infinity)) found.set(page, { order, headings });
    }
  }
  return new Map([...found].map(([page, { headings }]) => [page, headings]));
}
