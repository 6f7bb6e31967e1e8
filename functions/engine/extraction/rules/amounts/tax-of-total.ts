/**
 * The tax of a known total where labels are lost: the two amounts that make it, side by side or right above it, or the
 * part of it that a printed rate leads to.
 */
import { ARITHMETIC_SCORE, equalAmount, type Sum, type TotalsPage } from "./printed-sums.ts";
import { type PrintedAmount, printedAmounts, printedRates } from "./till-amounts.ts";

/** Chance that some printed amount is the tax by coincidence, above which one without a label proves nothing. */
const MAX_CHANCE = 0.05;
/** Highest rate of a tax on sales, as a share of its base. */
const MAX_TAX_SHARE = 0.4;
/** Rows from the base of a tax to the total. */
const MAX_ROWS_TO_TOTAL = 4;

const isRecognised = ({ candidate }: Sum): boolean => candidate.tokens.some(({ recognised }) => recognised);

const sumAt = ({ value, tokens, segment }: PrintedAmount): Sum => ({
  value,
  score: ARITHMETIC_SCORE,
  candidate: { value, tokens, score: ARITHMETIC_SCORE, relation: "pattern", segment, hit: null },
});

/** Most that a till rounds a total in cash by. */
const MAX_ROUNDING = 0.5;

/**
 * Net and tax that make a recognised total: on one row, as in tables by rate, or above it at a printed rate. A row with
 * its own rate and total tells them of a total that was rounded.
 */
export function partsOfTotal(gross: Sum, page: TotalsPage): { net: Sum; tax: Sum } | null {
  if (!isRecognised(gross)) return null;
  const amounts = printedAmounts(page).filter(({ signed }) => signed > 0);
  const rates = printedRates(page);
  const totals = amounts.filter(({ value }) => equalAmount(value, gross.value)).map(({ row }) => row);
  const isTaxOf = (tax: PrintedAmount, net: PrintedAmount): boolean => {
    if (tax.value > MAX_TAX_SHARE * net.value) return false;
    const isOfRate = (base: PrintedAmount): boolean =>
      rates.some((rate) => equalAmount(Number(((base.value * rate) / 100).toFixed(2)), tax.value));
    const own = amounts.filter(({ row }) => row === tax.row);
    if (!equalAmount(net.value + tax.value, gross.value)) {
      const whole = own.find(({ value }) => equalAmount(net.value + tax.value, value));
      const isRounded = whole !== undefined && Math.abs(whole.value - gross.value) <= MAX_ROUNDING;
      return isRounded && tax.row === net.row && isOfRate(net);
    }
    if (tax.row === net.row && totals.includes(net.row)) return true;
    const isAbove = totals.some((row) => net.row <= tax.row && tax.row < row && row - net.row <= MAX_ROWS_TO_TOTAL);
    return isAbove && (tax.row === net.row || isOfRate(net) || own.some(isOfRate));
  };
  for (const net of amounts) {
    const tax = amounts.find((other) => isTaxOf(other, net));
    if (tax !== undefined) return { net: sumAt(net), tax: sumAt(tax) };
  }
  return null;
}

/**
 * The tax that a recognised total includes, by a printed rate: one of the labelled ones, or an amount whose label is lost.
 * @returns null where no printed rate leads to one
 */
export function includedTax(gross: Sum, labelled: readonly Sum[], page: TotalsPage): Sum | null {
  if (!isRecognised(gross)) return null;
  const rates = printedRates(page);
  const expected = rates.map((rate) => Number(((gross.value * rate) / (100 + rate)).toFixed(2)));
  const isExpected = ({ value }: { value: number }): boolean => expected.some((tax) => equalAmount(tax, value));
  const own = labelled.find(isExpected);
  if (own !== undefined) return own;
  const amounts = printedAmounts(page);
  const found = amounts.findLast(isExpected);
  const chance = (rates.length * amounts.length) / (100 * gross.value);
  return found === undefined || chance > MAX_CHANCE ? null : sumAt(found);
}

/** The page prints a rate that is this share, to a hundredth of its amount. */
export const isPrintedRate = (share: number, page: TotalsPage): boolean =>
  printedRates(page).some((rate) => Math.abs(rate / 100 - share) < 0.01 * share);

/** The recognised tax lines of several rates have their sum below them: it is the whole tax. */
export function withoutPartsOfTax(taxes: readonly Sum[]): readonly Sum[] {
  const lines = taxes.filter((sum) => sum.value > 0 && isRecognised(sum));
  const whole = lines.find((sum) => {
    const parts = lines.filter(({ candidate }) => candidate.segment.row < sum.candidate.segment.row);
    return (
      parts.length > 1 &&
      equalAmount(
        parts.reduce((total, { value }) => total + value, 0),
        sum.value,
      )
    );
  });
  return whole === undefined ? taxes : [whole];
}
