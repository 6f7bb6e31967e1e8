/** Tells whether a table's first row heads its columns, where the file does not say so. */

import { textOfRuns } from "../layout/logical/logical-rows.ts";
import type { GridCell } from "../layout/logical/logical-tables.ts";

/** Rows that the first one is compared with. */
const SAMPLE_ROWS = 50;

/** Numbers, amounts, dates, times, percentages: contents of a column, not of its heading. */
const VALUE = /^[^\p{L}]*\p{N}[^\p{L}]*(?:\p{L}{1,3}\.?)?$/u;

const isBold = ({ runs }: GridCell): boolean => runs.every((run) => run.bold || !/\S/.test(run.text));
const cellText = ({ runs }: GridCell): string => textOfRuns(runs).trim();

/**
 * Number of header rows of a table, none or one: its first row is all words, different ones, below which values stand,
 * or it alone is bold.
 * @param usual a table of this kind has a header unless its first row holds values
 */
export function headRows(rows: readonly (readonly GridCell[])[], usual = false): 0 | 1 {
  const [first, ...rest] = rows.slice(0, SAMPLE_ROWS);
  if (first === undefined || rest.length === 0 || first.length < 2) return 0;
  const texts = first.map(cellText);
  const named = texts.filter((text) => text !== "");
  // A corner may be empty.
  if (named.length < 2 || named.length < texts.length - 1) return 0;
  if (named.some((text) => VALUE.test(text)) || new Set(named).size < named.length) return 0;
  if (usual) return 1;
  const filled = rest.map((row) => row.filter((cell) => cellText(cell) !== "")).filter((row) => row.length > 0);
  if (first.every(isBold) && filled.some((row) => !row.every(isBold))) return 1;
  return first.some((head) => isValueColumn(head, filled)) ? 1 : 0;
}

/** True if values stand below a cell, in more than half of the rows. */
function isValueColumn(head: GridCell, rows: readonly (readonly GridCell[])[]): boolean {
  const below = rows.flatMap((row) => row.filter((cell) => cell.column === head.column));
  const values = below.filter((cell) => VALUE.test(cellText(cell)));
  return cellText(head) !== "" && values.length > below.length / 2 && below.length > 0;
}
