/** Where the columns of a list stand: by what surely belongs to them, else by the labels that head them. */

import type { Box } from "../../ports/layout.ts";
import type { LabelHit } from "../extraction/rules/find-labels.ts";
import { alignment } from "../extraction/rules/value-candidates.ts";
import { median, middleX } from "../layout/geometry.ts";
import { unionOf } from "../structure/view/tokens.ts";
import type { Labelling } from "./labelled-occurrences.ts";
import type { Leaf } from "./result-leaves.ts";

/** Cells that make a column known. */
const ENOUGH = 3;
/** Edges of a column's cells are in line within so many inches. */
const IN_LINE = 0.12;
/** And nothing of a column stands further off. */
const FAR = 0.8;

interface Edges {
  left: number;
  right: number;
  middle: number;
}

const edgesOf = (box: { left: number; right: number }): Edges => ({ ...box, middle: middleX(box) });

/** The row that heads most of the columns, and where in it each is headed. */
function headings(leaves: readonly Leaf[], labelling: Labelling): Map<string, Edges> {
  const byRow = new Map<number, Map<string, LabelHit>>();
  const seen = new Set<string>();
  for (const leaf of leaves) {
    if (seen.has(leaf.path)) continue;
    seen.add(leaf.path);
    for (const hit of labelling.hits(leaf)) {
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

export class Columns {
  readonly #headings: Map<string, Edges>;
  readonly #learnt = new Map<string, { left: number[]; right: number[] }>();
  readonly #settled = new Map<string, Edges>();

  constructor(leaves: readonly Leaf[], labelling: Labelling) {
    this.#headings = headings(leaves, labelling);
  }

  /** A box that surely belongs to a column. */
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
    if (learnt === undefined || learnt.left.length < ENOUGH) return null;
    const edges = edgesOf({ left: median(learnt.left), right: median(learnt.right) });
    this.#settled.set(path, edges);
    return edges;
  }

  /** How well a box stands in its column, 0 to 1. @returns null where nothing is known of the column */
  fit(path: string, box: Box): number | null {
    const column = this.#column(path);
    if (column === null) {
      const heading = this.#headings.get(path);
      return heading === undefined ? null : alignment(heading, box);
    }
    const own = edgesOf(box);
    const off = Math.min(
      Math.abs(own.left - column.left),
      Math.abs(own.right - column.right),
      Math.abs(own.middle - column.middle),
    );
    return off <= IN_LINE ? 1 - off : Math.max(0, 0.85 * (1 - off / FAR));
  }
}
