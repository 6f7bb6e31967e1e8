/** The cells of a sheet (ECMA-376 part 1, 18.3.1): typed values as last computed, and as shown. */
import { limitFailure } from "../../../layout/logical/layout-limits.ts";
import { corrupted } from "../office-package.ts";
import { childOf, elementsOf, integerOf, isOn, readXml, textOf, type XmlElement } from "../xml-parts.ts";
import { generalFormat } from "./cell-format.ts";
import { toIso } from "./serial-dates.ts";
import { type SheetReference, stringText, unescapeText, type Workbook } from "./workbook.ts";

export type CellType = "string" | "number" | "boolean" | "date" | "error";

export interface SheetCell {
  /** From 1. */
  row: number;
  column: number;
  type: CellType;
  /** Dates in ISO 8601. */
  value: string | number | boolean;
  /** The value as shown. */
  text: string;
  bold: boolean;
}

/** First and last row and column, from 1. */
export interface CellRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Facts of a sheet beside its cells. */
export interface SheetFacts {
  merged: CellRange[];
  hiddenRows: number[];
  hiddenColumns: { from: number; to: number }[];
  /** Relationship ids of links by their first cell, `row/column`. */
  links: Map<string, string>;
  /** Relationship ids. */
  tables: string[];
  drawings: string[];
}

export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;
const MAX_MERGED_RANGES = 100_000;

/** The number, from 1, of a column's letters; undefined beyond the last column. */
export function columnNumber(letters: string): number | undefined {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column <= MAX_COLUMNS ? column : undefined;
}

/** The letters of a column's number, from 1. */
export function columnLetters(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** Parses `B3` or `B3:D5`; undefined for other references. */
export function parseRange(reference: string | undefined): CellRange | undefined {
  const [, left, top, right = left, bottom = top] =
    /^\$?([a-z]{1,3})\$?(\d{1,7})(?::\$?([a-z]{1,3})\$?(\d{1,7}))?$/i.exec(reference ?? "") ?? [];
  const [from, to] = [columnNumber(left ?? ""), columnNumber(right ?? "")];
  const [first, last] = [Number(top), Number(bottom)];
  if (!from || !to || !(first >= 1 && last <= MAX_ROWS && last >= first && to >= from)) return undefined;
  return { top: first, left: from, bottom: last, right: to };
}

type CellValue = Pick<SheetCell, "type" | "value" | "text">;

const stringValue = (text: string): CellValue => ({ type: "string", value: text, text });

/** A number, or a date by its format. */
function numberValue(raw: string, workbook: Workbook, styleIndex: number): CellValue | undefined {
  const value = Number(raw);
  if (raw.trim() === "" || !Number.isFinite(value)) return undefined;
  const { format } = workbook.styleOf(styleIndex);
  const text = format.number(value, workbook.dates);
  const date = format.isDate ? toIso(value, workbook.dates, format.timeOnly) : undefined;
  return date === undefined
    ? { type: "number", value, text: text || generalFormat(value) }
    : { type: "date", value: date, text };
}

const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+)?Z?$/;

function readValue(cell: XmlElement, workbook: Workbook): CellValue | undefined {
  const raw = textOf(childOf(cell, "v"));
  const styleIndex = integerOf(cell.attributes.s) ?? 0;
  switch (cell.attributes.t) {
    case "s": {
      const text = workbook.strings[integerOf(raw) ?? -1];
      return text === undefined ? undefined : stringValue(workbook.styleOf(styleIndex).format.text(text));
    }
    case "inlineStr":
      return stringValue(stringText(childOf(cell, "is") ?? cell));
    case "str":
      return stringValue(unescapeText(raw));
    case "b":
      return { type: "boolean", value: isOn(raw), text: isOn(raw) ? "TRUE" : "FALSE" };
    case "e":
      return raw === "" ? undefined : { type: "error", value: raw, text: raw };
    case "d":
      return ISO_DATE.test(raw)
        ? { type: "date", value: raw.replace(/T00:00:00(?:\.0+)?Z?$/, ""), text: raw }
        : stringValue(raw);
    default:
      return numberValue(raw, workbook, styleIndex);
  }
}

/** Remaining cells with a value, over all sheets of a workbook. */
export interface CellBudget {
  cells: number;
}

const newFacts = (): SheetFacts => ({
  merged: [],
  hiddenRows: [],
  hiddenColumns: [],
  links: new Map(),
  tables: [],
  drawings: [],
});

function noteColumns(columns: XmlElement, facts: SheetFacts): void {
  for (const { attributes } of elementsOf(columns)) {
    const from = integerOf(attributes.min, 1, MAX_COLUMNS);
    const to = integerOf(attributes.max, 1);
    if (isOn(attributes.hidden) && from !== undefined && to !== undefined) {
      facts.hiddenColumns.push({ from, to: Math.min(to, MAX_COLUMNS) });
    }
  }
}

function noteFacts(element: XmlElement, facts: SheetFacts): void {
  const id = element.attributes["r:id"];
  if (element.name === "cols") noteColumns(element, facts);
  else if (element.name === "drawing" && id !== undefined) facts.drawings.push(id);
  else if (element.name === "tablePart" && id !== undefined) facts.tables.push(id);
  else if (element.name === "mergeCell") {
    const range = parseRange(element.attributes.ref);
    if (range !== undefined && facts.merged.length < MAX_MERGED_RANGES) facts.merged.push(range);
  } else if (element.name === "hyperlink" && id !== undefined) {
    const range = parseRange(element.attributes.ref);
    if (range !== undefined) facts.links.set(`${range.top}/${range.left}`, id);
  }
}

const WHOLE_ELEMENTS = new Set(["row", "cols", "mergeCell", "hyperlink", "drawing", "tablePart", "extLst"]);

/**
 * Reads a sheet row by row.
 * @param visit receives every cell with a value, in file order
 * @throws JobFailure: corrupted; more cells or elements than can be processed; errors of `visit`
 */
export function readSheet(
  workbook: Workbook,
  sheet: SheetReference,
  budget: CellBudget,
  visit: (cell: SheetCell) => void,
): SheetFacts {
  const part = workbook.office.read(sheet.part);
  if (part === undefined) throw corrupted();
  const facts = newFacts();
  let row = 0;
  const readRow = (element: XmlElement): void => {
    row = integerOf(element.attributes.r, 1, MAX_ROWS) ?? Math.min(row + 1, MAX_ROWS);
    if (isOn(element.attributes.hidden)) facts.hiddenRows.push(row);
    let column = 0;
    for (const cell of elementsOf(element)) {
      const letters = /^[a-z]{1,3}/i.exec(cell.attributes.r ?? "")?.[0];
      column = (letters === undefined ? undefined : columnNumber(letters)) ?? column + 1;
      const value = cell.name === "c" && column <= MAX_COLUMNS ? readValue(cell, workbook) : undefined;
      if (value === undefined || value.text === "") continue;
      budget.cells -= 1;
      if (budget.cells < 0) throw limitFailure("cells");
      visit({ row, column, ...value, bold: workbook.styleOf(integerOf(cell.attributes.s) ?? 0).bold });
    }
  };
  const take = (element: XmlElement): void => (element.name === "row" ? readRow(element) : noteFacts(element, facts));
  readXml(part, { whole: (name) => WHOLE_ELEMENTS.has(name), take }, workbook.budget);
  return facts;
}
