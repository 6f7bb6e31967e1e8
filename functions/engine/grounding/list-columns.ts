/** Positions of a list's columns: learnt from certain cells, else from the headings. */

import type { Box } from "../../ports/layout.ts";
import type { LabelHit } from "../extraction/rules/find-labels.ts";
import { alignmentWeight } from "../extraction/rules/value-candidates.ts";
import { median, middleX } from "../layout/geometry.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import { unionOf } from "../structure/view/tokens.ts";
import type { LeafLabels } from "./labelled-occurrences.ts";

/** Minimum cells that a column is learnt from. */
const MIN_LEARNT_CELLS = 3;
/** Tolerance for the edges of a column's cells. */
const SAME_EDGE_INCHES = 0.12;
/** Distance at which a cell no longer belongs to a column. */
const MAX_COLUMN_DISTANCE_INCHES = 0.8;

interface Edges {
  left: number;
  right: number;
  middle: number;
}

const edgesOf = (box: { left: number; right: number }): Edges => ({ ...box, middle: middleX(box) });

/** The row with headings for most columns, and each heading's edges. */
function headingEdges(leaves: readonly Leaf[], labels: LeafLabels): Map<string, Edges> {
  const byRow = new Map<number, Map<string, LabelHit>>();
  const seen = new Set<string>();
  for (const leaf of leaves) {
    if (seen.has(leaf.path)) continue;
    seen.add(leaf.path);
    for (const hit of labels.hitsOf(leaf)) {
      const row = byRow.get(hit.segment.row) ?? new Map<string, LabelHit>();
      if (!row.has(leaf.path)) row.set(leaf.path, hit);
      byRow.set(hit.segment.row, row);
    }
  }
  let best = new Map<string, LabelHit>();
  for (const row of byRow.values()) if (row.size > best.size) best = row;
  if (best.size < 2) return new Map();
  return new Map(
    [...best].map(([path, hit]) => [path, edgesOf(unionOf(hit.segment.tokens.slice(hit.from, hit.to)))] as const),
  );
}

export class ListColumns {
  readonly #headings: Map<string, Edges>;
  readonly #learnt = new Map<string, { left: number[]; right: number[] }>();
  readonly #settled = new Map<string, Edges>();

  constructor(leaves: readonly Leaf[], labels: LeafLabels) {
    this.#headings = headingEdges(leaves, labels);
  }

  /** Adds a box that certainly belongs to a column. */
  learn(path: string, box: Box): void {
    const column = this.#learnt.get(path) ?? { left: [], right: [] };
    column.left.push(box.left);
    column.right.push(box.right);
    this.#learnt.set(path, column);
  }

  #column(path: string): Edges | null {
    const known = this.#settled.get(path);
    if (known !== undefined) return known;
    const learnt = this.#learnt.get(path);
    if (learnt === undefined || learnt.left.length < MIN_LEARNT_CELLS) return null;
    const edges = edgesOf({ left: median(learnt.left), right: median(learnt.right) });
    this.#settled.set(path, edges);
    return edges;
  }

  /** The fit of a box in its column, 0 to 1. @returns null for an unknown column */
  fit(path: string, box: Box): number | null {
    const column = this.#column(path);
    if (column === null) {
      const heading = this.#headings.get(path);
      return heading === undefined ? null : alignmentWeight(heading, box);
    }
    const own = edgesOf(box);
    const off = Math.min(
      Math.abs(own.left - column.left),
      Math.abs(own.right - column.right),
      Math.abs(own.middle - column.middle),
    );
    return off <= SAME_EDGE_INCHES ? 1 - off : Math.max(0, 0.85 * (1 - off / MAX_COLUMN_DISTANCE_INCHES));
  }
}
