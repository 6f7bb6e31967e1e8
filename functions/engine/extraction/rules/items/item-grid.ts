/** Grids: tables of any origin as headings and rows of cells. */

import type { DocumentView } from "../../../structure/view/document-view.ts";
import type { CellView, TableView } from "../../../structure/view/table-view.ts";
import type { Token } from "../../../structure/view/tokens.ts";
import { labelKey } from "../../../values/text-folding.ts";
import { DOCUMENT_LABELS } from "../../../values/vocabulary/vocabulary.ts";

export interface GridCell {
  tokens: Token[];
  /** Its lines with single spaces; hyphenated words are joined. */
  text: string;
  lines: { tokens: Token[]; text: string }[];
  /** In a table of data: its text, every character of it. */
  verbatim?: string;
}

export interface GridRow {
  page: number;
  top: number;
  /** By column, from 0. */
  cells: Map<number, GridCell>;
}

/** A grid's area on one page. Inches. */
export interface Area {
  page: number;
  top: number;
  bottom: number;
}

export interface Grid {
  /** One per page, in page order. */
  areas: [Area, ...Area[]];
  /** Column headings, `""` for columns without one. */
  headings: string[];
  rows: GridRow[];
  /** A table of data: its rows and columns are the file's own. */
  verbatim?: true;
}

const HYPHENATED = /\p{L}[-\u00ad]$/u;

/** A cell of lines of tokens. @param textOf gives a token's text */
export function cellOf(lines: readonly Token[][], textOf = (token: Token): string => token.text): GridCell {
  const own = lines.map((tokens) => ({ tokens, text: tokens.map(textOf).join(" ") }));
  let text = "";
  for (const line of own) {
    const parted = HYPHENATED.test(text) && /^\p{Ll}/u.test(line.text);
    text = parted ? text.slice(0, -1) + line.text : text === "" ? line.text : `${text} ${line.text}`;
  }
  return { tokens: lines.flat(), text, lines: own };
}

const rowOf = (cells: readonly CellView[], page: number): GridRow => ({
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

/** The reader's tables; one that continues on the next page is one grid. */
export function gridsOf(view: DocumentView): Grid[] {
  const grids: Grid[] = [];
  for (const table of view.tables) {
    if (table.columns > MAX_COLUMNS) continue;
    const heads = headerRows(table);
    const body = table.rows.slice(heads).flatMap((cells) => (cells.length > 0 ? [rowOf(cells, table.page)] : []));
    const before = grids.at(-1);
    if (table.continued && before !== undefined && before.headings.length === table.columns) {
      // A header row that does not repeat the first one is a row of the table.
      const headings = headingsOf(table.rows.slice(0, heads), table.columns);
      const repeated = table.headerRows > 0 || headings.join() === before.headings.join();
      if (!repeated && heads > 0) body.unshift(rowOf(table.rows[0] ?? [], table.page));
      for (const row of body) before.rows.push(row);
      before.areas.push(areaOf(table));
      continue;
    }
    grids.push({
      areas: [areaOf(table)],
      headings: headingsOf(table.rows.slice(0, heads), table.columns),
      rows: body,
      ...(table.verbatim ? { verbatim: true } : {}),
    });
  }
  return grids;
}

const MONEY_CODE = /(?<!\p{L})(?:\p{Lu}{3}|euros?)(?!\p{L})/giu;
const MAX_SUM_LABEL_CHARS = 60;
const MAX_SUM_CELLS = 4;

/** Subtotal rows and carried balances: they are no items. */
const SUM_CONCEPTS = new Set(["net-total", "tax-total", "gross-total", "amount-due", "previous-balance"]);

/** A row that begins with the label of a sum and has few other cells. */
export function isSumRow(row: GridRow): boolean {
  const filled = [...row.cells].sort((a, b) => a[0] - b[0]).map(([, cell]) => cell);
  const labels = filled.filter(({ text }) => /\p{L}{2,}/u.test(text.replace(MONEY_CODE, "")));
  const [first] = labels;
  if (first === undefined || labels.length > 1 || first.text.length > MAX_SUM_LABEL_CHARS) return false;
  const key = labelKey(first.text.replace(MONEY_CODE, " ").replace(/[\d.,]+\s?%?|[()€$£:]/g, " "));
  return (
    DOCUMENT_LABELS.meaningsOf(key).some(({ concept }) => SUM_CONCEPTS.has(concept)) && filled.length <= MAX_SUM_CELLS
  );
}
