/** Pivot tables of a workbook: where they stand, and the rows that they sum up. */
import { type CellRange, parseRange } from "../../readers/office/xlsx/sheet.ts";
import { type PartRelationship, relationshipsOf } from "../office/part-relationships.ts";
import { parseFormula } from "./formula-tokens.ts";
import type { SourceCell } from "./sheet-source.ts";
import { attributesIn, type TemplateSheet, type TemplateWorkbook, typeOf } from "./workbook-source.ts";
import { childNode, parseSource, type XmlNode } from "./xml-source.ts";
import { readXmlText } from "./xml-text.ts";

/** Rows that a pivot table sums up, with their headings in the first one. */
export interface PivotSource {
  /** Lower-case name of their sheet; undefined for a name whose cells are not known. */
  sheet: string | undefined;
  range: CellRange | undefined;
}

export interface PivotTable {
  part: string;
  sheet: TemplateSheet;
  /** Cells that a reader writes anew: the table, and the filters above it; undefined where none are stated. */
  range: CellRange | undefined;
  /** The part with its source. */
  cache: string;
}

export interface Pivots {
  /** Sources by the part of their cache; caches of other files and databases are left out. */
  caches: ReadonlyMap<string, PivotSource[]>;
  tables: readonly PivotTable[];
}

const CACHE_PART = /pivotCacheDefinition\+xml$/;

/** The elements that name rows of a cache: one, or several that are consolidated. */
export function sourceNodes(cache: XmlNode): XmlNode[] {
  const source = childNode(cache, "cacheSource");
  const sets = childNode(childNode(source, "consolidation"), "rangeSets")?.children ?? [];
  const single = childNode(source, "worksheetSource");
  return single === undefined ? sets : [single, ...sets];
}

const relatedOf = ({ office }: TemplateWorkbook, part: string, type: string): PartRelationship[] =>
  relationshipsOf(office, part).filter((one) => typeOf(one) === type && !one.external);

function readPart(workbook: TemplateWorkbook, name: string): { xml: string; root: XmlNode } | undefined {
  const xml = readXmlText(workbook.office, name, workbook.budget);
  const root = xml === undefined ? undefined : parseSource(xml).children[0];
  return xml === undefined || root === undefined ? undefined : { xml, root };
}

const sameText = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

/** The cells of a defined name that means one range, as the sheet of the pivot table's source reads it. */
function rangeOfName({ names }: TemplateWorkbook, name: string, sheet: string | undefined): PivotSource | undefined {
  const known = names.filter((one) => sameText(one.name, name));
  const own = known.find((one) => sheet !== undefined && sameText(one.sheet, sheet)) ?? known[0];
  const [part, ...others] = parseFormula(own?.formula.trim() ?? "");
  if (own === undefined || part === undefined || typeof part === "string" || others.length > 0) return undefined;
  const range = parseRange(own.formula.slice(own.formula.lastIndexOf("!") + 1).trim());
  return part.sheets.length === 1 ? { sheet: part.sheets[0]?.toLowerCase(), range } : undefined;
}

function rangeOfTable(workbook: TemplateWorkbook, name: string): PivotSource | undefined {
  for (const sheet of workbook.sheets) {
    for (const { target } of relatedOf(workbook, sheet.part, "table")) {
      const table = readPart(workbook, target);
      const attributes = table === undefined ? undefined : attributesIn(table.xml, table.root);
      const isIt = sameText(attributes?.get("displayName"), name) || sameText(attributes?.get("name"), name);
      if (isIt) return { sheet: sheet.key, range: parseRange(attributes?.get("ref")) };
    }
  }
  return undefined;
}

function readSource(workbook: TemplateWorkbook, attributes: ReadonlyMap<string, string>): PivotSource[] {
  // Rows of another file have a relationship to it.
  if ([...attributes.keys()].some((name) => /^[^:]+:id$/.test(name))) return [];
  const [name, sheet] = [attributes.get("name"), attributes.get("sheet")];
  const unknown = { sheet: undefined, range: undefined };
  if (name !== undefined) return [rangeOfName(workbook, name, sheet) ?? rangeOfTable(workbook, name) ?? unknown];
  return [{ sheet: sheet?.toLowerCase(), range: parseRange(attributes.get("ref")) }];
}

/** The table with the filters above it, which are a row apart from it. */
function placeOf(xml: string, root: XmlNode): CellRange | undefined {
  const location = childNode(root, "location");
  const attributes = location === undefined ? undefined : attributesIn(xml, location);
  const range = parseRange(attributes?.get("ref"));
  const filters = Number(attributes?.get("rowPageCount") ?? 0);
  if (range === undefined || !(filters > 0)) return range;
  return { ...range, top: Math.max(1, range.top - filters - 1), right: Math.max(range.right, range.left + 1) };
}

/** Reads the pivot tables of a workbook, and what they sum up. */
export function readPivots(workbook: TemplateWorkbook): Pivots {
  const { office, sheets } = workbook;
  const caches = new Map<string, PivotSource[]>();
  for (const name of office.names) {
    if (!CACHE_PART.test(office.contentType(name) ?? "")) continue;
    const cache = readPart(workbook, name);
    const sources =
      cache === undefined
        ? []
        : sourceNodes(cache.root).flatMap((node) => readSource(workbook, attributesIn(cache.xml, node)));
    if (sources.length > 0) caches.set(name.toLowerCase(), sources);
  }
  const tables = sheets.flatMap((sheet) =>
    relatedOf(workbook, sheet.part, "pivotTable").flatMap(({ target }) => {
      const table = readPart(workbook, target);
      if (table === undefined) return [];
      const [cache] = relatedOf(workbook, target, "pivotCacheDefinition");
      const range = placeOf(table.xml, table.root);
      return [{ part: target, sheet, range, cache: cache?.target.toLowerCase() ?? "" }];
    }),
  );
  return { caches, tables };
}

/** Visits the cells of a sheet in the places of pivot tables. */
export function* pivotCells(sheet: TemplateSheet, tables: readonly PivotTable[]): Generator<SourceCell> {
  for (const { range } of tables.filter((table) => table.sheet === sheet)) {
    if (range === undefined) continue;
    for (const { number, cells } of sheet.source.rows) {
      if (number < range.top || number > range.bottom) continue;
      for (const cell of cells) if (cell.column >= range.left && cell.column <= range.right) yield cell;
    }
  }
}

/** The caches that sum up rows of these sheets. @param changed lower-case names of sheets */
export const staleCaches = ({ caches }: Pivots, changed: ReadonlySet<string>): Set<string> =>
  new Set(
    [...caches].flatMap(([part, sources]) =>
      // A name may mean any sheet.
      sources.some(({ sheet }) => (sheet === undefined ? changed.size > 0 : changed.has(sheet))) ? [part] : [],
    ),
  );
