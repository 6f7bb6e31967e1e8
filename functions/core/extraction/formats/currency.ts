/** Currencies as printed, by symbol, code or name, to ISO 4217 codes. */

/** Codes that are read as such in capitals beside a number. A selection: three capitals are often something else. */
const CODES = (
  "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW MAD MXN MYR NGN " +
  "NOK NZD PEN PHP PKR PLN RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD VND ZAR"
).split(" ");

/** Symbols and short signs. `$`, `kr` and `¥` belong to several: null until the document says which. */
const SIGNS: Record<string, string | null> = {
  "€": "EUR",
  "£": "GBP",
  "₣": "CHF",
  "₹": "INR",
  "Rs.": "INR",
  Rs: "INR",
  "₽": "RUB",
  "₺": "TRY",
  "₴": "UAH",
  "₪": "ILS",
  "₩": "KRW",
  "฿": "THB",
  "₫": "VND",
  zł: "PLN",
  Kč: "CZK",
  Ft: "HUF",
  US$: "USD",
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
  "kr.": null,
  kr: null,
  Kr: null,
  "¥": null,
};

/** Names in running text, folded: `ten euros`. Only for what states a currency, never beside numbers. */
const NAMES: [RegExp, string][] = [
  [/\beuros?\b/, "EUR"],
  [/\b(?:us|u\.s\.|american) dollars?\b/, "USD"],
  [/\bcanadian dollars?\b/, "CAD"],
  [/\baustralian dollars?\b/, "AUD"],
  [/\b(?:pounds? sterling|british pounds?)\b/, "GBP"],
  [/\b(?:swiss francs?|schweizer franken|francs? suisses?|franchi svizzeri)\b/, "CHF"],
  [/\b(?:svenska kronor|swedish kron\w+)\b/, "SEK"],
  [/\b(?:danske kroner|danish kron\w+)\b/, "DKK"],
  [/\b(?:norske kroner|norwegian kron\w+)\b/, "NOK"],
];

const quoted = (text: string): string => text.replace(/[$.]/g, "\\$&");

/** Source of a regular expression for a currency beside a number, longest signs first. */
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
  if (Object.hasOwn(SIGNS, text)) return SIGNS[text] ?? text.toLowerCase().replace(".", "");
  return null;
}

/** True for what `currencyOf` returns as an ISO code, false for a shared sign. */
export const isCode = (currency: string): boolean => /^[A-Z]{3}$/.test(currency);

/** ISO codes that the folded text names in words. */
export function namedCurrencies(folded: string): string[] {
  return NAMES.filter(([pattern]) => pattern.test(folded)).map(([, code]) => code);
}

/** The currencies that share a sign, the most common first. */
const SHARED: Record<string, string[]> = {
  $: ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP", "TWD"],
  kr: ["SEK", "NOK", "DKK", "ISK"],
  "¥": ["JPY", "CNY"],
};

/**
 * Settles a shared sign: by the codes that the document prints, else `$` is USD and `¥` JPY; `kr` alone stays open.
 * @param seen ISO codes printed in the document
 */
export function settleSign(sign: string, seen: ReadonlySet<string>): string | null {
  const choices = SHARED[sign] ?? [];
  const stated = choices.filter((code) => seen.has(code));
  if (stated.length === 1) return stated[0] ?? null;
  if (stated.length > 1 || sign === "kr") return null;
  return choices[0] ?? null;
}

/** Reads a whole text as a currency (`EUR`, `€`, `Euro`, `usd`). @returns an ISO code or null */
export function parseCurrency(text: string, seen: ReadonlySet<string>): string | null {
  const trimmed = text.trim();
  const mark = currencyOf(trimmed) ?? currencyOf(trimmed.toUpperCase());
  if (mark !== null) return isCode(mark) ? mark : settleSign(mark, seen);
  return namedCurrencies(trimmed.toLowerCase())[0] ?? null;
}
