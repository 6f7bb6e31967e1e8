/** Results of pivot tables that a fill makes wrong. */

import { pivotCells, staleCaches } from "./pivot-tables.ts";
import { cellAttribute, type SourceCell } from "./sheet-source.ts";
import type { WorkbookTemplate } from "./sheet-template.ts";
import { stringSource } from "./workbook-source.ts";

/** Cells of pivot tables with sums and labels of the template's rows; words of the table itself stay. */
export function staleCells(template: WorkbookTemplate, changed: ReadonlySet<string>): Set<SourceCell> {
  const { workbook, pivots, sheets } = template;
  const stale = staleCaches(pivots, changed);
  const tables = pivots.tables.filter(({ cache }) => stale.has(cache));
  const cells = new Set<SourceCell>();
  if (tables.length === 0) return cells;
  for (const { sheet } of sheets) {
    for (const cell of pivotCells(sheet, tables)) {
      const type = cellAttribute(cell, "t") ?? "n";
      const isText = type === "s" || type === "str" || type === "inlineStr";
      if (!isText || /[{}]/.test(stringSource(cell, workbook.strings) ?? "")) cells.add(cell);
    }
  }
  return cells;
}
