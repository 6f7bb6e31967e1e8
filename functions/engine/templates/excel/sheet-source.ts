/** The rows and cells of a worksheet's source. */
import { columnNumber, MAX_ROWS } from "../../readers/office/xlsx/sheet.ts";
import { attributesOf, decodeText, parseSource, type XmlNode } from "./xml-source.ts";

export interface SourceCell {
  /** From 1. */
  column: number;
  /** Its start tag. */
  tag: string;
  /** Everything between its tags. */
  content: string;
}

export interface SourceRow {
  /** From 1. */
  number: number;
  /** Its start tag, with `>` at the end. */
  tag: string;
  cells: SourceCell[];
}

/** A worksheet as text: what is before its rows, the rows, and what is after them. */
export interface SheetSource {
  xml: string;
  /** Elements but those of rows. */
  root: XmlNode;
  data: XmlNode;
  rows: SourceRow[];
  /** Prefix of its elements with the colon, mostly empty. */
  prefix: string;
}

const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)(?:[^\s/>:]+:)?(row|c)(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;

const CELL_REFERENCE = /\sr\s*=\s*["']([A-Za-z]{1,3})\d{1,7}["']/;

function cellColumn(tag: string, before: number): number {
  const letters = CELL_REFERENCE.exec(tag)?.[1];
  return (letters === undefined ? undefined : columnNumber(letters)) ?? before + 1;
}

function rowNumber(tag: string, before: number): number {
  const number = Number(attributesOf(tag).get("r") ?? before + 1);
  return Number.isInteger(number) && number > before && number <= MAX_ROWS ? number : before + 1;
}

function readRows(xml: string, from: number, to: number): SourceRow[] {
  const rows: SourceRow[] = [];
  const text = xml.slice(from, to);
  let row: SourceRow | undefined;
  let cell: { tag: string; start: number } | undefined;
  const addCell = (tag: string, content: string): void => {
    if (row === undefined) return;
    row.cells.push({ column: cellColumn(tag, row.cells.at(-1)?.column ?? 0), tag, content });
  };
  for (const { index, 0: whole, 1: slash, 2: name, 4: empty } of text.matchAll(MARKUP)) {
    const after = index + whole.length;
    if (name === "row" && slash !== "/") {
      row = { number: rowNumber(whole, rows.at(-1)?.number ?? 0), tag: whole.replace(/\s*\/>$/, ">"), cells: [] };
      rows.push(row);
    } else if (name === "c" && slash === "/") {
      if (cell !== undefined) addCell(cell.tag, text.slice(cell.start, index));
      cell = undefined;
    } else if (name === "c") {
      if (empty === "/") addCell(whole.replace(/\s*\/>$/, ">"), "");
      else cell = { tag: whole, start: after };
    }
  }
  return rows;
}

const ROWS = new Set(["sheetData"]);

/** Index of the first row at a number or after it. */
export function rowIndex(rows: readonly SourceRow[], number: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The row of a number; undefined for one without an element. */
export function rowAt(rows: readonly SourceRow[], number: number): SourceRow | undefined {
  const row = rows[rowIndex(rows, number)];
  return row?.number === number ? row : undefined;
}

/** Reads a worksheet; undefined for one without rows' element. */
export function readSheetSource(xml: string): SheetSource | undefined {
  const root = parseSource(xml, ROWS);
  const sheet = root.children[0];
  const data = sheet?.children.find(({ name }) => name === "sheetData");
  if (sheet === undefined || data === undefined) return undefined;
  const prefix = data.tag.slice(0, data.tag.length - data.name.length);
  return { xml, root: sheet, data, rows: readRows(xml, data.contentStart, data.contentEnd), prefix };
}

/** An attribute of a cell, such as its type `t`. */
export const cellAttribute = ({ tag }: SourceCell, name: "t" | "s"): string | undefined =>
  (name === "t" ? /\st\s*=\s*["'](\w+)["']/ : /\ss\s*=\s*["'](\d+)["']/).exec(tag)?.[1];

/** The part of a cell between the tags of one element, and that element's start tag. */
export function cellElement(content: string, name: string): { tag: string; text: string } | undefined {
  const found = new RegExp(
    `<((?:[^\\s/>:]+:)?)${name}(?=[\\s/>])((?:[^>"']|"[^"]*"|'[^']*')*?)(?:/>|>([\\s\\S]*?)</\\1${name}\\s*>)`,
  ).exec(content);
  if (found === null) return undefined;
  return { tag: `<${name}${found[2] ?? ""}>`, text: found[3] ?? "" };
}

/** The decoded text of a cell's element; undefined without the element. */
export function cellText(content: string, name: string): string | undefined {
  const element = cellElement(content, name);
  return element === undefined ? undefined : decodeText(element.text);
}
