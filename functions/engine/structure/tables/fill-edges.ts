/** Reads filled boxes as cells: their edges are rules where nothing else is drawn around the cells of a table. */

import type { Box } from "../../../ports/layout.ts";
import { lowerBound } from "../../layout/binary-search.ts";
import { spanOverlap, unionBox } from "../../layout/geometry.ts";
import { VISIBLE_SHADE_DIFFERENCE } from "./table-header.ts";
import type { Drawing, Fill, Rule } from "./table-parts.ts";

/** Fills of a page whose edges are read; more are a picture. */
const MAX_CELL_FILLS = 1_000;
/** Height and width of a cell; less is a bar or a mark. */
const MIN_CELL_SIDE_EM = 0.8;
/** White gap between two filled cells, which is narrower than text. */
const MAX_CELL_GAP_EM = 0.6;
/** Difference of edges that are one. */
const SAME_EDGE_EM = 0.2;
/** Gap between parts of one cell, by rounding; share of the cell that its parts cover. */
const SAME_PART_EM = 0.02;
const MIN_COVERED_SHARE = 0.99;

const isWithin = (inner: Box, outer: Box, slack: number): boolean =>
  inner.left >= outer.left - slack &&
  inner.right <= outer.right + slack &&
  inner.top >= outer.top - slack &&
  inner.bottom <= outer.bottom + slack;

const areaOf = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);

/** Fills without those that the eye does not see: within another of their shade, such as those behind paragraphs. */
function visibleFills(fills: readonly Fill[], em: number): Fill[] {
  const bySize: Fill[] = [];
  const hidden = new Set<Fill>();
  for (const fill of [...fills].sort((a, b) => areaOf(b.box) - areaOf(a.box))) {
    const around = bySize.findLast(({ box }) => isWithin(fill.box, box, SAME_EDGE_EM * em));
    if (around !== undefined && Math.abs(around.shade - fill.shade) < VISIBLE_SHADE_DIFFERENCE) hidden.add(fill);
    else bySize.push(fill);
  }
  return fills.filter((fill) => !hidden.has(fill));
}

const touches = (a: Box, b: Box, slack: number): boolean =>
  spanOverlap(a.left, a.right, b.left, b.right) >= -slack && spanOverlap(a.top, a.bottom, b.top, b.bottom) >= -slack;

/** Joins fills that are one cell drawn in parts: its padding, too narrow for text, and what the padding touches. */
function joinParts(fills: readonly Fill[], em: number): Fill[] {
  const isPadding = ({ box }: Fill): boolean =>
    Math.min(box.right - box.left, box.bottom - box.top) < MIN_CELL_SIDE_EM * em;
  const joined = new Map<Fill, Set<Fill>>(fills.map((fill) => [fill, new Set([fill])]));
  for (const padding of fills.filter(isPadding))
    for (const other of fills) {
      const [own, group] = [joined.get(padding), joined.get(other)];
      if (own === undefined || group === undefined || own === group) continue;
      const isAlike = Math.abs(padding.shade - other.shade) < VISIBLE_SHADE_DIFFERENCE;
      if (!isAlike || !touches(padding.box, other.box, SAME_PART_EM * em)) continue;
      for (const fill of group) joined.set(fill, own.add(fill));
    }
  return [...new Set(joined.values())].flatMap((group) => {
    const parts = [...group];
    const box = unionBox(parts.map((part) => part.box));
    const covered = parts.reduce((sum, part) => sum + areaOf(part.box), 0);
    return parts.length > 1 && covered >= MIN_COVERED_SHARE * areaOf(box)
      ? [{ box, shade: parts[0]?.shade ?? 1 }]
      : parts;
  });
}

/** The fills as the eye sees them: one for each area of one shade that is drawn in layers or parts. */
export const settleFills = (fills: readonly Fill[], em: number): readonly Fill[] =>
  fills.length > MAX_CELL_FILLS ? fills : joinParts(visibleFills(fills, em), em);

const isCell = ({ box, shade }: Fill, em: number): boolean =>
  shade < 1 - VISIBLE_SHADE_DIFFERENCE && Math.min(box.right - box.left, box.bottom - box.top) >= MIN_CELL_SIDE_EM * em;

/** The place of each edge after narrow gaps between an end and the next start are closed at their middle. */
function closeGaps(starts: readonly number[], ends: readonly number[], most: number): (place: number) => number {
  const sorted = [...starts].sort((a, b) => a - b);
  const moved = new Map<number, number>();
  for (const end of ends) {
    const start = sorted[lowerBound(sorted, (place) => place, end)];
    if (start === undefined || start === end || start - end > most) continue;
    moved.set(end, (start + end) / 2).set(start, (start + end) / 2);
  }
  return (place) => moved.get(place) ?? place;
}

/** The edges of a page's filled cells as rules; none where a page has too many. @param fills settled ones */
export function fillEdges(fills: readonly Fill[], em: number): Pick<Drawing, "horizontal" | "vertical"> {
  const cells = fills.length > MAX_CELL_FILLS ? [] : fills.filter((fill) => isCell(fill, em)).map(({ box }) => box);
  const across = closeGaps(
    cells.map(({ left }) => left),
    cells.map(({ right }) => right),
    MAX_CELL_GAP_EM * em,
  );
  const down = closeGaps(
    cells.map(({ top }) => top),
    cells.map(({ bottom }) => bottom),
    MAX_CELL_GAP_EM * em,
  );
  const [horizontal, vertical]: [Rule[], Rule[]] = [[], []];
  for (const box of cells) {
    const [left, right, top, bottom] = [across(box.left), across(box.right), down(box.top), down(box.bottom)];
    horizontal.push({ at: top, from: left, to: right }, { at: bottom, from: left, to: right });
    vertical.push({ at: left, from: top, to: bottom }, { at: right, from: top, to: bottom });
  }
  return { horizontal, vertical };
}
