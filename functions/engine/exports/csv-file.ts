/** A table as CSV (RFC 4180): commas, CRLF, UTF-8. */
import { stringify } from "csv-stringify/sync";
import type { Scalar, Table } from "./result-tables.ts";

/**
 * Characters that begin a formula in spreadsheet programs, full-width forms included.
 * Source: "CSV Injection", OWASP.
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
/** A sign before a number is no formula. */
const SIGNED_NUMBER = /^[+-]?\d+(?:[.,]\d+)*%?$/;

/** A spreadsheet program would run the text as a formula. */
export const looksLikeFormula = (text: string): boolean => FORMULA_START.test(text) && !SIGNED_NUMBER.test(text);

/** Prefixes formulas with an apostrophe, so that programs read them as text. */
const withoutFormula = (value: Scalar): Scalar =>
  typeof value === "string" && looksLikeFormula(value) ? `'${value}` : value;

/** @param mark begin with a byte order mark, by which Excel recognises UTF-8 */
export function csvOf({ columns, rows }: Table, { mark }: { mark: boolean }): Uint8Array {
  const lines = [columns, ...rows].map((row) => row.map(withoutFormula));
  const text = stringify(lines, {
    bom: mark,
    record_delimiter: "windows",
    // The library quotes CR LF only, but readers end a line at either character.
    quoted_match: /[\r\n]/,
    cast: { boolean: String },
  });
  return Buffer.from(text, "utf8");
}
