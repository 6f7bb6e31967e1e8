/** The general result without a schema: type, language, labelled values and tables of a document. */

import { middleY } from "../../layout/geometry.ts";
import type { DocumentView } from "../../structure/view/document-view.ts";
import type { TableView } from "../../structure/view/table-view.ts";
import { type Row, type Segment, tokensBetween } from "../../structure/view/tokens.ts";
import { leadingTick } from "../../values/booleans.ts";
import { trimValue } from "../../values/text-folding.ts";
import { titledKind } from "../document-type/titled-kind.ts";
import type { LabelMap } from "./find-labels.ts";
import { type Finding, findingNode, nullNode, type ResultNode } from "./findings.ts";
import { alignmentWeight } from "./value-candidates.ts";

const MAX_KEY_VALUES = 200;
const MAX_TABLES = 50;
const MAX_TABLE_ROWS = 500;
/** Factor on the reader's confidence in its pairs. */
const READER_PAIR_FACTOR = 0.9;

function segmentFinding(segment: Segment, start: number, end: number, confidence: number, value?: string): Finding {
  return { value: value ?? segment.text.slice(start, end), tokens: tokensBetween(segment, start, end), confidence };
}

interface KeyValuePair {
  key: string;
  finding: Finding;
}

/** Longer lines are sentences with a colon. */
const MAX_LINE_WORDS = 16;
const MAX_VALUE_WORDS = 12;
const MIN_KEY_CHARS = 2;
const MAX_KEY_CHARS = 48;
const MAX_KEY_WORDS = 6;
const MAX_GAP_BELOW_INCHES = 0.25;
const MAX_TABLE_ROW_GAP_INCHES = 0.35;

/** Text before a colon that may be a label: a few words, no sentence, address or time. */
const isKey = (text: string): boolean =>
  text.length >= MIN_KEY_CHARS &&
  text.length <= MAX_KEY_CHARS &&
  text.split(/\s+/).length <= MAX_KEY_WORDS &&
  /^[\p{Lu}\d#][^,]*$/u.test(text) &&
  /\p{L}{2,}/u.test(text) &&
  !/[.;!?]\s|https?$/u.test(text);

function makePair(key: string, segment: Segment, start: number, end: number, confidence: number): KeyValuePair | null {
  const raw = segment.text.slice(start, end);
  const value = trimValue(raw);
  if (value === "" || value.split(" ").length > MAX_VALUE_WORDS || !/[\p{L}\p{N}]/u.test(value)) return null;
  const from = start + raw.indexOf(value);
  if (raw.indexOf(value) < 0) return null;
  return { key, finding: segmentFinding(segment, from, from + value.length, confidence) };
}

/** `Label: value` on one segment; several when the vocabulary knows the later labels. */
function pairsInSegment(segment: Segment, labels: LabelMap): KeyValuePair[] {
  if (segment.tokens.length > MAX_LINE_WORDS) return [];
  const cuts = (labels.bySegment.get(segment) ?? [])
    .filter((hit) => hit.colon && hit.from > 0)
    .map((hit) => segment.starts[hit.from] ?? 0);
  const bounds = [0, ...new Set(cuts), segment.text.length];
  return bounds.slice(0, -1).flatMap((from, index) => {
    const to = bounds[index + 1] ?? segment.text.length;
    const colon = segment.text.slice(from, to).search(/:(?:\s|$)/);
    if (colon < 0) return [];
    const key = segment.text.slice(from, from + colon).trim();
    return isKey(key) ? (makePair(key, segment, from + colon + 1, to, 0.85) ?? []) : [];
  });
}

/** A label alone on its segment, with a colon or from the vocabulary; its value is right of it or below. */
function pairAcross(segment: Segment, row: Row, view: DocumentView, labels: LabelMap): KeyValuePair | null {
  const colon = /:\s*$/.test(segment.text);
  const known = (labels.bySegment.get(segment) ?? []).some(
    (hit) => hit.from === 0 && hit.to === segment.tokens.length && hit.strength === 1,
  );
  const key = segment.text.replace(/\s*:\s*$/, "").trim();
  if ((!colon && !known) || !isKey(key)) return null;
  const isLabel = (other: Segment): boolean =>
    /:\s*$/.test(other.text) ||
    (labels.bySegment.get(other) ?? []).some(
      (hit) => hit.from === 0 && hit.to === other.tokens.length && hit.strength === 1,
    );
  const right = row.segments[row.segments.indexOf(segment) + 1];
  if (right !== undefined && !isLabel(right) && !/:\s/.test(right.text))
    return makePair(key, right, 0, right.text.length, colon ? 0.8 : 0.65);
  if (right !== undefined && !isLabel(right)) return null;
  const next = view.rows[row.index + 1];
  const below =
    next?.page === row.page
      ? next.segments.find(
          (other) => alignmentWeight(segment.box, other.box) >= 0.97 && !isLabel(other) && !/:\s/.test(other.text),
        )
      : undefined;
  return below === undefined || below.box.top - segment.box.bottom > MAX_GAP_BELOW_INCHES
    ? null
    : makePair(key, below, 0, below.text.length, colon ? 0.7 : 0.6);
}

/** The reader's pairs of labels and values: a checkbox is a boolean, text of several places is one value. */
function readerPairs(view: DocumentView): KeyValuePair[] {
  return [...view.pairs.values()].flatMap(({ label, whole: [whole], confidence }): KeyValuePair[] => {
    const key = label.text.replace(/\s*:\s*$/, "").trim();
    if (key === "" || whole === undefined) return [];
    const { tokens, text } = whole;
    const state = tokens.length === 1 ? leadingTick(tokens[0]?.text ?? "") : null;
    const value = state ?? trimValue(text);
    return value === "" ? [] : [{ key, finding: { value, tokens, confidence: READER_PAIR_FACTOR * confidence } }];
  });
}

function keyValues(
  view: DocumentView,
  labels: LabelMap,
  rowsOfText: readonly Row[],
  ofForm: readonly KeyValuePair[] | null,
): ResultNode {
  const members = new Map<string, ResultNode>();
  const add = ({ key, finding }: KeyValuePair): void => {
    let unique = key;
    for (let count = 2; members.has(unique); count += 1) unique = `${key} (${count})`;
    if (members.size < MAX_KEY_VALUES) members.set(unique, findingNode(finding));
  };
  if (ofForm !== null) {
    ofForm.forEach(add);
    return { kind: "object", members: [...members] };
  }
  const known = readerPairs(view);
  const taken = new Set(known.flatMap(({ finding }) => finding.tokens));
  known.forEach(add);
  for (const row of rowsOfText) {
    for (const segment of row.segments) {
      if (members.size >= MAX_KEY_VALUES) break;
      const inside = pairsInSegment(segment, labels);
      const across = inside.length > 0 ? null : pairAcross(segment, row, view, labels);
      for (const found of across === null ? inside : [across]) {
        if (!found.finding.tokens.some((token) => taken.has(token))) add(found);
      }
    }
  }
  return { kind: "object", members: [...members] };
}

/** Every cell of a row is aligned with one of the row above. */
function continuesColumns(above: Row, below: Row): boolean {
  if (above.page !== below.page || above.segments.length !== below.segments.length) return false;
  if (below.box.top - above.box.bottom > MAX_TABLE_ROW_GAP_INCHES) return false;
  return below.segments.every((segment, index) => {
    const over = above.segments[index];
    return over !== undefined && alignmentWeight(over.box, segment.box) >= 0.97;
  });
}

/** Rows form a table: short cells, and a column of numbers or single words. Columns of prose are none. */
function isTable(rows: readonly Row[]): boolean {
  const cells = rows.flatMap((row) => row.segments);
  const words = cells.reduce((sum, cell) => sum + cell.tokens.length, 0);
  if (words / cells.length > 4) return false;
  const width = rows[0]?.segments.length ?? 0;
  const shortCells = (column: number): number =>
    rows.filter((row) => (row.segments[column]?.tokens.length ?? 9) <= 2).length;
  return Array.from({ length: width }, (_, column) => shortCells(column)).some((count) => count >= rows.length * 0.8);
}

/** Minimum rows of a table of two columns: fewer are labels with values. */
const MIN_TWO_COLUMN_ROWS = 5;
/** A number, date or percentage alone in its cell. */
const isValue = (cell: Segment | undefined): boolean =>
  cell !== undefined && /\d/.test(cell.text) && !/\p{L}{4,}|:$/u.test(cell.text);
const isHeading = ({ segments }: Row): boolean =>
  segments.length === 2 && segments.every(({ text }) => /\p{L}/u.test(text) && !/\d|:$/.test(text));

/** The rows of a two-column table: headings over both columns, and values all down one of them. */
function twoColumnRows(run: readonly Row[], view: DocumentView): Row[] {
  const [first] = run;
  const above = first === undefined ? undefined : view.rows[first.index - 1];
  const headed = first !== undefined && isHeading(first);
  const lone = !headed && above !== undefined && above.page === first?.page && isHeading(above) ? [above] : [];
  const body = headed ? run.slice(1) : run;
  const valued = [0, 1].some((column) => body.every(({ segments }) => isValue(segments[column])));
  return body.length >= MIN_TWO_COLUMN_ROWS - 1 && valued && (headed || lone.length > 0) ? [...lone, ...run] : [];
}

/** The rows of a run that form a table: three or more of three cells or more, or enough of two under headings. */
function tableRows(run: readonly Row[], view: DocumentView): readonly Row[] {
  if (run[0]?.segments.length === 2) return twoColumnRows(run, view);
  return run.length >= 3 && isTable(run) ? run : [];
}

const tableNode = (page: number, rows: ResultNode[]): ResultNode => ({
  kind: "object",
  members: [
    ["page", { kind: "plain", value: page, reason: "derived" }],
    ["rows", { kind: "list", items: rows }],
  ],
});

/** Confidence of a cell of data, as of one that fits its column. */
const DATA_CELL_CONFIDENCE = 0.84;

/** A table of data, cell by cell; an empty cell is null. */
function dataTable({ page, columns, rows }: TableView): ResultNode {
  const items = rows.slice(0, MAX_TABLE_ROWS).map((cells): ResultNode => {
    const own = new Map(cells.map((cell) => [cell.column, cell]));
    const values = Array.from({ length: columns }, (_, column): ResultNode => {
      const { verbatim: value, lines = [] } = own.get(column) ?? {};
      const tokens = lines.flat();
      return value === undefined ? nullNode() : findingNode({ value, tokens, confidence: DATA_CELL_CONFIDENCE });
    });
    return { kind: "list", items: values };
  });
  return tableNode(page, items);
}

/** True for rows of tables of data: their cells are known. */
function isInData(view: DocumentView): (row: Row) => boolean {
  const data = view.tables.filter(({ verbatim }) => verbatim);
  return ({ page, box }) =>
    data.some((table) => table.page === page && middleY(box) > table.box.top && middleY(box) < table.box.bottom);
}

/** All tables of data and of aligned rows. */
function tables(view: DocumentView, rowsOfText: readonly Row[]): ResultNode {
  const found = view.tables
    .filter(({ verbatim }) => verbatim)
    .slice(0, MAX_TABLES)
    .map(dataTable);
  let run: Row[] = [];
  const close = (): void => {
    const rowsOfTable = tableRows(run, view);
    const [first] = rowsOfTable;
    if (first !== undefined && found.length < MAX_TABLES) {
      const rows = rowsOfTable.slice(0, MAX_TABLE_ROWS).map(
        (row): ResultNode => ({
          kind: "list",
          items: row.segments.map((segment) => findingNode(segmentFinding(segment, 0, segment.text.length, 0.75))),
        }),
      );
      found.push(tableNode(first.page, rows));
    }
    run = [];
  };
  for (const row of rowsOfText) {
    const last = run.at(-1);
    if (last !== undefined && !continuesColumns(last, row)) close();
    if (row.segments.length >= 2) run.push(row);
  }
  close();
  return { kind: "list", items: found };
}

/**
 * The general result.
 * @param language ISO 639-1, decided from the whole text and therefore without a place
 * @param ofForm the filled places of a form, of which the rest is print; null for another document
 */
export function generalResult(
  view: DocumentView,
  labels: LabelMap,
  language: string | null,
  ofForm: readonly KeyValuePair[] | null = null,
): ResultNode {
  const inData = isInData(view);
  const rowsOfText = view.rows.filter((row) => !inData(row));
  return {
    kind: "object",
    members: [
      ["document_type", findingNode(titledKind(view))],
      ["language", language === null ? nullNode() : { kind: "plain", value: language, reason: "derived" }],
      ["key_values", keyValues(view, labels, rowsOfText, ofForm)],
      ["tables", tables(view, rowsOfText)],
    ],
  };
}
