/** Workbooks made by code: cells by their references, and whatever else a sheet has as markup. */

import { newBudget } from "../../functions/engine/readers/office/xml-parts.ts";
import { readXmlText } from "../../functions/engine/templates/excel/xml-text.ts";
import { openTemplatePackage } from "../../functions/engine/templates/office/template-package.ts";
import { type Parts, packageOf, relationships } from "./office-parts.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** A text, a number, a boolean, a formula with `=`, a cell with a style, or the markup of a string. */
export type CellInput =
  | string
  | number
  | boolean
  | { value?: string | number | boolean; style?: number; runs?: string; formula?: string };

export interface SheetInput {
  name: string;
  cells: Record<string, CellInput>;
  /** Markup before and after the rows. */
  before?: string;
  after?: string;
  /** Attributes of rows by number. */
  rows?: Record<number, string>;
  /** Relationships of the sheet by id: type and target. */
  links?: Record<string, readonly [type: string, target: string]>;
}

export interface WorkbookInput {
  sheets: SheetInput[];
  names?: string;
  /** Markup of the workbook after its names and settings. */
  afterNames?: string;
  /** Number formats of styles 1, 2, 3 … */
  formats?: string[];
  parts?: Parts;
  /** Content types by part. */
  types?: Record<string, string>;
  /** Relationships of the workbook in addition. */
  links?: Record<string, readonly [string, string]>;
  mainType?: string;
  date1904?: boolean;
  /** False leaves out the last results of formulas, so that readers calculate them. */
  results?: boolean;
}

const escapeXml = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

class Strings {
  readonly #index = new Map<string, number>();
  of(markup: string): number {
    const known = this.#index.get(markup) ?? this.#index.size;
    this.#index.set(markup, known);
    return known;
  }
  get xml(): string {
    const items = [...this.#index.keys()].map((markup) => `<si>${markup}</si>`).join("");
    return `<sst xmlns="${MAIN}" count="${this.#index.size}" uniqueCount="${this.#index.size}">${items}</sst>`;
  }
}

function cellXml(reference: string, input: CellInput, strings: Strings): string {
  const { value, style, runs, formula } =
    typeof input === "object" ? input : { value: input, style: undefined, runs: undefined, formula: undefined };
  const s = style === undefined ? "" : ` s="${style}"`;
  if (runs !== undefined) return `<c r="${reference}"${s} t="s"><v>${strings.of(runs)}</v></c>`;
  if (formula !== undefined) return `<c r="${reference}"${s}>${formula}</c>`;
  if (typeof value === "string" && value.startsWith("="))
    return `<c r="${reference}"${s}><f>${escapeXml(value.slice(1))}</f><v>-1</v></c>`;
  if (typeof value === "string")
    return `<c r="${reference}"${s} t="s"><v>${strings.of(`<t xml:space="preserve">${escapeXml(value)}</t>`)}</v></c>`;
  if (typeof value === "boolean") return `<c r="${reference}"${s} t="b"><v>${value ? 1 : 0}</v></c>`;
  return value === undefined ? `<c r="${reference}"${s}/>` : `<c r="${reference}"${s}><v>${value}</v></c>`;
}

const columnOf = (reference: string): number =>
  [...reference.replace(/\d/g, "")].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

function sheetXml({ cells, before = "", after = "", rows = {} }: SheetInput, strings: Strings): string {
  const byRow = new Map<number, string[]>();
  for (const number of Object.keys(rows)) byRow.set(Number(number), []);
  for (const reference of Object.keys(cells)) {
    const number = Number(/\d+$/.exec(reference)?.[0]);
    byRow.set(number, [...(byRow.get(number) ?? []), reference]);
  }
  const written = [...byRow]
    .toSorted(([a], [b]) => a - b)
    .map(([number, references]) => {
      const sorted = references.toSorted((a, b) => columnOf(a) - columnOf(b));
      const content = sorted.map((reference) => cellXml(reference, cells[reference] ?? "", strings)).join("");
      return `<row r="${number}"${rows[number] === undefined ? "" : ` ${rows[number]}`}>${content}</row>`;
    });
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}">${before}<sheetData>${written.join("")}</sheetData>${after}</worksheet>`;
}

const stylesXml = (formats: readonly string[]): string =>
  `<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length + 1}"><numFmt numFmtId="170" formatCode="0"/>${formats.map((code, at) => `<numFmt numFmtId="${171 + at}" formatCode="${escapeXml(code)}"/>`).join("")}</numFmts>` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${formats.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${formats.map((_, at) => `<xf numFmtId="${171 + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join("")}</cellXfs></styleSheet>`;

/** A workbook of these sheets, whose texts are shared. */
export function workbookOf(input: WorkbookInput): Uint8Array {
  const {
    sheets,
    names = "",
    afterNames = "",
    formats = [],
    parts = {},
    types = {},
    links = {},
    mainType = `${TYPE}.sheet.main+xml`,
    date1904 = false,
    results = true,
  } = input;
  const strings = new Strings();
  const written = sheets.map((sheet) => sheetXml(sheet, strings));
  const all: Parts = {
    "[Content_Types].xml": "",
    "_rels/.rels": relationships({ rId1: ["officeDocument", "xl/workbook.xml"] }),
  };
  const overrides: Record<string, string> = {
    "xl/workbook.xml": mainType,
    "xl/styles.xml": `${TYPE}.styles+xml`,
    "xl/sharedStrings.xml": `${TYPE}.sharedStrings+xml`,
    ...types,
  };
  const related: Record<string, readonly [string, string]> = {
    styles: ["styles", "styles.xml"],
    strings: ["sharedStrings", "sharedStrings.xml"],
    ...links,
  };
  let list = "";
  for (const [index, { name, links: own }] of sheets.entries()) {
    const part = `sheet${index + 1}.xml`;
    overrides[`xl/worksheets/${part}`] = `${TYPE}.worksheet+xml`;
    related[`rId${index + 1}`] = ["worksheet", `worksheets/${part}`];
    list += `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`;
    all[`xl/worksheets/${part}`] = results
      ? (written[index] ?? "")
      : (written[index] ?? "").replaceAll("</f><v>-1</v>", "</f>");
    if (own !== undefined) all[`xl/worksheets/_rels/${part}.rels`] = relationships(own);
  }
  all["xl/workbook.xml"] =
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${date1904 ? '<workbookPr date1904="1"/>' : ""}<sheets>${list}</sheets>${names === "" ? "" : `<definedNames>${names}</definedNames>`}<calcPr calcId="191029"/>${afterNames}</workbook>`;
  all["xl/_rels/workbook.xml.rels"] = relationships(related);
  all["xl/styles.xml"] = stylesXml(formats);
  all["xl/sharedStrings.xml"] = strings.xml;
  Object.assign(all, parts);
  all["[Content_Types].xml"] =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
    `<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>${Object.entries(
      overrides,
    )
      .map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
      .join("")}</Types>`;
  return packageOf(all);
}

/** The text of a part. */
export const partText = (bytes: Uint8Array, name: string): string => {
  const text = readXmlText(openTemplatePackage(bytes), name, newBudget());
  if (text === undefined) throw new Error(`There is no part ${name}`);
  return text;
};

/** What the cells of a filled sheet say: texts, numbers, booleans, and formulas with `=`. */
export function cellsOf(bytes: Uint8Array, sheet = 1): Record<string, string | number | boolean> {
  const strings = [...partText(bytes, "xl/sharedStrings.xml").matchAll(/<si>(.*?)<\/si>/gs)].map(([, si = ""]) =>
    plain(si),
  );
  const found: Record<string, string | number | boolean> = {};
  for (const [, attributes = "", content = ""] of partText(bytes, `xl/worksheets/sheet${sheet}.xml`).matchAll(
    /<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
  )) {
    const reference = /r="(\w+)"/.exec(attributes)?.[1] ?? "";
    const type = /t="(\w+)"/.exec(attributes)?.[1];
    const formula = /<f[^>]*>([^<]*)<\/f>/.exec(content)?.[1];
    const value = /<v>([^<]*)<\/v>/.exec(content)?.[1];
    if (formula !== undefined) found[reference] = `=${decode(formula)}`;
    else if (type === "inlineStr") found[reference] = plain(content);
    else if (type === "s") found[reference] = strings[Number(value)] ?? "";
    else if (value !== undefined) found[reference] = type === "b" ? value === "1" : Number(value);
  }
  return found;
}

const decode = (text: string): string =>
  text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");
const plain = (markup: string): string =>
  decode([...markup.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text).join(""));
