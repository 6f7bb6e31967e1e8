/** Finds labels on the page: the vocabulary's and those that a schema's own words make. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import type { Segment, Token } from "../../structure/view/tokens.ts";
import { labelKey, stem } from "../../values/text-folding.ts";
import type { LabelIndex, LabelMeaning } from "../../values/vocabulary/label-index.ts";

export interface LabelHit {
  /** A concept's id, or `own:` and a field's pointer. */
  concept: string;
  strength: number;
  segment: Segment;
  /** Tokens `from` to `to` (not counted in) of the segment. */
  from: number;
  to: number;
  /** A colon ends the label. */
  colon: boolean;
}

export interface LabelMap {
  /** In reading order within each segment. */
  bySegment: Map<Segment, LabelHit[]>;
  byConcept: Map<string, LabelHit[]>;
}

/** What a token contributes to a label. */
type Part = Pick<Token, "words" | "key">;

const NONE: Part = { words: [], key: "" };

/** The longest label, in tokens. */
const MAX_TOKENS = 8;

interface Window {
  from: number;
  to: number;
  words: number;
  meanings: readonly LabelMeaning[];
}

/** Percentages and short remarks in brackets stand inside labels without being part of them: `zzgl. 19 % MwSt.`, `Rechnung (380) Nr.` */
function isAside(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? "";
  if (!/^[(\d%@]/.test(text)) return false;
  if (text === "@" || /^\(\w{1,4}\)$/.test(text)) return true;
  if (text === "%") return /\d$/.test(tokens[at - 1]?.text ?? "");
  if (/^\(?\d{1,2}(?:[.,]\d+)?\s?%\)?:?$/.test(text)) return true;
  return /^\(?\d{1,2}(?:[.,]\d+)?$/.test(text) && /^%\)?:?$/.test(tokens[at + 1]?.text ?? "");
}

/** Words that are labels only where they stand alone or before a colon: in a sentence they are just words. */
const STANDALONE = new Set(
  "to a an pour para aan voor van de von bis from name nome nom nombre naam herr frau u me um ud each via sede text report cash change balance".split(
    " ",
  ),
);

const endsWithColon = (token: Token): boolean => /[:：]$/.test(token.text);

function windowsFrom(from: number, parts: readonly Part[], segment: Segment, index: LabelIndex): Window[] {
  const windows: Window[] = [];
  let key = "";
  let words = 0;
  for (let at = from; at < Math.min(parts.length, from + MAX_TOKENS); at += 1) {
    const part = parts[at] ?? NONE;
    key += part.key;
    words += part.words.length;
    if (!index.begins(key)) break;
    const meanings = part.words.length > 0 ? index.meaningsOf(key) : [];
    if (meanings.length > 0) windows.push({ from, to: at + 1, words, meanings });
    const token = segment.tokens[at];
    if (token !== undefined && endsWithColon(token)) break;
  }
  return windows;
}

/** `Käufer/Leistungsempfänger`: one token, two labels, of which one may be known. */
function slashedWindow(from: number, segment: Segment, index: LabelIndex): Window[] {
  const text = segment.tokens[from]?.text ?? "";
  if (!/\p{L}{3,}\/\p{L}{3,}/u.test(text)) return [];
  const meanings = text.split("/").flatMap((part) => [...index.meaningsOf(labelKey(part))]);
  return meanings.length === 0
    ? []
    : [
        {
          from,
          to: from + 1,
          words: 1,
          meanings: meanings.filter((one, at) => meanings.findIndex((other) => other.concept === one.concept) === at),
        },
      ];
}

/** The windows that stand, the longest first: `Total net` leaves no `Total` behind. A window has at most MAX_TOKENS. */
function settle(windows: Window[]): Window[] {
  const sorted = [...windows].sort((a, b) => b.words - a.words || b.to - b.from - (a.to - a.from) || a.from - b.from);
  const taken = new Set<number>();
  const kept: Window[] = [];
  for (const window of sorted) {
    const places = Array.from({ length: window.to - window.from }, (_, at) => window.from + at);
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    kept.push(window);
  }
  return kept.sort((a, b) => a.from - b.from);
}

/** A lone colon behind the label belongs to it. */
function closeLabel(segment: Segment, to: number): { to: number; colon: boolean } {
  const last = segment.tokens[to - 1];
  if (last !== undefined && endsWithColon(last)) return { to, colon: true };
  const next = segment.tokens[to];
  return next !== undefined && /^[:：]+$/.test(next.text) ? { to: to + 1, colon: true } : { to, colon: false };
}

/** What labels are looked for in. */
type Segments = Pick<DocumentView, "segments">;

/** All labels of a document that an index knows. */
export function findLabels(view: Segments, index: LabelIndex): LabelMap {
  const bySegment = new Map<Segment, LabelHit[]>();
  const byConcept = new Map<string, LabelHit[]>();
  for (const segment of view.segments) {
    const parts = segment.tokens.map((token, at) => (isAside(segment.tokens, at) ? NONE : token));
    const windows: Window[] = [];
    for (let from = 0; from < parts.length; from += 1) {
      const part = parts[from] ?? NONE;
      if (part.words.length === 0) continue;
      if (index.begins(part.key)) windows.push(...windowsFrom(from, parts, segment, index));
      else if (part.words.length > 1) windows.push(...slashedWindow(from, segment, index));
    }
    if (windows.length === 0) continue;
    const hits = settle(windows).flatMap((window) => {
      const end = closeLabel(segment, window.to);
      const alone = window.from === 0 && (end.colon || end.to === segment.tokens.length);
      if (window.words === 1 && !alone && STANDALONE.has(parts[window.from]?.key ?? "")) return [];
      return window.meanings.map(({ concept, strength }) => ({
        concept,
        strength,
        segment,
        from: window.from,
        ...end,
      }));
    });
    if (hits.length > 0) bySegment.set(segment, hits);
    for (const hit of hits) {
      const list = byConcept.get(hit.concept);
      if (list === undefined) byConcept.set(hit.concept, [hit]);
      else list.push(hit);
    }
  }
  return { bySegment, byConcept };
}

/** A field outside the vocabulary, looked for by the stems of its words in any order. */
export interface StemQuery {
  concept: string;
  stems: string[];
}

/**
 * Labels that hold all the words of a field, inflected or in another order, with at most one word more. Only what
 * looks like a label is tried: the part before a colon, or a segment of at most six words.
 */
export function findByStems(view: Segments, queries: readonly StemQuery[]): LabelHit[] {
  const wanted = new Set(queries.flatMap((query) => query.stems));
  if (wanted.size === 0) return [];
  const known = new Map<string, string>();
  const stemOf = (word: string): string => {
    const stemmed = known.get(word) ?? stem(word);
    known.set(word, stemmed);
    return stemmed;
  };
  const hits: LabelHit[] = [];
  for (const segment of view.segments) {
    const colonAt = segment.tokens.findIndex((token) => endsWithColon(token));
    const to = colonAt >= 0 ? colonAt + 1 : segment.tokens.length;
    if (to > 6) continue;
    const words = segment.tokens.slice(0, to).flatMap((token) => token.words);
    const stems = new Set(words.map(stemOf));
    if (![...stems].some((item) => wanted.has(item))) continue;
    for (const query of queries) {
      if (query.stems.length === 0 || !query.stems.every((item) => stems.has(item))) continue;
      const extra = stems.size - query.stems.length;
      if (extra > 1 || (query.stems.length === 1 && extra > 0)) continue;
      hits.push({
        concept: query.concept,
        strength: extra === 0 ? 0.9 : 0.75,
        segment,
        from: 0,
        to,
        colon: colonAt >= 0,
      });
    }
  }
  return hits;
}

/** Adds the labels that stems find, but for segments where the concept has one already. @param byConcept is changed */
export function addByStems(byConcept: Map<string, LabelHit[]>, view: Segments, queries: readonly StemQuery[]): void {
  const taken = new Map<string, Set<Segment>>();
  for (const hit of findByStems(view, queries)) {
    const list = byConcept.get(hit.concept) ?? [];
    byConcept.set(hit.concept, list);
    const own = taken.get(hit.concept) ?? new Set(list.map(({ segment }) => segment));
    taken.set(hit.concept, own);
    if (own.has(hit.segment)) continue;
    own.add(hit.segment);
    list.push(hit);
  }
}

/** What may follow a label and still be part of it: brackets, rates, codes of currencies, and what a preposition begins. */
const MARKED = /^(?:[([\d%€$£*:.,-]|[A-Z]{3}(?![\p{L}\d]))/u;
const PREPOSITIONS = new Set(
  (
    "of for to on in at by and from per incl excl plus für an auf nach im am zu vom von aus und inkl exkl zzgl " +
    "pour de du des sur au à en et par hors con sin para por del a y op van voor naar tot te su di e"
  ).split(" "),
);

/** Is the label all that a segment says, but for its amount, a rate, what it is for? */
export function saysAll({ segment, to, colon }: LabelHit): boolean {
  const rest = segment.text.slice(segment.starts[to] ?? segment.text.length).trim();
  const [word = ""] = rest.toLowerCase().split(/[\s.']/);
  return colon || rest === "" || MARKED.test(rest) || PREPOSITIONS.has(word);
}
