/** Sums of money on the page: behind, beside and below their labels, or identified by arithmetic. */

import { amountText } from "../../../structure/records/amount-text.ts";
import type { DocumentView } from "../../../structure/view/document-view.ts";
import { type Row, type Token, tokensBetween, unionOf } from "../../../structure/view/tokens.ts";
import { scanDates } from "../../../values/dates.ts";
import { type NumberSpan, scanNumbers } from "../../../values/numbers.ts";
import { foldText } from "../../../values/text-folding.ts";
import { isListedValue } from "../../document-type/kind-of-document.ts";
import { MIN_CONFIDENCE } from "../choose-candidate.ts";
import { WITH_TAX, WITHOUT_TAX } from "../field-meaning.ts";
import { fillsSegment, type LabelHit, type LabelMap } from "../find-labels.ts";
import { isOfReferencedDocument } from "../referenced-document.ts";
import { ALIGNMENT_WEIGHTS } from "../scoring.ts";
import { alignmentWeight, type Candidate, readZone, type Zone, zonesOf } from "../value-candidates.ts";
import type { Conventions, Reader } from "../value-reader.ts";
import type { PlacedAmount } from "./placed-amounts.ts";
import { repaired } from "./repaired-amounts.ts";

/** A printed sum with its place. */
export interface Sum {
  value: number;
  score: number;
  candidate: Candidate;
  /** 0 to 1: certainty of its recognition by other amounts that it makes; absent, that of its words. */
  certainty?: number;
}

/** Half a cent each for two rounded addends, and a little for floating-point errors. */
export const SUM_TOLERANCE = 0.0151;
/** Equal apart from rounding. */
export const sameAmount = (a: number, b: number): boolean => Math.abs(a - b) < SUM_TOLERANCE;
/** Equal to the cent, as a proof must be: half a cent allows for floating-point errors only. */
export const equalAmount = (a: number, b: number): boolean => Math.abs(a - b) < 0.005;
/** Sums tried for each total. */
const MAX_SUMS = 8;
const MAX_HITS = 120;
const MIN_SUM_SCORE = 0.3;
/** Score of a sum that only arithmetic identifies. */
export const ARITHMETIC_SCORE = 0.72;
const NEARBY_ROWS = 8;

/** The numbers of a text that are no part of a date: `Total TTC du 12/05/2024`. */
function numbersBesideDates(text: string, { notation, order }: Conventions): NumberSpan[] {
  const dates = scanDates(text, order);
  return scanNumbers(text, notation).filter(
    (span) => !dates.some(({ start, end }) => start < span.end && span.start < end),
  );
}

/** Printed with groups of thousands, as amounts are and counts of a few pieces are not. */
const isGrouped = (text: string, start: number, end: number): boolean => /\d[.,'’]\d{3}$/.test(text.slice(start, end));

/** Three digits behind a mark are no cents: `4,500` among `49.000`. */
const asThousands = (span: NumberSpan): NumberSpan => ({ ...span, value: Math.round(span.value * 1000), decimals: 0 });

/** Reads sums of money; a bare whole number beside sums with cents is rather a count. */
const moneyReader = ({ conventions, view }: TotalsPage, hasCents: boolean, hasTenths: boolean): Reader => ({
  kind: "value",
  read: (text) =>
    numbersBesideDates(amountText(text, view.segments[0]?.tokens[0]?.recognised === true), conventions)
      .filter((span) => !span.percent && !(span.decimals === 3 && hasCents && span.currency === null))
      .map((span) => (span.decimals === 3 && !hasCents ? asThousands(span) : span))
      .map(({ start, end, value, decimals, currency }) => ({
        start,
        end,
        value,
        fit:
          decimals === 2 || (decimals === 1 && hasTenths)
            ? 1
            : currency !== null || isGrouped(text, start, end)
              ? 0.95
              : decimals === 0 && !hasCents
                ? 0.68
                : 0.58,
      })),
});

/** The document writes its sums with cents. */
function writesCents(page: TotalsPage): boolean {
  const labelled = ["net-total", "tax-total", "gross-total", "amount-due"].flatMap(
    (id) => page.labels.byConcept.get(id) ?? [],
  );
  return labelled.slice(0, MAX_HITS).some((hit) => {
    const row = page.view.rows[hit.segment.row]?.segments ?? [];
    return row.some((segment) =>
      scanNumbers(segment.text, page.conventions.notation).some((span) => span.decimals === 2),
    );
  });
}

/** Some number has cents; where none has, programs print `4900.0` for a whole amount. */
const printsCents = ({ view }: TotalsPage): boolean =>
  view.segments.some(({ text }) => /\d[.,]\d{2}(?![\d.,/-])/.test(text));

/** The input of the search for sums. */
export interface TotalsPage {
  view: DocumentView;
  labels: LabelMap;
  conventions: Conventions;
  /** Header rows of line items: a "Total" there names a column. */
  itemHeaders: ReadonlySet<number>;
  /** The total that a till receipt proves; null for none. */
  till: Sum | null;
  /** The numbers of a text layer with their places. */
  amounts: () => readonly PlacedAmount[];
  /** The document is a bill: on others, a bare whole number is a line's number or a count. */
  bill: boolean;
  /** Words about a referenced document. */
  referencedWords: ReadonlySet<Token>;
}

/** Rows of a column of sums under one label: one per tax rate, and their total. */
const MAX_RATE_ROWS = 8;

/** The sum below a label that adds up those above it. */
function columnSum(zone: Zone, first: Candidate[], hit: LabelHit, page: TotalsPage, reader: Reader): Candidate[] {
  let running = typeof first[0]?.value === "number" ? first[0].value : Number.NaN;
  const { segment } = zone;
  for (const row of page.view.rows.slice(segment.row + 1, segment.row + 1 + MAX_RATE_ROWS)) {
    const under =
      row.page === segment.page
        ? row.segments.find((other) => alignmentWeight(segment.box, other.box) >= ALIGNMENT_WEIGHTS.middle)
        : undefined;
    if (under === undefined) continue;
    const [next] = readZone({ ...zone, segment: under, start: 0, end: under.text.length }, reader, hit);
    if (typeof next?.value !== "number") return first;
    if (sameAmount(next.value, running)) return [next];
    running += next.value;
  }
  return first;
}

/** On other documents than bills, words of totals occur in sentences and names: `Tax guide`, `the net result was`. */
const isMereMention = (hit: LabelHit, { bill }: TotalsPage): boolean =>
  !bill && !hit.colon && (hit.from > 0 || !fillsSegment(hit));

/** Concepts of which two head a table of sums by tax rate: net, tax and gross amounts stand below them. */
const SUM_HEADINGS = new Set(["net-total", "tax-total", "gross-total"]);

/** A label heads a table of sums by tax rate rather than the line items. */
function headsTaxTable({ segment }: LabelHit, { view, labels }: TotalsPage): boolean {
  const heads = (view.rows[segment.row]?.segments ?? []).flatMap((one) =>
    (labels.bySegment.get(one) ?? []).filter(({ concept, strength }) => strength === 1 && SUM_HEADINGS.has(concept)),
  );
  return new Set(heads.map(({ concept }) => concept)).size > 1;
}

/** An amount with tax, and the base of a tax, are none: `Total (incl. VAT)`, `Amount without VAT, subject to VAT at 20 %`. */
function isSumWithTax({ concept, segment, from, to }: LabelHit): boolean {
  if (concept !== "tax-total" || from === 0) return false;
  const words = segment.tokens.slice(0, to).map(({ text }) => text);
  const label = foldText(words.join(" "));
  // `excl. tax 19 %` alone is the tax on top.
  return label.search(WITHOUT_TAX) > 0 || label.search(WITH_TAX) > 0;
}

/** The tax in the row of the total, below the heading of its column. */
function taxInTotalsRow(hit: LabelHit, { view, labels }: TotalsPage, reader: Reader): Candidate[] {
  if (hit.concept !== "tax-total") return [];
  const total = view.rows.slice(hit.segment.row + 1).find(({ page, segments: [first] }) => {
    const hits = page === hit.segment.page && first !== undefined ? (labels.bySegment.get(first) ?? []) : [];
    return hits.some(({ concept, from, to }) => concept === "gross-total" && from === 0 && to === first?.tokens.length);
  });
  const cells = (total?.segments ?? []).slice(1).filter(({ text }) => reader.read(text).length > 0);
  const under = cells.find(({ box }) => alignmentWeight(hit.segment.box, box) > 0);
  if (under === undefined || cells.length < MIN_CELLS_OF_TOTALS) return [];
  const weight = alignmentWeight(hit.segment.box, under.box);
  return readZone({ relation: "below", segment: under, start: 0, end: under.text.length, weight }, reader, hit);
}

/** An amount with a word behind it: what stands right of it is that word's (`net 92.23 EUR gross | 109.75`). */
const ENDS_IN_LABEL = /\d[.,]\d{2}(?!\d).*\p{L}{4,}\W*$/u;

/** Sums in the row of a total from which it is the last row of a table of items. */
const MIN_CELLS_OF_TOTALS = 2;

function sumsOfHit(hit: LabelHit, page: TotalsPage, reader: Reader): Candidate[] {
  if (isMereMention(hit, page) || isSumWithTax(hit)) return [];
  const header = page.itemHeaders.has(hit.segment.row) && !headsTaxTable(hit, page);
  const zones = zonesOf(hit, page.view, page.labels, "value").filter((zone) => !(header && zone.relation === "below"));
  const besides = zones.filter((zone) => zone.relation !== "below");
  const beside = besides
    .filter(
      (_, at) => !besides.slice(0, at).some(({ segment, start }) => ENDS_IN_LABEL.test(segment.text.slice(start))),
    )
    .flatMap((zone) => readZone({ ...zone, weight: zone.relation === "right" ? 0.96 : 1 }, reader, hit));
  const below = zones
    .filter((zone) => zone.relation === "below")
    .flatMap((zone) => columnSum(zone, readZone(zone, reader, hit).slice(0, 1), hit, page, reader));
  // The last of several sums on a row is the total; rates and bases come before it.
  const placed = beside.map((candidate, index) => ({
    ...candidate,
    score: candidate.score * (index === beside.length - 1 ? 1 : 0.88),
  }));
  const inRow = header ? taxInTotalsRow(hit, page, reader) : [];
  return beside.some((candidate) => candidate.score >= MIN_CONFIDENCE) ? placed : [...placed, ...below, ...inRow];
}

/** Printed as money: with cents, a currency sign or a code. */
export const looksLikeMoney = ({ tokens }: Candidate): boolean =>
  tokens.some((token) => /\d[.,]\d{2}(?!\d)|\p{Sc}|[A-Z]{3}/u.test(token.text));

/** The sums of a concept's labels, the likeliest first, one per value. */
export function sumsFor(concept: string, page: TotalsPage): Sum[] {
  const hasCents = writesCents(page);
  const reader = moneyReader(page, hasCents, !hasCents && !printsCents(page));
  const all = page.labels.byConcept.get(concept) ?? [];
  const hits = all.length > MAX_HITS ? [...all.slice(0, MAX_HITS / 2), ...all.slice(-MAX_HITS / 2)] : all;
  const reads = (text: string): boolean => reader.read(text).length > 0;
  const best = new Map<number, Sum>();
  const found = hits.flatMap((hit) => sumsOfHit(hit, page, reader));
  const repairs = hasCents ? found.flatMap((candidate) => repaired(candidate) ?? []) : [];
  for (const candidate of [...found, ...repairs]) {
    if (typeof candidate.value !== "number" || candidate.score < MIN_SUM_SCORE) continue;
    if (isOfReferencedDocument(candidate, page.referencedWords) || isListedValue(candidate, page.view, reads)) continue;
    if (!page.bill && !looksLikeMoney(candidate)) continue;
    const known = best.get(candidate.value);
    if (known === undefined || known.score < candidate.score)
      best.set(candidate.value, { value: candidate.value, score: candidate.score, candidate });
  }
  return [...best.values()]
    .sort((a, b) => b.score - a.score || b.candidate.segment.row - a.candidate.segment.row)
    .slice(0, MAX_SUMS);
}

/** A label before an amount says that it is something else than a net, tax or gross total: a tip, a payment. */
const hasOtherLabel = (
  { segments }: Row,
  [first]: readonly Token[],
  { labels }: TotalsPage,
  others: ReadonlySet<string>,
): boolean =>
  segments
    .filter(({ box }) => first !== undefined && box.left <= first.box.left)
    .some((segment) => (labels.bySegment.get(segment) ?? []).some((hit) => others.has(hit.concept)));
const NO_TOTALS = new Set(["tip", "shipping", "discount", "surcharge", "rounding"]);
const NO_TOTALS_OR_PAYMENTS = new Set([...NO_TOTALS, "prepaid", "cash-given"]);

/** A sum printed near others without a label, identified by arithmetic. @param mayBePaid it may be labelled as a payment */
export function printedSum(value: number, near: readonly Sum[], page: TotalsPage, mayBePaid = false): Sum | null {
  const rows = near.map((sum) => sum.candidate.segment.row);
  const from = Math.max(0, Math.min(...rows) - NEARBY_ROWS);
  const to = Math.max(...rows) + NEARBY_ROWS;
  for (const row of page.view.rows.slice(from, to + 1)) {
    for (const segment of row.segments) {
      const text = amountText(segment.text, segment.tokens.at(-1)?.recognised === true);
      const spans = scanNumbers(text, page.conventions.notation).filter(({ percent }) => !percent);
      const span = spans.find((one) => (one.decimals === 2 || one.currency !== null) && equalAmount(one.value, value));
      if (span === undefined) continue;
      const tokens = tokensBetween(segment, span.start, span.end);
      if (hasOtherLabel(row, tokens, page, mayBePaid ? NO_TOTALS : NO_TOTALS_OR_PAYMENTS)) continue;
      const used = near.some((sum) => sum.candidate.tokens.some((token) => tokens.includes(token)));
      if (!used)
        return {
          value: span.value,
          score: ARITHMETIC_SCORE,
          candidate: { value: span.value, tokens, score: ARITHMETIC_SCORE, relation: "pattern", segment, hit: null },
        };
    }
  }
  return null;
}

/** Rows between a subtotal and the total. */
const MAX_COLUMN_ROWS = 10;

/** The amounts printed between two sums, added to the first, make the second. Discounts count by their signs. */
export function rowsAddUp(from: Sum, to: Sum, page: TotalsPage): boolean {
  const rows = page.view.rows.slice(from.candidate.segment.row + 1, to.candidate.segment.row);
  if (rows.length === 0 || rows.length > MAX_COLUMN_ROWS || from.candidate.segment.page !== to.candidate.segment.page)
    return false;
  const amounts = rows.flatMap((row) => {
    const spans = row.segments.flatMap((segment) => scanNumbers(segment.text, page.conventions.notation));
    const last = spans.findLast((span) => span.decimals === 2 && !span.percent);
    return last === undefined ? [] : [last.value];
  });
  return sameAmount(
    amounts.reduce((sum, amount) => sum + amount, from.value),
    to.value,
  );
}

/** A heading may stand this far beside its column. */
const MAX_HEADING_OFFSET_INCHES = 0.1;
/** Rows of one table's headings. */
const MAX_HEADING_ROWS = 6;

/** The headings over a sum's column exclude tax: `Zeilenbetrag / Ohne MwSt.` */
export function isHeadedWithoutTax({ candidate: { segment, tokens } }: Sum, page: TotalsPage): boolean {
  const { left, right } = unionOf(tokens);
  const heads = [...page.itemHeaders].filter((index) => index < segment.row).sort((a, b) => a - b);
  const last = heads.at(-1) ?? 0;
  const above = heads
    .filter((index) => index > last - MAX_HEADING_ROWS)
    .flatMap((index) => page.view.rows[index]?.segments ?? [])
    .filter(({ box }) => box.left < right + MAX_HEADING_OFFSET_INCHES && left - MAX_HEADING_OFFSET_INCHES < box.right);
  return WITHOUT_TAX.test(foldText(above.map(({ text }) => text).join(" ")));
}
