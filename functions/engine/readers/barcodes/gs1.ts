/** Goods as GS1 numbers them: element strings (General Specifications, 7.8) and the bare numbers of EAN and UPC. */

import { type Identifier, identifierAt, predefinedLength } from "./gs1-identifiers.ts";
import { type FieldValue, type Payload, payloadOf } from "./payload.ts";
import { hasCheckDigit } from "./payment-references.ts";

/** FNC1 between values as readers transmit it. */
const SEPARATOR = "\u001d";
const MOST_ELEMENTS = 100;

/**
 * Of years in two digits: 7.12 puts them within 50 years of the current one; goods' dates lie near it, so 76 to 99 are
 * the last century's.
 */
const LAST_CENTURY = 76;

/** With no day these mean the month's last one. */
const UNTIL_MONTHS_END = new Set(["12", "15", "16", "17"]);

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
const two = (value: number): string => String(value).padStart(2, "0");

/** YYMMDD as ISO 8601; undefined when there is no such day. A day of 00 leaves the day out. */
function readDate(ai: string, digits: string): string | undefined {
  const [yy = 0, month = 0, day = 0] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(Number);
  const year = yy >= LAST_CENTURY ? 1900 + yy : 2000 + yy;
  if (month < 1 || month > 12 || day > daysIn(year, month)) return undefined;
  if (day > 0) return `${year}-${two(month)}-${two(day)}`;
  return UNTIL_MONTHS_END.has(ai) ? `${year}-${two(month)}-${daysIn(year, month)}` : `${year}-${two(month)}`;
}

/** Digits with implied decimals as a number; of those with a currency, the number behind its three digits. */
function readNumber({ ai, decimals }: Identifier, digits: string): FieldValue {
  const withCurrency = /^39[13]/.test(ai);
  const value = Number(withCurrency ? digits.slice(3) : digits) / 10 ** decimals;
  return withCurrency ? { currency: digits.slice(0, 3), value } : value;
}

/** A value as a field; undefined, and a fault, when it is not what its identifier asks for. */
export function readElement(identifier: Identifier, value: string, faults: string[]): FieldValue | undefined {
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

/** The element string of a symbol: identifiers and values in one run, separated where their length is not known. */
export function parseElementString(text: string): Payload {
  const fields: Record<string, FieldValue | undefined> = {};
  const faults: string[] = [];
  let rest = text;
  for (let count = 0; rest !== "" && count < MOST_ELEMENTS; count += 1) {
    if (rest.startsWith(SEPARATOR)) {
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
    const end = rest.indexOf(SEPARATOR);
    const length = predefinedLength(ai) ?? (end < 0 ? rest.length : end);
    if (fields[name] !== undefined && fields[name] !== rest.slice(0, length)) faults.push(`(${ai}) stands there twice`);
    fields[name] = readElement(identifier, rest.slice(0, length), faults);
    rest = rest.slice(length);
  }
  if (Object.keys(fields).length === 0) faults.push("There are no elements");
  return payloadOf("gs1", fields, faults);
}

/** The bare number of EAN-13, EAN-8, UPC or ITF-14; books' numbers are named too. */
export function parseTradeItem(text: string): Payload | undefined {
  const [number = ""] = text.split(/[\s+]/);
  if (!/^(?:\d{8}|\d{12,14})$/.test(number)) return undefined;
  const faults = hasCheckDigit(number) ? [] : ["The check digit is wrong"];
  const isbn = /^97[89]\d{10}$/.test(number) ? number : undefined;
  const issn = /^977\d{10}$/.test(number) ? number : undefined;
  return payloadOf("gs1", { gtin: number, isbn, issn }, faults);
}
