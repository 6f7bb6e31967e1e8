/** Lines, rules and fills for table detection: points, each letter half an em wide. */

import { unionBox } from "../../functions/engine/layout/geometry.ts";
import type {
  Drawing,
  Fill,
  FoundTable,
  Rule,
  TableLine,
  TableWord,
} from "../../functions/engine/structure/tables/table-parts.ts";
import type { Box } from "../../functions/ports/layout.ts";

const FONT_SIZE_POINTS = 10;

export interface Set {
  size?: number;
  bold?: boolean;
  /** x is the end of the line, or its centre. */
  align?: "left" | "right" | "centre";
}

/** A line with its baseline at y. */
export function at(
  text: string,
  x: number,
  y: number,
  { size = FONT_SIZE_POINTS, bold = false, align = "left" }: Set = {},
): TableLine {
  const width = (text.length * size) / 2;
  let left = align === "left" ? x : align === "right" ? x - width : x - width / 2;
  const words = text.split(" ").map((one): TableWord => {
    const box: Box = { left, right: left + (one.length * size) / 2, top: y - 0.9 * size, bottom: y + 0.25 * size };
    left = box.right + size / 2;
    return { text: one, box, bold };
  });
  return { words, size, baseline: y, box: unionBox(words.map((word) => word.box)) };
}

/** Rows of cells at the columns' positions, `pitch` apart from y on; an empty text is an empty cell. */
export const rowsAt = (
  rows: readonly (readonly string[])[],
  columns: readonly (number | readonly [x: number, align: "right" | "centre"])[],
  y: number,
  { pitch = 16, ...set }: Set & { pitch?: number } = {},
): TableLine[] =>
  rows.flatMap((row, index) =>
    row.flatMap((text, column) => {
      const place = columns[column] ?? 0;
      const [x, align] = typeof place === "number" ? [place, "left" as const] : place;
      return text === "" ? [] : [at(text, x, y + index * pitch, { ...set, align })];
    }),
  );

export const level = (y: number, from: number, to: number): Rule => ({ at: y, from, to });
export const upright = (x: number, from: number, to: number): Rule => ({ at: x, from, to });
export const band = (left: number, top: number, right: number, bottom: number, shade = 0.8): Fill => ({
  box: { left, top, right, bottom },
  shade,
});

export const drawn = (drawing: Partial<Drawing>): Drawing => ({ horizontal: [], vertical: [], fills: [], ...drawing });

/** All lines of a grid. */
export const grid = (xs: readonly number[], ys: readonly number[]): Drawing =>
  drawn({
    horizontal: ys.map((y) => level(y, xs[0] ?? 0, xs.at(-1) ?? 0)),
    vertical: xs.map((x) => upright(x, ys[0] ?? 0, ys.at(-1) ?? 0)),
  });

/** The cells' texts by row, with ` / ` between lines of a cell; spans begin with `rows×columns:`. */
export const cellTexts = (table: FoundTable | undefined): string[][] =>
  Array.from({ length: table?.rows ?? 0 }, (_, row) =>
    (table?.cells ?? [])
      .filter((cell) => cell.row === row)
      .map(({ rowSpan, columnSpan, lines }) => {
        const text = lines.map((line) => line.words.map((word) => word.text).join(" ")).join(" / ");
        return rowSpan > 1 || columnSpan > 1 ? `${rowSpan}×${columnSpan}: ${text}` : text;
      }),
  );

export const wordsOf = (lines: readonly TableLine[]): string[] =>
  lines.flatMap((line) => line.words.map((word) => word.text));
