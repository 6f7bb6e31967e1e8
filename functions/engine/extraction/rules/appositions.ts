/**
 * Names that stand right behind the word for what they name: `the association Green Roofs`, `le président Jean Petit`. The
 * word is the property's own; names that differ prove none.
 */
import type { Field } from "../../schema/schema-shape.ts";
import { labelKey } from "../../values/label-words.ts";
import { oncePer } from "../../values/lazily.ts";
import { matchesOf } from "../../values/pattern-matches.ts";
import { stem } from "../../values/stems.ts";
import { splitName } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import { isPerson } from "./front-page.ts";
import { sentencesIn, streamOf, tokensIn } from "./prose-stream.ts";
import { questionOf, stemsOf, wordsIn } from "./told-values.ts";

/**
 * A word that begins with a capital, an initial, or an abbreviation. Its length is limited: the search would read a word
 * without end from each of its capitals.
 */
const CAPITAL = "\\p{Lu}(?:[\\p{L}\\p{N}&’'-]{0,40}\\p{L}|\\p{L}?\\.)?";
const PARTICLE = `(?:${anyOf(wordsOf(({ grammar }) => [...(grammar.prepositions ?? []), ...(grammar.articles ?? []), ...(grammar.and ?? [])]))})`;
/** A word in small letters with the name behind it; quotation marks enclose a whole name. */
const APPOSITION = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<word>\\p{Ll}\\p{L}{3,})\\s(?:["“„«]\\s?(?<quoted>[^"“”„«»]{2,80}?)\\s?["”“»]|(?<name>${CAPITAL}(?:\\s(?:${PARTICLE}\\s){0,2}${CAPITAL}){0,7}))(?![\\p{L}\\p{N}:'’-]|\\s(?:${PARTICLE}\\s){0,2}\\p{Lu})`,
  "gu",
);
const ROLE_WORDS = anyOf(wordsOf(({ grammar }) => [...(grammar.copulas ?? []), ...(grammar.as ?? [])]));
const ARTICLE = anyOf(wordsOf(({ grammar }) => grammar.articles));
/** A name with its role behind it: `Anna Berg, as chair`, `Jean Petit, en sa qualité de trésorier`. */
const NAME_IN_ROLE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<name>${CAPITAL}(?:\\s${CAPITAL}){1,3}),?\\s(?:${ROLE_WORDS})\\s(?:${ARTICLE}\\s)?(?=(?<role>[^.;:()]{3,60}))`,
  "gu",
);

/** Letters of a word that may stand before a name. */
const MIN_WORD_LETTERS = 4;
const MIN_NAME_LETTERS = 2;
const MAX_ENDING_LETTERS = 2;
/** Words behind the first of a role that belong to it: `président de séance`. */
const MAX_ROLE_WORDS = 4;
const STOP_WORDS = new Set(wordsOf(({ grammar }) => grammar.stopWords));

const NAME_WORDS = new Set(
  wordsOf(({ properties }) => properties.parts?.name)
    .flatMap(wordsIn)
    .map(stem),
);

const APPOSITION_CONFIDENCE = 0.65;
/** Names that stand behind the word several times are surer. */
const REPEATED_CONFIDENCE = 0.7;

interface Apposition {
  word: string;
  name: string;
  start: number;
}

/** A name begins with no small word, and one of a single word is written so everywhere: `the seat of the Club`. */
function isProper(name: string, text: string): boolean {
  const [first = "", ...others] = name.split(" ");
  if (name.length < MIN_NAME_LETTERS || STOP_WORDS.has(first.toLowerCase())) return false;
  return (
    others.length > 0 ||
    !(/\d/.test(name) || new RegExp(`(?<![\\p{L}.@/])${name.toLowerCase()}(?![\\p{L}.@/])`, "u").test(text))
  );
}

const appositionsIn = oncePer((context: DocumentContext): Apposition[] => {
  const { text } = streamOf(context);
  return sentencesIn(context).flatMap((sentence) =>
    matchesOf(sentence.text, APPOSITION).flatMap((match): Apposition[] => {
      const { word = "", quoted, name = "" } = match.groups ?? {};
      const value = quoted ?? name;
      const start = sentence.start + match.index + match[0].lastIndexOf(value);
      return isProper(value, text) ? [{ word: stem(wordsIn(word).join("")), name: value, start }] : [];
    }),
  );
});

/** Equal stems, or one with a short ending. */
const isInflected = (a: string, b: string): boolean =>
  (a.startsWith(b) || b.startsWith(a)) && Math.abs(a.length - b.length) <= MAX_ENDING_LETTERS;

interface PersonInRole {
  person: string;
  /** Stems of the words that begin with the role. */
  role: string[];
  start: number;
}

const personsIn = oncePer((context: DocumentContext): PersonInRole[] =>
  sentencesIn(context).flatMap((sentence) =>
    matchesOf(sentence.text, NAME_IN_ROLE).flatMap((match): PersonInRole[] => {
      const { name: person = "", role = "" } = match.groups ?? {};
      return isPerson(person) ? [{ person, role: stemsOf([role]), start: sentence.start + match.index }] : [];
    }),
  ),
);

/** The person whose role a sentence tells. @returns null for none, and for different ones */
export function personOfRole(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  const [own, ...others] = questionOf(field, meaning).name;
  if (own === undefined || own.length < MIN_WORD_LETTERS || meaning.concept !== null) return null;
  const found = personsIn(context).filter(({ role: [word = "", ...more] }) => {
    const near = more.slice(0, MAX_ROLE_WORDS);
    return isInflected(word, own) && others.every((one) => near.includes(one));
  });
  const [first] = found;
  if (first === undefined || found.some(({ person }) => labelKey(person) !== labelKey(first.person))) return null;
  return {
    value: first.person,
    tokens: tokensIn(streamOf(context), first.start, first.start + first.person.length),
    confidence: REPEATED_CONFIDENCE,
  };
}

/** The name behind the property's own word. @returns null for none, and for different ones */
export function appositionOf(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  if (meaning.concept !== null && meaning.concept !== "organization-name") return null;
  const { all, name } = questionOf(field, meaning);
  // `club_name`, or `name` with `Name of the club`, asks for the club.
  const asksName = splitName(field.name).every((word) => NAME_WORDS.has(stem(word)));
  const [own, ...others] = (asksName ? all : name).filter((word) => !NAME_WORDS.has(word));
  if (own === undefined || others.length > 0 || own.length < MIN_WORD_LETTERS) return null;
  // English nouns are joined: `model Hamiltonian` names no model.
  const isName = (one: string): boolean => context.conventions.language !== "en" || one.includes(" ");
  const found = appositionsIn(context).filter(({ word, name: one }) => isInflected(word, own) && isName(one));
  const [first] = found;
  if (first === undefined || found.some((one) => labelKey(one.name) !== labelKey(first.name))) return null;
  return {
    value: first.name,
    tokens: tokensIn(streamOf(context), first.start, first.start + first.name.length),
    confidence: found.length > 1 ? REPEATED_CONFIDENCE : APPOSITION_CONFIDENCE,
  };
}
