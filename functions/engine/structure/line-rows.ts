/** Lines of a page in rows, by their height. Any unit, as long as boxes and sizes share it. */
import type { Box } from "../../ports/layout.ts";
import { median, middleY, unionBox } from "../layout/geometry.ts";

/** A line with the size of its type and the height that it stands on. */
export interface Placed {
  box: Box;
  size: number;
  baseline: number;
}

export interface Row<T extends Placed> {
  lines: T[];
  box: Box;
  size: number;
}

const toRow = <T extends Placed>(lines: T[]): Row<T> => ({
  lines: lines.sort((a, b) => a.box.left - b.box.left),
  box: unionBox(lines.map((line) => line.box)),
  size: median(lines.map((line) => line.size)),
});

/** Lines whose middles lie within half the smaller height of the row's share a row. */
export function groupIntoRows<T extends Placed>(lines: readonly T[]): Row<T>[] {
  const middle = ({ box }: T): number => middleY(box);
  const rows: { lines: T[]; middle: number; height: number }[] = [];
  for (const line of [...lines].sort((a, b) => middle(a) - middle(b))) {
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
