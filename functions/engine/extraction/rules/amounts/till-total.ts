/**
 * The total of a till receipt by what the till prints around it, without a label: the change is what was given less the
 * total, the lines above add up to it, and it is printed again where it was paid.
 */
import { leastConfidence } from "../../../structure/view/tokens.ts";
import { equalAmount, type Sum } from "./printed-sums.ts";
import { type AmountsPage, type PrintedAmount, printedAmounts, printedRates } from "./till-amounts.ts";

/** Amounts of a receipt from which the largest one is not just that of its only line. */
export const MIN_AMOUNTS = 3;
/** Rows from the total to what was given, and from there to the change. */
const MAX_ROWS_TO_PAYMENT = 6;
/** Rows in which the amount given is repeated: `Cash`, `Total tendered`. */
const MAX_ROWS_OF_GIVEN = 2;
/** Lines of which the last one is a sum by no chance, and the most of them that are tried. */
const MIN_SUMMED = 3;
const MAX_SUMMED = 60;
/** Scores by the evidence: three amounts prove a change and more of them a sum; what is printed twice is merely likely. */
const TENDERED_SCORE = 0.95;
export const SUMMED_SCORE = 0.9;
const REPEATED_SCORE = 0.78;
const REPEATED_ELSEWHERE_SCORE = 0.7;
/** Rows of goods above a total that is printed twice on another bill than a till receipt. */
const MIN_GOODS = 2;
/** Rows with one amount from which it is no price of goods, though larger ones stand above. */
const MIN_REPEATED = 3;
/** Certainty from which a larger amount without any evidence is no error of recognition. */
const MIN_CONFIDENCE_OF_LARGER = 0.75;

/** The amount stands below another one, at most so many rows. */
const isBelow = (amount: PrintedAmount, other: PrintedAmount): boolean =>
  amount !== other && amount.row >= other.row && amount.row - other.row <= MAX_ROWS_TO_PAYMENT;

/**
 * Below the amount stand what was given, at one place, and the change, which make it. A tax that makes one total of
 * another one stands above that.
 */
function isTendered(total: PrintedAmount, given: readonly PrintedAmount[], amounts: readonly PrintedAmount[]): boolean {
  const [first, last] = [given[0], given.at(-1)];
  if (first === undefined || last === undefined || first.row <= total.row || !isBelow(last, total)) return false;
  const change = amounts.filter(({ value }) => equalAmount(last.value - total.value, value));
  const isOnePlace = last.row - first.row <= MAX_ROWS_OF_GIVEN;
  return isOnePlace && change.some((one) => isBelow(one, last)) && change.every(({ row }) => row >= last.row);
}

/** The last amounts of the rows right above add up to it; two do where one of them is such a sum itself. */
function isSummed({ value, row }: PrintedAmount, lasts: readonly PrintedAmount[]): boolean {
  const above = lasts
    .filter((one) => one.row < row)
    .slice(-MAX_SUMMED)
    .reverse();
  let sum = 0;
  return above.some((one, at) => {
    sum += one.signed;
    if (!equalAmount(sum, value)) return false;
    return at + 1 >= MIN_SUMMED || (at === 1 && isSummed(one, lasts));
  });
}

/** The amount given and the change prove it. */
export const isProof = ({ score }: Sum): boolean => score >= TENDERED_SCORE;

const rowsOf = (places: readonly PrintedAmount[]): number[] => [...new Set(places.map(({ row }) => row))];

/** Score of an amount by the till's evidence; 0 for none. */
function evidenceFor(places: readonly PrintedAmount[], lasts: readonly PrintedAmount[], isSlip: boolean): number {
  if (isSlip && places.some((one) => isSummed(one, lasts))) return SUMMED_SCORE;
  if (rowsOf(places).length < 2) return 0;
  // On a bill the amount of an only line is its net total as well: goods stand above a total.
  const goods = lasts.filter(({ row }) => row < (places[0]?.row ?? 0)).length;
  return isSlip ? REPEATED_SCORE : goods < MIN_GOODS ? 0 : REPEATED_ELSEWHERE_SCORE;
}

/** Amounts above all places of one that is printed that often are those of goods. */
const isAbove = (larger: readonly PrintedAmount[], places: readonly PrintedAmount[]): boolean =>
  rowsOf(places).length >= MIN_REPEATED && larger.every(({ row }) => row < (places[0]?.row ?? 0));

/**
 * The total as the amount that was paid with what was given, or else as the largest one, where the till proves it.
 * @param isSlip the page looks like a till receipt; on other recognised pages sums are no proof
 */
export function tillTotal(page: AmountsPage, isSlip: boolean): Sum | null {
  const amounts = printedAmounts(page);
  // A text layer has its labels whole: they say more than what is printed around an amount.
  if (amounts.length < MIN_AMOUNTS || !amounts.some(({ tokens }) => tokens.some(({ recognised }) => recognised)))
    return null;
  const lasts = amounts.filter(({ row }, at) => amounts[at + 1]?.row !== row);
  const rates = printedRates(page);
  const groups = [...Map.groupBy(amounts, ({ value }) => value)]
    .filter(([value]) => !rates.includes(value))
    .sort(([a], [b]) => b - a);
  const sum = ([value, places]: (typeof groups)[number], score: number): Sum | null => {
    const last = places.at(-1);
    if (last === undefined || score === 0) return null;
    const { tokens, segment } = last;
    // A misread amount would not be the sum of others.
    const certainty = score >= SUMMED_SCORE ? { certainty: score } : {};
    return { value, score, ...certainty, candidate: { value, tokens, score, relation: "pattern", segment, hit: null } };
  };
  // The amount given is the largest one, and the total the next one, or proven by others.
  const [[, given = []] = []] = groups;
  const tendered = groups.find(
    ([, places], at) =>
      places.some((one) => isTendered(one, given, amounts)) &&
      (at === 1 || places.some((one) => isSummed(one, lasts)) || rowsOf(places).length > 1),
  );
  if (tendered !== undefined) return sum(tendered, TENDERED_SCORE);
  const isSure = ({ tokens }: PrintedAmount): boolean => leastConfidence(tokens) >= MIN_CONFIDENCE_OF_LARGER;
  const larger: PrintedAmount[] = [];
  for (const group of groups) {
    const [, places] = group;
    if (larger.length === 0 || isAbove(larger, places)) {
      const found = sum(group, evidenceFor(places, lasts, isSlip));
      if (found !== null) return found;
    }
    larger.push(...places.filter(isSure));
  }
  return null;
}
