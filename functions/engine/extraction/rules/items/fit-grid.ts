/** Which column of a grid each property of a list's items is, and how well the grid suits the list. */

import type { Field } from "../../../schema/schema-shape.ts";
import { labelWords, splitName, stem } from "../../../values/text-folding.ts";
import { type Meaning, meaningOf } from "../field-meaning.ts";
import { type Conventions, type Reader, readerFor } from "../value-reader.ts";
import { headingKey, headingMeanings } from "./heading-meanings.ts";
import { type Grid, type GridRow, isSumRow } from "./item-grid.ts";
import { findMoneyColumns, type MoneyColumns } from "./money-columns.ts";

/** A property of items with all that is needed to find and read it. */
export interface WantedProperty {
  field: Field;
  meaning: Meaning;
  reader: Reader;
  /** Stems of the words of its description. */
  described: ReadonlySet<string>;
}

export interface GridFit {
  /** The properties as the columns' cells are to be read for them. */
  wanted: readonly WantedProperty[];
  /** Column by property. */
  columns: Map<Field, number>;
  /** An amount that stands in one of two columns, which tell its sign. */
  signed: { field: Field; debit: number; credit: number } | null;
  /** 0 to 1, over all properties. */
  score: number;
}

const stems = (text: string): string[] => [...new Set(labelWords(text).map((word) => stem(word)))];

/** Properties that no column can hold are left out: formulas and constants. */
export const wantedProperties = (fields: readonly Field[], conventions: Conventions): WantedProperty[] =>
  fields
    .filter((field) => !field.calculated && field.constant === null)
    .map((field) => {
      const meaning = meaningOf(field);
      const described = new Set(stems(splitName(field.description).join(" ")));
      return { field, meaning, reader: readerFor(field, meaning, conventions), described };
    });

/** Rows whose cells are tried, spread over the grid. */
const SAMPLE = 24;

/** Rows that show what the columns hold: those with half as many cells as the fullest; the others go on with one. */
function sampleOf(grid: Grid): GridRow[] {
  const fullest = grid.rows.reduce((most, row) => Math.max(most, row.cells.size), 0);
  const full = grid.rows.filter((row) => row.cells.size * 2 > fullest && !isSumRow(row));
  const step = Math.max(1, Math.floor(full.length / SAMPLE));
  return full.filter((_, at) => at % step === 0);
}

const isNumeric = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text);

/** Characters of what a column of codes may hold, whatever it looks like. */
export const MAX_CODE_CHARS = 24;

/** How many of a column's cells hold what a property wants, 0 to 1; a column without cells holds anything. */
function suits({ meaning, reader, field }: WantedProperty, cells: readonly string[]): number {
  if (cells.length === 0) return 0.6;
  if (reader.kind === "text" && field.choices === null) {
    const wordy = cells.filter((text) => !isNumeric(text)).length / cells.length;
    return meaning.concept === "item-description" ? Math.max(0.2, wordy) : 1;
  }
  const short = (text: string): boolean =>
    meaning.value === "code" && field.type === "string" && text.length <= MAX_CODE_CHARS;
  const read = cells.filter((text) => short(text) || reader.read(text.slice(0, 200)).length > 0).length / cells.length;
  return read < 0.5 ? 0 : read;
}

/** How much the words of a heading are those of a property, 0 to 1. */
function byOwnWords({ meaning, described }: WantedProperty, heading: string): number {
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

const MONEY: [keyof MoneyColumns, string][] = [
  ["quantity", "quantity"],
  ["price", "unit-price"],
  ["amount", "line-amount"],
];

/** What arithmetic says about a column: above 1 for the one it is, below for those it is not. */
function byArithmetic(concept: string | null, column: number, money: MoneyColumns | null): number {
  const own = MONEY.find(([, id]) => id === concept)?.[0];
  if (money === null || own === undefined) return 1;
  if (money[own] === column) return 1.25;
  return MONEY.some(([key]) => money[key] === column) ? 0.1 : 0.5;
}

interface Heading {
  text: string;
  meanings: Map<string, number>;
  cells: string[];
}

function scoreOf(
  wanted: WantedProperty,
  { text, meanings, cells }: Heading,
  column: number,
  money: MoneyColumns | null,
): number {
  const { concept, strength } = wanted.meaning;
  const known = concept === null ? 0 : (meanings.get(concept) ?? 0) * (0.75 + 0.2 * strength);
  const own = byOwnWords(wanted, text);
  const arithmetic = byArithmetic(concept, column, money);
  // Columns that multiply are what they are, whatever heads them.
  const base = Math.max(known, own, arithmetic > 1 ? 0.6 : 0);
  if (base === 0) return 0;
  // Under a text's own words stands what it asks for, also where that is years, dates or numbers.
  const asked = own === 1 && wanted.reader.kind === "text" && wanted.field.choices === null ? OWN : 0;
  return Math.min(1.2, base * arithmetic) * Math.max(asked, suits(wanted, cells));
}

/** How well any cell suits a text that its heading names in so many words. */
const OWN = 0.6;

/** Percentages under a number's own words are the number, though `value` and `amount` mean money elsewhere. */
function asHeaded(one: WantedProperty, headings: readonly Heading[], conventions: Conventions): WantedProperty {
  const { field, meaning } = one;
  if (meaning.concept !== "line-amount" || field.type === "string") return one;
  const own = headings.find(({ text }) => byOwnWords(one, text) === 1);
  if (own === undefined || own.cells.filter((cell) => cell.includes("%")).length * 2 <= own.cells.length) return one;
  const plain: Meaning = { ...meaning, concept: null, value: null };
  return { ...one, meaning: plain, reader: readerFor(field, plain, conventions) };
}

/** A column is a property's from here on. */
const ENOUGH = 0.4;

/** What a heading means over its cells: `Tax` over percentages is the rate. */
function meaningsOf({ text, cells }: Heading): Map<string, number> {
  const meanings = headingMeanings(text);
  const tax = meanings.get("tax-total");
  if (tax !== undefined && cells.filter((cell) => cell.includes("%")).length * 2 > cells.length) {
    meanings.delete("tax-total");
    meanings.set("tax-rate", Math.max(tax, meanings.get("tax-rate") ?? 0));
  }
  return meanings;
}

/** Assigns columns, the surest first; of equals prices stand left and amounts right. @returns null when nothing fits */
export function fitGrid(grid: Grid, asked: readonly WantedProperty[], conventions: Conventions): GridFit | null {
  if (asked.length === 0 || grid.rows.length === 0) return null;
  const sample = sampleOf(grid);
  const headings = grid.headings.map(
    (text, column): Heading => ({
      text,
      meanings: new Map(),
      cells: sample.flatMap((row) => row.cells.get(column)?.text ?? []),
    }),
  );
  for (const heading of headings) if (heading.text !== "") heading.meanings = meaningsOf(heading);
  if (headings.every(({ text }) => text === "")) return null;
  const wanted = asked.map((one) => asHeaded(one, headings, conventions));
  const lean = (column: number): number => {
    const meanings = headings[column]?.meanings;
    return (meanings?.get("quantity") ?? 0) - (meanings?.get("unit-price") ?? 0);
  };
  const money = findMoneyColumns(grid, conventions, lean);
  const pairs = wanted.flatMap((one, order) =>
    headings.flatMap((heading, column) => {
      const score = scoreOf(one, heading, column, money);
      const side = one.meaning.concept === "line-amount" ? column : -column;
      return score >= ENOUGH ? [{ one, order, column, score, side }] : [];
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
  const rest = { columns, taken, headings };
  const signed = signedAmount(wanted, rest);
  if (signed !== null) sum += 0.9;
  countByElimination(wanted, rest);
  const least = Math.min(2, wanted.length);
  const matched = columns.size + (signed === null ? 0 : 1);
  if (matched < least || columns.size === 0 || sum / columns.size < (wanted.length === 1 ? 0.85 : 0.55)) return null;
  return { wanted, columns, signed, score: sum / wanted.length };
}

interface Rest {
  columns: Map<Field, number>;
  taken: Set<number>;
  headings: readonly Heading[];
}

/** An amount without a column of its own, beside columns of what went out and what came in. */
function signedAmount(wanted: readonly WantedProperty[], { columns, taken, headings }: Rest): GridFit["signed"] {
  const amount = wanted.find(({ field, meaning }) => meaning.concept === "line-amount" && !columns.has(field));
  const free = (concept: string): number =>
    headings.findIndex(({ meanings }, column) => !taken.has(column) && (meanings.get(concept) ?? 0) > 0.6);
  const [debit, credit] = [free("line-debit"), free("line-credit")];
  return amount === undefined || debit < 0 || credit < 0 ? null : { field: amount.field, debit, credit };
}

/** The one count that is wanted and not yet found is the one column of whole numbers that nothing but `No.` heads. */
function countByElimination(wanted: readonly WantedProperty[], { columns, taken, headings }: Rest): void {
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
