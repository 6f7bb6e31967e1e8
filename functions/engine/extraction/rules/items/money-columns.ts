/** The columns of quantity, price and amount by arithmetic: quantity × price = amount, row after row. */
import { MIN_LARGE_AMOUNT } from "../../../structure/records/counts-and-prices.ts";
import type { RecordSet } from "../../../structure/records/record-set.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import type { Conventions } from "../value-reader.ts";

export interface MoneyColumns {
  quantity: number;
  price: number;
  amount: number;
}

/** Rows tried, from the beginning and the end. */
const MAX_TRIED_ROWS = 40;
/** Number columns tried against each other. */
const MAX_TRIED_COLUMNS = 10;
const MIN_NUMBER_SHARE = 0.6;
const MAX_CELL_CHARS = 60;
/** Letters before a cell's number: a currency. After more of them, it is a text with a number. */
const MAX_LETTERS_BEFORE_NUMBER = 4;
/** Share of the rows that must agree: discounts break some rows, chance does not keep most. */
const MIN_AGREEMENT_SHARE = 0.7;

interface NumberColumn {
  index: number;
  values: (number | null)[];
  decimals: number;
}

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

function columnsOfNumbers(grid: RecordSet, conventions: Conventions): NumberColumn[] {
  const rows =
    grid.records.length <= MAX_TRIED_ROWS
      ? grid.records
      : [...grid.records.slice(0, MAX_TRIED_ROWS / 2), ...grid.records.slice(-MAX_TRIED_ROWS / 2)];
  return grid.headings.flatMap((_, index) => {
    let [filled, decimals] = [0, 0];
    const values = rows.map((row) => {
      const cell = row.cells.get(index);
      if (cell === undefined) return null;
      const [span] = scanNumbers(cell.text.slice(0, MAX_CELL_CHARS), conventions.notation).filter(
        ({ percent }) => !percent,
      );
      if (span !== undefined && lettersIn(cell.text.slice(0, span.start)) > MAX_LETTERS_BEFORE_NUMBER) return null;
      filled += 1;
      if (span === undefined) return null;
      decimals = Math.max(decimals, span.decimals);
      return span.value;
    });
    const numbers = values.filter((value) => value !== null).length;
    return numbers > 0 && numbers >= filled * MIN_NUMBER_SHARE ? [{ index, values, decimals }] : [];
  });
}

/** A cent and a little, the most that a product is off by the rounding of its amount. */
const MAX_ROUNDING = 0.011;

/** The amount is the product, apart from rounded prices and quantities. @param decimals those of its column */
const isProduct = (product: number, amount: number, decimals: number): boolean =>
  Math.abs(product - amount) <= Math.max(Math.min(MAX_ROUNDING, 1.1 * 10 ** -decimals), Math.abs(amount) * 2e-4);

/** A column that makes two others multiply in every row: `quantity` × `price` = `amount` without one of them. */
export function findFactor(
  grid: RecordSet,
  conventions: Conventions,
  known: { factor: number; amount: number },
  isFree: (column: number) => boolean,
): number | null {
  const columns = columnsOfNumbers(grid, conventions);
  const [factor, amount] = [known.factor, known.amount].map((index) => columns.find((one) => one.index === index));
  if (factor === undefined || amount === undefined) return null;
  const fitting = columns.filter((one) => isFree(one.index) && agreement(one, factor, amount).share === 1);
  return fitting.length === 1 ? (fitting[0]?.index ?? null) : null;
}

/** How far a column's numbers look like prices: with cents, or large. Whole ones, however many zeros follow, are counts. */
function asPrice({ values, decimals }: NumberColumn): number {
  const numbers = values.filter((value) => value !== null);
  if (!numbers.every((value) => Number.isInteger(value))) return decimals === 2 ? 2 : 1;
  return numbers.every((value) => Math.abs(value) >= MIN_LARGE_AMOUNT) ? 1 : 0;
}

interface Agreement {
  /** Share of the rows whose product is the amount. */
  share: number;
  /** Rows among them with neither factor 1. */
  decisive: number;
}

function agreement(quantity: NumberColumn, price: NumberColumn, amount: NumberColumn): Agreement {
  let [rows, right, decisive] = [0, 0, 0];
  for (const [at, value] of amount.values.entries()) {
    const [count, each] = [quantity.values[at] ?? null, price.values[at] ?? null];
    if (value === null || count === null || each === null || value === 0) continue;
    rows += 1;
    if (!isProduct(count * each, value, amount.decimals)) continue;
    right += 1;
    // 1 × 5 = 5 does not tell quantity from price.
    if (Math.abs(count) !== 1 && Math.abs(each) !== 1) decisive += 1;
  }
  return { share: rows === 0 ? 0 : right / rows, decisive };
}

/** Decisive rows that prove columns which nothing heads. */
const MIN_DECISIVE_ROWS_WITHOUT_HEADINGS = 2;

/**
 * Finds three columns that multiply. One decisive row is enough where headings agree.
 * @param asQuantity evidence of a column's heading for a quantity (1) against a price (-1)
 * @returns null when no three columns multiply, or only by ones
 */
export function findMoneyColumns(
  grid: RecordSet,
  conventions: Conventions,
  asQuantity: (column: number) => number,
): MoneyColumns | null {
  const columns = columnsOfNumbers(grid, conventions).slice(0, MAX_TRIED_COLUMNS);
  const least = grid.headings.every((text) => text === "") ? MIN_DECISIVE_ROWS_WITHOUT_HEADINGS : 1;
  let best: MoneyColumns | null = null;
  let most = 0;
  for (const amount of columns) {
    for (const [at, a] of columns.entries()) {
      for (const b of columns.slice(at + 1)) {
        if (a === amount || b === amount) continue;
        const { share, decisive } = agreement(a, b, amount);
        const score = share + Math.min(decisive, 3) * 0.1;
        if (share < MIN_AGREEMENT_SHARE || decisive < least || score <= most) continue;
        most = score;
        // Prices have cents and follow quantities, unless headings differ.
        const lean = (asQuantity(a.index) - asQuantity(b.index)) * 4 + Math.sign(asPrice(b) - asPrice(a)) + 0.5;
        const [quantity, price] = lean >= 0 ? [a, b] : [b, a];
        best = { quantity: quantity.index, price: price.index, amount: amount.index };
      }
    }
  }
  return best;
}
