/** Other spellings of one value: countries by code and name, currencies by code and sign. */
import { currencyOf, isCode, parseCurrency, settleSign } from "../formats/currency.ts";
import { foldText } from "../formats/text.ts";
import { type Occurrence, occurrence, type Printed } from "./printed.ts";

const LANGUAGES = ["en", "de", "fr", "es", "nl", "it"];

interface Countries {
  /** Names of a code (ISO 3166-1 alpha-2), in the six languages. */
  names: Map<string, string[]>;
  /** Codes by folded name. */
  codes: Map<string, string>;
}

let countries: Countries | undefined;

/** All two-letter codes that the runtime's own tables (Unicode CLDR) name. */
function allCountries(): Countries {
  if (countries !== undefined) return countries;
  const names = new Map<string, string[]>();
  const codes = new Map<string, string>();
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const displays = LANGUAGES.map((language) => new Intl.DisplayNames([language], { type: "region", fallback: "none" }));
  for (const code of letters.flatMap((a) => letters.map((b) => a + b))) {
    const own = [...new Set(displays.flatMap((display) => display.of(code) ?? []))];
    if (own.length > 0) names.set(code, own);
    // Old and private codes come with the name of a present one: the first keeps it.
    for (const name of own) if (!codes.has(foldText(name))) codes.set(foldText(name), code);
  }
  countries = { names, codes };
  return countries;
}

/** Codes stand for countries only where a field asks for one: `IT` and `IS` are words too. */
const COUNTRY_FIELD = /(?:country|land|pays|pais|paese|nation)(?:code|iso)?\d?$/;

/** Whether a property of that name holds a country. */
export const asksForCountry = (name: string): boolean =>
  COUNTRY_FIELD.test(foldText(name.slice(0, 100)).replace(/[^\p{L}\d]/gu, ""));

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

const OWN_SIGN = 0.95;
const SHARED_SIGN = 0.75;

/** Currency signs and codes that stand beside or inside words, by ISO code. */
export class PrintedCurrencies {
  readonly #printed: Printed;
  readonly #bySign = new Map<string, number[]>();
  readonly #seen: ReadonlySet<string>;

  constructor(printed: Printed, seen: ReadonlySet<string>) {
    this.#printed = printed;
    this.#seen = seen;
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
      const own = isCode(mark) ? mark === code : settleSign(mark, this.#seen) === code;
      // A shared sign may mean this one where the document does not say otherwise.
      const shared = !own && !isCode(mark) && settleSign(mark, new Set([code])) === code;
      if (!own && !shared) continue;
      for (const number of numbers) found.push(occurrence(this.#printed, [number], own ? OWN_SIGN : SHARED_SIGN));
    }
    return found.sort((a, b) => b.quality - a.quality || a.first - b.first);
  }
}
