import type { Segment } from "../../../structure/view/tokens.ts";
import { type LabelMap, saysAll } from "../find-labels.ts";
import { amountColumn, type Ledger, type MadeRow } from "./row-ledger.ts";

const SUMS = new Set(["net-total", "tax-total", "gross-total", "amount-due"]);
const CHARGES = new Set(["prepaid", "shipping", "surcharge", "discount"]);

/** How a row begins: with a sum's label, a charge's, one that goes on as another thing's name, or like any other row. */
type Beginning = "sum" | "charge" | "name" | "none";

/** A label of a sum, alone, with the sum beside it: also where other things stand left of them. */
function isSum(segment: Segment, next: Segment | undefined, labels: LabelMap): boolean {
  if (next === undefined || !/^[^\p{L}]*\d/u.test(next.text)) return false;
  return (labels.bySegment.get(segment) ?? []).some(
    (hit) => hit.from === 0 && hit.to === segment.tokens.length && hit.strength === 1 && SUMS.has(hit.concept),
  );
}

function beginningOf({ row: { segments } }: MadeRow, labels: LabelMap): { beginning: Beginning; sums: boolean } {
  const [first] = segments;
  const hits = (first === undefined ? [] : (labels.bySegment.get(first) ?? [])).filter(
    ({ from, concept }) => from === 0 && (SUMS.has(concept) || CHARGES.has(concept)),
  );
  const sums = hits.some(({ concept }) => SUMS.has(concept));
  if (hits.length === 0) return { beginning: "none", sums };
  if (!hits.some(saysAll)) return { beginning: "name", sums };
  return { beginning: sums ? "sum" : "charge", sums };
}

/** Rows that are looked at behind one, those among them that are no rows of the table, and rows that settle it. */
const AHEAD = 24;
const PASSED = 12;
const SETTLED = 3;
/** Rows that a section with a sum of its own may have. */
const SECTION = 200;

/** Rows below a header, made when they are asked for; `undefined` behind the last. */
export type RowsBelow = (index: number) => MadeRow | undefined;

/** What follows a row: how many more rows of the table, up to which sum, if any. */
interface Following {
  rows: number;
  /** The table is headed anew: it goes on. */
  headed: boolean;
  sum: MadeRow | null;
  /** The sum adds up all rows down to it. */
  proven: boolean;
}

export interface TableEnd {
  labels: LabelMap;
  below: RowsBelow;
  /** Does a row head the same columns again? */
  headsAgain(index: number): boolean;
  /** Right edge of the first column, inches. */
  firstRight: number;
}

/** A sum stands right of where items begin, or has other things left of it. */
function standsApart({ row: { segments } }: MadeRow, { labels, firstRight }: TableEnd): boolean {
  const [first] = segments;
  const indented =
    first !== undefined &&
    first.box.left > firstRight &&
    (labels.bySegment.get(first) ?? []).some(
      ({ from, concept }) => from === 0 && (SUMS.has(concept) || CHARGES.has(concept)),
    );
  return indented || segments.some((segment, at) => at > 0 && isSum(segment, segments[at + 1], labels));
}

function lookAhead(from: MadeRow, ledger: Ledger, end: TableEnd): Following {
  const following: Following = { rows: 0, headed: false, sum: null, proven: false };
  const ahead = ledger.copy();
  ahead.add(from);
  let passed = 0;
  for (let index = from.row.index + 1; index <= from.row.index + AHEAD; index += 1) {
    if (end.headsAgain(index)) return { ...following, headed: true };
    const row = end.below(index);
    if (row === undefined || passed > PASSED || following.rows >= SETTLED) break;
    const { beginning, sums } = beginningOf(row, end.labels);
    const apart = standsApart(row, end);
    if (apart || beginning === "sum" || (sums && ahead.proves(row, 2)))
      return { ...following, sum: row, proven: ahead.proves(row, 1) };
    if (!ledger.fits(row)) passed += 1;
    else if (beginning !== "charge") following.rows += 1;
    ahead.add(row);
  }
  return following;
}

/** Does a section follow whose rows add up to a sum of its own? One row is a section under the same label only. */
function sectionFollows(sum: MadeRow, ledger: Ledger, end: TableEnd): boolean {
  const section = ledger.copy();
  section.endSection();
  let rows = 0;
  for (let index = sum.row.index + 1; index <= sum.row.index + SECTION; index += 1) {
    const row = end.below(index);
    if (row === undefined) return false;
    if (standsApart(row, end) || beginningOf(row, end.labels).beginning === "sum") {
      const again = row.row.segments[0]?.text === sum.row.segments[0]?.text;
      return rows >= (again ? 1 : 2) && section.proves(row, rows);
    }
    if (!ledger.fits(row)) continue;
    section.add(row);
    rows += 1;
  }
  return false;
}

/** An item is named with a word of the totals: more items follow, a sum counts it in, or no sum could be so small. */
function isNamed(row: MadeRow, sums: boolean, ledger: Ledger, end: TableEnd): boolean {
  const { rows, headed, sum, proven } = lookAhead(row, ledger, end);
  if (rows > 0 || headed || proven) return true;
  return sum === null && (!sums || ledger.exceeds(row));
}

/** What becomes of a row: it is the table's, a sum inside of it, or the first behind it. */
export function fateOf(row: MadeRow, ledger: Ledger, end: TableEnd): "row" | "sum" | "end" {
  const { beginning, sums } = beginningOf(row, end.labels);
  if (standsApart(row, end)) return "end";
  if (beginning === "none") return "row";
  const [first, next] = row.row.segments;
  const plain = first !== undefined && isSum(first, next, end.labels);
  const colon = (first === undefined ? [] : (end.labels.bySegment.get(first) ?? [])).some(
    (hit) => hit.from === 0 && hit.colon && (SUMS.has(hit.concept) || CHARGES.has(hit.concept)),
  );
  // In three columns and more, what fills them all is an item whatever its name.
  if (row.row.segments.length > 2 && !plain && !colon) return "row";
  if (beginning === "name" && amountColumn(row) < 0) return "row";
  if (sums && ledger.proves(row, beginning === "sum" ? 1 : 2)) return sectionFollows(row, ledger, end) ? "sum" : "end";
  if (!ledger.fits(row)) return "end";
  if (beginning === "name") return isNamed(row, sums, ledger, end) ? "row" : "end";
  const { rows, headed, sum } = lookAhead(row, ledger, end);
  if (beginning === "sum") return rows >= SETTLED && !colon ? "sum" : "end";
  return rows > 0 || headed || sum === null ? "row" : "end";
}
