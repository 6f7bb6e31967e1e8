/** Tables as a workbook with one sheet each. */
import writeExcelFile, { type CellObject, type SheetData } from "write-excel-file/node";
import { hasFormula } from "./formula-guard.ts";
import type { Scalar, Table } from "./result-tables.ts";

/** Source: "Excel specifications and limits". */
const MAX_CELL_CHARS = 32_767;
const MAX_SHEET_NAME_CHARS = 31;
const MAX_SHEETS = 100;
const MIN_COLUMN_CHARS = 8;
const MAX_COLUMN_CHARS = 60;
/** Rows that decide a column's width. */
const WIDTH_SAMPLE_ROWS = 200;
/** Excel's text format; without it, editing a text that begins with `=` makes it a formula. */
const TEXT_FORMAT = "@";
const DAY_FORMAT = "yyyy-mm-dd";
/** Excel counts days from 1900, and takes that year for a leap year. */
const FIRST_CORRECT_DAY = "1900-03-01";

/** The day of an ISO 8601 date; undefined for other texts. */
function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_CORRECT_DAY) return undefined;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
}

function textOf(value: string): CellObject {
  const text = value.toWellFormed();
  const cut = text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS - 1).toWellFormed()}…` : text;
  return { type: String, value: cut, ...(hasFormula(cut) ? { format: TEXT_FORMAT } : {}) };
}

function cellOf(value: Scalar): CellObject | null {
  if (value === null || value === "") return null;
  if (typeof value === "number") return { type: Number, value };
  if (typeof value === "boolean") return { type: Boolean, value };
  const day = dayOf(value);
  if (day !== undefined) return { type: Date, value: day, format: DAY_FORMAT };
  return textOf(value);
}

const titleOf = (column: string): CellObject => ({ ...textOf(column), fontWeight: "bold" });

/** Sheet names that Excel accepts, unique without regard to case. */
function sheetNames(tables: readonly Table[]): string[] {
  const taken = new Set<string>(["history"]);
  return tables.map(({ path }) => {
    const wanted =
      path
        .replace(/[[\]:*?/\\\p{Cc}]/gu, "_")
        .replace(/^'|'$/g, "_")
        .toWellFormed()
        .trim() || "Result";
    let name = wanted.slice(-MAX_SHEET_NAME_CHARS);
    for (let number = 2; taken.has(name.toLowerCase()); number++) {
      const ending = ` ${number}`;
      name = wanted.slice(-(MAX_SHEET_NAME_CHARS - ending.length)) + ending;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}

function widthOf(column: string, index: number, rows: readonly Scalar[][]): number {
  const lengths = rows.slice(0, WIDTH_SAMPLE_ROWS).map((row) => String(row[index] ?? "").length);
  return Math.min(MAX_COLUMN_CHARS, Math.max(MIN_COLUMN_CHARS, column.length, ...lengths) + 2);
}

/** Writes a workbook; header rows are bold and frozen. */
export async function xlsxOf(tables: readonly Table[]): Promise<Uint8Array> {
  const some = tables.slice(0, MAX_SHEETS);
  const names = sheetNames(some);
  const sheets = some.map(({ columns, rows }, index) => {
    const header = columns.map(titleOf);
    const data: SheetData = [header, ...rows.map((row) => row.map(cellOf))];
    return {
      data,
      sheet: names[index] ?? "Result",
      stickyRowsCount: 1,
      columns: columns.map((column, at) => ({ width: widthOf(column, at, rows) })),
    };
  });
  return writeExcelFile(sheets).toBuffer();
}
