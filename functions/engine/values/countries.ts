/** Countries by code and name, and those that a document is about. */
import { scanIbans, scanVatIds } from "./codes.ts";
import { foldText } from "./text-folding.ts";
import { LANGUAGE_CODES } from "./vocabulary/languages.ts";

interface Countries {
  /** Names of a code (ISO 3166-1 alpha-2), in the languages of the vocabulary. */
  names: Map<string, string[]>;
  /** Codes by folded name. */
  codes: Map<string, string>;
}

let countries: Countries | undefined;

/** All two-letter codes that the runtime's own tables (Unicode CLDR) name. */
export function allCountries(): Countries {
  if (countries !== undefined) return countries;
  const names = new Map<string, string[]>();
  const codes = new Map<string, string>();
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const displays = LANGUAGE_CODES.map(
    (language) => new Intl.DisplayNames([language], { type: "region", fallback: "none" }),
  );
  for (const code of letters.flatMap((a) => letters.map((b) => a + b))) {
    const own = [...new Set(displays.flatMap((display) => display.of(code) ?? []))];
    if (own.length > 0) names.set(code, own);
    // Old and private codes come with the name of a present one: the first keeps it.
    for (const name of own) if (!codes.has(foldText(name))) codes.set(foldText(name), code);
  }
  countries = { names, codes };
  return countries;
}

/** Longer texts are no line of an address. */
const LONGEST_LINE = 200;
/** What only one country writes: postal codes behind states and towns (`Seattle, WA 98109`), legal forms, tax numbers. */
const BY_FORM: [RegExp, string][] = [
  [/\p{L},?\s[A-Z]{2},?\s\d{5}(?:-\d{4})?(?!\d)/u, "US"],
  [/\s[ABCEGHJ-NPRSTVXY]\d[A-Z]\s\d[A-Z]\d(?![\p{L}\d])/u, "CA"],
  [/(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]?\s\d[ABD-HJLNP-UW-Z]{2}(?![\p{L}\d])/u, "GB"],
  [/\bsdn\.?\s?bhd\b/i, "MY"],
  [/\bpte\.?\s?ltd\b|\bsingapore \d{6}\b/i, "SG"],
  [/\bR\.?U\.?T\.?:/, "CL"],
  [/(?<!\d)\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}(?!\d)/, "BR"],
];

/** The country that ends a line: by its name, or by its code behind a postal code. */
function countryAtEnd(line: string): string | undefined {
  const parts = line.split(/[,·•|]/);
  const last = (parts.at(-1) ?? "").trim();
  if (/^[A-Z]{2}$/.test(last) && /\d/.test(parts.at(-2) ?? ""))
    return allCountries().names.has(last) ? last : undefined;
  return allCountries().codes.get(foldText(last));
}

/** Countries (ISO 3166-1 alpha-2) of the VAT ids, accounts and addresses in lines of text. */
export function countriesIn(lines: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const line of lines) {
    if (line.length > LONGEST_LINE) continue;
    for (const { text } of [...scanVatIds(line), ...scanIbans(line)]) found.add(text.slice(0, 2));
    for (const [form, country] of BY_FORM) if (form.test(line)) found.add(country);
    const country = countryAtEnd(line);
    if (country !== undefined) found.add(country);
  }
  return found;
}
