/** Line items: rows of a table whose header names its columns. Modest on purpose: no header, no rows. */
import { type Finding, foundOr, type Node, nothing } from "./evidence.ts";
import { parseDate } from "./formats/dates.ts";
import { parseNumber, scanNumbers } from "./formats/numbers.ts";
import { LabelIndex, type LabelMeaning } from "./labelindex.ts";
import { findLabels, type LabelHit, type LabelMap } from "./labels.ts";
import { type Meaning, meaningOf } from "./meaning.ts";
import { type Conventions, readerFor } from "./reading.ts";
import type { Field, Shape } from "./schema.ts";
import { type DocumentView, type Row, type Segment, type Token, unionOf } from "./view.ts";
import { ITEM_LABELS } from "./vocabulary.ts";

interface Column {
  concepts: Set<string>;
  left: number;
  right: number;
}

export interface ItemHeader {
  row: Row;
  columns: Column[];
}

/** What stands in one column of one row. */
interface Cell {
  tokens: Token[];
  text: string;
}

const NUMERIC = new Set(["quantity", "unit-price", "line-amount", "tax-rate", "tax-total"]);
const MAX_ROWS = 1000;

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
    const box = unionOf(group.flatMap((hit) => hit.segment.tokens.slice(hit.from, hit.to)));
    return { concepts: new Set(group.map((hit) => hit.concept)), left: box.left, right: box.right };
  });
  // Columns that nobody knows still hold what stands under them.
  const unnamed = row.segments.filter((segment) => !segment.tokens.some((token) => covered.has(token)));
  columns.push(...unnamed.map(({ box }) => ({ concepts: new Set<string>(), left: box.left, right: box.right })));
  const has = (id: string): boolean => columns.some((column) => column.concepts.has(id));
  const known = byPlace.size;
  const numeric = columns.filter((column) => [...column.concepts].some((id) => NUMERIC.has(id))).length;
  const enough =
    known >= 3
      ? numeric >= 1 && (has("item-description") || has("unit-price") || has("quantity"))
      : known === 2 && has("item-description") && numeric >= 1;
  return enough ? { row, columns: columns.sort((a, b) => a.left - b.left) } : null;
}

/** The rows that head line items, by the vocabulary's item labels. */
export function findItemHeaders(view: DocumentView, labels: LabelMap): ItemHeader[] {
  return view.rows.flatMap((row) => headerOf(row, labels) ?? []);
}

/** Labels of line items in a document, those of the schema's own item fields among them. */
export const findItemLabels = (view: DocumentView, own: Map<string, LabelMeaning[]>): LabelMap =>
  findLabels(view, new LabelIndex(own, ITEM_LABELS));

const distance = (box: { left: number; right: number }, column: Column): number => {
  const edges = Math.min(
    Math.abs(box.left - column.left),
    Math.abs(box.right - column.right),
    Math.abs(box.left + box.right - column.left - column.right) / 2,
  );
  const overlap = Math.min(box.right, column.right) - Math.max(box.left, column.left);
  return overlap > 0 ? Math.min(edges, 0.2) : edges + 0.2;
};

function nearest(box: { left: number; right: number }, columns: readonly Column[]): number {
  let best = 0;
  for (let index = 1; index < columns.length; index += 1) {
    const [here, there] = [columns[index], columns[best]];
    if (here !== undefined && there !== undefined && distance(box, here) < distance(box, there)) best = index;
  }
  return best;
}

const overlaps = (segment: Segment, column: Column): boolean =>
  segment.box.left < column.right && column.left < segment.box.right;

/** Cells of a row by column. A segment that reaches over several columns is dealt out word by word. */
function cellsOf(row: Row, header: ItemHeader): Map<number, Cell> {
  const cells = new Map<number, Cell>();
  const put = (index: number, tokens: Token[]): void => {
    const cell = cells.get(index) ?? { tokens: [], text: "" };
    cell.tokens.push(...tokens);
    cell.text = cell.tokens.map((token) => token.text).join(" ");
    cells.set(index, cell);
  };
  for (const segment of row.segments) {
    const several = header.columns.filter((column) => overlaps(segment, column)).length > 1;
    const groups = several ? segment.tokens.map((token) => [token]) : [segment.tokens];
    for (const tokens of groups) put(nearest(unionOf(tokens), header.columns), tokens);
  }
  return cells;
}

/** Labels that end a table: its sums. */
const CLOSING = new Set(["net-total", "tax-total", "gross-total", "amount-due", "prepaid", "shipping", "discount"]);

function closes(row: Row, header: ItemHeader, labels: LabelMap): boolean {
  const [first] = row.segments;
  if (first === undefined) return false;
  const hits = labels.bySegment.get(first) ?? [];
  // An item may begin with a word of the totals; a sum stands right of where items begin, or has a colon.
  const indented = first.box.left > (header.columns[0]?.right ?? 0);
  return hits.some(
    (hit) => hit.from === 0 && CLOSING.has(hit.concept) && (hit.colon || indented || row.segments.length <= 2),
  );
}

/** The rows below a header, to the sums, the next header or the end of the page. */
function bodyOf(header: ItemHeader, headers: readonly ItemHeader[], view: DocumentView, labels: LabelMap): Row[] {
  const rows: Row[] = [];
  const stops = new Set(headers.map(({ row }) => row.index));
  for (const row of view.rows.slice(header.row.index + 1)) {
    if (row.page !== header.row.page || rows.length >= MAX_ROWS || stops.has(row.index) || closes(row, header, labels))
      break;
    rows.push(row);
  }
  return rows;
}

interface ItemPlan {
  meaning: Map<Field, Meaning>;
  conventions: Conventions;
  pointerOf: Map<Field, string>;
}

function readCell(field: Field, cells: Map<number, Cell>, header: ItemHeader, plan: ItemPlan): Finding | null {
  const meaning = plan.meaning.get(field);
  const own = plan.pointerOf.get(field) ?? "";
  const at = header.columns.findIndex(
    (column) => column.concepts.has(own) || (meaning?.concept != null && column.concepts.has(meaning.concept)),
  );
  const cell = cells.get(at);
  if (at < 0 || cell === undefined || meaning === undefined) return null;
  const [reading] = readerFor(field, meaning, plan.conventions).read(cell.text);
  if (reading === undefined) return null;
  let start = 0;
  const tokens = cell.tokens.filter((token) => {
    const from = start;
    start += token.text.length + 1;
    return from < reading.end && reading.start < from + token.text.length;
  });
  return tokens.length === 0 ? null : { value: reading.value, tokens, confidence: 0.82 * reading.fit };
}

function itemNode(shape: Shape, cells: Map<number, Cell>, header: ItemHeader, plan: ItemPlan): Node {
  if (shape.kind === "scalar")
    return foundOr(
      shape.field.calculated ? null : readCell(shape.field, cells, header, plan),
      shape.field.calculated ? "derived" : "null-value",
    );
  if (shape.kind === "list") return { kind: "list", items: [] };
  if (shape.kind === "nothing") return nothing();
  return {
    kind: "object",
    members: shape.members.map(({ name, shape: member }) => [name, itemNode(member, cells, header, plan)]),
  };
}

function findingsIn(node: Node): Finding[] {
  if (node.kind === "found") return [node.finding];
  if (node.kind === "list") return node.items.flatMap(findingsIn);
  return node.kind === "object" ? node.members.flatMap(([, member]) => findingsIn(member)) : [];
}

/** A row is an item when it has a number under a column of numbers, and at least two of the fields. */
function isItem(
  node: Node,
  fields: number,
  cells: Map<number, Cell>,
  header: ItemHeader,
  conventions: Conventions,
): boolean {
  const numbers = header.columns.some(
    (column, index) =>
      [...column.concepts].some((id) => NUMERIC.has(id)) &&
      scanNumbers(cells.get(index)?.text ?? "", conventions.notation).length > 0,
  );
  return numbers && cells.size >= 2 && findingsIn(node).length >= Math.min(2, fields);
}

/** The scalars of an item, nested objects included, lists not. */
export function fieldsOf(shape: Shape): Field[] {
  if (shape.kind === "scalar") return [shape.field];
  if (shape.kind === "object") return shape.members.flatMap(({ shape: member }) => fieldsOf(member));
  return [];
}

/** Own label keys of item fields, for the header search. */
function itemKeys(shape: Shape): { keys: Map<string, LabelMeaning[]>; pointerOf: Map<Field, string> } {
  const keys = new Map<string, LabelMeaning[]>();
  const pointerOf = new Map<Field, string>();
  for (const [index, field] of fieldsOf(shape).entries()) {
    const id = `own:${field.path.join("/")}#${index}`;
    pointerOf.set(field, id);
    for (const { key, strength } of meaningOf(field).ownKeys)
      keys.set(key, [...(keys.get(key) ?? []), { concept: id, strength }]);
  }
  return { keys, pointerOf };
}

/**
 * The items of a list of objects, row by row; empty when no header names at least two of the fields' columns.
 * @param labels the document's labels, for the sums that end a table
 */
export function readItems(item: Shape, view: DocumentView, labels: LabelMap, conventions: Conventions): Node[] {
  const fields = fieldsOf(item);
  if (item.kind !== "object" || fields.length === 0) return [];
  const { keys, pointerOf } = itemKeys(item);
  const meaning = new Map(fields.map((field) => [field, meaningOf(field)]));
  const headers = findItemHeaders(view, findItemLabels(view, keys));
  const plan = { meaning, conventions, pointerOf };
  const known = (header: ItemHeader): number =>
    fields.filter((field) =>
      header.columns.some(
        (column) =>
          column.concepts.has(pointerOf.get(field) ?? "") || column.concepts.has(meaning.get(field)?.concept ?? ""),
      ),
    ).length;
  const nodes: Node[] = [];
  for (const header of headers) {
    if (known(header) < Math.min(2, fields.length)) continue;
    for (const row of bodyOf(header, headers, view, labels)) {
      const cells = cellsOf(row, header);
      const node = itemNode(item, cells, header, plan);
      if (isItem(node, fields.length, cells, header, conventions) && nodes.length < MAX_ROWS) nodes.push(node);
    }
  }
  return nodes;
}
