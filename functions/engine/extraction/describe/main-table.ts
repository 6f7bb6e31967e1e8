/** The main table of a document, with columns named by its own headers. */

import type { Json } from "../../../ports/json.ts";
import type { Layout, TableBlock } from "../../../ports/layout.ts";
import { lineText } from "../../layout/page-words.ts";
import { described, freeName, type Notations, type Property, snakeCase, typeOfValues } from "./schema-properties.ts";

/** A table with more columns is a grid of numbers. */
const MAX_COLUMNS = 24;
const MIN_COLUMNS = 2;
const MIN_ROWS = 2;

const cellText = (table: TableBlock, row: number, column: number): string =>
  table.cells
    .filter((cell) => cell.row === row && cell.column <= column && column < cell.column + cell.columnSpan)
    .flatMap(({ lines }) => lines.map(lineText))
    .join(" ")
    .trim();

/** The header of a column, its header rows from top to bottom. */
const headerOf = (table: TableBlock, column: number): string =>
  Array.from({ length: table.headerRows }, (_, row) => cellText(table, row, column))
    .filter((text, index, all) => text !== "" && text !== all[index - 1])
    .join(" ");

function columnsOf(table: TableBlock, notations: Notations): Record<string, Property> | undefined {
  if (table.headerRows < 1 || table.columns < MIN_COLUMNS || table.columns > MAX_COLUMNS) return undefined;
  if (table.rows - table.headerRows < MIN_ROWS) return undefined;
  const columns: Record<string, Property> = {};
  const taken = new Set<string>();
  for (let column = 0; column < table.columns; column += 1) {
    const header = headerOf(table, column);
    const name = freeName(snakeCase(header) || `column_${column + 1}`, taken);
    taken.add(name);
    const values = Array.from({ length: table.rows - table.headerRows }, (_, row) =>
      cellText(table, table.headerRows + row, column),
    );
    columns[name] = described(typeOfValues(values, notations), header);
  }
  return columns;
}

/** The largest table with headers, as items of a list; undefined without one. */
export function mainTable(layout: Layout, notations: Notations): Json | undefined {
  let best: { columns: Record<string, Property>; cells: number } | undefined;
  for (const block of layout.pages.flatMap((page) => page.blocks)) {
    if (block.kind !== "table") continue;
    const columns = columnsOf(block, notations);
    const cells = block.rows * block.columns;
    if (columns !== undefined && cells > (best?.cells ?? 0)) best = { columns, cells };
  }
  return best === undefined ? undefined : { type: "object", properties: best.columns };
}
