/** Lines with amounts and the counts and prices that belong to them, on their own rows or beside those. */
import type { Notation } from "../../values/numbers.ts";
import type { DocumentView } from "../view/document-view.ts";
import type { Row } from "../view/tokens.ts";
import { type CountAndPrice, countAndPriceOf, isProduct } from "./counts-and-prices.ts";
import { type PricedLine, pricedLine } from "./priced-lines.ts";

/** Rows that are searched for lines; more are no receipt. */
const MAX_ROWS = 20_000;

export class CountedLines {
  readonly view: DocumentView;
  readonly notation: Notation;
  readonly #lineOf: ReadonlyMap<Row, PricedLine>;

  /** @param leastWhole least amount without decimals */
  constructor(view: DocumentView, notation: Notation, leastWhole?: number) {
    this.view = view;
    this.notation = notation;
    this.#lineOf = new Map(
      view.rows.slice(0, MAX_ROWS).flatMap((row): [Row, PricedLine][] => {
        const line = pricedLine(row, notation, leastWhole);
        return line === null ? [] : [[row, line]];
      }),
    );
  }

  /** The count and price of a line, on its row or on the row above or below it. */
  countedOf({ row, amount, counted }: PricedLine): { counted: CountAndPrice; on: Row } | null {
    if (counted !== null) return { counted, on: row };
    for (const step of [1, -1]) {
      const near = this.view.rows[row.index + step];
      if (near?.page !== row.page) continue;
      const found = countAndPriceOf(near, this.notation);
      // The row of another item has an amount beside its price.
      const isOther = this.#lineOf.get(near)?.amount.tokens.some((token) => !found?.price?.tokens.includes(token));
      if (found !== null && isOther !== true && isProduct(found, amount.value)) return { counted: found, on: near };
    }
    return null;
  }

  /** The amount of a line is the product of its count and price. */
  isProven(line: PricedLine): boolean {
    const found = this.countedOf(line);
    return found !== null && isProduct(found.counted, line.amount.value);
  }

  /** All lines but those that only count the item of another one: `2 Stk x 1,11`. */
  lines(): PricedLine[] {
    const lines = [...this.#lineOf.values()];
    const counting = new Set(
      lines.flatMap((line) => {
        const on = this.countedOf(line)?.on;
        return on === undefined || on === line.row ? [] : [on];
      }),
    );
    return lines.filter(({ row }) => !counting.has(row));
  }
}
