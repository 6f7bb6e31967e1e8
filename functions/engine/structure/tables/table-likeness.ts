/** Tells tables from other text in columns: addresses, labels with their values, contents, running text. */

import type { Box } from "../../../ports/layout.ts";
import { median, middleX, unionBox } from "../../layout/geometry.ts";
import type { AlignedRun } from "./column-tracks.ts";
import { areValue, isLabel, isLeader } from "./figure-cells.ts";
import { findStarts } from "./row-starts.ts";
import { coveredShare, type Rules, rulesBetween } from "./rule-positions.ts";
import {
  type Header,
  isRuledBetween,
  MIN_RULE_WIDTH_SHARE,
  shadeOf,
  VISIBLE_SHADE_DIFFERENCE,
} from "./table-header.ts";
import { type TableWord, textOf } from "./table-parts.ts";
import { isAnchor, type RowPiece, type TextRow, usualColumns } from "./text-rows.ts";

/** Share of the rows' cells that are filled; drawn lines and bands hold emptier rows together. */
const MIN_FILLED_SHARE = 0.6;
const MIN_FILLED_SHARE_WHEN_DRAWN = 0.4;
/** Rows of a table without a header, with values in several columns or in one. */
const MIN_ROWS_WITHOUT_HEADER = 4;
const MIN_ROWS_WITH_ONE_VALUE_COLUMN = 10;
/** Share of a column's cells from which it holds values. */
const MIN_VALUE_CELLS_SHARE = 0.7;
/**
 * Distance of a column's cells from one edge, or one middle; share of them that stand there; and share of the columns
 * that may be out of line.
 */
const SAME_EDGE_EM = 0.5;
const MIN_ALIGNED_CELLS_SHARE = 0.6;
const MAX_MISPLACED_COLUMNS_SHARE = 0.34;
/** Rows that are examined. */
const MAX_EXAMINED_ROWS = 24;
/** Mean words in a cell; more are running text. */
const MAX_MEAN_CELL_WORDS = 12;
const CHECKBOX = /^[☐☑☒□■✓✔]$/u;
/** Distance of a rule that frames a table. */
const MAX_FRAME_GAP_EM = 1.5;
/** Rows of text without values that only bold headings make a table. */
const MIN_TEXT_ROWS = 6;

interface TableFacts {
  columns: number;
  /** Rows with text in two columns or more, header included. */
  rows: number;
  /** The same below the header. */
  bodyRows: number;
  filled: number;
  /** Number of columns that a row usually fills. */
  usual: number;
  valueColumns: number;
  /** True if values other than page numbers stand behind the first column: prices, counts. */
  priced: boolean;
  /** True if a rule stands between most rows, or bands are drawn behind every other. */
  lined: boolean;
  /** True if rules stand above and below all rows. */
  framed: boolean;
}

/** True if cells share an edge or a middle. */
function isAligned(boxes: readonly Box[], em: number): boolean {
  const shares = [(box: Box) => box.left, (box: Box) => box.right, middleX].map((place) => {
    const usual = median(boxes.map(place));
    return boxes.filter((box) => Math.abs(place(box) - usual) <= SAME_EDGE_EM * em).length / boxes.length;
  });
  return Math.max(...shares) >= MIN_ALIGNED_CELLS_SHARE;
}

const share = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length;

const hasLeader = (row: TextRow<TableWord>): boolean =>
  row.pieces.some((piece) => piece.line.words.some((word) => isLeader(word.text)));

const hasLabel = (row: TextRow<TableWord>): boolean =>
  row.pieces.slice(0, -1).some((piece) => isLabel(piece.line.words.at(-1)?.text ?? ""));

const shadeOfRow = (row: TextRow<TableWord>, rules: Rules): number =>
  shadeOf(
    row.pieces.map((piece) => piece.line.box),
    row.box,
    rules,
  );

function isLined(rows: readonly TextRow<TableWord>[], table: Box, rules: Rules): boolean {
  const pairs = rows.slice(1).map((row, index) => ({ row, before: rows[index] ?? row }));
  const ruled = share(pairs, ({ row, before }) => isRuledBetween(before.box, row.box, table, rules));
  const banded = share(
    pairs,
    ({ row, before }) => Math.abs(shadeOfRow(row, rules) - shadeOfRow(before, rules)) > VISIBLE_SHADE_DIFFERENCE,
  );
  return pairs.length > 0 && Math.max(ruled, banded) >= 0.5;
}

interface ColumnEntry {
  value: boolean;
  text: string;
  box: Box;
}

/** Contents of each column, of rows in order. */
function entriesByColumn(columns: number, rows: readonly TextRow<TableWord>[]): ColumnEntry[][] {
  const entries = Array.from({ length: columns }, (): ColumnEntry[] => []);
  for (const { pieces } of rows) {
    let before: RowPiece<TableWord> | undefined;
    for (const piece of pieces) {
      const own = entries[piece.column];
      const last = own?.at(-1);
      // A leader behind a cell's text: the cell is no value by itself. Or a sign of money before an amount.
      if (before?.column === piece.column && last !== undefined) {
        last.value = areValue([before.line, piece.line]);
        last.box = unionBox([last.box, piece.line.box]);
      } else own?.push({ value: areValue([piece.line]), text: textOf([piece.line]), box: piece.line.box });
      before = piece;
    }
  }
  return entries;
}

/** True for whole numbers of which none is less than the one above: pages of contents, years, numbers of rows. */
const areAscending = (cells: readonly ColumnEntry[]): boolean =>
  cells.every(({ text }, at) => /^\d+$/u.test(text) && Number(text) >= Number(cells[at - 1]?.text ?? 0));

function countFacts(
  entries: readonly ColumnEntry[][],
  anchors: readonly TextRow<TableWord>[],
  bodyRows: number,
): Omit<TableFacts, "lined" | "framed"> {
  const filled = entries.reduce((sum, cells) => sum + cells.length, 0);
  const holdsValues = (cells: readonly ColumnEntry[]): boolean =>
    cells.length >= 0.5 * bodyRows && share(cells, ({ value }) => value) >= MIN_VALUE_CELLS_SHARE;
  return {
    columns: entries.length,
    rows: anchors.length,
    bodyRows,
    filled: filled / Math.max(1, entries.length * bodyRows),
    usual: usualColumns(anchors),
    valueColumns: entries.filter(holdsValues).length,
    priced: entries.slice(1).some((cells) => holdsValues(cells) && !areAscending(cells)),
  };
}

const hasChoice = (row: TextRow<TableWord>): boolean =>
  row.pieces.some(({ line: { words } }) => words.length > 1 && CHECKBOX.test(words[0]?.text ?? ""));

const wordsInLine = (rows: readonly TextRow<TableWord>[]): number => {
  const lines = rows.flatMap((row) => row.pieces.map((piece) => piece.line));
  return lines.reduce((sum, line) => sum + line.words.length, 0) / Math.max(1, lines.length);
};

/**
 * True for rows that are something else: labels and values, choices, running text. First test of a run, before its
 * header and columns are examined.
 */
export function isNoTable(rows: readonly TextRow<TableWord>[]): boolean {
  const usual = usualColumns(rows);
  const anchors = rows.slice(0, MAX_EXAMINED_ROWS).filter((row) => isAnchor(row, usual));
  if (anchors.length < 2 || share(anchors, hasLabel) >= 0.5 || share(anchors, hasChoice) >= 0.3) return true;
  return wordsInLine(anchors) > MAX_MEAN_CELL_WORDS;
}

/** True for contents with leaders, and for sentences. */
function isText(body: readonly TextRow<TableWord>[], { valueColumns, lined }: TableFacts, { sign }: Header): boolean {
  if (share(body, hasLeader) >= 0.5 && (valueColumns < 2 || sign === undefined)) return true;
  // A band behind the headings, and lines or bands between rows: cells of a list may be sentences.
  const most = lined && sign === "filled" ? MAX_MEAN_CELL_WORDS : MAX_MEAN_CELL_WORDS / 2;
  return valueColumns === 0 && wordsInLine(body) > most;
}

/** True if most columns have edges that their cells share. */
function areColumnsAligned(entries: readonly ColumnEntry[][], body: readonly TextRow<TableWord>[]): boolean {
  const em = median(body.map((row) => row.size));
  const columns = entries.filter((cells) => cells.length > 2).map((cells) => cells.map((cell) => cell.box));
  return share(columns, (boxes) => !isAligned(boxes, em)) <= MAX_MISPLACED_COLUMNS_SHARE;
}

function areFactsOfTable(facts: TableFacts, { sign }: Header): boolean {
  const { columns, rows, bodyRows, filled, usual, valueColumns, priced, lined, framed } = facts;
  const drawn = sign === "filled" || sign === "ruled";
  if (usual < 3 && priced && rows >= MIN_ROWS_WITH_ONE_VALUE_COLUMN) return filled >= MIN_FILLED_SHARE;
  if (columns === 2) return rows >= 3 && valueColumns > 0 && bodyRows >= 2 && (lined || drawn);
  if (filled < (drawn || lined ? MIN_FILLED_SHARE_WHEN_DRAWN : MIN_FILLED_SHARE) || (usual < 3 && !drawn && !lined))
    return false;
  if (valueColumns > 0 && sign !== undefined) return rows >= (drawn ? 2 : 3);
  if (valueColumns > 0)
    return rows >= (valueColumns > 1 || lined ? MIN_ROWS_WITHOUT_HEADER : MIN_ROWS_WITH_ONE_VALUE_COLUMN);
  if (lined || framed || sign === "filled") return rows >= 3 && usual >= 3;
  return sign === "bold" && rows >= MIN_TEXT_ROWS;
}

/** True if rules close a run above and below. */
function isFramed(run: AlignedRun<TableWord>, table: Box, { horizontal }: Rules): boolean {
  const em = median(run.rows.map((row) => row.size));
  const closes = (from: number, to: number): boolean =>
    coveredShare(rulesBetween(horizontal, from, to), table.left, table.right) >= MIN_RULE_WIDTH_SHARE;
  return (
    closes(table.top - MAX_FRAME_GAP_EM * em, table.top + em / 2) &&
    closes(table.bottom - em / 2, table.bottom + MAX_FRAME_GAP_EM * em)
  );
}

/**
 * True if a run of rows is a table. Three columns with values are, from three rows on, or two below a line; two columns
 * only with lines or bands; words alone only below a drawn header, or in many rows below a bold one.
 */
export function looksLikeTable(run: AlignedRun<TableWord>, header: Header, table: Box, rules: Rules): boolean {
  const rows = run.rows.slice(0, MAX_EXAMINED_ROWS);
  const usual = usualColumns(rows);
  const anchors = rows.filter((row) => isAnchor(row, usual));
  const body = rows.slice(header.rows);
  const bodyAnchors = body.filter((row) => isAnchor(row, usual));
  if (bodyAnchors.length < 1) return false;
  const starts = findStarts(body);
  const begins = body.filter((_, index) => starts[index] === true);
  const lined = isLined(begins, table, rules);
  const entries = entriesByColumn(run.tracks.length, bodyAnchors);
  const facts = { ...countFacts(entries, anchors, bodyAnchors.length), lined, framed: isFramed(run, table, rules) };
  return (
    areFactsOfTable(facts, header) && !isText(bodyAnchors, facts, header) && areColumnsAligned(entries, bodyAnchors)
  );
}
