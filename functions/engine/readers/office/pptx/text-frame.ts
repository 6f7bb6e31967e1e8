/** Text layout within a shape: known type size, letters of average width, rows that wrap at the shape's edge. */
import type { Box, Line, Word } from "../../../../ports/layout.ts";
import { unionBox } from "../../../layout/geometry.ts";
import { type RowToken, roundInches, splitRuns, wrapRuns } from "../../../layout/logical/logical-rows.ts";
import type { ShapeRun } from "../shape-text.ts";

/** Width of a letter relative to the type size: an average over texts in common typefaces. */
const LETTER_WIDTH_EM = 0.5;
const ROW_HEIGHT_EM = 1.2;
const POINTS_PER_INCH = 72;
/** PowerPoint's insets around the text of a shape. */
const INSET_X_INCHES = 0.1;
const INSET_Y_INCHES = 0.05;
/** PowerPoint's default type size. */
export const DEFAULT_SIZE_POINTS = 18;
/** Indentation a level. */
const LEVEL_INDENT_INCHES = 0.375;
/** Letters in a row; no shape is wider. */
const MAX_COLUMNS = 500;

export interface ShapeParagraph {
  runs: readonly ShapeRun[];
  /** Nesting, from 0. */
  level: number;
  /** Points. */
  size: number;
  bold: boolean;
  marker?: string;
}

interface TextRow {
  tokens: RowToken[];
  left: number;
  size: number;
  bold: boolean;
}

function rowsOf({ runs, level, size, bold, marker }: ShapeParagraph, box: Box): TextRow[] {
  const left = box.left + INSET_X_INCHES + level * LEVEL_INDENT_INCHES;
  const letter = (size * LETTER_WIDTH_EM) / POINTS_PER_INCH;
  const longest = runs.reduce((most, { text }) => Math.max(most, ...text.split(/\s+/).map((word) => word.length)), 1);
  // A word stays whole, even when the shape is narrower.
  const fitting = Math.floor((box.right - INSET_X_INCHES - left) / letter);
  const columns = Math.min(Math.max(fitting, longest), MAX_COLUMNS);
  const marked = marker === undefined ? runs : [{ text: `${marker} ` }, ...runs];
  return splitRuns(marked).flatMap((line) =>
    [...wrapRuns(line, columns)].map((tokens) => ({ tokens, left, size, bold })),
  );
}

function toWord({ text, column, style }: RowToken, row: TextRow, top: number, height: number): Word {
  const letter = (row.size * LETTER_WIDTH_EM) / POINTS_PER_INCH;
  const left = roundInches(row.left + column * letter);
  const box = {
    left,
    top: roundInches(top),
    right: roundInches(row.left + (column + text.length) * letter),
    bottom: roundInches(top + height),
  };
  return {
    text,
    box,
    fontSize: row.size,
    ...(style.bold || row.bold ? { bold: true } : {}),
    ...(style.link === undefined ? {} : { link: style.link }),
  };
}

/** Lays out the lines of each paragraph from the top of the box down, compressed where they would exceed it. */
export function layOutParagraphs(paragraphs: readonly ShapeParagraph[], box: Box): Line[][] {
  const rows = paragraphs.map((paragraph) => rowsOf(paragraph, box));
  const height = rows.flat().reduce((sum, { size }) => sum + (size * ROW_HEIGHT_EM) / POINTS_PER_INCH, 0);
  const free = Math.max(box.bottom - box.top - 2 * INSET_Y_INCHES, 0.01);
  const compression = Math.min(free / height, 1);
  let top = box.top + INSET_Y_INCHES;
  return rows.map((own) =>
    own.map((row) => {
      const rowHeight = ((row.size * ROW_HEIGHT_EM) / POINTS_PER_INCH) * compression;
      const words = row.tokens.map((token) => toWord(token, row, top, rowHeight));
      top += rowHeight;
      return { box: unionBox(words.map((word) => word.box)), words };
    }),
  );
}
