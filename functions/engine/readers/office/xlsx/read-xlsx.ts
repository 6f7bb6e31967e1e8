/** Workbooks on logical pages: each sheet begins a page, with its name, its hidden parts and its tables. */

import type { Layout } from "../../../../ports/layout.ts";
import { MAX_CELLS } from "../../../layout/logical/layout-limits.ts";
import { LogicalPages } from "../../../layout/logical/logical-pages.ts";
import type { GridCell } from "../../../layout/logical/logical-tables.ts";
import { headRows } from "../../../structure/header-rows.ts";
import type { OfficePackage } from "../office-package.ts";
import { type Relationships, readRelationships, safeLink } from "../relationships.ts";
import { drawingTexts } from "../shape-text.ts";
import { integerOf, parseXml } from "../xml-parts.ts";
import { type CellBudget, columnLetters, parseRange, readSheet, type SheetCell, type SheetFacts } from "./sheet.ts";
import { findRegions, placeCells, type RangedCell, type SheetRegion } from "./sheet-regions.ts";
import { openWorkbook, type SheetReference, type Workbook } from "./workbook.ts";

const PAGE_COLUMNS = 85;
/** Cells, and characters in them, of one table part. */
const MAX_PART_CELLS = 20_000;
const MAX_PART_CHARACTERS = 1_000_000;
/** Rows of one part of a sparse region; its columns are those that these rows use. */
const SPARSE_PART_ROWS = 50;
/** Places per cell above which a region is sparse; small regions never are. */
const MIN_SPARSE_PLACES_PER_CELL = 8;
const MAX_SMALL_REGION_PLACES = 5_000;
/** Limit of places in a table part that merged cells may cover. */
const MAX_COVERED_PLACES = 8 * MAX_PART_CELLS;
/** Limit of ranges of hidden rows or columns listed in a note. */
const MAX_LISTED_RANGES = 20;

/** Header row counts of the sheet's defined tables by `row/column` of their first cell. */
type HeaderRowCounts = ReadonlyMap<string, number>;

function readHeaderRowCounts(
  workbook: Workbook,
  relationships: Relationships,
  ids: readonly string[],
): HeaderRowCounts {
  const tables = new Map<string, number>();
  for (const id of ids) {
    const relationship = relationships.get(id);
    const part = relationship?.external === false ? workbook.office.read(relationship.target) : undefined;
    if (part === undefined) continue;
    const { attributes } = parseXml(part, workbook.budget);
    const range = parseRange(attributes.ref);
    if (range !== undefined) tables.set(`${range.top}/${range.left}`, integerOf(attributes.headerRowCount) ?? 1);
  }
  return tables;
}

/** Lists ranges: `3–5, 9`. */
function listRanges(ranges: readonly { from: number; to: number }[], name: (at: number) => string): string {
  const named = ranges
    .slice(0, MAX_LISTED_RANGES)
    .map(({ from, to }) => (from === to ? name(from) : `${name(from)}–${name(to)}`));
  return `${named.join(", ")}${ranges.length > MAX_LISTED_RANGES ? " …" : ""}`;
}

function rowRanges(rows: readonly number[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last !== undefined && row === last.to + 1) last.to = row;
    else ranges.push({ from: row, to: row });
  }
  return ranges;
}

/** Notes on hidden parts of a sheet, whose content is read all the same. */
function hiddenNotes(
  { hidden }: SheetReference,
  { hiddenRows, hiddenColumns }: SheetFacts,
  regions: SheetRegion[],
): string[] {
  const last = regions.reduce((most, { bottom }) => Math.max(most, bottom), 0);
  const lastColumn = regions.reduce((most, { right }) => Math.max(most, right), 0);
  const rows = rowRanges(hiddenRows.filter((row) => row <= last));
  const columns = hiddenColumns
    .filter(({ from }) => from <= lastColumn)
    .map(({ from, to }) => ({ from, to: Math.min(to, lastColumn) }));
  return [
    ...(hidden ? ["Hidden sheet."] : []),
    ...(rows.length > 0 ? [`Hidden rows: ${listRanges(rows, String)}.`] : []),
    ...(columns.length > 0 ? [`Hidden columns: ${listRanges(columns, columnLetters)}.`] : []),
  ];
}

/** Column indices, from 0, of a region's used columns; of all its columns unless it is sparse. */
function columnPlaces(
  cells: readonly RangedCell[],
  { left, right }: SheetRegion,
  sparse: boolean,
): Map<number, number> {
  const used = sparse
    ? [...new Set(cells.flatMap((cell) => [cell.left, cell.right]))].sort((a, b) => a - b)
    : Array.from({ length: right - left + 1 }, (_, index) => left + index);
  return new Map(used.map((column, place) => [column, place]));
}

type LinkFinder = (cell: SheetCell) => string | undefined;

function toGrid(cells: readonly RangedCell[], region: SheetRegion, sparse: boolean, linkAt: LinkFinder): GridCell[][] {
  const places = columnPlaces(cells, region, sparse);
  const rowNumbers = [...new Set(cells.map(({ top }) => top))].sort((a, b) => a - b);
  const rows = new Map(rowNumbers.map((row, index) => [row, index]));
  const grid: GridCell[][] = rowNumbers.map(() => []);
  const covered = new Set<string>();
  for (const placed of cells) {
    const { cell, top, left } = placed;
    // Merged ranges lie beside each other; overlapping ones are invalid.
    const { bottom, right } = covered.size < MAX_COVERED_PLACES ? placed : { bottom: top, right: left };
    const row = rows.get(top) ?? 0;
    const column = places.get(left) ?? 0;
    // A merged cell covers only rows that the table has.
    let endRow = row;
    while ((rowNumbers[endRow + 1] ?? Infinity) <= bottom) endRow += 1;
    const span = (places.get(right) ?? column) - column + 1;
    const link = linkAt(cell);
    const run = {
      text: cell.text.replace(/[\f\v]|\r\n?/g, "\n"),
      ...(cell.bold ? { bold: true } : {}),
      ...(link ? { link } : {}),
    };
    grid[row]?.push({ column, span, ...(endRow > row ? { rowSpan: endRow - row + 1 } : {}), runs: [run] });
    if (sparse || (span === 1 && endRow === row)) continue;
    for (let at = row; at <= endRow; at += 1) {
      for (let over = 0; over < span; over += 1) covered.add(`${at}/${column + over}`);
    }
  }
  if (!sparse) fillEmpty(grid, places.size, covered);
  for (const row of grid) row.sort((a, b) => a.column - b.column);
  return grid;
}

/** Adds empty cells, so that every place of a table has one. */
function fillEmpty(grid: GridCell[][], columns: number, covered: ReadonlySet<string>): void {
  for (const [at, row] of grid.entries()) {
    const taken = new Set(row.map(({ column }) => column));
    for (let column = 0; column < columns; column += 1) {
      if (!taken.has(column) && !covered.has(`${at}/${column}`)) row.push({ column, span: 1, runs: [] });
    }
  }
}

/** Splits the cells of a region into parts of whole rows; a merged cell stays in one part with the rows it covers. */
function* partsOf({ cells, top }: SheetRegion, sparse: boolean): Generator<RangedCell[]> {
  const sorted = cells.toSorted((a, b) => a.top - b.top || a.left - b.left);
  let part: RangedCell[] = [];
  let [end, first, characters] = [top, top, 0];
  for (const cell of sorted) {
    const isLong = part.length >= MAX_PART_CELLS || characters >= MAX_PART_CHARACTERS;
    const isFull = isLong || (sparse && cell.top >= first + SPARSE_PART_ROWS);
    if (isFull && (cell.top > end || sparse) && cell.top > (part.at(-1)?.top ?? 0)) {
      yield part;
      part = [];
      first = cell.top;
      characters = 0;
    }
    part.push(cell);
    characters += cell.cell.text.length;
    end = Math.max(end, cell.bottom);
  }
  yield part;
}

function layRegion(pages: LogicalPages, region: SheetRegion, tables: HeaderRowCounts, linkAt: LinkFinder): void {
  const { top, left, bottom, right, cells } = region;
  const places = (bottom - top + 1) * (right - left + 1);
  const sparse = places > MAX_SMALL_REGION_PLACES && places > MIN_SPARSE_PLACES_PER_CELL * cells.length;
  if (left === right) {
    for (const row of toGrid(cells, region, false, linkAt)) pages.line(row.flatMap((cell) => cell.runs));
    pages.endBlock();
    return;
  }
  let continued = false;
  for (const part of partsOf(region, sparse)) {
    const grid = toGrid(part, region, sparse, linkAt);
    const headerRows = continued ? 0 : (tables.get(`${top}/${left}`) ?? headRows(grid));
    pages.table(grid, { headerRows: Math.min(headerRows, grid.length), continued: continued && !sparse });
    continued = true;
  }
}

function laySheet(pages: LogicalPages, workbook: Workbook, sheet: SheetReference, budget: CellBudget): void {
  if (!pages.atTop) pages.breakPage();
  pages.block([{ text: sheet.name.replace(/\s+/g, " ") }], { kind: "heading", level: 1 });
  const cells: SheetCell[] = [];
  const facts = readSheet(workbook, sheet, budget, (cell) => cells.push(cell));
  const relationships = readRelationships(workbook.office, sheet.part, workbook.budget);
  const regions = findRegions(placeCells(cells, facts.merged));
  for (const text of hiddenNotes(sheet, facts, regions)) pages.block([{ text }], { kind: "note" });
  const tables = readHeaderRowCounts(workbook, relationships, facts.tables);
  const linkAt = ({ row, column }: SheetCell): string | undefined => {
    const link = facts.links.size === 0 ? undefined : relationships.get(facts.links.get(`${row}/${column}`) ?? "");
    return link?.external ? safeLink(link.target) : undefined;
  };
  for (const region of regions) layRegion(pages, region, tables, linkAt);
  for (const id of facts.drawings) {
    const drawing = relationships.get(id);
    const part = drawing?.external === false ? workbook.office.read(drawing.target) : undefined;
    if (part === undefined) continue;
    for (const runs of drawingTexts(part, workbook.budget)) pages.block(runs);
  }
}

/**
 * Reads a workbook sheet by sheet: its name as a heading, hidden parts as notes, then its tables as shown. Cells
 * separated by an empty row and column are tables of their own; a single column is text.
 * @param pageRange logical page numbers, from 1; absent: all
 * @throws JobFailure: corrupted; more of something than can be processed
 */
export function readExcel(office: OfficePackage, pageRange?: readonly number[]): Layout {
  const workbook = openWorkbook(office);
  const pages = new LogicalPages({
    provider: "xlsx",
    columns: PAGE_COLUMNS,
    ...(pageRange === undefined ? {} : { pageRange }),
  });
  const budget = { cells: MAX_CELLS };
  for (const sheet of workbook.sheets) laySheet(pages, workbook, sheet, budget);
  return pages.finish();
}
