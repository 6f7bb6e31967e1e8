/** Groups lines of a page into rows, by their height. Any unit, as long as boxes and sizes share it. */
import type { Box } from "../../ports/layout.ts";
import { boxAround, median, middleY } from "../layout/geometry.ts";
import { sortedByNumber } from "../layout/sort-by-number.ts";

/** A line with the size of its type and the height of its baseline. */
export interface PlacedLine {
  box: Box;
  size: number;
  baseline: number;
}

export interface LineRow<T extends PlacedLine> {
  lines: T[];
  box: Box;
  size: number;
}

const toRow = <T extends PlacedLine>(lines: T[]): LineRow<T> => ({
  lines: sortedByNumber(lines, ({ box }) => box.left),
  box: boxAround(lines),
  size: median(lines.map((line) => line.size)),
});

/** Groups lines whose middles lie within half the smaller height of each other. */
export function groupIntoRows<T extends PlacedLine>(lines: readonly T[]): LineRow<T>[] {
  const middle = ({ box }: T): number => middleY(box);
  const rows: { lines: T[]; middle: number; height: number }[] = [];
  for (const line of sortedByNumber(lines, middle)) {
    const height = line.box.bottom - line.box.top;
    const row = rows.at(-1);
    if (row !== undefined && middle(line) - row.middle <= 0.45 * Math.min(height, row.height)) {
      row.lines.push(line);
    } else {
      rows.push({ lines: [line], middle: middle(line), height });
    }
  }
  return rows.map((row) => toRow(row.lines));
}
