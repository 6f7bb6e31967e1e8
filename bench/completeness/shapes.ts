/** Lists in other shapes than tables of many columns. */

import type { Json } from "../../functions/ports/json.ts";
import { PDF, PLAIN_TEXT } from "../../functions/ports/media-types.ts";
import {
  article,
  itemsOf,
  type ListColumn,
  money,
  type Row,
  roundToCents,
  schemaOf,
  type TrueRow,
} from "./articles.ts";
import type { GeneratedDocument } from "./documents.ts";
import { BOTTOM_POINTS, LINE_POINTS, seededRandom, Typesetter } from "./typeset.ts";

export const SHAPES = [
  "pairs",
  "pairs in text",
  "sections",
  "nested",
  "contacts",
  "cards",
  "words",
  "clauses",
  "newspaper",
  "irregular",
] as const;
type Shape = (typeof SHAPES)[number];

const TITLE = "Overview of the year";
const PLACES = "Leeds,Gent,Porto,Turin,Malmö,Graz,Brno,Cork,Vigo,Basel,Lille,Tartu".split(",");
const KINDS = "North,Harbour,Depot,Station".split(",");
const NAMES = "Anna Ruiz,Ben Okafor,Carla Mendes,David Lindqvist,Elena Petrova,Farid Haddad,Grace Kim".split(",");
const ROLES = "Engineer,Manager,Clerk,Driver,Buyer".split(",");
const UNITS = ["", " h", " pcs"];

/** A number as letters: distinct words without digits. */
const letters = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : letters(Math.floor(at / 26) - 1) + letters(at % 26);

const pick = (list: readonly string[], at: number): string => list[at % list.length] ?? "";

/** A page that continues: starts the next page when it is full. */
class Sheet {
  readonly set = new Typesetter();
  readonly #head: (() => void) | undefined;

  constructor(head?: (set: Typesetter) => void) {
    this.#head = head && (() => head(this.set));
    this.#begin();
  }

  #begin(): void {
    this.set.begin(TITLE);
    this.#head?.();
  }

  /** Sets texts at their left edges, or at their right edges where negative; in points. */
  line(cells: readonly (readonly [string, number])[], lines = 1): number {
    if (this.set.y - (lines - 1) * LINE_POINTS < BOTTOM_POINTS) this.#begin();
    for (const [text, x] of cells) this.set.text(text, Math.abs(x), this.set.y, x < 0 ? { right: true } : {});
    this.set.y -= LINE_POINTS;
    return this.set.page;
  }

  skip(): void {
    this.set.y -= LINE_POINTS;
  }
}

interface ShapedList {
  sheet: Sheet;
  rows: TrueRow[];
  columns: readonly ListColumn[];
}

const STORE: readonly ListColumn[] = [
  { name: "store", type: "string" },
  { name: "sales", type: "number" },
];
const store = (at: number, next: () => number): Row => ({
  store: `${pick(PLACES, at)} ${pick(KINDS, at)} ${at + 1}`,
  sales: roundToCents(100 + next() * 9_000),
});
const storeCells = ({ store: name, sales }: Row): [string, number][] => [
  [String(name), 60],
  [money(Number(sales)), -300],
];

function pairs(count: number, next: () => number): ShapedList {
  const sheet = new Sheet((set) => {
    set.text("Store", 60, set.y);
    set.text("Sales", 300, set.y, { right: true });
    set.y -= LINE_POINTS;
  });
  const rows = Array.from({ length: count }, (_, at): TrueRow => {
    const row = store(at, next);
    return { page: sheet.line(storeCells(row)), row };
  });
  return { sheet, rows, columns: STORE };
}

/** Regions with their own totals, each below its name. */
function sections(count: number, next: () => number): ShapedList {
  const sheet = new Sheet();
  const size = Math.ceil(count / Math.max(3, Math.ceil(count / 30)));
  const rows: TrueRow[] = [];
  for (let from = 0; from < count; from += size) {
    const section = `Region ${letters(from / size)}`;
    sheet.skip();
    sheet.line([[section, 60]], 4);
    const own = Array.from({ length: Math.min(size, count - from) }, (_, at) => store(from + at, next));
    for (const row of own) rows.push({ page: sheet.line(storeCells(row)), row, section });
    const total = own.reduce((sum, { sales }) => sum + Number(sales), 0);
    sheet.line([
      ["Total", 60],
      [money(roundToCents(total)), -300],
    ]);
  }
  return { sheet, rows, columns: STORE };
}

function contacts(count: number): ShapedList {
  const sheet = new Sheet();
  const rows = Array.from({ length: count }, (_, at): TrueRow => {
    const row = {
      name: `${pick(NAMES, at)} ${letters(at)}.`,
      phone: `+49 30 55${1_000 + at * 7}`,
      email: `p${at * 3}@example.org`,
    };
    return { page: sheet.line([[Object.values(row).join(" - "), 60]]), row };
  });
  const columns = ["name", "phone", "email"].map((name) => ({ name, type: "string" }) as const);
  return { sheet, rows, columns };
}

/** Cards of labelled lines; page breaks cut some. */
function cards(count: number, next: () => number): ShapedList {
  const sheet = new Sheet();
  const rows = Array.from({ length: count }, (_, at): TrueRow => {
    const row = {
      order: `A-${2_000 + at * 3}`,
      customer: `${pick(PLACES, at)} Trading ${letters(at)}`,
      total: roundToCents(next() * 900),
    };
    const page = sheet.line([[`Order: ${row.order}`, 60]]);
    sheet.line([[`Customer: ${row.customer}`, 60]]);
    sheet.line([[`Total: ${money(row.total)}`, 60]]);
    sheet.skip();
    return { page, row };
  });
  const columns = [
    { name: "order", type: "string" },
    { name: "customer", type: "string" },
    { name: "total", type: "number" },
  ] as const;
  return { sheet, rows, columns };
}

function words(count: number): ShapedList {
  const place = (cells: readonly string[]): [string, number][] => cells.map((text, at) => [text, 60 + at * 150]);
  const heads = ["Name", "Role", "City"];
  const sheet = new Sheet((set) => {
    for (const [text, x] of place(heads)) set.text(text, x, set.y);
    set.y -= LINE_POINTS;
  });
  const rows = Array.from({ length: count }, (_, at): TrueRow => {
    const row = {
      name: `${pick(NAMES, at)} ${letters(at)}`,
      role: pick(ROLES, at),
      city: pick(PLACES, at * 5 + Math.floor(at / 12)),
    };
    return { page: sheet.line(place(Object.values(row))), row };
  });
  return { sheet, rows, columns: ["name", "role", "city"].map((name) => ({ name, type: "string" }) as const) };
}

function clauses(count: number): ShapedList {
  const sheet = new Sheet();
  const rows = Array.from({ length: count }, (_, at): TrueRow => {
    const text = `The supplier shall deliver to ${pick(PLACES, at)} ${letters(at)} within ${10 + at} days of the order.`;
    return { page: sheet.line([[`${at + 1}. ${text}`, 60]]), row: { number: at + 1, text } };
  });
  const columns = [
    { name: "number", type: "integer" },
    { name: "text", type: "string" },
  ] as const;
  return { sheet, rows, columns };
}

/** Two columns of a page, the left one first. */
function newspaper(count: number, next: () => number): ShapedList {
  const sheet = new Sheet();
  const rows: TrueRow[] = [];
  const lines = 40;
  for (let from = 0; from < count; from += 2 * lines) {
    const own = Array.from({ length: Math.min(2 * lines, count - from) }, (_, at) => store(from + at, next));
    const half = Math.ceil(own.length / 2);
    if (from > 0) sheet.set.begin(TITLE);
    for (let at = 0; at < half; at += 1) {
      const cells = [own[at], own[at + half]].flatMap((row, column) =>
        row === undefined
          ? []
          : storeCells(row).map(([text, x]): [string, number] => [text, x + Math.sign(x) * column * 250]),
      );
      sheet.line(cells);
    }
    rows.push(...own.map((row) => ({ page: sheet.set.page, row })));
  }
  return { sheet, rows, columns: STORE };
}

/** Invoice lines without headings, of varying form, above their net total. */
function irregular(count: number, next: () => number): ShapedList {
  const sheet = new Sheet();
  let net = 0;
  const rows = Array.from({ length: count }, (_, at): TrueRow => {
    const { description = "", quantity = 0, unit_price = 0, amount = 0 } = article(at, next, true);
    net += Number(amount);
    const page = sheet.line([
      [String(description), 60],
      [`${quantity}${pick(UNITS, at)}`, -330],
      [`${at % 2 === 0 ? "at " : ""}${money(Number(unit_price))}`, -430],
      [money(Number(amount)), -540],
    ]);
    return { page, row: { description, quantity, unit_price, amount } };
  });
  sheet.skip();
  for (const [label, value] of [
    ["Net", net],
    ["VAT 20%", net * 0.2],
    ["To be paid", net * 1.2],
  ] as const)
    sheet.line([
      [label, 60],
      [money(roundToCents(value)), -540],
    ]);
  const columns = [
    { name: "description", type: "string" },
    { name: "quantity", type: "integer" },
    { name: "unit_price", type: "number" },
    { name: "amount", type: "number" },
  ] as const;
  return { sheet, rows, columns };
}

const MAKERS: Record<Exclude<Shape, "pairs in text">, (count: number, next: () => number) => ShapedList> = {
  pairs,
  sections,
  nested: sections,
  contacts,
  cards,
  words,
  clauses,
  newspaper,
  irregular,
};

/** Lines of plain text; the reader paginates them. */
function pairsInText(count: number, next: () => number): GeneratedDocument {
  const line = (name: string, value: string): string => name.padEnd(26) + value.padStart(12);
  const rows = Array.from({ length: count }, (_, at) => store(at, next));
  const lines = rows.map((row) => line(String(row.store), money(Number(row.sales))));
  const text = [TITLE.toUpperCase(), "", line("Store", "Sales"), ...lines].join("\n");
  return {
    name: "pairs in text",
    bytes: new TextEncoder().encode(text),
    mimeType: PLAIN_TEXT,
    schema: schemaOf({ rows: itemsOf(STORE) }),
    truth: { rows: rows.map((row) => ({ page: 1, row })) },
    named: "store",
  };
}

function schemaFor(name: Shape, columns: readonly ListColumn[]): Json {
  if (name !== "nested") return schemaOf({ rows: itemsOf(columns) });
  const region = { type: "object", properties: { region: { type: "string" }, stores: itemsOf(columns) } };
  return schemaOf({ regions: { type: "array", items: region } });
}

export async function generateShape(name: Shape, count: number, seed: number): Promise<GeneratedDocument> {
  const next = seededRandom(seed);
  if (name === "pairs in text") return pairsInText(count, next);
  const { sheet, rows, columns } = MAKERS[name](count, next);
  const truth = { [name === "nested" ? "regions.*.stores" : "rows"]: rows };
  return { name, bytes: await sheet.set.pdf(), mimeType: PDF, schema: schemaFor(name, columns), truth };
}
