/** Cell values as users see them (ECMA-376 part 1, 18.8.30), with English names, points and commas. */

import { type FormatSection, type FormatToken, parseFormat } from "./format-code.ts";
import { type DateSystem, type Moment, padNumber, toMoment } from "./serial-dates.ts";

/**
 * Built-in formats, which need no code in the file. Formats that depend on the locale (14, 22, East Asian ones) become
 * ISO dates, so that day and month cannot be confused.
 */
const BUILT_IN_FORMATS: Readonly<Record<number, string>> = {
  0: "General",
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);("$"#,##0.00)',
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  37: "#,##0_);(#,##0)",
  38: "#,##0_);(#,##0)",
  39: "#,##0.00_);(#,##0.00)",
  40: "#,##0.00_);(#,##0.00)",
  41: '#,##0_);(#,##0);"-"_)',
  42: '"$"#,##0_);("$"#,##0);"$-"_)',
  43: '#,##0.00_);(#,##0.00);"-"_)',
  44: '"$"#,##0.00_);("$"#,##0.00);"$-"_)',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};
const ISO_DATE_FORMATS = new Set([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]);
const ISO_TIME_FORMATS = new Set([32, 33, 34, 35]);

/** The code of a built-in format. */
export const builtInFormat = (id: number): string =>
  BUILT_IN_FORMATS[id] ?? (ISO_DATE_FORMATS.has(id) ? "yyyy-mm-dd" : ISO_TIME_FORMATS.has(id) ? "h:mm:ss" : "General");

/** The names that format codes print, in English; made when the first is printed, which few sheets do. */
let monthFormat: Intl.DateTimeFormat | undefined;
let weekdayFormat: Intl.DateTimeFormat | undefined;

/** @param number from 1 */
function monthName(number: number): string {
  monthFormat ??= new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
  return monthFormat.format(Date.UTC(2000, number - 1));
}

/** @param number from 0, a Sunday, as 2 January 2000 was */
function weekdayName(number: number): string {
  weekdayFormat ??= new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });
  return weekdayFormat.format(Date.UTC(2000, 0, 2 + number));
}

/** Significant digits of a double. A sheet shows fewer in a narrow column; here nothing is lost. */
const DOUBLE_DIGITS = 15;

/** A number without a format. */
export function generalFormat(value: number): string {
  const text = String(Number(value.toPrecision(DOUBLE_DIGITS)));
  return text.replace(/e([+-])(\d)$/, "E$10$2").replace("e", "E");
}

/** Rounds half away from zero on the decimal, not the binary, value. */
function toDecimals(value: number, decimals: number): string {
  const text = String(Number(value.toPrecision(DOUBLE_DIGITS)));
  if (text.includes("e") || decimals > 20) return value.toFixed(Math.min(decimals, 100));
  return Number(`${Math.round(Number(`${text}e${decimals}`))}e-${decimals}`).toFixed(decimals);
}

const isDigit = (token: FormatToken): token is { kind: "digit"; text: string } => token.kind === "digit";

/** Puts digits into their places from the right, with the literals between the places. */
function fillWhole(tokens: readonly FormatToken[], whole: string, grouped: boolean): string {
  const places = tokens.filter(isDigit).length;
  let remaining = whole === "0" ? "" : whole;
  let placed = 0;
  let text = "";
  const put = (digit: string): void => {
    text = `${digit}${grouped && placed > 0 && placed % 3 === 0 ? "," : ""}${text}`;
    placed += 1;
  };
  let placesLeft = places;
  for (const token of [...tokens].reverse()) {
    if (token.kind === "literal") text = token.text + text;
    if (!isDigit(token)) continue;
    placesLeft -= 1;
    const digit = remaining.slice(-1) || (token.text === "0" ? "0" : "");
    remaining = remaining.slice(0, -1);
    if (digit !== "") put(digit);
    // The first place takes all remaining digits.
    if (placesLeft > 0) continue;
    while (remaining !== "") {
      put(remaining.slice(-1));
      remaining = remaining.slice(0, -1);
    }
  }
  return places === 0 && whole !== "0" ? whole + text : text;
}

function fillDecimals(tokens: readonly FormatToken[], decimals: string): string {
  const places = tokens.filter(isDigit);
  let shown = decimals.length;
  while (shown > 0 && places[shown - 1]?.text !== "0" && decimals[shown - 1] === "0") shown -= 1;
  let at = 0;
  return tokens
    .map((token) => {
      if (token.kind === "literal") return token.text;
      if (!isDigit(token)) return "";
      at += 1;
      return at <= shown ? (decimals[at - 1] ?? "") : "";
    })
    .join("");
}

function formatNumber({ tokens }: FormatSection, value: number): string {
  const exponentAt = tokens.findIndex((token) => token.kind === "exponent");
  const body = exponentAt === -1 ? tokens : tokens.slice(0, exponentAt);
  const lastDigit = body.findLastIndex(isDigit);
  if (lastDigit === -1) return tokens.map((token) => (token.kind === "literal" ? token.text : "")).join("");
  const scale = body.filter((token, index) => token.kind === "comma" && index > lastDigit).length;
  const percents = tokens.filter((token) => token.kind === "percent").length;
  const firstDigit = body.findIndex(isDigit);
  const grouped = body.some((token, index) => token.kind === "comma" && index > firstDigit && index < lastDigit);
  const point = body.findIndex((token) => token.kind === "point");
  const wholeTokens = point === -1 ? body : body.slice(0, point);
  const decimalTokens = point === -1 ? [] : body.slice(point + 1);
  let scaled = value * 100 ** percents;
  if (scale > 0) scaled /= 1000 ** scale;
  let exponent = 0;
  if (exponentAt >= 0 && scaled !== 0) {
    exponent = Math.floor(Math.log10(Math.abs(scaled)));
    scaled /= 10 ** exponent;
  }
  const [whole = "0", decimals = ""] = toDecimals(scaled, decimalTokens.filter(isDigit).length).split(".");
  const unsigned = fillWholePart(wholeTokens, whole, grouped);
  const text = point === -1 ? unsigned : `${unsigned}.${fillDecimals(withPercentLiterals(decimalTokens), decimals)}`;
  if (exponentAt === -1) return text;
  const width = tokens.slice(exponentAt).filter(isDigit).length;
  const sign = exponent < 0 ? "-" : tokens[exponentAt]?.kind === "exponent" ? "+" : "";
  return `${text}E${sign}${padNumber(Math.abs(exponent), width)}`;
}

/** Percent signs as literals. */
const withPercentLiterals = (tokens: readonly FormatToken[]): FormatToken[] =>
  tokens.map((token) => (token.kind === "percent" ? { kind: "literal", text: "%" } : token));

const fillWholePart = (tokens: readonly FormatToken[], whole: string, grouped: boolean): string =>
  fillWhole(withPercentLiterals(tokens), whole, grouped);

/** Tells whether an `m` stands for minutes: after hours or before seconds. */
function isMinute(tokens: readonly FormatToken[], at: number): boolean {
  const isTime = (token: FormatToken | undefined, letters: string): boolean =>
    (token?.kind === "date" && letters.includes(token.text[0] ?? "")) ||
    (token?.kind === "elapsed" && letters.includes(token.unit));
  const isNamed = (token: FormatToken): boolean => token.kind === "date" || token.kind === "elapsed";
  return isTime(tokens.slice(0, at).findLast(isNamed), "h") || isTime(tokens.slice(at + 1).find(isNamed), "s");
}

function formatDatePart(text: string, moment: Moment, minutes: boolean, halved: boolean): string {
  const number = (value: number): string => padNumber(value, Math.min(text.length, 2));
  switch (text[0]) {
    case "y":
      return text.length <= 2 ? padNumber(moment.year % 100) : padNumber(moment.year, 4);
    case "e":
      return padNumber(moment.year, 4);
    case "m": {
      if (minutes) return number(moment.minute);
      if (text.length < 3) return number(moment.month);
      const name = monthName(moment.month);
      if (text.length === 5) return name.slice(0, 1);
      return text.length === 3 ? name.slice(0, 3) : name;
    }
    case "d": {
      if (text.length < 3) return number(moment.day);
      const name = weekdayName(moment.weekday);
      return text.length === 3 ? name.slice(0, 3) : name;
    }
    case "h":
      return number(halved ? moment.hour % 12 || 12 : moment.hour);
    case "s":
      return number(moment.second);
    default:
      return "";
  }
}

const UNITS_PER_DAY: Readonly<Record<string, number>> = { h: 24, m: 1_440, s: 86_400 };

function formatDate({ tokens }: FormatSection, value: number, system: DateSystem): string | undefined {
  const part = tokens.find((token) => token.kind === "second-part");
  const unit = 86_400 * 10 ** (part?.kind === "second-part" ? Math.min(part.width, 3) : 0);
  // Times are rounded to the second.
  const rounded = Math.round(value * unit) / unit;
  const moment = toMoment(rounded + 1e-9 / 86_400, system);
  if (moment === undefined) return undefined;
  const halved = tokens.some((token) => token.kind === "half-day");
  return tokens
    .map((token, at) => {
      if (token.kind === "literal") return token.text;
      if (token.kind === "digit") return "";
      if (token.kind === "half-day") return moment.hour < 12 ? "AM" : "PM";
      if (token.kind === "second-part") return `.${padNumber(moment.millisecond, 3).slice(0, token.width)}`;
      if (token.kind === "elapsed") {
        return padNumber(Math.floor(rounded * (UNITS_PER_DAY[token.unit] ?? 1) + 1e-6), token.width);
      }
      if (token.kind !== "date") return "";
      return formatDatePart(token.text, moment, token.text.startsWith("m") && isMinute(tokens, at), halved);
    })
    .join("");
}

/** A number format, parsed once. */
export class NumberFormat {
  readonly #sections: FormatSection[];
  /** Its numbers are dates or times of day, not durations. */
  readonly isDate: boolean;
  /** It shows no day, month or year. */
  readonly timeOnly: boolean;

  constructor(code: string) {
    this.#sections = parseFormat(code);
    const [first] = this.#sections;
    this.isDate = first?.isDate === true && !first.tokens.some((token) => token.kind === "elapsed");
    this.timeOnly = !first?.tokens.some((token, at) => {
      const isDay = token.kind === "date" && /^[yde]/.test(token.text);
      return isDay || (token.kind === "date" && token.text.startsWith("m") && !isMinute(first.tokens, at));
    });
  }

  /** The section for a number; `signed` when the sign is still to be added. */
  #sectionFor(value: number): { section: FormatSection | undefined; signed: boolean } {
    const [first, second, third] = this.#sections;
    const conditional = this.#sections.find(({ condition }) => condition?.(value));
    if (conditional !== undefined) return { section: conditional, signed: value < 0 && conditional === first };
    if (this.#sections.some(({ condition }) => condition !== undefined)) {
      return { section: this.#sections.find(({ condition }) => condition === undefined), signed: value < 0 };
    }
    if (value < 0 && second !== undefined) return { section: second, signed: false };
    if (value === 0 && third !== undefined) return { section: third, signed: false };
    return { section: first, signed: value < 0 };
  }

  /** Formats a number. */
  number(value: number, system: DateSystem): string {
    const { section, signed } = this.#sectionFor(value);
    const tokens = section?.tokens ?? [];
    if (
      section === undefined ||
      tokens.some(({ kind }) => kind === "general" || kind === "fraction" || kind === "text")
    ) {
      const text = generalFormat(section === undefined || signed ? value : Math.abs(value));
      const around = tokens.map((token) =>
        token.kind === "literal" ? token.text : token.kind === "general" ? text : "",
      );
      return tokens.some(({ kind }) => kind === "general") ? around.join("").trim() : text;
    }
    if (section.isDate) return formatDate(section, Math.abs(value), system)?.trim() ?? generalFormat(value);
    return `${signed ? "-" : ""}${formatNumber(section, Math.abs(value))}`.trim();
  }

  /** Formats a text. */
  text(value: string): string {
    const section =
      this.#sections[3] ?? this.#sections.find(({ tokens }) => tokens.some(({ kind }) => kind === "text"));
    if (section === undefined || !section.tokens.some(({ kind }) => kind === "text")) return value;
    return section.tokens
      .map((token) => (token.kind === "literal" ? token.text : token.kind === "text" ? value : ""))
      .join("");
  }
}
