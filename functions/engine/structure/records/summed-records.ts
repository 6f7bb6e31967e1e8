/**
 * Record sets without headings: lines with amounts in one column, down to a total that adds them up to the cent, or whose
 * amounts are the products of printed counts and prices. Till receipts and plain bills print their items so.
 */

import type { Notation } from "../../values/numbers.ts";
import type { DocumentView } from "../view/document-view.ts";
import type { Row, Token } from "../view/tokens.ts";
import { columnsOf } from "./amount-columns.ts";
import { isCharge, namesTotal } from "./charges.ts";
import { type CountAndPrice, countAndPriceOf, isProduct, type PrintedNumber } from "./counts-and-prices.ts";
import { withoutRepeatedAmounts } from "./outline-lines.ts";
import { type PricedLine, pricedLine } from "./priced-lines.ts";
import { areasOf, cellOf, type PrintedRecord, type RecordCell, type RecordSet } from "./record-set.ts";
import { addendsOf, linesBeside, mostOfTotal, ownLines, type RunLine } from "./run-lines.ts";
import { isSameAmount } from "./same-amounts.ts";

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

/** Text of a line before its amount. */
function labelOf({ row, amount }: PricedLine): string {
  const taken = new Set(amount.tokens);
  return row.segments
    .flatMap(({ tokens }) => tokens)
    .filter((token) => !taken.has(token))
    .map(({ text }) => text)
    .join(" ");
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
  rowsOf(column: readonly PricedLine[]): FoundLines | null {
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
    if (multiplied.length > 0) return { lines: multiplied, evidence: "products" };
    const most = mostOfTotal(lines);
    return most.length > 0 ? { lines: most, evidence: "part of a printed total" } : null;
  }

  /** Lines that totals add up; every section with a total of its own. */
  #summed(lines: readonly RunLine[]): PricedLine[] {
    const found: RunLine[] = [];
    let run: RunLine[] = [];
    let carried = 0;
    const carriers = new Set<RunLine>();
    for (const one of lines) {
      const { value } = one.line.amount;
      // A sum that goes on below, on the next page: no row, and yet one of the next sum's addends.
      if (run.length === 0 && found.length > 0 && isSameAmount(value, carried) && one.line.words.length === 0) {
        carriers.add(one);
        run.push(one);
        continue;
      }
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
      run = [];
      // Fewer lines with the sum of those above are its taxes or its payment.
      if (isSameAmount(value, carried) && own.length < found.length) continue;
      found.push(...own);
      carried = value;
    }
    return ownLines(found.filter((one) => !carriers.has(one)));
  }

  /** Lines from the first to the last whose amounts are products. */
  #multiplied(lines: readonly RunLine[]): PricedLine[] {
    const proven = lines.map(({ line, total }) => !total && this.#isProven(line));
    const [from, to] = [proven.indexOf(true), proven.lastIndexOf(true)];
    if (from < 0) return [];
    const rows = ownLines(lines.slice(from, to + 1).filter(({ total }) => !total));
    const products = proven.filter(Boolean).length;
    const sum = rows.reduce((all, line) => all + line.amount.value, 0);
    const again = lines.slice(to + 1).some(({ line }) => isSameAmount(line.amount.value, sum));
    const enough = products >= MIN_PRODUCTS || (products === rows.length && again);
    if (!enough || products < MIN_PRODUCT_SHARE * rows.length) return [];
    const [above, below] = [lines.slice(0, from).toReversed(), lines.slice(to + 1)];
    return [...linesBeside(above, rows).toReversed(), ...rows, ...linesBeside(below, rows)];
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

  /** A line as a record. @param from the first row that is free to describe it */
  recordOf(line: PricedLine, from: number, { place, leading }: LineShape): PrintedRecord | null {
    const found = this.countedOf(line);
    const own = line.words.filter((token) => !leading.taken.has(token));
    const beside = own.length > 0 && (place === "beside" || lettersIn(own) >= MIN_LETTERS_OF_NAME);
    const words = beside ? [own] : this.#wordsAbove(line, from);
    const cells = new Map<number, RecordCell>();
    if (words.length > 0) cells.set(0, cellOf(words));
    const { quantity = leading.isCount ? line.leading : null, price = null } = found?.counted ?? {};
    if (quantity !== null) cells.set(1, numberCell(quantity));
    if (price !== null) cells.set(2, numberCell(price));
    const { tokens, value, spelled } = line.amount;
    cells.set(3, spelled ? cellOf([tokens]) : numberCell({ tokens, value }));
    return words.length === 0 ? null : { page: line.row.page, box: line.row.box, cells };
  }
}

/** A cell whose words say more than its number: `1x`, `29,90/kg`. */
const numberCell = ({ tokens, value }: PrintedNumber): RecordCell => ({ ...cellOf([tokens]), value });

type WordsPlace = "beside" | "above";

/** Most amounts have their words there; where these stand above, words beside others are misread counts. */
const wordsPlaceOf = (lines: readonly PricedLine[]): WordsPlace =>
  lines.filter(({ words }) => words.length > 0).length * 2 < lines.length ? "above" : "beside";

/** Letters beside an amount that name an item where the others' names stand above: `1 gab EUR` names none. */
const MIN_LETTERS_OF_NAME = 8;

const lettersIn = (tokens: readonly Token[]): number =>
  tokens.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);

interface LeadingNumbers {
  taken: ReadonlySet<Token>;
  isCount: boolean;
}

/** The common shape of the lines of one list. */
interface LineShape {
  place: WordsPlace;
  leading: LeadingNumbers;
}

/** Share of a list's lines with a number before their words, from which it is a count or a position. */
const MIN_LEADING_SHARE = 0.5;

/** Numbers before the words of most lines: positions where they run from 1, otherwise counts. */
function leadingNumbersOf(lines: readonly PricedLine[], isCounted: (line: PricedLine) => boolean): LeadingNumbers {
  const found = lines.filter((line) => line.leading !== null || isCounted(line));
  const numbers = lines.flatMap(({ leading }) => leading ?? []);
  if (numbers.length === 0 || found.length < MIN_LEADING_SHARE * lines.length)
    return { taken: new Set(), isCount: false };
  const isRunning = numbers.length > 1 && numbers.every(({ value }, at) => value === at + 1);
  return { taken: new Set(numbers.flatMap(({ tokens }) => tokens)), isCount: !isRunning };
}

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

interface FoundLines {
  lines: PricedLine[];
  evidence: RecordSet["evidence"];
}

/** Lists without those that another column makes up with more lines: the sums of taxes and payments. */
function withoutRepeatedSums(lists: readonly FoundLines[]): FoundLines[] {
  const sums = lists.map(({ lines }) => lines.reduce((all, { amount }) => all + amount.value, 0));
  return lists.filter(
    ({ lines }, at) =>
      !lists.some((other, index) => other.lines.length > lines.length && isSameAmount(sums[index] ?? 0, sums[at] ?? 0)),
  );
}

function findSummedRecords(view: DocumentView, notation: Notation): RecordSet[] {
  const lines = view.rows.slice(0, MAX_ROWS).flatMap((row) => pricedLine(row, notation) ?? []);
  const search = new SummedLines(view, notation);
  const found = columnsOf(lines).flatMap((column) => search.rowsOf(column) ?? []);
  return withoutRepeatedSums(found).flatMap((found): RecordSet[] => {
    const shape: LineShape = {
      place: wordsPlaceOf(found.lines),
      leading: leadingNumbersOf(found.lines, (line) => search.countedOf(line) !== null),
    };
    const records = found.lines.flatMap(
      (line, at) => search.recordOf(line, (found.lines[at - 1]?.row.index ?? -1) + 1, shape) ?? [],
    );
    // Nothing parts the first amount's words from the text above the list: they are as many lines as others have.
    const most = records.slice(1).reduce((lines, { cells }) => Math.max(lines, cells.get(0)?.lines.length ?? 0), 0);
    const named = records[0]?.cells.get(0);
    if (most > 0 && named !== undefined)
      records[0]?.cells.set(0, cellOf(named.lines.slice(-most).map(({ tokens }) => tokens)));
    const [headings, areas] = [CONCEPTS.map(() => ""), areasOf(found.lines.map(({ row }) => row))];
    return records.length === 0 ? [] : [{ evidence: found.evidence, areas, headings, records, concepts: CONCEPTS }];
  });
}
