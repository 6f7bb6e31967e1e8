/** The record sets of the reader's tables. */

import { unionBox } from "../../layout/geometry.ts";
import { labelKey } from "../../values/label-words.ts";
import type { DocumentView } from "../view/document-view.ts";
import type { CellView, TableView } from "../view/table-view.ts";
import type { Token } from "../view/tokens.ts";
import { type CellKind, cellKind } from "./cell-kinds.ts";
import { areasOf, cellOf, type PrintedRecord, type RecordSet } from "./record-set.ts";

const rowOf = (cells: readonly CellView[], page: number): PrintedRecord => ({
  page,
  box: unionBox(cells.map(({ box }) => box)),
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

/** Years head columns whatever stands below them. */
const YEAR = /^(?:19|20)\d{2}$/;

/** Dashes, as columns of values print them for nothing. */
const UNKNOWN = /^[-\u2010-\u2015.\s]+$/u;

const kindOf = ({ lines }: CellView): CellKind => {
  const { text } = cellOf(lines);
  return YEAR.test(text) ? "text" : cellKind(text);
};

/** Rows of a table's body whose values tell those of its columns. */
const MAX_BODY_ROWS = 20;

/** A value of the kind of all values below it, or a mark for one. */
function isLikeThoseBelow(cell: CellView, body: readonly CellView[][]): boolean {
  const kind = kindOf(cell);
  const below = body.slice(0, MAX_BODY_ROWS).flatMap((row) => row.filter(({ column }) => column === cell.column));
  const isMark = cell.column > 0 && UNKNOWN.test(cellOf(cell.lines).text);
  return below.length > 0 && below.every((other) => (isMark ? kindOf(other) !== "text" : kindOf(other) === kind));
}

/** A row with values where the body has values of the same kinds: files mark some such rows as headings. */
function readsLikeBody(cells: readonly CellView[], body: readonly CellView[][]): boolean {
  const valued = cells.filter((cell) => kindOf(cell) !== "text");
  const isFull = cells.length >= Math.max(...body.map(({ length }) => length));
  return isFull && valued.length > 0 && valued.every((cell) => isLikeThoseBelow(cell, body));
}

/** A row of words, none of them a value of its column. */
function isWords(cells: readonly CellView[], body: readonly CellView[][]): boolean {
  const marks = cells.filter((cell) => kindOf(cell) !== "text" || UNKNOWN.test(cellOf(cell.lines).text));
  return !holdsNumber(cells) && !marks.some((cell) => isLikeThoseBelow(cell, body));
}

/** Number of header rows: the reader's without rows of the body, or the first row if it has only words. */
function headerRows({ rows, columns, headerRows: marked }: TableView): number {
  const [first = []] = rows;
  if (marked === 0) return first.length >= Math.max(2, columns / 2) && isWords(first, rows.slice(1)) ? 1 : 0;
  const body = rows.slice(marked);
  const end = rows.slice(1, marked).findIndex((cells) => readsLikeBody(cells, body));
  return end < 0 ? Math.min(marked, rows.length) : end + 1;
}

/** The header rows of a table that cannot be rows of a list: words above words may be one. */
export const certainHeaderRows = (table: TableView): number =>
  table.headerRows > 0 || table.rows.some(holdsNumber) ? headerRows(table) : 0;

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
      before.areas.push(...areasOf([table]));
      continue;
    }
    sets.push({
      evidence: "table",
      areas: areasOf([table]),
      headings: headingsOf(table.rows.slice(0, heads), table.columns),
      records: body,
      ...(table.verbatim ? { verbatim: true } : {}),
    });
  }
  return sets;
}
