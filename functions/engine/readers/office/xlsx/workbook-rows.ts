/** A workbook as JSON lines, one a cell with a value. */
import { limitFailure } from "../../../layout/logical/layout-limits.ts";
import { openPackage } from "../office-package.ts";
import { columnLetters, readSheet } from "./sheet.ts";
import { openWorkbook } from "./workbook.ts";

/** Limit of cells in one document. */
const MAX_CELLS = 1_000_000;
/** Limit of the text in UTF-16 units: a million cells may share one long string. */
const MAX_CHARACTERS = 200_000_000;
/** Lines joined in one step. */
const LINES_PER_CHUNK = 10_000;

/**
 * Writes `{sheet, row, column, address, value, type}` for each cell, sheet by sheet in file order, including hidden
 * ones. Row and column count from 1; `type` is string, number, boolean, date (ISO 8601) or error (`#N/A`); a formula
 * gives its stored value. Ends in a line feed unless empty.
 * @throws JobFailure: corrupted, password protected, more of something than can be processed
 */
export function excelRows(bytes: Uint8Array): string {
  const workbook = openWorkbook(openPackage(bytes));
  const budget = { cells: MAX_CELLS };
  const parts: string[] = [];
  let lines: string[] = [];
  let characters = 0;
  const flush = (): void => {
    if (lines.length > 0) parts.push(`${lines.join("\n")}\n`);
    lines = [];
  };
  for (const sheet of workbook.sheets) {
    readSheet(workbook, sheet, budget, ({ row, column, value, type }) => {
      const address = `${columnLetters(column)}${row}`;
      const line = JSON.stringify({ sheet: sheet.name, row, column, address, value, type });
      characters += line.length + 1;
      if (characters > MAX_CHARACTERS) throw limitFailure("text");
      lines.push(line);
      if (lines.length === LINES_PER_CHUNK) flush();
    });
  }
  flush();
  return parts.join("");
}
