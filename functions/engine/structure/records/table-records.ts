/** The record sets of the reader's tables. */

import { labelKey } from "../../values/text-folding.ts";
import type { DocumentView } from "../view/document-view.ts";
import type { CellView, TableView } from "../view/table-view.ts";
import type { Token } from "../view/tokens.ts";
import { type Area, cellOf, type PrintedRecord, type RecordSet } from "./record-set.ts";

const rowOf = (cells: readonly CellView[], page: number): PrintedRecord => ({
  page,
  top: Math.min(...cells.map((cell) => cell.box.top)),
  cells: new Map(
    cells.map(({ column, lines, verbatim }) => [
      column,
      verbatim === undefined ? cellOf(lines) : { ...cellOf(lines), verbatim },
    ]),
  ),
});

/** A heading's word as printed; a misread one in the spelling of labels. */
export const headingText = (token: Token): string =>
  token.recognised && token.key !== labelKey(token.text) ? token.words.join(" ") : token.text;

/** The heading of each column, from the top down; a spanning cell heads each of its columns. */
function headingsOf(rows: readonly CellView[][], columns: number): string[] {
  const texts = Array.from({ length: columns }, (): Token[][] => []);
  for (const cell of rows.flat()) {
    for (let column = cell.column; column < Math.min(columns, cell.column + cell.columnSpan); column += 1)
      texts[column]?.push(...cell.lines);
  }
  return texts.map((lines) => cellOf(lines, headingText).text);
}

const holdsNumber = (cells: readonly CellView[]): boolean =>
  cells.some((cell) => cell.lines.some((line) => line.some((token) => /^[-+(]?[\d.,]*\d[\d.,]*\)?$/.test(token.text))));

/** Number of header rows: the reader's, or the first row if it has only words. */
function headerRows(table: TableView): number {
  if (table.headerRows > 0) return Math.min(table.headerRows, table.rows.length);
  const [first] = table.rows;
  return first !== undefined && first.length >= 2 && first.length >= table.columns / 2 && !holdsNumber(first) ? 1 : 0;
}

const areaOf = ({ page, box: { top, bottom } }: TableView): Area => ({ page, top, bottom });

/** Tables with more columns are ignored. */
const MAX_COLUMNS = 200;

const cached = new WeakMap<DocumentView, readonly RecordSet[]>();

/** The reader's tables; one that continues on the next page is one set. Found once for a view. */
export function tableRecords(view: DocumentView): readonly RecordSet[] {
  const sets = cached.get(view) ?? findTableRecords(view);
  cached.set(view, sets);
  return sets;
}

function findTableRecords(view: DocumentView): RecordSet[] {
  const sets: RecordSet[] = [];
  for (const table of view.tables) {
    if (table.columns > MAX_COLUMNS) continue;
    const heads = headerRows(table);
    const body = table.rows.slice(heads).flatMap((cells) => (cells.length > 0 ? [rowOf(cells, table.page)] : []));
    const before = sets.at(-1);
    if (table.continued && before !== undefined && before.headings.length === table.columns) {
      // A header row that does not repeat the first one is a row of the table.
      const headings = headingsOf(table.rows.slice(0, heads), table.columns);
      const repeated = table.headerRows > 0 || headings.join() === before.headings.join();
      if (!repeated && heads > 0) body.unshift(rowOf(table.rows[0] ?? [], table.page));
      for (const row of body) before.records.push(row);
      before.areas.push(areaOf(table));
      continue;
    }
    sets.push({
      evidence: "table",
      areas: [areaOf(table)],
      headings: headingsOf(table.rows.slice(0, heads), table.columns),
      records: body,
      ...(table.verbatim ? { verbatim: true } : {}),
    });
  }
  return sets;
}
