/**
 * Limits of rows that need no model to be understood: a count (`the first 5 items`, `at most 10 rows`) or pages (`only
 * page 2`). Every word of the sentence must be known. Any other word may turn its meaning (`skip`, `per page`, `not`), so
 * such a sentence limits nothing.
 */
import { foldText } from "../../values/text-folding.ts";
import type { LanguageFile } from "../../values/vocabulary/language-file.ts";
import { LANGUAGE_CODES, languageFile } from "../../values/vocabulary/languages.ts";

/** The restriction of a list's rows. */
export interface RowLimit {
  /** The restricting sentences, as given. */
  said: string[];
  /** Number of rows. */
  count?: { rows: number; of: "first" | "last" | "some" };
  /** Ranges of page numbers, both ends included; -1 is the last page. */
  pages?: [number, number][];
  /** Only rows of some kind, which only a reader can recognise. */
  criterion?: true;
}

/** Only the beginning of longer texts is read. */
const MAX_TEXT_CHARACTERS = 4_000;
/** Sentences with more words say something else. */
const MAX_SENTENCE_WORDS = 16;

/** Kinds of words, each with its letter: a sentence is matched by its letters. */
const LETTERS = { only: "O", first: "F", last: "L", most: "M", rows: "R", pages: "P", to: "T", beside: "" } as const;
type Kind = keyof typeof LETTERS;
const KINDS = Object.keys(LETTERS) as Kind[];

const wordsIn = (text: string): string[] => foldText(text).match(/[\p{L}']+|\d+/gu) ?? [];

type LimitWords = NonNullable<LanguageFile["limits"]>;
/** One is an article in many languages. */
const SMALLEST_COUNT_WORD = 2;

/** The words of one language: a sentence is in one, as `due` is two in Italian. */
interface Wording {
  /** Phrases by their words, joined by blanks. */
  phrases: ReadonlyMap<string, Kind>;
  longest: number;
  /** Number words. */
  counts: ReadonlyMap<string, number>;
}

function wordingOf(words: LimitWords, cardinals: readonly string[]): Wording {
  const phrases = new Map(
    KINDS.flatMap((kind) => words[kind].map((phrase) => [wordsIn(phrase).join(" "), kind] as const)),
  );
  return {
    phrases,
    longest: Math.max(...[...phrases.keys()].map((phrase) => phrase.split(" ").length)),
    counts: new Map(cardinals.slice(1).map((word, at) => [foldText(word), at + SMALLEST_COUNT_WORD])),
  };
}
const WORDINGS = LANGUAGE_CODES.flatMap((code) => {
  const { limits, numbers } = languageFile(code);
  return limits === undefined ? [] : [wordingOf(limits, numbers.cardinals)];
});

const numberOf = (word: string, { counts }: Wording): number | undefined =>
  /^\d{1,6}$/.test(word) ? Number(word) : counts.get(word);

/** The numbers in a text, as digits or words. */
export const numbersIn = (text: string): Set<number> =>
  new Set(wordsIn(text).flatMap((word) => WORDINGS.flatMap((wording) => numberOf(word, wording) ?? [])));

/** A sentence as letters, with its numbers and its words for rows. */
interface ReadSentence {
  letters: string;
  numbers: number[];
  rows: string[];
}

/** @returns undefined for a sentence with an unknown word */
function readWords(words: readonly string[], own: ReadonlySet<string>, wording: Wording): ReadSentence | undefined {
  const read: ReadSentence = { letters: "", numbers: [], rows: [] };
  for (let at = 0; at < words.length; ) {
    const longest = Math.min(wording.longest, words.length - at);
    const phrases = Array.from({ length: longest }, (_, less) => words.slice(at, at + longest - less).join(" "));
    const phrase = phrases.find((one) => own.has(one) || wording.phrases.has(one));
    const number = numberOf(words[at] ?? "", wording);
    if (phrase !== undefined) {
      const kind = own.has(phrase) ? "rows" : (wording.phrases.get(phrase) ?? "beside");
      read.letters += LETTERS[kind];
      if (kind === "rows") read.rows.push(phrase);
    } else if (number !== undefined) {
      read.letters += "N";
      read.numbers.push(number);
    } else return undefined;
    at += phrase === undefined ? 1 : phrase.split(" ").length;
  }
  return read;
}

/** Signs that part a sentence, or compare values: more is said than a limit. */
const FURTHER_SIGNS = /[,:<>≥≤%€$]/u;

function readSentence(sentence: string, own: ReadonlySet<string>): ReadSentence | undefined {
  const words = FURTHER_SIGNS.test(sentence) ? [] : wordsIn(sentence);
  if (words.length === 0 || words.length > MAX_SENTENCE_WORDS) return undefined;
  return WORDINGS.map((wording) => readWords(words, own, wording)).find((read) => read !== undefined);
}

/** A list's own words for its rows: the last word of its name, in plural and singular. */
function ownWords(list: string): Set<string> {
  const last = list.split(" ").at(-1) ?? "";
  return /^\p{L}{3,}$/u.test(last)
    ? new Set([last, last.replace(/ies$/u, "y").replace(/(?<=[^s])s$/u, "")])
    : new Set();
}

/** The limit that a read sentence states. */
function limitOf({ letters, numbers }: ReadSentence): Pick<RowLimit, "count" | "pages"> | undefined {
  const [from = 0, to = from] = numbers;
  const isOnly = letters.includes("O");
  const core = letters.replaceAll("O", "");
  if (core === "FNR" || core === "NFR") return { count: { rows: from, of: "first" } };
  if (core === "LNR" || core === "NLR") return { count: { rows: from, of: "last" } };
  if (core === "MNR" || (isOnly && core === "NR")) return { count: { rows: from, of: "some" } };
  if (!isOnly) return undefined;
  const pages = core.replace(/^R/, "");
  if (pages === "PN" || pages === "PNTN") return { pages: [[from, to]] };
  if (pages === "FP") return { pages: [[1, 1]] };
  return pages === "LP" ? { pages: [[-1, -1]] } : undefined;
}

/**
 * The limits of a list in texts: the prompt, and descriptions that apply to the list.
 * @param list its name in words @param lists names of all lists of the result: words that name another limit that one
 */
export function plainLimits(list: string, lists: readonly string[], texts: readonly string[]): RowLimit[] {
  const own = ownWords(list);
  const others = new Set(lists.flatMap((other) => (other === list ? [] : [...ownWords(other)])));
  for (const word of own) others.delete(word);
  const sentences = texts.flatMap((text) => text.slice(0, MAX_TEXT_CHARACTERS).split(/[.;!?](?=\s|$)|\n+/u));
  return sentences.flatMap((sentence): RowLimit[] => {
    const read = readSentence(sentence, new Set([...own, ...others]));
    const limit = read === undefined || read.rows.some((word) => others.has(word)) ? undefined : limitOf(read);
    return limit === undefined ? [] : [{ said: [sentence.trim()], ...limit }];
  });
}
