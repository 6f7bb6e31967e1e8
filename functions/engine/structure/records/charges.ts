/** Sums and charges: they add up to a total like rows of a list, and are none. */
import { labelKey } from "../../values/label-words.ts";
import { splitName } from "../../values/text-folding.ts";
import { DOCUMENT_LABELS, meaningsInText, meaningsOfName } from "../../values/vocabulary/vocabulary.ts";
import { isSumRow, namesSum } from "./sum-rows.ts";

const TOTALS = new Set(["net-total", "gross-total", "amount-due"]);
const CHARGES = new Set([
  ...TOTALS,
  "tax-total",
  "discount",
  "shipping",
  "surcharge",
  "rounding",
  "tip",
  "prepaid",
  "previous-balance",
  "cash-given",
]);

/** Letters in brackets inside of a word belong to its form in another language: `TOTA(A)L`. */
const withoutValues = (label: string): string =>
  label
    .replace(/(?<=\p{L})\(\p{L}+\)(?=\p{L})/gu, "")
    .replace(/[\d.,]+\s?%?|[()€$£:*]/g, " ")
    .trim();

/** The label says a total, or begins with one: `TOTAL EUR`, `Subtotal no tax`. */
export function namesTotal(label: string): boolean {
  // What stands in brackets behind a total's name says more about it: `Total (23 items)`.
  const own = withoutValues(label.replace(/(?<=\p{L}\s+)\([^()]*\)\s*$/u, ""));
  const [first = ""] = own.split(/\s+/);
  const means = DOCUMENT_LABELS.meaningsOf(labelKey(own)).some(
    ({ concept, strength }) => TOTALS.has(concept) && strength === 1,
  );
  return means || isSumRow([own]) || namesSum(first);
}

/** The label says a tax, a discount, a payment or a sum, and nothing else: `VAT 20 %`, not `Tax advice`. */
export function isCharge(label: string): boolean {
  const own = withoutValues(label);
  const words = splitName(own).filter((word) => /\p{L}/u.test(word));
  return [...DOCUMENT_LABELS.meaningsOf(labelKey(own)), ...meaningsOfName(words, false)].some(({ concept }) =>
    CHARGES.has(concept),
  );
}

/** The name of a row or list mentions taxes, discounts or fees: charges on the sum of a list. */
export const namesCharge = (text: string): boolean =>
  meaningsInText(text, false).some(({ concept }) => CHARGES.has(concept));

/** The name mentions a tax: `VAT (S)`. */
export const namesTax = (text: string): boolean =>
  meaningsInText(text, false).some(({ concept }) => concept === "tax-total");

/**
 * Groups of rows without charges: rows whose label means a charge and nothing else; and the last rows of a group whose
 * labels mention charges or sums, unless other rows' labels do too.
 */
export function withoutCharges<Item>(groups: readonly (readonly Item[])[], labelOf: (row: Item) => string): Item[][] {
  const own = groups.map((rows) => rows.filter((row) => !isCharge(labelOf(row))));
  const speaksOfCharge = (row: Item): boolean => {
    const words = withoutValues(labelOf(row));
    return namesCharge(words) || words.split(/\s+/).some((word) => isCharge(word));
  };
  const speaks = (row: Item): boolean => speaksOfCharge(row) || namesSum(withoutValues(labelOf(row)));
  const lasts = own.map((rows) => rows.findLastIndex((row) => !speaks(row)));
  // Words at the beginning of rows in the middle are no charges: Porto is a town.
  const usual = own.some((rows, at) => rows.slice(0, lasts[at]).some(speaksOfCharge));
  return usual ? own : own.map((rows, at) => rows.slice(0, (lasts[at] ?? -1) + 1));
}
