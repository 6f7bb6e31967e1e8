/** Checks over several amounts: totals with taxes, rows with products, columns with sums. */

import { SUM_TOLERANCE, sameAmount } from "../extraction/rules/amounts/printed-sums.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import type { Notation } from "../values/numbers.ts";
import { parseNumber } from "../values/numbers.ts";
import { type Check, type CheckSide, checkBetween, formatAmount, type KnownLeaf } from "./check.ts";

/** An amount of one concept, with the pointers of all leaves that state it. */
interface Amount extends CheckSide {
  value: number;
  pointers: string[];
}

/** The number that a value means. @returns null for other values */
export function amountOf(value: Leaf["value"], notation: Notation): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean" || value.length > 40) return null;
  return /^[-+]?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : parseNumber(value, notation);
}

/** Amounts outside of lists by concept, without concepts of contradictory values. */
function totalsOf(known: readonly KnownLeaf[], notation: Notation): Map<string, Amount> {
  const totals = new Map<string, Amount>();
  const contested = new Set<string>();
  for (const { leaf, meaning } of known) {
    if (leaf.item !== null || meaning.concept === null || (meaning.value !== "amount" && meaning.value !== "rate"))
      continue;
    const value = amountOf(leaf.value, notation);
    if (value === null) continue;
    const before = totals.get(meaning.concept);
    if (before === undefined) totals.set(meaning.concept, { value, pointers: [leaf.pointer] });
    else if (sameAmount(before.value, value)) before.pointers.push(leaf.pointer);
    else contested.add(meaning.concept);
  }
  for (const concept of contested) totals.delete(concept);
  return totals;
}

/** An amount between two totals, with its possible signs: a discount is subtracted, however it is printed. */
interface Adjustment extends Amount {
  signs: readonly number[];
}

const adjustmentsOf = (totals: ReadonlyMap<string, Amount>, kinds: Record<string, readonly number[]>): Adjustment[] =>
  Object.entries(kinds).flatMap(([concept, signs]) => {
    const amount = totals.get(concept);
    return amount === undefined || amount.value === 0 ? [] : [{ ...amount, signs }];
  });

/** The adjustments, each added, subtracted or left out, that lead from one sum to another. @returns null if none do */
function findAdjustments(from: number, to: number, extras: readonly Adjustment[]): Adjustment[] | null {
  const [extra, ...rest] = extras;
  if (extra === undefined) return sameAmount(from, to) ? [] : null;
  const without = findAdjustments(from, to, rest);
  if (without !== null) return without;
  for (const sign of extra.signs) {
    const used = findAdjustments(from + sign * extra.value, to, rest);
    if (used !== null) return [extra, ...used];
  }
  return null;
}

interface TotalEquation {
  name: string;
  from: Amount[];
  to: Amount;
  adjustments: Adjustment[];
  /** The message for the two sides of the equation. */
  message: (left: number, right: number) => string;
}

function checkEquation({ name, from, to, adjustments, message }: TotalEquation): Check | null {
  const sum = from.reduce((total, { value }) => total + value, 0);
  const used = findAdjustments(sum, to.value, adjustments);
  // An equation with a zero side proves neither.
  if (used !== null && from.some(({ value }) => value === 0)) return null;
  if (used !== null) return checkBetween(name, "arithmetic", [...from, to, ...used], "");
  return checkBetween(name, "arithmetic", [...from, to, ...adjustments], message(sum, to.value));
}

/** Checks net, tax, gross and amount due. */
function checkTotals(totals: ReadonlyMap<string, Amount>): Check[] {
  const checks: (Check | null)[] = [];
  const [net, tax, gross, due] = ["net-total", "tax-total", "gross-total", "amount-due"].map((id) => totals.get(id));
  const either = [1, -1] as const;
  if (net !== undefined && tax !== undefined && gross !== undefined)
    checks.push(
      checkEquation({
        name: "net-plus-tax",
        from: [net, tax],
        to: gross,
        adjustments: adjustmentsOf(totals, {
          shipping: [1],
          surcharge: [1],
          discount: either,
          rounding: either,
          tip: [1],
          prepaid: either,
        }),
        message: (left, right) =>
          `The net total and the tax make ${formatAmount(left)}, but the gross total is ${formatAmount(right)}.`,
      }),
    );
  const owed = adjustmentsOf(totals, {
    prepaid: either,
    "previous-balance": either,
    rounding: either,
    discount: either,
    tip: [1],
  });
  // Without a stated payment, a different amount due is no contradiction.
  if (gross !== undefined && due !== undefined && (owed.length > 0 || sameAmount(gross.value, due.value)))
    checks.push(
      checkEquation({
        name: "gross-to-due",
        from: [gross],
        to: due,
        adjustments: owed,
        message: (left, right) =>
          `The gross total is ${formatAmount(left)}, and no payment that is stated makes ${formatAmount(right)} due.`,
      }),
    );
  const rate = totals.get("tax-rate");
  if (net !== undefined && tax !== undefined && rate !== undefined) checks.push(...checkRate(net, tax, rate));
  return checks.filter((check) => check !== null);
}

/** Checks tax by its rate, in percent or as a fraction; tolerates half a cent of rounding for every hundred. */
function checkRate(net: Amount, tax: Amount, rate: Amount): Check[] {
  const percent = Math.abs(rate.value) < 1 ? rate.value * 100 : rate.value;
  const expected = (net.value * percent) / 100;
  const comes = Math.abs(expected - tax.value) <= SUM_TOLERANCE + Math.abs(net.value) * 5e-5;
  const message = `${formatAmount(percent)} % of ${formatAmount(net.value)} would be ${formatAmount(Number(expected.toFixed(2)))}, but the tax is ${formatAmount(tax.value)}.`;
  return [checkBetween("tax-by-rate", "arithmetic", [net, tax, rate], comes ? "" : message)];
}

type AmountRow = Map<string, Amount>;

/** Amounts of list rows, by list and row. */
function rowsOf(known: readonly KnownLeaf[], notation: Notation): Map<string, Map<number, AmountRow>> {
  const lists = new Map<string, Map<number, AmountRow>>();
  for (const { leaf, meaning } of known) {
    if (leaf.item === null || meaning.concept === null) continue;
    if (meaning.value !== "amount" && meaning.value !== "quantity" && meaning.value !== "rate") continue;
    const value = amountOf(leaf.value, notation);
    if (value === null) continue;
    const { list, at } = leaf.item;
    const rows = lists.get(list) ?? new Map<number, AmountRow>();
    lists.set(list, rows);
    const row: AmountRow = rows.get(at) ?? new Map();
    rows.set(at, row);
    if (!row.has(meaning.concept)) row.set(meaning.concept, { value, pointers: [leaf.pointer] });
  }
  return lists;
}

/** Tolerance for rounded unit prices: half a cent per piece. */
const productSlack = (quantity: number): number => SUM_TOLERANCE + Math.min(Math.abs(quantity), 1000) * 0.005;

/** A lost decimal mark multiplies an amount by 100. */
const LOST_DECIMAL_MARK_FACTOR = 100;

/** The side of a failed product, price or amount, that makes it hold with a decimal mark inserted. */
function sideWithLostDecimalMark(quantity: Amount, price: Amount, amount: Amount): Amount | undefined {
  const isMet = (a: number, b: number): boolean => Math.abs(a - b) <= productSlack(quantity.value);
  const found = [price, amount].filter((one) => {
    const less = one.value / LOST_DECIMAL_MARK_FACTOR;
    if (!Number.isInteger(one.value) || one.value === 0) return false;
    return one === price
      ? isMet(quantity.value * less, amount.value)
      : isMet(quantity.value * price.value, less) && Math.abs(less) > productSlack(quantity.value);
  });
  return found.length === 1 ? found[0] : undefined;
}

function checkRow(row: AmountRow): Check[] {
  const [quantity, price, amount] = ["quantity", "unit-price", "line-amount"].map((concept) => row.get(concept));
  if (quantity === undefined || price === undefined || amount === undefined) return [];
  const product = quantity.value * price.value;
  const taken = row.get("discount");
  const expected = [
    product,
    ...(taken === undefined ? [] : [product - Math.abs(taken.value), product * (1 - Math.abs(taken.value) / 100)]),
  ];
  const comes = expected.some((value) => Math.abs(value - amount.value) <= productSlack(quantity.value));
  const message = `${formatAmount(quantity.value)} times ${formatAmount(price.value)} is ${formatAmount(Number(product.toFixed(2)))}, but the amount is ${formatAmount(amount.value)}.`;
  const check = checkBetween("quantity-times-price", "arithmetic", [quantity, price, amount], comes ? "" : message);
  const wrong = comes ? undefined : sideWithLostDecimalMark(quantity, price, amount);
  return [wrong === undefined ? check : { ...check, sides: [wrong] }];
}

/** Checks the amounts of all rows against the total. */
function checkColumn(rows: ReadonlyMap<number, AmountRow>, totals: ReadonlyMap<string, Amount>): Check[] {
  const amounts = [...rows.values()].flatMap((row) => row.get("line-amount") ?? []);
  const targets = ["net-total", "gross-total"].flatMap((concept) => totals.get(concept) ?? []);
  // A single row is its own sum.
  if (amounts.length === 0 || amounts.length < rows.size || targets.length === 0) return [];
  const sum = amounts.reduce((total, { value }) => total + value, 0);
  const extras = adjustmentsOf(totals, {
    discount: [1, -1],
    shipping: [1],
    surcharge: [1],
    rounding: [1, -1],
    tip: [1],
  });
  const met = targets.find((one) => findAdjustments(sum, one.value, extras) !== null);
  const target = met ?? targets[0];
  if (target === undefined) return [];
  const message = `The ${amounts.length} lines make ${formatAmount(Number(sum.toFixed(2)))}, but the total is ${formatAmount(target.value)}.`;
  return [checkBetween("lines-to-total", "arithmetic", [...amounts, target], met === undefined ? message : "")];
}

/** A nested list belongs to one row of the outer list: its sums are not the document's. */
const isOuterList = (path: string): boolean => path.split("/*").length === 2;

/** Checks every sum and product that the result states. Linear time; pure. */
export function checkAmounts(known: readonly KnownLeaf[], notation: Notation): Check[] {
  const totals = totalsOf(known, notation);
  const checks = checkTotals(totals);
  for (const [list, rows] of rowsOf(known, notation)) {
    for (const row of rows.values()) checks.push(...checkRow(row));
    if (isOuterList(list)) checks.push(...checkColumn(rows, totals));
  }
  return checks;
}
