/** Tables as grids of cells with text, the form in which the truth and all readers are compared. */
import type { TruthTable } from "./table-sets.ts";

export interface GridCell {
  text: string;
  /** From 0. */
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
}

/** Cells with text; blank cells are no cells. */
export interface Grid {
  cells: GridCell[];
}

export interface TruthGridCell extends GridCell {
  free: boolean;
  anySpan: boolean;
}

export interface TruthGrid {
  ruled: boolean;
  cells: TruthGridCell[];
}

const DASHES = /[\u2010-\u2015\u2212]/g;
const QUOTES = /[\u2018\u2019\u201b\u2032]/g;
/** Dots that lead the eye to the next column. */
const LEADERS = /(?:[.·…]\s*){2,}/g;

/**
 * The text by which cells are compared. White space says nothing, since texts of several lines and of scripts without
 * spaces differ in it; nor does a hyphen between letters, which may only break a line.
 */
export const comparedText = (text: string): string =>
  text
    .replaceAll(LEADERS, " ")
    .normalize("NFKC")
    .replaceAll("\u00ad", "")
    .replaceAll(DASHES, "-")
    .replaceAll(QUOTES, "'")
    .replaceAll(/\s+/gu, "")
    .replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "");

/** Keeps cells with text. */
export const gridOf = (cells: readonly GridCell[]): Grid => ({
  cells: cells.filter(({ text }) => comparedText(text) !== ""),
});

export function truthGrid({ ruled, rows }: TruthTable): TruthGrid {
  const cells = rows.flatMap((row, at) =>
    row.flatMap((cell, column): TruthGridCell[] => {
      if (cell === null || cell === "") return [];
      const {
        text,
        rowSpan = 1,
        colSpan = 1,
        free = false,
        anySpan = false,
      } = typeof cell === "string" ? { text: cell } : cell;
      return [{ text, row: at, column, rowSpan, columnSpan: colSpan, free, anySpan }];
    }),
  );
  return { ruled, cells };
}
