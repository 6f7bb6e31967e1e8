/** Amounts and tax rates of a recognised page as they are printed, whatever stands beside them. */
import type { DocumentView } from "../../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import type { Conventions } from "../value-reader.ts";

/** Rows that are read; a receipt of two metres has fewer. */
const MAX_ROWS = 400;
/** Rates of taxes on sales, in percent. */
const MAX_RATE = 40;
/** A rate with its sign in front: `%08`. */
const RATE_BEHIND_SIGN = /%\s?0?(\d{1,2})(?![\d.,])/g;

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

/** Recognition parts cents from their mark or takes it for a space: `283, 75`, `54.3 5`, `54 50`. The text keeps its length. */
export const joinCents = (text: string): string =>
  text
    .replace(/(\d+[.,]) (\d{2})(?![\d.,])|(\d+[.,]\d) (\d)$/gu, " $1$2$3$4")
    .replace(/^((?:[A-Z]{3} ?|\p{Sc})?\d{1,4}) (\d{2})$/u, "$1.$2");

/** The text of a segment, as recognition meant its amounts. */
const joinCentsOf = ({ text, tokens }: Segment): string =>
  tokens.some(({ recognised }) => recognised) ? joinCents(text) : text;

/** Amounts as the document writes them: with cents, or where most have none, in groups of thousands or with a sign. */
export function printedAmounts({ view, conventions }: AmountsPage): PrintedAmount[] {
  const found = view.rows.slice(0, MAX_ROWS).flatMap(({ segments }, row) =>
    segments.flatMap((segment) => {
      const text = joinCentsOf(segment);
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
export function printedRates({ view, conventions }: AmountsPage): number[] {
  const texts = view.rows.slice(0, MAX_ROWS).flatMap(({ segments }) => segments.map(({ text }) => text));
  const rates = texts.flatMap((text) => {
    if (!text.includes("%")) return [];
    const spans = scanNumbers(text, conventions.notation).filter(({ percent }) => percent);
    return [
      ...Array.from(text.matchAll(RATE_BEHIND_SIGN), ([, digits]) => Number(digits)),
      ...spans.map(({ value }) => value),
    ];
  });
  return [...new Set(rates)].filter((rate) => rate > 0 && rate <= MAX_RATE);
}
