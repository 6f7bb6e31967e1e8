/** The workbook of a template: its sheets with their sources, strings and names. */

import { corrupted } from "../../readers/office/office-package.ts";
import type { DateSystem } from "../../readers/office/xlsx/serial-dates.ts";
import { isOn, newBudget, type XmlBudget } from "../../readers/office/xml-parts.ts";
import { mainPartOf, type PartRelationship, relationshipsOf } from "../office/part-relationships.ts";
import { openTemplatePackage, type TemplatePackage } from "../office/template-package.ts";
import { cellAttribute, cellElement, readSheetSource, type SheetSource, type SourceCell } from "./sheet-source.ts";
import { attributesOf, childNode, parseSource, SourceEdits, type XmlNode } from "./xml-source.ts";
import { readXmlText } from "./xml-text.ts";

export interface TemplateSheet {
  name: string;
  /** Its name as formulas are compared: in lower case. */
  key: string;
  part: string;
  source: SheetSource;
}

export interface DefinedName {
  name: string;
  /** Formula without `=`. */
  formula: string;
  /** Name of the only sheet that knows it; undefined for the whole workbook. */
  sheet: string | undefined;
  hidden: boolean;
  node: XmlNode;
}

export interface TemplateWorkbook {
  office: TemplatePackage;
  budget: XmlBudget;
  /** Name of the main part, and its changes. */
  part: string;
  edits: SourceEdits;
  root: XmlNode;
  relationships: PartRelationship[];
  sheets: TemplateSheet[];
  /** Names of all sheets in order, those without cells too. */
  sheetNames: string[];
  names: DefinedName[];
  dates: DateSystem;
  /** The part of the shared strings; empty without one. */
  stringsXml: string;
  /** Sources of the shared strings, between their tags. */
  strings: string[];
}

/** A shared string, with its prefix and its source between the tags. */
export const STRING = /<((?:[^\s/>:]+:)?)si(?=[\s/>])[^>]*?(?:\/>|>([\s\S]*?)<\/\1si\s*>)/g;

/** The last segment of a relationship's type. */
export const typeOf = ({ type }: PartRelationship): string => type.slice(type.lastIndexOf("/") + 1);

/** The part that a relationship of this type leads to. */
export const targetOf = (relationships: readonly PartRelationship[], type: string): string | undefined =>
  relationships.find((one) => typeOf(one) === type && !one.external)?.target;

function relationshipId(attributes: ReadonlyMap<string, string>): string {
  for (const [name, value] of attributes) if (/^[^:]+:id$/.test(name)) return value;
  return "";
}

function readNames(root: XmlNode, edits: SourceEdits, sheetNames: readonly string[]): DefinedName[] {
  const names = childNode(root, "definedNames")?.children ?? [];
  return names.map((node) => {
    const attributes = edits.attributes(node);
    const local = attributes.get("localSheetId");
    return {
      name: attributes.get("name") ?? "",
      formula: edits.text(node),
      sheet: local === undefined ? undefined : sheetNames[Number(local)],
      hidden: isOn(attributes.get("hidden")),
      node,
    };
  });
}

function readSheets(workbook: Omit<TemplateWorkbook, "sheets" | "sheetNames" | "names">): TemplateSheet[] {
  const { root, edits, office, budget, relationships } = workbook;
  return (childNode(root, "sheets")?.children ?? []).flatMap((node) => {
    const attributes = edits.attributes(node);
    const id = relationshipId(attributes);
    const relationship = relationships.find((one) => one.id === id);
    // Chart, dialog and macro sheets have no cells.
    if (relationship === undefined || relationship.external || typeOf(relationship) !== "worksheet") return [];
    const xml = readXmlText(office, relationship.target, budget);
    const source = xml === undefined ? undefined : readSheetSource(xml);
    const name = attributes.get("name") ?? "";
    return source === undefined ? [] : [{ name, key: name.toLowerCase(), part: relationship.target, source }];
  });
}

/** @throws UnprocessableEntity, JobFailure for a file that is no workbook to fill */
export function openWorkbook(bytes: Uint8Array): TemplateWorkbook {
  const office = openTemplatePackage(bytes);
  const budget = newBudget();
  const part = mainPartOf(office, "xl/workbook.xml");
  const xml = readXmlText(office, part, budget);
  const root = xml === undefined ? undefined : parseSource(xml).children[0];
  if (xml === undefined || root === undefined) throw corrupted();
  const edits = new SourceEdits(xml);
  const relationships = relationshipsOf(office, part);
  const stringsXml = readXmlText(office, targetOf(relationships, "sharedStrings") ?? "", budget) ?? "";
  const properties = childNode(root, "workbookPr");
  const dates = properties !== undefined && isOn(edits.attributes(properties).get("date1904")) ? 1904 : 1900;
  const sheetNames = (childNode(root, "sheets")?.children ?? []).map(
    (node) => edits.attributes(node).get("name") ?? "",
  );
  const base = { office, budget, part, edits, root, relationships, dates: dates as DateSystem };
  const all = { ...base, stringsXml, strings: [...stringsXml.matchAll(STRING)].map(([, , text]) => text ?? "") };
  return { ...all, sheets: readSheets(all), sheetNames, names: readNames(root, edits, sheetNames) };
}

/** The source of a cell's text, between the tags of its string; undefined for a formula, a number and no text. */
export function stringSource(cell: SourceCell, strings: readonly string[]): string | undefined {
  switch (cellAttribute(cell, "t")) {
    case "s":
      return strings[Number(cellElement(cell.content, "v")?.text ?? -1)];
    case "inlineStr":
      return cellElement(cell.content, "is")?.text;
    case "str": {
      const text = cellElement(cell.content, "f") === undefined ? cellElement(cell.content, "v")?.text : undefined;
      return text === undefined ? undefined : `<t>${text}</t>`;
    }
    default:
      return undefined;
  }
}

/** The attributes of a workbook's element. */
export const attributesIn = (xml: string, { start, contentStart }: XmlNode): Map<string, string> =>
  attributesOf(xml.slice(start, contentStart));
