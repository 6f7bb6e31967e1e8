/** Rows of tables whose records are columns: each column is a row, from the top down, and the fields are its columns. */
import { unionBox } from "../../layout/geometry.ts";
import { labelKey } from "../../values/label-words.ts";
import { unionOf } from "../view/tokens.ts";
import type { CandidateRow, CandidateRows, RowCell } from "./candidate-rows.ts";
import { partsOf } from "./side-by-side-records.ts";
import { renumber } from "./side-by-side-rows.ts";

const nameOf = ({ cells }: CandidateRow): string => cells[0]?.text ?? "";

/** Rows of one table with the lines below it that name all of its fields again: too few columns for a table. */
function withFurtherLines(rows: readonly CandidateRow[], all: readonly CandidateRow[]): CandidateRow[] {
  const names = rows.map((row) => labelKey(nameOf(row)));
  const width = rows.length / partsOf(names);
  const below = all.slice((rows.at(-1)?.order ?? all.length) + 1);
  const end = below.findIndex(
    (row, at) => row.table !== undefined || row.cells.length < 2 || labelKey(nameOf(row)) !== names[at % width],
  );
  const count = end < 0 ? below.length : end;
  return [...rows, ...below.slice(0, count - (count % width))];
}

/** The rows of one table; its first column, with the fields' names, heads them. Fields may repeat below each other. */
function columnsAsRows(rows: readonly CandidateRow[]): CandidateRow[] {
  const table = rows[0]?.table ?? 0;
  const count = partsOf(rows.map(nameOf));
  const width = rows.length / count;
  return Array.from({ length: count }, (_, at) => rows.slice(at * width, (at + 1) * width)).flatMap((block, at) => {
    const shift = block[0]?.box.top ?? 0;
    const fields = block.flatMap(({ cells, page }, field) =>
      cells.map((cell, index) => ({ cell, page, field, at: cell.column ?? index })),
    );
    const columns = [...Map.groupBy(fields, (one) => one.at)].sort(([a], [b]) => a - b);
    return columns.flatMap(([column, own]): CandidateRow[] => {
      const [first] = own;
      if (first === undefined || (column === 0 && at > 0)) return [];
      const cells = own.map(({ cell, field }): RowCell => {
        const { top, bottom } = unionOf(cell.tokens);
        return { ...cell, left: top - shift, right: bottom - shift, column: field };
      });
      const words = cells.flatMap(({ tokens }) => tokens);
      const shownBox = unionBox(words.map(({ shown }) => shown.box));
      const { page } = first;
      const row = { order: 0, page, table, box: unionOf(words), shownBox, cells, words, shift, turned: true as const };
      return [column === 0 ? { ...row, header: true } : row];
    });
  });
}

/** Reads tables column by column. @param tables their indexes in the document */
export function turnRows(candidates: CandidateRows, tables: ReadonlySet<number>): CandidateRows {
  const { all } = candidates;
  const byTable = Map.groupBy(all, ({ table }) => table);
  const lists = [...tables].map((table) => withFurtherLines(byTable.get(table) ?? [], all));
  const listOf = new Map(lists.flatMap((rows) => rows.map((row) => [row, rows] as const)));
  const rows = all.flatMap((row) => {
    const own = listOf.get(row);
    if (own === undefined) return [row];
    return own[0] === row ? columnsAsRows(own) : [];
  });
  return renumber(rows, candidates);
}
