/**
 * Items with equal values. When a model returns a row twice and loses a similar next row, most values of the second
 * copy are printed on that row: this is no evidence that the row was returned.
 */
import { canonicalText } from "../schema/json-text.ts";
import type { DataList, ListItem } from "./result-lists.ts";

export interface DuplicateItems {
  /** Another item of the list has the same values. */
  has(item: ListItem): boolean;
  /** The item's row lacks a value that the row of an equal item has. */
  isWorseCopy(item: ListItem): boolean;
}

/**
 * Finds the items of a list with equal values.
 * @param missingPathsOf paths of the values that an item's row lacks; undefined for items without a row
 */
export function findDuplicates(
  list: DataList,
  missingPathsOf: (item: ListItem) => ReadonlySet<string> | undefined,
): DuplicateItems {
  const byValue = list.scalars ? new Map() : Map.groupBy(list.items, ({ value }) => canonicalText(value));
  const groups = new Map<ListItem, ListItem[]>();
  for (const own of byValue.values()) if (own.length > 1) for (const item of own) groups.set(item, own);
  const bestByGroup = new Map<ListItem[], ReadonlySet<string>>();

  /** The missing paths of the group's best row. */
  function missingOnBestRow(group: ListItem[]): ReadonlySet<string> {
    const known = bestByGroup.get(group);
    if (known !== undefined) return known;
    const all = group.flatMap((item) => missingPathsOf(item) ?? []);
    const found = all.reduce((best, one) => (one.size < best.size ? one : best), all[0] ?? new Set<string>());
    bestByGroup.set(group, found);
    return found;
  }

  return {
    has: (item) => groups.has(item) && item.leaves.length > 0,
    isWorseCopy(item) {
      const group = groups.get(item);
      const missing = missingPathsOf(item);
      if (group === undefined || missing === undefined) return false;
      const best = missingOnBestRow(group);
      return [...missing].some((path) => !best.has(path));
    },
  };
}
