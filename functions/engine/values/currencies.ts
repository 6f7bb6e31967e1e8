/** Currencies as printed, by symbol, code or name, to ISO 4217 codes. */
import { countriesIn } from "./countries.ts";
import { foldText } from "./text-folding.ts";
import { wordsByKey } from "./vocabulary/languages.ts";
import { anyFolded, wholeWords } from "./vocabulary/word-patterns.ts";

/** Codes that are read as such in capitals beside a number. A selection: three capitals are often something else. */
const CODES = (
  "AED AMD AOA ARS AUD AZN BAM BDT BGN BHD BOB BRL BWP BYN CAD CHF CLP CNY COP CRC CZK DKK DZD EGP ETB EUR GBP GHS GTQ HKD " +
  "HNL HRK HUF IDR ILS INR IQD ISK JMD JOD JPY KES KHR KRW KWD KZT LBP LKR LYD MAD MDL MKD MMK MNT MVR MXN MYR MZN NGN " +
  "NOK NPR NZD OMR PEN PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SEK SGD THB TND TRY TTD TWD TZS UAH UGX USD UYU UZS " +
  "VND XAF XCD XOF XPF YER ZAR ZMW"
).split(" ");

/** The signs of currencies: each text is a code with its signs. */
function signs(...currencies: string[]): Record<string, string> {
  return Object.fromEntries(
    currencies.flatMap((text) => {
      const [code = "", ...own] = text.split(" ");
      return own.map((sign) => [sign, code]);
    }),
  );
}

/** Symbols and short signs. `$`, `kr` and `¥` belong to several: null until the document says which. */
const SIGNS: Record<string, string | null> = {
  ...signs(
    "EUR Eur",
    "HRK kn Kn",
    "AOA Kz kz KZ",
    "PYG Gs. Gs ₲",
    "PEN S/. S/",
    "BOB Bs. Bs",
    "CRC ₡",
    "GHS ₵ GH₵ GH¢",
  ),
  ...signs(
    "KES KSh Ksh KShs",
    "TZS TSh TShs",
    "UGX USh UShs",
    "BDT ৳ Tk Tk.",
    "MAD DH DHS dh Dhs",
    "PLN zł zl Zł ZŁ",
    "KZT ₸",
  ),
  ...signs(
    "GEL ₾",
    "AZN ₼",
    "AMD ֏",
    "VND ₫ đ đồng VNĐ",
    "TWD NT$",
    "CNY 元 RMB",
    "KRW ₩ 원",
    "RSD дин. дин din.",
    "UZS сум so'm",
  ),
  ...signs("MKD ден. ден", "RUB ₽ руб. руб", "THB ฿ บาท", "ILS ₪ شيكل", "LKR රු", "NPR रू", "MNT ₮"),
  "€": "EUR",
  "£": "GBP",
  "₣": "CHF",
  "₹": "INR",
  "₺": "TRY",
  TL: "TRY",
  "₴": "UAH",
  грн: "UAH",
  лв: "BGN",
  "₱": "PHP",
  "₦": "NGN",
  Kč: "CZK",
  Ft: "HUF",
  US$: "USD",
  USD$: "USD",
  RM: "MYR",
  Rp: "IDR",
  U$S: "USD",
  CA$: "CAD",
  C$: "CAD",
  CDN$: "CAD",
  AU$: "AUD",
  A$: "AUD",
  NZ$: "NZD",
  HK$: "HKD",
  S$: "SGD",
  MX$: "MXN",
  R$: "BRL",
  "SFr.": "CHF",
  SFr: "CHF",
  "Fr.": "CHF",
  $: null,
  "Rs.": null,
  Rs: null,
  "kr.": null,
  kr: null,
  Kr: null,
  "¥": null,
  "￥": null,
  円: "JPY",
};

/** Names in running text, folded: `ten euros`. Only for what states a currency, never beside numbers. */
const NAMES = [...wordsByKey(({ currencies }) => currencies)].map(
  ([code, names]) => [new RegExp(wholeWords(anyFolded(names)), "u"), code] as const,
);

const quoted = (text: string): string => text.replace(/[$.]/g, "\\$&");

/**
 * Source of a regular expression for a currency beside a number, longest signs first. The euro's name is the same in all
 * languages by law (Regulation (EC) No 974/98).
 */
export const CURRENCY_MARK = [
  ...Object.keys(SIGNS)
    .sort((a, b) => b.length - a.length)
    .map(quoted),
  ...CODES,
  "Euros?",
  "EUROS?",
].join("|");

/** The ISO code of one printed mark. @returns the bare sign for those that several currencies share, null for none */
export function currencyOf(mark: string): string | null {
  const text = mark.trim();
  if (text === "") return null;
  if (CODES.includes(text)) return text;
  if (/^euros?$/i.test(text)) return "EUR";
  if (Object.hasOwn(SIGNS, text)) return SIGNS[text] ?? text.toLowerCase().replace(".", "").replace("￥", "¥");
  return null;
}

/** True for what `currencyOf` returns as an ISO code, false for a shared sign. */
export const isCode = (currency: string): boolean => /^[A-Z]{3}$/.test(currency);

/** ISO codes that the folded text names in words. */
export function namedCurrencies(folded: string): string[] {
  return NAMES.filter(([pattern]) => pattern.test(folded)).map(([, code]) => code);
}

/** The currencies that share a sign, the most common first, with the countries that are at home in them. */
const SHARED: Record<string, Record<string, string>> = {
  $: {
    USD: "US",
    CAD: "CA",
    AUD: "AU",
    NZD: "NZ",
    SGD: "SG",
    HKD: "HK",
    MXN: "MX",
    ARS: "AR",
    CLP: "CL",
    COP: "CO",
    TWD: "TW",
  },
  // Recognition takes the sign of Brazil's currency for that of the rupees.
  rs: { INR: "IN", BRL: "BR", LKR: "LK", PKR: "PK", NPR: "NP" },
  kr: { SEK: "SE", NOK: "NO", DKK: "DK", ISK: "IS" },
  "¥": { JPY: "JP", CNY: "CN" },
};

/** Several currencies have it. */
export const isSharedSign = (mark: string): boolean => Object.hasOwn(SHARED, mark);

const NOWHERE: ReadonlySet<string> = new Set();

/** The language of Chinese and Japanese lines by their script. */
const languageByScript = (lines: readonly string[]): string | null =>
  !lines.some((line) => /\p{Script=Han}{2}/u.test(line))
    ? null
    : lines.some((line) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(line))
      ? "ja"
      : "zh";

/** The country where most speakers of a language live (Unicode CLDR). */
const homeOf = (language: string | null): string | undefined =>
  language === null ? undefined : new Intl.Locale(language).maximize().region;

/** @returns the code, and whether nothing in the document says it */
function settle(
  sign: string,
  seen: ReadonlySet<string>,
  countries: ReadonlySet<string>,
  language: string | null,
): [string | null, boolean] {
  const choices = Object.entries(SHARED[sign] ?? {});
  const stated = choices.filter(([code]) => seen.has(code));
  if (stated.length > 1) return [null, false];
  const athome = choices.filter(([, country]) => countries.has(country));
  const [choice] = stated.length === 1 ? stated : athome.length === 1 ? athome : [];
  if (choice !== undefined) return [choice[0], false];
  const home = homeOf(language);
  const spoken = choices.find(([, country]) => country === home) ?? (sign === "kr" ? undefined : choices[0]);
  return [spoken?.[0] ?? null, true];
}

/**
 * Settles a shared sign: by the codes that the document prints, else `$` is USD and `¥` JPY; `kr` alone stays open.
 * @param seen ISO codes printed in the document
 */
export const settleSign = (sign: string, seen: ReadonlySet<string>): string | null =>
  settle(sign, seen, NOWHERE, null)[0];

export interface Currencies {
  /** ISO codes that a document prints, as codes, names or signs. */
  currencies: Set<string>;
  /** The currencies among them that only a shared sign names. */
  assumed: Set<string>;
}

/**
 * The currencies of a document. Signs that several share are settled by the codes and names that it prints, else by the
 * only country at home in one of them that its VAT ids, accounts and addresses name, else by the home of its language.
 * @param marks as `currencyOf` gives them
 */
export function currenciesOf(
  marks: Iterable<string>,
  lines: readonly string[],
  language: string | null = null,
): Currencies {
  const currencies = new Set(lines.flatMap((line) => namedCurrencies(foldText(line))));
  const signs = new Set<string>();
  for (const mark of marks) (isCode(mark) ? currencies : signs).add(mark);
  const countries = signs.size === 0 ? NOWHERE : countriesIn(lines);
  const settled = [...signs].map((sign) => settle(sign, currencies, countries, language ?? languageByScript(lines)));
  const assumed = new Set<string>();
  for (const [code, open] of settled) {
    if (code === null) continue;
    currencies.add(code);
    if (open) assumed.add(code);
  }
  return { currencies, assumed };
}

/** Reads a whole text as a currency (`EUR`, `€`, `Euro`, `usd`). @returns an ISO code or null */
export function parseCurrency(text: string, seen: ReadonlySet<string>): string | null {
  const trimmed = text.trim();
  const mark = currencyOf(trimmed) ?? currencyOf(trimmed.toUpperCase());
  if (mark !== null) return isCode(mark) ? mark : settleSign(mark, seen);
  return namedCurrencies(trimmed.toLowerCase())[0] ?? null;
}
