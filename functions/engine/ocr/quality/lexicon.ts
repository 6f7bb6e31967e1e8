/**
 * Words that nearly every document of a language has: those that carry its grammar, and those of letters, invoices,
 * contracts and forms. Few, as they do not have to name the text but only to show that it is one. In lower case. A
 * little of the neighbours is among them, so that their pairs of letters are known: an encoding is not wrong for being
 * Polish.
 */
import { wordsOf } from "../../values/vocabulary/languages.ts";

export const LEXICON: ReadonlySet<string> = new Set(wordsOf(({ grammar }) => grammar.lexicon));
