/**
 * Totals of a text layer that their place among other amounts shows, in whatever language their labels are: the sum of
 * a column, and the row of totals below the columns of net, tax and gross.
 */
import { spanOverlap } from "../../../layout/geometry.ts";
import type { PlacedAmount } from "./placed-amounts.ts";
import { equalAmount, type Sum, type TotalsPage } from "./printed-sums.ts";

/** Score of a sum of a column: its label, if one is known, says the same more surely. */
const COLUMN_SCORE = 0.78;
/** Score of the sums of a row of totals, which three amounts and a label or two columns prove. */
const ROW_SCORE = 0.9;
/** Rows of goods above a total. */
const MAX_ADDENDS = 60;
const MIN_ADDENDS = 2;
/** Lines of which the last amounts make a sum, though they stand in no column. */
const MIN_RAGGED_ADDENDS = 3;
/** Pages of a document that nothing else shows to be a bill: longer ones are reports with tables. */
const MAX_UNKNOWN_PAGES = 2;
/** Highest rate of a tax on sales, as a share of its base. */
const MAX_TAX_SHARE = 0.4;
/** Amounts in a row of totals. */
const MIN_ROW_AMOUNTS = 3;
const MAX_ROW_AMOUNTS = 8;
/** Columns overlap by more than a rounding error. */
const MIN_OVERLAP_INCHES = 0.02;

type SummedPage = Pick<TotalsPage, "view" | "labels" | "bill" | "amounts">;

/** The amounts of a bill, or of a document so short that it may be one. */
const amountsOf = ({ view, bill, amounts }: SummedPage): readonly PlacedAmount[] =>
  bill || view.pages.length <= MAX_UNKNOWN_PAGES ? amounts() : [];

const shareColumn = (a: PlacedAmount, b: PlacedAmount): boolean =>
  a.page === b.page && spanOverlap(a.left, a.right, b.left, b.right) > MIN_OVERLAP_INCHES;

/** The amounts in the column of one and above it, upwards, one of each row. */
function columnAbove(one: PlacedAmount, amounts: readonly PlacedAmount[], below: number): PlacedAmount[] {
  const column: PlacedAmount[] = [];
  for (let at = amounts.length - 1; at >= 0 && column.length < MAX_ADDENDS; at -= 1) {
    const other = amounts[at];
    if (other !== undefined && other.row < below && shareColumn(one, other) && column.at(-1)?.row !== other.row)
      column.push(other);
  }
  return column;
}

/** The nearest amounts of a column, at least so many, make the sum. */
function addsUp(total: number, column: readonly PlacedAmount[], least = MIN_ADDENDS): boolean {
  let sum = 0;
  return column.slice(0, MAX_ADDENDS).some(({ value }, at) => {
    sum += value;
    return at + 1 >= least && equalAmount(sum, total);
  });
}

const toSum = ({ value, tokens, segment }: PlacedAmount, score: number): Sum => ({
  value,
  score,
  candidate: { value, tokens, score, relation: "pattern", segment, hit: null },
});

/** A label of a row of sums says that it is another amount than the total. */
const isOtherwiseLabelled = ({ segment, row }: PlacedAmount, { view, labels }: SummedPage): boolean =>
  (view.rows[row]?.segments ?? []).some(
    (one) =>
      one.box.left <= segment.box.left &&
      (labels.bySegment.get(one) ?? []).some(
        ({ concept, strength }) => strength === 1 && concept !== "gross-total" && concept !== "amount-due",
      ),
  );

/** The largest amount that is the sum of the amounts right above it in one column, and below which no larger one stands. */
export function columnTotal(page: SummedPage): Sum | null {
  const amounts = amountsOf(page);
  const money = amounts.filter(({ isMoney }) => isMoney);
  const totals = money.filter((total) => {
    const above = money.filter(({ row }) => row < total.row);
    const lasts = above.filter(({ row }, at) => above[at + 1]?.row !== row).reverse();
    return (
      [total, ...lasts.slice(0, 1)].some((one) => addsUp(total.value, columnAbove(one, amounts, total.row))) ||
      addsUp(total.value, lasts, MIN_RAGGED_ADDENDS)
    );
  });
  const [top] = totals.sort((a, b) => b.value - a.value || a.row - b.row);
  if (top === undefined || isOtherwiseLabelled(top, page)) return null;
  const later = money.filter(({ row, page: at }) => at === top.page && row > top.row);
  // A payment may be larger than the total; the change printed below it is the rest.
  const isGiven = (one: PlacedAmount): boolean =>
    later.some(({ row, value }) => row > one.row && equalAmount(one.value - top.value, value));
  const isLast = !later.some((one) => one.value > top.value && !isGiven(one));
  return isLast ? toSum(top, COLUMN_SCORE) : null;
}

/** Net, tax and gross of a row: the last amount is the sum of an earlier one and of those between them. */
function tripleOf(row: readonly PlacedAmount[]): { net: PlacedAmount; tax: PlacedAmount; gross: PlacedAmount } | null {
  const gross = row.at(-1);
  if (gross === undefined || row.length < MIN_ROW_AMOUNTS || row.length > MAX_ROW_AMOUNTS) return null;
  for (const [at, net] of row.slice(0, -2).entries()) {
    const taxes = row.slice(at + 1, -1).filter(({ value }) => value !== 0);
    const [tax] = taxes;
    const open = gross.value - net.value;
    if (tax === undefined || taxes.length > 1 || open <= 0 || open > MAX_TAX_SHARE * net.value) continue;
    if (equalAmount(tax.value, open)) return { net, tax, gross };
  }
  return null;
}

/**
 * Net, tax and gross in the row of totals: its label says so, or headings name net and tax, or the columns of net and
 * gross add up to it.
 * @param nets sums by labels of net totals, as `taxes` by those of taxes
 */
export function totalsInRow(
  page: SummedPage,
  nets: readonly Sum[] = [],
  taxes: readonly Sum[] = [],
): { net: Sum; tax: Sum; gross: Sum } | null {
  const amounts = amountsOf(page);
  const rows = [...Map.groupBy(amounts, ({ row }) => row).values()].reverse();
  for (const row of rows) {
    const triple = tripleOf(row.sort((a, b) => a.left - b.left));
    if (triple === null) continue;
    const [first] = page.view.rows[triple.gross.row]?.segments ?? [];
    const isLabelled =
      first !== undefined &&
      (page.labels.bySegment.get(first) ?? []).some(({ concept, from }) => concept === "gross-total" && from === 0);
    const isNamed = ({ tokens }: PlacedAmount, sums: readonly Sum[]): boolean =>
      sums.some(({ candidate }) => candidate.tokens.some((token) => tokens.includes(token)));
    const isSummed = (one: PlacedAmount): boolean => addsUp(one.value, columnAbove(one, amounts, one.row));
    const areNamed = isNamed(triple.net, nets) && isNamed(triple.tax, taxes);
    if (isLabelled || areNamed || (isSummed(triple.net) && isSummed(triple.gross)))
      return {
        net: toSum(triple.net, ROW_SCORE),
        tax: toSum(triple.tax, ROW_SCORE),
        gross: toSum(triple.gross, ROW_SCORE),
      };
  }
  return null;
}
