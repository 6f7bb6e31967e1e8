/** Columns that arithmetic, or the form of their cells, assigns where no heading does. */
import type { Field } from "../../../schema/schema-shape.ts";
import type { RecordSet } from "../../../structure/records/record-set.ts";
import type { Conventions } from "../value-reader.ts";
import { findFactor } from "./money-columns.ts";
import type { Assignment, HeadedColumn, WantedProperty } from "./wanted-columns.ts";

/** Certainty that a heading names the rate of a tax, which rows of items have beside their amounts. */
const MIN_TAX_MEANING = 0.6;
/** Score of a column that arithmetic or the form of its cells assigns. */
const PROVEN_SCORE = 0.6;

/**
 * Assigns what headings leave open on a table of items: the factor that quantity or price lacks, and then the column of
 * words as the description.
 * @returns the scores of the assigned columns
 */
export function completeByProof(
  wanted: readonly WantedProperty[],
  { columns, taken, headings }: Assignment,
  grid: RecordSet,
  conventions: Conventions,
): number {
  const fieldOf = (concept: string): Field | undefined =>
    wanted.find(({ meaning }) => meaning.concept === concept)?.field;
  const [description, quantity, price, amount] = ["item-description", "quantity", "unit-price", "line-amount"].map(
    fieldOf,
  );
  const columnOf = (field: Field | undefined): number => (field === undefined ? -1 : (columns.get(field) ?? -1));
  if (amount === undefined || description === undefined) return 0;
  let added = 0;
  const assign = (field: Field | undefined, column: number | undefined | null): void => {
    if (field === undefined || column === undefined || column === null || columns.has(field) || taken.has(column))
      return;
    columns.set(field, column);
    taken.add(column);
    added += PROVEN_SCORE;
  };
  const isFree = (column: number): boolean => !taken.has(column);
  const known = columnOf(amount);
  for (const [field, other] of [
    [quantity, price],
    [price, quantity],
  ] as const)
    if (known >= 0 && columnOf(field) < 0 && columnOf(other) >= 0)
      assign(field, findFactor(grid, conventions, { factor: columnOf(other), amount: known }, isFree));
  const isTaxed = headings.some(({ meanings }) => (meanings.get("tax-rate") ?? 0) >= MIN_TAX_MEANING);
  if (known >= 0 && (isTaxed || (columnOf(quantity) >= 0 && columnOf(price) >= 0)))
    assign(description, wordiest(headings, taken));
  return added;
}

/** Share of a column's cells that name something, for it to be the description. */
const MIN_NAMING_SHARE = 0.5;

/** The free column with the most words; undefined if none has words in most cells. */
function wordiest(headings: readonly HeadedColumn[], taken: ReadonlySet<number>): number | undefined {
  const rated = headings.flatMap(({ cells }, column) => {
    const named = cells.filter((text) => /\p{L}{3,}/u.test(text));
    const words = named.reduce((sum, text) => sum + text.length, 0);
    return taken.has(column) || named.length < MIN_NAMING_SHARE * Math.max(1, cells.length) ? [] : [{ column, words }];
  });
  return rated.sort((a, b) => b.words - a.words)[0]?.column;
}
