/** Lists whose rows have others among them: groups, details, sums, discounts. */
import { money, roundToCents, type TrueRow } from "./articles.ts";
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
import { LINE_POINTS } from "./typeset.ts";

/** Groups below names of their own, each with a sum. */
export function grouped(count: number, next: () => number): DrawnList {
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
export function wrapped(count: number, next: () => number): DrawnList {
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
export function nested(count: number, next: () => number): DrawnList {
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
export function halves(count: number, next: () => number): DrawnList {
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
export function carried(count: number, next: () => number): DrawnList {
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
export function receipt(count: number, next: () => number): DrawnList {
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
