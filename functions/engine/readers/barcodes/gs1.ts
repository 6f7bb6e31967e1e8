/** Goods as GS1 numbers them: element strings (General Specifications, 7.8) and the plain numbers of EAN and UPC. */

import { type ApplicationIdentifier, identifierAt, predefinedLength } from "./gs1-identifiers.ts";
import { type Payload, type PayloadValue, payloadOf } from "./payload.ts";
import { hasCheckDigit } from "./payment-references.ts";

/** FNC1 between values as readers transmit it. */
const ELEMENT_SEPARATOR = "\u001d";
const MAX_ELEMENTS = 100;

/**
 * Two-digit years from here on are of the last century. 7.12 puts them within 50 years of the current year; dates of
 * goods lie near it.
 */
const FIRST_LAST_CENTURY_YEAR = 76;

/** Without a day these dates mean the last day of the month. */
const MONTH_END_IDENTIFIERS = new Set(["12", "15", "16", "17"]);

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** YYMMDD as ISO 8601; undefined for an invalid date. Day 00 leaves the day out. */
function readDate(ai: string, digits: string): string | undefined {
  const [yy = 0, month = 0, day = 0] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(Number);
  const year = yy >= FIRST_LAST_CENTURY_YEAR ? 1900 + yy : 2000 + yy;
  if (month < 1 || month > 12 || day > daysInMonth(year, month)) return undefined;
  if (day > 0) return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  return MONTH_END_IDENTIFIERS.has(ai)
    ? `${year}-${twoDigits(month)}-${daysInMonth(year, month)}`
    : `${year}-${twoDigits(month)}`;
}

/** Digits with implied decimals as a number. Identifiers with a currency have its three digits before the number. */
function readNumber({ ai, decimals }: ApplicationIdentifier, digits: string): PayloadValue {
  const withCurrency = /^39[13]/.test(ai);
  const value = Number(withCurrency ? digits.slice(3) : digits) / 10 ** decimals;
  return withCurrency ? { currency: digits.slice(0, 3), value } : value;
}

/** A value as a field. Adds a fault when the value does not match its identifier. */
export function readElement(
  identifier: ApplicationIdentifier,
  value: string,
  faults: string[],
): PayloadValue | undefined {
  const { ai, kind, pattern } = identifier;
  if (!pattern.test(value)) {
    faults.push(`The value of (${ai}) is not of its form`);
    return value;
  }
  if (kind === "key" && !hasCheckDigit(value)) faults.push(`The check digit of (${ai}) is wrong`);
  if (kind === "number") return readNumber(identifier, value);
  if (kind !== "date") return value;
  const date = readDate(ai, value);
  if (date === undefined) faults.push(`The value of (${ai}) is no date`);
  return date ?? value;
}

/**
 * Parses the element string of a symbol: identifiers and values in one run, with separators after values of unknown
 * length.
 */
export function parseElementString(text: string): Payload {
  const fields: Record<string, PayloadValue | undefined> = {};
  const faults: string[] = [];
  let rest = text;
  for (let count = 0; rest !== "" && count < MAX_ELEMENTS; count += 1) {
    if (rest.startsWith(ELEMENT_SEPARATOR)) {
      rest = rest.slice(1);
      continue;
    }
    const identifier = identifierAt(rest);
    if (identifier === undefined) {
      faults.push(`There is no application identifier ${rest.slice(0, 4)}`);
      break;
    }
    const { ai, name } = identifier;
    rest = rest.slice(ai.length);
    const end = rest.indexOf(ELEMENT_SEPARATOR);
    const length = predefinedLength(ai) ?? (end < 0 ? rest.length : end);
    if (fields[name] !== undefined && fields[name] !== rest.slice(0, length)) faults.push(`(${ai}) stands there twice`);
    fields[name] = readElement(identifier, rest.slice(0, length), faults);
    rest = rest.slice(length);
  }
  if (Object.keys(fields).length === 0) faults.push("There are no elements");
  return payloadOf("gs1", fields, faults);
}

/** Parses the plain number of EAN-13, EAN-8, UPC or ITF-14. Book and serial numbers get a field of their own. */
export function parseTradeItem(text: string): Payload | undefined {
  const [number = ""] = text.split(/[\s+]/);
  if (!/^(?:\d{8}|\d{12,14})$/.test(number)) return undefined;
  const faults = hasCheckDigit(number) ? [] : ["The check digit is wrong"];
  const isbn = /^97[89]\d{10}$/.test(number) ? number : undefined;
  const issn = /^977\d{10}$/.test(number) ? number : undefined;
  return payloadOf("gs1", { gtin: number, isbn, issn }, faults);
}
