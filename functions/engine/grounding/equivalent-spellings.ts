/** Other spellings of one value: countries by code and name, currencies by code and sign. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import { allCountries } from "../values/countries.ts";
import { currencyOf, isSharedSign, parseCurrency, settleSign } from "../values/currencies.ts";
import { foldText } from "../values/text-folding.ts";
import { type Occurrence, occurrenceOf, type PrintedWords } from "./printed-words.ts";

/** Codes stand for countries only where a field asks for one: `IT` and `IS` are words too. */
const COUNTRY_FIELD_NAME = /(?:country|land|pays|pais|paese|nation)(?:code|iso)?\d?$/;

/** Whether a property of that name holds a country. */
export const asksForCountry = (name: string): boolean =>
  COUNTRY_FIELD_NAME.test(foldText(name.slice(0, 100)).replace(/[^\p{L}\d]/gu, ""));

/** What else may be printed for a country: its code for a name, its names for a code. Empty for all else. @param asked whether a country is asked for */
export function countrySpellings(value: string, asked: boolean): string[] {
  if (value.length > 60) return [];
  const { names, codes } = allCountries();
  const folded = foldText(value.trim());
  const code = /^[A-Z]{2}$/.test(value.trim()) && asked ? value.trim() : codes.get(folded);
  if (code === undefined) return [];
  const others = (names.get(code) ?? []).filter((name) => foldText(name) !== folded);
  return asked && code !== value.trim() ? [...others, code] : others;
}

/** A sign or code of one currency alone; one of several, where the page says which; where it does not; another of them. */
const OWN_SIGN_QUALITY = 0.98;
const SETTLED_SIGN_QUALITY = 0.95;
const ASSUMED_SIGN_QUALITY = 0.85;
const OTHER_SIGN_QUALITY = 0.75;

/** Currency signs and codes that stand beside or inside words, by ISO code. */
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

  /** Where a currency stands as a sign, a code or a name. @param value such as `EUR`, `€`, `Euro` */
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

  /** How surely a mark stands for a currency; 0 where it cannot. */
  #qualityOf(mark: string, code: string): number {
    if (!isSharedSign(mark)) return mark === code ? OWN_SIGN_QUALITY : 0;
    if (settleSign(mark, this.#seen) === code)
      return this.#assumed.has(code) ? ASSUMED_SIGN_QUALITY : SETTLED_SIGN_QUALITY;
    // It may mean this one where the document does not say otherwise.
    return settleSign(mark, new Set([code])) === code ? OTHER_SIGN_QUALITY : 0;
  }
}
