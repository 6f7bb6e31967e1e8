/** Places of a label's value: behind it, right of it, below it, or where the reader paired it. */

import { spanOverlap } from "../../layout/geometry.ts";
import type { DocumentView } from "../../structure/view/document-view.ts";
import type { Segment } from "../../structure/view/tokens.ts";
import type { LabelHit, LabelMap } from "./find-labels.ts";
import { ALIGNMENT_WEIGHTS, RELATION_WEIGHTS } from "./scoring.ts";
import type { Reader } from "./value-reader.ts";

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

/** Rows searched below a label. */
const MAX_ROWS_BELOW = 6;
const MAX_DISTANCE_BELOW_INCHES = 0.9;
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
  const inOrder = zoneInOrder(hit, view);
  const isAligned = ({ segment }: Zone): boolean =>
    (view.rows[segment.row]?.segments ?? []).some((other) => alignmentWeight(label, other.box) > 0);
  if (inOrder.length > 0 && !inOrder.some(isAligned)) return inOrder;
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

/** Cells of a heading row and of the row below it, from which their order alone pairs them. */
const MIN_ORDERED_CELLS = 3;

/** The cell below a heading by its order, where both rows have as many: headings to the left, figures to the right. */
function zoneInOrder({ segment, from, to }: LabelHit, view: DocumentView): Zone[] {
  const [heads, cells] = [view.rows[segment.row], view.rows[segment.row + 1]];
  const at = heads?.segments.indexOf(segment) ?? -1;
  const below = cells?.segments[at];
  if (heads === undefined || cells === undefined || below === undefined || cells.page !== heads.page) return [];
  if (heads.segments.length < MIN_ORDERED_CELLS || cells.segments.length !== heads.segments.length) return [];
  if (cells.box.top - heads.box.bottom > MAX_DISTANCE_BELOW_INCHES || to - from < segment.tokens.length) return [];
  // Each cell ends before the next heading begins to end: the rows have the same columns.
  const isOrdered = cells.segments.every((cell, index) => {
    const [head, next] = [heads.segments[index], heads.segments[index + 1]];
    return (
      head !== undefined && cell.box.right > head.box.left && (next === undefined || cell.box.left < next.box.right)
    );
  });
  const weight = RELATION_WEIGHTS.below * ALIGNMENT_WEIGHTS.overlap;
  return isOrdered ? [{ relation: "below", segment: below, start: 0, end: below.text.length, weight }] : [];
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
  // Another label behind this one owns the value right of it, but for one in a remark: `Total (incl. VAT)`.
  const isRemark = ({ from }: LabelHit): boolean => hit.segment.tokens[from]?.text.startsWith("(") ?? false;
  const behind = (labels.bySegment.get(hit.segment) ?? []).filter(({ from }) => from >= hit.to);
  const claimed = behind.some(
    (other) => other.concept !== hit.concept && endsValue(other, kind) && !(isRemark(other) && !hit.colon),
  );
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
