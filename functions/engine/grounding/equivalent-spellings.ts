/** Other spellings of one value: countries by code and name, currencies by code and sign. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import { allCountries } from "../values/countries.ts";
import { currencyOf, isSharedSign, parseCurrency, settleSign } from "../values/currencies.ts";
import { foldText } from "../values/text-folding.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyFolded } from "../values/vocabulary/word-patterns.ts";
import { type Occurrence, occurrenceOf, type PrintedWords } from "./printed-words.ts";

/** Country codes count only for fields that ask for a country: `IT` and `IS` are words too. */
const COUNTRY_FIELD_NAME = new RegExp(
  `(?:${anyFolded(wordsOf(({ properties }) => properties.countries))})(?:code|iso)?\\d?$`,
);

/** The property name asks for a country. */
export const asksForCountry = (name: string): boolean =>
  COUNTRY_FIELD_NAME.test(foldText(name.slice(0, 100)).replace(/[^\p{L}\d]/gu, ""));

/**
 * Other printed forms of a country: its code for a name, its names for a code. Empty for other values. @param asked the
 * field asks for a country
 */
export function countrySpellings(value: string, asked: boolean): string[] {
  if (value.length > 60) return [];
  const { names, codes } = allCountries();
  const folded = foldText(value.trim());
  const code = /^[A-Z]{2}$/.test(value.trim()) && asked ? value.trim() : codes.get(folded);
  if (code === undefined) return [];
  const others = (names.get(code) ?? []).filter((name) => foldText(name) !== folded);
  return asked && code !== value.trim() ? [...others, code] : others;
}

/**
 * Match quality of a sign: of one currency only; shared, with the currency settled by the page; shared, with an assumed
 * currency; another currency's possible sign.
 */
const OWN_SIGN_QUALITY = 0.98;
const SETTLED_SIGN_QUALITY = 0.95;
const ASSUMED_SIGN_QUALITY = 0.85;
const OTHER_SIGN_QUALITY = 0.75;

/** Currency signs and codes beside or inside words, by ISO code. */
export class PrintedCurrencies {
  readonly #printed: PrintedWords;
  readonly #bySign = new Map<string, number[]>();
  readonly #seen: ReadonlySet<string>;
  readonly #assumed: ReadonlySet<string>;

  constructor(printed: PrintedWords, { currencies, assumed }: Pick<Conventions, "currencies" | "assumed">) {
    this.#printed = printed;
    this.#seen = currencies;
    this.#assumed = assumed;
    for (const [number, { text }] of printed.tokens.entries()) {
      const bare = text.replace(/^[([]+|[)\].,:;*]+$/g, "");
      const mark = currencyOf(bare) ?? currencyOf(text.replace(/[\d.,'’\-–−+\s()]/g, ""));
      if (mark === null) continue;
      const list = this.#bySign.get(mark) ?? [];
      list.push(number);
      this.#bySign.set(mark, list);
    }
  }

  /** Places of a currency as sign, code or name. @param value such as `EUR`, `€`, `Euro` */
  find(value: string): Occurrence[] {
    const code = parseCurrency(value, this.#seen);
    if (code === null) return [];
    const found: Occurrence[] = [];
    for (const [mark, numbers] of this.#bySign) {
      const quality = this.#qualityOf(mark, code);
      for (const number of quality === 0 ? [] : numbers) found.push(occurrenceOf(this.#printed, [number], quality));
    }
    return found.sort((a, b) => b.quality - a.quality || a.first - b.first);
  }

  /** Probability that a sign means a currency; 0 if it cannot. */
  #qualityOf(mark: string, code: string): number {
    if (!isSharedSign(mark)) return mark === code ? OWN_SIGN_QUALITY : 0;
    if (settleSign(mark, this.#seen) === code)
      return this.#assumed.has(code) ? ASSUMED_SIGN_QUALITY : SETTLED_SIGN_QUALITY;
    // The sign may mean this currency if the document names no other.
    return settleSign(mark, new Set([code])) === code ? OTHER_SIGN_QUALITY : 0;
  }
}
