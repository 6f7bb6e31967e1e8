/** Meanings of a column heading: concepts of the vocabulary, whole headings before parts of them. */

import { labelKey, labelWords } from "../../../values/label-words.ts";
import { wordsByKey } from "../../../values/vocabulary/languages.ts";
import { ITEM_LABELS } from "../../../values/vocabulary/vocabulary.ts";

/** Words of a heading that are read. */
const MAX_HEADING_WORDS = 10;
const MAX_LABEL_WORDS = 6;

const COLUMN_ENDINGS = wordsByKey(({ labels }) => labels.columnEndings);
/** Last parts of compounds, which carry the meaning; the first concept that fits counts. */
const COMPOUND_ENDINGS = ["unit-price", "line-amount", "quantity", "item-description", "item-number"].map(
  (concept) => [concept, new RegExp(`(?:${(COLUMN_ENDINGS.get(concept) ?? []).join("|")})$`)] as const,
);

/** Concepts of a heading with their strength, 0 to 1: 1 for all of the heading, less for a part of it. */
export function headingMeanings(heading: string): Map<string, number> {
  const found = new Map<string, number>();
  const put = (concept: string, strength: number): void => {
    if ((found.get(concept) ?? 0) < strength) found.set(concept, strength);
  };
  const words = labelWords(heading.replace(/\([A-Z]{3}\)|[€$£]|\b(?:EUR|USD|GBP|CHF)\b/g, " ")).slice(
    0,
    MAX_HEADING_WORDS,
  );
  const letters = words.join("").length;
  // Words inside of a longer label are no labels themselves: `code article` is no article.
  let covered = 0;
  for (let from = 0; from < words.length; from += 1) {
    let key = "";
    for (let to = from; to < words.length && to < from + MAX_LABEL_WORDS; to += 1) {
      key += words[to] ?? "";
      const meanings = to < covered ? [] : ITEM_LABELS.meaningsOf(key);
      // The first words of a heading name it; the others explain.
      const part = key.length === letters ? 1 : (from === 0 ? 0.8 : 0.7) * (0.6 + (0.4 * key.length) / letters);
      for (const { concept, strength } of meanings) put(concept, strength * part);
      if (meanings.length > 0) covered = to + 1;
    }
  }
  const last = words.find((word) => word.length > 5) ?? "";
  if (found.size === 0) for (const [concept, ending] of COMPOUND_ENDINGS) if (ending.test(last)) put(concept, 0.6);
  return found;
}

/** The label key of a heading, for comparison with a property's own words. */
export const headingKey = (heading: string): string => labelKey(heading);
