/** Texts in which somebody says what is wanted, sentence by sentence. */
import { foldText } from "../values/text-folding.ts";
import * as words from "./restriction-words.ts";

/** Text longer than this is looked at in its beginning, and so is a sentence. */
const LONGEST = 4_000;
const LONGEST_SENTENCE = 300;

/** A sentence as it is compared: folded, single spaces, no marks but those of numbers. */
export const plain = (text: string): string =>
  foldText(text)
    .replace(/^[\s\-*•>]+|^\s*\(?\d{1,2}[.)]\s/u, "")
    .replace(/["“”„«»()[\]*_]/g, " ")
    .replace(/[.,:;!?]+(?=\s|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(words.NOT_MORE, "at most");

/** Sentences, and their parts; a comma before a description parts nothing. */
const PARTS = new RegExp(
  `([.;!?\\n]+(?=\\s|$)|\\n+|(?<!\\d):(?=\\s)|,\\s+(?!(?:${words.THAT}|${words.EXCEPT})\\s)| (?:but|however|aber|jedoch|mais|pero|maar) )`,
  "iu",
);

export interface Part {
  /** As given. */
  said: string;
  /** The part that goes on from it behind a comma. */
  next?: string;
}

/** The sentences of a text, and their parts. */
export function partsOf(text: string): Part[] {
  const pieces = text.slice(0, LONGEST).split(PARTS);
  return pieces.flatMap((piece, at): Part[] => {
    const said = piece.trim().slice(0, LONGEST_SENTENCE);
    if (at % 2 === 1 || said === "") return [];
    const next = pieces[at + 1]?.startsWith(",") === true ? plain(pieces[at + 2] ?? "") : undefined;
    return [{ said, ...(next === undefined ? {} : { next }) }];
  });
}
