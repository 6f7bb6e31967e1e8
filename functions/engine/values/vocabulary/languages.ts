/** The languages that the engine knows: each has a JSON file of its own in this folder. */
import type { LanguageFile, LanguageWords } from "./language-file.ts";
import { LANGUAGE_FILES } from "./language-files.ts";
import { NEIGHBOUR_FILES } from "./neighbour-files.ts";
import neighbours from "./neighbours.json" with { type: "json" };

/** The files by ISO 639-1 code. */
export const LANGUAGES = LANGUAGE_FILES satisfies Record<string, LanguageFile>;

export type Language = keyof typeof LANGUAGES;

/** The codes of the languages, in their order. */
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

/** The file of a language. */
export const languageFile = (code: Language): LanguageFile => LANGUAGES[code];

const NO_WORDS: LanguageWords = {
  ...{ grammar: {}, labels: {}, numbers: {}, answers: {}, dates: {}, parties: {}, layout: {}, totals: {} },
  ...{ documents: {}, references: {}, statements: {}, properties: {}, forms: {}, concepts: {} },
};

/** Parts of languages that have no file of their own: they count wherever the words of all languages do. */
const NEIGHBOURS: readonly LanguageWords[] = [neighbours, ...NEIGHBOUR_FILES].map((words) => ({
  ...NO_WORDS,
  ...words,
}));
const ALL: readonly LanguageWords[] = [...Object.values(LANGUAGES), ...NEIGHBOURS];

/** The words that the languages have for one thing, in the order of the languages, each once. */
export const wordsOf = (pick: (language: LanguageWords) => readonly string[] | undefined): string[] => [
  ...new Set(ALL.flatMap((language) => pick(language) ?? [])),
];

/** The words of all languages by a key that they share, such as the kind of a document. */
export function wordsByKey(
  pick: (language: LanguageWords) => Readonly<Record<string, readonly string[] | undefined>> | undefined,
): Map<string, string[]> {
  const keys = new Set(ALL.flatMap((language) => Object.keys(pick(language) ?? {})));
  return new Map([...keys].map((key) => [key, wordsOf((language) => pick(language)?.[key])]));
}
