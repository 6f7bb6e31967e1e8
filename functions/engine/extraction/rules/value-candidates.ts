/** Where a label's value may stand: behind it, right of it on the row, below it, or where the reader has found it; and what can be read there. */

import { spanOverlap } from "../../layout/geometry.ts";
import type { DocumentView } from "../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { currencyOf } from "../../values/currencies.ts";
import type { LabelHit, LabelMap } from "./find-labels.ts";
import { ALIGNMENT, leadFactor, RELATION, skipFactor } from "./scoring.ts";
import type { Reader, Reading } from "./value-reader.ts";

export type Relation = "after" | "right" | "below" | "paired";

/** A stretch of a segment in which a value is looked for. */
export interface Zone {
  relation: Relation;
  segment: Segment;
  /** Text positions in the segment. */
  start: number;
  end: number;
  /** 0 to 1: how much its place speaks for it. */
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

/** Rows looked at below a label, and inches. */
const ROWS_BELOW = 6;
const INCHES_BELOW = 0.9;
/** Characters of a zone that are read: so far behind its label stands no value, but a hostile line may be endless. */
const ZONE = 600;
/** Segments looked at right of a label. */
const SEGMENTS_RIGHT = 6;

/** A hit that ends the value before it: a label of its own with a colon, or a sure one. */
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
  return end > start ? { relation: "after", segment, start, end, weight: RELATION.after } : null;
}

/** Does a segment open with a label of its own? */
function opensWithLabel(segment: Segment, labels: LabelMap, except: string): boolean {
  const hits = (labels.bySegment.get(segment) ?? []).filter((hit) => hit.from === 0);
  if (hits.length === 0 || hits.some((hit) => hit.concept === except)) return false;
  return hits.some((hit) => hit.colon || hit.strength === 1 || hit.to === segment.tokens.length);
}

function zonesRight(hit: LabelHit, row: readonly Segment[], labels: LabelMap): Zone[] {
  const zones: Zone[] = [];
  const at = row.indexOf(hit.segment);
  let left = hit.segment.box.right;
  const em = hit.segment.tokens[0]?.em ?? 0.14;
  for (const segment of row.slice(at + 1, at + 1 + SEGMENTS_RIGHT)) {
    if (opensWithLabel(segment, labels, hit.concept)) break;
    const gap = (segment.box.left - left) / em;
    const distance = gap <= 15 ? 1 : gap <= 40 ? 0.92 : 0.85;
    const order = zones.length === 0 ? 1 : 0.93 ** zones.length;
    zones.push({
      relation: "right",
      segment,
      start: 0,
      end: segment.text.length,
      weight: RELATION.right * distance * order,
    });
    left = Math.max(left, segment.box.right);
  }
  return zones;
}

/** How well a box stands under another: left edges, right edges or middles in line, or just some overlap. */
export function alignment(above: { left: number; right: number }, below: { left: number; right: number }): number {
  if (Math.abs(above.left - below.left) < 0.08) return ALIGNMENT.edge;
  if (Math.abs(above.right - below.right) < 0.08) return ALIGNMENT.edge;
  const middles = Math.abs(above.left + above.right - below.left - below.right) / 2;
  if (middles < 0.12) return ALIGNMENT.middle;
  return spanOverlap(above.left, above.right, below.left, below.right) > 0.02 ? ALIGNMENT.overlap : 0;
}

function zonesBelow(hit: LabelHit, view: DocumentView, labels: LabelMap): Zone[] {
  const first = hit.segment.tokens[hit.from];
  const last = hit.segment.tokens[hit.to - 1];
  if (first === undefined || last === undefined) return [];
  const label = { left: first.box.left, right: last.box.right };
  const bottom = hit.segment.box.bottom;
  for (const row of view.rows.slice(hit.segment.row + 1, hit.segment.row + 1 + ROWS_BELOW)) {
    if (row.page !== hit.segment.page || row.box.top - bottom > INCHES_BELOW) return [];
    const aligned = row.segments
      .map((segment) => ({ segment, fit: alignment(label, segment.box) }))
      .filter(({ fit }) => fit > 0)
      .sort((a, b) => b.fit - a.fit)[0];
    if (aligned === undefined) continue;
    if (opensWithLabel(aligned.segment, labels, hit.concept)) return [];
    const gap = (aligned.segment.box.top - bottom) / Math.max(first.em, 0.05);
    const distance = gap < 1.6 ? 1 : gap < 3 ? 0.88 : 0.7;
    return [
      {
        relation: "below",
        segment: aligned.segment,
        start: 0,
        end: aligned.segment.text.length,
        weight: RELATION.below * aligned.fit * distance,
      },
    ];
  }
  return [];
}

/** The places where a label's value may stand, the likeliest kinds first. */
export function zonesOf(hit: LabelHit, view: DocumentView, labels: LabelMap, kind: Reader["kind"]): Zone[] {
  const row = view.rows[hit.segment.row];
  const after = zoneAfter(hit, labels, kind);
  // Another label behind this one on the segment claims what stands right of it.
  const claimed =
    labels.bySegment
      .get(hit.segment)
      ?.some((other) => other.from >= hit.to && other.concept !== hit.concept && endsValue(other, kind)) ?? false;
  const right = row === undefined || claimed ? [] : zonesRight(hit, row.segments, labels);
  const below = zonesBelow(hit, view, labels);
  // What a colon announces stands beside it, if anything does.
  const penalty = hit.colon && (after !== null || right.length > 0) ? 0.7 : 1;
  return [
    ...(after === null ? [] : [after]),
    ...right,
    ...below.map((zone) => ({ ...zone, weight: zone.weight * penalty })),
  ];
}

/** Words between the label and the value that are part of neither; a currency is part of both. */
function skippedWords(text: string): number {
  return (text.match(/\p{L}[\p{L}\p{N}]+/gu) ?? []).filter((word) => currencyOf(word) === null).length;
}

/** In `Invoice #88` the sign says "number"; behind a label that says so itself it belongs to the code. */
function withoutSign(value: Candidate["value"], zone: Zone, hit: LabelHit): Candidate["value"] {
  const says = hit.segment.tokens[hit.to - 1]?.words.at(-1)?.endsWith("nr") ?? false;
  if (typeof value !== "string" || says || zone.relation !== "after") return value;
  return value.replace(/^#(?=[\p{L}\d])/u, "");
}

/** Readings of a zone as candidates, with positions in the whole segment. */
export function readZone(zone: Zone, reader: Reader, hit: LabelHit): Candidate[] {
  const text = zone.segment.text.slice(zone.start, Math.min(zone.end, zone.start + ZONE));
  const leftovers = zone.relation === "after" ? 1 : leftoverFactor(hit);
  return reader.read(text).flatMap((reading: Reading) => {
    const tokens = tokensBetween(zone.segment, zone.start + reading.start, zone.start + reading.end);
    if (tokens.length === 0) return [];
    const between = text.slice(0, reading.start);
    const skipped =
      (reader.kind === "text" ? 1 : skipFactor(skippedWords(between))) * foreignFactor(zone, hit, between);
    const score = hit.strength * leadFactor(hit) * zone.weight * leftovers * skipped * reading.fit;
    return [
      {
        value: withoutSign(reading.value, zone, hit),
        tokens,
        score,
        relation: zone.relation,
        segment: zone.segment,
        hit,
      },
    ];
  });
}

/** Words and then a colon between a label and its value: the label went on and was another one (`Invoice date, original:`). */
const foreignFactor = (zone: Zone, hit: LabelHit, between: string): number =>
  zone.relation === "after" && !hit.colon && /\p{L}{3,}[^:]*:/u.test(between) ? 0.6 : 1;

/** A label that goes on after its last word was perhaps another label. */
function leftoverFactor(hit: LabelHit): number {
  const at = hit.segment.starts[hit.to] ?? hit.segment.text.length;
  const rest = hit.segment.text.slice(at, at + ZONE);
  return hit.colon && rest === "" ? 1 : skipFactor(skippedWords(rest));
}

/** All candidates that the labels of a concept lead to. */
export function candidatesFor(
  hits: readonly LabelHit[],
  view: DocumentView,
  labels: LabelMap,
  reader: Reader,
): Candidate[] {
  return hits.flatMap((hit) => zonesOf(hit, view, labels, reader.kind).flatMap((zone) => readZone(zone, reader, hit)));
}

/** The values that the reader paired with a label, as sure as the reader is; text of several places is one. */
export function pairedZones(hit: LabelHit, view: DocumentView, kind: Reader["kind"]): Zone[] {
  const pair = view.pairs.get(hit.segment);
  return ((kind === "text" ? pair?.whole : pair?.values) ?? []).map((segment) => ({
    relation: "paired",
    segment,
    start: 0,
    end: segment.text.length,
    weight: RELATION.paired * (pair?.confidence ?? 0),
  }));
}

/** All candidates that the reader paired with labels. Boxes that say yes and no to one label say nothing. */
export function pairedCandidates(hits: readonly LabelHit[], view: DocumentView, reader: Reader): Candidate[] {
  return hits.flatMap((hit) => {
    const found = pairedZones(hit, view, reader.kind).flatMap((zone) => readZone(zone, reader, hit));
    const ticks = new Set(found.map(({ value }) => value).filter((value) => typeof value === "boolean"));
    return ticks.size > 1 ? [] : found;
  });
}
