/** Tables of Word (ECMA-376 part 1, 17.4): cells over several columns and rows, header rows. */

import { hasText, type TextRun } from "../../../layout/logical/logical-rows.ts";
import type { GridCell } from "../../../layout/logical/logical-tables.ts";
import { headRows } from "../../../structure/header-rows.ts";
import { childOf, chosenBranch, elementsOf, flagOf, integerOf, type XmlElement } from "../xml-parts.ts";
import { cellRuns, type WordParagraph } from "./docx-paragraphs.ts";

/** Word's own limit is 63. */
const MAX_COLUMNS = 1_000;

export interface WordTable {
  rows: GridCell[][];
  headerRows: number;
  /** Rows at which a page began, as the file states it. */
  breakBefore: Set<number>;
}

export interface TableReader {
  paragraph(element: XmlElement): WordParagraph;
  /** Texts of the text boxes, diagrams and pictures in a cell. */
  attachedTexts(paragraph: WordParagraph): TextRun[][];
}

/** Wrappers of rows, cells and paragraphs: content controls, insertions, custom XML. */
const WRAPPERS = new Set(["sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"]);

/** Elements of these names, also within wrappers; deleted elements are left out. */
function* unwrappedElements(element: XmlElement, names: ReadonlySet<string>): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (names.has(child.name)) yield child;
    else if (WRAPPERS.has(child.name)) yield* unwrappedElements(child, names);
    else if (child.name === "AlternateContent") {
      const branch = chosenBranch(child);
      if (branch !== undefined) yield* unwrappedElements(branch, names);
    }
  }
}

const ROW_NAMES = new Set(["tr"]);
const CELL_NAMES = new Set(["tc"]);
const BLOCK_NAMES = new Set(["p", "tbl"]);

/** The text of a cell, one line a paragraph; a nested table gives rows of text with tabs between its cells. */
function readCell(cell: XmlElement, reader: TableReader): TextRun[][] {
  const lines: TextRun[][] = [];
  for (const block of unwrappedElements(cell, BLOCK_NAMES)) {
    if (block.name === "tbl") {
      for (const row of readTable(block, reader).rows) {
        const texts = row.map(({ runs }) => runs.map((run) => ({ ...run, text: run.text.replaceAll("\n", " ") })));
        lines.push(texts.filter(hasText).flatMap((runs, index) => (index === 0 ? runs : [{ text: "\t" }, ...runs])));
      }
      continue;
    }
    const paragraph = reader.paragraph(block);
    const runs = cellRuns(paragraph);
    if (hasText(runs)) lines.push(runs);
    lines.push(...reader.attachedTexts(paragraph));
  }
  return lines;
}

const joinLines = (lines: readonly TextRun[][]): TextRun[] =>
  lines.flatMap((runs, index) => (index === 0 ? runs : [{ text: "\n" }, ...runs]));

/** The vertical merge of a cell; `continue` extends the cell above. */
function verticalMergeOf(properties: XmlElement | undefined): "restart" | "continue" | undefined {
  const merge = childOf(properties, "vMerge");
  if (merge === undefined) return undefined;
  return merge.attributes.val === "restart" ? "restart" : "continue";
}

const isRemoved = (properties: XmlElement | undefined): boolean =>
  childOf(properties, "del") !== undefined || (flagOf(childOf(properties, "hidden")) ?? false);

interface TableRow {
  cells: GridCell[];
  /** Cells that continue the cell above. */
  continued: { column: number; span: number; runs: TextRun[] }[];
}

function readRow(row: XmlElement, reader: TableReader): TableRow {
  const properties = childOf(row, "trPr");
  let column = integerOf(childOf(properties, "gridBefore")?.attributes.val, 0, MAX_COLUMNS) ?? 0;
  const tableRow: TableRow = { cells: [], continued: [] };
  for (const cell of unwrappedElements(row, CELL_NAMES)) {
    const cellProperties = childOf(cell, "tcPr");
    if (childOf(cellProperties, "cellDel") !== undefined) continue;
    const span = integerOf(childOf(cellProperties, "gridSpan")?.attributes.val, 1, MAX_COLUMNS) ?? 1;
    if (column + span > MAX_COLUMNS) break;
    const runs = joinLines(readCell(cell, reader));
    const isContinued =
      verticalMergeOf(cellProperties) === "continue" ||
      childOf(cellProperties, "hMerge")?.attributes.val === "continue";
    const before = tableRow.cells.at(-1);
    if (childOf(cellProperties, "hMerge") !== undefined && isContinued && before !== undefined) before.span += span;
    else if (isContinued) tableRow.continued.push({ column, span, runs });
    else tableRow.cells.push({ column, span, runs });
    column += span;
  }
  return tableRow;
}

/** Extends the cell above by each continued cell; without a cell above it is a cell of its own. */
function joinRows(rows: readonly TableRow[]): GridCell[][] {
  const starts = new Map<number, { cell: GridCell; row: number }>();
  for (const [index, { cells, continued }] of rows.entries()) {
    for (const { column, span, runs } of continued) {
      const above = starts.get(column);
      if (above !== undefined && above.row + (above.cell.rowSpan ?? 1) === index && above.cell.span === span) {
        above.cell.rowSpan = (above.cell.rowSpan ?? 1) + 1;
        if (hasText(runs)) above.cell.runs = [...above.cell.runs, { text: "\n" }, ...runs];
      } else cells.push({ column, span, runs });
    }
    cells.sort((a, b) => a.column - b.column);
    for (const cell of cells) if (cell.rowSpan === undefined) starts.set(cell.column, { cell, row: index });
  }
  return rows.map(({ cells }) => cells);
}

/** Counts the rows from the top that repeat on every page. */
function countHeaderRows(rows: readonly XmlElement[]): number {
  const at = rows.findIndex((row) => !(flagOf(childOf(childOf(row, "trPr"), "tblHeader")) ?? false));
  return at === -1 ? Math.max(rows.length - 1, 0) : at;
}

const RENDERED_PAGE_BREAK_NAMES = new Set(["lastRenderedPageBreak"]);

/** Tells whether a page ended in this row when Word last laid out the document. */
function containsPageBreak(element: XmlElement): boolean {
  for (const child of elementsOf(element)) {
    if (RENDERED_PAGE_BREAK_NAMES.has(child.name) || containsPageBreak(child)) return true;
  }
  return false;
}

/** Reads a `w:tbl`. */
export function readTable(table: XmlElement, reader: TableReader): WordTable {
  const kept = [...unwrappedElements(table, ROW_NAMES)].filter((row) => !isRemoved(childOf(row, "trPr")));
  const rows = joinRows(kept.map((row) => readRow(row, reader)));
  const marked = countHeaderRows(kept);
  const breakBefore = new Set(kept.flatMap((row, index) => (containsPageBreak(row) ? [index] : [])));
  return { rows, headerRows: marked > 0 ? marked : headRows(rows), breakBefore };
}
