/**
 * Record sets without headings: lines with amounts in one column, down to a total that adds them up to the cent, or whose
 * amounts are the products of printed counts and prices. Till receipts and plain bills print their items so.
 */

import type { Notation } from "../../values/numbers.ts";
import type { DocumentView } from "../view/document-view.ts";
import type { Row, Token } from "../view/tokens.ts";
import { isCharge, namesTotal, withoutCharges } from "./charges.ts";
import { type OutlineLine, withoutRepeatedAmounts } from "./outline-lines.ts";
import { type CountAndPrice, countAndPriceOf, isProduct, type PricedLine, pricedLine } from "./priced-lines.ts";
import { type Area, cellOf, type PrintedRecord, type RecordCell, type RecordSet } from "./record-set.ts";

/** Distance of the right edges of one column's amounts. */
const SAME_EDGE_EM = 1;
/** Lines whose products prove a list without a total, and their share of its lines. */
const MIN_PRODUCTS = 3;
const MIN_PRODUCT_SHARE = 0.6;
/** Lines that a sum proves which no label calls a total. */
const MIN_LINES_OF_UNNAMED_SUM = 3;
const MAX_LINES_OF_UNNAMED_SUM = 200;
/** Rows between an only line and its total. */
const MAX_ROWS_TO_ONLY_TOTAL = 4;
/** Lines that describe one amount; the gap above them, in heights, that ends them; and their common left edge. */
const MAX_DESCRIPTION_LINES = 4;
const MAX_LINE_GAP_HEIGHTS = 1;
const SAME_INDENT_EM = 1.5;
/** Rows that are searched for lines; more are no receipt. */
const MAX_ROWS = 20_000;

/** Lines below one total. */
const MAX_SUMMED_LINES = 10_000;

const CENT = 0.0051;
const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= CENT;

/** Text of a line before its amount. */
function labelOf({ row, amount }: PricedLine): string {
  const taken = new Set(amount.tokens);
  return row.segments
    .flatMap(({ tokens }) => tokens)
    .filter((token) => !taken.has(token))
    .map(({ text }) => text)
    .join(" ");
}

/** A line of a run with its label. */
interface RunLine extends OutlineLine {
  line: PricedLine;
  total: boolean;
  charge: boolean;
}

/** Lines without charges and sums. */
const ownLines = (lines: readonly RunLine[]): PricedLine[] =>
  withoutCharges([lines], ({ label }) => label)
    .flat()
    .map(({ line }) => line);

const isAlone = ({ row, amount }: PricedLine): boolean =>
  row.segments.every(({ tokens }) => tokens.every((token) => amount.tokens.includes(token)));

/** Amounts of one column: at one right edge, or alone on their lines and at one left edge. */
function sharesColumn(a: PricedLine, b: PricedLine): boolean {
  if (Math.abs(a.right - b.right) <= SAME_EDGE_EM * b.em) return true;
  return isAlone(a) && isAlone(b) && Math.abs(a.row.box.left - b.row.box.left) <= SAME_EDGE_EM * b.em;
}

/** Lines of one column of amounts, over pages, in their order. */
function columnsOf(lines: readonly PricedLine[]): PricedLine[][] {
  const columns: PricedLine[][] = [];
  for (const line of lines) {
    const own = columns.find((column) => {
      const last = column.at(-1);
      return last !== undefined && line.row.page - last.row.page <= 1 && sharesColumn(column[0] ?? last, line);
    });
    if (own === undefined) columns.push([line]);
    else own.push(line);
  }
  return columns;
}

/** The last lines that add up to a total, charges among them. */
function addendsOf(run: readonly RunLine[], total: number, least: number): RunLine[] | null {
  let sum = 0;
  for (let from = run.length - 1; from >= 0; from -= 1) {
    sum += run[from]?.value ?? 0;
    if (run.length - from > MAX_SUMMED_LINES) return null;
    if (isSame(sum, total) && run.length - from >= least) return run.slice(from);
  }
  return null;
}

/** Rows of a document's lists, with count and price of each amount. */
class SummedLines {
  readonly #view: DocumentView;
  readonly #notation: Notation;

  constructor(view: DocumentView, notation: Notation) {
    this.#view = view;
    this.#notation = notation;
  }

  /** The count and price of a line, on its row or on the row above or below it. */
  countedOf({ row, amount, counted }: PricedLine): { counted: CountAndPrice; on: Row } | null {
    if (counted !== null) return { counted, on: row };
    for (const step of [1, -1]) {
      const near = this.#view.rows[row.index + step];
      if (near?.page !== row.page || pricedLine(near, this.#notation)?.counted === null) continue;
      const found = countAndPriceOf(near, this.#notation);
      if (found !== null && isProduct(found, amount.value)) return { counted: found, on: near };
    }
    return null;
  }

  #isProven(line: PricedLine): boolean {
    const found = this.countedOf(line);
    return found !== null && isProduct(found.counted, line.amount.value);
  }

  /** The lines of a column that are rows of a list. */
  rowsOf(column: readonly PricedLine[]): { lines: PricedLine[]; evidence: RecordSet["evidence"] } | null {
    const lines = withoutRepeatedAmounts(
      column.map((line): RunLine => {
        const [label, { em }] = [labelOf(line), line];
        const { left } = line.row.box;
        const [total, charge] = [namesTotal(label), isCharge(label)];
        return { line, label, total, charge, left, em, value: line.amount.value };
      }),
    );
    const summed = this.#summed(lines);
    if (summed.length > 0) return { lines: summed, evidence: "printed total" };
    const multiplied = this.#multiplied(lines);
    return multiplied.length > 0 ? { lines: multiplied, evidence: "products" } : null;
  }

  /** Lines that totals add up; every section with a total of its own. */
  #summed(lines: readonly RunLine[]): PricedLine[] {
    const found: RunLine[] = [];
    let run: RunLine[] = [];
    for (const one of lines) {
      const { value } = one.line.amount;
      if (!one.total) {
        const own =
          run.length >= MIN_LINES_OF_UNNAMED_SUM && run.length <= MAX_LINES_OF_UNNAMED_SUM && value !== 0
            ? addendsOf(run, value, MIN_LINES_OF_UNNAMED_SUM)
            : null;
        if (own === null) run.push(one);
        else {
          found.push(...own);
          run = [];
        }
        continue;
      }
      const last = run.at(-1)?.line.row.index ?? Number.NEGATIVE_INFINITY;
      const near = found.length === 0 && one.line.row.index - last <= MAX_ROWS_TO_ONLY_TOTAL;
      const only = near && run.filter(({ charge }) => !charge).length === 1;
      const own = value === 0 ? null : addendsOf(run, value, only ? 1 : 2);
      if (own === null) continue;
      found.push(...own);
      run = [];
    }
    return ownLines(found);
  }

  /** Lines from the first to the last whose amounts are products. */
  #multiplied(lines: readonly RunLine[]): PricedLine[] {
    const proven = lines.map(({ line, total }) => !total && this.#isProven(line));
    const [from, to] = [proven.indexOf(true), proven.lastIndexOf(true)];
    if (from < 0) return [];
    const rows = ownLines(lines.slice(from, to + 1).filter(({ total }) => !total));
    const products = proven.filter(Boolean).length;
    const sum = rows.reduce((all, line) => all + line.amount.value, 0);
    const again = lines.slice(to + 1).some(({ line }) => isSame(line.amount.value, sum));
    const enough = products >= MIN_PRODUCTS || (products === rows.length && again);
    return enough && products >= MIN_PRODUCT_SHARE * rows.length ? rows : [];
  }

  /** The lines above an amount that describe it, where its own line has no words. */
  #wordsAbove(line: PricedLine, from: number): Token[][] {
    const found: Token[][] = [];
    let below = line.row;
    for (let index = line.row.index - 1; index >= from && found.length < MAX_DESCRIPTION_LINES; index -= 1) {
      const row = this.#view.rows[index];
      if (row === undefined || row.page !== line.row.page) break;
      const height = Math.max(row.box.bottom - row.box.top, below.box.bottom - below.box.top);
      const tokens = row.segments.flatMap((segment) => segment.tokens);
      if (below.box.top - row.box.bottom > MAX_LINE_GAP_HEIGHTS * height) break;
      const first = this.#view.rows[line.row.index - 1];
      const indent = Math.abs(row.box.left - (first?.box.left ?? row.box.left));
      if (indent > SAME_INDENT_EM * line.em) break;
      if (
        !tokens.some(({ text }) => /\p{L}{2}/u.test(text)) ||
        tokens.some(({ text }) => /^[-−–]\p{Sc}?\d+[.,]\d/u.test(text))
      )
        break;
      found.unshift(tokens);
      below = row;
    }
    return found;
  }

  /** A line as a record. @param from the first row that is free to describe it @param place its words stand there */
  recordOf(line: PricedLine, from: number, place: WordsPlace): PrintedRecord | null {
    const found = this.countedOf(line);
    const beside = line.words.length > 0 && place === "beside";
    const words = beside ? [line.words] : this.#wordsAbove(line, from);
    const cells = new Map<number, RecordCell>();
    if (words.length > 0) cells.set(0, cellOf(words));
    const { quantity = null, price = null } = found?.counted ?? {};
    if (quantity !== null) cells.set(1, cellOf([quantity.tokens]));
    if (price !== null) cells.set(2, cellOf([price.tokens]));
    const { tokens, value, spelled } = line.amount;
    cells.set(3, spelled ? cellOf([tokens]) : { ...cellOf([tokens]), value });
    return words.length === 0 ? null : { page: line.row.page, top: line.row.box.top, cells };
  }
}

type WordsPlace = "beside" | "above";

/** Most amounts have their words there; where these stand above, words beside others are misread counts. */
const wordsPlaceOf = (lines: readonly PricedLine[]): WordsPlace =>
  lines.filter(({ words }) => words.length > 0).length * 2 < lines.length ? "above" : "beside";

const CONCEPTS = ["item-description", "quantity", "unit-price", "line-amount"] as const;

const cached = new WeakMap<DocumentView, Map<Notation, RecordSet[]>>();

/** The record sets of lines with amounts that sums or products prove; found once for a view. */
export function summedRecords(view: DocumentView, notation: Notation): readonly RecordSet[] {
  const known = cached.get(view) ?? new Map<Notation, RecordSet[]>();
  cached.set(view, known);
  const sets = known.get(notation) ?? findSummedRecords(view, notation);
  known.set(notation, sets);
  return sets;
}

function findSummedRecords(view: DocumentView, notation: Notation): RecordSet[] {
  const lines = view.rows.slice(0, MAX_ROWS).flatMap((row) => pricedLine(row, notation) ?? []);
  const search = new SummedLines(view, notation);
  return columnsOf(lines).flatMap((column): RecordSet[] => {
    const found = search.rowsOf(column);
    if (found === null) return [];
    const place = wordsPlaceOf(found.lines);
    const records = found.lines.flatMap(
      (line, at) => search.recordOf(line, (found.lines[at - 1]?.row.index ?? -1) + 1, place) ?? [],
    );
    // Nothing parts the first amount's words from the text above the list: they are as many lines as others have.
    const most = records.slice(1).reduce((lines, { cells }) => Math.max(lines, cells.get(0)?.lines.length ?? 0), 0);
    const named = records[0]?.cells.get(0);
    if (most > 0 && named !== undefined)
      records[0]?.cells.set(0, cellOf(named.lines.slice(-most).map(({ tokens }) => tokens)));
    const pages = [...Map.groupBy(found.lines, ({ row }) => row.page)].map(([page, own]): Area => {
      const boxes = own.map(({ row }) => row.box);
      return { page, top: boxes[0]?.top ?? 0, bottom: boxes.at(-1)?.bottom ?? 0 };
    });
    const [first, ...others] = pages;
    if (records.length === 0 || first === undefined) return [];
    return [
      {
        evidence: found.evidence,
        areas: [first, ...others],
        headings: CONCEPTS.map(() => ""),
        records,
        concepts: CONCEPTS,
      },
    ];
  });
}
