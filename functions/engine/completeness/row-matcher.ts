/** Ticks off the rows that items stand on, each row once; finds the rows of items whose place is not known, and items returned twice. */

import type { FormatConventions } from "../values/format-conventions.ts";
import type { CandidateRow } from "./candidate-rows.ts";
import { type DuplicateItems, findDuplicates } from "./duplicate-items.ts";
import { isRecognised, leavesWithinOcrErrors } from "./ocr-errors.ts";
import { PrintedRows } from "./printed-rows.ts";
import { type DataList, inconclusiveItemTest, type ListItem } from "./result-lists.ts";
import { matchRow, type RowAssignment } from "./row-assignment.ts";

/**
 * Ticks the rows of the lists' items off in the book, and writes down there which items were returned twice and which
 * stand on no row; items without a row of their own are given one that says more of them, where one is free.
 * @param lists as the book was opened for
 * @param conventions in which the document writes its figures and dates
 */
export function matchRows(
  assignment: RowAssignment,
  lists: readonly DataList[],
  { notation, order }: FormatConventions,
): void {
  const all = lists.map((list) => new RowMatcher(list, assignment, { notation, order }));
  // Rows that say what their items say are taken before others may take them.
  for (const matcher of all) matcher.matchExactRows();
  for (const matcher of all) matcher.matchRemainingItems();
}

function addTo(items: Map<DataList, ListItem[]>, list: DataList, item: ListItem): void {
  const own = items.get(list);
  if (own === undefined) items.set(list, [item]);
  else own.push(item);
}

/** One list's items and their rows. */
class RowMatcher {
  readonly #list: DataList;
  readonly #assignment: RowAssignment;
  readonly #printed: PrintedRows;
  readonly #duplicates: DuplicateItems;
  readonly #isInconclusive: (item: ListItem) => boolean;
  /** What the rows of items lack of them: where items say the same, it is asked again. */
  readonly #missingPathsByItem = new Map<ListItem, ReadonlySet<string> | undefined>();
  /** Items without a row of their own so far. */
  readonly #remaining: ListItem[] = [];
  /** Of those, the ones whose row says something else. */
  readonly #doubtful = new Map<ListItem, CandidateRow>();

  constructor(list: DataList, assignment: RowAssignment, conventions: FormatConventions) {
    const rows = assignment.groupsOf(list).flatMap(({ parts }) => parts.flatMap((part) => assignment.itemRows(part)));
    this.#list = list;
    this.#assignment = assignment;
    this.#printed = new PrintedRows(rows, conventions);
    this.#duplicates = findDuplicates(list, (item) => this.#missingPaths(item));
    this.#isInconclusive = inconclusiveItemTest(list);
  }

  get #places(): Map<ListItem, number> | undefined {
    return this.#assignment.places.get(this.#list);
  }

  /** Paths of the values that an item's row has not, also not misread; undefined where it stands on none of the sets'. */
  #missingPaths(item: ListItem): ReadonlySet<string> | undefined {
    if (this.#missingPathsByItem.has(item)) return this.#missingPathsByItem.get(item);
    const row = this.#assignment.rowAt(this.#places?.get(item) ?? -1);
    const missing = row === undefined ? undefined : this.#missingPathsOn(row, item);
    this.#missingPathsByItem.set(item, missing);
    return missing;
  }

  #missingPathsOn(row: CandidateRow, item: ListItem): ReadonlySet<string> {
    const missing = this.#printed.missingLeaves(item, row);
    const excused = missing.length > 0 && isRecognised(row) ? leavesWithinOcrErrors(item, row) : [];
    return new Set(missing.filter((leaf) => !excused.includes(leaf)).map(({ path }) => path));
  }

  /** Ticks the items whose rows say all of them; the others wait. */
  matchExactRows(): void {
    const { items, scalars } = this.#list;
    const own = new Set<number>();
    for (const item of items) {
      const row = this.#places?.get(item);
      // Two lists may share a row; two items of one list do not, but for short values side by side.
      if (row === undefined || (!scalars && own.has(row))) {
        this.#remaining.push(item);
      } else if (scalars || (this.#missingPaths(item)?.size ?? 0) === 0) {
        matchRow(this.#assignment, row, item);
        own.add(row);
      } else {
        this.#remaining.push(item);
        const doubted = this.#assignment.rowAt(row);
        if (doubted !== undefined) this.#doubtful.set(item, doubted);
      }
    }
  }

  /** Gives the items that wait the rows that are left. */
  matchRemainingItems(): void {
    if (this.#assignment.groupsOf(this.#list).length === 0) return;
    for (const item of this.#remaining) this.#matchRemainingItem(item);
  }

  #matchRemainingItem(item: ListItem): void {
    const assignment = this.#assignment;
    const was = this.#places?.get(item);
    const doubted = this.#doubtful.get(item);
    const rows = this.#printed.findRows(item);
    const least = doubted === undefined ? -1 : this.#printed.printedShare(item, doubted);
    const isBetter = (row: CandidateRow): boolean =>
      !assignment.matched.has(row.order) && this.#printed.printedShare(item, row) > least;
    const found = this.#isInconclusive(item) ? undefined : rows.find(isBetter);
    if (found !== undefined) {
      matchRow(assignment, found.order, item);
      this.#places?.set(item, found.order);
      this.#missingPathsByItem.delete(item);
      return;
    }
    // An item equal to another one stands on a row of its own only where the page has one more that says the same.
    const isCopy = doubted === undefined ? this.#duplicates.has(item) : this.#duplicates.isWorseCopy(item);
    if (isCopy && rows.length > 0) {
      // The others of its equals keep their rows; this one has none.
      this.#places?.delete(item);
      this.#missingPathsByItem.delete(item);
      addTo(assignment.repeated, this.#list, item);
    } else if (was === undefined) addTo(assignment.unmatchedItems, this.#list, item);
    else if (!assignment.matched.has(was)) matchRow(assignment, was, item);
  }
}
