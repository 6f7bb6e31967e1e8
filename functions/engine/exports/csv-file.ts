/** A table as CSV (RFC 4180): commas, CRLF, UTF-8. */
import { stringify } from "csv-stringify/sync";
import type { Scalar, Table } from "./result-tables.ts";

/**
 * What a spreadsheet program takes for the beginning of a formula, the wide forms of some keyboards included.
 * Source: "CSV Injection", OWASP.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** A sign before a number is no formula. */
const NUMBER = /^[+-]?\d+(?:[.,]\d+)*%?$/;

/** Whether a text would be run as a formula by a program that opens it. */
export const looksLikeFormula = (text: string): boolean => FORMULA.test(text) && !NUMBER.test(text);

/** An apostrophe before it makes a program read it as the text that it is. */
const safe = (value: Scalar): Scalar => (typeof value === "string" && looksLikeFormula(value) ? `'${value}` : value);

/** @param mark begins with a byte order mark, by which Excel knows UTF-8 */
export function csvOf({ columns, rows }: Table, { mark }: { mark: boolean }): Uint8Array {
  const lines = [columns, ...rows].map((row) => row.map(safe));
  const text = stringify(lines, {
    bom: mark,
    record_delimiter: "windows",
    // The library quotes the two together only, and a program that reads it ends its line at either.
    quoted_match: /[\r\n]/,
    cast: { boolean: String },
  });
  return Buffer.from(text, "utf8");
}
