/** Places of a label's value: behind it, right of it, below it, or where the reader paired it; and the values read there. */

import { spanOverlap } from "../../layout/geometry.ts";
import type { DocumentView } from "../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { currencyOf } from "../../values/currencies.ts";
import type { LabelHit, LabelMap } from "./find-labels.ts";
import { proseIn } from "./running-prose.ts";
import { ALIGNMENT_WEIGHTS, leadFactor, RELATION_WEIGHTS, skipFactor } from "./scoring.ts";
import type { Reader, Reading } from "./value-reader.ts";

export type Relation = "after" | "right" | "below" | "paired";

/** A part of a segment that may hold a value. */
export interface Zone {
  relation: Relation;
  segment: Segment;
  /** Text positions in the segment. */
  start: number;
  end: number;
  /** 0 to 1, by its place. */
  weight: number;
}

export interface Candidate {
  value: string | number | boolean;
  tokens: Token[];
  /** 0 to 1. */
  score: number;
  relation: Relation | "pattern" | "place";
  segment: Segment;
  hit: LabelHit | null;
}

/** Rows searched below a label. */
const MAX_ROWS_BELOW = 6;
const MAX_DISTANCE_BELOW_INCHES = 0.9;
/** Characters of a zone that are read; a hostile line may be endless. */
const MAX_ZONE_CHARS = 600;
/** Segments searched right of a label. */
const MAX_SEGMENTS_RIGHT = 6;
const DEFAULT_EM_INCHES = 0.14;
const MIN_EM_INCHES = 0.05;
const SAME_EDGE_INCHES = 0.08;
const SAME_MIDDLE_INCHES = 0.12;
const MIN_OVERLAP_INCHES = 0.02;

/** A label that ends the value before it: one with a colon, or a sure one. */
const endsValue = (hit: LabelHit, kind: Reader["kind"]): boolean =>
  hit.colon || (kind === "value" && hit.strength === 1);

function zoneAfter(hit: LabelHit, labels: LabelMap, kind: Reader["kind"]): Zone | null {
  const { segment, to } = hit;
  const start = segment.starts[to];
  if (start === undefined) return null;
  const next = labels.bySegment
    .get(segment)
    ?.find((other) => other.from >= to && other.concept !== hit.concept && endsValue(other, kind));
  const end = next === undefined ? segment.text.length : (segment.starts[next.from] ?? segment.text.length);
  return end > start ? { relation: "after", segment, start, end, weight: RELATION_WEIGHTS.after } : null;
}

/** A segment begins with another label. */
function opensWithLabel(segment: Segment, labels: LabelMap, except: string): boolean {
  const hits = (labels.bySegment.get(segment) ?? []).filter((hit) => hit.from === 0);
  if (hits.length === 0 || hits.some((hit) => hit.concept === except)) return false;
  return hits.some((hit) => hit.colon || hit.strength === 1 || hit.to === segment.tokens.length);
}

function zonesRight(hit: LabelHit, row: readonly Segment[], labels: LabelMap): Zone[] {
  const zones: Zone[] = [];
  const at = row.indexOf(hit.segment);
  let left = hit.segment.box.right;
  const em = hit.segment.tokens[0]?.em ?? DEFAULT_EM_INCHES;
  for (const segment of row.slice(at + 1, at + 1 + MAX_SEGMENTS_RIGHT)) {
    if (opensWithLabel(segment, labels, hit.concept)) break;
    const gap = (segment.box.left - left) / em;
    const distance = gap <= 15 ? 1 : gap <= 40 ? 0.92 : 0.85;
    const order = zones.length === 0 ? 1 : 0.93 ** zones.length;
    zones.push({
      relation: "right",
      segment,
      start: 0,
      end: segment.text.length,
      weight: RELATION_WEIGHTS.right * distance * order,
    });
    left = Math.max(left, segment.box.right);
  }
  return zones;
}

/** Weight of a box below another: aligned edges, aligned middles, overlap, or 0. */
export function alignmentWeight(
  above: { left: number; right: number },
  below: { left: number; right: number },
): number {
  if (Math.abs(above.left - below.left) < SAME_EDGE_INCHES) return ALIGNMENT_WEIGHTS.edge;
  if (Math.abs(above.right - below.right) < SAME_EDGE_INCHES) return ALIGNMENT_WEIGHTS.edge;
  const middles = Math.abs(above.left + above.right - below.left - below.right) / 2;
  if (middles < SAME_MIDDLE_INCHES) return ALIGNMENT_WEIGHTS.middle;
  return spanOverlap(above.left, above.right, below.left, below.right) > MIN_OVERLAP_INCHES
    ? ALIGNMENT_WEIGHTS.overlap
    : 0;
}

function zonesBelow(hit: LabelHit, view: DocumentView, labels: LabelMap): Zone[] {
  const first = hit.segment.tokens[hit.from];
  const last = hit.segment.tokens[hit.to - 1];
  if (first === undefined || last === undefined) return [];
  const label = { left: first.box.left, right: last.box.right };
  const bottom = hit.segment.box.bottom;
  for (const row of view.rows.slice(hit.segment.row + 1, hit.segment.row + 1 + MAX_ROWS_BELOW)) {
    if (row.page !== hit.segment.page || row.box.top - bottom > MAX_DISTANCE_BELOW_INCHES) return [];
    const aligned = row.segments
      .map((segment) => ({ segment, fit: alignmentWeight(label, segment.box) }))
      .filter(({ fit }) => fit > 0)
      .sort((a, b) => b.fit - a.fit)[0];
    if (aligned === undefined) continue;
    if (opensWithLabel(aligned.segment, labels, hit.concept)) return [];
    const gap = (aligned.segment.box.top - bottom) / Math.max(first.em, MIN_EM_INCHES);
    const distance = gap < 1.6 ? 1 : gap < 3 ? 0.88 : 0.7;
    return [
      {
        relation: "below",
        segment: aligned.segment,
        start: 0,
        end: aligned.segment.text.length,
        weight: RELATION_WEIGHTS.below * aligned.fit * distance,
      },
    ];
  }
  return zoneInColumn(hit, view);
}

/** The cell below a heading in a table of the reader, wherever in the cell the value stands. */
function zoneInColumn({ segment, from, to }: LabelHit, view: DocumentView): Zone[] {
  const [first] = segment.tokens.slice(from, to);
  for (const { page, rows } of view.tables) {
    if (page !== segment.page || first === undefined) continue;
    const at = rows.findIndex((cells) => cells.some(({ lines }) => lines.flat().includes(first)));
    const own = rows[at]?.find(({ lines }) => lines.flat().includes(first));
    const [token] = rows[at + 1]?.find(({ column }) => column === own?.column)?.lines.flat() ?? [];
    const below = view.rows
      .slice(segment.row + 1, segment.row + 1 + MAX_ROWS_BELOW)
      .flatMap(({ segments }) => segments)
      .find(({ tokens }) => token !== undefined && tokens.includes(token));
    const weight = RELATION_WEIGHTS.below * ALIGNMENT_WEIGHTS.overlap;
    if (below !== undefined) return [{ relation: "below", segment: below, start: 0, end: below.text.length, weight }];
  }
  return [];
}

/** The zones of a label's value, the likeliest kinds first. */
export function zonesOf(hit: LabelHit, view: DocumentView, labels: LabelMap, kind: Reader["kind"]): Zone[] {
  const row = view.rows[hit.segment.row];
  const after = zoneAfter(hit, labels, kind);
  // Another label behind this one owns the value right of it.
  const claimed =
    labels.bySegment
      .get(hit.segment)
      ?.some((other) => other.from >= hit.to && other.concept !== hit.concept && endsValue(other, kind)) ?? false;
  const right = row === undefined || claimed ? [] : zonesRight(hit, row.segments, labels);
  const below = zonesBelow(hit, view, labels);
  // After a colon, values beside the label come before values below it.
  const penalty = hit.colon && (after !== null || right.length > 0) ? 0.7 : 1;
  return [
    ...(after === null ? [] : [after]),
    ...right,
    ...below.map((zone) => ({ ...zone, weight: zone.weight * penalty })),
  ];
}

/** Number of words between label and value that belong to neither; currencies do not count. */
function countSkippedWords(text: string): number {
  return (text.match(/\p{L}[\p{L}\p{N}]+/gu) ?? []).filter((word) => currencyOf(word) === null).length;
}

/** Drops the number sign of `Invoice #88`; behind a label for a number it belongs to the code. */
function withoutNumberSign(value: Candidate["value"], zone: Zone, hit: LabelHit): Candidate["value"] {
  const says = hit.segment.tokens[hit.to - 1]?.words.at(-1)?.endsWith("nr") ?? false;
  if (typeof value !== "string" || says || zone.relation !== "after") return value;
  return value.replace(/^#(?=[\p{L}\d])/u, "");
}

/** Text beside a label without a colon may be the next label, as on blank forms. */
const UNANNOUNCED_TEXT_FACTOR = 0.75;
const LINE_NUMBER_FACTOR = 0.3;

/** A small number before words is the number of a form's line: `4 Social security tax withheld`. */
const isLineNumber = ({ relation }: Zone, { start, end, value }: Reading, text: string): boolean =>
  relation !== "after" &&
  start === 0 &&
  /^\d{1,3}\p{L}?$/u.test(text.slice(0, end)) &&
  typeof value !== "boolean" &&
  countSkippedWords(text.slice(end)) > 1;

/** Reads a zone. @returns candidates with positions in the whole segment */
export function readZone(zone: Zone, reader: Reader, hit: LabelHit): Candidate[] {
  const text = zone.segment.text.slice(zone.start, Math.min(zone.end, zone.start + MAX_ZONE_CHARS));
  const leftovers = zone.relation === "after" ? 1 : leftoverFactor(hit);
  return reader.read(text).flatMap((reading: Reading) => {
    const tokens = tokensBetween(zone.segment, zone.start + reading.start, zone.start + reading.end);
    if (tokens.length === 0) return [];
    const between = text.slice(0, reading.start);
    const skipped =
      (reader.kind === "text" ? 1 : skipFactor(countSkippedWords(between))) * foreignFactor(zone, hit, between);
    const uncertain = reader.free === true && !hit.colon && zone.relation !== "paired" ? UNANNOUNCED_TEXT_FACTOR : 1;
    const numbered = isLineNumber(zone, reading, text) ? LINE_NUMBER_FACTOR : 1;
    const score =
      hit.strength * leadFactor(hit) * zone.weight * leftovers * skipped * uncertain * numbered * reading.fit;
    return [
      {
        value: withoutNumberSign(reading.value, zone, hit),
        tokens,
        score,
        relation: zone.relation,
        segment: zone.segment,
        hit,
      },
    ];
  });
}

/** Words and a colon between label and value: the label goes on and is another one (`Invoice date, original:`). */
const foreignFactor = (zone: Zone, hit: LabelHit, between: string): number =>
  zone.relation === "after" && !hit.colon && /\p{L}{3,}[^:]*:/u.test(between) ? 0.6 : 1;

/** A label that goes on after its last word may be another label. */
function leftoverFactor(hit: LabelHit): number {
  const at = hit.segment.starts[hit.to] ?? hit.segment.text.length;
  const rest = hit.segment.text.slice(at, at + MAX_ZONE_CHARS);
  return hit.colon && rest === "" ? 1 : skipFactor(countSkippedWords(rest));
}

/** All candidates of a concept's labels. */
export function candidatesFor(
  hits: readonly LabelHit[],
  view: DocumentView,
  labels: LabelMap,
  reader: Reader,
): Candidate[] {
  return hits.flatMap((hit) =>
    zonesOf(hit, view, labels, reader.kind)
      .filter((zone) => reader.free !== true || standsAlone(zone, hit, view, labels))
      .flatMap((zone) => readZone(zone, reader, hit)),
  );
}

/** A text is a label of its own: by a colon, or by all of its words, but for the number of a form's line. */
function isLabelText(segment: Segment, labels: LabelMap): boolean {
  const { text, tokens } = segment;
  if (/:\s*$|^[^:]*\p{L}{2}:\s/u.test(text)) return true;
  const isNumber = ({ text: word }: Token): boolean => /^\d{0,3}\p{L}?\W*$/u.test(word);
  const hits = labels.bySegment.get(segment) ?? [];
  return hits.some(({ from, to }) => to === tokens.length && tokens.slice(0, from).every(isNumber));
}

/** The label is all that its cell holds, but for a remark in brackets. */
const fillsCell = ({ segment, to, colon }: LabelHit): boolean =>
  colon || /^\s*(?:[([].*)?$/.test(segment.text.slice(segment.starts[to] ?? segment.text.length));

/** Share of a line's height between two lines of one stack. */
const MAX_STACK_GAP_SHARE = 0.6;

/** A line inside of an address or a letterhead heads nothing: another one of its type stands right above it. */
function isInsideStack({ box, row, page, tokens: [first] }: Segment, view: DocumentView): boolean {
  const above = view.rows[row - 1]?.segments.find(
    (other) => alignmentWeight(other.box, box) >= ALIGNMENT_WEIGHTS.middle,
  );
  const [word] = above?.tokens ?? [];
  if (above === undefined || word === undefined || first === undefined || above.page !== page) return false;
  const isAlike = word.bold === first.bold && Math.abs(word.em - first.em) < MAX_EM_DIFFERENCE_SHARE * first.em;
  return isAlike && box.top - above.box.bottom < MAX_STACK_GAP_SHARE * (box.bottom - box.top);
}

/** Difference of two sizes of type that are one. */
const MAX_EM_DIFFERENCE_SHARE = 0.08;

/**
 * A text in a zone is a whole phrase: what follows a colon or fills a cell. The rest of a line behind a word, a label, a
 * line of a paragraph and a line that goes on below are none.
 */
function standsAlone({ relation, segment, start }: Zone, hit: LabelHit, view: DocumentView, labels: LabelMap): boolean {
  const paragraph = proseIn(view.segments).get(segment);
  // A line in lower case goes on with the label above it or before it.
  const continues = !hit.colon && /^\p{Ll}/u.test(segment.text);
  if (relation === "below" && !hit.colon && isInsideStack(hit.segment, view)) return false;
  if (relation !== "after")
    return paragraph === undefined && !continues && !isLabelText(segment, labels) && fillsCell(hit);
  const goesOn = paragraph !== undefined && paragraph.at(-1) !== segment;
  return hit.colon && hit.from === 0 && !goesOn && /\p{L}|\d/u.test(segment.text.slice(start));
}

/** The values that the reader paired with a label, with its confidence; text of several places is one value. */
export function pairedZones(hit: LabelHit, view: DocumentView, kind: Reader["kind"]): Zone[] {
  const pair = view.pairs.get(hit.segment);
  return ((kind === "text" ? pair?.whole : pair?.values) ?? []).map((segment) => ({
    relation: "paired",
    segment,
    start: 0,
    end: segment.text.length,
    weight: RELATION_WEIGHTS.paired * (pair?.confidence ?? 0),
  }));
}

/** All candidates that the reader paired with labels. Contradicting checkboxes of one label are dropped. */
export function pairedCandidates(hits: readonly LabelHit[], view: DocumentView, reader: Reader): Candidate[] {
  return hits.flatMap((hit) => {
    const found = pairedZones(hit, view, reader.kind).flatMap((zone) => readZone(zone, reader, hit));
    const checkboxStates = new Set(found.map(({ value }) => value).filter((value) => typeof value === "boolean"));
    return checkboxStates.size > 1 ? [] : found;
  });
}
