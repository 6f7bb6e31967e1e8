/**
 * JSON as tables, as somebody reads it in a spreadsheet:
 * - an object's scalars are columns, those of objects in it too, named by their dotted path (`seller.city`);
 * - a list of scalars is one cell (`red; blue`);
 * - any other list is rows, and each row repeats the scalars of what the list stands in, so that it can be read alone;
 *   what has no entries in the list keeps one row;
 * - a list of lists is rows of numbered columns;
 * - several lists beside each other are a table each. The main table is the one with the most rows, at a tie the first.
 */
import { UnprocessableEntity } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";

export type Scalar = string | number | boolean | null;

export interface Table {
  /** The path of its list; empty for what is in no list. */
  path: string;
  columns: string[];
  /** As long as the columns; null where a row has no such value. */
  rows: Scalar[][];
}

/** One result, with columns that stand before its own. */
export interface TabularDocument {
  lead: [column: string, value: Scalar][];
  value: Json;
}

/** What is made in about two seconds: 10,000 documents of 25 values. */
export const MOST_CELLS = 250_000;
/** Of Excel: "Excel specifications and limits". */
export const MOST_COLUMNS = 16_384;
const DEEPEST = 100;
/** The column of a scalar that has no name. */
const VALUE = "value";

type Cells = [column: string, value: Scalar][];
type Lists = [path: string, items: Json[]][];

const isScalar = (value: Json): value is Scalar => value === null || typeof value !== "object";

/** A name with a dot in it must not pass for a path. */
const below = (path: string, name: string): string => {
  const written = name.includes(".") ? JSON.stringify(name) : name;
  return path === "" ? written : `${path}.${written}`;
};

/** What of a value is in its own row, and what in rows of their own. */
function split(value: Json, path: string, cells: Cells, lists: Lists, depth: number): void {
  if (isScalar(value)) cells.push([path === "" ? VALUE : path, value]);
  else if (depth > DEEPEST) throw tooDeep();
  else if (!Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) split(member, below(path, name), cells, lists, depth + 1);
  } else if (value.length > 0) {
    if (path !== "" && value.every(isScalar)) cells.push([path, value.map((item) => item ?? "").join("; ")]);
    else lists.push([path, value]);
  }
}

/** Rows of one list, its columns in the order in which a reader meets them. */
class Rows {
  readonly #next = new Map<string, string | undefined>();
  #first: string | undefined;
  readonly rows: { at: number; cells: Cells }[] = [];

  add(at: number, cells: Cells): void {
    this.rows.push({ at, cells });
    let before: string | undefined;
    for (const [column] of cells) {
      if (!this.#next.has(column)) this.#insert(column, before);
      before = column;
    }
  }

  #insert(column: string, before: string | undefined): void {
    if (this.#next.size === MOST_COLUMNS) throw tooLarge(`needs more than ${MOST_COLUMNS} columns`);
    this.#next.set(column, before === undefined ? this.#first : this.#next.get(before));
    if (before === undefined) this.#first = column;
    else this.#next.set(before, column);
  }

  table(path: string): Table {
    const columns: string[] = [];
    for (let column = this.#first; column !== undefined; column = this.#next.get(column)) columns.push(column);
    const places = new Map(columns.map((column, index) => [column, index]));
    if (columns.length * this.rows.length > MOST_CELLS) throw tooLarge(`has more than ${MOST_CELLS} cells`);
    const rows = this.rows
      .sort((a, b) => a.at - b.at)
      .map(({ cells }) => {
        const row = new Array<Scalar>(columns.length).fill(null);
        for (const [column, value] of cells) row[places.get(column) ?? 0] = value;
        return row;
      });
    return { path, columns, rows };
  }
}

const tooLarge = (what: string): UnprocessableEntity =>
  new UnprocessableEntity(`The result ${what}, too much for a table; read it as JSON`);

const tooDeep = (): UnprocessableEntity => tooLarge(`is nested more than ${DEEPEST} levels deep`);

/**
 * The tables of one or more results, the main one first; of nothing at all, one without columns and rows.
 * @throws UnprocessableEntity for more cells or columns than a spreadsheet takes
 */
export function tablesOf(documents: Iterable<TabularDocument>): Table[] {
  const found = new Map<string, Rows>();
  let rows = 0;
  let cellCount = 0;
  const add = (value: Json, path: string, inherited: Cells, depth: number): void => {
    if (Array.isArray(value) && !value.every(isScalar)) {
      if (depth > DEEPEST) throw tooDeep();
      for (const item of value) add(item, path, inherited, depth + 1);
      return;
    }
    const cells: Cells = [...inherited];
    const lists: Lists = [];
    // A list of scalars in a list is a row of cells, counted from 1.
    const entry = Array.isArray(value) ? Object.fromEntries(value.map((item, at) => [at + 1, item])) : value;
    if (entry !== null) split(entry, path, cells, lists, depth);
    cellCount += cells.length;
    if (cellCount > MOST_CELLS) throw tooLarge(`has more than ${MOST_CELLS} cells`);
    for (const [list, items] of lists) for (const item of items) add(item, list, cells, depth + 1);
    if (lists.length > 0) return;
    const table = found.get(path) ?? new Rows();
    found.set(path, table);
    table.add(rows++, cells);
  };
  for (const { lead, value } of documents) {
    if (!Array.isArray(value)) add(value, "", lead, 0);
    else if (value.length === 0) add({}, "", lead, 0);
    else for (const item of value) add(item, "", lead, 0);
  }
  return inOrder(found).map(([path, table]) => table.table(path));
}

/** Rows that have no entries in a list go with those that do. */
function inOrder(found: Map<string, Rows>): [string, Rows][] {
  const bySize = (): [string, Rows][] => [...found].sort(([, a], [, b]) => b.rows.length - a.rows.length);
  for (const [path, { rows }] of [...found]) {
    const start = path === "" ? "" : `${path}.`;
    const inner = bySize().find(([other]) => other !== path && other.startsWith(start));
    if (inner === undefined) continue;
    for (const { at, cells } of rows) inner[1].add(at, cells);
    found.delete(path);
  }
  const tables = bySize();
  return tables.length > 0 ? tables : [["", new Rows()]];
}
