/** The numbers of a text layer with their places. */
import type { DocumentView } from "../../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween, unionOf } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import type { Conventions } from "../value-reader.ts";

/** Rows that are read. */
const MAX_ROWS = 400;
/** From here on, a whole number without any mark is no position, count or day; above, all are keys and accounts. */
const MIN_PLAIN_AMOUNT = 1000;
const MAX_AMOUNT = 1e12;

/** A number of a text layer with its place. */
export interface PlacedAmount {
  value: number;
  row: number;
  page: number;
  left: number;
  right: number;
  tokens: Token[];
  segment: Segment;
  /** It has cents, groups of thousands or a currency, or is too large for a count. */
  isMoney: boolean;
}

/** All numbers but rates, row by row. Three digits behind a mark are thousands, as on documents without cents. */
export function placedAmounts({
  view,
  conventions,
}: {
  view: Pick<DocumentView, "rows">;
  conventions: Pick<Conventions, "notation">;
}): PlacedAmount[] {
  return view.rows.slice(0, MAX_ROWS).flatMap(({ segments, page }, row) =>
    segments.flatMap((segment) =>
      scanNumbers(segment.text, conventions.notation).flatMap(({ value, start, end, decimals, percent, currency }) => {
        const tokens = tokensBetween(segment, start, end);
        if (percent || value > MAX_AMOUNT || tokens.some(({ recognised }) => recognised)) return [];
        const { left, right } = unionOf(tokens);
        const text = segment.text.slice(start, end);
        const isMarked = decimals === 1 || decimals === 2 || /\d[ .,'’]\d{3}\D*$/.test(text) || currency !== null;
        const amount = decimals === 3 ? Math.round(value * 1000) : value;
        const isMoney = isMarked || amount >= MIN_PLAIN_AMOUNT;
        return [{ value: amount, row, page, left, right, tokens, segment, isMoney }];
      }),
    ),
  );
}
