/**
 * JSON as tables of a spreadsheet:
 * - scalars of an object, and of objects in it, are columns named by their dotted path (`seller.city`);
 * - a list of scalars is one cell (`red; blue`);
 * - any other list is rows; each row repeats the scalars of the objects around the list, so that it can be read alone; an
 *   object whose list is empty keeps one row;
 * - a list of lists is rows of numbered columns;
 * - lists beside each other are separate tables. The main table has the most rows; at a tie, the first wins.
 */
import { UnprocessableEntity } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";

export type Scalar = string | number | boolean | null;

export interface Table {
  /** The path of its list; empty for values outside of lists. */
  path: string;
  columns: string[];
  /** One cell per column; null for missing values. */
  rows: Scalar[][];
}

/** One result, with leading columns. */
export interface TabularDocument {
  lead: [column: string, value: Scalar][];
  value: Json;
}

/** 10,000 documents of 25 values take about two seconds. */
export const MAX_CELLS = 250_000;
/** Source: "Excel specifications and limits". */
export const MAX_COLUMNS = 16_384;
const MAX_JSON_DEPTH = 100;
/** The column of a scalar without a name. */
const UNNAMED_COLUMN = "value";

type Cells = [column: string, value: Scalar][];
type Lists = [path: string, items: Json[]][];

const isScalar = (value: Json): value is Scalar => value === null || typeof value !== "object";

/** The path of a member; a name with a dot is quoted, so that it is no path. */
const memberPath = (path: string, name: string): string => {
  const written = name.includes(".") ? JSON.stringify(name) : name;
  return path === "" ? written : `${path}.${written}`;
};

/** Splits a value into the cells of its own row and the lists with rows of their own. */
function split(value: Json, path: string, cells: Cells, lists: Lists, depth: number): void {
  if (isScalar(value)) cells.push([path === "" ? UNNAMED_COLUMN : path, value]);
  else if (depth > MAX_JSON_DEPTH) throw tooDeep();
  else if (!Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) split(member, memberPath(path, name), cells, lists, depth + 1);
  } else if (value.length > 0) {
    if (path !== "" && value.every(isScalar)) cells.push([path, value.map((item) => item ?? "").join("; ")]);
    else lists.push([path, value]);
  }
}

/** Rows of one list; columns keep the order of their first appearance. */
class TableBuilder {
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
    if (this.#next.size === MAX_COLUMNS) throw tooLarge(`needs more than ${MAX_COLUMNS} columns`);
    this.#next.set(column, before === undefined ? this.#first : this.#next.get(before));
    if (before === undefined) this.#first = column;
    else this.#next.set(before, column);
  }

  table(path: string): Table {
    const columns: string[] = [];
    for (let column = this.#first; column !== undefined; column = this.#next.get(column)) columns.push(column);
    const places = new Map(columns.map((column, index) => [column, index]));
    if (columns.length * this.rows.length > MAX_CELLS) throw tooLarge(`has more than ${MAX_CELLS} cells`);
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

const tooDeep = (): UnprocessableEntity => tooLarge(`is nested more than ${MAX_JSON_DEPTH} levels deep`);

/**
 * The tables of one or more results, the main one first; without results, one empty table.
 * @throws UnprocessableEntity for more cells or columns than a spreadsheet takes
 */
export function tablesOf(documents: Iterable<TabularDocument>): Table[] {
  const found = new Map<string, TableBuilder>();
  let rows = 0;
  let cellCount = 0;
  const add = (value: Json, path: string, inherited: Cells, depth: number): void => {
    if (Array.isArray(value) && !value.every(isScalar)) {
      if (depth > MAX_JSON_DEPTH) throw tooDeep();
      for (const item of value) add(item, path, inherited, depth + 1);
      return;
    }
    const cells: Cells = [...inherited];
    const lists: Lists = [];
    // A list of scalars in a list is a row; its columns are numbered from 1.
    const entry = Array.isArray(value) ? Object.fromEntries(value.map((item, at) => [at + 1, item])) : value;
    if (entry !== null) split(entry, path, cells, lists, depth);
    cellCount += cells.length;
    if (cellCount > MAX_CELLS) throw tooLarge(`has more than ${MAX_CELLS} cells`);
    for (const [list, items] of lists) for (const item of items) add(item, list, cells, depth + 1);
    if (lists.length > 0) return;
    const table = found.get(path) ?? new TableBuilder();
    found.set(path, table);
    table.add(rows++, cells);
  };
  for (const { lead, value } of documents) {
    if (!Array.isArray(value)) add(value, "", lead, 0);
    else if (value.length === 0) add({}, "", lead, 0);
    else for (const item of value) add(item, "", lead, 0);
  }
  return sortTables(found).map(([path, table]) => table.table(path));
}

/** Sorts tables by size; rows of objects with an empty list join that list's table. */
function sortTables(found: Map<string, TableBuilder>): [string, TableBuilder][] {
  const bySize = (): [string, TableBuilder][] => [...found].sort(([, a], [, b]) => b.rows.length - a.rows.length);
  for (const [path, { rows }] of [...found]) {
    const start = path === "" ? "" : `${path}.`;
    const inner = bySize().find(([other]) => other !== path && other.startsWith(start));
    if (inner === undefined) continue;
    for (const { at, cells } of rows) inner[1].add(at, cells);
    found.delete(path);
  }
  const tables = bySize();
  return tables.length > 0 ? tables : [["", new TableBuilder()]];
}
