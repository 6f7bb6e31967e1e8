/** An index of printed rows by their values: finds the row of an item whose place is unknown. */

import type { CandidateRow } from "../structure/records/candidate-rows.ts";
import { scanDates } from "../values/dates.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import { parseNumber } from "../values/numbers.ts";
import { foldText } from "../values/text-folding.ts";
import type { ListItem } from "./result-lists.ts";

const ISO_DATE_PREFIX = /^\d{4}-\d{2}-\d{2}/;
/** Words of one text that are compared. */
const MAX_COMPARED_WORDS = 40;

/** A number is one word: 99.99 does not contain 99.9. */
const comparableWords = (text: string): string[] =>
  foldText(text).match(/[\p{L}\p{N}]+(?:(?<=\p{N})[.,]\p{N}+)*/gu) ?? [];
const numberKey = (value: number): string => `#${value}`;

type KeyAlternatives = readonly (readonly string[])[];

/** All keys of a row: words, numbers by value, dates. */
function printedKeys(row: CandidateRow, { notation, order }: FormatConventions): Set<string> {
  const keys = new Set<string>();
  for (const text of [...row.words.map((word) => word.text), ...row.cells.map((cell) => cell.text)]) {
    if (!/\d/.test(text) || text.length > 60) continue;
    const value = parseNumber(text, notation);
    if (value !== null) keys.add(numberKey(value));
    for (const { iso } of scanDates(text, order, true)) keys.add(`@${iso}`);
  }
  for (const { text } of row.words) for (const word of comparableWords(text)) keys.add(word);
  return keys;
}

/** For each value of an item its alternatives: it is printed if a row has all keys of one alternative. */
function keysOfValues(item: ListItem): KeyAlternatives[] {
  return item.leaves.map(({ value }) => {
    if (typeof value === "number") return [[numberKey(value)], comparableWords(String(value))];
    if (typeof value === "boolean") return [];
    const iso = ISO_DATE_PREFIX.exec(value)?.[0];
    return [comparableWords(value).slice(0, MAX_COMPARED_WORDS), ...(iso === undefined ? [] : [[`@${iso}`]])];
  });
}

/** Share of an item's values that its row must print. */
const MIN_PRINTED_SHARE = 0.6;

const hasKeys = (alternatives: KeyAlternatives): boolean => alternatives.some((all) => all.length > 0);

/** Rows that can be searched by what they print. */
export class PrintedRows {
  readonly #candidates: readonly CandidateRow[];
  readonly #writing: FormatConventions;
  readonly #keys = new Map<number, Set<string>>();
  /** Rows by key; built on the first search, since most requests need none. */
  #rows: Map<string, CandidateRow[]> | undefined;

  constructor(rows: readonly CandidateRow[], conventions: FormatConventions) {
    this.#candidates = rows;
    this.#writing = conventions;
  }

  #index(): Map<string, CandidateRow[]> {
    if (this.#rows !== undefined) return this.#rows;
    const index = new Map<string, CandidateRow[]>();
    for (const row of this.#candidates)
      for (const key of this.#keysOf(row)) {
        const rows = index.get(key);
        if (rows === undefined) index.set(key, [row]);
        else rows.push(row);
      }
    this.#rows = index;
    return index;
  }

  #keysOf(row: CandidateRow): Set<string> {
    const known = this.#keys.get(row.order);
    if (known !== undefined) return known;
    const keys = printedKeys(row, this.#writing);
    this.#keys.set(row.order, keys);
    return keys;
  }

  /** Share of an item's values that a row prints. */
  printedShare(item: ListItem, row: CandidateRow): number {
    return this.#shareOf(keysOfValues(item).filter(hasKeys), row);
  }

  #shareOf(values: readonly KeyAlternatives[], row: CandidateRow): number {
    const keys = this.#keysOf(row);
    const found = values.filter((alternatives) =>
      alternatives.some((all) => all.length > 0 && all.every((key) => keys.has(key))),
    );
    return found.length / Math.max(1, values.length);
  }

  /** The values that a row does not print: numbers and dates not exactly, texts not with a single word. */
  missingLeaves(item: ListItem, row: CandidateRow): ListItem["leaves"] {
    const keys = this.#keysOf(row);
    const alternatives = keysOfValues(item);
    return item.leaves.filter(({ value }, at) => {
      const own = (alternatives[at] ?? []).filter((all) => all.length > 0);
      const exact = typeof value !== "string" || /\d/.test(value);
      const has = (key: string): boolean => keys.has(key);
      return own.length > 0 && !own.some((all) => (exact ? all.every(has) : all.some(has)));
    });
  }

  /** The rows that print most of an item's values, at least the share `enough`; in the order of the document. */
  findRows(item: ListItem, enough = MIN_PRINTED_SHARE): CandidateRow[] {
    const values = keysOfValues(item).filter(hasKeys);
    const index = this.#index();
    const lists = values
      .flat(2)
      .flatMap((key) => {
        const rows = index.get(key);
        return rows === undefined ? [] : [rows];
      })
      .sort((a, b) => a.length - b.length);
    // The two rarest keys: a row with neither of them is hardly the item's.
    const near = [...new Set(lists.slice(0, 2).flat())];
    const rated = near.map((row) => ({ row, share: this.#shareOf(values, row) }));
    const best = rated.reduce((most, { share }) => Math.max(most, share), 0);
    if (best < enough) return [];
    return rated
      .filter(({ share }) => share >= best - 1e-9)
      .map(({ row }) => row)
      .sort((a, b) => a.order - b.order);
  }
}
