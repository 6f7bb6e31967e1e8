/** The completeness receipt as the status record shows it. */
import type { Box } from "../../ports/layout.ts";
import type { ListReceipt, MissingRow } from "./list-receipt.ts";

export interface Receipt {
  /** Rows that the result should have: those returned plus those missing. */
  expected: number;
  returned: number;
  /** In the order of the document; only the first rows where many are missing. */
  missing: { pageNumber: number; bbox: Box; text: string }[];
  /** Pages of all missing rows, such as `1-3,7`. Absent if none is missing. */
  missingPages?: string;
  /** A sentence for each list that is empty and uncounted, or that may lack rows. Absent if there is none. */
  notes?: string[];
  lists: {
    /** Path of the list; `*` for every item of an enclosing list. */
    pointer: string;
    expected: number;
    returned: number;
    /** Rows of the page could be counted for this list. */
    counted: boolean;
    /** The request asks for some of the rows only: fewer than printed may be right. */
    restricted?: true;
    /** Items found nowhere on the pages; not counted as returned. */
    unplaced?: number;
  }[];
}

/** Limits of the record: it stays at a few kilobytes for any document. */
const MAX_LISTED_ROWS = 100;
const MAX_ROW_TEXT_CHARACTERS = 120;
const MAX_LISTED_LISTS = 50;
const MAX_PAGES_CHARACTERS = 1_000;

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
const shorten = (text: string): string =>
  text.length > MAX_ROW_TEXT_CHARACTERS ? `${text.slice(0, MAX_ROW_TEXT_CHARACTERS)}…` : text;

const reportedRow = ({ page, box, text }: MissingRow): Receipt["missing"][number] => ({
  pageNumber: page,
  bbox: { left: round(box.left), top: round(box.top), right: round(box.right), bottom: round(box.bottom) },
  text: shorten(text),
});

/** Formats page numbers as ranges. */
function pageRanges(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const number of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const text = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
  return text.length > MAX_PAGES_CHARACTERS ? `${text.slice(0, MAX_PAGES_CHARACTERS).replace(/,[^,]*$/, "")},…` : text;
}

/** One sentence for each list that lacks rows. */
export const shortfallSentences = ({ lists, missingPages }: Receipt): string[] =>
  lists.flatMap(({ pointer, expected, returned }) =>
    returned >= expected
      ? []
      : [
          `${pointer === "" ? "The result" : pointer} lacks ${expected - returned} of ${expected} rows (pages ${missingPages})`,
        ],
  );

/** Tells "none found" from "none there". */
const UNCOUNTED = "is empty, and no rows on the pages could be counted for it: none were found, but there may be some";

/** A note for each list that the pages neither confirm nor contradict: empty ones, and those that may lack rows. */
const notesOf = (lists: readonly ListReceipt[]): string[] =>
  lists
    .flatMap(({ path, counted, doubt, returned, unplaced, missing }) => {
      const empty = !counted && returned + unplaced + missing.length === 0;
      const said = doubt ?? (empty ? UNCOUNTED : undefined);
      return said === undefined ? [] : [`${path === "" ? "The result" : path} ${said}`];
    })
    .slice(0, MAX_LISTED_LISTS);

/** Merges the receipts of the parts of a result. */
export function joinReceipts(receipts: readonly Receipt[]): Receipt {
  const [first, ...others] = receipts;
  if (first !== undefined && others.length === 0) return first;
  const sum = (of: (receipt: Receipt) => number): number => receipts.reduce((total, receipt) => total + of(receipt), 0);
  const pages = receipts.flatMap(({ missingPages }) => missingPages ?? []);
  const notes = receipts.flatMap((receipt) => receipt.notes ?? []).slice(0, MAX_LISTED_LISTS);
  return {
    expected: sum(({ expected }) => expected),
    returned: sum(({ returned }) => returned),
    missing: receipts.flatMap(({ missing }) => missing).slice(0, MAX_LISTED_ROWS),
    ...(pages.length === 0 ? {} : { missingPages: [...new Set(pages)].join(",").slice(0, MAX_PAGES_CHARACTERS) }),
    ...(notes.length === 0 ? {} : { notes }),
    lists: receipts.flatMap(({ lists }) => lists).slice(0, MAX_LISTED_LISTS),
  };
}

/**
 * Sums up the receipts of a result's lists. Counts are exact, even where not all rows are listed.
 * @returns `short`: rows are missing that the request does not exclude
 */
export function summarize(lists: readonly ListReceipt[]): { receipt: Receipt; short: boolean } {
  const missing = lists.flatMap((list) => list.missing).sort((a, b) => a.order - b.order);
  const returned = lists.reduce((sum, list) => sum + list.returned, 0);
  const notes = notesOf(lists);
  const receipt: Receipt = {
    expected: returned + missing.length,
    returned,
    missing: missing.slice(0, MAX_LISTED_ROWS).map(reportedRow),
    ...(missing.length === 0 ? {} : { missingPages: pageRanges(missing.map(({ page }) => page)) }),
    ...(notes.length === 0 ? {} : { notes }),
    lists: lists.slice(0, MAX_LISTED_LISTS).map((list) => ({
      pointer: list.path,
      expected: list.returned + list.missing.length,
      returned: list.returned,
      counted: list.counted,
      ...(list.restricted ? { restricted: true as const } : {}),
      ...(list.unplaced === 0 ? {} : { unplaced: list.unplaced }),
    })),
  };
  return { receipt, short: missing.length > 0 };
}
