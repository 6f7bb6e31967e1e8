/** Text laid out within a shape: type of known size, letters of average width, rows that wrap at the shape's edge. */
import type { Box, Line, Word } from "../../../../ports/layout.ts";
import { unionBox } from "../../../layout/geometry.ts";
import { round, splitRuns, type Token, wrap } from "../../../layout/logical/logical-rows.ts";
import type { ShapeRun } from "../shape-text.ts";

/** Of a letter to the height of the type: an average over texts in common typefaces. */
const LETTER_WIDTH = 0.5;
const ROW_HEIGHT = 1.2;
const POINTS_PER_INCH = 72;
/** PowerPoint keeps so much free around the text of a shape. */
const INSET_X = 0.1;
const INSET_Y = 0.05;
/** PowerPoint's own size for text without one. */
export const USUAL_SIZE = 18;
/** Each level stands in by so many inches. */
const LEVEL_INDENT = 0.375;
/** Letters in a row; no shape is wider. */
const MOST_COLUMNS = 500;

export interface ShapeParagraph {
  runs: readonly ShapeRun[];
  /** Nesting, from 0. */
  level: number;
  /** Points. */
  size: number;
  bold: boolean;
  marker?: string;
}

interface Row {
  tokens: Token[];
  left: number;
  size: number;
  bold: boolean;
}

function rowsOf({ runs, level, size, bold, marker }: ShapeParagraph, box: Box): Row[] {
  const left = box.left + INSET_X + level * LEVEL_INDENT;
  const letter = (size * LETTER_WIDTH) / POINTS_PER_INCH;
  const longest = runs.reduce((most, { text }) => Math.max(most, ...text.split(/\s+/).map((word) => word.length)), 1);
  // A word stays whole, also where the shape is narrower.
  const fitting = Math.floor((box.right - INSET_X - left) / letter);
  const columns = Math.min(Math.max(fitting, longest), MOST_COLUMNS);
  const marked = marker === undefined ? runs : [{ text: `${marker} ` }, ...runs];
  return splitRuns(marked).flatMap((line) => [...wrap(line, columns)].map((tokens) => ({ tokens, left, size, bold })));
}

function toWord({ text, column, looks }: Token, row: Row, top: number, height: number): Word {
  const letter = (row.size * LETTER_WIDTH) / POINTS_PER_INCH;
  const left = round(row.left + column * letter);
  const box = {
    left,
    top: round(top),
    right: round(row.left + (column + text.length) * letter),
    bottom: round(top + height),
  };
  return {
    text,
    box,
    fontSize: row.size,
    ...(looks.bold || row.bold ? { bold: true } : {}),
    ...(looks.link === undefined ? {} : { link: looks.link }),
  };
}

/** The lines of each paragraph, from the top of the box down; pressed together where they would stand out of it. */
export function layText(paragraphs: readonly ShapeParagraph[], box: Box): Line[][] {
  const rows = paragraphs.map((paragraph) => rowsOf(paragraph, box));
  const height = rows.flat().reduce((sum, { size }) => sum + (size * ROW_HEIGHT) / POINTS_PER_INCH, 0);
  const free = Math.max(box.bottom - box.top - 2 * INSET_Y, 0.01);
  const press = Math.min(free / height, 1);
  let top = box.top + INSET_Y;
  return rows.map((own) =>
    own.map((row) => {
      const rowHeight = ((row.size * ROW_HEIGHT) / POINTS_PER_INCH) * press;
      const words = row.tokens.map((token) => toWord(token, row, top, rowHeight));
      top += rowHeight;
      return { box: unionBox(words.map((word) => word.box)), words };
    }),
  );
}
