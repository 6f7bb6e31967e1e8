/** Labels and values that an engine has paired on a form, as extraction looks at them. */
import { wordsInBoxes } from "../documents/form-fields.ts";
import type { Box, FormField, Layout, Page, Word } from "../documents/layout.ts";
import type { Segment, Token } from "./view.ts";

export interface FieldPair {
  /** Its words, whatever rows they stand on. */
  label: Segment;
  /** One for each place that is filled in; none for an empty field. */
  values: Segment[];
  /** All of them as one text. */
  whole: Segment[];
  /** 0 to 1. */
  confidence: number;
}

/** Pairs of one document that are looked at; more are no form. */
const MOST_PAIRS = 5_000;

export interface PairSources {
  tokensOf: ReadonlyMap<Word, Token[]>;
  /** Position of a token's row in the document. */
  rowOf: ReadonlyMap<Token, number>;
  makeSegment(tokens: Token[], page: number, row: number): Segment;
}

function viewPage(
  page: Page,
  fields: readonly FormField[],
  { tokensOf, rowOf, makeSegment }: PairSources,
): FieldPair[] {
  const wordsIn = wordsInBoxes(page);
  const segment = (boxes: readonly Box[]): Segment[] => {
    const tokens = wordsIn(boxes).flatMap((word) => tokensOf.get(word) ?? []);
    const [first] = tokens;
    return first === undefined ? [] : [makeSegment(tokens, page.number, rowOf.get(first) ?? 0)];
  };
  return fields.flatMap(({ label, values, confidence }) =>
    segment(label).map((own): FieldPair => {
      const each = values.flatMap(segment);
      return { label: own, values: each, whole: each.length > 1 ? segment(values.flat()) : each, confidence };
    }),
  );
}

/** All pairs of a layout, page after page. */
export function viewPairs(layout: Layout, sources: PairSources): FieldPair[] {
  const pairs: FieldPair[] = [];
  for (const page of layout.pages) {
    if (page.fields === undefined || pairs.length >= MOST_PAIRS) continue;
    pairs.push(...viewPage(page, page.fields.slice(0, MOST_PAIRS - pairs.length), sources));
  }
  return pairs;
}
