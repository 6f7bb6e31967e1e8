/** The type of a document by title and wording, and the concepts of a bill that documents of that type lack. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import type { Segment } from "../../structure/view/tokens.ts";
import { foldText } from "../../values/text-folding.ts";
import type { LabelHit, LabelMap } from "../rules/find-labels.ts";
import type { Finding } from "../rules/findings.ts";
import { ALIGNMENT_WEIGHTS } from "../rules/scoring.ts";
import { alignmentWeight, type Candidate } from "../rules/value-candidates.ts";
import { isProperLabel } from "./bill.ts";
import { documentType } from "./document-type.ts";
import { isColumnHeadingRow, kindOfName, titledKind } from "./titled-kind.ts";

/** Top part of the first page that holds titles, as a share of its height. */
const TITLE_AREA_SHARE = 0.4;
const MAX_SEARCHED_SEGMENTS = 5000;
const MAX_TITLE_WORDS = 6;

const titleArea = (view: DocumentView): Segment[] => {
  const [page] = view.pages;
  const rows = (page?.rows ?? []).filter(({ box }) => box.top < (page?.height ?? 0) * TITLE_AREA_SHARE);
  return rows.flatMap((row) => (isColumnHeadingRow(row) ? [] : row.segments));
};

/** The type of a document (`other` when undecided), and the title that shows it, if any. */
export function kindOfDocument(view: DocumentView): { kind: string; title: Finding | null } {
  const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join("\n");
  const title = titledKind(view);
  const titled = title === null ? null : String(title.value);
  const kind = documentType(textOf(titleArea(view)), textOf(view.segments.slice(0, MAX_SEARCHED_SEGMENTS)), titled);
  return { kind, title: kind === titled ? title : null };
}

const SUM_CONCEPTS = ["net-total", "tax-total", "gross-total", "amount-due"];
/** Contracts name prices and payslips earnings: neither has sums or a number of a bill. */
const BILL_CONCEPTS = new Set(["invoice-number", ...SUM_CONCEPTS]);
/** A statement lists invoices and their total due, or an account's balance. */
const INVOICE_CONCEPTS = new Set(["invoice-number", "net-total", "tax-total", "gross-total"]);

const LACKED_CONCEPTS: Readonly<Record<string, ReadonlySet<string>>> = {
  contract: BILL_CONCEPTS,
  payslip: BILL_CONCEPTS,
  "bank statement": INVOICE_CONCEPTS,
};

/** Segments from which a row counts as a table row. */
const MIN_TABLE_COLUMNS = 3;

/** Types of bills and of documents that lead to one. */
const BILL_TYPES = new Set("invoice|credit note|receipt|reminder|quote|order confirmation|purchase order".split("|"));

/** The document has a bill's title or number nevertheless: an invoice for a contract. */
function isAlsoBill(view: DocumentView, labels: LabelMap, title: Finding | null): boolean {
  const from = view.segments.find(({ tokens }) => tokens.some((token) => title?.tokens.includes(token)))?.row ?? -1;
  const titled = titleArea(view).some(({ tokens, text, row }) => {
    // Below another title, a row of three segments is a line of a list: `Invoice 10442` on a statement.
    const listed = row > from && (view.rows[row]?.segments.length ?? 0) >= MIN_TABLE_COLUMNS;
    if (listed || tokens.length > MAX_TITLE_WORDS || text.endsWith(":")) return false;
    return BILL_TYPES.has(kindOfName([foldText(text)]) ?? "");
  });
  return titled || (labels.byConcept.get("invoice-number") ?? []).some((hit) => hasNumber(hit, view));
}

const hasDigit = (text: string): boolean => /\d/.test(text);

/** A number stands behind a label, beside it, or as the only one below it. */
function hasNumber(hit: LabelHit, view: DocumentView): boolean {
  const { segment, to, strength, colon } = hit;
  const row = view.rows[segment.row];
  if (segment.page > 1 || row === undefined || !isProperLabel(hit) || (strength < 1 && !colon)) return false;
  if (!isColumnHeadingRow(row)) {
    const behind = segment.tokens[to] ?? row.segments[row.segments.indexOf(segment) + 1]?.tokens[0];
    return hasDigit(behind?.text ?? "");
  }
  const below = view.rows[segment.row + 1]?.segments.find((other) => alignmentWeight(segment.box, other.box) > 0);
  return below !== undefined && hasDigit(below.text) && !headsColumn(segment, below, view, hasDigit);
}

const NO_CONCEPTS: ReadonlySet<string> = new Set();

/** Concepts that a document of this type lacks, whatever looks like one. */
export function conceptsAbsentFrom(view: DocumentView, labels: LabelMap): ReadonlySet<string> {
  const { kind, title } = kindOfDocument(view);
  const lacks = LACKED_CONCEPTS[kind] ?? NO_CONCEPTS;
  return lacks.size > 0 && isAlsoBill(view, labels, title) ? NO_CONCEPTS : lacks;
}

/** A label heads a column of several values, of which this is the first. */
function headsColumn(label: Segment, value: Segment, view: DocumentView, reads: (text: string) => boolean): boolean {
  const [heading, row, next] = [label.row, value.row, value.row + 1].map((at) => view.rows[at]);
  if (heading === undefined || row === undefined || next?.page !== row.page) return false;
  if ([heading, row, next].some(({ segments }) => segments.length < MIN_TABLE_COLUMNS)) return false;
  const near = next.box.top - row.box.bottom < 2 * (row.box.bottom - row.box.top);
  const under = next.segments.find(({ box }) => alignmentWeight(value.box, box) === ALIGNMENT_WEIGHTS.edge);
  return near && under !== undefined && reads(under.text);
}

/**
 * A value is one of several in a column under its label: it belongs to a listed document or line, not to this document.
 * @param reads tells whether a text holds a value of the same kind
 */
export const isListedValue = (
  { hit, segment, relation }: Candidate,
  view: DocumentView,
  reads: (text: string) => boolean,
): boolean => relation === "below" && hit !== null && headsColumn(hit.segment, segment, view, reads);
