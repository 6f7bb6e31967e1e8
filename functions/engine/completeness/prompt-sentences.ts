/** Splits a request's text into sentences. */
import { foldText } from "../values/text-folding.ts";
import * as words from "./restriction-words.ts";

/** Only the beginning of longer texts and sentences is read. */
const MAX_TEXT_CHARACTERS = 4_000;
const MAX_SENTENCE_CHARACTERS = 300;

/** A sentence in comparable form: folded, single spaces, no punctuation except in numbers. */
export const normalizeSentence = (text: string): string =>
  foldText(text)
    .replace(/^[\s\-*•>]+|^\s*\(?\d{1,2}[.)]\s/u, "")
    .replace(/["“”„«»()[\]*_]/g, " ")
    .replace(/[.,:;!?]+(?=\s|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(words.NOT_MORE, "at most");

/** Ends of sentences and clauses; a comma before a description separates nothing. */
const PART_SEPARATOR = new RegExp(
  `([.;!?\\n]+(?=\\s|$)|\\n+|(?<!\\d):(?=\\s)|,\\s+(?!(?:${words.THAT}|${words.EXCEPT})\\s)| (?:but|however|aber|jedoch|mais|pero|maar) )`,
  "iu",
);

export interface SentencePart {
  /** As given. */
  said: string;
  /** The clause that continues it behind a comma. */
  next?: string;
}

/** The sentences of a text, split into clauses. */
export function sentenceParts(text: string): SentencePart[] {
  const pieces = text.slice(0, MAX_TEXT_CHARACTERS).split(PART_SEPARATOR);
  return pieces.flatMap((piece, at): SentencePart[] => {
    const said = piece.trim().slice(0, MAX_SENTENCE_CHARACTERS);
    if (at % 2 === 1 || said === "") return [];
    const next = pieces[at + 1]?.startsWith(",") === true ? normalizeSentence(pieces[at + 2] ?? "") : undefined;
    return [{ said, ...(next === undefined ? {} : { next }) }];
  });
}
