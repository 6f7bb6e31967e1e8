/** Grids: tables of any origin as headings over columns and rows of cells. */

import type { DocumentView } from "../../../structure/view/document-view.ts";
import type { CellView, TableView } from "../../../structure/view/table-view.ts";
import type { Token } from "../../../structure/view/tokens.ts";
import { labelKey } from "../../../values/text-folding.ts";
import { DOCUMENT_LABELS } from "../../../values/vocabulary/vocabulary.ts";

export interface GridCell {
  tokens: Token[];
  /** Its lines with single spaces, a word parted at a line's end whole again. */
  text: string;
  lines: { tokens: Token[]; text: string }[];
}

export interface GridRow {
  page: number;
  top: number;
  /** By column, from 0. */
  cells: Map<number, GridCell>;
}

/** Where a grid stands on one page. Inches. */
export interface Area {
  page: number;
  top: number;
  bottom: number;
}

export interface Grid {
  /** One for each page that it reaches, the first one first. */
  areas: [Area, ...Area[]];
  /** Texts that head the columns, `""` where nothing does. */
  headings: string[];
  rows: GridRow[];
}

const HYPHENATED = /\p{L}[-\u00ad]$/u;

/** A cell of lines of tokens. @param textOf what a token says */
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
  cells: new Map(cells.map((cell) => [cell.column, cellOf(cell.lines)])),
});

/** A heading's word as it is printed; where it was misread, as labels spell what is meant. */
export const headingText = (token: Token): string =>
  token.recognised && token.key !== labelKey(token.text) ? token.words.join(" ") : token.text;

/** The texts over each column, from the top down; a cell over several columns heads each of them. */
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

/** Rows that head a table: those that the reader told, or the first one where it told none and it is all words. */
function headerRows(table: TableView): number {
  if (table.headerRows > 0) return Math.min(table.headerRows, table.rows.length);
  const [first] = table.rows;
  return first !== undefined && first.length >= 2 && first.length >= table.columns / 2 && !holdsNumber(first) ? 1 : 0;
}

const areaOf = ({ page, box: { top, bottom } }: TableView): Area => ({ page, top, bottom });

/** More columns than any page shows are no table. */
const MAX_COLUMNS = 200;

/** The reader's tables; what goes on from page to page is one grid. */
export function gridsOf(view: DocumentView): Grid[] {
  const grids: Grid[] = [];
  for (const table of view.tables) {
    if (table.columns > MAX_COLUMNS) continue;
    const heads = headerRows(table);
    const body = table.rows.slice(heads).flatMap((cells) => (cells.length > 0 ? [rowOf(cells, table.page)] : []));
    const before = grids.at(-1);
    if (table.continued && before !== undefined && before.headings.length === table.columns) {
      // A header that is another begins a table of its own.
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
    });
  }
  return grids;
}

/** Sums and carried balances: they end or part a table, and are no items. */
const MONEY_CODE = /(?<!\p{L})(?:\p{Lu}{3}|euros?)(?!\p{L})/giu;
const SUMS = new Set(["net-total", "tax-total", "gross-total", "amount-due", "previous-balance"]);

/** A row that begins with the label of a sum and has little else. */
export function isSumRow(row: GridRow): boolean {
  const filled = [...row.cells].sort((a, b) => a[0] - b[0]).map(([, cell]) => cell);
  const labels = filled.filter(({ text }) => /\p{L}{2,}/u.test(text.replace(MONEY_CODE, "")));
  const [first] = labels;
  if (first === undefined || labels.length > 1 || first.text.length > 60) return false;
  const key = labelKey(first.text.replace(MONEY_CODE, " ").replace(/[\d.,]+\s?%?|[()€$£:]/g, " "));
  return DOCUMENT_LABELS.meaningsOf(key).some(({ concept }) => SUMS.has(concept)) && filled.length <= 4;
}
