/** Readers that find values of a field's kind in text. */

import type { Field } from "../../schema/schema-shape.ts";
import { parseBoolean } from "../../values/booleans.ts";
import {
  leadingCode,
  scanBics,
  scanEmails,
  scanIbans,
  scanPhones,
  scanUrls,
  scanVatIds,
  type TextSpan,
} from "../../values/codes.ts";
import { CURRENCY_MARK, isCode, namedCurrencies, parseCurrency } from "../../values/currencies.ts";
import { type DateOrder, scanDates } from "../../values/dates.ts";
import { type Notation, type NumberSpan, scanNumbers } from "../../values/numbers.ts";
import { matchesOf } from "../../values/pattern-matches.ts";
import { scanPeriods, scanTimes } from "../../values/periods.ts";
import { safePattern } from "../../values/safe-patterns.ts";
import { editDistance, foldInPlace, foldText, trimValue } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded } from "../../values/vocabulary/word-patterns.ts";
import type { Meaning } from "./field-meaning.ts";

/** A document's conventions for numbers, dates and currencies. */
export interface Conventions {
  notation: Notation;
  order: DateOrder;
  /** True where nothing in the document tells the order of day and month. */
  isOrderGuessed?: boolean;
  /** ISO 639-1; null when undecided. */
  language: string | null;
  /** ISO 4217 codes printed in the document. */
  currencies: ReadonlySet<string>;
  /** Those of them that are only known by a sign which several currencies share. */
  assumed: ReadonlySet<string>;
}

export interface Reading {
  /** Positions in the text read. */
  start: number;
  end: number;
  value: string | number | boolean;
  /** 0 to 1: how well the text fits the field. */
  fit: number;
}

export interface Reader {
  /** `value`: the text alone shows the kind; `text`: only its place does. */
  kind: "value" | "text";
  /** Any text is a value: only one that can stand alone is taken. */
  free?: true;
  read(text: string): Reading[];
}

/** Longer texts are no values. */
const MAX_VALUE_CHARS = 160;

function amountFit(span: NumberSpan): number {
  if (span.decimals === 2) return 1;
  return span.currency !== null ? 0.95 : span.decimals === 0 ? 0.78 : 0.7;
}

function numberFit(span: NumberSpan, meaning: Meaning): number {
  if (meaning.value === "amount") return span.percent ? 0 : amountFit(span);
  if (meaning.value === "rate") return Math.abs(span.value) > 100 ? 0 : span.percent ? 1 : 0.75;
  return span.percent ? 0.85 : 0.92;
}

/** The description names a currency: no rate is an answer. */
export const asksForCurrency = ({ description }: Field): boolean => namedCurrencies(foldText(description)).length > 0;

function numberReader(field: Field, meaning: Meaning, conventions: Conventions): Reader {
  const printed = field.type === "string";
  const isAmount = asksForCurrency(field);
  const read = (text: string): Reading[] =>
    scanNumbers(text, conventions.notation).flatMap((span) => {
      const fit = numberFit(span, meaning);
      if (fit === 0 || (isAmount && span.percent) || span.value < field.minimum || span.value > field.maximum)
        return [];
      if (field.type === "integer" && !Number.isInteger(span.value)) return [];
      // `(2)` before words is the mark of an item; only amounts are negative by brackets.
      if (field.type === "integer" && meaning.value !== "amount" && /^\(\d{1,2}\)/.test(text.slice(span.start)))
        return [];
      // The printed cents of an empty line.
      if (/^\s*0{2,}\s*$/.test(text)) return [];
      const value = printed ? text.slice(span.start, span.end) : span.value;
      return [{ start: span.start, end: span.end, value, fit }];
    });
  return { kind: "value", read };
}

const PRINTED_FORM_WORDING = new RegExp(`\\b(?:${anyFolded(wordsOf(({ properties }) => properties.asPrinted))})\\b`);

/** The field wants an ISO date: by its format, or as a date whose printed form is not asked for. */
export function wantsIso(field: Field, meaning: Meaning): boolean {
  if (field.format === "date" || field.format === "date-time") return true;
  if (meaning.value !== "date" || PRINTED_FORM_WORDING.test(foldText(field.description))) return false;
  const accepts = field.pattern === null ? null : safePattern(field.pattern);
  return accepts === null || accepts("2024-01-31");
}

function dateReader(field: Field, meaning: Meaning, conventions: Conventions): Reader {
  const iso = wantsIso(field, meaning);
  const read = (text: string): Reading[] =>
    scanDates(text, conventions.order, true).map((span) => ({
      start: span.start,
      end: span.end,
      value: iso ? span.iso : text.slice(span.start, span.end),
      fit: span.ambiguous ? 0.9 : 1,
    }));
  return { kind: "value", read };
}

const CURRENCY_WORD = new RegExp(`(?<!\\p{L})(?:${CURRENCY_MARK}|[a-z]{3})(?!\\p{L})`, "gu");

function currencyReader(conventions: Conventions): Reader {
  const read = (text: string): Reading[] => {
    const found: Reading[] = [];
    for (const match of matchesOf(text, CURRENCY_WORD)) {
      const code = parseCurrency(match[0], conventions.currencies);
      if (code !== null && isCode(code))
        found.push({ start: match.index, end: match.index + match[0].length, value: code, fit: 1 });
    }
    return found;
  };
  return { kind: "value", read };
}

/** A choice in the text: as whole words, or with one wrong letter. */
export function matchChoice(text: string, choice: string): { start: number; end: number; fit: number } | null {
  const [hay, needle] = [foldInPlace(text), foldInPlace(choice).replace(/[_-]+/g, " ").trim()];
  if (needle === "") return null;
  const at = new RegExp(
    `(?<![\\p{L}\\p{N}])${needle.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/ /g, "[\\s_-]+")}(?![\\p{L}\\p{N}])`,
    "u",
  ).exec(hay);
  if (at !== null)
    return { start: at.index, end: at.index + at[0].length, fit: at[0].length === hay.trim().length ? 1 : 0.9 };
  if (needle.length < 6) return null;
  for (const word of hay.matchAll(/\S+/g)) {
    if (editDistance(word[0].replace(/[.,;:]$/, ""), needle, 1) <= 1)
      return { start: word.index, end: word.index + word[0].length, fit: 0.8 };
  }
  return null;
}

function choiceReader(choices: readonly (string | number | boolean)[]): Reader {
  const read = (text: string): Reading[] => {
    const found = choices.flatMap((choice): Reading[] => {
      const match = matchChoice(text.slice(0, MAX_VALUE_CHARS), String(choice));
      return match === null ? [] : [{ ...match, value: choice }];
    });
    // The longer match wins: `not paid` over `paid`.
    return found.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start).slice(0, 1);
  };
  // Words of a choice may be labels (`not paid`): only a colon ends the text.
  return { kind: "text", read };
}

const booleanReader: Reader = {
  kind: "value",
  read(text) {
    const match = /^\s*(\[\s?[xX✓]?\s?\]|\S+)/u.exec(text);
    const value = match === null ? null : parseBoolean(match[0].replace(/[.,;]$/, ""));
    return match === null || value === null ? [] : [{ start: 0, end: match[0].length, value, fit: 1 }];
  },
};

const spansReader = (scan: (text: string) => TextSpan[], fit = 1): Reader => ({
  kind: "value",
  read: (text) => scan(text).map((span) => ({ start: span.start, end: span.end, value: span.text, fit })),
});

/**
 * A document's number of the month, like a date (`2/11/2023`, `#2015-11-04`): with a number sign, or where it is all that
 * stands beside the label.
 */
const NUMBER_OF_MONTH = /^[\s:#]*(\d{1,4}\/\d{1,2}\/(?:\d{2}){1,2}|(?<=#\s?)\d{1,4}[-.]\d{1,2}[-.]\d{1,4})\s*$/;

function codeReader(conventions: Conventions): Reader {
  const read = (text: string): Reading[] => {
    const [whole = "", value = ""] = NUMBER_OF_MONTH.exec(text) ?? [];
    if (value !== "") return [{ start: whole.indexOf(value), end: whole.trimEnd().length, value, fit: 0.7 }];
    const span = leadingCode(text.slice(0, MAX_VALUE_CHARS));
    if (span === null || /^0+$/.test(span.text) || scanDates(span.text, conventions.order).length > 0) return [];
    return [{ start: span.start, end: span.end, value: span.text, fit: /\d{2,}/.test(span.text) ? 1 : 0.8 }];
  };
  return { kind: "value", read };
}

/** The trimmed text of a line as a value. */
function readText(text: string): Reading[] {
  const value = trimValue(text);
  if (value === "" || value.length > MAX_VALUE_CHARS || !/\p{L}{2}|[\p{L}\p{N}]{3}/u.test(value)) return [];
  // A bracket alone says more of the label: `Client (the “Principal”)`.
  if (/^[☐☑☒□■✓✗]|_{3}|\.{5}|^[(（][^()（）]*[)）]$/u.test(value)) return [];
  const start = text.indexOf(value);
  return start < 0 ? [] : [{ start, end: start + value.length, value, fit: value.length > 80 ? 0.8 : 0.95 }];
}

const textReader: Reader = { kind: "text", free: true, read: readText };

/** A string has the schema's length and pattern. */
export function fitsLengthAndPattern(field: Field, value: string): boolean {
  const accepts = field.pattern === null ? null : safePattern(field.pattern);
  return value.length >= field.minLength && value.length <= field.maxLength && (accepts === null || accepts(value));
}

/** Limits a reader to strings of the schema's length and pattern. */
function restrict(reader: Reader, field: Field): Reader {
  const accepts = field.pattern === null ? null : safePattern(field.pattern);
  if (accepts === null && field.minLength === 0 && field.maxLength === Number.POSITIVE_INFINITY) return reader;
  const allowed = (value: Reading["value"]): boolean =>
    typeof value !== "string" ||
    (value.length >= field.minLength && value.length <= field.maxLength && (accepts === null || accepts(value)));
  return { ...reader, read: (text) => reader.read(text).filter((reading) => allowed(reading.value)) };
}

function stringReader(meaning: Meaning, conventions: Conventions): Reader {
  switch (meaning.value) {
    case "currency":
      return currencyReader(conventions);
    case "iban":
      return spansReader(scanIbans);
    case "bic":
      return spansReader(scanBics);
    case "vat-id":
      return {
        kind: "value",
        read: (text) =>
          [
            ...spansReader(scanVatIds).read(text),
            ...codeReader(conventions)
              .read(text)
              .map((reading) => ({ ...reading, fit: 0.75 })),
          ].slice(0, 1),
      };
    case "phone":
      return spansReader(scanPhones);
    case "email":
      return spansReader(scanEmails);
    case "url":
      return spansReader(scanUrls);
    case "time":
      return spansReader(scanTimes);
    case "period":
      return spansReader(scanPeriods);
    case "code":
      return codeReader(conventions);
    default:
      return textReader;
  }
}

/** The reader for a field: by its choices, type and format, then by its meaning. */
export function readerFor(field: Field, meaning: Meaning, conventions: Conventions): Reader {
  if (field.type === "boolean") return booleanReader;
  if (meaning.value === "currency" && field.type === "string" && field.choices === null)
    return currencyReader(conventions);
  if (field.choices !== null) return choiceReader(field.choices);
  if (field.type === "number" || field.type === "integer") {
    if (meaning.value === "code")
      return {
        kind: "value",
        read: (text) =>
          codeReader(conventions)
            .read(text)
            .flatMap((reading) =>
              /^\d{1,15}$/.test(String(reading.value)) ? [{ ...reading, value: Number(reading.value) }] : [],
            ),
      };
    return numberReader(field, meaning, conventions);
  }
  if (field.format === "date" || field.format === "date-time" || meaning.value === "date")
    return restrict(dateReader(field, meaning, conventions), field);
  if (field.format === "email") return restrict(spansReader(scanEmails), field);
  if (field.format === "uri") return restrict(spansReader(scanUrls), field);
  if (meaning.value === "amount" || meaning.value === "rate" || meaning.value === "quantity")
    return restrict(numberReader(field, meaning, conventions), field);
  return restrict(stringReader(meaning, conventions), field);
}
