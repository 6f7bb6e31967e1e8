/** Finds all printed words that may be a leaf's value, of any kind; each value is searched once. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import { parseCurrency } from "../values/currencies.ts";
import { parseDate } from "../values/dates.ts";
import { parseNumber } from "../values/numbers.ts";
import { allBooleanMarks } from "./checkbox-values.ts";
import { asksForCountry, countrySpellings, PrintedCurrencies } from "./equivalent-spellings.ts";
import type { LeafLabels } from "./labelled-occurrences.ts";
import { PrintedDates } from "./printed-dates.ts";
import { PrintedNumbers } from "./printed-numbers.ts";
import { PrintedTexts } from "./printed-texts.ts";
import type { ComparisonBudget, Occurrence, PrintedWords } from "./printed-words.ts";

/** Quality factors of readings other than the value's own spelling. */
const NUMBER_AS_TEXT_FACTOR = 0.95;
const RATE_WITHOUT_SIGN_FACTOR = 0.8;
const RATE_FOR_AMOUNT_FACTOR = 0.7;
const DIGITS_OF_CODE_FACTOR = 0.9;
const OTHER_NAME_FACTOR = 0.9;

const ISO_DATE = /^(\d{4}-(?:0[1-9]|1[0-2])(?:-\d{2})?)(?:T.*|\s\d{2}:.*)?$/;

const scaleQuality = (list: readonly Occurrence[], factor: number): Occurrence[] =>
  list.map((one) => ({ ...one, quality: one.quality * factor }));

/** Merges in page order; the better one of two with the same first word. */
function mergeOccurrences(a: readonly Occurrence[], b: readonly Occurrence[]): Occurrence[] {
  if (a.length === 0 || b.length === 0) return [...a, ...b];
  const best = new Map<number, Occurrence>();
  for (const one of [...a, ...b]) if (one.quality > (best.get(one.first)?.quality ?? 0)) best.set(one.first, one);
  return [...best.values()].sort((x, y) => x.first - y.first);
}

/** A currency sign, code or name, not a sentence that mentions one. */
const isCurrency = (value: string): boolean =>
  value.length <= 20 && !/\d/.test(value) && parseCurrency(value, new Set()) !== null;

export class ValueFinder {
  readonly #printed: PrintedWords;
  readonly #conventions: Conventions;
  readonly #labels: LeafLabels;
  readonly #texts: PrintedTexts;
  readonly #known = new Map<string, Occurrence[]>();
  #numbers: PrintedNumbers | undefined;
  #dates: PrintedDates | undefined;
  #currencies: PrintedCurrencies | undefined;

  constructor(printed: PrintedWords, conventions: Conventions, labels: LeafLabels, budget: ComparisonBudget) {
    this.#printed = printed;
    this.#conventions = conventions;
    this.#labels = labels;
    this.#texts = new PrintedTexts(printed, budget);
  }

  /** Occurrences of a leaf's value, in page order. Returns the same list for the same value and kind of field. */
  find(leaf: Leaf): Occurrence[] {
    const meaning = this.#labels.meaningOf(leaf);
    const country = typeof leaf.value === "string" && asksForCountry(leaf.field.name);
    const key = `${typeof leaf.value} ${meaning?.value ?? ""} ${country} ${leaf.value}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      found = this.#search(leaf.value, meaning?.value ?? null, country).sort((a, b) => a.first - b.first);
      this.#known.set(key, found);
    }
    return found;
  }

  #search(value: Leaf["value"], kind: string | null, asksCountry: boolean): Occurrence[] {
    if (typeof value === "number") return this.#number(value, kind);
    if (typeof value === "boolean") return allBooleanMarks(value, this.#printed);
    return this.#text(value, kind, asksCountry);
  }

  #numeric(value: number): Occurrence[] {
    this.#numbers ??= new PrintedNumbers(this.#printed, this.#conventions);
    return this.#numbers.find(value);
  }

  #number(value: number, kind: string | null): Occurrence[] {
    let found = this.#numeric(value);
    // 0.19 beside `VAT rate` is printed as 19.
    if (kind === "rate" && Math.abs(value) < 1 && value !== 0)
      found = mergeOccurrences(found, scaleQuality(this.#numeric(value * 100), RATE_WITHOUT_SIGN_FACTOR));
    // `VAT (0 %): 0.00`: an amount is not its rate.
    if (kind === "amount")
      found = found.map((one) =>
        one.tokens.some(({ text }) => text.includes("%"))
          ? { ...one, quality: one.quality * RATE_FOR_AMOUNT_FACTOR }
          : one,
      );
    if (!Number.isInteger(value) || value < 0) return found;
    if (kind !== "code" && found.length > 0) return found;
    return mergeOccurrences(found, scaleQuality(this.#texts.findExact(String(value)), DIGITS_OF_CODE_FACTOR));
  }

  /** The date that a text means; null for a code that looks like a date. */
  #date(value: string, kind: string | null): string | null {
    const iso = ISO_DATE.exec(value.trim())?.[1];
    if (iso !== undefined) return iso;
    if (kind === "code" || value.length > 40 || /^\d+$/.test(value.trim())) return null;
    return parseDate(value, this.#conventions.order);
  }

  #text(value: string, kind: string | null, asksCountry: boolean): Occurrence[] {
    const date = this.#date(value, kind);
    const exact = this.#texts.findExact(value);
    if (date !== null) {
      this.#dates ??= new PrintedDates(this.#printed, this.#conventions);
      return mergeOccurrences(this.#dates.find(date), exact);
    }
    if (exact.length > 0) return exact;
    const number = this.#numberOf(value);
    if (number !== null) return scaleQuality(this.#numeric(number), NUMBER_AS_TEXT_FACTOR);
    if (kind === "currency" || isCurrency(value)) {
      this.#currencies ??= new PrintedCurrencies(this.#printed, this.#conventions);
      const found = this.#currencies.find(value);
      if (found.length > 0) return found;
    }
    const country = countrySpellings(value, asksCountry).reduce<Occurrence[]>(
      (all, spelling) => mergeOccurrences(all, this.#texts.findExact(spelling)),
      [],
    );
    if (country.length > 0) return scaleQuality(country, OTHER_NAME_FACTOR);
    const misread = this.#texts.findMisread(value);
    return misread.length > 0 ? misread : this.#texts.findScattered(value);
  }

  /** Numbers are written as in JSON, or as in the document. */
  #numberOf(value: string): number | null {
    if (value.length > 40 || !/\d/.test(value)) return null;
    const plain = /^[-+]?\d+(?:\.\d+)?$/.test(value.trim());
    return plain ? Number(value) : parseNumber(value, this.#conventions.notation);
  }
}
