/** Values that need no label: what has a shape of its own, what stands only once, what the schema itself describes. */

import type { Field } from "../../schema/schema-shape.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { leadingTick } from "../../values/booleans.ts";
import { isSelective, safePattern } from "../../values/safe-patterns.ts";
import { foldText, labelKey } from "../../values/text-folding.ts";
import { currencyMentions, type DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import type { Candidate } from "./value-candidates.ts";
import { matchChoice, type Reader } from "./value-reader.ts";

/** Segments searched without a label. */
const SEARCHED = 5000;
/** Words that one patterned value may have. */
const PATTERN_WORDS = 8;

const SHAPED = new Set(["iban", "email", "vat-id", "url"]);

/** IBANs, addresses and the like, recognised wherever they stand. The only one is sure, the first of several is not. */
export function byShape(
  meaning: Meaning,
  reader: Reader,
  context: DocumentContext,
  allowed: (segment: Segment) => boolean,
): Finding | null {
  if (meaning.value === null || !SHAPED.has(meaning.value)) return null;
  const found = context.view.segments.slice(0, SEARCHED).flatMap((segment) =>
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

/** The currency beside the numbers, if nearly all agree; shown where it stands nearest to the total. */
export function byCurrencyVote(field: Field, context: DocumentContext): Finding | null {
  const mentions = currencyMentions(context).filter(
    ({ code }) => field.choices === null || field.choices.includes(code),
  );
  const counts = new Map<string, number>();
  for (const { code } of mentions) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [top] = [...counts].sort((a, b) => b[1] - a[1]);
  if (top === undefined || top[1] / mentions.length < 0.6) return null;
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
  // `$` alone is a guess, however often it is printed.
  const sure = context.conventions.assumed.has(code) ? 0.85 : 0.95;
  return { value: code, tokens: best.tokens, confidence: count === mentions.length ? sure : 0.75 };
}

/** Codes printed alone: `Alle Beträge in EUR`. */
export function byCurrencyCode(field: Field, reader: Reader, context: DocumentContext): Finding | null {
  const found = context.view.segments.slice(0, SEARCHED).flatMap((segment) =>
    segment.tokens.flatMap((token) => {
      const text = token.text.replace(/^[([]+|[)\].,:;]+$/g, "");
      if (!/^[A-Z]{3}$|^[€£$]$/.test(text)) return [];
      const [reading] = reader.read(text);
      return reading === undefined ? [] : [{ value: reading.value, tokens: [token] }];
    }),
  );
  const allowed = found.filter(({ value }) => field.choices === null || field.choices.includes(value));
  const [first] = allowed;
  return first !== undefined && new Set(allowed.map(({ value }) => value)).size === 1
    ? { ...first, confidence: 0.7 }
    : null;
}

/** Tokens of a line that may hold a date without a label; longer ones are sentences. */
const LONE_WORDS = 8;

/** What stands before the date of a form or a text, not of what is written on it. */
const EDITION =
  /\b(?:rev(?:ised|ision)?|version|edition|ed|form|updated|stand|fassung|maj|mise a jour|versie|as of|©|copyright|page|expires?|omb)\b/;

/** Of a page's height: below stands what the form says of itself. */
const FOOT = 0.93;

const DATE_LABELS = ["due-date", "delivery-date", "order-date", "period-start", "period-end", "birth-date"];

/** The date that no other label claims: the only one on the first page, or the one behind a place (`Berlin, den …`). */
export function byLoneDate(reader: Reader, context: DocumentContext, claimed: readonly Candidate[]): Finding | null {
  const taken = new Set([...claimed.flatMap((candidate) => candidate.tokens), ...context.elsewhere()]);
  const labelled = (segment: Segment): boolean =>
    (context.labels.bySegment.get(segment) ?? []).some((hit) => DATE_LABELS.includes(hit.concept));
  const height = context.view.pages[0]?.height ?? 11;
  const found = context.view.segments
    .filter((segment) => segment.page === 1 && segment.tokens.length <= LONE_WORDS && !labelled(segment))
    .filter((segment) => segment.box.top < height * FOOT && !EDITION.test(foldText(segment.text)))
    .flatMap((segment) =>
      reader
        .read(segment.text)
        .map((reading) => ({ segment, reading, tokens: tokensBetween(segment, reading.start, reading.end) })),
    )
    .filter(({ tokens }) => !tokens.some((token) => taken.has(token)));
  const letter = found.find(
    ({ segment, reading }) =>
      segment.box.top < height * 0.45 &&
      /^\p{Lu}[\p{L} .()-]{2,30},?\s*(?:den|le|,|the)?\s*$/u.test(segment.text.slice(0, reading.start)) &&
      reading.end >= segment.text.length - 1,
  );
  if (letter !== undefined) return { value: letter.reading.value, tokens: letter.tokens, confidence: 0.7 };
  const [first] = found;
  const values = new Set(found.map(({ reading }) => reading.value));
  return first !== undefined && values.size === 1
    ? { value: first.reading.value, tokens: first.tokens, confidence: 0.6 }
    : null;
}

/** The only text on the document that the schema's own pattern describes. */
export function byPattern(field: Field, context: DocumentContext): Finding | null {
  if (field.pattern === null || field.type !== "string" || !isSelective(field.pattern)) return null;
  const accepts = safePattern(field.pattern);
  if (accepts === null) return null;
  const found: Finding[] = [];
  for (const segment of context.view.segments.slice(0, 2000)) {
    for (let from = 0; from < segment.tokens.length; from += 1) {
      const start = segment.starts[from] ?? 0;
      for (let to = Math.min(segment.tokens.length, from + PATTERN_WORDS); to > from; to -= 1) {
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

/** Choices that say nothing where they stand without a label. */
const GENERIC =
  /^(?:other|others|unknown|none|null|misc\w*|any|default|general|sonstiges?|andere|autres?|otros?|altro|altri|overig|anders|standard|name|date|type|number)$/i;

/** The only one of the listed values that the document mentions. */
export function byChoice(field: Field, context: DocumentContext): Finding | null {
  const choices = (field.choices ?? []).filter(
    (choice): choice is string => typeof choice === "string" && choice.length >= 4 && !GENERIC.test(choice),
  );
  if (choices.length === 0 || choices.length > 60) return null;
  const found: { choice: string; finding: Finding }[] = [];
  for (const segment of context.view.segments.slice(0, 1500)) {
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

/** A box before the field's own words, ticked or empty. */
export function byTick(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  if (field.type !== "boolean") return null;
  const keys = new Set(meaning.ownKeys.map(({ key }) => key));
  for (const segment of context.view.segments.slice(0, SEARCHED)) {
    const tick = leadingTick(segment.text);
    const [box] = segment.tokens;
    if (
      tick === null ||
      box === undefined ||
      !keys.has(labelKey(segment.text.replace(/^(?:\[.?\s?\]|\(.?\)|\S)/u, "")))
    )
      continue;
    return { value: tick, tokens: [box], confidence: 0.8 };
  }
  return null;
}
