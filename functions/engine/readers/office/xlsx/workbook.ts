/** A workbook (ECMA-376 part 1, 18.2): its sheets, shared strings and cell styles. */
import { corrupted, type OfficePackage } from "../office-package.ts";
import { findMainPart, type Relationships, readRelationships, relatedPart } from "../relationships.ts";
import {
  childOf,
  elementsOf,
  findAll,
  flagOf,
  integerOf,
  isOn,
  newBudget,
  parseXml,
  readXml,
  textOf,
  type XmlBudget,
  type XmlElement,
} from "../xml-parts.ts";
import { builtInFormat, NumberFormat } from "./cell-format.ts";
import type { DateSystem } from "./serial-dates.ts";

export interface SheetReference {
  name: string;
  hidden: boolean;
  /** Name of its part. */
  part: string;
}

/** Style of a cell. */
export interface CellStyle {
  format: NumberFormat;
  bold: boolean;
}

export interface Workbook {
  office: OfficePackage;
  budget: XmlBudget;
  sheets: SheetReference[];
  dates: DateSystem;
  /** Shared strings by index. */
  strings: readonly string[];
  styleOf(index: number): CellStyle;
}

const MAX_STRINGS = 2_000_000;

/** Decodes escapes: `_x000D_` stands for a character that XML cannot hold (22.9.2.19), `_x005F_` for an underscore. */
export const unescapeText = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

const TEXT_NAMES = new Set(["t"]);

/** The text of a string with its runs joined; phonetic text is left out. */
export function stringText(element: XmlElement): string {
  let text = "";
  for (const child of elementsOf(element)) {
    if (child.name === "t") text += textOf(child);
    else if (child.name === "r") for (const run of findAll(child, TEXT_NAMES)) text += textOf(run);
  }
  return unescapeText(text);
}

function readStrings(part: Uint8Array | undefined, budget: XmlBudget): string[] {
  const strings: string[] = [];
  if (part === undefined) return strings;
  const take = (element: XmlElement): void => {
    if (strings.length === MAX_STRINGS) throw corrupted();
    strings.push(stringText(element));
  };
  readXml(part, { whole: (name) => name === "si", take }, budget);
  return strings;
}

/** The cell styles by index (18.8.10). */
function readCellStyles(root: XmlElement | undefined): (index: number) => CellStyle {
  const codes = new Map<number, string>();
  for (const { attributes } of elementsOf(childOf(root, "numFmts") ?? { name: "", attributes: {}, children: [] })) {
    const id = integerOf(attributes.numFmtId);
    if (id !== undefined) codes.set(id, attributes.formatCode ?? "");
  }
  const fonts = [...(childOf(root, "fonts")?.children ?? [])].filter((font) => typeof font !== "string");
  const bold = fonts.map((font) => flagOf(childOf(font, "b")) ?? false);
  const formats = new Map<number, NumberFormat>();
  const formatOf = (id: number): NumberFormat => {
    const known = formats.get(id) ?? new NumberFormat(codes.get(id) ?? builtInFormat(id));
    formats.set(id, known);
    return known;
  };
  const cells = (childOf(root, "cellXfs")?.children ?? []).filter((cell) => typeof cell !== "string");
  const styles = cells.map(({ attributes }) => ({
    format: formatOf(integerOf(attributes.numFmtId) ?? 0),
    bold: bold[integerOf(attributes.fontId) ?? 0] ?? false,
  }));
  const plain = { format: formatOf(0), bold: false };
  return (index) => styles[index] ?? plain;
}

function readSheets(root: XmlElement, relationships: Relationships): SheetReference[] {
  const sheets = childOf(root, "sheets");
  if (sheets === undefined) throw corrupted();
  return [...elementsOf(sheets)].flatMap(({ attributes }) => {
    const relationship = relationships.get(attributes["r:id"] ?? "");
    // Chart, dialog and macro sheets have no cells.
    if (relationship === undefined || relationship.external || relationship.type !== "worksheet") return [];
    const hidden = attributes.state === "hidden" || attributes.state === "veryHidden";
    return [{ name: attributes.name ?? "", hidden, part: relationship.target }];
  });
}

/** Opens a workbook. @throws JobFailure: corrupted; more elements than can be processed */
export function openWorkbook(office: OfficePackage): Workbook {
  const budget = newBudget();
  const name = findMainPart(office, "xl/workbook.xml", budget);
  const part = office.read(name);
  if (part === undefined) throw corrupted();
  const root = parseXml(part, budget);
  const relationships = readRelationships(office, name, budget);
  const partOf = (type: string): Uint8Array | undefined => office.read(relatedPart(relationships, type) ?? "");
  const styles = partOf("styles");
  return {
    office,
    budget,
    sheets: readSheets(root, relationships),
    dates: isOn(childOf(root, "workbookPr")?.attributes.date1904) ? 1904 : 1900,
    strings: readStrings(partOf("sharedStrings"), budget),
    styleOf: readCellStyles(styles === undefined ? undefined : parseXml(styles, budget)),
  };
}
