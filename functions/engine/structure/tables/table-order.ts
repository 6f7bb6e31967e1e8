/** Arranges tables in reading order among the lines around them. */

import type { Box } from "../../../ports/layout.ts";
import { median } from "../../layout/geometry.ts";
import type { PlacedLine } from "../line-rows.ts";
import { arrangeLines } from "../reading-order.ts";

interface OrderedTable {
  box: Box;
  rows: number;
  cells: readonly { row: number; box: Box }[];
}

type Item<T, R> = PlacedLine & ({ line: T } | { table: R });

/** A line across the table for each row, so that the order of columns comes out as with running text. */
function toLines<R extends OrderedTable>(table: R, size: number): (PlacedLine & { table: R })[] {
  const tops: number[] = [];
  for (const { row, box } of table.cells) tops[row] = Math.min(tops[row] ?? Infinity, box.top);
  const edges = [...tops.filter((top) => top !== undefined), table.box.bottom];
  return edges.slice(1).map((bottom, index) => {
    const top = Math.min(edges[index] ?? bottom, bottom);
    return { table, size, baseline: bottom, box: { ...table.box, top, bottom } };
  });
}

/** Arranges blocks of lines, and tables, in reading order. Lines within a table's box come behind it. */
export function arrangeAround<T extends PlacedLine, R extends OrderedTable>(
  lines: readonly T[],
  tables: readonly R[],
): ({ lines: T[] } | { table: R })[] {
  if (tables.length === 0) return arrangeLines(lines).map((block) => ({ lines: block }));
  const size = median(lines.map((line) => line.size)) || 1;
  const items: Item<T, R>[] = [
    ...lines.map((line) => ({ line, box: line.box, size: line.size, baseline: line.baseline })),
    ...tables.flatMap((table) => toLines(table, size)),
  ];
  const seen = new Set<R>();
  const ordered: ({ lines: T[] } | { table: R })[] = [];
  for (const block of arrangeLines(items)) {
    let text: T[] | undefined;
    for (const item of block) {
      if ("line" in item) {
        if (text === undefined) {
          text = [];
          ordered.push({ lines: text });
        }
        text.push(item.line);
      } else if (!seen.has(item.table)) {
        seen.add(item.table);
        ordered.push({ table: item.table });
        text = undefined;
      }
    }
  }
  return ordered;
}
