/** The terms that passages are found by: the same for the index and for questions. */

import search from "../values/search-words.json" with { type: "json" };
import { stem } from "../values/stems.ts";
import { foldText } from "../values/text-folding.ts";

/** Words that join others and that nearly every passage has. */
const STOP_WORDS = new Set(search.stopWords.map(foldText));
/** Scripts without spaces between words: two characters at a time are a term. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** No word is longer; what is, is no text, and would make the index large. */
const MAX_TERM_CHARS = 40;
/** Most terms of a question: a long paragraph. More take time and no longer change the first hits. */
export const MAX_QUESTION_TERMS = 32;

function pairsOf(text: string): string[] {
  const characters = [...text];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function termsOfWord(word: string): string[] {
  if (word.length > MAX_TERM_CHARS) return [word.slice(0, MAX_TERM_CHARS)];
  return [/^\p{N}+$/u.test(word) ? word : stem(word)];
}

/** The terms of a text in their order, stop words among them. */
export function searchTerms(text: string): string[] {
  const folded = foldText(text);
  const unspaced = (folded.match(UNSPACED) ?? []).flatMap(pairsOf);
  const words = folded.replace(UNSPACED, " ").match(WORD) ?? [];
  return [...words.flatMap(termsOfWord), ...unspaced];
}

/** The terms of a question, each once: without stop words, or all of them where nothing else is asked. */
export function questionTerms(question: string): string[] {
  const words = foldText(question).match(WORD) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  const terms = searchTerms((telling.length > 0 ? telling : words).join(" "));
  return [...new Set(terms)].slice(0, MAX_QUESTION_TERMS);
}
