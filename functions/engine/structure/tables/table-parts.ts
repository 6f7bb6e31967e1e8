/**
 * Input and output of the table finder. Any unit of length, as long as all boxes and sizes share it; x to the right, y
 * downwards; "em" is the size of the type.
 */
import type { Box } from "../../../ports/layout.ts";
import { unionBox } from "../../layout/geometry.ts";

export interface TableWord {
  text: string;
  box: Box;
  bold?: boolean;
}

/** Words on one baseline without a wide gap between them: a cell's line, or more where cells stand close together. */
export interface TableLine<W extends TableWord = TableWord> {
  box: Box;
  size: number;
  baseline: number;
  words: readonly W[];
}

/** A straight line, horizontal or vertical: its place across its direction, and its start and end along it. */
export interface Rule {
  at: number;
  from: number;
  to: number;
  /** Across its direction, where it is known. */
  thickness?: number;
}

/** A filled box. */
export interface Fill {
  box: Box;
  /** From 0, black, to 1, white. */
  shade: number;
}

/** Drawn lines and fills of a page. */
export interface Drawing {
  horizontal: readonly Rule[];
  vertical: readonly Rule[];
  fills: readonly Fill[];
}

export const NO_DRAWING: Drawing = { horizontal: [], vertical: [], fills: [] };

export interface FoundCell<W extends TableWord = TableWord> {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
  /** Top to bottom, left to right. */
  lines: TableLine<W>[];
}

export interface FoundTable<W extends TableWord = TableWord> {
  box: Box;
  rows: number;
  columns: number;
  headerRows: number;
  /** Row by row, each row from left to right; no cell where a spanning cell covers. */
  cells: FoundCell<W>[];
}

/** Tables, and the lines outside them: whole, or what is left of them. */
export interface FoundTables<W extends TableWord = TableWord> {
  tables: FoundTable<W>[];
  rest: TableLine<W>[];
}

export function textOf(lines: readonly TableLine[]): string {
  let text = "";
  for (const { words } of lines) for (const word of words) text += text === "" ? word.text : ` ${word.text}`;
  return text;
}

/** A part of a line: some of its words, in their order. */
export const cutLine = <W extends TableWord>(line: TableLine<W>, words: readonly W[]): TableLine<W> =>
  words.length === line.words.length ? line : { ...line, words, box: unionBox(words.map((word) => word.box)) };

/** Splits a line's words into runs that share a place: a cell, a column, or undefined. */
export function splitLine<W extends TableWord, P>(
  line: TableLine<W>,
  placeOf: (word: W) => P,
): { place: P; line: TableLine<W> }[] {
  const runs: { place: P; words: W[] }[] = [];
  for (const word of line.words) {
    const place = placeOf(word);
    const run = runs.at(-1);
    if (run !== undefined && run.place === place) run.words.push(word);
    else runs.push({ place, words: [word] });
  }
  return runs.map(({ place, words }) => ({ place, line: cutLine(line, words) }));
}
