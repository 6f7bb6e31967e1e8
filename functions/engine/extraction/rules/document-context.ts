/** Facts of a whole document that every field needs: conventions, labels, sums, parties. */

import type { Layout, Page } from "../../../ports/layout.ts";
import { summedRecords } from "../../structure/records/summed-records.ts";
import { type DocumentView, viewDocument } from "../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { currenciesOf, currencyOf, isCode, settleSign } from "../../values/currencies.ts";
import { toldDateOrder, usualDateOrder } from "../../values/dates.ts";
import { detectLanguage } from "../../values/language.ts";
import { lazily } from "../../values/lazily.ts";
import { decideNotation, type NumberSpan, scanNumbers } from "../../values/numbers.ts";
import { LabelIndex, type LabelMeaning } from "../../values/vocabulary/label-index.ts";
import { DOCUMENT_LABELS } from "../../values/vocabulary/vocabulary.ts";
import { isBill } from "../document-type/bill.ts";
import { conceptsAbsentFrom } from "../document-type/kind-of-document.ts";
import { titledKind } from "../document-type/titled-kind.ts";
import { readStatements, type Statements } from "../einvoice/invoice-statements.ts";
import { placedAmounts } from "./amounts/placed-amounts.ts";
import { columnTotal, totalsInRow } from "./amounts/summed-amounts.ts";
import { printedAmounts } from "./amounts/till-amounts.ts";
import { isProof, MIN_AMOUNTS, tillTotal } from "./amounts/till-total.ts";
import { findTotals, type Totals } from "./amounts/totals.ts";
import { type LabelHit, type LabelMap, labelsIn, type StemQuery } from "./find-labels.ts";
import type { Finding } from "./findings.ts";
import { findItemLabels, itemHeaderRows } from "./items/item-rows.ts";
import { isSlip } from "./parties/issuer.ts";
import { findNameUnderHeading, findParties, type Parties } from "./parties/parties.ts";
import { referencedDocumentWords } from "./referenced-document.ts";
import type { Conventions } from "./value-reader.ts";

export interface DocumentContext {
  view: DocumentView;
  /** The first page as the reader laid it out. */
  firstPage: Pick<Page, "blocks">;
  labels: LabelMap;
  /** Labels of the reader's pairs, by concept; their segments are those of `view.pairs`. */
  pairedLabels: ReadonlyMap<string, LabelHit[]>;
  conventions: Conventions;
  /** Computed on first use. */
  isBill(): boolean;
  /** Rows that head lists of items. */
  itemHeaders(): ReadonlySet<number>;
  totals(): Totals;
  parties(): Parties;
  /** Statements of the XML of an electronic invoice inside of the document. */
  statements(): Statements;
  /** Words about a referenced document: the invoice that a credit note is for. */
  referencedWords(): ReadonlySet<Token>;
  /** Concepts that documents of this type lack. */
  absentConcepts(): ReadonlySet<string>;
  /** The name under a heading for somebody besides the parties. */
  nameUnderHeading(concept: string): Finding | null;
}

const MAX_LANGUAGE_SAMPLE_CHARS = 20_000;
/** Segments that decide notation, date order and currency: more do not change them. */
const MAX_SAMPLE_SEGMENTS = 20_000;

function sampleText(view: DocumentView): string {
  let text = "";
  for (const segment of view.segments) {
    if (text.length > MAX_LANGUAGE_SAMPLE_CHARS) break;
    text += `${segment.text}\n`;
  }
  return text;
}

/** The currency in a word: alone, beside digits, or at the end of a heading (`Total/€`, `Amount(EUR)`). */
export const currencyOfWord = (text: string): string | null =>
  currencyOf(text.replace(/^[([]+|[)\].,:;*]+$/g, "")) ??
  currencyOf(text.replace(/[\d.,'’\-–+\s()]/g, "")) ??
  currencyOf(/\p{L}[/([]([^/()[\]]{1,4})[)\]:]*$/u.exec(text)?.[1] ?? "");

/** Characters of a currency's sign in small letters: `kr.` */
const MAX_SMALL_SIGN_CHARS = 3;

/** Currency codes and signs, alone or beside digits. */
function* currencyMarks(segments: readonly Segment[]): Generator<string> {
  for (const { tokens } of segments) {
    for (const { text } of tokens) {
      if (text.length > MAX_SMALL_SIGN_CHARS && !/[A-Z]{3}|[^\d\s.,'’a-z+()–-]/u.test(text)) continue;
      const mark = currencyOfWord(text);
      if (mark !== null) yield mark;
    }
  }
}

function decideConventions(view: DocumentView): Conventions {
  const segments = view.segments.slice(0, MAX_SAMPLE_SEGMENTS);
  const lines = segments.map((segment) => segment.text);
  const language = detectLanguage(sampleText(view));
  const { currencies, assumed } = currenciesOf(currencyMarks(segments), lines, language);
  const told = toldDateOrder(lines, language, currencies);
  return {
    notation: decideNotation(lines, language === "en" || language === null ? "point" : "comma"),
    order: told ?? usualDateOrder(language),
    isOrderGuessed: told === null,
    language,
    currencies,
    assumed,
  };
}

export interface CurrencyMention {
  code: string;
  tokens: Token[];
  segment: Segment;
}

/** A whole number before a word is rather a recognition error than an amount: `£1100 JOHOR`. */
const isCount = ({ decimals, end }: NumberSpan, { text, tokens }: Segment): boolean =>
  decimals === 0 && tokens.some(({ recognised }) => recognised) && /^\s*\p{L}{3,}/u.test(text.slice(end));

/** Every currency printed beside a number, as ISO codes. */
export function currencyMentions(context: DocumentContext): CurrencyMention[] {
  const { conventions, view } = context;
  return view.segments.slice(0, MAX_SAMPLE_SEGMENTS).flatMap((segment) =>
    scanNumbers(segment.text, conventions.notation).flatMap((span) => {
      // `DH20140923`: letters and digits without a mark are rather a code.
      const isKey = /^\p{L}+\d{5,}$/u.test(segment.text.slice(span.start, span.end));
      if (span.currency === null || isKey || isCount(span, segment)) return [];
      const tokens = tokensBetween(segment, span.start, span.end);
      // Yen have no cents, the yuan has: recognition takes other signs for theirs.
      const hasCents = span.currency === "¥" && span.decimals === 2;
      const settled = settleSign(span.currency, conventions.currencies);
      if (hasCents && settled !== "CNY" && tokens.some(({ recognised }) => recognised)) return [];
      const shared = hasCents ? "CNY" : settled;
      const code = isCode(span.currency) ? span.currency : shared;
      const marked = tokens.filter((token) => /[^\d.,'’\s()+\-–]/.test(token.text));
      return code === null ? [] : [{ code, tokens: marked.length > 0 ? marked : tokens, segment }];
    }),
  );
}

/** Seller and buyer have headings of their own: with the headings of items, they make a bill of a document without a title. */
const headsParties = ({ byConcept }: LabelMap): boolean =>
  ["seller", "buyer"].every((role) =>
    (byConcept.get(role) ?? []).some(
      ({ strength, from, to, segment }) => strength === 1 && from === 0 && to === segment.tokens.length,
    ),
  );

/** Rows of goods that a printed total adds up; a scanned form's sums have fewer lines with words beside their amounts. */
const MIN_GOODS = 3;

/** A recognised page's lines of goods add up to its total, whatever that is called. */
const provesGoods = (view: DocumentView, { notation }: Conventions): boolean =>
  view.segments.some(({ tokens: [first] }) => first?.recognised) &&
  summedRecords(view, notation).some(
    ({ evidence, records }) => evidence === "printed total" && records.length >= MIN_GOODS,
  );

/**
 * Analyzes a layout once.
 * @param own label keys of the schema's own words @param queries fields to find by the stems of their words
 */
export function buildContext(
  layout: Layout,
  own: Map<string, LabelMeaning[]>,
  queries: readonly StemQuery[],
): DocumentContext {
  const view = viewDocument(layout);
  const index = new LabelIndex(own, DOCUMENT_LABELS);
  const labels = labelsIn(view.segments, index, queries);
  const conventions = decideConventions(view);
  let totals: Totals | undefined;
  let parties: Parties | undefined;
  let statements: Statements | undefined;
  let lacked: ReadonlySet<string> | undefined;
  const elsewhere = lazily(() => referencedDocumentWords(view, labels, titledKind(view)?.value === "credit note"));
  const itemHeaders = lazily(() => itemHeaderRows(view, findItemLabels(view, new Map())));
  const slip = lazily(() => isSlip({ view, labels }));
  const till = lazily(() => tillTotal({ view, conventions }, slip()));
  const amounts = lazily(() => placedAmounts({ view, conventions }));
  const isRecognised = view.segments[0]?.tokens[0]?.recognised === true;
  const bill = lazily(() => {
    const total = till();
    // A column of amounts on a receipt is one of goods, whether or not their total is found.
    const hasGoods = total !== null || (isRecognised && printedAmounts({ view, conventions }).length >= MIN_AMOUNTS);
    if ((total !== null && isProof(total)) || (hasGoods && slip()) || isBill(view, labels, conventions)) return true;
    const page = { view, labels, amounts, bill: false };
    return (
      totalsInRow(page) !== null ||
      (itemHeaders().size > 0 && (columnTotal(page) !== null || headsParties(labels))) ||
      provesGoods(view, conventions)
    );
  });
  return {
    view,
    firstPage: layout.pages[0] ?? { blocks: [] },
    labels,
    pairedLabels: labelsIn([...view.pairs.keys()], index, queries).byConcept,
    conventions,
    isBill: bill,
    itemHeaders,
    totals() {
      const kinds = { bill: bill(), till: till(), amounts, itemHeaders: itemHeaders() };
      totals ??= findTotals({ view, labels, conventions, ...kinds, referencedWords: elsewhere() });
      return totals;
    },
    parties() {
      parties ??= findParties(view, labels, bill());
      return parties;
    },
    statements() {
      statements ??= readStatements(layout.attachments);
      return statements;
    },
    referencedWords: elsewhere,
    absentConcepts() {
      lacked ??= conceptsAbsentFrom(view, labels);
      return lacked;
    },
    nameUnderHeading: (concept) => findNameUnderHeading(view, labels, concept),
  };
}
