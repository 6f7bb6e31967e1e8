/** Lists printed side by side: the items of a result tell whether a line is one row or holds one of each column. */
import { fieldsOf } from "../extraction/rules/items/item-lists.ts";
import type { SideBySideRows } from "../structure/records/side-by-side-rows.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import { PrintedRows } from "./printed-rows.ts";
import type { DataList } from "./result-lists.ts";

/** Items that are tested at most. */
const MAX_TESTED_ITEMS = 200;

/**
 * Most items match the text of one column better than the whole line; without items, the number of their fields
 * decides.
 */
export function itemsFitColumns(
  lists: readonly DataList[],
  { lines, parts, width }: SideBySideRows,
  conventions: FormatConventions,
): boolean {
  const whole = new PrintedRows(lines, conventions);
  const halves = new PrintedRows(
    parts.map((part, order) => ({ ...part, order })),
    conventions,
  );
  let votes = 0;
  const items = lists.flatMap((list) => list.items.filter(({ leaves }) => leaves.length > 1));
  for (const item of items.slice(0, MAX_TESTED_ITEMS)) {
    const [line] = whole.findRows(item);
    if (line === undefined) continue;
    const [row] = halves.findRows(item);
    votes += row !== undefined && halves.printedShare(item, row) >= whole.printedShare(item, line) ? 1 : -1;
  }
  if (votes !== 0) return votes > 0;
  const wanted = lists.flatMap(({ shape }) => (shape === null ? [] : [fieldsOf(shape.item).length]));
  return wanted.length > 0 && wanted.every((count) => count <= width);
}
