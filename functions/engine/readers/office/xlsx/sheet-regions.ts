/** The tables of a sheet: what empty rows or columns part from each other. */
import type { CellRange, SheetCell } from "./sheet.ts";

/** A cell, and the cells that it is merged with. */
export interface PlacedCell extends CellRange {
  cell: SheetCell;
}

export interface Region extends CellRange {
  cells: PlacedCell[];
}

/** Cuts within each other: down, across, down, across … A sheet that needs more has no order. */
const MOST_CUTS = 8;

/** Groups that do not touch each other along one direction, in order. */
function split(cells: PlacedCell[], from: "top" | "left", to: "bottom" | "right"): PlacedCell[][] {
  const sorted = cells.toSorted((a, b) => a[from] - b[from]);
  const groups: PlacedCell[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const cell of sorted) {
    if (cell[from] > end + 1) groups.push([]);
    groups.at(-1)?.push(cell);
    end = Math.max(end, cell[to]);
  }
  return groups;
}

function toRegion(cells: PlacedCell[]): Region {
  const region = { top: Infinity, left: Infinity, bottom: 0, right: 0, cells };
  for (const { top, left, bottom, right } of cells) {
    region.top = Math.min(region.top, top);
    region.left = Math.min(region.left, left);
    region.bottom = Math.max(region.bottom, bottom);
    region.right = Math.max(region.right, right);
  }
  return region;
}

/** @param stuck cuts in a row that cut nothing: after both directions, nothing will */
function cut(cells: PlacedCell[], depth: number, stuck: number): Region[] {
  if (stuck === 2 || depth === MOST_CUTS) return [toRegion(cells)];
  const groups = depth % 2 === 0 ? split(cells, "top", "bottom") : split(cells, "left", "right");
  return groups.flatMap((group) => cut(group, depth + 1, groups.length === 1 ? stuck + 1 : 0));
}

/** Merged ranges that hold nothing but themselves go no further than the cells that are used. */
export function placeCells(cells: readonly SheetCell[], merged: readonly CellRange[]): PlacedCell[] {
  const ranges = new Map(merged.map((range) => [`${range.top}/${range.left}`, range]));
  let [lastRow, lastColumn] = [0, 0];
  for (const { row, column } of cells) {
    lastRow = Math.max(lastRow, row);
    lastColumn = Math.max(lastColumn, column);
  }
  return cells.map((cell) => {
    const range = ranges.size === 0 ? undefined : ranges.get(`${cell.row}/${cell.column}`);
    return {
      cell,
      top: cell.row,
      left: cell.column,
      bottom: Math.max(Math.min(range?.bottom ?? cell.row, lastRow), cell.row),
      right: Math.max(Math.min(range?.right ?? cell.column, lastColumn), cell.column),
    };
  });
}

/** The regions of a sheet in reading order. */
export const findRegions = (cells: PlacedCell[]): Region[] => (cells.length === 0 ? [] : cut(cells, 0, 0));
