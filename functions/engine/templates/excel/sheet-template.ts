/** The sheets of a template: tags in cells, rows that lists repeat, and cells that defined names make fields. */
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { type CellRange, columnLetters, parseRange } from "../../readers/office/xlsx/sheet.ts";
import { type Delimiters, detectDelimiters } from "../office/find-tags.ts";
import { refuseFaults, tagFault } from "../office/tag-fault.ts";
import { fieldsOfTags, type TagUse } from "../office/tag-fields.ts";
import { type TemplateField, type TemplateValueType, templateField } from "../template.ts";
import type { CellStyles, FormatKind } from "./cell-styles.ts";
import { type CellPiece, loneValue, readPieces, readRuns } from "./cell-text.ts";
import { type BesideSource, type BesideText, besideSources, besideText, readBeside } from "./comment-shape-texts.ts";
import { parseFormula } from "./formula-tokens.ts";
import { headerTexts, type PageHeader, readHeaders } from "./page-headers.ts";
import { type Pivots, pivotCells, readPivots } from "./pivot-tables.ts";
import { rangeText } from "./place-ranges.ts";
import { findBlocks, type RowBlock, type TaggedRow, usesOf } from "./row-blocks.ts";
import { cellAttribute, cellElement, rowAt, type SourceCell } from "./sheet-source.ts";
import {
  attributesIn,
  type DefinedName,
  stringSource,
  type TemplateSheet,
  type TemplateWorkbook,
} from "./workbook-source.ts";
import { childNode, decodeText } from "./xml-source.ts";

export interface SheetTemplate {
  sheet: TemplateSheet;
  tags: ReadonlyMap<SourceCell, CellPiece[]>;
  blocks: RowBlock[];
  uses: TagUse[];
  headers: PageHeader[];
  /** Texts with tags in comments and shapes. */
  beside: BesideText[];
}

/** A defined name of one cell that values can fill. */
export interface NamedCell {
  name: string;
  template: SheetTemplate;
  row: number;
  column: number;
  /** Undefined where the sheet states no such cell. */
  cell: SourceCell | undefined;
  /** The cell is empty, or the workbook has no tags: the name is there to be filled. */
  listed: boolean;
}

export interface WorkbookTemplate {
  workbook: TemplateWorkbook;
  styles: CellStyles;
  sheets: SheetTemplate[];
  pivots: Pivots;
  named: NamedCell[];
  fields: TemplateField[];
}

/** Texts with a brace, which alone can hold tags, by the source of the string. */
type Texts = Map<string, string>;

const textOf = (source: string): string =>
  readRuns(source)
    .map(({ text }) => text)
    .join("");

function textsOf({ sheets, strings }: TemplateWorkbook, beside: Iterable<BesideSource>): Texts {
  const texts: Texts = new Map();
  for (const { source } of sheets) {
    for (const { cells } of source.rows) {
      for (const cell of cells) {
        const string = stringSource(cell, strings);
        if (string !== undefined && /[{}]/.test(string) && !texts.has(string)) texts.set(string, textOf(string));
      }
    }
    for (const { text } of headerTexts(source)) texts.set(`header ${text}`, text);
  }
  for (const source of beside) texts.set(`${source.part} ${source.start}`, besideText(source));
  return texts;
}

const isBlank = (cell: SourceCell, tags: ReadonlyMap<number, CellPiece[]>): boolean =>
  tags.has(cell.column) ||
  (cellElement(cell.content, "f") === undefined && !/<(?:[^\s/>:]+:)?(?:v|is)[\s>]/.test(cell.content));

interface Reading {
  workbook: TemplateWorkbook;
  styles: CellStyles;
  delimiters: Delimiters;
  texts: Texts;
  pivots: Pivots;
  beside: ReadonlyMap<TemplateSheet, BesideSource[]>;
  faults: UnprocessableEntity[];
}

const VALUE_TYPES: Readonly<Record<FormatKind, TemplateValueType | null>> = {
  general: null,
  text: null,
  number: "number",
  date: "date",
};

/** The type of values that a cell is made for. */
const valueTypeOf = (cell: SourceCell | undefined, styles: CellStyles): TemplateValueType | null =>
  cell === undefined ? null : VALUE_TYPES[styles.kind(Number(cellAttribute(cell, "s") ?? 0))];

/** A tag in a formula would be read as text or as an array. */
function checkFormula({ delimiters, faults }: Reading, cell: SourceCell, place: string): void {
  const formula = cell.content.includes("{") ? cellElement(cell.content, "f") : undefined;
  if (formula === undefined || delimiters.open === "{") return;
  const text = decodeText(formula.text);
  const at = text.indexOf(delimiters.open);
  const end = text.indexOf(delimiters.close, at + 1);
  if (at === -1 || end === -1) return;
  faults.push(
    tagFault(
      text.slice(at, end + delimiters.close.length),
      place,
      "is in a formula; put it into a cell of its own and refer to that",
    ),
  );
}

function readCell(reading: Reading, cell: SourceCell, place: string): CellPiece[] | undefined {
  const { workbook, texts, delimiters, styles } = reading;
  checkFormula(reading, cell, place);
  const string = stringSource(cell, workbook.strings);
  if (string === undefined || !texts.has(string)) return undefined;
  const pieces = collectFault(reading, () => readPieces(readRuns(string), delimiters, place));
  const lone = pieces === undefined ? undefined : loneValue(pieces);
  if (lone !== undefined) lone.valueType = valueTypeOf(cell, styles);
  return pieces;
}

/** Faults are told together. */
function collectFault<T>({ faults }: Reading, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnprocessableEntity)) throw error;
    faults.push(error);
    return undefined;
  }
}

function readSheet(reading: Reading, sheet: TemplateSheet): SheetTemplate {
  const tags = new Map<SourceCell, CellPiece[]>();
  const rows: TaggedRow[] = [];
  // A reader writes pivot tables anew, so that tags in them are copies of those in their rows.
  const shown = new Set(pivotCells(sheet, reading.pivots.tables));
  for (const { number, cells } of sheet.source.rows) {
    const tagged = new Map<number, CellPiece[]>();
    for (const cell of cells) {
      if (shown.has(cell)) continue;
      const pieces = readCell(reading, cell, `sheet ${sheet.name}, cell ${columnLetters(cell.column)}${number}`);
      if (pieces === undefined) continue;
      tags.set(cell, pieces);
      tagged.set(cell.column, pieces);
    }
    if (tagged.size > 0) rows.push({ number, cells: tagged, bare: cells.every((cell) => isBlank(cell, tagged)) });
  }
  const { blocks, uses, faults } = findBlocks(sheet.name, rows);
  reading.faults.push(...faults);
  const headers = collectFault(reading, () => readHeaders(sheet.source, reading.delimiters, sheet.name)) ?? [];
  uses.push(...headers.flatMap(({ pieces }) => usesOf(pieces)));
  const sources = reading.beside.get(sheet) ?? [];
  const beside = sources.flatMap(
    (source) => collectFault(reading, () => readBeside(source, reading.delimiters, blocks)) ?? [],
  );
  uses.push(...beside.flatMap(({ pieces }) => usesOf(pieces)));
  return { sheet, tags, blocks, uses, headers, beside };
}

/** The cell of a name that means one cell, or one merged cell; undefined for any other name. */
function cellOfName(
  { formula, hidden, name }: DefinedName,
  sheets: readonly SheetTemplate[],
): { template: SheetTemplate; range: CellRange } | undefined {
  if (hidden || name.startsWith("_xlnm.")) return undefined;
  const [part, ...others] = parseFormula(formula.trim());
  if (part === undefined || typeof part === "string" || others.length > 0 || part.sheets.length !== 1) return undefined;
  const template = sheets.find(({ sheet }) => sheet.key === part.sheets[0]?.toLowerCase());
  const range = parseRange(formula.slice(formula.lastIndexOf("!") + 1).trim());
  if (template === undefined || range === undefined) return undefined;
  const isOne = range.top === range.bottom && range.left === range.right;
  return isOne || isMerged(template.sheet, range) ? { template, range } : undefined;
}

const mergedRanges = new WeakMap<TemplateSheet, Set<string>>();

function isMerged(sheet: TemplateSheet, range: CellRange): boolean {
  let merged = mergedRanges.get(sheet);
  if (merged === undefined) {
    const { root, xml } = sheet.source;
    const nodes = childNode(root, "mergeCells")?.children ?? [];
    merged = new Set(nodes.map((node) => attributesIn(xml, node).get("ref")?.toUpperCase() ?? ""));
    mergedRanges.set(sheet, merged);
  }
  return merged.has(rangeText(range));
}

function readNamed(workbook: TemplateWorkbook, sheets: readonly SheetTemplate[]): NamedCell[] {
  const hasTags = sheets.some(({ tags }) => tags.size > 0);
  return workbook.names.flatMap((defined) => {
    const found = cellOfName(defined, sheets);
    if (found === undefined) return [];
    const { template, range } = found;
    const { top: row, left: column } = range;
    if (template.blocks.some((block) => row >= block.first && row <= block.last)) return [];
    const cell = rowAt(template.sheet.source.rows, row)?.cells.find((one) => one.column === column);
    if (cell !== undefined && (template.tags.has(cell) || cellElement(cell.content, "f") !== undefined)) return [];
    const listed = !hasTags || cell === undefined || isBlank(cell, new Map());
    return [{ name: defined.name, template, row, column, cell, listed }];
  });
}

const usesOfName = ({ name, cell }: NamedCell, styles: CellStyles): TagUse => ({
  kind: "field",
  field: templateField(name, "text", { valueType: valueTypeOf(cell, styles) }),
});

/** Reads a template. @throws UnprocessableEntity naming tags with faults, and their cells */
export function readTemplate(workbook: TemplateWorkbook, styles: CellStyles): WorkbookTemplate {
  const beside = new Map(workbook.sheets.map((sheet) => [sheet, besideSources(workbook, sheet)]));
  const texts = textsOf(workbook, [...beside.values()].flat());
  const pivots = readPivots(workbook);
  const delimiters = detectDelimiters(texts.values());
  const reading: Reading = { workbook, styles, texts, pivots, beside, delimiters, faults: [] };
  const sheets = workbook.sheets.map((sheet) => readSheet(reading, sheet));
  refuseFaults(reading.faults);
  const named = readNamed(workbook, sheets);
  const listed = named.filter((one) => one.listed).map((one) => usesOfName(one, styles));
  const fields = fieldsOfTags([...sheets.flatMap(({ uses }) => uses), ...listed]);
  return { workbook, styles, sheets, pivots, named, fields };
}
