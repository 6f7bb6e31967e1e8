/** Ticks off the rows that items stand on, each row once; finds the rows of items whose place is not known, and items returned twice. */

import type { FormatConventions } from "../values/format-conventions.ts";
import type { Unit } from "./candidate-rows.ts";
import { type Twins, twinsOf } from "./duplicate-items.ts";
import { isRecognised, misread } from "./ocr-errors.ts";
import { PrintedRows } from "./printed-rows.ts";
import { type DataList, type ListItem, thinOf } from "./result-lists.ts";
import { type Book, tickRow } from "./row-assignment.ts";

/**
 * Ticks the rows of the lists' items off in the book, and writes down there which items were returned twice and which
 * stand on no row; items without a row of their own are given one that says more of them, where one is free.
 * @param lists as the book was opened for
 * @param conventions in which the document writes its figures and dates
 */
export function tick(book: Book, lists: readonly DataList[], { notation, order }: FormatConventions): void {
  const all = lists.map((list) => new Ticker(list, book, { notation, order }));
  // Rows that say what their items say are taken before others may take them.
  for (const ticker of all) ticker.tickSure();
  for (const ticker of all) ticker.settle();
}

function addTo(items: Map<DataList, ListItem[]>, list: DataList, item: ListItem): void {
  const own = items.get(list);
  if (own === undefined) items.set(list, [item]);
  else own.push(item);
}

/** One list's items and their rows. */
class Ticker {
  readonly #list: DataList;
  readonly #book: Book;
  readonly #printed: PrintedRows;
  readonly #twins: Twins;
  readonly #isThin: (item: ListItem) => boolean;
  /** What the rows of items lack of them: where items say the same, it is asked again. */
  readonly #lacks = new Map<ListItem, ReadonlySet<string> | undefined>();
  /** Items without a row of their own so far. */
  readonly #waiting: ListItem[] = [];
  /** Of those, the ones whose row says something else. */
  readonly #doubtful = new Map<ListItem, Unit>();

  constructor(list: DataList, book: Book, writing: FormatConventions) {
    const rows = book.setsOf(list).flatMap(({ parts }) => parts.flatMap((part) => book.candidates(part)));
    this.#list = list;
    this.#book = book;
    this.#printed = new PrintedRows(rows, writing);
    this.#twins = twinsOf(list, (item) => this.#lacking(item));
    this.#isThin = thinOf(list);
  }

  get #places(): Map<ListItem, number> | undefined {
    return this.#book.places.get(this.#list);
  }

  /** Paths of the values that an item's row has not, also not misread; undefined where it stands on none of the sets'. */
  #lacking(item: ListItem): ReadonlySet<string> | undefined {
    if (this.#lacks.has(item)) return this.#lacks.get(item);
    const unit = this.#book.unitAt(this.#places?.get(item) ?? -1);
    const lacks = unit === undefined ? undefined : this.#lackingOn(unit, item);
    this.#lacks.set(item, lacks);
    return lacks;
  }

  #lackingOn(unit: Unit, item: ListItem): ReadonlySet<string> {
    const missing = this.#printed.lacking(item, unit);
    const excused = missing.length > 0 && isRecognised(unit) ? misread(item, unit) : [];
    return new Set(missing.filter((leaf) => !excused.includes(leaf)).map(({ path }) => path));
  }

  /** Ticks the items whose rows say all of them; the others wait. */
  tickSure(): void {
    const { items, scalars } = this.#list;
    const own = new Set<number>();
    for (const item of items) {
      const row = this.#places?.get(item);
      // Two lists may share a row; two items of one list do not, but for short values side by side.
      if (row === undefined || (!scalars && own.has(row))) {
        this.#waiting.push(item);
      } else if (scalars || (this.#lacking(item)?.size ?? 0) === 0) {
        tickRow(this.#book, row, item);
        own.add(row);
      } else {
        this.#waiting.push(item);
        const unit = this.#book.unitAt(row);
        if (unit !== undefined) this.#doubtful.set(item, unit);
      }
    }
  }

  /** Gives the items that wait the rows that are left. */
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
      this.#lacks.delete(item);
      return;
    }
    // An item equal to another one stands on a row of its own only where the page has one more that says the same.
    const isCopy = doubted === undefined ? this.#twins.has(item) : this.#twins.isLess(item);
    if (isCopy && rows.length > 0) {
      // The others of its equals keep their rows; this one has none.
      this.#places?.delete(item);
      this.#lacks.delete(item);
      addTo(book.repeated, this.#list, item);
    } else if (was === undefined) addTo(book.loose, this.#list, item);
    else if (!book.ticked.has(was)) tickRow(book, was, item);
  }
}
