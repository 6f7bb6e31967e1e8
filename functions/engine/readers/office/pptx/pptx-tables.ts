/** Tables of slides (ECMA-376 part 1, 21.1.3), on the grid of the file. */
import type { Box, TableBlock, TableCell } from "../../../../ports/layout.ts";
import { unionBox } from "../../../layout/geometry.ts";
import { emuToInches } from "../drawings.ts";
import type { Relationships } from "../relationships.ts";
import { childOf, elementsOf, integerOf, isOn, type XmlElement } from "../xml-parts.ts";
import { readParagraphs, roundBox } from "./slide-shapes.ts";
import { layOutParagraphs } from "./text-frame.ts";

const MAX_COLUMNS = 1_000;
const MAX_ROWS = 10_000;
const DEFAULT_COLUMN_INCHES = 1;
const DEFAULT_ROW_INCHES = 0.4;

/** Starts of columns or rows, and the end of the last one. */
function gridEdges(start: number, sizes: readonly number[]): number[] {
  const at = [start];
  for (const size of sizes) at.push((at.at(-1) ?? start) + size);
  return at;
}

const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element === undefined ? [] : [...elementsOf(element)].filter((child) => child.name === name);

interface TableGrid {
  columns: number[];
  rows: number[];
}

function readCell(
  cell: XmlElement,
  row: number,
  column: number,
  grid: TableGrid,
  relationships: Relationships,
): TableCell {
  const spanOf = (name: string, available: number): number =>
    Math.min(integerOf(cell.attributes[name], 1, MAX_ROWS) ?? 1, available);
  const columnSpan = spanOf("gridSpan", grid.columns.length - 1 - column);
  const rowSpan = spanOf("rowSpan", grid.rows.length - 1 - row);
  const box = {
    left: grid.columns[column] ?? 0,
    top: grid.rows[row] ?? 0,
    right: grid.columns[column + columnSpan] ?? 0,
    bottom: grid.rows[row + rowSpan] ?? 0,
  };
  const body = childOf(cell, "txBody");
  const paragraphs = body === undefined ? [] : readParagraphs(body, relationships, []);
  return { row, column, rowSpan, columnSpan, box: roundBox(box), lines: layOutParagraphs(paragraphs, box).flat() };
}

/**
 * Reads an `a:tbl`.
 * @param frame box of the table on the slide; rows may make it longer
 * @returns undefined for a table without cells
 */
export function readSlideTable(table: XmlElement, frame: Box, relationships: Relationships): TableBlock | undefined {
  const rows = childrenOf(table, "tr").slice(0, MAX_ROWS);
  const stated = childrenOf(childOf(table, "tblGrid"), "gridCol").map(({ attributes }) => emuToInches(attributes.w));
  const widest = rows.reduce((count, row) => Math.max(count, childrenOf(row, "tc").length), stated.length);
  const count = Math.min(widest, MAX_COLUMNS);
  const widths = Array.from({ length: count }, (_, index) => stated[index] ?? DEFAULT_COLUMN_INCHES);
  const heights = rows.map(({ attributes }) => emuToInches(attributes.h) ?? DEFAULT_ROW_INCHES);
  const grid = { columns: gridEdges(frame.left, widths), rows: gridEdges(frame.top, heights) };
  const cells = rows.flatMap((row, rowIndex) =>
    childrenOf(row, "tc")
      .slice(0, count)
      .flatMap((cell, column) => {
        // A covered cell stands in the file all the same.
        const isCovered = isOn(cell.attributes.hMerge) || isOn(cell.attributes.vMerge);
        return isCovered ? [] : [readCell(cell, rowIndex, column, grid, relationships)];
      }),
  );
  if (cells.length === 0) return undefined;
  const headerRows = isOn(childOf(table, "tblPr")?.attributes.firstRow) && rows.length > 1 ? 1 : 0;
  const box = unionBox(cells.map((cell) => cell.box));
  return { kind: "table", box, rows: rows.length, columns: count, headerRows, cells };
}
