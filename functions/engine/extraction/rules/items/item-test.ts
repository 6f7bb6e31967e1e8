/** Tells the items of a record set from its other rows: rows of details, heads of groups, sums of sections. */
import { median } from "../../../layout/geometry.ts";
import type { Field } from "../../../schema/schema-shape.ts";
import { isCharge, namesCharge } from "../../../structure/records/charges.ts";
import type { PrintedRecord } from "../../../structure/records/record-set.ts";
import { sameAmount } from "../amounts/printed-sums.ts";
import type { Finding } from "../findings.ts";
import type { WantedProperty } from "./wanted-columns.ts";

export interface ReadRow {
  row: PrintedRecord;
  found: Map<Field, Finding>;
}

const has =
  (fields: readonly Field[]) =>
  ({ found }: ReadRow): boolean =>
    fields.some((field) => found.has(field));

/** A row with an amount, and without one of the numbers that most rows have beside it, that adds up the rows since the last such. */
function withoutSectionSums(rows: readonly ReadRow[], amount: Field, beside: readonly Field[]): ReadRow[] {
  const summed = rows.filter(has([amount]));
  const usual = beside.filter((field) => summed.filter(has([field])).length * 2 > summed.length);
  if (usual.length === 0) return [...rows];
  let [section, count] = [0, 0];
  return rows.filter((one) => {
    const value = one.found.get(amount)?.value;
    if (typeof value !== "number") return true;
    const lacks = usual.some((field) => !one.found.has(field));
    const isSum = value !== 0 && (lacks && count > 1 ? true : !has(usual)(one)) && sameAmount(section, value);
    count = isSum ? 0 : count + 1;
    section = isSum ? 0 : section + value;
    return !isSum;
  });
}

/** Charges without the numbers that most rows have beside their amounts: `plus VAT 14 %`, `Discount: 5 %`. */
function withoutCharges(rows: readonly ReadRow[], amount: Field, named: Field, beside: readonly Field[]): ReadRow[] {
  const summed = rows.filter(has([amount]));
  const usual = beside.filter((field) => summed.filter(has([field])).length * 2 > summed.length);
  if (usual.length === 0) return [...rows];
  return rows.filter((row) => {
    const name = row.found.get(named)?.value;
    return has(usual)(row) || typeof name !== "string" || !(isCharge(name) || namesCharge(name));
  });
}

/** Indent of rows that detail the one above, beyond most rows with an amount. */
const MIN_DETAIL_INDENT_INCHES = 0.1;

const leftOf = ({ row }: ReadRow): number =>
  Math.min(...[...row.cells.values()].flatMap(({ tokens }) => tokens.map(({ box }) => box.left)));

/** Rows without an amount, further in than the rows with one: details of an item, or a table of their own below it. */
function withoutDetails(rows: readonly ReadRow[], amount: Field): ReadRow[] {
  const lefts = rows.filter(has([amount])).map(leftOf);
  if (lefts.length === 0) return [...rows];
  const edge = median(lefts) + MIN_DETAIL_INDENT_INCHES;
  return rows.filter((row) => has([amount])(row) || leftOf(row) <= edge);
}

/**
 * The items among rows: an item has a number or date if many rows have one, and an amount if most have one or the amounts
 * add up to a printed total. Other rows continue the one above, or head a group.
 * @param isPrinted the document prints this amount
 */
export function itemsAmong(
  rows: readonly ReadRow[],
  wanted: readonly WantedProperty[],
  isPrinted: (amount: number) => boolean,
): ReadRow[] {
  const valued = wanted.filter(({ reader }) => reader.kind === "value").map(({ field }) => field);
  const sums = wanted.filter(({ meaning }) => meaning.value === "amount").map(({ field }) => field);
  const amount = wanted.find(({ meaning }) => meaning.concept === "line-amount")?.field;
  const others = valued.filter((field) => field !== amount);
  const named = wanted.find(({ meaning }) => meaning.concept === "item-description")?.field;
  const listed = amount === undefined ? [...rows] : withoutDetails(withoutSectionSums(rows, amount, others), amount);
  const own = amount === undefined || named === undefined ? listed : withoutCharges(listed, amount, named, others);
  const amounts = own.flatMap(({ found }) => (amount === undefined ? [] : (found.get(amount)?.value ?? [])));
  const total = amounts.reduce((sum: number, value) => sum + (typeof value === "number" ? value : 0), 0);
  const proven = amounts.length > 1 && isPrinted(total);
  const needsValue = own.filter(has(valued)).length > own.length / 3;
  const needsSum = own.filter(has(sums)).length > own.length / 2;
  return own.filter(
    (row) =>
      (!needsValue || has(valued)(row)) &&
      (!needsSum || has(sums)(row)) &&
      (!proven || amount === undefined || row.found.has(amount)),
  );
}
