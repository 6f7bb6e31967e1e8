/** Labels and values that an engine has paired on a form, as extraction looks at them. */

import type { Box, Page, Word } from "../../../ports/layout.ts";
import { wordsInBoxes } from "../../layout/form-field-words.ts";
import { pageWords } from "../../layout/page-words.ts";
import type { Row, Segment, Token } from "./tokens.ts";

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
  /** Of the page. */
  rows: readonly Row[];
  makeSegment(tokens: readonly Token[], page: number, row: number): Segment;
}

/**
 * The pairs of a page.
 * @param upright the same page as its text stands upright, of whose words the tokens were made
 * @param before how many pairs other pages have
 */
export function viewPairs(
  { shown, upright }: { shown: Page; upright: Page },
  before: number,
  { tokensOf, rows, makeSegment }: PairSources,
): FieldPair[] {
  if (shown.fields === undefined || before >= MOST_PAIRS) return [];
  const rowOf = new Map(
    rows.flatMap(({ index, segments }) =>
      segments.flatMap(({ tokens }) => tokens.map((token): [Token, number] => [token, index])),
    ),
  );
  const wordsIn = wordsInBoxes(shown);
  const uprightWords = pageWords(upright);
  const same = new Map(pageWords(shown).map((word, index) => [word, uprightWords[index] ?? word]));
  const segment = (boxes: readonly Box[]): Segment[] => {
    const tokens = wordsIn(boxes).flatMap((word) => tokensOf.get(same.get(word) ?? word) ?? []);
    const [first] = tokens;
    return first === undefined ? [] : [makeSegment(tokens, shown.number, rowOf.get(first) ?? 0)];
  };
  return shown.fields.slice(0, MOST_PAIRS - before).flatMap(({ label, values, confidence }) =>
    segment(label).map((own): FieldPair => {
      const each = values.flatMap(segment);
      return { label: own, values: each, whole: each.length > 1 ? segment(values.flat()) : each, confidence };
    }),
  );
}
