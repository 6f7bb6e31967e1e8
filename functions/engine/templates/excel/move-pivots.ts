/** Pivot tables after a fill: they sum up the grown rows, and a reader writes them anew when it opens the workbook. */
import { parseRange } from "../../readers/office/xlsx/sheet.ts";
import { dropRelated } from "../office/part-relationships.ts";
import { editPart } from "./move-related-parts.ts";
import { type PivotSource, type Pivots, sourceNodes, staleCaches } from "./pivot-tables.ts";
import { rangeText, spanOfRange } from "./place-ranges.ts";
import { firstPlace } from "./row-layout.ts";
import type { SheetLayouts } from "./shift-formula.ts";
import type { TemplateWorkbook } from "./workbook-source.ts";
import { childNode, nodesBelow, type SourceEdits, type XmlNode } from "./xml-source.ts";

/** Filled texts outside of repeated rows, by the sheet's name in lower case and `row/column`. */
export type SheetTexts = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface PivotMove {
  workbook: TemplateWorkbook;
  pivots: Pivots;
  layouts: SheetLayouts;
  /** Lower-case names of sheets whose values are others than before. */
  changed: ReadonlySet<string>;
  texts: SheetTexts;
}

function growSource({ layouts }: PivotMove, edits: SourceEdits, node: XmlNode): void {
  const attributes = edits.attributes(node);
  const rows = layouts.get(attributes.get("sheet")?.toLowerCase() ?? "");
  const range = parseRange(attributes.get("ref"));
  const span = rows === undefined || range === undefined ? undefined : spanOfRange(rows, range);
  // Headings without a row below them are an error to a reader.
  if (span !== undefined) {
    edits.setAttributes(node, { ref: rangeText({ ...span, bottom: Math.max(span.bottom, span.top + 1) }) });
  }
}

/** Fields of a pivot table are found by the texts of their headings. @returns new names by those of before */
function renameFields(
  { layouts, texts }: PivotMove,
  { sheet = "", range }: PivotSource,
  edits: SourceEdits,
  fields: readonly XmlNode[],
): Map<string, string> {
  const renamed = new Map<string, string>();
  const [rows, filled] = [layouts.get(sheet), texts.get(sheet)];
  if (rows === undefined || range === undefined || filled === undefined) return renamed;
  const names = fields.map((field) => edits.attributes(field).get("name") ?? "");
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const row = firstPlace(rows, range.top);
  for (const [index, field] of fields.slice(0, range.right - range.left + 1).entries()) {
    const text = filled.get(`${row}/${range.left + index}`) ?? "";
    if (text === "" || text === names[index]) continue;
    let name = text;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${text}${number}`;
    taken.add(name.toLowerCase());
    edits.setAttributes(field, { name: name.replaceAll("\n", "_x000a_") });
    renamed.set(names[index] ?? "", name);
  }
  return renamed;
}

/** Has a reader take the rows from the sheet: the cache's own copy of them is that of the template. */
function refreshOnOpen(edits: SourceEdits, root: XmlNode): void {
  const attributes = edits.attributes(root);
  const records = [...attributes.keys()].find((name) => /^[^:]+:id$/.test(name));
  edits.setAttributes(root, {
    ...(records === undefined ? {} : { [records]: undefined }),
    recordCount: undefined,
    saveData: "0",
    refreshOnLoad: "1",
    // Otherwise the tags would stay in the lists of filters.
    missingItemsLimit: attributes.get("missingItemsLimit") ?? "0",
  });
}

/** Captions such as `Sum of {{head}}` name a heading. */
function renameCaptions(workbook: TemplateWorkbook, part: string, renamed: ReadonlyMap<string, string>): void {
  editPart(workbook, part, (edits, root) => {
    for (const node of nodesBelow(root)) {
      const name = edits.attributes(node).get("name");
      if (name === undefined || (node.name !== "dataField" && node.name !== "pivotField")) continue;
      let caption = name;
      for (const [before, now] of renamed) caption = caption.replaceAll(before, () => now);
      edits.setAttributes(node, { name: caption });
    }
  });
}

/** Grows the sources of pivot tables with their rows, and has readers refresh those whose rows have other values. */
export function movePivots(move: PivotMove): void {
  const { workbook, pivots, changed } = move;
  for (const part of staleCaches(pivots, changed)) {
    let renamed = new Map<string, string>();
    editPart(workbook, part, (edits, root) => {
      const nodes = sourceNodes(root);
      for (const node of nodes) growSource(move, edits, node);
      const [source, ...others] = pivots.caches.get(part) ?? [];
      const fields = childNode(root, "cacheFields")?.children ?? [];
      if (source !== undefined && others.length === 0) renamed = renameFields(move, source, edits, fields);
      refreshOnOpen(edits, root);
    });
    dropRelated(workbook.office, part, "pivotCacheRecords");
    if (renamed.size === 0) continue;
    for (const table of pivots.tables) if (table.cache === part) renameCaptions(workbook, table.part, renamed);
  }
}
