/** Sums of money on the page: behind, beside and below their labels, or told by arithmetic. */

import type { DocumentView } from "../../../structure/view/document-view.ts";
import { type Token, tokensBetween, unionOf } from "../../../structure/view/tokens.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import { foldText } from "../../../values/text-folding.ts";
import { isListed } from "../../document-type/kind-of-document.ts";
import { WITHOUT_TAX } from "../field-meaning.ts";
import { type LabelHit, type LabelMap, saysAll } from "../find-labels.ts";
import { isAboutAnother } from "../referenced-document.ts";
import { ALIGNMENT, THRESHOLD } from "../scoring.ts";
import { alignment, type Candidate, readZone, type Zone, zonesOf } from "../value-candidates.ts";
import type { Conventions, Reader } from "../value-reader.ts";

/** A sum that is read, printed and placed. */
export interface Sum {
  value: number;
  score: number;
  candidate: Candidate;
}

/** Half a cent each for two rounded addends, and a little for the arithmetic of floats. */
export const CENT = 0.0151;
/** Equal but for rounding. */
export const same = (a: number, b: number): boolean => Math.abs(a - b) < CENT;
/** Sums tried for each total. */
const MAX_SUMS = 8;
const MAX_HITS = 120;

/** Sums of money; a bare whole number beside sums with cents is more often a count. */
const moneyReader = (conventions: Conventions, wholeFit: number): Reader => ({
  kind: "value",
  read: (text) =>
    scanNumbers(text, conventions.notation)
      .filter((span) => !span.percent)
      .map(({ start, end, value, decimals, currency }) => ({
        start,
        end,
        value,
        fit: decimals === 2 ? 1 : currency !== null ? 0.95 : decimals === 0 ? wholeFit : 0.6,
      })),
});

/** Does the document write its sums with cents? */
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

/** Everything that the search for sums looks at. */
export interface TotalsPage {
  view: DocumentView;
  labels: LabelMap;
  conventions: Conventions;
  /** Rows that head line items: a "Total" there names a column. */
  itemHeaders: ReadonlySet<number>;
  /** The document is a bill of some kind: on others a bare whole number is a line's number or a count. */
  bill: boolean;
  /** Words about another document. */
  elsewhere: ReadonlySet<Token>;
}

/** Rows of a column of sums under one label: for each rate of tax one, and a last one that adds them up. */
const RATE_ROWS = 8;

/** Under a label stand several sums: the one that adds up those above it is the total. */
function columnSum(zone: Zone, first: Candidate[], hit: LabelHit, page: TotalsPage, reader: Reader): Candidate[] {
  let running = typeof first[0]?.value === "number" ? first[0].value : Number.NaN;
  const { segment } = zone;
  for (const row of page.view.rows.slice(segment.row + 1, segment.row + 1 + RATE_ROWS)) {
    const under =
      row.page === segment.page
        ? row.segments.find((other) => alignment(segment.box, other.box) >= ALIGNMENT.middle)
        : undefined;
    if (under === undefined) continue;
    const [next] = readZone({ ...zone, segment: under, start: 0, end: under.text.length }, reader, hit);
    if (typeof next?.value !== "number") return first;
    if (same(next.value, running)) return [next];
    running += next.value;
  }
  return first;
}

/** On what is no bill, words of totals stand in sentences and names too: `Tax guide`, `the net result was`. */
const isSaidOnly = (hit: LabelHit, { bill }: TotalsPage): boolean =>
  !bill && !hit.colon && (hit.from > 0 || !saysAll(hit));

function sumsOfHit(hit: LabelHit, page: TotalsPage, reader: Reader): Candidate[] {
  if (isSaidOnly(hit, page)) return [];
  const header = page.itemHeaders.has(hit.segment.row);
  const zones = zonesOf(hit, page.view, page.labels, "value").filter((zone) => !(header && zone.relation === "below"));
  const beside = zones
    .filter((zone) => zone.relation !== "below")
    .flatMap((zone) => readZone({ ...zone, weight: zone.relation === "right" ? 0.96 : 1 }, reader, hit));
  const below = zones
    .filter((zone) => zone.relation === "below")
    .flatMap((zone) => columnSum(zone, readZone(zone, reader, hit).slice(0, 1), hit, page, reader));
  // Of several sums on a row, the last is the total; rates and bases stand before it.
  const placed = beside.map((candidate, index) => ({
    ...candidate,
    score: candidate.score * (index === beside.length - 1 ? 1 : 0.88),
  }));
  return beside.some((candidate) => candidate.score >= THRESHOLD) ? placed : [...placed, ...below];
}

/** Words that make a line a sentence. */
const SENTENCE = 9;

/** Cents, a sign or a code: printed as money. */
export const looksLikeMoney = ({ tokens }: Candidate): boolean =>
  tokens.some((token) => /[.,]\d{2}(?!\d)|\p{Sc}|[A-Z]{3}/u.test(token.text));

/** In a sentence, a bare whole number is a count, a year, a paragraph, and on what is no bill no sum is the document's. */
function isProse(candidate: Candidate, bill: boolean): boolean {
  const { segment, hit } = candidate;
  const words = segment.tokens.filter((token) => /\p{L}{2,}/u.test(token.text)).length;
  return (!bill || !looksLikeMoney(candidate)) && words >= SENTENCE && hit?.colon !== true;
}

/** The sums that the labels of a concept lead to, the likeliest first, one for each value. */
export function sumsFor(concept: string, page: TotalsPage): Sum[] {
  const reader = moneyReader(page.conventions, writesCents(page) ? 0.58 : 0.68);
  const all = page.labels.byConcept.get(concept) ?? [];
  const hits = all.length > MAX_HITS ? [...all.slice(0, MAX_HITS / 2), ...all.slice(-MAX_HITS / 2)] : all;
  const reads = (text: string): boolean => reader.read(text).length > 0;
  const best = new Map<number, Sum>();
  for (const candidate of hits.flatMap((hit) => sumsOfHit(hit, page, reader))) {
    if (typeof candidate.value !== "number" || candidate.score < 0.3 || isProse(candidate, page.bill)) continue;
    if (isAboutAnother(candidate, page.elsewhere) || isListed(candidate, page.view, reads)) continue;
    if (!page.bill && !looksLikeMoney(candidate)) continue;
    const known = best.get(candidate.value);
    if (known === undefined || known.score < candidate.score)
      best.set(candidate.value, { value: candidate.value, score: candidate.score, candidate });
  }
  return [...best.values()]
    .sort((a, b) => b.score - a.score || b.candidate.segment.row - a.candidate.segment.row)
    .slice(0, MAX_SUMS);
}

/** A sum printed near others without a label of its own, told by arithmetic. */
export function printedSum(value: number, near: readonly Sum[], page: TotalsPage): Sum | null {
  const rows = near.map((sum) => sum.candidate.segment.row);
  const from = Math.max(0, Math.min(...rows) - 8);
  const to = Math.max(...rows) + 8;
  for (const row of page.view.rows.slice(from, to + 1)) {
    for (const segment of row.segments) {
      const span = scanNumbers(segment.text, page.conventions.notation).find(
        (number) => number.decimals === 2 && !number.percent && same(number.value, value),
      );
      if (span === undefined) continue;
      const tokens = tokensBetween(segment, span.start, span.end);
      const used = near.some((sum) => sum.candidate.tokens.some((token) => tokens.includes(token)));
      if (!used)
        return {
          value: span.value,
          score: 0.72,
          candidate: { value: span.value, tokens, score: 0.72, relation: "pattern", segment, hit: null },
        };
    }
  }
  return null;
}

/** Rows that an addition from the subtotal down to the total may run over. */
const COLUMN_ROWS = 10;

/** Does everything printed between two sums, added to the first, make the second? Discounts count by their signs. */
export function addsUp(from: Sum, to: Sum, page: TotalsPage): boolean {
  const rows = page.view.rows.slice(from.candidate.segment.row + 1, to.candidate.segment.row);
  if (rows.length === 0 || rows.length > COLUMN_ROWS || from.candidate.segment.page !== to.candidate.segment.page)
    return false;
  const amounts = rows.flatMap((row) => {
    const spans = row.segments.flatMap((segment) => scanNumbers(segment.text, page.conventions.notation));
    const last = spans.findLast((span) => span.decimals === 2 && !span.percent);
    return last === undefined ? [] : [last.value];
  });
  return same(
    amounts.reduce((sum, amount) => sum + amount, from.value),
    to.value,
  );
}

/** Inches by which what heads a column may stand beside it, and rows that the headings of one table take up. */
const BESIDE = 0.1;
const HEADING_ROWS = 6;

/** Do the headings of the items' column that a sum ends say that no tax is in it: `Zeilenbetrag / Ohne MwSt.`? */
export function isHeadedWithoutTax({ candidate: { segment, tokens } }: Sum, page: TotalsPage): boolean {
  const { left, right } = unionOf(tokens);
  const heads = [...page.itemHeaders].filter((index) => index < segment.row).sort((a, b) => a - b);
  const last = heads.at(-1) ?? 0;
  const above = heads
    .filter((index) => index > last - HEADING_ROWS)
    .flatMap((index) => page.view.rows[index]?.segments ?? [])
    .filter(({ box }) => box.left < right + BESIDE && left - BESIDE < box.right);
  return WITHOUT_TAX.test(foldText(above.map(({ text }) => text).join(" ")));
}
