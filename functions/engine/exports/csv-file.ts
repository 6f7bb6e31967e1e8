/** A table as CSV (RFC 4180): commas, CRLF, UTF-8. */
import { stringify } from "csv-stringify/sync";
import { CELL_BREAK, guardFormulas, guardFormulasAndEnd, isSignedNumber } from "./formula-guard.ts";
import type { Scalar, Table } from "./result-tables.ts";

/** A program that splits at semicolons takes the whole line for one cell, which begins with a sign. */
const beginsWithSign = ([first]: readonly Scalar[]): boolean =>
  typeof first === "number" ? first < 0 : typeof first === "string" && isSignedNumber(first);

/**
 * Writes a table so that no program, in no locale, finds a formula in it:
 * - texts are guarded (`guardFormulas`);
 * - texts in which some locale would begin a cell are quoted;
 * - in a table with a line that begins with a signed number, all texts are quoted, and guarded at their end, so that
 *   none continues the number to a formula.
 * @param mark begin with a byte order mark, by which Excel recognises UTF-8
 */
export function csvOf({ columns, rows }: Table, { mark }: { mark: boolean }): Uint8Array {
  const lines = [columns, ...rows];
  const isSigned = lines.some(beginsWithSign);
  const text = stringify(lines, {
    bom: mark,
    record_delimiter: "windows",
    quoted_match: CELL_BREAK,
    quoted_string: isSigned,
    quoted_empty: false,
    cast: { boolean: String, string: isSigned ? guardFormulasAndEnd : guardFormulas },
  });
  return Buffer.from(text, "utf8");
}
