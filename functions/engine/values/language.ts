/** The language of a text, by its most common words. */

import { LANGUAGE_CODES, type Language, languageFile } from "./vocabulary/languages.ts";

/** Words looked at: enough for any doubt. */
const SAMPLE = 5_000;
/** Below so many hits, or so few of all words, the text is a list or another language. */
const LEAST_HITS = 3;
const LEAST_SHARE = 0.04;
/** So many different ones: other languages repeat a word that is common in one of these. */
const LEAST_DIFFERENT = 4;
/** The best must lead the next by so much. */
const LEAD = 1.15;

/** Languages by word. Those that share a word count it both, and so does one that has it in both lists. */
const LEXICON = new Map<string, Language[]>();
for (const list of ["stopWords", "businessWords"] as const) {
  for (const language of LANGUAGE_CODES) {
    for (const word of languageFile(language).grammar[list])
      LEXICON.set(word, [...(LEXICON.get(word) ?? []), language]);
  }
}

/** The language that the text is written in, of those known here; null when none stands out. */
export function detectLanguage(text: string): Language | null {
  const hits = new Map<Language, number>(LANGUAGE_CODES.map((language) => [language, 0]));
  const different = new Map<Language, Set<string>>();
  let words = 0;
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    if (words === SAMPLE) break;
    words += 1;
    const languages = LEXICON.get(word) ?? [];
    // A word that three languages share says a third as much for each.
    for (const language of languages) {
      hits.set(language, (hits.get(language) ?? 0) + 1 / languages.length);
      different.set(language, (different.get(language) ?? new Set()).add(word));
    }
  }
  const ranked = [...hits].sort((a, b) => b[1] - a[1]);
  const [best, second] = ranked;
  if (best === undefined || second === undefined) return null;
  const [language, count] = best;
  const enough = count >= LEAST_HITS && count >= LEAST_SHARE * words;
  const varied = (different.get(language)?.size ?? 0) >= LEAST_DIFFERENT;
  return enough && varied && count >= LEAD * second[1] ? language : null;
}
