/** What kind of document it is, by title and wording, and which facts of a bill a document of that kind cannot have. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import type { Segment } from "../../structure/view/tokens.ts";
import { foldText } from "../../values/text-folding.ts";
import type { LabelHit, LabelMap } from "../rules/find-labels.ts";
import type { Finding } from "../rules/findings.ts";
import { ALIGNMENT } from "../rules/scoring.ts";
import { alignment, type Candidate } from "../rules/value-candidates.ts";
import { announces } from "./bill.ts";
import { documentType } from "./document-type.ts";
import { headsColumns, kindNamed, titledKind } from "./titled-kind.ts";

/** Where titles stand, as a share of the first page's height. */
const TITLE_SHARE = 0.4;
/** Segments that are looked at. */
const SEARCHED = 5000;
/** Words of a title at most. */
const TITLE_WORDS = 6;

const titleArea = (view: DocumentView): Segment[] => {
  const [page] = view.pages;
  const rows = (page?.rows ?? []).filter(({ box }) => box.top < (page?.height ?? 0) * TITLE_SHARE);
  return rows.flatMap((row) => (headsColumns(row) ? [] : row.segments));
};

/** The kind of a document (`other` where nothing tells), and the title that tells it, if one does. */
export function kindOfDocument(view: DocumentView): { kind: string; title: Finding | null } {
  const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join("\n");
  const title = titledKind(view);
  const titled = title === null ? null : String(title.value);
  const kind = documentType(textOf(titleArea(view)), textOf(view.segments.slice(0, SEARCHED)), titled);
  return { kind, title: kind === titled ? title : null };
}

const SUMS = ["net-total", "tax-total", "gross-total", "amount-due"];
/** An agreement names prices, a payslip what somebody earns: neither bills anything, and neither has an invoice's number. */
const NOTHING = new Set(["invoice-number", ...SUMS]);
/** A statement lists invoices and says what is due on all of them, or what an account holds. */
const DUE_ONLY = new Set(["invoice-number", "net-total", "tax-total", "gross-total"]);

const LACKS: Readonly<Record<string, ReadonlySet<string>>> = {
  contract: NOTHING,
  payslip: NOTHING,
  "bank statement": DUE_ONLY,
};

/** Cells of a row that make it a table's. */
const COLUMNS = 3;

/** Kinds that bill something, or are to. */
const BILLS = new Set("invoice|credit note|receipt|reminder|quote|order confirmation|purchase order".split("|"));

/** Is a bill's title or number there all the same: an invoice for what a contract says? */
function presentsBill(view: DocumentView, labels: LabelMap, title: Finding | null): boolean {
  const from = view.segments.find(({ tokens }) => tokens.some((token) => title?.tokens.includes(token)))?.row ?? -1;
  const titled = titleArea(view).some(({ tokens, text, row }) => {
    // Below another title, what stands in a row of three is a line of a list: `Invoice 10442` on a statement.
    const listed = row > from && (view.rows[row]?.segments.length ?? 0) >= COLUMNS;
    if (listed || tokens.length > TITLE_WORDS || text.endsWith(":")) return false;
    return BILLS.has(kindNamed([foldText(text)]) ?? "");
  });
  return titled || (labels.byConcept.get("invoice-number") ?? []).some((hit) => isAnswered(hit, view));
}

const hasDigit = (text: string): boolean => /\d/.test(text);

/** Does a number stand behind a label, beside it, or as the only one below it? */
function isAnswered(hit: LabelHit, view: DocumentView): boolean {
  const { segment, to, strength, colon } = hit;
  const row = view.rows[segment.row];
  if (segment.page > 1 || row === undefined || !announces(hit) || (strength < 1 && !colon)) return false;
  if (!headsColumns(row)) {
    const behind = segment.tokens[to] ?? row.segments[row.segments.indexOf(segment) + 1]?.tokens[0];
    return hasDigit(behind?.text ?? "");
  }
  const below = view.rows[segment.row + 1]?.segments.find((other) => alignment(segment.box, other.box) > 0);
  return below !== undefined && hasDigit(below.text) && !heads(segment, below, view, hasDigit);
}

const NONE: ReadonlySet<string> = new Set();

/** Concepts of which a document of its kind has none, whatever on it looks like one. */
export function lackedBy(view: DocumentView, labels: LabelMap): ReadonlySet<string> {
  const { kind, title } = kindOfDocument(view);
  const lacks = LACKS[kind] ?? NONE;
  return lacks.size > 0 && presentsBill(view, labels, title) ? NONE : lacks;
}

/** Does a label head a column of several values, the first of which is this one? */
function heads(label: Segment, value: Segment, view: DocumentView, reads: (text: string) => boolean): boolean {
  const [heading, row, next] = [label.row, value.row, value.row + 1].map((at) => view.rows[at]);
  if (heading === undefined || row === undefined || next?.page !== row.page) return false;
  if ([heading, row, next].some(({ segments }) => segments.length < COLUMNS)) return false;
  const near = next.box.top - row.box.bottom < 2 * (row.box.bottom - row.box.top);
  const under = next.segments.find(({ box }) => alignment(value.box, box) === ALIGNMENT.edge);
  return near && under !== undefined && reads(under.text);
}

/**
 * Does a value stand in a column of several under its label? Then it is one of many documents' or lines', and not this
 * document's.
 * @param reads whether a text holds a value of the same kind
 */
export const isListed = (
  { hit, segment, relation }: Candidate,
  view: DocumentView,
  reads: (text: string) => boolean,
): boolean => relation === "below" && hit !== null && heads(hit.segment, segment, view, reads);
