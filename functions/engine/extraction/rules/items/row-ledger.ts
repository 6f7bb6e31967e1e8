import type { Row } from "../../../structure/view/tokens.ts";
import { type NumberSpan, scanNumbers } from "../../../values/numbers.ts";
import { same } from "../amounts/printed-sums.ts";
import type { Conventions } from "../value-reader.ts";
import type { GridRow } from "./item-grid.ts";
import { type Column, cellsOf } from "./row-columns.ts";

/** A row of the view as one of the table's. */
export interface MadeRow extends GridRow {
  row: Row;
  /** The last number in each column that has one. */
  numbers: ReadonlyMap<number, NumberSpan>;
}

/** Characters of a cell that are read for a number. */
const CELL = 60;

/** A row's cells under the columns, and the numbers in them. */
export function makeRow(row: Row, columns: readonly Column[], { notation }: Conventions): MadeRow {
  const cells = cellsOf(row, columns);
  const numbers = new Map(
    [...cells].flatMap(([column, { text }]): [number, NumberSpan][] => {
      const last = scanNumbers(text.slice(0, CELL), notation).at(-1);
      return last === undefined ? [] : [[column, last]];
    }),
  );
  return { page: row.page, top: row.box.top, cells, row, numbers };
}

/** Where a row's last number stands: its amount, if it is one. */
export const amountColumn = ({ numbers }: MadeRow): number => Math.max(-1, ...numbers.keys());

/** Of the rows with numbers, so many fill a column that the table's rows have. */
const MOST = 2 / 3;

interface Tally {
  filled: number;
  numbers: number;
  /** Numbers with two decimals. */
  cents: number;
  /** Of the amounts since the last sum, and of all. */
  section: number;
  all: number;
  sectionRows: number;
}

const NONE: Tally = { filled: 0, numbers: 0, cents: 0, section: 0, all: 0, sectionRows: 0 };

export class Ledger {
  readonly #tallies = new Map<number, Tally>();
  /** Rows that have a number. */
  #rows = 0;

  /** Columns that have held a number. */
  get known(): number[] {
    return [...this.#tallies].flatMap(([column, { numbers }]) => (numbers > 0 ? [column] : []));
  }

  add({ cells, numbers }: MadeRow): void {
    if (numbers.size > 0) this.#rows += 1;
    for (const column of cells.keys()) {
      const { ...tally } = this.#tallies.get(column) ?? NONE;
      const span = numbers.get(column);
      if (numbers.size > 0) tally.filled += 1;
      if (span !== undefined) {
        tally.numbers += 1;
        if (span.decimals === 2) tally.cents += 1;
        tally.section += span.value;
        tally.all += span.value;
        tally.sectionRows += 1;
      }
      this.#tallies.set(column, tally);
    }
  }

  /** A sum was printed: what follows adds up anew. */
  endSection(): void {
    for (const [column, tally] of this.#tallies) this.#tallies.set(column, { ...tally, section: 0, sectionRows: 0 });
  }

  /** Does a row fill the columns that the others do, with numbers where and as they have them? */
  fits({ cells, numbers }: MadeRow): boolean {
    if (this.#rows === 0) return cells.size > 1 && cells.has(0) && numbers.size > 0;
    for (const [column, { filled, cents, numbers: counted }] of this.#tallies) {
      if (filled <= MOST * this.#rows) continue;
      const span = numbers.get(column);
      if (!cells.has(column)) return false;
      if (counted > MOST * this.#rows && span === undefined) return false;
      if (span !== undefined && cents > MOST * this.#rows && span.decimals !== 2) return false;
    }
    return numbers.size > 0;
  }

  /** Is a row's amount what those above it add up to, in all or since the last sum? @param least rows that it adds up */
  proves(row: MadeRow, least: number): boolean {
    const column = amountColumn(row);
    const [tally, span] = [this.#tallies.get(column), row.numbers.get(column)];
    if (tally === undefined || span === undefined || span.value === 0 || tally.numbers < least) return false;
    const section = tally.sectionRows >= least && same(tally.section, span.value);
    return section || same(tally.all, span.value);
  }

  /** Is its amount less than what stands above it: no sum, then? */
  exceeds(row: MadeRow): boolean {
    const column = amountColumn(row);
    const [tally, span] = [this.#tallies.get(column), row.numbers.get(column)];
    return tally !== undefined && span !== undefined && span.value < tally.all;
  }

  /** Its own copy, for looking ahead. */
  copy(): Ledger {
    const other = new Ledger();
    for (const [column, tally] of this.#tallies) other.#tallies.set(column, { ...tally });
    other.#rows = this.#rows;
    return other;
  }
}
