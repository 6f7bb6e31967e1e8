/** Tables of slides (ECMA-376 part 1, 21.1.3), on the grid that the file gives. */
import type { Box, TableBlock, TableCell } from "../../../../ports/layout.ts";
import { unionBox } from "../../../layout/geometry.ts";
import { emuToInches } from "../drawings.ts";
import type { Relationships } from "../relationships.ts";
import { childOf, elementsOf, integerOf, isOn, type XmlElement } from "../xml-parts.ts";
import { readParagraphs, roundBox } from "./slide-shapes.ts";
import { layText } from "./text-frame.ts";

const MOST_COLUMNS = 1_000;
const MOST_ROWS = 10_000;
const USUAL_COLUMN = 1;
const USUAL_ROW = 0.4;

/** Where columns or rows begin, and where the last one ends. */
function edges(start: number, sizes: readonly number[]): number[] {
  const at = [start];
  for (const size of sizes) at.push((at.at(-1) ?? start) + size);
  return at;
}

const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element === undefined ? [] : [...elementsOf(element)].filter((child) => child.name === name);

interface Grid {
  columns: number[];
  rows: number[];
}

function readCell(cell: XmlElement, row: number, column: number, grid: Grid, relationships: Relationships): TableCell {
  const spanOf = (name: string, left: number): number =>
    Math.min(integerOf(cell.attributes[name], 1, MOST_ROWS) ?? 1, left);
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
  return { row, column, rowSpan, columnSpan, box: roundBox(box), lines: layText(paragraphs, box).flat() };
}

/**
 * Reads an `a:tbl`.
 * @param frame of the table on the slide; rows may make it longer
 * @returns undefined for a table without cells
 */
export function readSlideTable(table: XmlElement, frame: Box, relationships: Relationships): TableBlock | undefined {
  const rows = childrenOf(table, "tr").slice(0, MOST_ROWS);
  const stated = childrenOf(childOf(table, "tblGrid"), "gridCol").map(({ attributes }) => emuToInches(attributes.w));
  const most = rows.reduce((count, row) => Math.max(count, childrenOf(row, "tc").length), stated.length);
  const count = Math.min(most, MOST_COLUMNS);
  const widths = Array.from({ length: count }, (_, index) => stated[index] ?? USUAL_COLUMN);
  const heights = rows.map(({ attributes }) => emuToInches(attributes.h) ?? USUAL_ROW);
  const grid = { columns: edges(frame.left, widths), rows: edges(frame.top, heights) };
  const cells = rows.flatMap((row, rowIndex) =>
    childrenOf(row, "tc")
      .slice(0, count)
      .flatMap((cell, column) => {
        // A cell that another covers stands in the file all the same.
        const isCovered = isOn(cell.attributes.hMerge) || isOn(cell.attributes.vMerge);
        return isCovered ? [] : [readCell(cell, rowIndex, column, grid, relationships)];
      }),
  );
  if (cells.length === 0) return undefined;
  const headerRows = isOn(childOf(table, "tblPr")?.attributes.firstRow) && rows.length > 1 ? 1 : 0;
  const box = unionBox(cells.map((cell) => cell.box));
  return { kind: "table", box, rows: rows.length, columns: count, headerRows, cells };
}
