/** Finds the header rows of a table: by weight, by fills behind and rules beneath, by words over numbers. */

import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY } from "../../layout/geometry.ts";
import { areValue, isPeriod, isYear } from "./figure-cells.ts";
import { coveredShare, type Rules, rulesBetween } from "./rule-positions.ts";
import { type TableLine, textOf } from "./table-parts.ts";

/** A row for finding the header: the contents of its columns. */
export interface HeaderRow {
  box: Box;
  cells: readonly { column: number; lines: readonly TableLine[] }[];
}

export interface Header {
  rows: number;
  /** Sign of the header; a drawn one is surer than the look of the words. */
  sign: "filled" | "ruled" | "bold" | "values" | undefined;
}

/** Rows of a header; more are none. */
const MAX_HEADER_ROWS = 6;
/** Rows that are examined; a header stands at the top. */
export const MAX_EXAMINED_ROWS = 24;
/** Share of the rows below that may look like the header: sums at the end, titles between. */
const MAX_ALIKE_BELOW_SHARE = 0.25;
/** Share of a column's cells from which it holds values. */
const MIN_VALUE_CELLS_SHARE = 0.6;
/** Share of the columns' width that a rule beneath their heads covers. */
export const MIN_RULE_WIDTH_SHARE = 0.6;
/** Gap between headings and values, beyond that between lines of headings, in heights of a line. */
const MIN_AIR_BELOW_HEADINGS = 0.3;
/** Rows below headings of which only one is over values, and one over the first column. */
const MIN_ROWS_BELOW_PARTIAL_HEADINGS = 10;
/** Headings side by side that tell a table without its rows. */
const MIN_HEADINGS = 3;
/** Difference of two shades, 0 to 1, that the eye sees. */
export const VISIBLE_SHADE_DIFFERENCE = 0.02;
const PAPER_SHADE = 1;

interface RowLook {
  columns: Set<number>;
  values: Set<number>;
  bold: boolean;
  shade: number;
  ruled: boolean;
}

/** Shade behind the boxes, where it is lightest, or behind the row where there are none. */
export const shadeOf = (boxes: readonly Box[], row: Box, rules: Rules): number =>
  (boxes.length === 0 ? [row] : boxes).reduce(
    (lightest, box) => Math.max(lightest, rules.fillAt(middleX(box), middleY(box))?.shade ?? PAPER_SHADE),
    0,
  );

/** True for a value that heads no column, as years may. */
const isFigure = (lines: readonly TableLine[]): boolean => areValue(lines) && !isYear(textOf(lines));

/** True for dates over columns, with nothing over the first. */
const arePeriods = (cells: HeaderRow["cells"]): boolean =>
  cells.every(({ column, lines }) => column > 0 && isPeriod(textOf(lines)));

/** True if a rule along most of the table stands between the middles of two rows. */
export function isRuledBetween(above: Box, below: Box, table: Box, { horizontal }: Rules): boolean {
  return (
    coveredShare(rulesBetween(horizontal, middleY(above), middleY(below)), table.left, table.right) >=
    MIN_RULE_WIDTH_SHARE
  );
}

function lookOfRow(row: HeaderRow, next: HeaderRow | undefined, table: Box, rules: Rules): RowLook {
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
function valueColumns(looks: readonly RowLook[]): Set<number> {
  const counts = new Map<number, [values: number, all: number]>();
  for (const look of looks)
    for (const column of look.columns) {
      const [values, all] = counts.get(column) ?? [0, 0];
      counts.set(column, [values + (look.values.has(column) ? 1 : 0), all + 1]);
    }
  return new Set(
    [...counts].filter(([, [values, all]]) => values >= MIN_VALUE_CELLS_SHARE * all).map(([column]) => column),
  );
}

/** True if a property of the first rows is rare below them. */
function standsOut(looks: readonly RowLook[], count: number, alike: (look: RowLook) => boolean): boolean {
  const below = looks.slice(count);
  const allowed = below.length < 3 ? 0 : Math.max(1, MAX_ALIKE_BELOW_SHARE * below.length);
  return below.length > 0 && below.filter(alike).length <= allowed;
}

/** True for headings, which are words, or numbers (years) as long as there are not more of these. */
const isWorded = (looks: readonly RowLook[]): boolean => {
  const values = looks.reduce((sum, look) => sum + look.values.size, 0);
  return looks.reduce((sum, look) => sum + look.columns.size, 0) >= 3 * values;
};

/** Number of rows from the top with a property that is rare below them. */
function countAlike(looks: readonly RowLook[], alike: (look: RowLook) => boolean): number {
  const end = looks.findIndex((look) => !alike(look));
  const count = end < 0 ? 0 : end;
  return count <= MAX_HEADER_ROWS && standsOut(looks, count, alike) ? count : 0;
}

function countFilled(looks: readonly RowLook[]): number {
  const shade = looks[0]?.shade ?? PAPER_SHADE;
  const count =
    shade > PAPER_SHADE - VISIBLE_SHADE_DIFFERENCE
      ? 0
      : countAlike(looks, (look) => Math.abs(look.shade - shade) < VISIBLE_SHADE_DIFFERENCE);
  return isWorded(looks.slice(0, count)) ? count : 0;
}

function countAboveRule(looks: readonly RowLook[]): number {
  const count = looks.findIndex((look) => look.ruled) + 1;
  if (count > MAX_HEADER_ROWS || !standsOut(looks, count, (look) => look.ruled)) return 0;
  return isWorded(looks.slice(0, count)) ? count : 0;
}

/** Number of rows of words over columns of values. */
function countOverValues(looks: readonly RowLook[]): number {
  const first = looks.findIndex((look) => look.values.size > 0);
  if (first < 1 || first > MAX_HEADER_ROWS) return 0;
  const values = valueColumns(looks.slice(first));
  const named = new Set(
    looks.slice(0, first).flatMap((look) => [...look.columns].filter((column) => values.has(column))),
  );
  const isSure =
    looks.length - first >= MIN_ROWS_BELOW_PARTIAL_HEADINGS &&
    looks.slice(0, first).every(({ columns }) => columns.has(0) && columns.size > 1);
  return named.size >= (isSure ? 1 : Math.min(2, Math.max(1, values.size))) ? first : 0;
}

/** Number of bold rows with the plain lines, such as units, that stand close beneath them, apart from the values. */
function withPlainLines(rows: readonly HeaderRow[], looks: readonly RowLook[], bold: number): number {
  const gapAbove = (at: number): number => (rows[at]?.box.top ?? 0) - (rows[at - 1]?.box.bottom ?? 0);
  const values = looks.findIndex((look) => look.values.size > 0);
  const height = (rows[0]?.box.bottom ?? 0) - (rows[0]?.box.top ?? 0);
  const isApart = looks.every(
    (_, at) => at < bold || at >= values || gapAbove(at) + MIN_AIR_BELOW_HEADINGS * height < gapAbove(values),
  );
  return values > bold && values <= MAX_HEADER_ROWS && isApart ? values : bold;
}

/** Finds the rows from the top that head the columns, of a table's rows in order. */
export function findHeader(rows: readonly HeaderRow[], table: Box, rules: Rules): Header {
  const seen = rows.slice(0, MAX_EXAMINED_ROWS);
  const looks = seen.map((row, index) => lookOfRow(row, seen[index + 1], table, rules));
  const filled = countFilled(looks);
  if (filled > 0) return { rows: filled, sign: "filled" };
  const ruled = countAboveRule(looks);
  if (ruled > 0) return { rows: ruled, sign: "ruled" };
  const bold = countAlike(looks, (look) => look.bold);
  if (bold > 0 && isWorded(looks.slice(0, bold))) return { rows: withPlainLines(seen, looks, bold), sign: "bold" };
  const over = countOverValues(looks);
  return over > 0 ? { rows: over, sign: "values" } : { rows: 0, sign: undefined };
}

/**
 * Signs that set lines at one height off as the headings of columns: bold type, a band behind, a rule beneath. None for
 * less than three lines, and where one is a value.
 */
export function headingSigns(
  { box, size, lines }: { box: Box; size: number; lines: readonly TableLine[] },
  rules: Rules,
): ReadonlySet<"bold" | "filled" | "ruled"> {
  const signs = new Set<"bold" | "filled" | "ruled">();
  if (lines.length < MIN_HEADINGS || lines.some((line) => isFigure([line]))) return signs;
  if (lines.every((line) => line.words.every((word) => word.bold === true))) signs.add("bold");
  const boxes = lines.map((line) => line.box);
  if (shadeOf(boxes, box, rules) < PAPER_SHADE - VISIBLE_SHADE_DIFFERENCE) signs.add("filled");
  const beneath = rulesBetween(rules.horizontal, box.bottom - 0.3 * size, box.bottom + size);
  if (coveredShare(beneath, box.left, box.right) >= MIN_RULE_WIDTH_SHARE) signs.add("ruled");
  return signs;
}
