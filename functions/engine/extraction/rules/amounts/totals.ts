/** The sums of a document, chosen together: net + tax = gross settles what labels leave open. */

import { foldText } from "../../../values/text-folding.ts";
import { MIN_CONFIDENCE } from "../choose-candidate.ts";
import type { Finding } from "../findings.ts";
import { readDamagedSums } from "./damaged-labels.ts";
import {
  isHeadedWithoutTax,
  looksLikeMoney,
  printedSum,
  rowsAddUp,
  SUM_TOLERANCE,
  type Sum,
  sameAmount,
  sumsFor,
  type TotalsPage,
} from "./printed-sums.ts";

export type TotalId = "net-total" | "tax-total" | "gross-total" | "amount-due";
export type Totals = Partial<Record<TotalId, Finding>>;

interface Triple {
  net: Sum | null;
  tax: Sum | null;
  gross: Sum | null;
  score: number;
  /** Net and tax add up to gross, all three printed. */
  proven: boolean;
}

interface Extras {
  /** What may stand between net and gross besides tax: shipping, discounts, tips. */
  amounts: number[];
  /** Rows of tax lines: with several rates, one of them is not the tax. */
  taxRows: number[];
  page: TotalsPage;
}

/** Rows and pages that the sums of one block of totals may be apart. */
const BLOCK_ROWS = 40;

/** Sums add up by chance all over a long document: they must stand near one another, and one must look like money. */
function belongTogether(sums: readonly Sum[]): boolean {
  const rows = sums.map((sum) => sum.candidate.segment.row);
  return Math.max(...rows) - Math.min(...rows) <= BLOCK_ROWS && sums.some((sum) => looksLikeMoney(sum.candidate));
}

/** Is there one tax line at most between two sums? */
function onlyTax(net: Sum, gross: Sum, { taxRows }: Extras): boolean {
  const [from, to] = [net.candidate.segment.row, gross.candidate.segment.row];
  return new Set(taxRows.filter((row) => row > from && row < to)).size <= 1;
}

function judge(net: Sum | null, tax: Sum | null, gross: Sum | null, extras: Extras): Triple {
  let score = (net?.score ?? 0) + (tax?.score ?? 0) + (gross?.score ?? 0);
  let proven = false;
  // Zeros add up anywhere.
  const something = gross !== null && gross.value !== 0;
  if (net !== null && tax !== null && something && belongTogether([net, tax, gross])) {
    const open = gross.value - net.value - tax.value;
    if (sameAmount(open, 0)) {
      proven = true;
      score += 0.8;
    } else if (
      extras.amounts.some((amount) => sameAmount(open, amount) || sameAmount(open, -amount)) ||
      (onlyTax(net, gross, extras) && rowsAddUp(net, gross, extras.page))
    ) {
      proven = true;
      score += 0.6;
    }
  }
  if (net !== null && gross !== null && Math.abs(gross.value) + SUM_TOLERANCE < Math.abs(net.value) && !proven)
    score -= 0.3;
  if (tax !== null && tax.value !== 0) {
    const base = net?.value ?? (gross === null ? null : gross.value - tax.value);
    const rate = base === null ? 0 : tax.value / base;
    if (base !== null && (base === 0 || rate > 0.4 || rate < 0)) score -= 0.6;
  }
  // One printed number is rarely two different sums, unless there is no tax.
  if (net !== null && tax !== null && tax.value !== 0 && net.candidate.tokens[0] === tax.candidate.tokens[0])
    score -= 1;
  if (gross !== null && tax !== null && tax.value !== 0 && gross.candidate.tokens[0] === tax.candidate.tokens[0])
    score -= 1;
  return { net, tax, gross, score, proven };
}

function bestTriple(nets: Sum[], taxes: Sum[], grosses: Sum[], extras: Extras): Triple {
  let best: Triple = { net: null, tax: null, gross: null, score: 0, proven: false };
  for (const net of [null, ...nets]) {
    for (const tax of [null, ...taxes]) {
      for (const gross of [null, ...grosses]) {
        const triple = judge(net, tax, gross, extras);
        if (triple.score > best.score + 1e-9) best = triple;
      }
    }
  }
  return best;
}

/** Two of three known: the third, if it is printed nearby. */
function completeTriple(triple: Triple, page: TotalsPage): Triple {
  const { net, tax, gross } = triple;
  const sure = (sum: Sum | null): sum is Sum => sum !== null && sum.score >= MIN_CONFIDENCE;
  if (net === null && sure(tax) && sure(gross) && tax.value !== 0) {
    const found = printedSum(gross.value - tax.value, [tax, gross], page);
    return found === null ? triple : { ...triple, net: found, proven: true };
  }
  if (tax === null && sure(net) && sure(gross) && !sameAmount(net.value, gross.value)) {
    const found = printedSum(gross.value - net.value, [net, gross], page);
    const rate = (gross.value - net.value) / (net.value || 1);
    return found === null || rate < 0 || rate > 0.4 ? triple : { ...triple, tax: found, proven: true };
  }
  if (gross === null && sure(net) && sure(tax)) {
    const found = printedSum(net.value + tax.value, [net, tax], page);
    return found === null ? triple : { ...triple, gross: found, proven: true };
  }
  return triple;
}

/** Net and tax whose labels recognition spoiled, where they and the total add up. */
function withSpoilt(triple: Triple, page: TotalsPage): Triple {
  const { net, tax, gross } = triple;
  if (tax !== null || gross === null || gross.score < MIN_CONFIDENCE || gross.value === 0) return triple;
  const found = readDamagedSums(net, gross, page);
  return found === null ? triple : { ...triple, ...found, proven: true };
}

/** Several rates, several tax lines, no printed sum of them: added up if the addition explains the gross. */
function addedTaxes(triple: Triple, taxes: readonly Sum[]): Finding | null {
  const { net, gross } = triple;
  if (net === null || gross === null) return null;
  const lines = taxes.filter((sum) => sum.candidate.score >= MIN_CONFIDENCE);
  for (let mask = 3; mask < 1 << Math.min(lines.length, 6); mask += 1) {
    const parts = lines.filter((_, index) => (mask >> index) & 1);
    const rows = new Set(parts.map((sum) => sum.candidate.segment.row));
    const total = parts.reduce((sum, part) => sum + part.value, 0);
    if (parts.length < 2 || rows.size < parts.length || !sameAmount(net.value + total, gross.value)) continue;
    return {
      value: Number(total.toFixed(2)),
      tokens: parts
        .sort((a, b) => a.candidate.segment.row - b.candidate.segment.row)
        .flatMap((part) => part.candidate.tokens),
      confidence: 0.8,
      derived: true,
    };
  }
  return null;
}

const EXEMPT =
  /(?:umsatz|mehrwert)steuerfrei|steuerbefrei|kleinunternehmer|(?:ust|mwst)[- ]frei|§ ?19 (?:abs\S* ?\d+ )?ustg|§ ?4 (?:nr\S* ?\d+\S* )?(?:\w+ )?ustg|tva non applicable|exoneree? de tva|exempt from (?:vat|tax)|(?:vat|tax)[- ]exempt|not subject to (?:vat|sales tax)|exento de iva|btw[- ]vrijgesteld|vrijgesteld van btw|esente iva|operazione esente|reverse charge|steuerschuldnerschaft des leistungsempfangers|autoliquidation|btw verlegd|inversione contabile/;

/** A statement that no tax is charged. */
function exemption(page: TotalsPage): Finding | null {
  for (const segment of page.view.segments.slice(0, 3000)) {
    if (segment.text.length < 8 || !EXEMPT.test(foldText(segment.text))) continue;
    return { value: 0, tokens: segment.tokens, confidence: 0.7, derived: true };
  }
  return null;
}

const toFinding = (sum: Sum | null, proven: boolean): Finding | null => {
  if (sum === null || (!proven && sum.score < MIN_CONFIDENCE)) return null;
  return {
    value: sum.value,
    tokens: sum.candidate.tokens,
    confidence: proven ? Math.max(0.93, Math.min(0.99, sum.score)) : sum.score * 0.92,
  };
};

function chooseDue(page: TotalsPage, gross: Sum | null): Sum | null {
  const dues = sumsFor("amount-due", page).filter((sum) => sum.score >= MIN_CONFIDENCE);
  const prepaid = sumsFor("prepaid", page);
  const explained =
    gross === null
      ? undefined
      : dues.find((due) => prepaid.some((paid) => sameAmount(gross.value - Math.abs(paid.value), due.value)));
  const [first] = dues;
  if (explained !== undefined) return explained;
  if (first !== undefined) return dues.find((due) => gross !== null && sameAmount(due.value, gross.value)) ?? first;
  if (gross === null || prepaid.some((paid) => paid.score >= MIN_CONFIDENCE && paid.value !== 0)) return null;
  // Nothing was paid before, so what the document totals is what is due.
  return { ...gross, score: gross.score * 0.9 };
}

/** Net, tax, gross and due, as far as the page shows them. */
export function findTotals(page: TotalsPage): Totals {
  const [nets, taxes] = [sumsFor("net-total", page), sumsFor("tax-total", page)];
  const dues = sumsFor("amount-due", page);
  const labelled = sumsFor("gross-total", page);
  // Where nothing else is called a total, what is due is the total.
  const grosses = [
    ...labelled,
    ...dues
      .filter((due) => !labelled.some((sum) => sameAmount(sum.value, due.value)))
      .map((due) => ({ ...due, score: due.score * 0.68 })),
  ];
  const extras: Extras = {
    page,
    taxRows: taxes.filter((sum) => sum.score >= MIN_CONFIDENCE).map((sum) => sum.candidate.segment.row),
    amounts: ["shipping", "surcharge", "discount", "tip", "rounding"].flatMap((id) =>
      sumsFor(id, page).map((sum) => sum.value),
    ),
  };
  const triple = withSpoilt(completeTriple(bestTriple(nets, taxes, grosses, extras), page), page);
  const totals: Totals = {};
  const added = triple.proven ? null : addedTaxes({ ...triple, gross: triple.gross ?? grosses[0] ?? null }, taxes);
  const proven = triple.proven || added !== null;
  const gross = toFinding(triple.gross, proven);
  let net = toFinding(triple.net, proven);
  let tax = added ?? toFinding(triple.tax, triple.proven);
  if (tax === null && gross !== null && (net === null || net.value === gross.value)) tax = exemption(page);
  // Without tax the total is the net total as well: where none is charged, or none is in what it sums up.
  const untaxed =
    tax?.value === 0 || (taxes.length === 0 && triple.gross !== null && isHeadedWithoutTax(triple.gross, page));
  if (net === null && gross !== null && untaxed) net = { ...gross, confidence: gross.confidence * 0.85 };
  if (net !== null) totals["net-total"] = net;
  if (tax !== null) totals["tax-total"] = tax;
  if (gross !== null) totals["gross-total"] = gross;
  const due = chooseDue(page, gross === null ? null : triple.gross);
  const dueFinding = due === null ? null : toFinding(due, proven && due.value === triple.gross?.value);
  if (dueFinding !== null) totals["amount-due"] = dueFinding;
  return totals;
}
