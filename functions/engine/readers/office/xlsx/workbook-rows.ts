/** A workbook as JSON lines, one for each cell that has a value. */
import { tooMuch } from "../../../layout/logical/layout-limits.ts";
import { openPackage } from "../office-package.ts";
import { columnLetters, readSheet } from "./sheet.ts";
import { openWorkbook } from "./workbook.ts";

/** Cells of one document. */
const MOST_CELLS = 1_000_000;
/** UTF-16 units of the text: a string that cells share may be long, and a million cells may share it. */
const MOST_CHARACTERS = 200_000_000;
/** Lines that are joined at once. */
const LINES_AT_ONCE = 10_000;

/**
 * `{sheet, row, column, address, value, type}` for each cell, sheet by sheet in the order of the file, hidden ones too.
 * Row and column count from 1; `type` is string, number, boolean, date (ISO 8601) or error (`#N/A`); formulas give the
 * value that the file holds for them. Ends in a line feed unless it is empty.
 * @throws JobFailure: corrupted, password protected, more of something than can be processed
 */
export function excelRows(bytes: Uint8Array): string {
  const workbook = openWorkbook(openPackage(bytes));
  const budget = { cells: MOST_CELLS };
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
      if (characters > MOST_CHARACTERS) throw tooMuch("text");
      lines.push(line);
      if (lines.length === LINES_AT_ONCE) flush();
    });
  }
  flush();
  return parts.join("");
}
