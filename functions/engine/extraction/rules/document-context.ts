/** What is true of a whole document and needed by every field: its conventions, labels, sums, parties. */

import type { Layout } from "../../../ports/layout.ts";
import { type DocumentView, viewDocument } from "../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { currenciesOf, currencyOf, isCode, settleSign } from "../../values/currencies.ts";
import { decideDateOrder } from "../../values/dates.ts";
import { detectLanguage } from "../../values/language.ts";
import { decideNotation, scanNumbers } from "../../values/numbers.ts";
import { LabelIndex, type LabelMeaning } from "../../values/vocabulary/label-index.ts";
import { DOCUMENT_LABELS } from "../../values/vocabulary/vocabulary.ts";
import { isBill } from "../document-type/bill.ts";
import { lackedBy } from "../document-type/kind-of-document.ts";
import { titledKind } from "../document-type/titled-kind.ts";
import { readStatements, type Statements } from "../einvoice/invoice-statements.ts";
import { findTotals, type Totals } from "./amounts/totals.ts";
import { addByStems, findLabels, type LabelHit, type LabelMap, type StemQuery } from "./find-labels.ts";
import type { Finding } from "./findings.ts";
import { findItemLabels, itemHeaderRows } from "./items/item-rows.ts";
import { findNamed, findParties, type Parties } from "./parties/parties.ts";
import { wordsAboutAnother } from "./referenced-document.ts";
import type { Conventions } from "./value-reader.ts";

export interface DocumentContext {
  view: DocumentView;
  labels: LabelMap;
  /** Labels, by concept, of what the reader paired: their segments are those of `view.pairs`. */
  paired: ReadonlyMap<string, LabelHit[]>;
  conventions: Conventions;
  /** Made on first use. */
  totals(): Totals;
  parties(): Parties;
  /** What the XML of an electronic invoice inside of the document states. */
  statements(): Statements;
  /** Words about another document: the invoice that a credit note is for. */
  elsewhere(): ReadonlySet<Token>;
  /** Concepts that a document of its kind has none of. */
  lacks(): ReadonlySet<string>;
  /** The name under a heading that is no party's. */
  named(concept: string): Finding | null;
}

/** Characters of text that decide the language. */
const LANGUAGE_SAMPLE = 20_000;
/** Segments that decide notation, date order and currency: more would not change them. */
const SAMPLE = 20_000;

function sampleText(view: DocumentView): string {
  let text = "";
  for (const segment of view.segments) {
    if (text.length > LANGUAGE_SAMPLE) break;
    text += `${segment.text}\n`;
  }
  return text;
}

/** Codes and signs that words are, or hold beside digits. */
function* currencyMarks(segments: readonly Segment[]): Generator<string> {
  for (const { tokens } of segments) {
    for (const { text } of tokens) {
      if (!/[A-Z]{3}|[^\d\s.,'’a-z+()–-]/u.test(text)) continue;
      const mark =
        currencyOf(text.replace(/^[([]+|[)\].,:;*]+$/g, "")) ?? currencyOf(text.replace(/[\d.,'’\-–+\s()]/g, ""));
      if (mark !== null) yield mark;
    }
  }
}

function decideConventions(view: DocumentView): Conventions {
  const segments = view.segments.slice(0, SAMPLE);
  const lines = segments.map((segment) => segment.text);
  const language = detectLanguage(sampleText(view));
  const { currencies, assumed } = currenciesOf(currencyMarks(segments), lines);
  return {
    notation: decideNotation(lines, language === "en" || language === null ? "point" : "comma"),
    order: decideDateOrder(lines, language, currencies),
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

/** Every currency printed beside a number, as ISO codes. */
export function currencyMentions(context: DocumentContext): CurrencyMention[] {
  const { conventions, view } = context;
  return view.segments.slice(0, SAMPLE).flatMap((segment) =>
    scanNumbers(segment.text, conventions.notation).flatMap((span) => {
      if (span.currency === null) return [];
      const code = isCode(span.currency) ? span.currency : settleSign(span.currency, conventions.currencies);
      const tokens = tokensBetween(segment, span.start, span.end);
      const marked = tokens.filter((token) => /[^\d.,'’\s()+\-–]/.test(token.text));
      return code === null ? [] : [{ code, tokens: marked.length > 0 ? marked : tokens, segment }];
    }),
  );
}

function labelsIn(segments: readonly Segment[], index: LabelIndex, queries: readonly StemQuery[]): LabelMap {
  const view = { segments: [...segments] };
  const labels = findLabels(view, index);
  addByStems(labels.byConcept, view, queries);
  return labels;
}

/**
 * Looks a layout over once.
 * @param own label keys of the schema's own words @param queries fields to be found by the stems of their words
 */
export function lookOver(
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
  let known: boolean | undefined;
  let lacked: ReadonlySet<string> | undefined;
  let another: ReadonlySet<Token> | undefined;
  const elsewhere = (): ReadonlySet<Token> => {
    another ??= wordsAboutAnother(view, labels, titledKind(view)?.value === "credit note");
    return another;
  };
  const bill = (): boolean => {
    known ??= isBill(view, labels, conventions);
    return known;
  };
  return {
    view,
    labels,
    paired: labelsIn([...view.pairs.keys()], index, queries).byConcept,
    conventions,
    totals() {
      if (totals === undefined) {
        const itemHeaders = itemHeaderRows(view, findItemLabels(view, new Map()));
        totals = findTotals({ view, labels, conventions, itemHeaders, bill: bill(), elsewhere: elsewhere() });
      }
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
    elsewhere,
    lacks() {
      lacked ??= lackedBy(view, labels);
      return lacked;
    },
    named: (concept) => findNamed(view, labels, concept),
  };
}
