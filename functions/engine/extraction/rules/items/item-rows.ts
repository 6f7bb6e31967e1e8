/** Rows of words under a header that names columns: tables that the reader did not tell apart. No header, no rows. */

import type { DocumentView } from "../../../structure/view/document-view.ts";
import type { TableView } from "../../../structure/view/table-view.ts";
import { type Row, type Segment, unionOf } from "../../../structure/view/tokens.ts";
import { parseDate } from "../../../values/dates.ts";
import { parseNumber, scanNumbers } from "../../../values/numbers.ts";
import { LabelIndex, type LabelMeaning } from "../../../values/vocabulary/label-index.ts";
import { ITEM_LABELS } from "../../../values/vocabulary/vocabulary.ts";
import { findLabels, type LabelHit, type LabelMap } from "../find-labels.ts";
import type { Conventions } from "../value-reader.ts";
import { type Area, type Grid, type GridRow, headingText } from "./item-grid.ts";
import { type Column, cellsOf, overlaps } from "./row-columns.ts";
import { fateOf, type RowsBelow } from "./row-ends.ts";
import { Ledger, type MadeRow, makeRow } from "./row-ledger.ts";

export interface ItemHeader {
  row: Row;
  columns: Column[];
}

const NUMERIC = new Set(["quantity", "unit-price", "line-amount", "tax-rate", "tax-total"]);
/** Rows of one table. */
const MAX_ROWS = 20_000;

/** A row heads line items when its labels name at least three columns, or two of which one is the description. */
function headerOf(row: Row, labels: LabelMap): ItemHeader | null {
  const hits = row.segments.flatMap((segment) => labels.bySegment.get(segment) ?? []);
  if (hits.length < 2) return null;
  const covered = new Set(hits.flatMap((hit) => hit.segment.tokens.slice(hit.from, hit.to)));
  const words = row.segments.flatMap((segment) => segment.tokens).filter((token) => /\p{L}{2,}/u.test(token.text));
  // A header is made of labels, not of values or of sentences that mention some.
  const isValue = ({ text }: Segment): boolean =>
    parseNumber(text, "point") !== null || parseDate(text, "day-first") !== null;
  if (row.segments.some(isValue)) return null;
  if (hits.some((hit) => hit.colon) || words.filter((token) => covered.has(token)).length < words.length * 0.55)
    return null;
  const byPlace = new Map<string, LabelHit[]>();
  for (const hit of hits) {
    const key = `${hit.segment.box.left}/${hit.from}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), hit]);
  }
  const columns = [...byPlace.values()].map((group): Column => {
    const tokens = group.flatMap((hit) => hit.segment.tokens.slice(hit.from, hit.to));
    const { left, right } = unionOf(tokens);
    const heading = [...new Set(tokens)].map(headingText).join(" ");
    return { heading, concepts: new Set(group.map((hit) => hit.concept)), left, right };
  });
  // Columns that nobody knows still hold what stands under them.
  const unnamed = row.segments.filter((segment) => !segment.tokens.some((token) => covered.has(token)));
  columns.push(
    ...unnamed.map(({ box: { left, right }, text }) => ({ heading: text, concepts: new Set<string>(), left, right })),
  );
  const has = (id: string): boolean => columns.some((column) => column.concepts.has(id));
  const known = byPlace.size;
  const numeric = columns.filter((column) => [...column.concepts].some((id) => NUMERIC.has(id))).length;
  // Two of a list's own properties side by side head it, whatever it lists.
  const own = columns.filter((column) => [...column.concepts].some((id) => id.startsWith("own:"))).length;
  const enough =
    own >= 2 ||
    (known >= 3
      ? numeric >= 1 && (has("item-description") || has("unit-price") || has("quantity"))
      : known === 2 && has("item-description") && numeric >= 1);
  return enough ? { row, columns: columns.sort((a, b) => a.left - b.left) } : null;
}

/** The rows that head line items, by the vocabulary's item labels. */
export function findItemHeaders(view: DocumentView, labels: LabelMap): ItemHeader[] {
  return view.rows.flatMap((row) => headerOf(row, labels) ?? []);
}

/** Rows around a header's in which its table's headings are looked for. */
const HEADING_REACH = 6;

/**
 * Positions of the rows that head line items: those that name the columns, and with them all rows that the headings of
 * the reader's table take up there (`Zeilenbetrag`, below it `Ohne MwSt.`).
 */
export function itemHeaderRows(view: DocumentView, labels: LabelMap): ReadonlySet<number> {
  const headOf = new Map(
    view.tables.flatMap((table) =>
      table.rows
        .slice(0, table.headerRows)
        .flatMap((cells) => cells.flatMap(({ lines }) => lines.flat()).map((token) => [token, table] as const)),
    ),
  );
  const tableOf = ({ segments }: Row): TableView | undefined =>
    segments
      .flatMap(({ tokens }) => tokens)
      .map((token) => headOf.get(token))
      .find((table) => table !== undefined);
  const found = new Set<number>();
  for (const { row } of findItemHeaders(view, labels)) {
    found.add(row.index);
    const table = tableOf(row);
    if (table === undefined) continue;
    for (const near of view.rows.slice(Math.max(0, row.index - HEADING_REACH), row.index + HEADING_REACH + 1))
      if (tableOf(near) === table) found.add(near.index);
  }
  return found;
}

/** Labels of line items in a document, those of the schema's own item fields among them. */
export const findItemLabels = (view: DocumentView, own: Map<string, LabelMeaning[]>): LabelMap =>
  findLabels(view, new LabelIndex(own, ITEM_LABELS));

/** Rows over and under a header that may belong to it: headings of several lines. */
const HEADING_ROWS = 3;

const isWords = ({ segments }: Row): boolean =>
  segments.every(({ tokens }) => tokens.every(({ text }) => !/\d/.test(text) && !/[:.]$/.test(text)));

/** Does each part of a row stand over or under exactly one column, with hardly a line's space between? */
function belongsToHeader(row: Row, neighbour: Row, columns: readonly Column[]): boolean {
  const gap = Math.max(row.box.top - neighbour.box.bottom, neighbour.box.top - row.box.bottom);
  if (row.page !== neighbour.page || gap > 0.6 * (row.box.bottom - row.box.top) || !isWords(row)) return false;
  return row.segments.every((segment) => columns.filter((column) => overlaps(segment, column)).length === 1);
}

/** A header with the lines of its headings above and below, and the last row that is part of it. */
function wholeHeader(header: ItemHeader, view: DocumentView): { columns: Column[]; last: number } {
  const columns = header.columns.map((column) => ({ ...column }));
  let last = header.row.index;
  const add = (row: Row, below: boolean): void => {
    for (const segment of row.segments) {
      const column = columns.find((one) => overlaps(segment, one));
      if (column === undefined) continue;
      column.heading = below ? `${column.heading} ${segment.text}` : `${segment.text} ${column.heading}`;
      column.left = Math.min(column.left, segment.box.left);
      column.right = Math.max(column.right, segment.box.right);
    }
  };
  for (const step of [-1, 1]) {
    let neighbour = header.row;
    for (let count = 0; count < HEADING_ROWS; count += 1) {
      const row = view.rows[neighbour.index + step];
      if (row === undefined || !belongsToHeader(row, neighbour, columns)) break;
      // Under a header of single lines, words alone are the first row's beginning.
      if (step > 0 && !rowAfterIsBody(row, view, columns)) break;
      add(row, step > 0);
      neighbour = row;
      last = Math.max(last, row.index);
    }
  }
  return { columns, last };
}

/** Is a line of words followed by a row that fills more columns? Then it ends the header. */
function rowAfterIsBody(row: Row, view: DocumentView, columns: readonly Column[]): boolean {
  const next = view.rows[row.index + 1];
  if (next === undefined || row.segments.length < 2) return false;
  return next.page === row.page && cellsOf(next, columns).size > row.segments.length && !isWords(next);
}

const numbersIn = (row: GridRow, conventions: Conventions): number[] =>
  [...row.cells].flatMap(([column, { text }]) =>
    scanNumbers(text.slice(0, 60), conventions.notation).length > 0 ? [column] : [],
  );

/** Numbers that stand a line lower than the rest of their row join it: only in columns that it has left empty. */
function joinNextLines(rows: readonly GridRow[], conventions: Conventions): GridRow[] {
  const joined: GridRow[] = [];
  for (const row of rows) {
    const before = joined.at(-1);
    const numbers = numbersIn(row, conventions);
    const lone = numbers.length > 0 && numbers.length === row.cells.size;
    const near = before?.page === row.page && row.top - before.top < 0.4;
    const free = before !== undefined && [...row.cells.keys()].every((column) => !before.cells.has(column));
    if (before === undefined || !lone || !near || !free || numbersIn(before, conventions).length === 0) {
      joined.push({ ...row, cells: new Map(row.cells) });
      continue;
    }
    for (const [column, cell] of row.cells) before.cells.set(column, cell);
  }
  return joined;
}

/** Rows of a next page's head that are passed over before a table goes on. */
const RUNNING_ROWS = 12;

/** Does a row on another page go on with the columns: numbers under at least two that had some, or all that the rows have? */
const goesOn = (row: MadeRow, ledger: Ledger): boolean =>
  ledger.known.length < 2 ? ledger.fits(row) : ledger.known.filter((column) => row.numbers.has(column)).length >= 2;

interface Body {
  rows: GridRow[];
  /** Rows of the view that it takes. */
  taken: Row[];
}

/** Rows of the view as the table's, each made once. */
function rowsBelow({ columns }: ItemHeader, stops: ReadonlyMap<number, string>, scene: Scene): RowsBelow {
  const made = new Map<number, MadeRow>();
  return (index) => {
    const row = scene.view.rows[index];
    if (row === undefined || stops.has(index)) return undefined;
    const known = made.get(index) ?? makeRow(row, columns, scene.conventions);
    made.set(index, known);
    return known;
  };
}

/** The rows below a header, over pages, to the sums, the next header, or where the columns end. */
function bodyOf(header: ItemHeader, from: number, stops: ReadonlyMap<number, string>, scene: Scene): Body {
  const body: Body = { rows: [], taken: [] };
  const ledger = new Ledger();
  const below = rowsBelow(header, stops, scene);
  const own = stops.get(header.row.index);
  const end = {
    labels: scene.labels,
    below,
    headsAgain: (index: number) => own !== undefined && stops.get(index) === own,
    firstRight: header.columns[0]?.right ?? 0,
  };
  let { page } = header.row;
  let passed = 0;
  for (let index = from + 1; body.rows.length < MAX_ROWS; index += 1) {
    const made = below(index);
    const fate = made === undefined ? "end" : fateOf(made, ledger, end);
    if (made === undefined || fate === "end") break;
    if (made.page !== page) {
      if (made.page > page + 1 || body.rows.length === 0) break;
      if (!goesOn(made, ledger)) {
        passed += 1;
        if (passed > RUNNING_ROWS) break;
        continue;
      }
      page = made.page;
      passed = 0;
    }
    if (fate === "sum") {
      ledger.endSection();
      continue;
    }
    ledger.add(made);
    body.rows.push(made);
    body.taken.push(made.row);
  }
  return body;
}

interface Scene {
  view: DocumentView;
  /** The document's labels, for the sums that end a table. */
  labels: LabelMap;
  conventions: Conventions;
}

/** Where rows stand, page by page. */
function areasOf(first: Area, rows: readonly Row[]): [Area, ...Area[]] {
  const areas: [Area, ...Area[]] = [first];
  for (const { page, box } of rows) {
    const last = areas.at(-1) ?? first;
    if (last.page === page) last.bottom = Math.max(last.bottom, box.bottom);
    else areas.push({ page, top: box.top, bottom: box.bottom });
  }
  return areas;
}

/** Grids of the rows under each header. @param own label keys of the properties of lists */
export function gridsOfRows(scene: Scene, own: Map<string, LabelMeaning[]>): Grid[] {
  const headers = findItemHeaders(scene.view, findItemLabels(scene.view, own));
  const stops = new Map(headers.map(({ row }) => [row.index, row.segments.map(({ text }) => text).join("\n")]));
  return headers.map((header) => {
    const { columns, last } = wholeHeader(header, scene.view);
    const { rows, taken } = bodyOf({ ...header, columns }, last, stops, scene);
    const first: Area = { page: header.row.page, top: header.row.box.top, bottom: header.row.box.bottom };
    return {
      areas: areasOf(first, taken),
      headings: columns.map(({ heading }) => heading),
      rows: joinNextLines(rows, scene.conventions),
    };
  });
}
