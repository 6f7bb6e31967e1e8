/** The totals of a document, chosen together: net + tax = gross decides between ambiguous labels. */

import { leastConfidence } from "../../../structure/view/tokens.ts";
import { foldText } from "../../../values/text-folding.ts";
import { wordsOf } from "../../../values/vocabulary/languages.ts";
import { anyFolded } from "../../../values/vocabulary/word-patterns.ts";
import { MIN_CONFIDENCE } from "../choose-candidate.ts";
import type { Finding } from "../findings.ts";
import {
  equalAmount,
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
import { columnTotal, totalsInRow } from "./summed-amounts.ts";
import { includedTax, isPrintedRate, partsOfTotal, withoutPartsOfTax } from "./tax-of-total.ts";
import { isProof, SUMMED_SCORE } from "./till-total.ts";

export type TotalId = "net-total" | "tax-total" | "gross-total" | "amount-due";
export type Totals = Partial<Record<TotalId, Finding>>;

/** Candidates for net, tax and gross. */
interface SumTriple {
  net: Sum | null;
  tax: Sum | null;
  gross: Sum | null;
  score: number;
  /** Net and tax add up to gross, all three printed. */
  proven: boolean;
}

interface TripleContext {
  /** Amounts between net and gross besides tax: shipping, discounts, tips. */
  amounts: number[];
  /** Rows of tax lines: with several rates, none of them is the whole tax. */
  taxRows: number[];
  page: TotalsPage;
}

const MAX_TAX_RATE = 0.4;
const MAX_TAX_LINES = 6;
/** Score of a subtotal behind a label that is nothing else. */
const SURE_SUBTOTAL = 0.8;
const MAX_EXEMPTION_SEGMENTS = 3000;
/** Rows that one block of totals may span. */
const MAX_BLOCK_ROWS = 40;

/** Sums of one block: near one another, all labelled or one of them printed as money. In long documents others add up by chance. */
function areOneBlock(sums: readonly Sum[]): boolean {
  const rows = sums.map((sum) => sum.candidate.segment.row);
  const isMoney =
    sums.every(({ candidate }) => candidate.hit !== null) || sums.some((sum) => looksLikeMoney(sum.candidate));
  return Math.max(...rows) - Math.min(...rows) <= MAX_BLOCK_ROWS && isMoney;
}

/** At most one tax line stands between two sums. */
function hasOneTaxLine(net: Sum, gross: Sum, { taxRows }: TripleContext): boolean {
  const [from, to] = [net.candidate.segment.row, gross.candidate.segment.row];
  return new Set(taxRows.filter((row) => row > from && row < to)).size <= 1;
}

/** Scores a triple. */
function scoreTriple(net: Sum | null, tax: Sum | null, gross: Sum | null, around: TripleContext): SumTriple {
  let score = (net?.score ?? 0) + (tax?.score ?? 0) + (gross?.score ?? 0);
  let proven = false;
  // Zeros always add up.
  const something = gross !== null && gross.value !== 0;
  const repairs = [net, tax, gross].filter((sum) => sum?.candidate.repaired === true).length;
  // One repaired amount is proven by two that were read; a tax of nothing proves none.
  const provable = repairs === 0 || (repairs === 1 && tax?.value !== 0);
  if (net !== null && tax !== null && something && provable && areOneBlock([net, tax, gross])) {
    const open = gross.value - net.value - tax.value;
    if (equalAmount(open, 0)) {
      proven = true;
      // A tax of nothing leaves one amount printed twice.
      score += tax.value === 0 ? 0.6 : 0.8;
    } else if (
      around.amounts.some((amount) => sameAmount(open, amount) || sameAmount(open, -amount)) ||
      (hasOneTaxLine(net, gross, around) && rowsAddUp(net, gross, around.page))
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
    if (base !== null && (base === 0 || rate > MAX_TAX_RATE || rate < 0)) score -= 1;
  }
  // One printed number is rarely two sums, unless there is no tax.
  if (net !== null && tax !== null && tax.value !== 0 && net.candidate.tokens[0] === tax.candidate.tokens[0])
    score -= 1;
  if (gross !== null && tax !== null && tax.value !== 0 && gross.candidate.tokens[0] === tax.candidate.tokens[0])
    score -= 1;
  return { net, tax, gross, score, proven };
}

function bestTriple(nets: Sum[], taxes: Sum[], grosses: Sum[], around: TripleContext): SumTriple {
  let best: SumTriple = { net: null, tax: null, gross: null, score: 0, proven: false };
  for (const net of [null, ...nets]) {
    for (const tax of [null, ...taxes]) {
      for (const gross of [null, ...grosses]) {
        const triple = scoreTriple(net, tax, gross, around);
        if (triple.score > best.score + 1e-9) best = triple;
      }
    }
  }
  return best;
}

/** Completes a triple of two known sums with the third, if it is printed nearby. */
function completeTriple(triple: SumTriple, taxes: readonly Sum[], page: TotalsPage): SumTriple {
  const { net, tax, gross } = triple;
  const sure = (sum: Sum | null): sum is Sum => sum !== null && sum.score >= MIN_CONFIDENCE;
  if (net === null && sure(tax) && sure(gross) && tax.value !== 0) {
    const found = printedSum(gross.value - tax.value, [tax, gross], page);
    if (found !== null) return { ...triple, net: found, proven: true };
  }
  if (tax === null && sure(net) && sure(gross) && !sameAmount(net.value, gross.value)) {
    const found = printedSum(gross.value - net.value, [net, gross], page);
    const rate = (gross.value - net.value) / (net.value || 1);
    const rows = [net, found ?? net, gross].map(({ candidate }) => candidate.segment.row);
    // Sums are printed in their order: an amount above both, or a larger one above, is a deduction.
    const inOrder = new Set(rows).size < 3 || rows.every((row, at) => at === 0 || row >= (rows[at - 1] ?? 0));
    const isTold = inOrder || isPrintedRate(rate, page);
    if (found !== null && isTold && rate > 0 && rate <= MAX_TAX_RATE) return { ...triple, tax: found, proven: true };
  }
  if (gross === null && sure(net) && sure(tax)) {
    const found = printedSum(net.value + tax.value, [net, tax], page, true);
    return found === null ? triple : { ...triple, gross: found, proven: true };
  }
  if (triple.proven || !sure(gross)) return triple;
  const parts = partsOfTotal(gross, page);
  if (parts !== null) return { ...triple, ...parts, proven: true };
  const included = net === null ? includedTax(gross, taxes, page) : null;
  return included === null ? triple : { ...triple, tax: included, proven: true };
}

/** The sum of several tax lines without a printed total, if it explains the gross. */
function sumOfTaxes(triple: SumTriple, taxes: readonly Sum[]): Finding | null {
  const { net, gross } = triple;
  if (net === null || gross === null) return null;
  const lines = taxes.filter((sum) => sum.candidate.score >= MIN_CONFIDENCE);
  for (let mask = 3; mask < 1 << Math.min(lines.length, MAX_TAX_LINES); mask += 1) {
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

/** German law, which invoices cite by its paragraphs. */
const EXEMPTING_LAW = "§ ?19 (?:abs\\S* ?\\d+ )?ustg|§ ?4 (?:nr\\S* ?\\d+\\S* )?(?:\\w+ )?ustg";
const EXEMPTION_WORDING = new RegExp(`${anyFolded(wordsOf(({ totals }) => totals.exempt))}|${EXEMPTING_LAW}`);

/** A statement of tax exemption. */
function findExemption(page: TotalsPage): Finding | null {
  for (const segment of page.view.segments.slice(0, MAX_EXEMPTION_SEGMENTS)) {
    if (segment.text.length < 8 || !EXEMPTION_WORDING.test(foldText(segment.text))) continue;
    return { value: 0, tokens: segment.tokens, confidence: 0.7, derived: true };
  }
  return null;
}

const certaintyOf = ({ candidate, certainty = 0 }: Sum): number =>
  Math.max(certainty, leastConfidence(candidate.tokens));

/** @param proof the other sums that add up with this one: what they say, this one is a second reading of */
const toFinding = (sum: Sum | null, proven: boolean, proof: readonly (Sum | null)[] = []): Finding | null => {
  if (sum === null || (!proven && sum.score < MIN_CONFIDENCE)) return null;
  const { value, candidate } = sum;
  const confidence = proven ? Math.max(0.93, Math.min(0.99, sum.score)) : sum.score * 0.92;
  const others = proven ? proof.filter((other) => other !== null && other !== sum) : [];
  if (others.length === 0) return { value, tokens: candidate.tokens, confidence, certainty: certaintyOf(sum) };
  const second = others.reduce((product, other) => product * (other === null ? 1 : certaintyOf(other)), 1);
  const certainty = 1 - (1 - certaintyOf(sum)) * (1 - second);
  return { value, tokens: candidate.tokens, confidence, certainty };
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
  // Without prepayments, the total is due.
  return { ...gross, score: gross.score * 0.9 };
}

/** A sum that is known without a label, first: it is surer where a label says the same. One that is proven is alone. */
const withUnlabelled = (found: Sum | null, sums: readonly Sum[]): Sum[] => {
  const same = found === null ? undefined : sums.find(({ value }) => equalAmount(value, found.value));
  if (found === null) return [...sums];
  const score = 1 - (1 - found.score) * (1 - (same?.score ?? 0));
  const own = { ...found, score, candidate: same?.candidate ?? found.candidate };
  return isProof(found) ? [own] : [own, ...sums.filter((sum) => sum !== same)];
};

interface CandidateSums {
  nets: Sum[];
  taxes: Sum[];
  grosses: Sum[];
  /** The label of subtotals leads elsewhere too. */
  hasOtherSubtotals: boolean;
}

/** Net, tax and gross by their labels, by the till, and by their places among other amounts. */
function candidateSums(page: TotalsPage): CandidateSums {
  const named = withoutPartsOfTax(sumsFor("tax-total", page));
  const subtotals = sumsFor("net-total", page);
  const row = totalsInRow(page, subtotals, named);
  const taxes = withUnlabelled(row?.tax ?? null, named);
  // On a till receipt, a subtotal of the whole total has the tax in it, if there is any.
  const isTaxed = !taxes.some(({ value }) => value === 0);
  const nets = subtotals.filter(({ value }) => !(isTaxed && value === page.till?.value));
  // An amount printed often is no total where a labelled subtotal is larger.
  const isLess =
    page.till !== null && nets.some(({ value, score }) => score > SURE_SUBTOTAL && value > (page.till?.value ?? 0));
  const till = isLess && page.till !== null && page.till.score < SUMMED_SCORE ? null : page.till;
  const dues = sumsFor("amount-due", page);
  const labelled = sumsFor("gross-total", page);
  // Without a labelled total, the amount due is the total.
  const totals = [
    ...labelled,
    ...dues
      .filter((due) => !labelled.some((sum) => sameAmount(sum.value, due.value)))
      .map((due) => ({ ...due, score: due.score * 0.68 })),
  ];
  return {
    taxes,
    nets: withUnlabelled(row?.net ?? null, nets),
    grosses: withUnlabelled(till ?? row?.gross ?? columnTotal(page), totals),
    hasOtherSubtotals: nets.length < subtotals.length,
  };
}

/** The totals that the page shows: net, tax, gross and due. */
export function findTotals(page: TotalsPage): Totals {
  const { nets, taxes, grosses, hasOtherSubtotals } = candidateSums(page);
  const around: TripleContext = {
    page,
    taxRows: taxes.filter((sum) => sum.score >= MIN_CONFIDENCE).map((sum) => sum.candidate.segment.row),
    amounts: ["shipping", "surcharge", "discount", "tip", "rounding"].flatMap((id) =>
      sumsFor(id, page).map((sum) => sum.value),
    ),
  };
  const triple = completeTriple(bestTriple(nets, taxes, grosses, around), taxes, page);
  const totals: Totals = {};
  const added = triple.proven ? null : sumOfTaxes({ ...triple, gross: triple.gross ?? grosses[0] ?? null }, taxes);
  const proven = triple.proven || added !== null;
  const proof = triple.proven ? [triple.net, triple.tax, triple.gross] : [];
  const gross = toFinding(triple.gross, proven, proof);
  // A label of subtotals that leads elsewhere is doubtful then.
  let net = !hasOtherSubtotals || triple.proven ? toFinding(triple.net, proven, proof) : null;
  let tax = added ?? toFinding(triple.tax, triple.proven, proof);
  if (tax === null && gross !== null && (net === null || net.value === gross.value)) tax = findExemption(page);
  // Without tax, the total is the net total as well.
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
