/** The cells of a sheet (ECMA-376 part 1, 18.3.1): values as they were last computed, typed, and as they are shown. */
import { tooMuch } from "../../../layout/logical/layout-limits.ts";
import { corrupted } from "../office-package.ts";
import { childOf, elementsOf, integerOf, isOn, readXml, textOf, type XmlElement } from "../xml-parts.ts";
import { general } from "./cell-format.ts";
import { toIso } from "./serial-dates.ts";
import { type SheetReference, stringText, unescapeText, type Workbook } from "./workbook.ts";

export type CellType = "string" | "number" | "boolean" | "date" | "error";

export interface SheetCell {
  /** From 1. */
  row: number;
  column: number;
  type: CellType;
  /** Dates as ISO 8601. */
  value: string | number | boolean;
  /** As a person sees it. */
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

/** What a sheet says beside its cells. */
export interface SheetFacts {
  merged: CellRange[];
  hiddenRows: number[];
  hiddenColumns: { from: number; to: number }[];
  /** Relationship ids of links by the cell that they begin in, `row/column`. */
  links: Map<string, string>;
  /** Relationship ids. */
  tables: string[];
  drawings: string[];
}

export const MOST_ROWS = 1_048_576;
export const MOST_COLUMNS = 16_384;
const MOST_MERGED = 100_000;

/** A column's letters as its number, from 1; undefined past the last one. */
function columnOf(letters: string): number | undefined {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column <= MOST_COLUMNS ? column : undefined;
}

/** A number, from 1, as a column's letters. */
export function columnLetters(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** `B3` or `B3:D5`; undefined for anything else. */
export function parseRange(reference: string | undefined): CellRange | undefined {
  const [, left, top, right = left, bottom = top] =
    /^\$?([a-z]{1,3})\$?(\d{1,7})(?::\$?([a-z]{1,3})\$?(\d{1,7}))?$/i.exec(reference ?? "") ?? [];
  const [from, to] = [columnOf(left ?? ""), columnOf(right ?? "")];
  const [first, last] = [Number(top), Number(bottom)];
  if (!from || !to || !(first >= 1 && last <= MOST_ROWS && last >= first && to >= from)) return undefined;
  return { top: first, left: from, bottom: last, right: to };
}

type Value = Pick<SheetCell, "type" | "value" | "text">;

const stringValue = (text: string): Value => ({ type: "string", value: text, text });

/** A number, or what its format makes of it. */
function numberValue(raw: string, workbook: Workbook, looksIndex: number): Value | undefined {
  const value = Number(raw);
  if (raw.trim() === "" || !Number.isFinite(value)) return undefined;
  const { format } = workbook.looks(looksIndex);
  const text = format.number(value, workbook.dates);
  const date = format.isDate ? toIso(value, workbook.dates, format.timeOnly) : undefined;
  return date === undefined
    ? { type: "number", value, text: text || general(value) }
    : { type: "date", value: date, text };
}

const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+)?Z?$/;

function readValue(cell: XmlElement, workbook: Workbook): Value | undefined {
  const raw = textOf(childOf(cell, "v"));
  const looksIndex = integerOf(cell.attributes.s) ?? 0;
  switch (cell.attributes.t) {
    case "s": {
      const text = workbook.strings[integerOf(raw) ?? -1];
      return text === undefined ? undefined : stringValue(workbook.looks(looksIndex).format.text(text));
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
      return numberValue(raw, workbook, looksIndex);
  }
}

/** Counts cells that have a value over the sheets of a workbook. */
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
    const from = integerOf(attributes.min, 1, MOST_COLUMNS);
    const to = integerOf(attributes.max, 1);
    if (isOn(attributes.hidden) && from !== undefined && to !== undefined) {
      facts.hiddenColumns.push({ from, to: Math.min(to, MOST_COLUMNS) });
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
    if (range !== undefined && facts.merged.length < MOST_MERGED) facts.merged.push(range);
  } else if (element.name === "hyperlink" && id !== undefined) {
    const range = parseRange(element.attributes.ref);
    if (range !== undefined) facts.links.set(`${range.top}/${range.left}`, id);
  }
}

const WHOLE = new Set(["row", "cols", "mergeCell", "hyperlink", "drawing", "tablePart", "extLst"]);

/**
 * Reads a sheet row by row.
 * @param visit takes every cell that has a value, in the order of the file
 * @throws JobFailure: corrupted; more cells or elements than can be processed; whatever `visit` throws
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
    row = integerOf(element.attributes.r, 1, MOST_ROWS) ?? Math.min(row + 1, MOST_ROWS);
    if (isOn(element.attributes.hidden)) facts.hiddenRows.push(row);
    let column = 0;
    for (const cell of elementsOf(element)) {
      const letters = /^[a-z]{1,3}/i.exec(cell.attributes.r ?? "")?.[0];
      column = (letters === undefined ? undefined : columnOf(letters)) ?? column + 1;
      const value = cell.name === "c" && column <= MOST_COLUMNS ? readValue(cell, workbook) : undefined;
      if (value === undefined || value.text === "") continue;
      budget.cells -= 1;
      if (budget.cells < 0) throw tooMuch("cells");
      visit({ row, column, ...value, bold: workbook.looks(integerOf(cell.attributes.s) ?? 0).bold });
    }
  };
  const take = (element: XmlElement): void => (element.name === "row" ? readRow(element) : noteFacts(element, facts));
  readXml(part, { whole: (name) => WHOLE.has(name), take }, workbook.budget);
  return facts;
}
