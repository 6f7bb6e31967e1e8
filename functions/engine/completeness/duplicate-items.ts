/**
 * Items that say the same. Where a model gives a row twice and loses the next one, which differs in a value or two, the
 * second copy has most of its values on that row: it is no reason to think that the row is there.
 */
import { canonical } from "../schema/json-text.ts";
import type { DataList, ListItem } from "./result-lists.ts";

export interface DuplicateItems {
  /** Whether another item of the list says the same. */
  has(item: ListItem): boolean;
  /** Whether an item's row lacks something of it that the row of another one has, which says the same. */
  isWorseCopy(item: ListItem): boolean;
}

/**
 * The items of a list that say the same.
 * @param lackingOf paths of the values that an item's row has not; undefined where it stands on none
 */
export function findDuplicates(
  list: DataList,
  lackingOf: (item: ListItem) => ReadonlySet<string> | undefined,
): DuplicateItems {
  const byValue = list.scalars ? new Map() : Map.groupBy(list.items, ({ value }) => canonical(value));
  const groups = new Map<ListItem, ListItem[]>();
  for (const own of byValue.values()) if (own.length > 1) for (const item of own) groups.set(item, own);
  const least = new Map<ListItem[], ReadonlySet<string>>();

  /** What the row that has most of what a group says lacks of it. */
  function leastOf(group: ListItem[]): ReadonlySet<string> {
    const known = least.get(group);
    if (known !== undefined) return known;
    const all = group.flatMap((item) => lackingOf(item) ?? []);
    const found = all.reduce((best, one) => (one.size < best.size ? one : best), all[0] ?? new Set<string>());
    least.set(group, found);
    return found;
  }

  return {
    has: (item) => groups.has(item) && item.leaves.length > 0,
    isWorseCopy(item) {
      const group = groups.get(item);
      const missing = lackingOf(item);
      if (group === undefined || missing === undefined) return false;
      const best = leastOf(group);
      return [...missing].some((path) => !best.has(path));
    },
  };
}
