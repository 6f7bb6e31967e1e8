/** Generated documents whose tables are known row by row: the layouts that lists are printed in. */
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";
import type { Json } from "../../functions/core/ports.ts";

export type Row = Record<string, string | number>;

/** A printed row and the page on which it begins. */
export interface TrueRow {
  page: number;
  row: Row;
}

export interface GeneratedDocument {
  name: string;
  pdf: Uint8Array;
  schema: Json;
  /** By the name of the array. */
  truth: Record<string, TrueRow[]>;
  pages: number;
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
] as const;
export type LayoutName = (typeof LAYOUTS)[number];

/** A generator of numbers in [0, 1) that repeats itself with its seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const THINGS =
  "Hinge,Bracket,Washer,Flange,Bearing,Spindle,Gasket,Lever,Valve,Coupling,Bushing,Clamp,Rivet,Pulley".split(",");
const MADE = "steel,brass,nylon,copper,rubber,zinc,aluminium,ceramic,bronze,carbon".split(",");
const LOOKS = "polished,black,galvanised,coated,threaded,slotted,hardened,anodised".split(",");

const money = (value: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const cents = (value: number): number => Math.round(value * 100) / 100;

interface Column {
  name: string;
  head: string;
  /** Points from the left edge; of the right edge where `right`. */
  x: number;
  right?: true;
  type: "string" | "number" | "integer" | "date";
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

const itemsOf = (columns: readonly Column[]): Json => ({
  type: "array",
  items: {
    type: "object",
    properties: Object.fromEntries(
      columns.map(({ name, type }) => [name, type === "date" ? { type: "string", format: "date" } : { type }]),
    ),
    required: columns.map(({ name }) => name),
  },
});

function article(at: number, next: () => number, plain: boolean): Row {
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? "";
  const quantity = 1 + Math.floor(next() * 40);
  const price = cents(0.5 + next() * 300);
  return {
    ...(plain ? {} : { position: at + 1 }),
    article_number: `${pick(["KD", "LM", "TX", "RS"])}-${1000 + Math.floor(next() * 9000)}`,
    description: `${pick(THINGS)} ${pick(MADE)} ${pick(LOOKS)} ${4 + Math.floor(next() * 60)} mm`,
    quantity,
    unit_price: price,
    amount: cents(quantity * price),
  };
}

function payment(at: number, next: () => number): Row {
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? "";
  const day = new Date(Date.UTC(2023, 0, 2 + Math.floor(at / 9))).toISOString().slice(0, 10);
  return {
    date: day,
    payee: `${pick(THINGS)} ${pick(MADE)} Trading ${pick(["Ltd", "GmbH", "SA"])}`,
    amount: cents(5 + next() * 900),
  };
}

const printed = (column: Column, row: Row): string => {
  const value = row[column.name] ?? "";
  return typeof value === "number" && column.type === "number" ? money(value) : String(value);
};

/** Room of a page between its title and its foot, in points. */
const TOP = 700;
const BOTTOM = 70;
const LINE = 13;
const SIZE = 9;

interface Style {
  columns: readonly Column[];
  ruled?: boolean;
  headers?: "every" | "once" | "none";
  /** Lines of a description. */
  lines?: (at: number) => number;
  /** A row may be cut by the end of a page. */
  spanning?: boolean;
  subtotals?: boolean;
  carried?: boolean;
}

const STYLES: Record<Exclude<LayoutName, "two-arrays">, Style> = {
  ruled: { columns: COLUMNS, ruled: true, headers: "every" },
  unruled: { columns: COLUMNS, headers: "every" },
  "header-once": { columns: COLUMNS.slice(1), headers: "once" },
  "multi-line": { columns: COLUMNS, headers: "every", lines: (at) => 1 + (at % 3) },
  "page-spanning": { columns: COLUMNS, headers: "once", lines: (at) => 1 + (at % 2), spanning: true },
  subtotals: { columns: COLUMNS, headers: "every", subtotals: true },
  "carried-over": { columns: COLUMNS, headers: "every", subtotals: true, carried: true },
  sequence: { columns: COLUMNS, headers: "none" },
  list: { columns: LIST_COLUMNS, headers: "none" },
};

const EXTRA = ["Batch checked, certificate on request", "Packed in boxes of fifty pieces"];

/** Sets pages one after the other; positions as PDF counts them, from the bottom left. */
class Typesetter {
  readonly #draws: ((page: PDFPage, fonts: { regular: PDFFont; bold: PDFFont }) => void)[][] = [];
  y = 0;

  get page(): number {
    return this.#draws.length;
  }

  begin(title: string): void {
    this.#draws.push([]);
    this.y = TOP;
    const { page } = this;
    this.text(title, 50, 740, { bold: true, size: 12 });
    this.text(`Page ${page}`, 500, 40);
  }

  text(text: string, x: number, y: number, look: { bold?: boolean; right?: boolean; size?: number } = {}): void {
    this.#draws.at(-1)?.push((page, { regular, bold }) => {
      const font = look.bold === true ? bold : regular;
      const size = look.size ?? SIZE;
      page.drawText(text, { x: look.right === true ? x - font.widthOfTextAtSize(text, size) : x, y, size, font });
    });
  }

  rule(x1: number, y1: number, x2: number, y2: number): void {
    this.#draws
      .at(-1)
      ?.push((page) =>
        page.drawLine({ start: { x: x1, y: y1 }, end: { x: x2, y: y2 }, thickness: 0.6, color: rgb(0.3, 0.3, 0.3) }),
      );
  }

  async pdf(): Promise<Uint8Array> {
    const document = await PDFDocument.create();
    const regular = await document.embedFont(StandardFonts.Helvetica);
    const bold = await document.embedFont(StandardFonts.HelveticaBold);
    for (const all of this.#draws) {
      const page = document.addPage([612, 792]);
      for (const draw of all) draw(page, { regular, bold });
    }
    return document.save();
  }
}

class TableSetter {
  readonly #set: Typesetter;
  readonly #style: Style;
  readonly #title: string;
  #sum = 0;
  #total = 0;

  constructor(set: Typesetter, style: Style, title: string) {
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
    const [top, bottom] = [y + LINE - 3, y - height + LINE - 3];
    for (const x of xs) this.#set.rule(x, top, x, bottom);
    for (const at of [top, bottom]) this.#set.rule(46, at, 554, at);
  }

  header(): void {
    if (this.#style.ruled) this.#grid(LINE);
    this.#cells(
      this.#style.columns.map(({ head }) => head),
      true,
    );
    this.#set.y -= LINE;
    if (!this.#style.ruled) this.#set.rule(46, this.#set.y + LINE - 3, 554, this.#set.y + LINE - 3);
  }

  #labelled(label: string, value: number): void {
    this.#set.text(label, 160, this.#set.y, { bold: true });
    this.#set.text(money(cents(value)), 550, this.#set.y, { right: true, bold: true });
    this.#set.y -= LINE;
  }

  #newPage(): void {
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
    const foot = (subtotals ? LINE : 0) + (carried ? LINE : 0);
    if (this.#set.y - (spanning ? 0 : (count - 1) * LINE) < BOTTOM + foot) this.#newPage();
    const { page } = this.#set;
    let { description = "" } = row;
    if (ruled) this.#grid(LINE);
    this.#cells(columns.map((column) => printed(column, row)));
    this.#set.y -= LINE;
    for (const extra of EXTRA.slice(0, count - 1)) {
      if (this.#set.y < BOTTOM) this.#newPage();
      this.#set.text(extra, 160, this.#set.y);
      this.#set.y -= LINE;
      description = `${description} ${extra}`;
    }
    const amount = Number(row.amount);
    this.#sum += amount;
    this.#total += amount;
    return { page, row: count > 1 ? { ...row, description } : row };
  }

  total(): void {
    this.#set.y -= LINE / 2;
    this.#labelled("Total", this.#total);
  }
}

function setTable(set: Typesetter, style: Style, title: string, rows: readonly Row[]): TrueRow[] {
  const table = new TableSetter(set, style, title);
  if (style.headers !== "none") table.header();
  const truth = rows.map((row, at) => table.row(at, row));
  table.total();
  return truth;
}

/** @param count rows of the document, of both arrays where there are two */
export async function generate(name: LayoutName, count: number, seed: number): Promise<GeneratedDocument> {
  const next = random(seed);
  const set = new Typesetter();
  set.begin("Delivery record");
  set.text("Kestrel Supply Works, 14 Foundry Lane, Leeds", 50, 720);
  const schemaOf = (arrays: Record<string, Json>): Json => ({
    type: "object",
    properties: arrays,
    required: Object.keys(arrays),
  });
  let truth: GeneratedDocument["truth"];
  let schema: Json;
  if (name === "two-arrays") {
    const half = Math.ceil(count / 2);
    const items = Array.from({ length: half }, (_, at) => article(at, next, false));
    const paid = Array.from({ length: count - half }, (_, at) => payment(at, next));
    const line_items = setTable(set, STYLES.unruled, "Delivery record", items);
    set.begin("Payments");
    truth = { line_items, payments: setTable(set, { columns: LIST_COLUMNS, headers: "every" }, "Payments", paid) };
    schema = schemaOf({ line_items: itemsOf(COLUMNS), payments: itemsOf(LIST_COLUMNS) });
  } else {
    const style = STYLES[name];
    const list = name === "list";
    const rows = Array.from({ length: count }, (_, at) =>
      list ? payment(at, next) : article(at, next, name === "header-once"),
    );
    const array = list ? "payments" : "line_items";
    truth = { [array]: setTable(set, style, "Delivery record", rows) };
    schema = schemaOf({ [array]: itemsOf(style.columns) });
  }
  return { name, pdf: await set.pdf(), schema, truth, pages: set.page };
}
