/** Lists whose cells stand in unusual places: sparse, side by side, ragged, further in, turned. */
import { money, type Row, roundToCents, type TrueRow } from "./articles.ts";
import {
  cellsOf,
  type DrawnList,
  DrawnPage,
  drawEach,
  GROUP_NAMES,
  HEADS,
  ITEM,
  item,
  PAID,
  type Placed,
} from "./drawn-page.ts";

/** Quantity and price are printed for few rows. */
export function sparse(count: number, next: () => number): DrawnList {
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
export function beside(count: number, next: () => number): DrawnList {
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
export function ragged(count: number, next: () => number): DrawnList {
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
export function continued(count: number, next: () => number): DrawnList {
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
export function indented(count: number, next: () => number): DrawnList {
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
export function spaced(count: number, next: () => number): DrawnList {
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
export function paid(count: number, next: () => number): DrawnList {
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
export function headless(count: number, next: () => number): DrawnList {
  const page = new DrawnPage();
  page.line([["Thank you for your order. We charge:", 60]]);
  page.air();
  const rows = drawEach(count, next, (row) => page.line(cellsOf(row)));
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** Codes before the names, in a column headed for both. */
export function coded(count: number, next: () => number): DrawnList {
  const page = new DrawnPage([["Article", 60], ["Description", 150], ...HEADS.slice(1)]);
  const rows = drawEach(count, next, (row, at) => {
    const [name, ...numbers] = cellsOf(row);
    return page.line([[`KD-${7000 + at * 13}`, 60], [name?.[0] ?? "", 150], ...numbers]);
  });
  page.totals(rows);
  return { set: page.set, rows, columns: ITEM };
}

/** Rows in columns: each article a column, at most four side by side. */
export function transposed(count: number, next: () => number): DrawnList {
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
