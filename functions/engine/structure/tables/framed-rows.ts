/**
 * Finds the rows between rules of one length above each other, as printed tables have them: above and below the head,
 * below the last row, perhaps between all rows. They bound the table where text alone would leave that open.
 */
import { median, middleY, spanOverlap } from "../../layout/geometry.ts";
import { groupIntoRows } from "../line-rows.ts";
import { areValue, isPeriod } from "./figure-cells.ts";
import { MIN_BESIDE_OVERLAP_EM } from "./row-starts.ts";
import type { Rules } from "./rule-positions.ts";
import { type Rule, type TableLine, type TableWord, textOf } from "./table-parts.ts";
import type { PageRow } from "./text-rows.ts";

export interface FramedRows<W extends TableWord> {
  left: number;
  right: number;
  /** Rows above the second rule, where they are words. */
  head: PageRow<W>[];
  body: PageRow<W>[];
}

/** Difference of rules' ends that are at one place. */
const SAME_END_EM = 0.7;
const MIN_RULES = 3;
const MIN_BODY_ROWS = 2;
/**
 * Height between two rules around the label of a section, of one line; a caption between two tables stands further off.
 * The same in usual heights of rows between two rules; height of each further line.
 */
const MAX_SECTION_HEIGHT_EM = 2.2;
const MAX_SECTION_HEIGHT_RATIO = 1.2;
const MAX_SECTION_LINES = 2;
const LINE_HEIGHT_EM = 1.25;
/** Share of the width that a row of running text covers, words in each of its lines, and such rows in one place. */
const MIN_TEXT_WIDTH_SHARE = 0.7;
const MIN_TEXT_WORDS = 6;
const MIN_TEXT_ROWS = 2;
/** Cells of a head for each value in it: a date, a unit, a thousand. */
const MIN_CELLS_PER_VALUE = 5;
const MAX_HEAD_ROWS = 8;
/** Distance of a row from the outer rules from which it is none of the table's. */
const MAX_OUTER_GAP_EM = 1;
/** The same, in usual distances of rows from the rules around them. */
const MAX_OUTER_GAP_RATIO = 1.3;

/** Groups rules that begin and end alike, from top to bottom. */
function alikeRules(horizontal: readonly Rule[], em: number): Rule[][] {
  const groups: Rule[][] = [];
  for (const rule of horizontal) {
    const group = groups.find(
      ([first]) =>
        first !== undefined &&
        Math.abs(first.from - rule.from) <= SAME_END_EM * em &&
        Math.abs(first.to - rule.to) <= SAME_END_EM * em,
    );
    if (group === undefined) groups.push([rule]);
    else if (rule.at - (group.at(-1)?.at ?? 0) > SAME_END_EM * em) group.push(rule);
  }
  return groups.filter((group) => group.length >= MIN_RULES);
}

interface Band<W extends TableWord> {
  top: number;
  bottom: number;
  rows: PageRow<W>[];
}

/** True for a row that sentences fill: of the whole width, or of columns of running text. */
function isText({ lines }: PageRow<TableWord>, width: number): boolean {
  const covered = lines.reduce((sum, { box }) => sum + box.right - box.left, 0);
  const words = lines.reduce((sum, line) => sum + line.words.length, 0);
  return covered >= MIN_TEXT_WIDTH_SHARE * width && words >= MIN_TEXT_WORDS * lines.length;
}

const isRunningText = ({ rows }: Band<TableWord>, width: number): boolean =>
  rows.filter((row) => isText(row, width)).length >= MIN_TEXT_ROWS;

const heightOf = ({ top, bottom }: Band<TableWord>): number => bottom - top;
const isRow = ({ rows }: Band<TableWord>): boolean => rows.length === 1 && (rows[0]?.lines.length ?? 0) > 1;

/** True if texts stand beside each other, perhaps one at the height between two lines of the other. */
const hasNeighbours = (lines: readonly TableLine[]): boolean =>
  lines.some(({ box, size }, at) =>
    lines
      .slice(at + 1)
      .some(
        (other) =>
          spanOverlap(box.top, box.bottom, other.box.top, other.box.bottom) > MIN_BESIDE_OVERLAP_EM * size &&
          spanOverlap(box.left, box.right, other.box.left, other.box.right) < 0,
      ),
  );

/** True if what stands between two rules may be rows of a table, or the label of a section of it. */
function isPartOfTable(band: Band<TableWord>, width: number, em: number, usual: number): boolean {
  if (band.rows.length === 0 || isRunningText(band, width)) return false;
  if (hasNeighbours(band.rows.flatMap(({ lines }) => lines))) return true;
  const most = Math.max(MAX_SECTION_HEIGHT_EM * em, MAX_SECTION_HEIGHT_RATIO * usual);
  const further = band.rows.length - 1;
  return further < MAX_SECTION_LINES && heightOf(band) - further * LINE_HEIGHT_EM * em <= most;
}

/** True for headings: words, with few values among them. */
function areHeadings(rows: readonly PageRow<TableWord>[]): boolean {
  if (rows.length > MAX_HEAD_ROWS) return false;
  const lines = rows.flatMap((row) => row.lines);
  const values = lines.filter((line) => areValue([line]) && !isPeriod(textOf([line])));
  return lines.length >= MIN_CELLS_PER_VALUE * values.length;
}

/** Rows outside of a frame with several texts beside each other, as near to it as rows in it: the table goes on. */
function outerRows<W extends TableWord>(
  rows: readonly PageRow<W>[],
  bands: readonly Band<W>[],
  em: number,
): { above: PageRow<W>[]; below: PageRow<W>[] } {
  const [top, bottom] = [bands[0]?.top ?? 0, bands.at(-1)?.bottom ?? 0];
  const gaps = bands.flatMap((band) => [
    (band.rows[0]?.box.top ?? band.top) - band.top,
    band.bottom - (band.rows.at(-1)?.box.bottom ?? band.bottom),
  ]);
  const most = Math.max(MAX_OUTER_GAP_EM * em, MAX_OUTER_GAP_RATIO * median(gaps));
  const isNear = (gap: number): boolean => gap > -em && gap <= most;
  const several = rows.filter(({ lines }) => lines.length > 1);
  return {
    above: several.filter(({ box }) => middleY(box) < top && isNear(top - box.bottom)),
    below: several.filter(({ box }) => middleY(box) > top && isNear(box.top - bottom)),
  };
}

function framedRows<W extends TableWord>(
  bands: readonly Band<W>[],
  outside: readonly PageRow<W>[],
  { from, to }: Rule,
  em: number,
): FramedRows<W> | undefined {
  const [first, ...others] = bands;
  if (first === undefined || others.length === 0) return undefined;
  const { above, below } = outerRows(outside, bands, em);
  // Headings may stand above the first rule, where each row has one below, and tells as many columns.
  const most = Math.max(...bands.map(({ rows }) => (rows.length === 1 ? (rows[0]?.lines.length ?? 0) : 0)));
  const isHeaded =
    above.length === 1 &&
    areHeadings(above) &&
    bands.every(({ rows }) => rows.length === 1) &&
    above.every(({ lines }) => lines.length <= most);
  if (below.length > 0 || (above.length > 0 && !isHeaded)) return undefined;
  const headed = !isHeaded && areHeadings(first.rows);
  const body = (headed ? others : bands).flatMap(({ rows }) => rows);
  if (body.length < MIN_BODY_ROWS) return undefined;
  return { left: from, right: to, head: headed ? first.rows : above, body };
}

/** Finds the rows of a page that rules frame; lines that stand only partly between them are no rows. */
export function findFramedRows<W extends TableWord>(
  lines: readonly TableLine<W>[],
  { horizontal }: Rules,
  em: number,
): FramedRows<W>[] {
  const frames: FramedRows<W>[] = [];
  for (const rules of alikeRules(horizontal, em)) {
    const [rule] = rules;
    if (rule === undefined) continue;
    const near = lines.filter(({ box }) => spanOverlap(box.left, box.right, rule.from, rule.to) > 0);
    const rows = groupIntoRows(near);
    const isInside = ({ box }: PageRow<W>): boolean => box.left >= rule.from - em && box.right <= rule.to + em;
    let open: Band<W>[] = [];
    const close = (): void => {
      const [top, bottom] = [open[0]?.top ?? 0, open.at(-1)?.bottom ?? 0];
      const outside = rows.filter(({ box }) => middleY(box) < top || middleY(box) > bottom);
      const framed = framedRows(open, outside, rule, em);
      if (framed !== undefined) frames.push(framed);
      open = [];
    };
    const bands = rules.slice(1).map((next, index): Band<W> => {
      const top = rules[index]?.at ?? 0;
      return { top, bottom: next.at, rows: rows.filter(({ box }) => middleY(box) > top && middleY(box) < next.at) };
    });
    const usual = median(bands.filter(isRow).map(heightOf));
    for (const band of bands) {
      if (band.rows.every(isInside) && isPartOfTable(band, rule.to - rule.from, em, usual)) open.push(band);
      else close();
    }
    close();
  }
  return frames;
}
