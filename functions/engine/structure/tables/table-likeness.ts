/** What tells a table from other text in columns: addresses, labels with their values, contents, running text. */

import type { Box } from "../../../ports/layout.ts";
import { median, middleX } from "../../layout/geometry.ts";
import type { Run } from "./column-tracks.ts";
import { areValue, isLabel, isLeader } from "./figure-cells.ts";
import { findStarts } from "./row-starts.ts";
import { covered, type Rules, rulesBetween } from "./rule-positions.ts";
import { type Header, isRuledBetween, RULE_WIDTH, SHADES, shadeOf } from "./table-header.ts";
import type { TableWord } from "./table-parts.ts";
import { isAnchor, type Piece, type TextRow, usualColumns } from "./text-rows.ts";

/** Cells of the rows that are filled, at least; drawn lines and bands hold emptier rows together. */
const FILLED = 0.6;
const FILLED_WHEN_DRAWN = 0.4;
/** Rows that are a table without a header, with values in several columns or in one. */
const ROWS_WITHOUT_HEADER = 4;
const ROWS_WITH_ONE_VALUE = 10;
/** A column holds values when so many of its cells do, and is a column at all when so many rows have it. */
const VALUES = 0.7;
/** Cells of a column stand at one edge, or about one middle, this near (in ems), so many of them. */
const EDGE = 0.5;
const AT_EDGE = 0.6;
const MISPLACED_COLUMNS = 0.34;
/** So many of its rows tell a table. */
const ROWS_JUDGED = 24;
/** Words in a cell, on average: more is running text. */
const MOST_WORDS = 12;
const CHECKBOX = /^[☐☑☒□■✓✔]$/u;
/** A rule that frames a table is no further from it, in ems. */
const FRAME_GAP = 1.5;
/** Rows of text without any value that only bold headings make a table. */
const ROWS_OF_TEXT = 6;

interface Facts {
  columns: number;
  /** Rows with text in two columns or more, those of the header too. */
  rows: number;
  /** Of these, below the header. */
  bodyRows: number;
  filled: number;
  /** Columns that a row usually fills. */
  usual: number;
  valueColumns: number;
  /** A rule stands between most rows, or bands are drawn behind every other. */
  lined: boolean;
  /** Rules stand above and below all. */
  framed: boolean;
}

/** Whether cells share an edge or a middle. */
function isAligned(boxes: readonly Box[], em: number): boolean {
  const shares = [(box: Box) => box.left, (box: Box) => box.right, middleX].map((place) => {
    const usual = median(boxes.map(place));
    return boxes.filter((box) => Math.abs(place(box) - usual) <= EDGE * em).length / boxes.length;
  });
  return Math.max(...shares) >= AT_EDGE;
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
    ({ row, before }) => Math.abs(shadeOfRow(row, rules) - shadeOfRow(before, rules)) > SHADES,
  );
  return pairs.length > 0 && Math.max(ruled, banded) >= 0.5;
}

interface Entry {
  value: boolean;
  box: Box;
}

/** What stands in each column, of rows in order. */
function byColumn(columns: number, rows: readonly TextRow<TableWord>[]): Entry[][] {
  const entries = Array.from({ length: columns }, (): Entry[] => []);
  for (const { pieces } of rows) {
    let before: Piece<TableWord> | undefined;
    for (const piece of pieces) {
      const own = entries[piece.column];
      const last = own?.at(-1);
      // A leader behind a cell's text: the cell is no value by itself.
      if (before?.column === piece.column && last !== undefined) last.value = areValue([before.line, piece.line]);
      else own?.push({ value: areValue([piece.line]), box: piece.line.box });
      before = piece;
    }
  }
  return entries;
}

function gather(
  entries: readonly Entry[][],
  anchors: readonly TextRow<TableWord>[],
  bodyRows: number,
): Omit<Facts, "lined" | "framed"> {
  const filled = entries.reduce((sum, cells) => sum + cells.length, 0);
  const holdsValues = (cells: readonly Entry[]): boolean =>
    cells.length >= 0.5 * bodyRows && share(cells, ({ value }) => value) >= VALUES;
  return {
    columns: entries.length,
    rows: anchors.length,
    bodyRows,
    filled: filled / Math.max(1, entries.length * bodyRows),
    usual: usualColumns(anchors),
    valueColumns: entries.filter(holdsValues).length,
  };
}

const hasChoice = (row: TextRow<TableWord>): boolean =>
  row.pieces.some(({ line: { words } }) => words.length > 1 && CHECKBOX.test(words[0]?.text ?? ""));

const wordsInLine = (rows: readonly TextRow<TableWord>[]): number => {
  const lines = rows.flatMap((row) => row.pieces.map((piece) => piece.line));
  return lines.reduce((sum, line) => sum + line.words.length, 0) / Math.max(1, lines.length);
};

/**
 * Whether rows are set as other things are: labels and values, choices, running text. The first look at a run, before
 * its header and columns are looked into.
 */
export function isOtherwise(rows: readonly TextRow<TableWord>[]): boolean {
  const usual = usualColumns(rows);
  const anchors = rows.slice(0, ROWS_JUDGED).filter((row) => isAnchor(row, usual));
  if (anchors.length < 2 || share(anchors, hasLabel) >= 0.5 || share(anchors, hasChoice) >= 0.3) return true;
  return wordsInLine(anchors) > MOST_WORDS;
}

/** Whether they are contents with leaders, or sentences. */
function isText(body: readonly TextRow<TableWord>[], { valueColumns }: Facts, { sign }: Header): boolean {
  if (share(body, hasLeader) >= 0.5 && (valueColumns < 2 || sign === undefined)) return true;
  return valueColumns === 0 && wordsInLine(body) > MOST_WORDS / 2;
}

/** Whether most columns have edges that their cells share. */
function isInLine(entries: readonly Entry[][], body: readonly TextRow<TableWord>[]): boolean {
  const em = median(body.map((row) => row.size));
  const columns = entries.filter((cells) => cells.length > 2).map((cells) => cells.map((cell) => cell.box));
  return share(columns, (boxes) => !isAligned(boxes, em)) <= MISPLACED_COLUMNS;
}

function suffices(facts: Facts, { sign }: Header): boolean {
  const { columns, rows, bodyRows, filled, usual, valueColumns, lined, framed } = facts;
  const drawn = sign === "filled" || sign === "ruled";
  if (columns === 2) return rows >= 3 && valueColumns > 0 && bodyRows >= 2 && (lined || drawn);
  if (filled < (drawn || lined ? FILLED_WHEN_DRAWN : FILLED) || (usual < 3 && !drawn && !lined)) return false;
  if (valueColumns > 0 && sign !== undefined) return rows >= (drawn ? 2 : 3);
  if (valueColumns > 0) return rows >= (valueColumns > 1 || lined ? ROWS_WITHOUT_HEADER : ROWS_WITH_ONE_VALUE);
  if (lined || framed || sign === "filled") return rows >= 3 && usual >= 3;
  return sign === "bold" && rows >= ROWS_OF_TEXT;
}

/** Whether rules close a run above and below. */
function isFramed(run: Run<TableWord>, table: Box, { horizontal }: Rules): boolean {
  const em = median(run.rows.map((row) => row.size));
  const closes = (from: number, to: number): boolean =>
    covered(rulesBetween(horizontal, from, to), table.left, table.right) >= RULE_WIDTH;
  return (
    closes(table.top - FRAME_GAP * em, table.top + em / 2) &&
    closes(table.bottom - em / 2, table.bottom + FRAME_GAP * em)
  );
}

/**
 * Whether a run of rows is a table. Three columns with values are, from three rows on, or two below a line; two columns
 * only with lines or bands; words alone only below a drawn header, or in many rows below a bold one.
 */
export function looksLikeTable(run: Run<TableWord>, header: Header, table: Box, rules: Rules): boolean {
  const rows = run.rows.slice(0, ROWS_JUDGED);
  const usual = usualColumns(rows);
  const anchors = rows.filter((row) => isAnchor(row, usual));
  const body = rows.slice(header.rows);
  const bodyAnchors = body.filter((row) => isAnchor(row, usual));
  if (bodyAnchors.length < 1) return false;
  const starts = findStarts(body);
  const begins = body.filter((_, index) => starts[index] === true);
  const lined = isLined(begins, table, rules);
  const entries = byColumn(run.tracks.length, bodyAnchors);
  const facts = { ...gather(entries, anchors, bodyAnchors.length), lined, framed: isFramed(run, table, rules) };
  return suffices(facts, header) && !isText(bodyAnchors, facts, header) && isInLine(entries, bodyAnchors);
}
