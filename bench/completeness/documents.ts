/** Generated documents whose table rows are known, in the layouts in which lists are printed. */

import type { Json } from "../../functions/ports/json.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import { setLabelledAmounts, setTillReceipt } from "./amounts.ts";
import {
  article,
  itemsOf,
  type ListColumn,
  money,
  payment,
  type Row,
  roundToCents,
  schemaOf,
  type TrueRow,
} from "./articles.ts";
import { BOTTOM_POINTS, LINE_POINTS, seededRandom, Typesetter } from "./typeset.ts";

export interface GeneratedDocument {
  name: string;
  bytes: Uint8Array;
  mimeType: string;
  schema: Json;
  /** By the name of the array. */
  truth: Record<string, TrueRow[]>;
  /** The member that identifies a row on the pages; absent if `truth` has the pages. */
  named?: string;
}

export const LAYOUTS = [
  "ruled",
  "unruled",
  "header-once",
  "multi-line",
  "page-spanning",
  "subtotals",
  "carried-over",
  "sequence",
  "list",
  "two-arrays",
  "last-alone",
  "labelled",
  "till",
] as const;
export type LayoutName = (typeof LAYOUTS)[number];

interface Column extends ListColumn {
  head: string;
  /** Points from the left edge of the page: of the text's left edge, or of its right edge with `right`. */
  x: number;
  right?: true;
}

const COLUMNS: readonly Column[] = [
  { name: "position", head: "Pos", x: 50, type: "integer" },
  { name: "article_number", head: "Article no.", x: 80, type: "string" },
  { name: "description", head: "Description", x: 160, type: "string" },
  { name: "quantity", head: "Qty", x: 370, right: true, type: "integer" },
  { name: "unit_price", head: "Unit price", x: 460, right: true, type: "number" },
  { name: "amount", head: "Amount", x: 550, right: true, type: "number" },
];
const LIST_COLUMNS: readonly Column[] = [
  { name: "date", head: "Date", x: 50, type: "date" },
  { name: "payee", head: "Payee", x: 130, type: "string" },
  { name: "amount", head: "Amount", x: 420, right: true, type: "number" },
];

const printed = (column: Column, row: Row): string => {
  const value = row[column.name] ?? "";
  return typeof value === "number" && column.type === "number" ? money(value) : String(value);
};

interface LayoutStyle {
  columns: readonly Column[];
  ruled?: boolean;
  headers?: "every" | "once" | "none";
  /** Number of description lines. */
  lines?: (at: number) => number;
  /** A page break may cut a row. */
  spanning?: boolean;
  subtotals?: boolean;
  carried?: boolean;
  /** The last row stands on a page of its own. */
  lastAlone?: boolean;
}

const STYLES: Record<Exclude<LayoutName, "two-arrays" | "labelled" | "till">, LayoutStyle> = {
  ruled: { columns: COLUMNS, ruled: true, headers: "every" },
  unruled: { columns: COLUMNS, headers: "every" },
  "header-once": { columns: COLUMNS.slice(1), headers: "once" },
  "multi-line": { columns: COLUMNS, headers: "every", lines: (at) => 1 + (at % 3) },
  "page-spanning": { columns: COLUMNS, headers: "once", lines: (at) => 1 + (at % 2), spanning: true },
  subtotals: { columns: COLUMNS, headers: "every", subtotals: true },
  "carried-over": { columns: COLUMNS, headers: "every", subtotals: true, carried: true },
  sequence: { columns: COLUMNS, headers: "none" },
  list: { columns: LIST_COLUMNS, headers: "none" },
  "last-alone": { columns: COLUMNS, headers: "once", lastAlone: true },
};

const EXTRA_LINES = ["Batch checked, certificate on request", "Packed in boxes of fifty pieces"];

class TableSetter {
  readonly #set: Typesetter;
  readonly #style: LayoutStyle;
  readonly #title: string;
  #sum = 0;
  #total = 0;

  constructor(set: Typesetter, style: LayoutStyle, title: string) {
    this.#set = set;
    this.#style = style;
    this.#title = title;
  }

  #cells(texts: readonly string[], bold = false): void {
    for (const [at, column] of this.#style.columns.entries()) {
      const text = texts[at] ?? "";
      if (text !== "") this.#set.text(text, column.x, this.#set.y, { bold, ...(column.right ? { right: true } : {}) });
    }
  }

  #grid(height: number): void {
    const { y } = this.#set;
    const xs = [46, ...this.#style.columns.slice(1).map(({ x, right }) => (right ? x - 62 : x - 4)), 554];
    const [top, bottom] = [y + LINE_POINTS - 3, y - height + LINE_POINTS - 3];
    for (const x of xs) this.#set.rule(x, top, x, bottom);
    for (const at of [top, bottom]) this.#set.rule(46, at, 554, at);
  }

  header(): void {
    if (this.#style.ruled) this.#grid(LINE_POINTS);
    this.#cells(
      this.#style.columns.map(({ head }) => head),
      true,
    );
    this.#set.y -= LINE_POINTS;
    if (!this.#style.ruled) this.#set.rule(46, this.#set.y + LINE_POINTS - 3, 554, this.#set.y + LINE_POINTS - 3);
  }

  #labelled(label: string, value: number): void {
    this.#set.text(label, 160, this.#set.y, { bold: true });
    this.#set.text(money(roundToCents(value)), 550, this.#set.y, { right: true, bold: true });
    this.#set.y -= LINE_POINTS;
  }

  newPage(): void {
    if (this.#style.subtotals) this.#labelled("Subtotal", this.#sum);
    if (this.#style.carried) this.#labelled("Carried forward", this.#total);
    this.#set.begin(this.#title);
    if (this.#style.headers === "every") this.header();
    if (this.#style.carried) this.#labelled("Brought forward", this.#total);
    this.#sum = 0;
  }

  row(at: number, row: Row): TrueRow {
    const { columns, lines, spanning, ruled, subtotals, carried } = this.#style;
    const count = lines?.(at) ?? 1;
    const foot = (subtotals ? LINE_POINTS : 0) + (carried ? LINE_POINTS : 0);
    if (this.#set.y - (spanning ? 0 : (count - 1) * LINE_POINTS) < BOTTOM_POINTS + foot) this.newPage();
    const { page } = this.#set;
    let { description = "" } = row;
    if (ruled) this.#grid(LINE_POINTS);
    this.#cells(columns.map((column) => printed(column, row)));
    this.#set.y -= LINE_POINTS;
    for (const extra of EXTRA_LINES.slice(0, count - 1)) {
      if (this.#set.y < BOTTOM_POINTS) this.newPage();
      this.#set.text(extra, 160, this.#set.y);
      this.#set.y -= LINE_POINTS;
      description = `${description} ${extra}`;
    }
    const amount = Number(row.amount);
    this.#sum += amount;
    this.#total += amount;
    return { page, row: count > 1 ? { ...row, description } : row };
  }

  total(): void {
    this.#set.y -= LINE_POINTS / 2;
    this.#labelled("Total", this.#total);
  }
}

function setTable(set: Typesetter, style: LayoutStyle, title: string, rows: readonly Row[]): TrueRow[] {
  const table = new TableSetter(set, style, title);
  if (style.headers !== "none") table.header();
  const truth = rows.map((row, at) => {
    if (style.lastAlone && at === rows.length - 1) table.newPage();
    return table.row(at, row);
  });
  table.total();
  return truth;
}

/** Sets the only list of a document, or both of them. */
function setDocument(name: LayoutName, count: number, next: () => number, set: Typesetter) {
  if (name === "labelled") return setLabelledAmounts(set, count, next);
  if (name === "till") return setTillReceipt(set, count, next);
  if (name === "two-arrays") {
    const half = Math.ceil(count / 2);
    const items = Array.from({ length: half }, (_, at) => article(at, next, false));
    const paid = Array.from({ length: count - half }, (_, at) => payment(at, next));
    const line_items = setTable(set, STYLES.unruled, "Delivery record", items);
    set.begin("Payments");
    return {
      truth: { line_items, payments: setTable(set, { columns: LIST_COLUMNS, headers: "every" }, "Payments", paid) },
      items: { line_items: itemsOf(COLUMNS), payments: itemsOf(LIST_COLUMNS) },
    };
  }
  const style = STYLES[name];
  const list = name === "list";
  const rows = Array.from({ length: count }, (_, at) =>
    list ? payment(at, next) : article(at, next, name === "header-once"),
  );
  const array = list ? "payments" : "line_items";
  return {
    truth: { [array]: setTable(set, style, "Delivery record", rows) },
    items: { [array]: itemsOf(style.columns) },
  };
}

/** @param count number of rows, in both arrays together where there are two */
export async function generate(name: LayoutName, count: number, seed: number): Promise<GeneratedDocument> {
  const set = new Typesetter();
  set.begin("Delivery record");
  set.text("Kestrel Supply Works, 14 Foundry Lane, Leeds", 50, 720);
  const { truth, items } = setDocument(name, count, seededRandom(seed), set);
  return { name, bytes: await set.pdf(), mimeType: PDF, schema: schemaOf(items), truth };
}
