/** The words of a segment that may be labels, longest first, in one language or in two. */

import type { Segment, Token } from "../../structure/view/tokens.ts";
import { labelKey } from "../../values/label-words.ts";
import type { LabelIndex, LabelMeaning } from "../../values/vocabulary/label-index.ts";

/** A token's contribution to a label. */
type LabelPart = Pick<Token, "words" | "key">;

const NO_PART: LabelPart = { words: [], key: "" };

const MAX_LABEL_TOKENS = 8;

/** Tokens that may be a label. */
export interface LabelWindow {
  from: number;
  to: number;
  words: number;
  meanings: readonly LabelMeaning[];
}

/** Percentages and short remarks in brackets are skipped inside of labels: `zzgl. 19 % MwSt.`, `Rechnung (380) Nr.` */
function isAside(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? "";
  if (!/^[(\d%@]/.test(text)) return false;
  if (text === "@" || /^\(\w{1,4}\)$/.test(text)) return true;
  if (/^%\)?:?$/.test(text)) return /\d$/.test(tokens[at - 1]?.text ?? "");
  if (/^\(?\d{1,2}(?:[.,]\d+)?\s?%\)?:?$/.test(text)) return true;
  return /^\(?\d{1,2}(?:[.,]\d+)?$/.test(text) && /^%\)?:?$/.test(tokens[at + 1]?.text ?? "");
}

/** `MwSt.19 %`: a rate touches its label. */
function withoutRate(token: Token, next: Token | undefined): LabelPart {
  const [word, rate] = token.words;
  const touches = token.words.length === 2 && word !== undefined && /^\d{1,2}$/.test(rate ?? "");
  return touches &&
    /^\p{L}[\p{L}.]*\d{1,2}%?:?$/u.test(token.text) &&
    (/%/.test(token.text) || /^%/.test(next?.text ?? ""))
    ? { words: [word], key: word }
    : token;
}

/** The word ends a label. */
export const endsWithColon = (token: Token): boolean => /[:：]$/.test(token.text);

function windowsFrom(from: number, parts: readonly LabelPart[], segment: Segment, index: LabelIndex): LabelWindow[] {
  const windows: LabelWindow[] = [];
  let key = "";
  let words = 0;
  for (let at = from; at < Math.min(parts.length, from + MAX_LABEL_TOKENS); at += 1) {
    const part = parts[at] ?? NO_PART;
    // `Receipt # No.:` says "number" twice.
    key += part.key === "nr" && key.endsWith("nr") ? "" : part.key;
    words += part.words.length;
    if (!index.begins(key)) break;
    const meanings = part.words.length > 0 ? index.meaningsOf(key) : [];
    if (meanings.length > 0) windows.push({ from, to: at + 1, words, meanings });
    const token = segment.tokens[at];
    if (token !== undefined && endsWithColon(token)) break;
  }
  return windows;
}

/** `Käufer/Leistungsempfänger`: one token with two labels, of which one may be known. */
function slashedWindow(from: number, segment: Segment, index: LabelIndex): LabelWindow[] {
  const text = segment.tokens[from]?.text ?? "";
  if (!/\p{L}{3,}\/\p{L}{3,}/u.test(text)) return [];
  const meanings = text.split("/").flatMap((part) => [...index.meaningsOf(labelKey(part))]);
  if (meanings.length === 0) return twoLanguages(from, segment, index);
  return [
    {
      from,
      to: from + 1,
      words: 1,
      meanings: meanings.filter((one, at) => meanings.findIndex((other) => other.concept === one.concept) === at),
    },
    ...twoLanguages(from, segment, index),
  ];
}

/** `Szállító/Sold by`: a label in two languages, of which the second has several words. */
function twoLanguages(from: number, segment: Segment, index: LabelIndex): LabelWindow[] {
  const [first = "", second = ""] = (segment.tokens[from]?.text ?? "").split("/");
  const own = index.meaningsOf(labelKey(first));
  const windows: LabelWindow[] = [];
  for (let to = from + 2; to <= Math.min(segment.tokens.length, from + MAX_LABEL_TOKENS); to += 1) {
    const text = [second, ...segment.tokens.slice(from + 1, to).map((token) => token.text)].join(" ");
    const other = index.meaningsOf(labelKey(text));
    const meanings =
      own.length === 0 ? other : own.filter(({ concept }) => other.some((one) => one.concept === concept));
    if (meanings.length > 0) windows.push({ from, to, words: to - from, meanings });
  }
  return windows;
}

/** Two labels of one concept with a slash between them are one: `Számla kelte / Invoice date`. */
function withoutTranslations(windows: readonly LabelWindow[], segment: Segment): LabelWindow[] {
  const joined: LabelWindow[] = [];
  for (const window of windows) {
    const before = joined.at(-1);
    const between = before === undefined ? [] : segment.tokens.slice(before.to, window.from);
    const isSlash = between.length === 1 && /^[/|–-]$/.test(between[0]?.text ?? "");
    const shared =
      before?.meanings.filter(({ concept }) => window.meanings.some((one) => one.concept === concept)) ?? [];
    if (before === undefined || !isSlash || shared.length === 0) joined.push(window);
    else joined[joined.length - 1] = { ...before, to: window.to, words: before.words + window.words, meanings: shared };
  }
  return joined;
}

/** Keeps the longest of overlapping windows: `Total net` wins over `Total`. */
function withoutOverlaps(windows: LabelWindow[]): LabelWindow[] {
  const sorted = [...windows].sort((a, b) => b.words - a.words || b.to - b.from - (a.to - a.from) || a.from - b.from);
  const taken = new Set<number>();
  const kept: LabelWindow[] = [];
  for (const window of sorted) {
    const places = Array.from({ length: window.to - window.from }, (_, at) => window.from + at);
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    kept.push(window);
  }
  return kept.sort((a, b) => a.from - b.from);
}

/** The labels that a segment's words may be, in their order and without overlaps. */
export function windowsIn(segment: Segment, index: LabelIndex): LabelWindow[] {
  const parts = segment.tokens.map((token, at) =>
    isAside(segment.tokens, at) ? NO_PART : withoutRate(token, segment.tokens[at + 1]),
  );
  const windows: LabelWindow[] = [];
  for (let from = 0; from < parts.length; from += 1) {
    const part = parts[from] ?? NO_PART;
    if (part.words.length === 0) continue;
    if (index.begins(part.key)) windows.push(...windowsFrom(from, parts, segment, index));
    else if (part.words.length > 1) windows.push(...slashedWindow(from, segment, index));
  }
  return windows.length === 0 ? windows : withoutTranslations(withoutOverlaps(windows), segment);
}
