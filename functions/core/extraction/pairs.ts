/** Labels and values that an engine has paired on a form, as extraction looks at them. */
import { wordsInBoxes } from "../documents/form-fields.ts";
import { type Box, type FormField, type Layout, type Page, pageWords, type Word } from "../documents/layout.ts";
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
  { shown, upright }: { shown: Page; upright: Page },
  fields: readonly FormField[],
  { tokensOf, rowOf, makeSegment }: PairSources,
): FieldPair[] {
  const wordsIn = wordsInBoxes(shown);
  const uprightWords = pageWords(upright);
  const same = new Map(pageWords(shown).map((word, index) => [word, uprightWords[index] ?? word]));
  const segment = (boxes: readonly Box[]): Segment[] => {
    const tokens = wordsIn(boxes).flatMap((word) => tokensOf.get(same.get(word) ?? word) ?? []);
    const [first] = tokens;
    return first === undefined ? [] : [makeSegment(tokens, shown.number, rowOf.get(first) ?? 0)];
  };
  return fields.flatMap(({ label, values, confidence }) =>
    segment(label).map((own): FieldPair => {
      const each = values.flatMap(segment);
      return { label: own, values: each, whole: each.length > 1 ? segment(values.flat()) : each, confidence };
    }),
  );
}

/**
 * All pairs of a layout, page after page.
 * @param upright the same layout with its pages as their text stands upright, of whose words the tokens were made
 */
export function viewPairs(layout: Layout, upright: Layout, sources: PairSources): FieldPair[] {
  const pairs: FieldPair[] = [];
  for (const [index, shown] of layout.pages.entries()) {
    if (shown.fields === undefined || pairs.length >= MOST_PAIRS) continue;
    const page = { shown, upright: upright.pages[index] ?? shown };
    pairs.push(...viewPage(page, shown.fields.slice(0, MOST_PAIRS - pairs.length), sources));
  }
  return pairs;
}
