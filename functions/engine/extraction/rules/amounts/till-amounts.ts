/** Amounts and tax rates of a recognised page as they are printed, whatever stands beside them. */
import { amountText } from "../../../structure/records/amount-text.ts";
import { ratesIn } from "../../../structure/records/tax-lines.ts";
import type { DocumentView } from "../../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import type { Conventions } from "../value-reader.ts";

/** Rows that are read; a receipt of two metres has fewer. */
const MAX_ROWS = 400;
export interface PrintedAmount {
  /** Without its sign. */
  value: number;
  /** With its sign: deductions are subtracted from sums. */
  signed: number;
  row: number;
  tokens: Token[];
  segment: Segment;
}

export interface AmountsPage {
  view: Pick<DocumentView, "rows">;
  conventions: Pick<Conventions, "notation">;
}

/** Amounts as the document writes them: with cents, or where most have none, in groups of thousands or with a sign. */
export function printedAmounts({ view, conventions }: AmountsPage): PrintedAmount[] {
  const found = view.rows.slice(0, MAX_ROWS).flatMap(({ segments }, row) =>
    segments.flatMap((segment) => {
      const text = amountText(
        segment.text,
        segment.tokens.some(({ recognised }) => recognised),
      );
      return scanNumbers(text, conventions.notation).flatMap(({ decimals, percent, value, currency, start, end }) => {
        const isGrouped = decimals === 3 || /\d[ .,]\d{3}\D*$/.test(text.slice(start, end));
        if (percent || value === 0 || !(decimals === 2 || isGrouped || (decimals === 0 && currency !== null)))
          return [];
        // Three digits behind a mark are no cents, whatever mark the others have.
        const signed = decimals === 3 ? Math.round(value * 1000) : value;
        const tokens = tokensBetween(segment, start, end);
        return [{ value: Math.abs(signed), signed, row, tokens, segment, hasCents: decimals === 2 }];
      });
    }),
  );
  const cents = found.filter(({ hasCents }) => hasCents);
  return 2 * cents.length >= found.length ? cents : found.filter(({ hasCents }) => !hasCents);
}

/** Rates in percent that the page prints and a tax may have. */
export const printedRates = ({ view, conventions }: AmountsPage): number[] => [
  ...new Set(
    view.rows
      .slice(0, MAX_ROWS)
      .flatMap(({ segments }) => segments.flatMap(({ text }) => ratesIn(text, conventions.notation))),
  ),
];
