/** Workbooks that cannot be filled: something in them would be wrong once rows are repeated. */
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { type CellRange, columnLetters, parseRange } from "../../readers/office/xlsx/sheet.ts";
import { relationshipsOf } from "../office/part-relationships.ts";
import { SheetFormulas } from "./cell-formulas.ts";
import { editPart } from "./move-related-parts.ts";
import type { Pivots } from "./pivot-tables.ts";
import { rangeText } from "./place-ranges.ts";
import type { RowBlock } from "./row-blocks.ts";
import type { SheetTemplate, WorkbookTemplate } from "./sheet-template.ts";
import { spansSheets } from "./shift-formula.ts";
import { type TemplateWorkbook, typeOf } from "./workbook-source.ts";

const refuse = (what: string, where: string, remedy: string): UnprocessableEntity =>
  new UnprocessableEntity(`${what} in ${where} cannot follow rows that are repeated; ${remedy}`);

const repeats = ({ loops }: RowBlock): boolean => loops.length > 0;
const touches = (block: RowBlock, { top, bottom }: CellRange): boolean =>
  repeats(block) && block.first <= bottom && block.last >= top;

/** True for a range that a repeated block cuts: some of its rows are repeated, or it is inside a block with others. */
function isCut(blocks: readonly RowBlock[], range: CellRange): boolean {
  const block = blocks.find((one) => touches(one, range));
  if (block === undefined) return false;
  const isWhole = block.first <= range.top && range.bottom <= block.last;
  if (!isWhole) return true;
  return range.top !== range.bottom && isCut(block.children, range);
}

/** @throws UnprocessableEntity for a formula over several cells that would have other cells */
function checkFormulas(
  { sheet, blocks }: SheetTemplate,
  repeating: ReadonlySet<string>,
  order: readonly string[],
): void {
  const formulas = new SheetFormulas(sheet.source.rows);
  for (const row of sheet.source.rows) {
    for (const cell of row.cells) {
      const formula = formulas.of(cell, row.number);
      if (formula === undefined) continue;
      const where = `sheet ${sheet.name}, cell ${columnLetters(cell.column)}${row.number}`;
      if (formula.range !== undefined && isCut(blocks, formula.range)) {
        throw refuse(`The formula over ${rangeText(formula.range)}`, where, "write one formula for each row");
      }
      for (const part of formula.parts) {
        if (!spansSheets(part)) continue;
        const ends = part.sheets.map((name) => order.indexOf(name.toLowerCase()));
        const spanned = order.slice(Math.min(...ends), Math.max(...ends) + 1);
        if (spanned.some((name) => repeating.has(name))) {
          throw refuse("A reference over several sheets", where, "name each sheet on its own");
        }
      }
    }
  }
}

/** @throws UnprocessableEntity for a table whose headings or totals are repeated */
function checkTables(workbook: TemplateWorkbook, { sheet, blocks }: SheetTemplate): void {
  for (const relationship of relationshipsOf(workbook.office, sheet.part)) {
    if (typeOf(relationship) !== "table" || relationship.external) continue;
    editPart(workbook, relationship.target, (edits, root) => {
      const attributes = edits.attributes(root);
      const range = parseRange(attributes.get("ref"));
      if (range === undefined) return;
      const heading = { ...range, bottom: range.top };
      const totals = { ...range, top: range.bottom };
      const hasHeading = attributes.get("headerRowCount") !== "0";
      const hasTotals = Number(attributes.get("totalsRowCount") ?? 0) > 0;
      const isRepeated =
        (hasHeading && blocks.some((one) => touches(one, heading))) ||
        (hasTotals && blocks.some((one) => touches(one, totals)));
      if (isRepeated) {
        throw refuse(
          `The table ${attributes.get("displayName") ?? ""}`,
          `sheet ${sheet.name}`,
          "repeat rows inside of it only",
        );
      }
    });
  }
}

/** @throws UnprocessableEntity for a pivot table in repeated rows, which a reader could not write anew in its place */
function checkPivotPlaces(pivots: Pivots, { sheet, blocks }: SheetTemplate): void {
  for (const table of pivots.tables) {
    const { range } = table;
    if (table.sheet !== sheet || range === undefined) continue;
    const isCrossed = blocks.some(({ first, last }) => first <= range.bottom && last >= range.top);
    if (!isCrossed) continue;
    const where = `sheet ${sheet.name}, ${rangeText(range)}`;
    throw refuse("The pivot table", where, "put it above or below these rows, or on a sheet of its own");
  }
}

/** @throws UnprocessableEntity for a pivot table whose headings are repeated */
function checkPivotSources(pivots: Pivots, { sheet, blocks }: SheetTemplate): void {
  for (const { sheet: key, range } of [...pivots.caches.values()].flat()) {
    if (key !== sheet.key || range === undefined) continue;
    const heading = { ...range, bottom: range.top };
    if (blocks.some((one) => touches(one, heading))) {
      const where = `sheet ${sheet.name}, ${rangeText(range)}`;
      throw refuse("The pivot table over the rows", where, "repeat rows below its headings only");
    }
  }
}

/** @throws UnprocessableEntity naming what cannot follow the rows, and where */
export function refuseUnsupported({ workbook, sheets, pivots }: WorkbookTemplate): void {
  const repeating = new Set(sheets.filter(({ blocks }) => blocks.length > 0).map(({ sheet }) => sheet.key));
  if (repeating.size === 0) return;
  const order = workbook.sheetNames.map((name) => name.toLowerCase());
  for (const template of sheets) {
    checkFormulas(template, repeating, order);
    checkTables(workbook, template);
    checkPivotPlaces(pivots, template);
    checkPivotSources(pivots, template);
  }
}
