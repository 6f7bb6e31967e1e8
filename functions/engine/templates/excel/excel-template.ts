/** Templates of Excel: cells with tags, rows that lists repeat, and cells with defined names. */

import { XLSX } from "../../../ports/media-types.ts";
import { MAX_ROWS } from "../../readers/office/xlsx/sheet.ts";
import { matchTemplateValues } from "../match-fields.ts";
import { RenderedItems } from "../office/rendered-items.ts";
import { lookUp, outerScope, type TagScope } from "../office/tag-expression.ts";
import { PictureParts } from "../office/template-picture.ts";
import { type FilledTemplate, type FillRequest, type TemplateDescription, templateField } from "../template.ts";
import { blankStrings } from "./blank-strings.ts";
import { CellStyles } from "./cell-styles.ts";
import { fillBeside } from "./comment-shape-texts.ts";
import { movePivots } from "./move-pivots.ts";
import { moveRelatedParts } from "./move-related-parts.ts";
import { moveSheetParts } from "./move-sheet-parts.ts";
import { calculateOnOpen, dropCalculationOrder, moveCharts, moveNames, shiftNamed } from "./move-workbook-parts.ts";
import { namedValues } from "./named-cells.ts";
import { fillHeaders } from "./page-headers.ts";
import { checkHeight, placeRows } from "./place-blocks.ts";
import { placePictures } from "./place-pictures.ts";
import { keepsRows, type PlacedRows } from "./row-layout.ts";
import { changedSheets } from "./sheet-dependencies.ts";
import type { SourceCell } from "./sheet-source.ts";
import { readTemplate, type SheetTemplate, type WorkbookTemplate } from "./sheet-template.ts";
import { keepsAllRows } from "./shift-formula.ts";
import { staleCells } from "./stale-pivots.ts";
import { refuseUnsupported } from "./unsupported.ts";
import { openWorkbook, targetOf } from "./workbook-source.ts";
import { lastRowOf, type NamedValue, type WrittenRows, writeRows } from "./write-rows.ts";
import { SourceEdits } from "./xml-source.ts";
import { readXmlText } from "./xml-text.ts";

/** Content type of a template's main part, and of the workbook that it gives. */
const TEMPLATE_MAIN = /spreadsheetml\.template\.main\+xml$/;
const WORKBOOK_MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";

function openTemplate(bytes: Uint8Array): WorkbookTemplate {
  const workbook = openWorkbook(bytes);
  const styles = readXmlText(workbook.office, targetOf(workbook.relationships, "styles") ?? "", workbook.budget);
  const template = readTemplate(workbook, new CellStyles(styles));
  refuseUnsupported(template);
  return template;
}

/**
 * Lists the fields of a workbook.
 * @throws UnprocessableEntity naming a tag that cannot be read and its cell, or what cannot follow repeated rows
 */
export async function describeExcel(bytes: Uint8Array): Promise<TemplateDescription> {
  return { fields: openTemplate(bytes).fields, signed: false, dropsRestrictions: false };
}

interface Filling {
  template: WorkbookTemplate;
  request: FillRequest;
  budget: RenderedItems;
  /** Placed rows by the sheet's name in lower case. */
  layouts: Map<string, PlacedRows>;
  named: Map<SheetTemplate, Map<SourceCell, NamedValue>>;
  /** Lower-case names of sheets whose values are others than before. */
  changed: ReadonlySet<string>;
  /** Cells with results of before. */
  emptied: ReadonlySet<SourceCell>;
  pictures: PictureParts;
  /** Filled texts outside of repeated rows, by the sheet's name in lower case and `row/column`. */
  texts: Map<string, ReadonlyMap<string, string>>;
  /** Cells with their shared strings of before, by the sheet's name in lower case. */
  kept: Map<string, ReadonlySet<SourceCell>>;
}

/** @throws BadRequest for more rows than a sheet has */
function layOut(template: WorkbookTemplate, scope: TagScope, budget: RenderedItems): Map<string, PlacedRows> {
  const layouts = new Map<string, PlacedRows>();
  for (const { sheet, blocks } of template.sheets) {
    const rows = placeRows(blocks, scope, budget);
    checkHeight(sheet.name, lastRowOf(sheet.source, rows), MAX_ROWS);
    layouts.set(sheet.key, rows);
  }
  return layouts;
}

function writeSheetRows(filling: Filling, one: SheetTemplate, rows: PlacedRows): WrittenRows {
  const { template, budget, layouts } = filling;
  return writeRows({
    source: one.sheet.source,
    sheet: one.sheet.key,
    rows,
    layouts,
    tags: one.tags,
    named: filling.named.get(one) ?? new Map(),
    styles: template.styles,
    dates: template.workbook.dates,
    budget,
    emptied: filling.emptied,
    keepsResults: false,
  });
}

function fillSheet(filling: Filling, one: SheetTemplate): void {
  const { template, layouts, changed } = filling;
  const { workbook } = template;
  const { source, key, part } = one.sheet;
  const rows = layouts.get(key);
  if (rows === undefined) return;
  fillBeside(workbook, one.beside, rows.scopes, filling.budget);
  const edits = new SourceEdits(source.xml);
  const texts = new Map<string, string>();
  if (!keepsAllRows(layouts)) moveSheetParts({ edits, sheet: key, rows, layouts }, source.root);
  fillHeaders(edits, one.headers, rows.scopes, filling.budget);
  if (changed.has(key)) {
    const written = writeSheetRows(filling, one, rows);
    const { data, prefix } = source;
    const tag = edits.startTag(data).replace(/\s*\/?>$/, "");
    edits.replace(data.start, data.end, `${tag}>${written.xml}</${prefix}sheetData>`);
    for (const [place, text] of written.texts) texts.set(place, text);
    filling.texts.set(key, texts);
    filling.kept.set(key, written.kept);
    const images = { bytes: filling.request.images, parts: filling.pictures };
    if (!keepsRows(rows) || texts.size > 0) moveRelatedParts({ workbook, sheet: key, rows, layouts, texts }, part);
    placePictures(workbook, { part, edits, root: source.root }, written.pictures, images);
  }
  if (edits.changed) workbook.office.write(part, edits.apply());
}

function fillWorkbook(filling: Filling): void {
  const { template, layouts, changed } = filling;
  const { workbook, styles } = template;
  for (const sheet of template.sheets) fillSheet(filling, sheet);
  if (!keepsAllRows(layouts)) {
    moveNames(workbook, layouts);
    dropCalculationOrder(workbook);
  }
  if (changed.size > 0) {
    moveCharts(workbook, layouts, changed);
    movePivots({ workbook, pivots: template.pivots, layouts, changed, texts: filling.texts });
    calculateOnOpen(workbook);
    blankStrings(workbook, filling.kept);
  }
  if (workbook.edits.changed) workbook.office.write(workbook.part, workbook.edits.apply());
  const written = styles.written();
  const stylesPart = targetOf(workbook.relationships, "styles");
  if (written !== undefined && stylesPart !== undefined) workbook.office.write(stylesPart, written);
}

async function fillFile(
  bytes: Uint8Array,
  request: FillRequest,
): Promise<{ filled: FilledTemplate; layouts: ReadonlyMap<string, PlacedRows> }> {
  const template = openTemplate(bytes);
  const { workbook } = template;
  const unlisted = template.named.filter(({ name, listed }) => !listed && Object.hasOwn(request.fields, name));
  const fields = [...template.fields, ...unlisted.map(({ name }) => templateField(name, "text"))];
  const { values, unknown } = matchTemplateValues(fields, request);
  const scope = outerScope(values);
  const budget = new RenderedItems();
  const layouts = layOut(template, scope, budget);
  const named = namedValues(template.named, (name) => lookUp(scope, name.split(".")));
  const touched = template.sheets.filter((one) => one.tags.size > 0 || named.has(one)).map(({ sheet }) => sheet.key);
  const changed = changedSheets(template, touched);
  fillWorkbook({
    template,
    request,
    budget,
    layouts,
    named,
    changed,
    emptied: staleCells(template, changed),
    texts: new Map(),
    kept: new Map(),
    pictures: new PictureParts(workbook.office, "xl/media"),
  });
  const isTemplate = TEMPLATE_MAIN.test(workbook.office.contentType(workbook.part) ?? "");
  if (isTemplate) workbook.office.setContentType(workbook.part, WORKBOOK_MAIN);
  const filled = { bytes: workbook.office.save(), unknownFields: unknown, restrictionsDropped: false };
  return { filled: isTemplate ? { ...filled, contentType: XLSX } : filled, layouts };
}

/**
 * Fills a workbook. Rows that lists repeat are inserted, and all that names rows follows; parts that nothing changes keep
 * their bytes.
 * @throws BadRequest for unknown or missing fields, values that a cell does not take, and more than a workbook holds;
 *   UnprocessableEntity as `describeExcel`
 */
export async function fillExcel(bytes: Uint8Array, request: FillRequest): Promise<FilledTemplate> {
  return (await fillFile(bytes, request)).filled;
}

/**
 * Fills the workbook of a chart in another document.
 * @returns it, and where the ranges of the chart are now @throws as `fillExcel`
 */
export async function fillChartWorkbook(
  bytes: Uint8Array,
  request: FillRequest,
): Promise<{ bytes: Uint8Array; rangeNow: (formula: string) => string }> {
  const { filled, layouts } = await fillFile(bytes, request);
  return { bytes: filled.bytes, rangeNow: (formula) => shiftNamed(formula, layouts) };
}
