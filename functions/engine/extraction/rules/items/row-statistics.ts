/** Statistics of a table's rows so far: filled columns, form of the amounts, sums of the columns. */

import type { PrintedRecord } from "../../../structure/records/record-set.ts";
import type { Row } from "../../../structure/view/tokens.ts";
import { type NumberSpan, scanNumbers } from "../../../values/numbers.ts";
import { sameAmount } from "../amounts/printed-sums.ts";
import type { Conventions } from "../value-reader.ts";
import { type Column, cellsOf } from "./row-columns.ts";

/** A row of the view with its cells and numbers. */
export interface MadeRow extends PrintedRecord {
  row: Row;
  /** The last number in each column that has one. */
  numbers: ReadonlyMap<number, NumberSpan>;
}

/** Characters of a cell that are read for a number. */
const MAX_CELL_CHARS = 60;

/** A row's cells below the columns, and the numbers in them. */
export function makeRow(row: Row, columns: readonly Column[], { notation }: Conventions): MadeRow {
  const cells = cellsOf(row, columns);
  const numbers = new Map(
    [...cells].flatMap(([column, { text }]): [number, NumberSpan][] => {
      const last = scanNumbers(text.slice(0, MAX_CELL_CHARS), notation).at(-1);
      return last === undefined ? [] : [[column, last]];
    }),
  );
  return { page: row.page, box: row.box, cells, row, numbers };
}

/** The column of a row's last number, which may be its amount. */
export const amountColumn = ({ numbers }: MadeRow): number => Math.max(-1, ...numbers.keys());

/** Share of the number rows that must fill a column for it to be required. */
const REQUIRED_SHARE = 2 / 3;

interface ColumnStatistics {
  filled: number;
  numbers: number;
  /** Numbers with two decimals. */
  cents: number;
  /** Sum of the amounts since the last printed sum, and of all amounts. */
  section: number;
  all: number;
  sectionRows: number;
}

const NO_STATISTICS: ColumnStatistics = { filled: 0, numbers: 0, cents: 0, section: 0, all: 0, sectionRows: 0 };

/** Collects statistics of a table's rows, by column. */
export class RowStatistics {
  readonly #columns = new Map<number, ColumnStatistics>();
  /** Number of rows with a number. */
  #rows = 0;

  /** Columns with a number in any row. */
  get known(): number[] {
    return [...this.#columns].flatMap(([column, { numbers }]) => (numbers > 0 ? [column] : []));
  }

  add({ cells, numbers }: MadeRow): void {
    if (numbers.size > 0) this.#rows += 1;
    for (const column of cells.keys()) {
      const { ...tally } = this.#columns.get(column) ?? NO_STATISTICS;
      const span = numbers.get(column);
      if (numbers.size > 0) tally.filled += 1;
      if (span !== undefined) {
        tally.numbers += 1;
        if (span.decimals === 2) tally.cents += 1;
        tally.section += span.value;
        tally.all += span.value;
        tally.sectionRows += 1;
      }
      this.#columns.set(column, tally);
    }
  }

  /** Starts a new section after a printed sum. */
  endSection(): void {
    for (const [column, tally] of this.#columns) this.#columns.set(column, { ...tally, section: 0, sectionRows: 0 });
  }

  /** A row fills the required columns, with numbers of the same form. */
  fits({ cells, numbers }: MadeRow): boolean {
    if (this.#rows === 0) return cells.size > 1 && cells.has(0) && numbers.size > 0;
    for (const [column, { filled, cents, numbers: counted }] of this.#columns) {
      if (filled <= REQUIRED_SHARE * this.#rows) continue;
      const span = numbers.get(column);
      if (!cells.has(column)) return false;
      if (counted > REQUIRED_SHARE * this.#rows && span === undefined) return false;
      if (span !== undefined && cents > REQUIRED_SHARE * this.#rows && span.decimals !== 2) return false;
    }
    return numbers.size > 0;
  }

  /** A row's amount is the sum of those above it, in all or since the last sum. @param least minimum number of summed rows */
  proves(row: MadeRow, least: number): boolean {
    const column = amountColumn(row);
    const [tally, span] = [this.#columns.get(column), row.numbers.get(column)];
    if (tally === undefined || span === undefined || span.value === 0 || tally.numbers < least) return false;
    const section = tally.sectionRows >= least && sameAmount(tally.section, span.value);
    return section || sameAmount(tally.all, span.value);
  }

  /** A row's amount is less than the sum above it, so it is no sum itself. */
  exceeds(row: MadeRow): boolean {
    const column = amountColumn(row);
    const [tally, span] = [this.#columns.get(column), row.numbers.get(column)];
    return tally !== undefined && span !== undefined && span.value < tally.all;
  }

  /** A copy for looking ahead. */
  copy(): RowStatistics {
    const other = new RowStatistics();
    for (const [column, tally] of this.#columns) other.#columns.set(column, { ...tally });
    other.#rows = this.#rows;
    return other;
  }
}
