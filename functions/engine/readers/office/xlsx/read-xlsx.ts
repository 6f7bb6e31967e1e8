/** Workbooks on logical pages: each sheet begins a page, with its name, its tables, and what is hidden in it. */

import type { Layout } from "../../../../ports/layout.ts";
import { MOST_CELLS } from "../../../layout/logical/layout-limits.ts";
import { LogicalPages } from "../../../layout/logical/logical-pages.ts";
import type { GridCell } from "../../../layout/logical/logical-tables.ts";
import { headRows } from "../../../structure/header-rows.ts";
import type { OfficePackage } from "../office-package.ts";
import { linkOf, type Relationships, readRelationships } from "../relationships.ts";
import { drawingTexts } from "../shape-text.ts";
import { integerOf, parseXml } from "../xml-parts.ts";
import { type CellBudget, columnLetters, parseRange, readSheet, type SheetCell, type SheetFacts } from "./sheet.ts";
import { findRegions, type PlacedCell, placeCells, type Region } from "./sheet-regions.ts";
import { openWorkbook, type SheetReference, type Workbook } from "./workbook.ts";

const COLUMNS = 85;
/** Cells, and characters in them, that are laid out at once. */
const CELLS_AT_ONCE = 20_000;
const CHARACTERS_AT_ONCE = 1_000_000;
/** Rows at once of a region that is nearly empty: its columns are those that these rows use. */
const SPARSE_ROWS = 50;
/** Places to a cell, above which a region is nearly empty; small ones may be. */
const SPARSE = 8;
const SMALL_REGION = 5_000;
/** Places of a part of a table that merged cells may cover. */
const MOST_COVERED = 8 * CELLS_AT_ONCE;
/** Stretches of hidden rows or columns that are named. */
const MOST_NAMED = 20;

/** Header rows of the sheet's own tables by `row/column` of their first cell. */
type Tables = ReadonlyMap<string, number>;

function readTables(workbook: Workbook, relationships: Relationships, ids: readonly string[]): Tables {
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

/** `3–5, 9`. */
function nameStretches(stretches: readonly { from: number; to: number }[], name: (at: number) => string): string {
  const named = stretches
    .slice(0, MOST_NAMED)
    .map(({ from, to }) => (from === to ? name(from) : `${name(from)}–${name(to)}`));
  return `${named.join(", ")}${stretches.length > MOST_NAMED ? " …" : ""}`;
}

function joinRows(rows: readonly number[]): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = [];
  for (const row of rows) {
    const last = stretches.at(-1);
    if (last !== undefined && row === last.to + 1) last.to = row;
    else stretches.push({ from: row, to: row });
  }
  return stretches;
}

/** What a person does not see in the sheet, and is read all the same. */
function hiddenNotes(
  { hidden }: SheetReference,
  { hiddenRows, hiddenColumns }: SheetFacts,
  regions: Region[],
): string[] {
  const last = regions.reduce((most, { bottom }) => Math.max(most, bottom), 0);
  const lastColumn = regions.reduce((most, { right }) => Math.max(most, right), 0);
  const rows = joinRows(hiddenRows.filter((row) => row <= last));
  const columns = hiddenColumns
    .filter(({ from }) => from <= lastColumn)
    .map(({ from, to }) => ({ from, to: Math.min(to, lastColumn) }));
  return [
    ...(hidden ? ["Hidden sheet."] : []),
    ...(rows.length > 0 ? [`Hidden rows: ${nameStretches(rows, String)}.`] : []),
    ...(columns.length > 0 ? [`Hidden columns: ${nameStretches(columns, columnLetters)}.`] : []),
  ];
}

/** Columns of a region that are used, by their number, counted from 0; all of them unless it is nearly empty. */
function columnPlaces(cells: readonly PlacedCell[], { left, right }: Region, sparse: boolean): Map<number, number> {
  const used = sparse
    ? [...new Set(cells.flatMap((cell) => [cell.left, cell.right]))].sort((a, b) => a - b)
    : Array.from({ length: right - left + 1 }, (_, index) => left + index);
  return new Map(used.map((column, place) => [column, place]));
}

type Links = (cell: SheetCell) => string | undefined;

function toGrid(cells: readonly PlacedCell[], region: Region, sparse: boolean, linkAt: Links): GridCell[][] {
  const places = columnPlaces(cells, region, sparse);
  const rowNumbers = [...new Set(cells.map(({ top }) => top))].sort((a, b) => a - b);
  const rows = new Map(rowNumbers.map((row, index) => [row, index]));
  const grid: GridCell[][] = rowNumbers.map(() => []);
  const covered = new Set<string>();
  for (const placed of cells) {
    const { cell, top, left } = placed;
    // Merged ranges lie beside each other; what says otherwise is no range.
    const { bottom, right } = covered.size < MOST_COVERED ? placed : { bottom: top, right: left };
    const row = rows.get(top) ?? 0;
    const column = places.get(left) ?? 0;
    // A merged cell covers the rows that the table has.
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

/** Every place of a table has a cell. */
function fillEmpty(grid: GridCell[][], columns: number, covered: ReadonlySet<string>): void {
  for (const [at, row] of grid.entries()) {
    const taken = new Set(row.map(({ column }) => column));
    for (let column = 0; column < columns; column += 1) {
      if (!taken.has(column) && !covered.has(`${at}/${column}`)) row.push({ column, span: 1, runs: [] });
    }
  }
}

/** The cells of a region in parts of whole rows; a merged cell is in one part with the rows that it covers. */
function* partsOf({ cells, top }: Region, sparse: boolean): Generator<PlacedCell[]> {
  const sorted = cells.toSorted((a, b) => a.top - b.top || a.left - b.left);
  let part: PlacedCell[] = [];
  let [end, first, characters] = [top, top, 0];
  for (const cell of sorted) {
    const isLong = part.length >= CELLS_AT_ONCE || characters >= CHARACTERS_AT_ONCE;
    const isFull = isLong || (sparse && cell.top >= first + SPARSE_ROWS);
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

function layRegion(pages: LogicalPages, region: Region, tables: Tables, linkAt: Links): void {
  const { top, left, bottom, right, cells } = region;
  const places = (bottom - top + 1) * (right - left + 1);
  const sparse = places > SMALL_REGION && places > SPARSE * cells.length;
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
  const tables = readTables(workbook, relationships, facts.tables);
  const linkAt = ({ row, column }: SheetCell): string | undefined => {
    const link = facts.links.size === 0 ? undefined : relationships.get(facts.links.get(`${row}/${column}`) ?? "");
    return link?.external ? linkOf(link.target) : undefined;
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
 * A workbook sheet by sheet: its name as a heading, what is hidden in it as notes, then its tables as they are shown.
 * Cells that an empty row and column part from others are tables of their own; a single column is text.
 * @param pageRange 1-based logical pages; absent: all
 * @throws JobFailure: corrupted; more of something than can be processed
 */
export function readExcel(office: OfficePackage, pageRange?: readonly number[]): Layout {
  const workbook = openWorkbook(office);
  const pages = new LogicalPages({
    provider: "xlsx",
    columns: COLUMNS,
    ...(pageRange === undefined ? {} : { pageRange }),
  });
  const budget = { cells: MOST_CELLS };
  for (const sheet of workbook.sheets) laySheet(pages, workbook, sheet, budget);
  return pages.finish();
}
