/** Views the labels and values that an engine has paired on a form. */

import type { Box, Page, Word } from "../../../ports/layout.ts";
import { wordsInBoxes } from "../../layout/form-field-words.ts";
import { pageWords } from "../../layout/page-words.ts";
import type { Row, Segment, Token } from "./tokens.ts";

export interface FieldPair {
  /** Its words, on any rows. */
  label: Segment;
  /** One for each filled place; none for an empty field. */
  values: Segment[];
  /** All of them as one text. */
  whole: Segment[];
  /** 0 to 1. */
  confidence: number;
}

/** Pairs of one document; more are no form. */
const MAX_PAIRS = 5_000;

export interface PairSources {
  tokensOf: ReadonlyMap<Word, Token[]>;
  /** Rows of the page. */
  rows: readonly Row[];
  makeSegment(tokens: readonly Token[], page: number, row: number): Segment;
}

/**
 * Views the pairs of a page.
 * @param upright the same page upright, of whose words the tokens were made
 * @param before number of pairs of other pages
 */
export function viewPairs(
  { shown, upright }: { shown: Page; upright: Page },
  before: number,
  { tokensOf, rows, makeSegment }: PairSources,
): FieldPair[] {
  if (shown.fields === undefined || before >= MAX_PAIRS) return [];
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
  return shown.fields.slice(0, MAX_PAIRS - before).flatMap(({ label, values, confidence }) =>
    segment(label).map((own): FieldPair => {
      const each = values.flatMap(segment);
      return { label: own, values: each, whole: each.length > 1 ? segment(values.flat()) : each, confidence };
    }),
  );
}
