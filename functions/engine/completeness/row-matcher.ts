/**
 * Matches items with the rows they stand on, each row once; finds rows for items without a place, and items returned
 * twice.
 */

import type { CandidateRow } from "../structure/records/candidate-rows.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import { type DuplicateItems, findDuplicates } from "./duplicate-items.ts";
import { isRecognised, leavesWithinOcrErrors } from "./ocr-errors.ts";
import { PrintedRows } from "./printed-rows.ts";
import { type DataList, inconclusiveItemTest, type ListItem } from "./result-lists.ts";
import { matchRow, type RowAssignment } from "./row-assignment.ts";

/**
 * Matches the rows of the lists' items, and records in the assignment which items were returned twice and which stand
 * on no row. An item without a row of its own gets a free row that matches it better, if there is one.
 * @param lists the lists that the assignment was created for
 * @param conventions number notation and date order of the document
 */
export function matchRows(
  assignment: RowAssignment,
  lists: readonly DataList[],
  { notation, order }: FormatConventions,
): void {
  const all = lists.map((list) => new RowMatcher(list, assignment, { notation, order }));
  // Rows that print all of their item's values are taken first.
  for (const matcher of all) matcher.matchExactRows();
  for (const matcher of all) matcher.matchRemainingItems();
}

function addTo(items: Map<DataList, ListItem[]>, list: DataList, item: ListItem): void {
  const own = items.get(list);
  if (own === undefined) items.set(list, [item]);
  else own.push(item);
}

/** The items of one list and their rows. */
class RowMatcher {
  readonly #list: DataList;
  readonly #assignment: RowAssignment;
  readonly #printed: PrintedRows;
  readonly #duplicates: DuplicateItems;
  readonly #isInconclusive: (item: ListItem) => boolean;
  /** Caches `#missingPaths`: items with equal values ask for it again. */
  readonly #missingPathsByItem = new Map<ListItem, ReadonlySet<string> | undefined>();
  /** Items without a row so far. */
  readonly #remaining: ListItem[] = [];
  /** The remaining items whose row prints other values. */
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

  /**
   * Paths of the values that an item's row does not print, even within recognition errors; undefined if its row is in
   * no group.
   */
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

  /** Matches the items whose rows print all of their values; defers the others. */
  matchExactRows(): void {
    const { items, scalars } = this.#list;
    const own = new Set<number>();
    for (const item of items) {
      const row = this.#places?.get(item);
      // Two lists may share a row; two items of one list may not, except scalars side by side.
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

  /** Assigns free rows to the deferred items. */
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
    // An item with an equal one has a row of its own only if the page has another row that prints the same values.
    const isCopy = doubted === undefined ? this.#duplicates.has(item) : this.#duplicates.isWorseCopy(item);
    if (isCopy && rows.length > 0) {
      // Its equals keep their rows.
      this.#places?.delete(item);
      this.#missingPathsByItem.delete(item);
      addTo(assignment.repeated, this.#list, item);
    } else if (was === undefined) addTo(assignment.unmatchedItems, this.#list, item);
    else if (!assignment.matched.has(was)) matchRow(assignment, was, item);
  }
}
