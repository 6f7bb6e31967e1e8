/** Units of time by their words in all languages. */
import { LANGUAGES } from "./vocabulary/languages.ts";
import { anyFolded } from "./vocabulary/word-patterns.ts";

const UNITS = ["day", "week", "month", "year"] as const;
export type TimeUnit = (typeof UNITS)[number];

/** Each language names days, weeks, months and years. */
const PATTERNS = UNITS.map((_, at) => {
  const words = Object.values(LANGUAGES).flatMap(({ dates }) => dates.units.slice(at, at + 1));
  return new RegExp(`^(?:${anyFolded(words)})$`, "u");
});

/** The unit that a folded word names. */
export const timeUnit = (word: string): TimeUnit | undefined => UNITS[PATTERNS.findIndex((one) => one.test(word))];
