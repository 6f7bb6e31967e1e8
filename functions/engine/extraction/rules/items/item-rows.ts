/** Tables from plain rows below a header row that names columns, for tables that the reader did not detect. */

import { areasOf, type PrintedRecord, type RecordSet } from "../../../structure/records/record-set.ts";
import { headingText } from "../../../structure/records/table-records.ts";
import type { DocumentView } from "../../../structure/view/document-view.ts";
import type { TableView } from "../../../structure/view/table-view.ts";
import { type Row, type Segment, unionOf } from "../../../structure/view/tokens.ts";
import { parseDate } from "../../../values/dates.ts";
import { parseNumber } from "../../../values/numbers.ts";
import { LabelIndex, type LabelMeaning } from "../../../values/vocabulary/label-index.ts";
import { ITEM_LABELS } from "../../../values/vocabulary/vocabulary.ts";
import { fillsSegment, findLabels, type LabelHit, type LabelMap } from "../find-labels.ts";
import type { Conventions } from "../value-reader.ts";
import { joinNextLines, joinWrappedLines } from "./lower-lines.ts";
import { type Column, cellsOf, overlaps } from "./row-columns.ts";
import { classifyRow, type RowsBelow, standsAlone } from "./row-ends.ts";
import { type MadeRow, makeRow, RowStatistics } from "./row-statistics.ts";

export interface ItemHeader {
  row: Row;
  columns: Column[];
}

const NUMERIC_CONCEPTS = new Set(["quantity", "unit-price", "line-amount", "tax-rate", "tax-total"]);
/** Rows of one table. */
const MAX_ROWS = 20_000;
/** Share of a header's words that must be labels. */
const MIN_LABEL_WORD_SHARE = 0.55;

/** Whole segments that name columns, of numbers among them, are a header whatever stands between them. */
const MIN_NAMED_SEGMENTS = 3;
const MIN_NAMED_NUMBERS = 2;

function namesNumberColumns({ segments }: Row, labels: LabelMap): boolean {
  const whole = segments.flatMap((segment) => {
    const own = (labels.bySegment.get(segment) ?? []).filter(fillsSegment);
    return own.length === 0 ? [] : [own.map(({ concept }) => concept)];
  });
  const numbers = new Set(whole.flatMap((concepts) => concepts.find((id) => NUMERIC_CONCEPTS.has(id)) ?? []));
  return whole.length >= MIN_NAMED_SEGMENTS && numbers.size >= MIN_NAMED_NUMBERS;
}

/** The header of line items in a row: its labels name at least three columns, or two with the description. */
function headerOf(row: Row, labels: LabelMap): ItemHeader | null {
  const hits = row.segments.flatMap((segment) => labels.bySegment.get(segment) ?? []);
  if (hits.length < 2) return null;
  const covered = new Set(hits.flatMap((hit) => hit.segment.tokens.slice(hit.from, hit.to)));
  const words = row.segments.flatMap((segment) => segment.tokens).filter((token) => /\p{L}{2,}/u.test(token.text));
  // A header consists of labels, not of values or sentences.
  const isValue = ({ text }: Segment): boolean =>
    parseNumber(text, "point") !== null || parseDate(text, "day-first") !== null;
  if (row.segments.some(isValue)) return null;
  if (hits.some((hit) => hit.colon)) return null;
  const named = words.filter((token) => covered.has(token)).length;
  if (named < words.length * MIN_LABEL_WORD_SHARE && !namesNumberColumns(row, labels)) return null;
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
  // Unknown headings make columns too.
  const unnamed = row.segments.filter((segment) => !segment.tokens.some((token) => covered.has(token)));
  columns.push(
    ...unnamed.map(({ box: { left, right }, text }) => ({ heading: text, concepts: new Set<string>(), left, right })),
  );
  const has = (id: string): boolean => columns.some((column) => column.concepts.has(id));
  const known = byPlace.size;
  const numeric = columns.filter((column) => [...column.concepts].some((id) => NUMERIC_CONCEPTS.has(id))).length;
  // Two of a list's own properties side by side are a header.
  const own = columns.filter((column) => [...column.concepts].some((id) => id.startsWith("own:"))).length;
  const enough =
    own >= 2 ||
    (known >= 3
      ? numeric >= 1 && (has("item-description") || has("unit-price") || has("quantity"))
      : known === 2 && has("item-description") && numeric >= 1);
  return enough ? { row, columns: columns.sort((a, b) => a.left - b.left) } : null;
}

/** The header rows of line items, by the vocabulary's item labels. */
export function findItemHeaders(view: DocumentView, labels: LabelMap): ItemHeader[] {
  return view.rows.flatMap((row) => headerOf(row, labels) ?? []);
}

/** Rows around a header that may hold more of its table's headings. */
const MAX_HEADING_DISTANCE_ROWS = 6;

/**
 * Indexes of the header rows of line items: the rows that name the columns, and all rows of the headings of the reader's
 * table there (`Zeilenbetrag`, below it `Ohne MwSt.`).
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
    for (const near of view.rows.slice(
      Math.max(0, row.index - MAX_HEADING_DISTANCE_ROWS),
      row.index + MAX_HEADING_DISTANCE_ROWS + 1,
    ))
      if (tableOf(near) === table) found.add(near.index);
  }
  return found;
}

/** Labels of line items in a document, including those of the schema's own item fields. */
export const findItemLabels = (view: DocumentView, own: Map<string, LabelMeaning[]>): LabelMap =>
  findLabels(view, new LabelIndex(own, ITEM_LABELS));

/** Rows above and below a header row that may belong to it: headings of several lines. */
const MAX_HEADING_ROWS = 3;

const MAX_HEADING_GAP_HEIGHTS = 0.6;

const isWords = ({ segments }: Row): boolean =>
  segments.every(({ tokens }) => tokens.every(({ text }) => !/\d/.test(text) && !/[:.]$/.test(text)));

/** Each segment of a row stands above or below exactly one column, with hardly a gap between. */
function belongsToHeader(row: Row, neighbour: Row, columns: readonly Column[]): boolean {
  const gap = Math.max(row.box.top - neighbour.box.bottom, neighbour.box.top - row.box.bottom);
  if (row.page !== neighbour.page || gap > MAX_HEADING_GAP_HEIGHTS * (row.box.bottom - row.box.top) || !isWords(row))
    return false;
  return row.segments.every((segment) => columns.filter((column) => overlaps(segment, column)).length === 1);
}

/** A header with the other lines of its headings, and its last row. */
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
    for (let count = 0; count < MAX_HEADING_ROWS; count += 1) {
      const row = view.rows[neighbour.index + step];
      if (row === undefined || !belongsToHeader(row, neighbour, columns)) break;
      // Below a one-line header, words alone begin the first row.
      if (step > 0 && !rowAfterIsBody(row, view, columns)) break;
      add(row, step > 0);
      neighbour = row;
      last = Math.max(last, row.index);
    }
  }
  return { columns, last };
}

/** A line of words is followed by a row with more columns: it ends the header. */
function rowAfterIsBody(row: Row, view: DocumentView, columns: readonly Column[]): boolean {
  const next = view.rows[row.index + 1];
  if (next === undefined || row.segments.length < 2) return false;
  return next.page === row.page && cellsOf(next, columns).size > row.segments.length && !isWords(next);
}

/** Rows skipped at the top of the next page before a table continues. */
const MAX_RUNNING_HEADER_ROWS = 12;

/** A row on another page continues the table: numbers in at least two number columns, or in all of them. */
const continuesTable = (row: MadeRow, statistics: RowStatistics): boolean =>
  statistics.known.length < 2
    ? statistics.fits(row)
    : statistics.known.filter((column) => row.numbers.has(column)).length >= 2;

interface TableBody {
  rows: PrintedRecord[];
  /** The rows of the view that it uses. */
  taken: Row[];
}

/** The rows below a header, each made once. */
function rowsBelow({ columns }: ItemHeader, stops: ReadonlyMap<number, string>, search: RowSearch): RowsBelow {
  const made = new Map<number, MadeRow>();
  return (index) => {
    const row = search.view.rows[index];
    if (row === undefined || stops.has(index)) return undefined;
    const known = made.get(index) ?? makeRow(row, columns, search.conventions);
    made.set(index, known);
    return known;
  };
}

/** The table below a header, across pages, up to the sums, the next header or the end of the columns. */
function bodyOf(header: ItemHeader, from: number, stops: ReadonlyMap<number, string>, search: RowSearch): TableBody {
  const body: TableBody = { rows: [], taken: [] };
  const statistics = new RowStatistics();
  const below = rowsBelow(header, stops, search);
  const own = stops.get(header.row.index);
  const end = {
    labels: search.labels,
    below,
    headsAgain: (index: number) => own !== undefined && stops.get(index) === own,
    firstRight: header.columns[0]?.right ?? 0,
  };
  let { page } = header.row;
  let passed = 0;
  for (let index = from + 1; body.rows.length < MAX_ROWS; index += 1) {
    const made = below(index);
    const fate = made === undefined ? "end" : classifyRow(made, statistics, end);
    if (made === undefined || fate === "end") break;
    if (made.page !== page) {
      if (made.page > page + 1 || body.rows.length === 0) break;
      if (!continuesTable(made, statistics)) {
        passed += 1;
        if (passed > MAX_RUNNING_HEADER_ROWS) break;
        continue;
      }
      page = made.page;
      passed = 0;
    }
    if (fate === "sum") {
      statistics.endSection();
      continue;
    }
    if (standsAlone(made, body.taken.at(-1), statistics)) continue;
    statistics.add(made);
    body.rows.push(made);
    body.taken.push(made.row);
  }
  return body;
}

interface RowSearch {
  view: DocumentView;
  /** The document's labels, for the sums that end a table. */
  labels: LabelMap;
  conventions: Conventions;
}

/** Grids of the rows below each header. @param own label keys of the lists' properties */
export function gridsOfRows(search: RowSearch, own: Map<string, LabelMeaning[]>): RecordSet[] {
  const headers = findItemHeaders(search.view, findItemLabels(search.view, own));
  const stops = new Map(headers.map(({ row }) => [row.index, row.segments.map(({ text }) => text).join("\n")]));
  return headers.map((header) => {
    const { columns, last } = wholeHeader(header, search.view);
    const { rows, taken } = bodyOf({ ...header, columns }, last, stops, search);
    return {
      evidence: "headings",
      areas: areasOf([header.row, ...taken]),
      headings: columns.map(({ heading }) => heading),
      records: joinWrappedLines(joinNextLines(rows, search.conventions), search.conventions),
    };
  });
}
