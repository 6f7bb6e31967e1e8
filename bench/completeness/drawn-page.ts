/** Pages of drawn lists: cells set line by line, and the totals below them. */
import { article, type ListColumn, money, type Row, roundToCents, type TrueRow } from "./articles.ts";
import { BOTTOM_POINTS, LINE_POINTS, Typesetter } from "./typeset.ts";

/** A text at its left edge, or at its right edge where negative; in points. */
export type Placed = readonly [text: string, x: number];

export interface DrawnList {
  set: Typesetter;
  rows: TrueRow[];
  columns: readonly ListColumn[];
}

export type Draw = (count: number, next: () => number) => DrawnList;

export const ITEM: readonly ListColumn[] = [
  { name: "description", type: "string" },
  { name: "quantity", type: "integer" },
  { name: "unit_price", type: "number" },
  { name: "amount", type: "number" },
];
export const PAID: readonly ListColumn[] = [
  { name: "description", type: "string" },
  { name: "amount", type: "number" },
];

export const item = (at: number, next: () => number): Row => {
  const { description = "", quantity = 0, unit_price = 0, amount = 0 } = article(at, next, true);
  return { description, quantity, unit_price, amount };
};

export const HEADS: readonly Placed[] = [
  ["Description", 60],
  ["Qty", -360],
  ["Price", -450],
  ["Amount", -540],
];
export const cellsOf = ({ description, quantity, unit_price, amount }: Row): Placed[] => [
  [String(description), 60],
  [String(quantity), -360],
  [money(Number(unit_price)), -450],
  [money(Number(amount)), -540],
];

/** A page that begins the next one where it is full. */
export class DrawnPage {
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

export const drawEach = (count: number, next: () => number, draw: (row: Row, at: number) => number): TrueRow[] =>
  Array.from({ length: count }, (_, at): TrueRow => {
    const row = item(at, next);
    return { page: draw(row, at), row };
  });

export const GROUP_NAMES = ["Kitchen", "Workshop", "Garden", "Office", "Cellar"];
