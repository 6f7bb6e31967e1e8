/** Lists in shapes that invoices, receipts and reports print, drawn before any code was written for them. */
import { PDF } from "../../functions/ports/media-types.ts";
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
import { openSchema } from "./losing-model.ts";
import { BOTTOM_POINTS, LINE_POINTS, seededRandom, Typesetter } from "./typeset.ts";

/** A text at its left edge, or at its right edge where negative; in points. */
type Placed = readonly [text: string, x: number];

interface DrawnList {
  set: Typesetter;
  rows: TrueRow[];
  columns: readonly ListColumn[];
}

type Draw = (count: number, next: () => number) => DrawnList;

const ITEM: readonly ListColumn[] = [
  { name: "description", type: "string" },
  { name: "quantity", type: "integer" },
  { name: "unit_price", type: "number" },
  { name: "amount", type: "number" },
];
const PAID: readonly ListColumn[] = [
  { name: "description", type: "string" },
  { name: "amount", type: "number" },
];

const item = (at: number, next: () => number): Row => {
  const { description = "", quantity = 0, unit_price = 0, amount = 0 } = article(at, next, true);
  return { description, quantity, unit_price, amount };
};

const HEADS: readonly Placed[] = [
  ["Description", 60],
  ["Qty", -360],
  ["Price", -450],
  ["Amount", -540],
];
const cellsOf = ({ description, quantity, unit_price, amount }: Row): Placed[] => [
  [String(description), 60],
  [String(quantity), -360],
  [money(Number(unit_price)), -450],
  [money(Number(amount)), -540],
];

/** A page that begins the next one where it is full. */
class DrawnPage {
  readonly set = new Typesetter();
  readonly #heads: readonly Placed[];

  constructor(heads: readonly Placed[] = []) {
    this.#heads = heads;
    this.begin();
  }

  begin(): void {
    this.set.begin("Invoice 2041");
    if (this.#heads.length > 0) this.line(this.#heads);
  }

  /** @param lines lines that stay on one page with it */
  line(cells: readonly Placed[], lines = 1): number {
    if (this.set.y - (lines - 1) * LINE_POINTS < BOTTOM_POINTS) this.begin();
    for (const [text, x] of cells) this.set.text(text, Math.abs(x), this.set.y, x < 0 ? { right: true } : {});
    this.set.y -= LINE_POINTS;
    return this.set.page;
  }

  air(lines = 1): void {
    this.set.y -= lines * LINE_POINTS;
  }

  /** Net, tax and total below a list. */
  totals(rows: readonly { row: Row }[], x = 540, label = 380): void {
    const net = roundToCents(rows.reduce((sum, { row }) => sum + Number(row.amount), 0));
    this.air();
    for (const [name, value] of [
      ["Net", net],
      ["VAT 20%", roundToCents(net * 0.2)],
      ["Total", roundToCents(net * 1.2)],
    ] as const)
      this.line([
        [name, label],
        [money(value), -x],
      ]);
  }
}

const drawEach = (count: number, next: () => number, draw: (row: Row, at: number) => number): TrueRow[] =>
  Array.from({ length: count }, (_, at): TrueRow => {
    const row = item(at, next);
    return { page: draw(row, at), row };
  });

const GROUP_NAMES = ["Kitchen", "Workshop", "Garden", "Office", "Cellar"];

/** Groups below names of their own, each with a sum. */
function grouped(count: number, next: () => number): DrawnList {
  const page = new DrawnPage(HEADS);
  const rows: TrueRow[] = [];
  const size = Math.max(2, Math.ceil(count / 4));
  for (let from = 0; from < count; from += size) {
    const name = GROUP_NAMES[(from / size) % GROUP_NAMES.length] ?? "";
    page.line([[name, 60]], 3);
    const own = drawEach(Math.min(size, count - from), next, (row) => page.line(cellsOf(row)));
    rows.push(...own);
    const sum = roundToCents(own.reduce((total, { row }) => total + Number(row.amount), 0));
    page.line([
      [`Sum ${name}`, 60],
      [money(sum), -540],
    ]);
  }
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** Descriptions of several lines, with the numbers on the last. */
function wrapped(count: number, next: () => number): DrawnList {
  const page = new DrawnPage(HEADS);
  const rows = drawEach(count, next, (row, at) => {
    const lines = 1 + (at % 3);
    const extra = ["with mounting set,", "two years of warranty,"].slice(0, lines - 1);
    const [, ...numbers] = cellsOf(row);
    const description = String(row.description);
    row.description = [...extra, description].join(" ");
    extra.forEach((text, line) => void page.line([[text, 60]], lines - line));
    const on = page.line([[description, 60], ...numbers]);
    page.set.y -= 4;
    return on;
  });
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** Below each row a small table of its parcels. */
function nested(count: number, next: () => number): DrawnList {
  const page = new DrawnPage(HEADS);
  const rows = drawEach(count, next, (row, at) => {
    const on = page.line(cellsOf(row), 5);
    page.line([
      ["Parcel", 90],
      ["Weight kg", -200],
      ["Pieces", -260],
    ]);
    for (let parcel = 0; parcel < 1 + (at % 3); parcel += 1)
      page.line([
        [`P${at * 7 + parcel + 100}`, 90],
        [(1 + next() * 30).toFixed(1), -200],
        [String(1 + Math.floor(next() * 9)), -260],
      ]);
    return on;
  });
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** Two halves of a page, the last one short. */
function halves(count: number, next: () => number): DrawnList {
  const page = new DrawnPage();
  const rows = Array.from({ length: count }, (): TrueRow => {
    const { description = "", amount = 0 } = item(0, next);
    return { page: 1, row: { description: String(description).split(" ").slice(0, 2).join(" "), amount } };
  });
  const perHalf = Math.max(3, Math.ceil(count * 0.7));
  const top = page.set.y;
  for (const [half, own] of [rows.slice(0, perHalf), rows.slice(perHalf)].entries()) {
    page.set.y = top;
    const shift = half * 270;
    page.line([
      ["Article", 60 + shift],
      ["Amount", -(270 + shift)],
    ]);
    for (const { row } of own)
      page.line([
        [String(row.description), 60 + shift],
        [money(Number(row.amount)), -(270 + shift)],
      ]);
  }
  page.set.y = top - (perHalf + 1) * LINE_POINTS;
  page.totals(rows);
  return { set: page.set, rows, columns: PAID };
}

/** Each page ends with a carried sum, whose words stand below the price column. */
function carried(count: number, next: () => number): DrawnList {
  const page = new DrawnPage(HEADS);
  const perPage = Math.max(2, Math.ceil(count / 3));
  let sum = 0;
  const carry = (): Placed[] => [
    ["carried over", -450],
    [money(roundToCents(sum)), -540],
  ];
  const rows = drawEach(count, next, (row, at) => {
    if (at > 0 && at % perPage === 0) {
      page.line(carry());
      page.begin();
      page.line(carry());
    }
    sum += Number(row.amount);
    return page.line(cellsOf(row));
  });
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** A till receipt: names with amounts, below some of them the count and the price, and discounts. */
function receipt(count: number, next: () => number): DrawnList {
  const page = new DrawnPage();
  const rows = drawEach(count, next, (row, at) => {
    if (at % 3 !== 0) {
      row.quantity = 1;
      row.amount = Number(row.unit_price);
    }
    const on = page.line(
      [
        [String(row.description), 60],
        [money(Number(row.amount)), -300],
      ],
      2,
    );
    if (at % 3 === 0) page.line([[`${row.quantity} x ${money(Number(row.unit_price))}`, 80]]);
    return on;
  });
  const total = roundToCents(rows.reduce((sum, { row }) => sum + Number(row.amount), 0));
  page.line([
    ["TOTAL", 60],
    [money(total), -300],
  ]);
  page.line([
    ["CASH", 60],
    [money(roundToCents(total + 10)), -300],
  ]);
  page.line([
    ["CHANGE", 60],
    [money(10), -300],
  ]);
  return { set: page.set, rows, columns: PAID };
}

/** Quantity and price are printed for few rows. */
function sparse(count: number, next: () => number): DrawnList {
  const page = new DrawnPage(HEADS);
  const rows = drawEach(count, next, (row, at) => {
    const [name, quantity, price, amount] = cellsOf(row);
    const some = at % 4 === 1 ? [name, quantity, price, amount] : [name, amount];
    return page.line(some.filter((cell) => cell !== undefined));
  });
  for (const [at, { row }] of rows.entries()) {
    if (at % 4 === 1) continue;
    delete row.quantity;
    delete row.unit_price;
  }
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** The items on the left, and beside them a list of payments. */
function beside(count: number, next: () => number): DrawnList {
  const page = new DrawnPage([
    ["Description", 50],
    ["Qty", -250],
    ["Amount", -310],
    ["Paid on", 380],
    ["Payment", -540],
  ]);
  const rows = drawEach(count, next, (row, at) => {
    const paid: Placed[] =
      at % 2 === 0
        ? [
            [`2024-03-${String(1 + (at % 28)).padStart(2, "0")}`, 380],
            [money(roundToCents(next() * 90)), -540],
          ]
        : [];
    return page.line([
      [String(row.description), 50],
      [String(row.quantity), -250],
      [money(Number(row.amount)), -310],
      ...paid,
    ]);
  });
  for (const { row } of rows) delete row.unit_price;
  page.totals(rows, 310, 180);
  return { set: page.set, rows, columns: ITEM.filter(({ name }) => name !== "unit_price") };
}

/** Numbers hang loosely below their headings. */
function ragged(count: number, next: () => number): DrawnList {
  const page = new DrawnPage(HEADS);
  const rows = drawEach(count, next, (row) => {
    const off = (): number => Math.floor(next() * 16);
    const [name, ...numbers] = cellsOf(row);
    return page.line([name ?? ["", 60], ...numbers.map(([text, x]): Placed => [text, x + off()])]);
  });
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** The list goes on over pages below other text, without its headings. */
function continued(count: number, next: () => number): DrawnList {
  const page = new DrawnPage();
  page.line(HEADS);
  const perPage = Math.max(2, Math.ceil(count / 2.5));
  const rows = drawEach(count, next, (row, at) => {
    if (at > 0 && at % perPage === 0) {
      page.begin();
      page.line([["Customer number 7731, your contact: Ms Okafor", 60]]);
      page.line([["This invoice continues the page before.", 60]]);
      page.air();
    }
    return page.line(cellsOf(row));
  });
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** An outline: groups with their sums further out, rows further in. */
function indented(count: number, next: () => number): DrawnList {
  const page = new DrawnPage([
    ["Position", 60],
    ["Amount", -400],
  ]);
  const all = Array.from({ length: count }, (): Row => {
    const { description = "", amount = 0 } = item(0, next);
    return { description, amount };
  });
  const rows: TrueRow[] = [];
  for (let from = 0; from < count; from += 3) {
    const own = all.slice(from, from + 3);
    page.line(
      [
        [`${from / 3 + 1} ${GROUP_NAMES[(from / 3) % GROUP_NAMES.length]}`, 60],
        [money(roundToCents(own.reduce((sum, { amount }) => sum + Number(amount), 0))), -400],
      ],
      4,
    );
    for (const row of own)
      rows.push({
        page: page.line([
          [String(row.description), 80],
          [money(Number(row.amount)), -400],
        ]),
        row,
      });
  }
  page.totals(rows, 400, 60);
  return { set: page.set, rows, columns: PAID };
}

/** Below each row detail lines and air. */
function spaced(count: number, next: () => number): DrawnList {
  const page = new DrawnPage(HEADS);
  const rows = drawEach(count, next, (row, at) => {
    const on = page.line(cellsOf(row), 6);
    page.line([[`Serial number SN-${4000 + at * 17}, checked on arrival`, 60]]);
    page.line([["Delivered to the ramp, see the note of the carrier", 60]]);
    page.air(3);
    return on;
  });
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** Payments below the totals, in the columns of the items. */
function paid(count: number, next: () => number): DrawnList {
  const page = new DrawnPage(HEADS);
  const rows = drawEach(count, next, (row) => page.line(cellsOf(row)));
  page.totals(rows);
  page.air();
  for (const day of ["3 May 2024", "9 June 2024"])
    page.line([
      [`Payment received ${day}`, 60],
      [money(-20), -540],
    ]);
  return { set: page.set, rows, columns: ITEM };
}

/** No headings at all, only a total to the cent. */
function headless(count: number, next: () => number): DrawnList {
  const page = new DrawnPage();
  page.line([["Thank you for your order. We charge:", 60]]);
  page.air();
  const rows = drawEach(count, next, (row) => page.line(cellsOf(row)));
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** Codes before the names, in a column headed for both. */
function coded(count: number, next: () => number): DrawnList {
  const page = new DrawnPage([["Article", 60], ["Description", 150], ...HEADS.slice(1)]);
  const rows = drawEach(count, next, (row, at) => {
    const [name, ...numbers] = cellsOf(row);
    return page.line([[`KD-${7000 + at * 13}`, 60], [name?.[0] ?? "", 150], ...numbers]);
  });
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** Rows in columns: each article a column, at most four side by side. */
function transposed(count: number, next: () => number): DrawnList {
  const page = new DrawnPage();
  const rows: TrueRow[] = [];
  for (let from = 0; from < count; from += 4) {
    const own = Array.from({ length: Math.min(4, count - from) }, () => {
      const { description = "", ...row } = item(0, next);
      return { description: String(description).split(" ").slice(0, 2).join(" "), ...row } as Row;
    });
    const line = (head: string, text: (row: Row) => string, lines = 1): number =>
      page.line([[head, 60], ...own.map((row, at): Placed => [text(row), 150 + at * 100])], lines);
    const on = line("Description", ({ description }) => String(description), 5);
    line("Qty", ({ quantity }) => String(quantity));
    line("Price", ({ unit_price }) => money(Number(unit_price)));
    line("Amount", ({ amount }) => money(Number(amount)));
    page.air();
    rows.push(...own.map((row) => ({ page: on, row })));
  }
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

const DRAWINGS = {
  grouped,
  wrapped,
  nested,
  halves,
  carried,
  receipt,
  sparse,
  beside,
  ragged,
  continued,
  indented,
  spaced,
  paid,
  headless,
  coded,
  transposed,
} satisfies Record<string, Draw>;

export const DRAWN_SHAPES = Object.keys(DRAWINGS) as (keyof typeof DRAWINGS)[];

/** Draws a list of some rows. */
export async function drawShape(
  name: (typeof DRAWN_SHAPES)[number],
  count: number,
  seed: number,
): Promise<GeneratedDocument> {
  const { set, rows, columns } = DRAWINGS[name](count, seededRandom(seed));
  const members = new Set(columns.map((column) => column.name));
  const truth = rows.map(({ page, row }) => ({
    page,
    row: Object.fromEntries([...members].map((member) => [member, row[member] ?? null])),
  })) as unknown as TrueRow[];
  return {
    name,
    bytes: await set.pdf(),
    mimeType: PDF,
    schema: openSchema(schemaOf({ lines: itemsOf(columns) })),
    truth: { lines: truth },
  };
}
