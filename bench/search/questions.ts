/**
 * Questions from the sentences of documents, their words changed by a fixed recipe: stop words are left out, then every
 * fourth word; every third of the others gets or loses a plural's s; and their order is turned round.
 */
import type { Passage } from "../../functions/engine/passages/passage.ts";
import { wordsOf } from "../../functions/engine/values/vocabulary/languages.ts";

const STOP_WORDS = new Set(wordsOf(({ grammar }) => grammar.stopWords));
const MIN_SENTENCE_WORDS = 8;
const MAX_SENTENCE_WORDS = 40;
/** A shorter question may be about anything. */
const MIN_QUESTION_WORDS = 4;
const DROPPED_EVERY = 4;
const INFLECTED_EVERY = 3;

export interface Question {
  sentence: string;
  asked: string;
}

const plain = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** The whole sentences of a passage of running text, on one line each. */
export function sentencesOf({ text }: Passage): string[] {
  return plain(text)
    .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
    .filter((sentence) => /^\p{Lu}.*[.!?]$/u.test(sentence))
    .filter((sentence) => {
      const words = sentence.split(" ");
      const inLetters = words.filter((word) => /^\p{L}+[,;.!?]?$/u.test(word));
      return (
        words.length >= MIN_SENTENCE_WORDS &&
        words.length <= MAX_SENTENCE_WORDS &&
        inLetters.length >= words.length * 0.8
      );
    });
}

/** True when a passage prints the sentence. */
export const prints = ({ text }: Passage, sentence: string): boolean => plain(text).includes(sentence);

const inflected = (word: string): string => (word.endsWith("s") ? word.slice(0, -1) : `${word}s`);

/** Changes a sentence by the recipe. @returns undefined where too few words are left */
export function questionOf(sentence: string): Question | undefined {
  const words = sentence
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !STOP_WORDS.has(word.toLowerCase()))
    .filter((_, at) => at % DROPPED_EVERY !== DROPPED_EVERY - 1)
    .map((word, at) => (at % INFLECTED_EVERY === INFLECTED_EVERY - 1 ? inflected(word) : word));
  if (words.length < MIN_QUESTION_WORDS) return undefined;
  return { sentence, asked: words.reverse().join(" ") };
}
