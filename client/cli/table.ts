/** Tables for people at a terminal. */
import { type Paint, withoutControls } from "./colors.ts";

export interface Cell {
  text: string;
  style?: keyof Paint | undefined;
}

const GAP = "  ";
const ELLIPSIS = "…";
/** A column gives way to the others down to this width. */
const MIN_COLUMN_WIDTH = 8;
/** Of a terminal that does not tell its own. */
const DEFAULT_COLUMNS = 80;

/** Full-width characters take two columns (Unicode Standard Annex 11), marks none. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u;
const MARK = /\p{Mn}|\p{Me}|\p{Cf}/u;

const widthOfCharacter = (character: string): number => (MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** Most text is of single-width characters. */
const PLAIN = /^[ -~]*$/;

const widthOf = (text: string): number =>
  PLAIN.test(text) ? text.length : [...text].reduce((sum, one) => sum + widthOfCharacter(one), 0);

const oneLine = (text: string): string => withoutControls(text).replaceAll(/\s+/g, " ");

/** One line of a text, with a sign where it is cut. */
function fit(text: string, width: number): string {
  const line = oneLine(text);
  if (widthOf(line) <= width) return line;
  let out = "";
  let taken = 0;
  for (const character of line) {
    taken += widthOfCharacter(character);
    if (taken > width - 1) break;
    out += character;
  }
  return out + ELLIPSIS;
}

/** Widths of the columns: the widest ones are cut until the table fits. */
function widthsOf(rows: readonly (readonly Cell[])[], available: number): number[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(oneLine(row[column]?.text ?? ""))), 0),
  );
  const room = available - GAP.length * (widths.length - 1);
  for (;;) {
    const excess = widths.reduce((sum, width) => sum + width, 0) - room;
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (excess <= 0 || width <= MIN_COLUMN_WIDTH) return widths;
    const next = Math.max(MIN_COLUMN_WIDTH, ...widths.filter((one) => one < width));
    widths[widest] = Math.max(width - excess, Math.min(next, width - 1));
  }
}

/** Draws a table with a heading. @param columns width of the terminal in characters */
export function drawTable(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
  { paint, columns = DEFAULT_COLUMNS }: { paint: Paint; columns?: number | undefined },
): string {
  const all = [heading.map((text): Cell => ({ text, style: "bold" })), ...rows];
  const widths = widthsOf(all, columns);
  const lines = all.map((row) =>
    row
      .map(({ text, style }, column) => {
        const width = widths[column] ?? 0;
        const shown = fit(text, width);
        const padding = column === row.length - 1 ? "" : " ".repeat(width - widthOf(shown));
        return (style === undefined ? shown : paint[style](shown)) + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
