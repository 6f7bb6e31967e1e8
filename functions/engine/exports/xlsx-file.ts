/** Tables as a workbook, a sheet each. */
import writeExcelFile, { type CellObject, type SheetData } from "write-excel-file/node";
import { looksLikeFormula } from "./csv-file.ts";
import type { Scalar, Table } from "./result-tables.ts";

/** Of Excel: "Excel specifications and limits". */
const LONGEST_TEXT = 32_767;
const LONGEST_SHEET_NAME = 31;
const MOST_SHEETS = 100;
/** In characters. */
const NARROWEST = 8;
const WIDEST = 60;
/** Rows that a column's width is taken from. */
const LOOKED_AT = 200;
/** Shown as it is typed; without it, editing a text that begins with `=` would make it a formula. */
const TEXT_FORMAT = "@";
const DAY_FORMAT = "yyyy-mm-dd";
/** Excel counts days from 1900, and believes that year to have had a 29 February. */
const FIRST_DAY = "1900-03-01";

/** A day as ISO 8601 writes it, or undefined. */
function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY) return undefined;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
}

function textOf(value: string): CellObject {
  const text = value.toWellFormed();
  const cut = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1).toWellFormed()}…` : text;
  return { type: String, value: cut, ...(looksLikeFormula(cut) ? { format: TEXT_FORMAT } : {}) };
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

/** Names that Excel takes, each once whatever the case of its letters. */
function sheetNames(tables: readonly Table[]): string[] {
  const taken = new Set<string>(["history"]);
  return tables.map(({ path }) => {
    const wished =
      path
        .replace(/[[\]:*?/\\\p{Cc}]/gu, "_")
        .replace(/^'|'$/g, "_")
        .toWellFormed()
        .trim() || "Result";
    let name = wished.slice(-LONGEST_SHEET_NAME);
    for (let number = 2; taken.has(name.toLowerCase()); number++) {
      const ending = ` ${number}`;
      name = wished.slice(-(LONGEST_SHEET_NAME - ending.length)) + ending;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}

function widthOf(column: string, index: number, rows: readonly Scalar[][]): number {
  const lengths = rows.slice(0, LOOKED_AT).map((row) => String(row[index] ?? "").length);
  return Math.min(WIDEST, Math.max(NARROWEST, column.length, ...lengths) + 2);
}

/** A workbook whose first sheet is the first table; header rows are bold and stay in view. */
export async function xlsxOf(tables: readonly Table[]): Promise<Uint8Array> {
  const some = tables.slice(0, MOST_SHEETS);
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
