/** The total of a till receipt whose label cannot be read: what was paid is printed again. */
import { type Token, tokensBetween } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import type { Finding } from "../findings.ts";
import { equalAmount, type TotalsPage } from "./printed-sums.ts";

/** Rows that are read; a receipt of two metres has fewer. */
const MAX_ROWS = 400;
/** Confidence of an amount that only its repetition names: the largest one on receipts is hardly anything else. */
const REPEATED_CONFIDENCE = 0.72;
/** Amounts of a receipt from which the largest one is not just that of its only line. */
const MIN_AMOUNTS = 3;

interface Printed {
  value: number;
  row: number;
  tokens: Token[];
}

function amountsOn({ view, conventions }: TotalsPage): Printed[] {
  return view.rows
    .slice(0, MAX_ROWS)
    .flatMap((row, index) =>
      row.segments.flatMap((segment) =>
        scanNumbers(segment.text, conventions.notation).flatMap(({ decimals, percent, value, start, end }) =>
          decimals === 2 && !percent && value > 0
            ? [{ value, row: index, tokens: tokensBetween(segment, start, end) }]
            : [],
        ),
      ),
    );
}

/** The amount is what was given without the change, both printed: three amounts prove it. */
const isPaidInCash = (value: number, values: readonly number[]): boolean =>
  values.some((given) => given > value && values.some((change) => equalAmount(given - value, change)));

/**
 * The total of a receipt as the largest amount that is printed on two rows or more, or as what was given less the change.
 * A larger amount is what was given.
 */
export function paidTotal(page: TotalsPage): Finding | null {
  const amounts = amountsOn(page);
  const values = [...new Set(amounts.map(({ value }) => value))].sort((a, b) => b - a);
  if (amounts.length < MIN_AMOUNTS) return null;
  for (const value of values) {
    const places = amounts.filter((amount) => amount.value === value);
    const isRepeated = new Set(places.map(({ row }) => row)).size > 1;
    const [last] = places.slice(-1);
    if (last !== undefined && (isRepeated || isPaidInCash(value, values)))
      return { value, tokens: last.tokens, confidence: REPEATED_CONFIDENCE };
    const isGiven = values.some(
      (total) => total < value && values.some((change) => equalAmount(value - total, change)),
    );
    if (!isGiven) return null;
  }
  return null;
}
