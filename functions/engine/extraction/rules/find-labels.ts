/** Finds labels on the page: the vocabulary's, and those from a schema's own words. */

import type { Segment, Token } from "../../structure/view/tokens.ts";
import { stem } from "../../values/stems.ts";
import type { LabelIndex, LabelMeaning } from "../../values/vocabulary/label-index.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import type { Meaning } from "./field-meaning.ts";
import { endsWithColon, type LabelWindow, windowsIn } from "./label-windows.ts";
import { proseIn } from "./running-prose.ts";

export interface LabelHit {
  /** A concept's id, or `own:` and a field's pointer. */
  concept: string;
  strength: number;
  segment: Segment;
  /** Tokens `from` to `to` (exclusive) of the segment. */
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

const MAX_STEM_LABEL_TOKENS = 6;

/** Words that are labels only when alone or before a colon. */
const STANDALONE_LABELS = new Set(wordsOf(({ labels }) => labels.standalone));

/** Words of a remark between a label and its colon; a shorter one makes another label (`Invoice date, original:`). */
const MIN_REMARK_WORDS = 3;
const MAX_REMARK_WORDS = 10;

/** Recognition takes a colon for a point: `Buyer. Example Ltd`. A capital, a figure or a sign follows. */
const isMisreadColon = ({ text, recognised }: Token, next: Token | undefined): boolean =>
  recognised && /\p{L}{3,}[.;]$/u.test(text) && next !== undefined && /^[\p{Lu}\d\p{Sc}]/u.test(next.text);

/** The end of a label, with a lone colon behind it, or with a remark up to a colon: `Issued, subject to Art. 106 of the Act:`. */
function closeLabel(segment: Segment, from: number, to: number): { to: number; colon: boolean } {
  const { tokens } = segment;
  const last = tokens[to - 1];
  if (last !== undefined && (endsWithColon(last) || (from === 0 && isMisreadColon(last, tokens[to]))))
    return { to, colon: true };
  const next = tokens[to];
  if (next !== undefined && /^[:：]+$/.test(next.text)) return { to: to + 1, colon: true };
  // `TOTAL :182000`: the colon touches the value.
  if (next !== undefined && /^[:：]/.test(next.text)) return { to, colon: true };
  const isRemark = from === 0 && (last?.text.endsWith(",") || next?.text.startsWith("("));
  const words = isRemark ? tokens.slice(to, to + MAX_REMARK_WORDS).findIndex(endsWithColon) + 1 : 0;
  return words >= MIN_REMARK_WORDS ? { to: to + words, colon: true } : { to, colon: false };
}

/** Words between a label in a sentence and its figure: `payable by 12 May`, `a total amount of EUR 12`. */
const MAX_WORDS_TO_FIGURE = 1;

/**
 * In running prose a label heads a sentence and ends with a colon, or it is a phrase right before a figure. Any other
 * word of a sentence is none.
 */
function isLabelInProse({ from, to, words }: LabelWindow, { tokens }: Segment, colon: boolean): boolean {
  const before = tokens[from - 1]?.text ?? ".";
  if (colon) return /[.:;•·–—-]$|^[\d(]+[.)]?$/u.test(before);
  return words > 1 && tokens.slice(to, to + 1 + MAX_WORDS_TO_FIGURE).some(({ text }) => /\d/.test(text));
}

/** The part of a document view that is searched. */
interface SegmentsView {
  segments: readonly Segment[];
}

/** All labels of an index in a document. */
export function findLabels(view: SegmentsView, index: LabelIndex): LabelMap {
  const bySegment = new Map<Segment, LabelHit[]>();
  const byConcept = new Map<string, LabelHit[]>();
  const prose = proseIn(view.segments);
  for (const segment of view.segments) {
    const windows = windowsIn(segment, index);
    if (windows.length === 0) continue;
    const hits = windows.flatMap((window) => {
      const end = closeLabel(segment, window.from, window.to);
      const alone = window.from === 0 && (end.colon || end.to === segment.tokens.length);
      // A lone letter of a recognised page is dirt, or a tax class.
      if (!end.colon && segment.tokens[window.from]?.recognised && (segment.tokens[window.from]?.key.length ?? 0) < 2)
        return [];
      if (window.words === 1 && !alone && STANDALONE_LABELS.has(segment.tokens[window.from]?.key ?? "")) return [];
      if (prose.has(segment) && !isLabelInProse(window, segment, end.colon)) return [];
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

/** A field outside of the vocabulary, searched by the stems of its words in any order. */
export interface StemQuery {
  concept: string;
  stems: string[];
}

/**
 * Labels that have all words of a field, inflected or in another order, and at most one more. Only the part before a colon
 * or a segment of at most six words is tried.
 */
export function findStemLabels(view: SegmentsView, queries: readonly StemQuery[]): LabelHit[] {
  const wanted = new Set(queries.flatMap((query) => query.stems));
  if (wanted.size === 0) return [];
  const known = new Map<string, string>();
  const stemOf = (word: string): string => {
    const stemmed = known.get(word) ?? stem(word);
    known.set(word, stemmed);
    return stemmed;
  };
  const hits: LabelHit[] = [];
  const prose = proseIn(view.segments);
  for (const segment of view.segments) {
    const colonAt = segment.tokens.findIndex((token) => endsWithColon(token));
    const to = colonAt >= 0 ? colonAt + 1 : segment.tokens.length;
    if (to > MAX_STEM_LABEL_TOKENS || (colonAt < 0 && prose.has(segment))) continue;
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

/** Adds labels by stems, except in segments where the concept has a label already. @param byConcept changed in place */
export function addStemLabels(
  byConcept: Map<string, LabelHit[]>,
  view: SegmentsView,
  queries: readonly StemQuery[],
): void {
  const taken = new Map<string, Set<Segment>>();
  for (const hit of findStemLabels(view, queries)) {
    const list = byConcept.get(hit.concept) ?? [];
    byConcept.set(hit.concept, list);
    const own = taken.get(hit.concept) ?? new Set(list.map(({ segment }) => segment));
    taken.set(hit.concept, own);
    if (own.has(hit.segment)) continue;
    own.add(hit.segment);
    list.push(hit);
  }
}

/** A receipt's number stands for an invoice's where there is none (Directive 2006/112/EC, Article 226b). */
const STANDS_FOR: Readonly<Record<string, string>> = { "invoice-number": "receipt-number" };
/** Strength of such a label against the concept's own. */
const STAND_IN_STRENGTH = 0.85;

/** The labels of a concept, and of the concept that stands for it where it has no sure one. */
export function hitsOfConcept(concept: string, byConcept: ReadonlyMap<string, LabelHit[]>): LabelHit[] {
  const own = byConcept.get(concept) ?? [];
  const other = STANDS_FOR[concept];
  if (other === undefined || own.some(({ strength }) => strength === 1)) return own;
  const standIns = byConcept.get(other) ?? [];
  return [...own, ...standIns.map((hit) => ({ ...hit, strength: hit.strength * STAND_IN_STRENGTH }))];
}

/** Text that may follow a label as part of it: brackets, rates, currency codes. */
const LABEL_SUFFIX = /^(?:[([\d%€$£*:.,-]|[A-Z]{3}(?![\p{L}\d]))/u;
/** A label may also go on with a phrase that begins with one of these. */
const PREPOSITIONS = new Set(wordsOf(({ grammar }) => grammar.prepositions));

/** The segment has nothing besides the label, its amount, a rate or a prepositional phrase. */
export function fillsSegment({ segment, to, colon }: LabelHit): boolean {
  const rest = segment.text.slice(segment.starts[to] ?? segment.text.length).trim();
  const [word = ""] = rest.toLowerCase().split(/[\s.']/);
  return colon || rest === "" || LABEL_SUFFIX.test(rest) || PREPOSITIONS.has(word);
}

/** A field as its labels are found: by its meaning, and by its own words, which have a concept of their own. */
export interface LabelledField {
  meaning: Meaning;
  ownConcept: string;
}

/** Labels from the fields' own words: keys, and stems for other orders and inflections. */
export function ownLabels(targets: readonly [string, LabelledField][]): {
  index: Map<string, LabelMeaning[]>;
  queries: StemQuery[];
} {
  const index = new Map<string, LabelMeaning[]>();
  const queries: StemQuery[] = [];
  for (const [, { meaning, ownConcept }] of targets) {
    for (const { key, strength } of meaning.ownKeys)
      index.set(key, [...(index.get(key) ?? []), { concept: ownConcept, strength }]);
    if (meaning.concept === null && meaning.stems.length > 0)
      queries.push({ concept: ownConcept, stems: meaning.stems });
  }
  return { index, queries };
}

/** The labels of segments: those of an index, and those found by their stems. */
export function labelsIn(segments: readonly Segment[], index: LabelIndex, queries: readonly StemQuery[]): LabelMap {
  const labels = findLabels({ segments }, index);
  addStemLabels(labels.byConcept, { segments }, queries);
  return labels;
}
