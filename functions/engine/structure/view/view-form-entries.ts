/** Views the places of a form with the tokens that were written in them. */
import type { FormEntry, Page, Word } from "../../../ports/layout.ts";
import { wordsInBoxes } from "../../layout/form-field-words.ts";
import { pageWords } from "../../layout/page-words.ts";
import type { Token } from "./tokens.ts";

export interface EntryView {
  page: number;
  entry: FormEntry;
  /** In reading order. */
  tokens: Token[];
}

/** Entries of one document; more are no form. */
const MAX_ENTRIES = 10_000;

/**
 * Views the entries of a page.
 * @param upright the same page upright, of whose words the tokens were made
 * @param before number of entries of other pages
 */
export function viewEntries(
  { shown, upright }: { shown: Page; upright: Page },
  before: number,
  tokensOf: ReadonlyMap<Word, Token[]>,
): EntryView[] {
  if (shown.entries === undefined) return [];
  const wordsIn = wordsInBoxes(shown);
  const uprightWords = pageWords(upright);
  const same = new Map(pageWords(shown).map((word, index) => [word, uprightWords[index] ?? word]));
  return shown.entries.slice(0, MAX_ENTRIES - before).map((entry) => ({
    page: shown.number,
    entry,
    tokens: wordsIn(entry.words).flatMap((word) => tokensOf.get(same.get(word) ?? word) ?? []),
  }));
}
