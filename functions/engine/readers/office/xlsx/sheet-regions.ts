/** The tables of a sheet: regions separated by empty rows or columns. */
import type { CellRange, SheetCell } from "./sheet.ts";

/** A cell, with the range it is merged over. */
export interface RangedCell extends CellRange {
  cell: SheetCell;
}

export interface SheetRegion extends CellRange {
  cells: RangedCell[];
}

/** Limit for nested cuts: down, across, down, across … A sheet that needs more has no order. */
const MAX_CUTS = 8;

/** Groups of cells that do not touch along one direction, in order. */
function splitAlong(cells: RangedCell[], from: "top" | "left", to: "bottom" | "right"): RangedCell[][] {
  const sorted = cells.toSorted((a, b) => a[from] - b[from]);
  const groups: RangedCell[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const cell of sorted) {
    if (cell[from] > end + 1) groups.push([]);
    groups.at(-1)?.push(cell);
    end = Math.max(end, cell[to]);
  }
  return groups;
}

function toRegion(cells: RangedCell[]): SheetRegion {
  const region = { top: Infinity, left: Infinity, bottom: 0, right: 0, cells };
  for (const { top, left, bottom, right } of cells) {
    region.top = Math.min(region.top, top);
    region.left = Math.min(region.left, left);
    region.bottom = Math.max(region.bottom, bottom);
    region.right = Math.max(region.right, right);
  }
  return region;
}

/** @param stuck consecutive cuts without effect; after both directions no cut will have any */
function cutRegions(cells: RangedCell[], depth: number, stuck: number): SheetRegion[] {
  if (stuck === 2 || depth === MAX_CUTS) return [toRegion(cells)];
  const groups = depth % 2 === 0 ? splitAlong(cells, "top", "bottom") : splitAlong(cells, "left", "right");
  return groups.flatMap((group) => cutRegions(group, depth + 1, groups.length === 1 ? stuck + 1 : 0));
}

/** Places cells. Merged ranges end at the last used row and column. */
export function placeCells(cells: readonly SheetCell[], merged: readonly CellRange[]): RangedCell[] {
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
export const findRegions = (cells: RangedCell[]): SheetRegion[] => (cells.length === 0 ? [] : cutRegions(cells, 0, 0));
