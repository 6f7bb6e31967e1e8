/** Tables of Word (ECMA-376 part 1, 17.4): cells over several columns and rows, rows that head the table. */

import type { Run } from "../../../layout/logical/logical-rows.ts";
import type { GridCell } from "../../../layout/logical/logical-tables.ts";
import { headRows } from "../../../structure/header-rows.ts";
import { childOf, chosenBranch, elementsOf, flagOf, integerOf, type XmlElement } from "../xml-parts.ts";
import { cellRuns, hasText, type Paragraph } from "./docx-paragraphs.ts";

/** Word itself ends at 63. */
const MOST_COLUMNS = 1_000;

export interface WordTable {
  rows: GridCell[][];
  headerRows: number;
  /** Rows at which the file says that a page began. */
  breakBefore: Set<number>;
}

export interface TableReader {
  paragraph(element: XmlElement): Paragraph;
  /** What a text box or diagram of a cell says, and the pictures that stand in it. */
  hanging(paragraph: Paragraph): Run[][];
}

/** Around rows, cells and paragraphs: content controls, insertions, custom XML. */
const AROUND = new Set(["sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"]);

/** Elements of these names in it, also within what only stands around them; deleted ones are left out. */
function* contentOf(element: XmlElement, names: ReadonlySet<string>): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (names.has(child.name)) yield child;
    else if (AROUND.has(child.name)) yield* contentOf(child, names);
    else if (child.name === "AlternateContent") {
      const branch = chosenBranch(child);
      if (branch !== undefined) yield* contentOf(branch, names);
    }
  }
}

const ROWS = new Set(["tr"]);
const CELLS = new Set(["tc"]);
const BLOCKS = new Set(["p", "tbl"]);

/** Paragraphs below each other; a table within a cell as rows of text with tabs between its cells. */
function readCell(cell: XmlElement, reader: TableReader): Run[][] {
  const lines: Run[][] = [];
  for (const block of contentOf(cell, BLOCKS)) {
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
    lines.push(...reader.hanging(paragraph));
  }
  return lines;
}

const joinLines = (lines: readonly Run[][]): Run[] =>
  lines.flatMap((runs, index) => (index === 0 ? runs : [{ text: "\n" }, ...runs]));

/** `continue`: the cell above goes on here. */
function mergeOf(properties: XmlElement | undefined): "restart" | "continue" | undefined {
  const merge = childOf(properties, "vMerge");
  if (merge === undefined) return undefined;
  return merge.attributes.val === "restart" ? "restart" : "continue";
}

const isRemoved = (properties: XmlElement | undefined): boolean =>
  childOf(properties, "del") !== undefined || (flagOf(childOf(properties, "hidden")) ?? false);

interface Row {
  cells: GridCell[];
  /** By column: cells that only go on. */
  continued: { column: number; span: number; runs: Run[] }[];
}

function readRow(row: XmlElement, reader: TableReader): Row {
  const properties = childOf(row, "trPr");
  let column = integerOf(childOf(properties, "gridBefore")?.attributes.val, 0, MOST_COLUMNS) ?? 0;
  const made: Row = { cells: [], continued: [] };
  for (const cell of contentOf(row, CELLS)) {
    const about = childOf(cell, "tcPr");
    if (childOf(about, "cellDel") !== undefined) continue;
    const span = integerOf(childOf(about, "gridSpan")?.attributes.val, 1, MOST_COLUMNS) ?? 1;
    if (column + span > MOST_COLUMNS) break;
    const runs = joinLines(readCell(cell, reader));
    const goesOn = mergeOf(about) === "continue" || childOf(about, "hMerge")?.attributes.val === "continue";
    const before = made.cells.at(-1);
    if (childOf(about, "hMerge") !== undefined && goesOn && before !== undefined) before.span += span;
    else if (goesOn) made.continued.push({ column, span, runs });
    else made.cells.push({ column, span, runs });
    column += span;
  }
  return made;
}

/** Cells that go on lengthen the one above them; where there is none, they are cells. */
function joinRows(rows: readonly Row[]): GridCell[][] {
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

/** Rows from the top that repeat on every page. */
function countHeaders(rows: readonly XmlElement[]): number {
  const at = rows.findIndex((row) => !(flagOf(childOf(childOf(row, "trPr"), "tblHeader")) ?? false));
  return at === -1 ? Math.max(rows.length - 1, 0) : at;
}

const LAST_PAGE_BREAK = new Set(["lastRenderedPageBreak"]);

/** Whether the page ended in this row when Word last laid the document out. */
function breaksPage(element: XmlElement): boolean {
  for (const child of elementsOf(element)) {
    if (LAST_PAGE_BREAK.has(child.name) || breaksPage(child)) return true;
  }
  return false;
}

/** Reads a `w:tbl`. */
export function readTable(table: XmlElement, reader: TableReader): WordTable {
  const kept = [...contentOf(table, ROWS)].filter((row) => !isRemoved(childOf(row, "trPr")));
  const rows = joinRows(kept.map((row) => readRow(row, reader)));
  const marked = countHeaders(kept);
  const breakBefore = new Set(kept.flatMap((row, index) => (breaksPage(row) ? [index] : [])));
  return { rows, headerRows: marked > 0 ? marked : headRows(rows), breakBefore };
}
