/** Converts tables of an engine to table blocks: their cells take the words, the other blocks keep the rest. */
import type { Block, Line, TableBlock, TableCell, Word } from "../../../ports/layout.ts";
import type { OcrCell, OcrPage, OcrTable } from "../../../ports/ocr.ts";
import { containsMiddle, overlapShare, unionBox } from "../../layout/geometry.ts";
import { filterBlocks } from "../../layout/word-places.ts";
import { toUprightBox } from "../checkboxes.ts";

/** A table with the words of its cells; no word is in two cells. */
interface FilledTable {
  table: OcrTable;
  /** Angle of the page's text, degrees clockwise. */
  angle: number;
  cellOf: Map<Word, OcrCell>;
  titles: Set<Word>;
  footers: Set<Word>;
}

/** Share of the smaller of two tables from which they are the same. */
const SAME_TABLE_OVERLAP_SHARE = 0.3;

/** True unless it has one cell, which is a frame around text. */
const isTable = ({ rows, columns, cells }: OcrTable): boolean => rows * columns > 1 && cells.length > 1;

/** Fills tables of an engine with the engine's own words. */
export function fillByIndex({ tables, angle }: OcrPage, words: readonly Word[]): FilledTable[] {
  const taken = new Set<Word>();
  const pick = (indices: readonly number[]): Word[] =>
    indices.flatMap((index) => {
      const word = words[index];
      if (word === undefined || taken.has(word)) return [];
      taken.add(word);
      return [word];
    });
  return tables.filter(isTable).map((table) => ({
    table,
    angle,
    cellOf: new Map(table.cells.flatMap((cell) => pick(cell.words).map((word): [Word, OcrCell] => [word, cell]))),
    titles: new Set(table.titles.flatMap((title) => pick(title.words))),
    footers: new Set(table.footers.flatMap((footer) => pick(footer.words))),
  }));
}

/**
 * Fills tables of an engine with the words of another reading, by their places; tables that this reading has itself are
 * left out.
 */
export function fillByPlace({ tables, angle }: OcrPage, blocks: readonly Block[]): FilledTable[] {
  const own = blocks.filter((block) => block.kind === "table");
  const words = blocks.flatMap((block) => (block.kind === "table" ? [] : block.lines.flatMap((line) => line.words)));
  const taken = new Set<Word>();
  return tables
    .filter(
      (table) => isTable(table) && own.every(({ box }) => overlapShare(box, table.box) < SAME_TABLE_OVERLAP_SHARE),
    )
    .map((table) => {
      const cellOf = new Map<Word, OcrCell>();
      for (const word of words) {
        if (taken.has(word) || !containsMiddle(table.box, word.box)) continue;
        const cell = table.cells.find(({ box }) => containsMiddle(box, word.box));
        if (cell === undefined) continue;
        taken.add(word);
        cellOf.set(word, cell);
      }
      return { table, angle, cellOf, titles: new Set<Word>(), footers: new Set<Word>() };
    });
}

/** Number of rows from the top whose cells all head a column. */
function countHeaderRows(cells: readonly OcrCell[], rows: number): number {
  for (let row = 1; row <= rows; row += 1) {
    const own = cells.filter((cell) => cell.row === row);
    if (own.length === 0 || !own.every(({ header }) => header)) return row - 1;
  }
  return rows;
}

/** Lines from the top of the upright page to its bottom. */
function fromTop(lines: readonly Line[], angle: number): Line[] {
  const placed = lines.map((line) => ({ line, at: toUprightBox(line.box, angle) }));
  return placed
    .sort((a, b) => a.at.y - a.at.height / 2 - (b.at.y - b.at.height / 2) || a.at.x - b.at.x)
    .map(({ line }) => line);
}

function toTableBlock({ table, angle, cellOf }: FilledTable, lines: readonly Line[]): TableBlock {
  const linesOf = new Map<OcrCell, Line[]>();
  for (const line of lines) {
    const parts = new Map<OcrCell, Word[]>();
    for (const word of line.words) {
      const cell = cellOf.get(word);
      if (cell !== undefined) parts.set(cell, [...(parts.get(cell) ?? []), word]);
    }
    for (const [cell, words] of parts) {
      linesOf.set(cell, [...(linesOf.get(cell) ?? []), { box: unionBox(words.map(({ box }) => box)), words }]);
    }
  }
  const cells = table.cells.map(
    (cell): TableCell => ({
      row: cell.row - 1,
      column: cell.column - 1,
      rowSpan: cell.rowSpan,
      columnSpan: cell.columnSpan,
      box: cell.box,
      lines: fromTop(linesOf.get(cell) ?? [], angle),
    }),
  );
  return {
    kind: "table",
    box: table.box,
    rows: table.rows,
    columns: table.columns,
    headerRows: countHeaderRows(table.cells, table.rows),
    cells: cells.sort((a, b) => a.row - b.row || a.column - b.column),
  };
}

const textLines = (block: Block): readonly Line[] => (block.kind === "table" ? [] : block.lines);

/** Turns a text block that is a table's title or footer, and nothing else, into a caption or note. */
function asTitleOrFooter(block: Block, filled: readonly FilledTable[]): Block {
  if (block.kind === "table" || block.kind === "figure") return block;
  const words = block.lines.flatMap((line) => line.words);
  const all = (of: (table: FilledTable) => Set<Word>): boolean =>
    words.length > 0 && filled.some((table) => words.every((word) => of(table).has(word)));
  if (all(({ titles }) => titles)) return { kind: "caption", box: block.box, lines: block.lines };
  return all(({ footers }) => footers) ? { kind: "note", box: block.box, lines: block.lines } : block;
}

/**
 * Inserts tables into blocks. Words of cells leave their blocks; a table stands where the first of them was, behind the
 * rest of that block above the table. A table without words stands before the first block below it.
 */
export function cutTables(blocks: readonly Block[], filled: readonly FilledTable[]): Block[] {
  const inCells = new Set(filled.flatMap(({ cellOf }) => [...cellOf.keys()]));
  const placed = new Set<FilledTable>();
  const out: Block[] = [];
  const place = (one: FilledTable): void => {
    placed.add(one);
    out.push(toTableBlock(one, blocks.flatMap(textLines)));
  };
  for (const block of blocks) {
    const [rest] = block.kind === "table" ? [block] : filterBlocks([block], (word) => !inCells.has(word));
    const due = filled.filter((one) => {
      if (placed.has(one)) return false;
      if (one.cellOf.size === 0) return block.box.top >= one.table.box.bottom;
      return textLines(block).some((line) => line.words.some((word) => one.cellOf.has(word)));
    });
    const above = rest !== undefined && due.some(({ table }) => rest.box.top < table.box.top);
    if (rest !== undefined && above) out.push(asTitleOrFooter(rest, filled));
    due.forEach(place);
    if (rest !== undefined && !above) out.push(asTitleOrFooter(rest, filled));
  }
  for (const one of filled) if (!placed.has(one)) place(one);
  return out;
}
