/** Values of cells with defined names. */
import type { Json } from "../../../ports/json.ts";
import { rowAt, rowIndex, type SheetSource, type SourceCell, type SourceRow } from "./sheet-source.ts";
import type { NamedCell, SheetTemplate } from "./sheet-template.ts";
import { attributesIn } from "./workbook-source.ts";
import type { NamedValue } from "./write-rows.ts";
import { attributesOf, childNode } from "./xml-source.ts";

/** The style that an absent cell has by its row, else by its column. */
function styleAt({ root, xml }: SheetSource, row: SourceRow | undefined, column: number): string | undefined {
  const own = row === undefined ? undefined : attributesOf(row.tag);
  if (own?.get("customFormat") === "1") return own.get("s");
  for (const node of childNode(root, "cols")?.children ?? []) {
    const attributes = attributesIn(xml, node);
    if (column >= Number(attributes.get("min")) && column <= Number(attributes.get("max")))
      return attributes.get("style");
  }
  return undefined;
}

/** The cell at a place, added to the sheet's rows where it has none. */
function cellAt(source: SheetSource, number: number, column: number): SourceCell {
  const { rows, prefix } = source;
  let row = rowAt(rows, number);
  const style = styleAt(source, row, column);
  if (row === undefined) {
    row = { number, tag: `<${prefix}row r="${number}">`, cells: [] };
    rows.splice(rowIndex(rows, number), 0, row);
  }
  const known = row.cells.find((one) => one.column === column);
  if (known !== undefined) return known;
  const cell: SourceCell = { column, tag: `<${prefix}c${style === undefined ? "" : ` s="${style}"`}>`, content: "" };
  const at = row.cells.findIndex((one) => one.column > column);
  row.cells.splice(at === -1 ? row.cells.length : at, 0, cell);
  return cell;
}

/** The values of named cells by sheet and cell, for the names that have one. */
export function namedValues(
  named: readonly NamedCell[],
  valueFor: (name: string) => Json | undefined,
): Map<SheetTemplate, Map<SourceCell, NamedValue>> {
  const values = new Map<SheetTemplate, Map<SourceCell, NamedValue>>();
  for (const { name, template, row, column } of named) {
    const value = valueFor(name);
    if (value === undefined) continue;
    const cells = values.get(template) ?? new Map<SourceCell, NamedValue>();
    values.set(template, cells);
    cells.set(cellAt(template.sheet.source, row, column), { field: name, value });
  }
  return values;
}
