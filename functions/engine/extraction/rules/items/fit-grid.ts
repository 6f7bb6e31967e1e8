/** Assigns columns of a grid to the properties of a list's items, and scores how well the grid fits the list. */

import type { Field } from "../../../schema/schema-shape.ts";
import { type PrintedRecord, type RecordSet, recordTexts } from "../../../structure/records/record-set.ts";
import { isSumRow } from "../../../structure/records/sum-rows.ts";
import type { Meaning } from "../field-meaning.ts";
import { type Conventions, readerFor } from "../value-reader.ts";
import { headingKey, headingMeanings } from "./heading-meanings.ts";
import { findMoneyColumns, type MoneyColumns } from "./money-columns.ts";
import { completeByProof } from "./proven-columns.ts";
import { type Assignment, type HeadedColumn, stems, type WantedProperty } from "./wanted-columns.ts";

export interface GridFit {
  /** The properties, with readers for their columns' cells. */
  wanted: readonly WantedProperty[];
  /** Column by property. */
  columns: Map<Field, number>;
  /** An amount in one of two columns, which decide its sign. */
  signed: { field: Field; debit: number; credit: number } | null;
  /** 0 to 1, averaged over all properties. */
  score: number;
}

/** Rows whose cells are tried, spread over the grid. */
const MAX_SAMPLE_ROWS = 24;

/** Sample rows with at least half the cells of the fullest row; the others are continuation lines. */
function sampleOf(grid: RecordSet): PrintedRecord[] {
  const fullest = grid.records.reduce((most, row) => Math.max(most, row.cells.size), 0);
  const full = grid.records.filter((row) => row.cells.size * 2 > fullest && !isSumRow(recordTexts(row)));
  const step = Math.max(1, Math.floor(full.length / MAX_SAMPLE_ROWS));
  return full.filter((_, at) => at % step === 0);
}

const EMPTY_COLUMN_FIT = 0.6;
const MIN_CELL_FIT = 0.5;
const MAX_CELL_CHARS = 200;

/** A word without digits; codes have none. */
const NAME = /(?<![\p{L}\p{N}])\p{L}{3,}(?![\p{L}\p{N}])/u;
/** Fit of a column of codes to a description. */
const CODES_FIT = 0.55;

const isNumeric = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text);

/** Longest text of a column of codes; shorter texts of any form count as codes. */
export const MAX_CODE_CHARS = 24;

/** Share of a column's cells that fit a property, 0 to 1; an empty column fits somewhat. */
function cellFit({ meaning, reader, field }: WantedProperty, cells: readonly string[]): number {
  if (cells.length === 0) return EMPTY_COLUMN_FIT;
  if (reader.kind === "text" && field.choices === null) {
    const wordy = cells.filter((text) => !isNumeric(text)).length / cells.length;
    if (meaning.concept !== "item-description") return 1;
    // A column of article codes describes only where no column of words does.
    const named = cells.filter((text) => NAME.test(text)).length / cells.length;
    return Math.max(0.2, Math.min(wordy, CODES_FIT + named));
  }
  const short = (text: string): boolean =>
    meaning.value === "code" && field.type === "string" && text.length <= MAX_CODE_CHARS;
  const read =
    cells.filter((text) => short(text) || reader.read(text.slice(0, MAX_CELL_CHARS)).length > 0).length / cells.length;
  return read < MIN_CELL_FIT ? 0 : read;
}

/** Similarity of a heading to a property's own words, 0 to 1. */
function ownWordsScore({ meaning, described }: WantedProperty, heading: string): number {
  const key = headingKey(heading);
  const own = meaning.ownKeys.find((one) => one.key === key);
  if (own !== undefined) return own.strength;
  const headed = stems(heading);
  if (headed.length === 0) return 0;
  const name = new Set(meaning.stems);
  const common = headed.filter((one) => name.has(one)).length;
  if (common > 0 && common === name.size)
    return common === headed.length ? 0.95 : headed.length <= common + 2 ? 0.8 : 0.6;
  if (common > 0 && common === headed.length) return 0.62;
  return headed.every((one) => described.has(one)) ? 0.58 : 0;
}

const MONEY_CONCEPTS: [keyof MoneyColumns, string][] = [
  ["quantity", "quantity"],
  ["price", "unit-price"],
  ["amount", "line-amount"],
];

/** Factor by arithmetic: above 1 for the column that multiplies as the concept, below 1 for others. */
function arithmeticFactor(concept: string | null, column: number, money: MoneyColumns | null): number {
  const own = MONEY_CONCEPTS.find(([, id]) => id === concept)?.[0];
  if (money === null || own === undefined) return 1;
  if (money[own] === column) return 1.25;
  return MONEY_CONCEPTS.some(([key]) => money[key] === column) ? 0.1 : 0.5;
}

function scoreOf(
  wanted: WantedProperty,
  { text, meanings, cells }: HeadedColumn,
  column: number,
  money: MoneyColumns | null,
): number {
  const { concept, strength } = wanted.meaning;
  const known = concept === null ? 0 : (meanings.get(concept) ?? 0) * (0.75 + 0.2 * strength);
  const own = ownWordsScore(wanted, text);
  const arithmetic = arithmeticFactor(concept, column, money);
  // Columns that multiply need no heading.
  const base = Math.max(known, own, arithmetic > 1 ? 0.6 : 0);
  if (base === 0) return 0;
  // A column headed by a text property's own words fits, even with years, dates or numbers.
  const asked = own === 1 && wanted.reader.kind === "text" && wanted.field.choices === null ? NAMED_TEXT_FIT : 0;
  return Math.min(1.2, base * arithmetic) * Math.max(asked, cellFit(wanted, cells));
}

/** Fit of any cell to a text property that its heading names exactly. */
const NAMED_TEXT_FIT = 0.6;

/** Reads percentages below a number's own words as the number, though `value` and `amount` usually mean money. */
function adaptToHeading(
  one: WantedProperty,
  headings: readonly HeadedColumn[],
  conventions: Conventions,
): WantedProperty {
  const { field, meaning } = one;
  if (meaning.concept !== "line-amount" || field.type === "string") return one;
  const own = headings.find(({ text }) => ownWordsScore(one, text) === 1);
  if (own === undefined || own.cells.filter((cell) => cell.includes("%")).length * 2 <= own.cells.length) return one;
  const plain: Meaning = { ...meaning, concept: null, value: null };
  return { ...one, meaning: plain, reader: readerFor(field, plain, conventions) };
}

/** Score from which a column may be assigned. */
const MIN_COLUMN_SCORE = 0.4;

/** Meanings of a heading with its cells: `Tax` over percentages is the rate. */
function meaningsOf({ text, cells }: HeadedColumn): Map<string, number> {
  const meanings = headingMeanings(text);
  const tax = meanings.get("tax-total");
  if (tax !== undefined && cells.filter((cell) => cell.includes("%")).length * 2 > cells.length) {
    meanings.delete("tax-total");
    meanings.set("tax-rate", Math.max(tax, meanings.get("tax-rate") ?? 0));
  }
  return meanings;
}

/** Assigns columns, the surest first; of equal ones, prices are left and amounts right. @returns null when nothing fits */
export function fitGrid(grid: RecordSet, asked: readonly WantedProperty[], conventions: Conventions): GridFit | null {
  if (asked.length === 0 || grid.records.length === 0) return null;
  const sample = sampleOf(grid);
  const headings = grid.headings.map(
    (text, column): HeadedColumn => ({
      text,
      meanings: new Map(),
      cells: sample.flatMap((row) => row.cells.get(column)?.text ?? []),
    }),
  );
  for (const heading of headings) if (heading.text !== "") heading.meanings = meaningsOf(heading);
  const wanted = asked.map((one) => adaptToHeading(one, headings, conventions));
  const lean = (column: number): number => {
    const meanings = headings[column]?.meanings;
    return (meanings?.get("quantity") ?? 0) - (meanings?.get("unit-price") ?? 0);
  };
  const money = findMoneyColumns(grid, conventions, lean);
  if (money === null && headings.every(({ text }) => text === "")) return null;
  const pairs = wanted.flatMap((one, order) =>
    headings.flatMap((heading, column) => {
      const score = scoreOf(one, heading, column, money);
      const side = one.meaning.concept === "line-amount" ? column : -column;
      return score >= MIN_COLUMN_SCORE ? [{ one, order, column, score, side }] : [];
    }),
  );
  pairs.sort((a, b) => b.score - a.score || b.side - a.side || a.order - b.order);
  const columns = new Map<Field, number>();
  const taken = new Set<number>();
  let sum = 0;
  for (const { one, column, score } of pairs) {
    if (columns.has(one.field) || taken.has(column)) continue;
    columns.set(one.field, column);
    taken.add(column);
    sum += Math.min(1, score);
  }
  const assignment = { columns, taken, headings };
  const signed = signedAmount(wanted, assignment);
  if (signed !== null) sum += 0.9;
  countByElimination(wanted, assignment);
  sum += completeByProof(wanted, assignment, grid, conventions);
  const least = Math.min(2, wanted.length);
  const matched = columns.size + (signed === null ? 0 : 1);
  if (matched < least || columns.size === 0 || sum / columns.size < (wanted.length === 1 ? 0.85 : 0.55)) return null;
  return { wanted, columns, signed, score: sum / wanted.length };
}

/** Assigns columns whose meanings are known without headings; an only price of a list without amounts is the amount. */
export function fitConcepts({ concepts = [] }: RecordSet, asked: readonly WantedProperty[]): GridFit | null {
  const columnOf = (concept: string | null): number => (concept === null ? -1 : concepts.indexOf(concept));
  const has = (concept: string): boolean => asked.some(({ meaning }) => meaning.concept === concept);
  if (!has("item-description") || !(has("line-amount") || has("unit-price"))) return null;
  const columns = new Map<Field, number>();
  for (const { field, meaning } of asked) {
    const lone = meaning.concept === "unit-price" && !has("line-amount");
    const column = columnOf(lone ? "line-amount" : meaning.concept);
    if (column >= 0 && ![...columns.values()].includes(column)) columns.set(field, column);
  }
  return { wanted: asked, columns, signed: null, score: columns.size / asked.length };
}

/** An amount without a column of its own, but with columns for debit and credit. */
function signedAmount(wanted: readonly WantedProperty[], { columns, taken, headings }: Assignment): GridFit["signed"] {
  const amount = wanted.find(({ field, meaning }) => meaning.concept === "line-amount" && !columns.has(field));
  const free = (concept: string): number =>
    headings.findIndex(({ meanings }, column) => !taken.has(column) && (meanings.get(concept) ?? 0) > 0.6);
  const [debit, credit] = [free("line-debit"), free("line-credit")];
  return amount === undefined || debit < 0 || credit < 0 ? null : { field: amount.field, debit, credit };
}

/** Assigns the only count without a column to the only column of whole numbers headed by `No.` or nothing. */
function countByElimination(wanted: readonly WantedProperty[], { columns, taken, headings }: Assignment): void {
  const counts = wanted.filter(({ field }) => field.type === "integer" && !columns.has(field));
  const untold = headings.flatMap(({ text, cells }, column) =>
    !taken.has(column) &&
    ["", "nr"].includes(headingKey(text)) &&
    cells.every((cell) => /^\d{1,3}(?:[.,' ]?\d{3})*$/.test(cell))
      ? [column]
      : [],
  );
  const [[count], [column]] = [counts, untold];
  if (counts.length !== 1 || untold.length !== 1 || count === undefined || column === undefined) return;
  if (columns.size < 2) return;
  columns.set(count.field, column);
  taken.add(column);
}
