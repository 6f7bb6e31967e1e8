/** Ticks off the rows that items stand on, each row once; finds the rows of items whose place is not known, and items returned twice. */
import type { Conventions } from "../reading.ts";
import { type Book, tickRow } from "./book.ts";
import { type DataList, type ListItem, thinOf } from "./lists.ts";
import { isRecognised, misread } from "./misread.ts";
import { type Twins, twinsOf } from "./twins.ts";
import type { Unit } from "./units.ts";
import { PrintedRows } from "./values.ts";

export function tick(
  book: Book,
  lists: readonly DataList[],
  { notation, order }: Pick<Conventions, "notation" | "order">,
): void {
  const units = (list: DataList): Unit[] =>
    book.setsOf(list).flatMap(({ parts }) => parts.flatMap((part) => book.candidates(part)));
  const all = lists.map((list) => new Ticker(list, book, new PrintedRows(units(list), { notation, order })));
  // Rows that say what their items say are taken before others may take them.
  for (const ticker of all) ticker.tickSure();
  for (const ticker of all) ticker.settle();
}

/** One list's items and their rows. */
class Ticker {
  readonly #list: DataList;
  readonly #book: Book;
  readonly #printed: PrintedRows;
  readonly #twins: Twins;
  readonly #isThin: (item: ListItem) => boolean;
  /** Items without a row of their own so far. */
  readonly #waiting: ListItem[] = [];
  /** Of those, the ones whose row says something else. */
  readonly #doubtful = new Map<ListItem, Unit>();

  constructor(list: DataList, book: Book, printed: PrintedRows) {
    this.#list = list;
    this.#book = book;
    this.#printed = printed;
    this.#twins = twinsOf(list, (item) => this.#lacking(item));
    this.#isThin = thinOf(list);
  }

  get #places(): Map<ListItem, number> | undefined {
    return this.#book.places.get(this.#list);
  }

  #unitOf(item: ListItem): Unit | undefined {
    return this.#book.unitAt(this.#places?.get(item) ?? -1);
  }

  /** Paths of the values that an item's row has not, also not misread; undefined without a row. */
  #lacking(item: ListItem): Set<string> | undefined {
    const unit = this.#unitOf(item);
    if (unit === undefined) return undefined;
    const missing = this.#printed.lacking(item, unit);
    const excused = missing.length > 0 && isRecognised(unit) ? misread(item, unit) : [];
    return new Set(missing.filter((leaf) => !excused.includes(leaf)).map(({ path }) => path));
  }

  tickSure(): void {
    const { items, scalars } = this.#list;
    const own = new Set<number>();
    for (const item of items) {
      const row = this.#places?.get(item);
      const unit = this.#unitOf(item);
      // Two lists may share a row; two items of one list do not, but for short values side by side.
      const isFree = row !== undefined && (scalars || !own.has(row));
      const isSure = isFree && (scalars || (this.#lacking(item)?.size ?? 0) === 0);
      if (isSure) tickRow(this.#book, row, item);
      else this.#waiting.push(item);
      if (isSure) own.add(row);
      else if (isFree && unit !== undefined) this.#doubtful.set(item, unit);
    }
  }

  settle(): void {
    if (this.#book.setsOf(this.#list).length === 0) return;
    for (const item of this.#waiting) this.#settle(item);
  }

  #settle(item: ListItem): void {
    const book = this.#book;
    const was = this.#places?.get(item);
    const doubted = this.#doubtful.get(item);
    const rows = this.#printed.find(item);
    const least = doubted === undefined ? -1 : this.#printed.match(item, doubted);
    const isBetter = (unit: Unit): boolean => !book.ticked.has(unit.order) && this.#printed.match(item, unit) > least;
    const found = this.#isThin(item) ? undefined : rows.find(isBetter);
    if (found !== undefined) {
      tickRow(book, found.order, item);
      this.#places?.set(item, found.order);
      return;
    }
    // An item equal to another one stands on a row of its own only where the page has one more that says the same.
    const isCopy = doubted === undefined ? this.#twins.has(item) : this.#twins.isLess(item);
    if (isCopy && rows.length > 0) {
      // The others of its equals keep their rows; this one has none.
      this.#places?.delete(item);
      book.repeated.set(this.#list, [...(book.repeated.get(this.#list) ?? []), item]);
    } else if (was === undefined) book.loose.set(this.#list, [...(book.loose.get(this.#list) ?? []), item]);
    else if (!book.ticked.has(was)) tickRow(book, was, item);
  }
}
