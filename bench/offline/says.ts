import type { Json } from "../../functions/ports/json.ts";

const MONTH_LOCALES = ["en", "de", "fr", "es", "nl"];

/** Letters and digits without accents, in which readers of pictures differ. */
const foldText = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/ß/gu, "ss")
    .replace(/[^\p{L}\p{N}]/gu, "");

/** All readings of a number in digits and separators: `1.234` has three decimals, or is over a thousand. */
function numberReadings(written: string): number[] {
  const bare = written.replace(/[\s'’]/gu, "");
  const marks = bare.replace(/\d/g, "");
  const last = marks.at(-1);
  const asDecimal = last === undefined ? [] : [bare.lastIndexOf(last)];
  const whole = Number(bare.replace(/[.,]/g, ""));
  const readings = asDecimal.map((at) =>
    Number(`${bare.slice(0, at).replace(/[.,]/g, "")}.${bare.slice(at + 1).replace(/[.,]/g, "")}`),
  );
  const decimals = last === undefined ? 0 : bare.length - 1 - bare.lastIndexOf(last);
  const once = marks.length === 1 || new Set(marks).size === 2;
  if (last === undefined || !once) return [whole];
  return decimals === 3 && marks.length === 1 ? [whole, ...readings] : readings;
}

const NUMBER_PATTERN = /\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,'’]\d+)*/gu;

/** A minus sign or brackets around a number, with an optional currency between. */
const isNegative = (before: string, after: string): boolean =>
  /[-−–(]\s*[\p{Sc}\p{L}]{0,4}\s*$/u.test(before) || /^\s*[-−–](?!\s*[\d\p{L}])/u.test(after);

/** @param rate true when a percentage is expected; otherwise percentages do not match */
function saysNumber(text: string, value: number, rate: boolean): boolean {
  const found = [...text.matchAll(NUMBER_PATTERN)].flatMap((match) => {
    const after = text.slice(match.index + match[0].length);
    return /^\s*%/.test(after) && !rate ? [] : [{ match, after }];
  });
  const [only] = found;
  if (only === undefined || found.length > 1) return false;
  const { match, after } = only;
  const sign = isNegative(text.slice(0, match.index), after) ? -1 : 1;
  return numberReadings(match[0]).some((one) => Math.abs(sign * one - value) <= 0.005);
}

const monthNames = (month: number): string[] =>
  MONTH_LOCALES.flatMap((locale) =>
    (["long", "short"] as const).map((style) =>
      foldText(
        new Intl.DateTimeFormat(locale, { month: style, timeZone: "UTC" }).format(Date.UTC(2024, month - 1, 15)),
      ),
    ),
  );

function saysDay(text: string, iso: string): boolean {
  const [year = 0, month = 0, day = 0] = iso.split("-").map(Number);
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  const words = (text.match(/\p{L}{3,}/gu) ?? []).map(foldText);
  const named = words.some((word) => monthNames(month).some((name) => word === name || word.startsWith(`${name}.`)));
  const years = [year, year % 100];
  const wanted = named ? [day] : [day, month];
  return years.some((one) => {
    const all = [one, ...wanted].sort((a, b) => a - b);
    return numbers.length === all.length && numbers.sort((a, b) => a - b).every((number, at) => number === all[at]);
  });
}

function saysCurrency(text: string, code: string): boolean {
  const mark = text.replace(/[^\p{L}\p{Sc}]/gu, "").toLowerCase();
  const names = MONTH_LOCALES.flatMap((locale) =>
    (["code", "symbol", "narrowSymbol", "name"] as const).map((currencyDisplay) =>
      new Intl.NumberFormat(locale, { style: "currency", currency: code, currencyDisplay })
        .formatToParts(2)
        .filter(({ type }) => type === "currency")
        .map(({ value }) => value.replace(/\s/g, "").toLowerCase())
        .join(""),
    ),
  );
  return mark !== "" && names.some((name) => name === mark || (mark.length > 3 && name.endsWith(mark)));
}

/**
 * True when a text states a value. Signs count; a numeric date matches in either order of day and month.
 * @param rate true for a field in percent: `21 %` states it, and no amount of 21 otherwise
 */
export function says(text: string, value: Json, rate = false): boolean {
  if (typeof value === "number") return saysNumber(text, value, rate);
  if (typeof value !== "string") return false;
  if (foldText(value) !== "" && foldText(text) === foldText(value)) return true;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return saysDay(text, value);
  return /^[A-Z]{3}$/.test(value) && saysCurrency(text, value);
}
