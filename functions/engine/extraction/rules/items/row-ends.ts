/**
 * The end of a table of rows: at its sums and the charges beside them. An item may begin with such a word (`Carriage bolt`,
 * `Tax advice`, `Porto Tawny`): the following rows and the additions decide.
 */

import type { Row, Segment } from "../../../structure/view/tokens.ts";
import { fillsSegment, type LabelMap } from "../find-labels.ts";
import { amountColumn, type MadeRow, type RowStatistics } from "./row-statistics.ts";

const SUM_CONCEPTS = new Set(["net-total", "tax-total", "gross-total", "amount-due"]);
const CHARGE_CONCEPTS = new Set(["prepaid", "shipping", "surcharge", "discount"]);

/** The beginning of a row: a sum's label, a charge's, a longer name with such a word, or anything else. */
type RowBeginning = "sum" | "charge" | "name" | "none";

const isNumber = (segment: Segment | undefined): boolean => segment !== undefined && /^[^\p{L}]*\d/u.test(segment.text);

/** A segment is a sum's label alone, with the sum beside it. */
function isSum(segment: Segment, next: Segment | undefined, labels: LabelMap): boolean {
  return (
    isNumber(next) &&
    (labels.bySegment.get(segment) ?? []).some(
      ({ from, to, strength, concept }) =>
        from === 0 && to === segment.tokens.length && strength === 1 && SUM_CONCEPTS.has(concept),
    )
  );
}

function beginningOf({ row: { segments } }: MadeRow, labels: LabelMap): { beginning: RowBeginning; sums: boolean } {
  const [first] = segments;
  const hits = (first === undefined ? [] : (labels.bySegment.get(first) ?? [])).filter(
    ({ from, concept }) => from === 0 && (SUM_CONCEPTS.has(concept) || CHARGE_CONCEPTS.has(concept)),
  );
  const sums = hits.some(({ concept }) => SUM_CONCEPTS.has(concept));
  if (hits.length === 0) return { beginning: "none", sums };
  if (!hits.some(fillsSegment)) return { beginning: "name", sums };
  return { beginning: sums ? "sum" : "charge", sums };
}

/** Rows searched after one. */
const MAX_ROWS_AHEAD = 24;
/** Skipped rows among them that do not fit the table. */
const MAX_SKIPPED_ROWS = 12;
/** Further table rows that decide. */
const DECIDING_ROWS = 3;
/** Rows of a section with a sum of its own. */
const MAX_SECTION_ROWS = 200;

/** Rows below a header, made on request; `undefined` after the last. */
export type RowsBelow = (index: number) => MadeRow | undefined;

/** The rows after one: number of further table rows, and the sum that ends them, if any. */
interface Following {
  rows: number;
  /** The header is repeated: the table continues. */
  headed: boolean;
  sum: MadeRow | null;
  /** The sum adds up all rows above it. */
  proven: boolean;
}

export interface TableEnd {
  labels: LabelMap;
  below: RowsBelow;
  /** A row repeats the header. */
  headsAgain(index: number): boolean;
  /** Right edge of the first column, inches. */
  firstRight: number;
}

/** A sum is indented to the right of the items, or stands right of other text, as does any amount behind a colon. */
function standsApart({ row: { segments } }: MadeRow, { labels, firstRight }: TableEnd): boolean {
  const [first] = segments;
  const indented =
    first !== undefined &&
    first.box.left > firstRight &&
    (labels.bySegment.get(first) ?? []).some(
      ({ from, concept }) => from === 0 && (SUM_CONCEPTS.has(concept) || CHARGE_CONCEPTS.has(concept)),
    );
  const isPair = (segment: Segment, at: number): boolean =>
    isSum(segment, segments[at + 1], labels) || (segment.text.endsWith(":") && isNumber(segments[at + 1]));
  return indented || segments.some((segment, at) => at > 0 && isPair(segment, at));
}

function lookAhead(from: MadeRow, statistics: RowStatistics, end: TableEnd): Following {
  const following: Following = { rows: 0, headed: false, sum: null, proven: false };
  const ahead = statistics.copy();
  ahead.add(from);
  let passed = 0;
  for (let index = from.row.index + 1; index <= from.row.index + MAX_ROWS_AHEAD; index += 1) {
    if (end.headsAgain(index)) return { ...following, headed: true };
    const row = end.below(index);
    if (row === undefined || passed > MAX_SKIPPED_ROWS || following.rows >= DECIDING_ROWS) break;
    const { beginning, sums } = beginningOf(row, end.labels);
    const apart = standsApart(row, end);
    if (apart || beginning === "sum" || (sums && ahead.proves(row, 2)))
      return { ...following, sum: row, proven: ahead.proves(row, 1) };
    if (!statistics.fits(row)) passed += 1;
    else if (beginning !== "charge") following.rows += 1;
    ahead.add(row);
  }
  return following;
}

/** A section with a sum of its own follows. A section of one row needs the same label. */
function sectionFollows(sum: MadeRow, statistics: RowStatistics, end: TableEnd): boolean {
  const section = statistics.copy();
  section.endSection();
  let rows = 0;
  for (let index = sum.row.index + 1; index <= sum.row.index + MAX_SECTION_ROWS; index += 1) {
    const row = end.below(index);
    if (row === undefined) return false;
    if (standsApart(row, end) || beginningOf(row, end.labels).beginning === "sum") {
      const again = row.row.segments[0]?.text === sum.row.segments[0]?.text;
      return rows >= (again ? 1 : 2) && section.proves(row, rows);
    }
    if (!statistics.fits(row)) continue;
    section.add(row);
    rows += 1;
  }
  return false;
}

/** The row is an item named with a word of totals: more items follow, a sum includes it, or it is too small for a sum. */
function isItemName(row: MadeRow, sums: boolean, statistics: RowStatistics, end: TableEnd): boolean {
  const { rows, headed, sum, proven } = lookAhead(row, statistics, end);
  if (rows > 0 || headed || proven) return true;
  return sum === null && (!sums || statistics.exceeds(row));
}

/** Classifies a row: a row of the table, a sum inside of it, or the first row after it. */
export function classifyRow(row: MadeRow, statistics: RowStatistics, end: TableEnd): "row" | "sum" | "end" {
  const { beginning, sums } = beginningOf(row, end.labels);
  if (standsApart(row, end)) return "end";
  if (beginning === "none") return "row";
  const [first, next] = row.row.segments;
  const plain = first !== undefined && isSum(first, next, end.labels);
  const colon = (first === undefined ? [] : (end.labels.bySegment.get(first) ?? [])).some(
    (hit) => hit.from === 0 && hit.colon && (SUM_CONCEPTS.has(hit.concept) || CHARGE_CONCEPTS.has(hit.concept)),
  );
  // A row of three or more segments is an item, whatever its name.
  if (row.row.segments.length > 2 && !plain && !colon) return "row";
  if (beginning === "name" && amountColumn(row) < 0) return "row";
  if (sums && statistics.proves(row, beginning === "sum" ? 1 : 2))
    return sectionFollows(row, statistics, end) ? "sum" : "end";
  if (!statistics.fits(row)) return "end";
  if (beginning === "name") return isItemName(row, sums, statistics, end) ? "row" : "end";
  const { rows, headed, sum } = lookAhead(row, statistics, end);
  if (beginning === "sum") return rows >= DECIDING_ROWS && !colon ? "sum" : "end";
  return rows > 0 || headed || sum === null ? "row" : "end";
}

/** Air, in heights of a row, below which a row that is unlike the others belongs to something else. */
const MIN_AIR_HEIGHTS = 3;

/** A row far below the others that does not fill their columns: the page's foot, or other text. */
export function standsAlone(made: MadeRow, before: Row | undefined, statistics: RowStatistics): boolean {
  if (before?.page !== made.page || statistics.fits(made)) return false;
  return made.row.box.top - before.box.bottom > MIN_AIR_HEIGHTS * (before.box.bottom - before.box.top);
}
