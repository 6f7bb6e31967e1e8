/** Which rows of a table head its columns: by weight, by what is drawn behind and beneath, by words over numbers. */

import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY } from "../../layout/geometry.ts";
import { areValue, isPeriod, isYear } from "./figure-cells.ts";
import { covered, type Rules, rulesBetween } from "./rule-positions.ts";
import { type TableLine, textOf } from "./table-parts.ts";

/** A row as its header is told from: what stands in its columns. */
export interface HeaderRow {
  box: Box;
  cells: readonly { column: number; lines: readonly TableLine[] }[];
}

export interface Header {
  rows: number;
  /** What says so: something drawn is a surer sign than the look of the words. */
  sign: "filled" | "ruled" | "bold" | "values" | undefined;
}

/** More rows of headings is no heading. */
const MOST_HEADER_ROWS = 6;
/** Rows that are looked at; a header stands at the top. */
export const ROWS_SEEN = 24;
/** Of the rows below, so many may look like the header: sums at the end, titles between. */
const ALIKE_BELOW = 0.25;
/** A column holds values when so many of its cells do. */
const VALUE_COLUMN = 0.6;
/** A rule heads columns when it runs along so much of their width. */
export const RULE_WIDTH = 0.6;
/** Headings side by side that tell a table without a look at its rows. */
const MIN_HEADINGS = 3;
/** Two shades differ to the eye. */
export const SHADES = 0.02;
const PAPER = 1;

interface Look {
  columns: Set<number>;
  values: Set<number>;
  bold: boolean;
  shade: number;
  ruled: boolean;
}

/** How light the paper is behind the boxes, where it is lightest, or behind the row where there are none. */
export const shadeOf = (boxes: readonly Box[], row: Box, rules: Rules): number =>
  (boxes.length === 0 ? [row] : boxes).reduce(
    (lightest, box) => Math.max(lightest, rules.fillAt(middleX(box), middleY(box))?.shade ?? PAPER),
    0,
  );

/** A value that heads no column, as years may. */
const isFigure = (lines: readonly TableLine[]): boolean => areValue(lines) && !isYear(textOf(lines));

/** Dates over columns, and nothing over the first, head these. */
const arePeriods = (cells: HeaderRow["cells"]): boolean =>
  cells.every(({ column, lines }) => column > 0 && isPeriod(textOf(lines)));

/** Whether a rule along most of the table stands between the middles of two rows. */
export function isRuledBetween(above: Box, below: Box, table: Box, { horizontal }: Rules): boolean {
  return covered(rulesBetween(horizontal, middleY(above), middleY(below)), table.left, table.right) >= RULE_WIDTH;
}

function lookAt(row: HeaderRow, next: HeaderRow | undefined, table: Box, rules: Rules): Look {
  const filled = row.cells.filter((cell) => cell.lines.length > 0);
  const lines = filled.flatMap((cell) => cell.lines);
  const words = lines.flatMap((line) => line.words);
  return {
    columns: new Set(filled.map((cell) => cell.column)),
    values: new Set(arePeriods(filled) ? [] : filled.filter((cell) => isFigure(cell.lines)).map((cell) => cell.column)),
    bold: words.length > 0 && words.every((word) => word.bold === true),
    shade: shadeOf(
      lines.map((line) => line.box),
      row.box,
      rules,
    ),
    ruled: next !== undefined && isRuledBetween(row.box, next.box, table, rules),
  };
}

/** Columns in which most of these rows hold values. */
function valueColumns(looks: readonly Look[]): Set<number> {
  const counts = new Map<number, [values: number, all: number]>();
  for (const look of looks)
    for (const column of look.columns) {
      const [values, all] = counts.get(column) ?? [0, 0];
      counts.set(column, [values + (look.values.has(column) ? 1 : 0), all + 1]);
    }
  return new Set([...counts].filter(([, [values, all]]) => values >= VALUE_COLUMN * all).map(([column]) => column));
}

/** Whether what is so of the first rows is rare below them. */
function standsOut(looks: readonly Look[], count: number, alike: (look: Look) => boolean): boolean {
  const below = looks.slice(count);
  const allowed = below.length < 3 ? 0 : Math.max(1, ALIKE_BELOW * below.length);
  return below.length > 0 && below.filter(alike).length <= allowed;
}

/** Headings are words, or numbers (years) as long as there are not more of these. */
const isWorded = (looks: readonly Look[]): boolean => {
  const values = looks.reduce((sum, look) => sum + look.values.size, 0);
  return looks.reduce((sum, look) => sum + look.columns.size, 0) >= 3 * values;
};

/** Rows from the top of which something is so, when it is rare below them. */
function countAlike(looks: readonly Look[], alike: (look: Look) => boolean): number {
  const end = looks.findIndex((look) => !alike(look));
  const count = end < 0 ? 0 : end;
  return count <= MOST_HEADER_ROWS && standsOut(looks, count, alike) ? count : 0;
}

function countFilled(looks: readonly Look[]): number {
  const shade = looks[0]?.shade ?? PAPER;
  const count = shade > PAPER - SHADES ? 0 : countAlike(looks, (look) => Math.abs(look.shade - shade) < SHADES);
  return isWorded(looks.slice(0, count)) ? count : 0;
}

function countAboveRule(looks: readonly Look[]): number {
  const count = looks.findIndex((look) => look.ruled) + 1;
  if (count > MOST_HEADER_ROWS || !standsOut(looks, count, (look) => look.ruled)) return 0;
  return isWorded(looks.slice(0, count)) ? count : 0;
}

/** Rows of words over columns of values. */
function countOverValues(looks: readonly Look[]): number {
  const first = looks.findIndex((look) => look.values.size > 0);
  if (first < 1 || first > MOST_HEADER_ROWS) return 0;
  const values = valueColumns(looks.slice(first));
  const named = new Set(
    looks.slice(0, first).flatMap((look) => [...look.columns].filter((column) => values.has(column))),
  );
  return named.size >= Math.min(2, Math.max(1, values.size)) ? first : 0;
}

/** The rows from the top that head the columns, of a table's rows in order. */
export function findHeader(rows: readonly HeaderRow[], table: Box, rules: Rules): Header {
  const seen = rows.slice(0, ROWS_SEEN);
  const looks = seen.map((row, index) => lookAt(row, seen[index + 1], table, rules));
  const filled = countFilled(looks);
  if (filled > 0) return { rows: filled, sign: "filled" };
  const ruled = countAboveRule(looks);
  if (ruled > 0) return { rows: ruled, sign: "ruled" };
  const bold = countAlike(looks, (look) => look.bold);
  if (bold > 0 && isWorded(looks.slice(0, bold))) return { rows: bold, sign: "bold" };
  const over = countOverValues(looks);
  return over > 0 ? { rows: over, sign: "values" } : { rows: 0, sign: undefined };
}

/**
 * What sets lines on one height off as the headings of columns: bold type, a band behind, a rule beneath. None for less
 * than three lines, and where one is a value.
 */
export function headingSigns(
  { box, size, lines }: { box: Box; size: number; lines: readonly TableLine[] },
  rules: Rules,
): ReadonlySet<"bold" | "filled" | "ruled"> {
  const signs = new Set<"bold" | "filled" | "ruled">();
  if (lines.length < MIN_HEADINGS || lines.some((line) => isFigure([line]))) return signs;
  if (lines.every((line) => line.words.every((word) => word.bold === true))) signs.add("bold");
  const boxes = lines.map((line) => line.box);
  if (shadeOf(boxes, box, rules) < PAPER - SHADES) signs.add("filled");
  const beneath = rulesBetween(rules.horizontal, box.bottom - 0.3 * size, box.bottom + size);
  if (covered(beneath, box.left, box.right) >= RULE_WIDTH) signs.add("ruled");
  return signs;
}
