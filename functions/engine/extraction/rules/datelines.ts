/**
 * Place and date of a letter, release or signature on one line: `Berlin, den 3. Mai 2024`. They answer properties that ask
 * where or when the document itself is from.
 */
import type { Field } from "../../schema/schema-shape.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { scanDates } from "../../values/dates.ts";
import { labelKey } from "../../values/label-words.ts";
import { lazily, oncePer } from "../../values/lazily.ts";
import { hasLegalForm } from "../../values/party-names.ts";
import { foldText } from "../../values/text-folding.ts";
import { LANGUAGE_CODES, wordsOf } from "../../values/vocabulary/languages.ts";
import { DOCUMENT_LABELS } from "../../values/vocabulary/vocabulary.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import { isAmong, questionOf, stemsOf } from "./told-values.ts";
import { wantsIso } from "./value-reader.ts";

const A_WEEK = [1, 2, 3, 4, 5, 6, 7].map((day) => new Date(Date.UTC(2024, 0, day)));
/** Names of weekdays in the languages, folded: `Monday, 3 May 2024` has no place. */
const weekdays = lazily(
  () =>
    new Set(
      LANGUAGE_CODES.flatMap((language) =>
        (["long", "short"] as const).flatMap((weekday) => {
          const format = new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" });
          return A_WEEK.map((day) => foldText(format.format(day)).replace(/\.$/, ""));
        }),
      ),
    ),
);

/** Languages whose place names change their endings behind a preposition. */
const INFLECTED = new Set(["pl", "ro", null]);

const AFTER_PLACE = anyOf(wordsOf(({ dates }) => dates.afterPlace));
/** The text before a date: a place in capitals, and a mark or a small word. */
const BEFORE_DATE = new RegExp(
  "^(?<place>\\p{Lu}[\\p{L}'’.]*(?:-\\p{L}+)*(?:,?\\s(?:\\p{Lu}[\\p{L}'’.]*|\\p{Ll}{1,3}(?=\\s\\p{Lu})|\\(\\p{L}+\\.?\\))(?:-\\p{L}+)*){0,4})" +
    `(?:\\s?[,–—-](?:\\s(?:${AFTER_PLACE}))?|\\s(?:${AFTER_PLACE}))(?:\\s(?<weekday>\\p{L}+),?)?\\s$`,
  "u",
);
/** Behind the date nothing stands, or the dash before a release's text. */
const BEHIND_DATE = /^\s?[.,;)]?\s?(?:$|[–—-]\s)/u;

const HAS_YEAR = /(?:19|20)\d\d|\d\s?[./-]\s?\d+\s?[./-]\s?\d\d/;
const PREPOSITIONS = new Set(wordsOf(({ grammar }) => grammar.prepositions).map(foldText));
/** Letters of a place's first word; shorter ones are prepositions. */
const MIN_PLACE_LETTERS = 3;

interface Dateline {
  /** Null behind a preposition that changes its ending. */
  place: { text: string; tokens: Token[] } | null;
  date: { iso: string; text: string; tokens: Token[] };
}

function datelineIn(segment: Segment, { conventions }: DocumentContext): Dateline[] {
  const { text } = segment;
  const [date] = scanDates(text, conventions.order);
  if (date === undefined || !BEHIND_DATE.test(text.slice(date.end)) || !HAS_YEAR.test(text.slice(date.start, date.end)))
    return [];
  const { place = "", weekday } = BEFORE_DATE.exec(text.slice(0, date.start))?.groups ?? {};
  if (place === "" || (weekday !== undefined && !weekdays().has(foldText(weekday)))) return [];
  const [first = "", ...others] = place.split(" ");
  const lead = PREPOSITIONS.has(foldText(first)) && others.length > 0 ? first.length + 1 : 0;
  const named = place.slice(lead);
  const isOther =
    weekdays().has(foldText(named).replace(/\.$/, "")) ||
    hasLegalForm(named) ||
    DOCUMENT_LABELS.meaningsOf(labelKey(named)).length > 0;
  if (isOther) return [];
  const isWhole = first.length >= MIN_PLACE_LETTERS || (lead > 0 && !INFLECTED.has(conventions.language));
  const placed = { text: named, tokens: tokensBetween(segment, lead, place.length) };
  const tokens = tokensBetween(segment, date.start, date.end);
  return [{ place: isWhole ? placed : null, date: { iso: date.iso, text: text.slice(date.start, date.end), tokens } }];
}

const datelinesIn = oncePer((context: DocumentContext): Dateline[] =>
  context.view.segments.flatMap((segment) => datelineIn(segment, context)),
);

/** Words for a town, and for any place: of an event, unless the question speaks of the document. */
const TOWNS = stemsOf(wordsOf(({ properties }) => properties.parts?.city));
const PLACES = stemsOf(wordsOf(({ answers }) => answers.place));
/** Words for documents, and for signing them. */
const DOCUMENTS = stemsOf(wordsOf(({ answers }) => [...(answers.document ?? []), ...(answers.signature ?? [])]));

const DATELINE_CONFIDENCE = 0.7;

/** Tells whether the question asks for the place or the date of the document itself; null for neither. */
function askedOf(field: Field, meaning: Meaning): "place" | "date" | null {
  if (meaning.role !== null || meaning.part !== null || field.type !== "string" || field.choices !== null) return null;
  const { name, all, isDate } = questionOf(field, meaning);
  const isOfDocument = all.some((word) => isAmong(word, DOCUMENTS));
  const isKnown = (word: string): boolean => [TOWNS, PLACES, DOCUMENTS].some((words) => isAmong(word, words));
  if (!name.every(isKnown)) return null;
  if (isDate) return isOfDocument ? "date" : null;
  const isTown = name.some((word) => isAmong(word, TOWNS)) && all.length === name.length;
  const isPlace = name.some((word) => isAmong(word, PLACES) || isAmong(word, TOWNS)) && isOfDocument;
  return field.format === null && (isTown || isPlace) ? "place" : null;
}

/** The place or the date of the document itself, from its datelines. @returns null for different ones */
export function datelineFact(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  const asked = context.isBill() ? null : askedOf(field, meaning);
  if (asked === null) return null;
  const found = datelinesIn(context).flatMap(({ place, date }): Finding[] => {
    if (asked === "place")
      return place === null ? [] : [{ value: place.text, tokens: place.tokens, confidence: DATELINE_CONFIDENCE }];
    const value = wantsIso(field, meaning) ? date.iso : date.text;
    return [{ value, tokens: date.tokens, confidence: DATELINE_CONFIDENCE }];
  });
  const [first] = found;
  return first !== undefined && found.every(({ value }) => value === first.value) ? first : null;
}
