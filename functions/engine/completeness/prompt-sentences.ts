/** Texts in which somebody says what is wanted, sentence by sentence. */
import { foldText } from "../values/text-folding.ts";
import * as words from "./restriction-words.ts";

/** Text longer than this is looked at in its beginning, and so is a sentence. */
const MAX_TEXT_CHARACTERS = 4_000;
const MAX_SENTENCE_CHARACTERS = 300;

/** A sentence as it is compared: folded, single spaces, no marks but those of numbers. */
export const normalizeSentence = (text: string): string =>
  foldText(text)
    .replace(/^[\s\-*•>]+|^\s*\(?\d{1,2}[.)]\s/u, "")
    .replace(/["“”„«»()[\]*_]/g, " ")
    .replace(/[.,:;!?]+(?=\s|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(words.NOT_MORE, "at most");

/** Sentences, and their parts; a comma before a description parts nothing. */
const PART_SEPARATOR = new RegExp(
  `([.;!?\\n]+(?=\\s|$)|\\n+|(?<!\\d):(?=\\s)|,\\s+(?!(?:${words.THAT}|${words.EXCEPT})\\s)| (?:but|however|aber|jedoch|mais|pero|maar) )`,
  "iu",
);

export interface SentencePart {
  /** As given. */
  said: string;
  /** The part that goes on from it behind a comma. */
  next?: string;
}

/** The sentences of a text, and their parts. */
export function sentenceParts(text: string): SentencePart[] {
  const pieces = text.slice(0, MAX_TEXT_CHARACTERS).split(PART_SEPARATOR);
  return pieces.flatMap((piece, at): SentencePart[] => {
    const said = piece.trim().slice(0, MAX_SENTENCE_CHARACTERS);
    if (at % 2 === 1 || said === "") return [];
    const next = pieces[at + 1]?.startsWith(",") === true ? normalizeSentence(pieces[at + 2] ?? "") : undefined;
    return [{ said, ...(next === undefined ? {} : { next }) }];
  });
}
