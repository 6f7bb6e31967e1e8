/** Which columns are quantity, price and amount, told by arithmetic: quantity × price = amount, row after row. */
import { scanNumbers } from "../../../values/numbers.ts";
import type { Conventions } from "../value-reader.ts";
import type { Grid } from "./item-grid.ts";

export interface MoneyColumns {
  quantity: number;
  price: number;
  amount: number;
}

/** Rows that are tried: the first and the last say what the others would. */
const ROWS = 40;
/** Columns of numbers that are tried against each other. */
const COLUMNS = 10;
/** Of the rows with three numbers, so many must agree: a discount on a line breaks it, chance does not keep it. */
const AGREEMENT = 0.7;

interface Column {
  index: number;
  values: (number | null)[];
  decimals: number;
}

function columnsOfNumbers(grid: Grid, conventions: Conventions): Column[] {
  const rows = grid.rows.length <= ROWS ? grid.rows : [...grid.rows.slice(0, ROWS / 2), ...grid.rows.slice(-ROWS / 2)];
  return grid.headings.flatMap((_, index) => {
    let [filled, decimals] = [0, 0];
    const values = rows.map((row) => {
      const cell = row.cells.get(index);
      if (cell === undefined) return null;
      filled += 1;
      const [span] = scanNumbers(cell.text.slice(0, 60), conventions.notation).filter(({ percent }) => !percent);
      if (span === undefined) return null;
      decimals = Math.max(decimals, span.decimals);
      return span.value;
    });
    const numbers = values.filter((value) => value !== null).length;
    return numbers > 0 && numbers >= filled * 0.6 ? [{ index, values, decimals }] : [];
  });
}

/** Rounded prices and quantities leave an amount at most so far from their product. */
const near = (product: number, amount: number): boolean =>
  Math.abs(product - amount) <= Math.max(0.011, Math.abs(amount) * 2e-4);

function agreement(quantity: Column, price: Column, amount: Column): { share: number; telling: number } {
  let [rows, right, telling] = [0, 0, 0];
  for (const [at, value] of amount.values.entries()) {
    const [count, each] = [quantity.values[at] ?? null, price.values[at] ?? null];
    if (value === null || count === null || each === null || value === 0) continue;
    rows += 1;
    if (!near(count * each, value)) continue;
    right += 1;
    // 1 × 5 = 5 says nothing about which is which.
    if (Math.abs(count) !== 1 && Math.abs(each) !== 1) telling += 1;
  }
  return { share: rows === 0 ? 0 : right / rows, telling };
}

/**
 * @param asQuantity how much a column's heading speaks for a quantity, and against a price, -1 to 1
 * @returns null when no three columns multiply, or only by ones
 */
export function findMoneyColumns(
  grid: Grid,
  conventions: Conventions,
  asQuantity: (column: number) => number,
): MoneyColumns | null {
  const columns = columnsOfNumbers(grid, conventions).slice(0, COLUMNS);
  let best: MoneyColumns | null = null;
  let most = 0;
  for (const amount of columns) {
    for (const [at, a] of columns.entries()) {
      for (const b of columns.slice(at + 1)) {
        if (a === amount || b === amount) continue;
        const { share, telling } = agreement(a, b, amount);
        const score = share + Math.min(telling, 3) * 0.1;
        if (share < AGREEMENT || telling === 0 || score <= most) continue;
        most = score;
        // Prices have cents and stand behind quantities, unless headings say otherwise.
        const lean = (asQuantity(a.index) - asQuantity(b.index)) * 4 + Math.sign(b.decimals - a.decimals) + 0.5;
        const [quantity, price] = lean >= 0 ? [a, b] : [b, a];
        best = { quantity: quantity.index, price: price.index, amount: amount.index };
      }
    }
  }
  return best;
}
