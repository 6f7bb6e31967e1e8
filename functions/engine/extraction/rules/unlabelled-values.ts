/** Values without a label: by their form, as the only one on the page, or by the schema's own pattern or choices. */

import type { Field } from "../../schema/schema-shape.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { leadingTick } from "../../values/booleans.ts";
import { isCode, namedCurrencies } from "../../values/currencies.ts";
import { labelKey } from "../../values/label-words.ts";
import { isSelective, safePattern } from "../../values/safe-patterns.ts";
import { foldText } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded, anyOf } from "../../values/vocabulary/word-patterns.ts";
import { currencyMentions, currencyOfWord, type DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import type { Candidate } from "./value-candidates.ts";
import { matchChoice, type Reader } from "./value-reader.ts";

const MAX_SEARCHED_SEGMENTS = 5000;
const MAX_PATTERN_SEGMENTS = 2000;
const MAX_CHOICE_SEGMENTS = 1500;
const MAX_CHOICES = 60;
const MIN_CHOICE_CHARS = 4;
const MIN_CURRENCY_SHARE = 0.6;
const DEFAULT_PAGE_HEIGHT_INCHES = 11;
/** Words that one patterned value may have. */
const MAX_PATTERN_WORDS = 8;

const SELF_EVIDENT_KINDS = new Set(["iban", "email", "vat-id", "url"]);

/** IBANs, addresses and the like, recognised anywhere. A single one is sure, the first of several is not. */
export function byShape(
  meaning: Meaning,
  reader: Reader,
  context: DocumentContext,
  allowed: (segment: Segment) => boolean,
): Finding | null {
  if (meaning.value === null || !SELF_EVIDENT_KINDS.has(meaning.value)) return null;
  const found = context.view.segments.slice(0, MAX_SEARCHED_SEGMENTS).flatMap((segment) =>
    allowed(segment)
      ? reader
          .read(segment.text)
          .filter(({ fit }) => fit === 1)
          .map((reading) => ({ value: reading.value, tokens: tokensBetween(segment, reading.start, reading.end) }))
      : [],
  );
  const [first] = found;
  if (first === undefined) return null;
  const values = new Set(found.map(({ value }) => String(value).replace(/\s/g, "").toLowerCase()));
  return values.size === 1 ? { ...first, confidence: 0.8 } : values.size === 2 ? { ...first, confidence: 0.55 } : null;
}

/** The currency beside most numbers; located at its mention nearest to the total. */
export function byCurrencyVote(field: Field, context: DocumentContext): Finding | null {
  const mentions = currencyMentions(context).filter(
    ({ code }) => field.choices === null || field.choices.includes(code),
  );
  const counts = new Map<string, number>();
  for (const { code } of mentions) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [top] = [...counts].sort((a, b) => b[1] - a[1]);
  if (top === undefined || top[1] / mentions.length < MIN_CURRENCY_SHARE) return null;
  const [code, count] = top;
  const total = context.totals()["gross-total"]?.tokens[0];
  const near = (tokens: readonly Token[]): number => {
    const [token] = tokens;
    if (token === undefined || total === undefined) return 0;
    return token.page === total.page
      ? Math.hypot(token.box.left - total.box.left, token.box.top - total.box.top)
      : 100 * Math.abs(token.page - total.page);
  };
  const own = mentions.filter((mention) => mention.code === code);
  const best = own.reduce((a, b) => (near(b.tokens) < near(a.tokens) ? b : a));
  // Several currencies share `$`.
  const sure = context.conventions.assumed.has(code) ? 0.85 : 0.95;
  const certainty = own.reduce(
    (most, { tokens }) => Math.max(most, Math.min(...tokens.map((token) => token.confidence))),
    0,
  );
  return { value: code, tokens: best.tokens, confidence: count === mentions.length ? sure : 0.75, certainty };
}

/** Currency codes printed alone: `Alle Beträge in EUR`. */
export function byCurrencyCode(field: Field, reader: Reader, context: DocumentContext): Finding | null {
  const { assumed } = context.conventions;
  const found = context.view.segments.slice(0, MAX_SEARCHED_SEGMENTS).flatMap((segment) =>
    segment.tokens.flatMap((token, at) => {
      const mark = currencyOfWord(token.text);
      const [reading] = mark === null || /\d/.test(token.text) ? [] : reader.read(isCode(mark) ? mark : token.text);
      if (reading === undefined) return [];
      // Recognition makes signs of dirt, and capitals behind others are rather a part of a name: `SUN BHD`.
      const isOther =
        assumed.has(String(reading.value)) ||
        (/^\p{Lu}{2,}$/u.test(segment.tokens[at - 1]?.text ?? "") && !context.labels.bySegment.has(segment));
      return token.recognised && isOther ? [] : [{ value: reading.value, tokens: [token] }];
    }),
  );
  const allowed = found.filter(({ value }) => field.choices === null || field.choices.includes(value));
  const [first] = allowed;
  return first !== undefined && new Set(allowed.map(({ value }) => value)).size === 1
    ? { ...first, confidence: 0.7 }
    : null;
}

/** The only currency that the document names in words: `Rupees Sixteen Thousand Only`. */
export function byCurrencyName(field: Field, { view }: DocumentContext): Finding | null {
  const named = view.segments.slice(0, MAX_SEARCHED_SEGMENTS).flatMap(({ text, tokens }) =>
    namedCurrencies(foldText(text)).map((code) => ({
      value: code,
      tokens: tokens.filter((token) => namedCurrencies(foldText(token.text)).includes(code)),
    })),
  );
  const allowed = named.filter(({ value, tokens }) => tokens.length > 0 && (field.choices?.includes(value) ?? true));
  const [first] = allowed;
  return first !== undefined && new Set(allowed.map(({ value }) => value)).size === 1
    ? { ...first, confidence: 0.65 }
    : null;
}

/** Longer lines are sentences. */
const MAX_DATE_LINE_WORDS = 8;

/** The place before the date of a letter: `Berlin, den`. */
const PLACE = new RegExp(
  `^\\p{Lu}[\\p{L} .()-]{2,30},?\\s*(?:${anyOf(wordsOf(({ dates }) => dates.afterPlace))}|,)?\\s*$`,
  "u",
);
/** Words before the date of an edition or revision. */
const EDITION_WORDS = new RegExp(`\\b(?:${anyFolded(wordsOf(({ dates }) => dates.edition))})\\b`);

/** Share of the page's height; below it stands imprint text. */
const IMPRINT_TOP_SHARE = 0.93;
/** Dates of letters stand in this top part of the page. */
const LETTER_DATE_SHARE = 0.45;

const OTHER_DATE_CONCEPTS = ["due-date", "delivery-date", "order-date", "period-start", "period-end", "birth-date"];

const TIME = /^[\s,]{0,3}\d{1,2}[:h]\d{2}(?!\d)/;

/** Words behind a date in a sentence: it tells of something else (`The order of 12 March 2026 is void`). */
const SENTENCE_GOES_ON = /^,?\s*\p{Ll}{2,}\s+\p{Ll}/u;

/** Confidence of the only date of a page, and of one that is printed again and is still the only one. */
const LONE_DATE = 0.6;
const REPEATED_DATE = 0.72;

/** A date without a label: the only one on the first page, or the one behind a place (`Berlin, den …`). */
export function byLoneDate(reader: Reader, context: DocumentContext, claimed: readonly Candidate[]): Finding | null {
  const taken = new Set([...claimed.flatMap((candidate) => candidate.tokens), ...context.referencedWords()]);
  const labelled = (segment: Segment): boolean =>
    (context.labels.bySegment.get(segment) ?? []).some((hit) => OTHER_DATE_CONCEPTS.includes(hit.concept));
  const height = context.view.pages[0]?.height ?? DEFAULT_PAGE_HEIGHT_INCHES;
  const found = context.view.segments
    .filter((segment) => segment.page === 1 && segment.tokens.length <= MAX_DATE_LINE_WORDS && !labelled(segment))
    .filter((segment) => segment.box.top < height * IMPRINT_TOP_SHARE && !EDITION_WORDS.test(foldText(segment.text)))
    .flatMap((segment) =>
      reader
        .read(segment.text)
        .map((reading) => ({ segment, reading, tokens: tokensBetween(segment, reading.start, reading.end) })),
    )
    .filter(({ segment, reading }) => !SENTENCE_GOES_ON.test(segment.text.slice(reading.end)))
    .filter(({ tokens }) => !tokens.some((token) => taken.has(token)));
  const letter = found.find(
    ({ segment, reading }) =>
      segment.box.top < height * LETTER_DATE_SHARE &&
      PLACE.test(segment.text.slice(0, reading.start)) &&
      reading.end >= segment.text.length - 1,
  );
  if (letter !== undefined) return { value: letter.reading.value, tokens: letter.tokens, confidence: 0.7 };
  // A till prints the time behind the date of the purchase.
  const timed = found.filter(({ segment, reading }) => TIME.test(segment.text.slice(reading.end)));
  const [first, ...others] = timed.length > 0 ? timed : found;
  const values = new Set([first, ...others].map((one) => one?.reading.value));
  return first !== undefined && values.size === 1
    ? { value: first.reading.value, tokens: first.tokens, confidence: others.length > 0 ? REPEATED_DATE : LONE_DATE }
    : null;
}

/** The only date behind a place that ends a line of the last page: `Fait à Lyon, le 1er mars 2024`. */
export function dateOfSignature(reader: Reader, { view }: DocumentContext): Finding | null {
  const last = view.pages.length;
  const found = view.segments
    .filter(({ page, tokens }) => page === last && tokens.length <= MAX_DATE_LINE_WORDS)
    .flatMap((segment) => {
      const lead = /^["“„«\s]*/u.exec(segment.text)?.[0].length ?? 0;
      return reader
        .read(segment.text)
        .filter(({ start, end }) => PLACE.test(segment.text.slice(lead, start)) && end >= segment.text.length - 2)
        .map(({ value, start, end }) => ({ value, tokens: tokensBetween(segment, start, end), confidence: 0.7 }));
    });
  const [first] = found;
  return last > 1 && first !== undefined && found.every(({ value }) => value === first.value) ? first : null;
}

/** The only text of the document that matches the schema's pattern. */
export function byPattern(field: Field, context: DocumentContext): Finding | null {
  if (field.pattern === null || field.type !== "string" || !isSelective(field.pattern)) return null;
  const accepts = safePattern(field.pattern);
  if (accepts === null) return null;
  const found: Finding[] = [];
  for (const segment of context.view.segments.slice(0, MAX_PATTERN_SEGMENTS)) {
    for (let from = 0; from < segment.tokens.length; from += 1) {
      const start = segment.starts[from] ?? 0;
      for (let to = Math.min(segment.tokens.length, from + MAX_PATTERN_WORDS); to > from; to -= 1) {
        const last = segment.tokens[to - 1];
        const text = segment.text.slice(start, (segment.starts[to - 1] ?? start) + (last?.text.length ?? 0));
        if (!/\d/.test(text) || !accepts(text)) continue;
        found.push({ value: text, tokens: segment.tokens.slice(from, to), confidence: 0.75 });
        from = to - 1;
        break;
      }
    }
  }
  return new Set(found.map(({ value }) => value)).size === 1 ? (found[0] ?? null) : null;
}

/** Choices too general to be recognised without a label. */
const GENERIC_CHOICE = new RegExp(
  `^(?:${anyOf(
    wordsOf(({ properties }) => [...(properties.others ?? []), ...(properties.vague ?? [])]),
    { rest: "\\w*" },
  )})$`,
  "i",
);

/** The only choice that the document mentions. */
export function byChoice(field: Field, context: DocumentContext): Finding | null {
  const choices = (field.choices ?? []).filter(
    (choice): choice is string =>
      typeof choice === "string" && choice.length >= MIN_CHOICE_CHARS && !GENERIC_CHOICE.test(choice),
  );
  if (choices.length === 0 || choices.length > MAX_CHOICES) return null;
  const found: { choice: string; finding: Finding }[] = [];
  for (const segment of context.view.segments.slice(0, MAX_CHOICE_SEGMENTS)) {
    for (const choice of choices) {
      const match = matchChoice(segment.text, choice);
      if (match === null || match.fit < 0.9) continue;
      found.push({
        choice,
        finding: {
          value: choice,
          tokens: tokensBetween(segment, match.start, match.end),
          confidence: match.fit === 1 ? 0.7 : 0.55,
        },
      });
    }
  }
  if (new Set(found.map(({ choice }) => choice)).size !== 1) return null;
  return found.reduce<Finding | null>(
    (best, { finding }) => (best === null || finding.confidence > best.confidence ? finding : best),
    null,
  );
}

/** A checkbox before the field's own words. */
export function byCheckbox(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  if (field.type !== "boolean") return null;
  const keys = new Set(meaning.ownKeys.map(({ key }) => key));
  for (const segment of context.view.segments.slice(0, MAX_SEARCHED_SEGMENTS)) {
    const state = leadingTick(segment.text);
    const [box] = segment.tokens;
    if (
      state === null ||
      box === undefined ||
      !keys.has(labelKey(segment.text.replace(/^(?:\[.?\s?\]|\(.?\)|\S)/u, "")))
    )
      continue;
    return { value: state, tokens: [box], confidence: 0.8 };
  }
  return null;
}
