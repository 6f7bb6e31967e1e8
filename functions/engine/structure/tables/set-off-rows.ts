/** Tells rows that are set off from those above as the headings of a table. */
import type { Rules } from "./rule-positions.ts";
import { headingSigns, shadeOf, VISIBLE_SHADE_DIFFERENCE } from "./table-header.ts";
import type { TableWord } from "./table-parts.ts";
import type { PageRow } from "./text-rows.ts";

/** True for a row of headings. @param head shade behind the first row of the run: rows on another band are no headings but banded rows */
export function isSetOff(row: PageRow<TableWord>, head: number, rules: Rules): boolean {
  const signs = headingSigns(row, rules);
  if (signs.has("bold")) return true;
  return signs.has("filled") && !isBanded(head, shadeOfRow(row, rules));
}

/** Shade behind the texts of a row. */
export const shadeOfRow = (row: PageRow<TableWord>, rules: Rules): number =>
  shadeOf(
    row.lines.map((line) => line.box),
    row.box,
    rules,
  );

const isBanded = (head: number, shade: number): boolean =>
  head < 1 - VISIBLE_SHADE_DIFFERENCE && Math.abs(shade - head) > VISIBLE_SHADE_DIFFERENCE;
