/** Tables in reading order among the lines around them. */

import type { Box } from "../../../ports/layout.ts";
import { median } from "../../layout/geometry.ts";
import type { Placed } from "../line-rows.ts";
import { arrangeLines } from "../reading-order.ts";

interface Rows {
  box: Box;
  rows: number;
  cells: readonly { row: number; box: Box }[];
}

type Item<T, R> = Placed & ({ line: T } | { table: R });

/** As running text would stand there: a line across the table for each row. The order of columns then comes out right. */
function toLines<R extends Rows>(table: R, size: number): (Placed & { table: R })[] {
  const tops: number[] = [];
  for (const { row, box } of table.cells) tops[row] = Math.min(tops[row] ?? Infinity, box.top);
  const edges = [...tops.filter((top) => top !== undefined), table.box.bottom];
  return edges.slice(1).map((bottom, index) => {
    const top = Math.min(edges[index] ?? bottom, bottom);
    return { table, size, baseline: bottom, box: { ...table.box, top, bottom } };
  });
}

/** Blocks of lines, and tables, in reading order. Lines that stand within a table's box come behind it. */
export function arrangeAround<T extends Placed, R extends Rows>(
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
