/** The parts of a workbook beside its sheets: defined names, charts, the order of calculation. */

import { dropRelated } from "../office/part-relationships.ts";
import { CONTENT_TYPES_PART } from "../office/template-package.ts";
import { parseFormula } from "./formula-tokens.ts";
import { editPart } from "./move-related-parts.ts";
import { wholeSheet } from "./row-layout.ts";
import { type SheetLayouts, sheetsNamed, shiftFormula } from "./shift-formula.ts";
import type { TemplateWorkbook } from "./workbook-source.ts";
import { childNode, nodesBelow, type SourceEdits, type XmlNode } from "./xml-source.ts";

/** Shifts a formula that belongs to no cell; a single cell of repeated rows becomes the range of its copies. */
export function shiftNamed(formula: string, layouts: SheetLayouts): string {
  const parts = parseFormula(formula).map((part) =>
    typeof part === "string" ? part : { ...part, takesRange: part.side === undefined, takesNumber: false },
  );
  return shiftFormula(parts, { layouts, sheet: "", rows: wholeSheet() });
}

/** Moves what the defined names mean: print areas and titles among them. */
export function moveNames({ names, edits }: TemplateWorkbook, layouts: SheetLayouts): void {
  for (const { node, formula } of names) edits.setText(node, shiftNamed(formula, layouts));
}

/** Elements after which the settings of calculation come (18.2.27). */
const BEFORE_CALCULATION = new Set(
  "fileVersion fileSharing workbookPr AlternateContent revisionPtr workbookProtection bookViews sheets functionGroups externalReferences definedNames".split(
    " ",
  ),
);

/** Has a reader calculate all formulas when it opens the workbook. */
export function calculateOnOpen({ edits, root }: TemplateWorkbook): void {
  const settings = childNode(root, "calcPr");
  if (settings !== undefined) {
    edits.setAttributes(settings, { fullCalcOnLoad: "1" });
    return;
  }
  const before = root.children.findLast(({ name }) => BEFORE_CALCULATION.has(name));
  const at = before?.end ?? root.contentStart;
  const prefix = root.tag.slice(0, root.tag.length - root.name.length);
  edits.replace(at, at, `<${prefix}calcPr calcId="191029" fullCalcOnLoad="1"/>`);
}

/** Removes the order of calculation, which readers make anew; one that names moved cells is an error. */
export function dropCalculationOrder({ office, part }: TemplateWorkbook): void {
  dropRelated(office, part, "calcChain");
}

const CHART_PART = /\.(?:drawingml\.chart|ms-office\.chartex)\+xml$/;

/** Names of the parts with charts. */
export const chartParts = ({ office }: TemplateWorkbook): string[] =>
  office.names.filter((name) => name !== CONTENT_TYPES_PART && CHART_PART.test(office.contentType(name) ?? ""));

/** Values that a chart keeps of its cells; a reader takes them from the cells when there are none. */
const CACHES = new Set(["numCache", "strCache", "multiLvlStrCache"]);

function moveChart(edits: SourceEdits, root: XmlNode, layouts: SheetLayouts, changed: ReadonlySet<string>): void {
  for (const node of nodesBelow(root)) {
    if (node.name !== "f" || node.children.length > 0) continue;
    const formula = edits.text(node);
    edits.setText(node, shiftNamed(formula, layouts));
    const sheets = sheetsNamed(parseFormula(formula));
    // A name may mean any sheet.
    const isStale = sheets.size === 0 || [...sheets].some((sheet) => changed.has(sheet));
    for (const cache of node.parent?.children ?? []) if (isStale && CACHES.has(cache.name)) edits.remove(cache);
  }
}

/**
 * Charts show the grown ranges, and no values of before.
 * @param changed lower-case names of the sheets with other values than before
 */
export function moveCharts(workbook: TemplateWorkbook, layouts: SheetLayouts, changed: ReadonlySet<string>): void {
  for (const name of chartParts(workbook)) {
    editPart(workbook, name, (edits, root) => moveChart(edits, root, layouts, changed));
  }
}
