/** How the cells of a list stand: on the row of their item, in line with their column, under their column's heading. */

import type { LabelHit, LabelMap } from "../extraction/rules/find-labels.ts";
import { leadFactor } from "../extraction/rules/scoring.ts";
import { alignment } from "../extraction/rules/value-candidates.ts";
import { lowerBound, referenceOf } from "../grounding/printed-words.ts";
import type { Leaf } from "../grounding/result-leaves.ts";
import { median } from "../layout/geometry.ts";
import { unionOf } from "../structure/view/tokens.ts";
import type { Known } from "./check.ts";
import { type LabelEvidence, NO_LABELS } from "./label-evidence.ts";
import type { Place } from "./value-places.ts";

export interface Grid {
  cells: Map<Known, GridEvidence>;
  /** The row that most cells of a leaf's item stand on; undefined where none is found. */
  rowOf(leaf: Leaf): number | undefined;
}

export interface GridEvidence {
  /** 0 or 1: it stands on the row of another item. */
  offRow: number;
  /** 0 to 1: it is not in line with its column. */
  offColumn: number;
  /** 0 or 1: another item's cell of the column, or another cell of its item, has the same words. */
  shared: number;
  heading: LabelEvidence;
  /** No column of its list has a heading. */
  headless: boolean;
}

/** Inches from a column's edges that are still its own, and that are surely not. */
const IN_LINE = 0.12;
const FAR = 0.6;
/** Headings stand so many inches above the first cell at most: more rows than that belong to cells. */
const ABOVE = 2;

const itemOf = ({ item }: Leaf): string => (item === null ? "" : `${item.at} ${item.list}`);

interface Cell {
  known: Known;
  place: Place;
}

interface Edges {
  left: number;
  right: number;
}

const edgesOf = (place: Place): Edges => unionOf(place.tokens.filter((token) => token.page === place.tokens[0]?.page));

/** The row that most cells of an item stand on, the first of several. */
function rowOf(cells: readonly Cell[]): number {
  const counts = new Map<number, number>();
  for (const { place } of cells) counts.set(place.row, (counts.get(place.row) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0;
}

/** Cells that stand on another item's row. An item goes on below its row, up to the next item's. */
function strayCells(items: readonly (readonly Cell[])[]): Set<Cell> {
  const rows = items.map(rowOf);
  const taken = new Set(rows);
  const stray = new Set<Cell>();
  const sorted = [...taken].sort((a, b) => a - b);
  for (const [index, cells] of items.entries()) {
    const own = rows[index] ?? 0;
    const next = sorted[lowerBound(sorted, (row) => row, own + 1)] ?? Number.POSITIVE_INFINITY;
    const before = sorted[lowerBound(sorted, (row) => row, own) - 1] ?? Number.NEGATIVE_INFINITY;
    // Rows above an item's own are its own where the item before has not reached them: at most one.
    const from = Math.max(before + 1, own - 1);
    for (const cell of cells) if (cell.place.row < from || cell.place.row >= next) stray.add(cell);
  }
  return stray;
}

/** The best heading of own and of other meaning over a column. */
function headingOf(column: readonly Cell[], edges: Edges, labels: LabelMap, own: string): LabelEvidence {
  const [first] = column;
  const token = first?.place.tokens[0];
  if (first === undefined || token === undefined) return NO_LABELS;
  const { meaning } = first.known;
  const evidence = { ...NO_LABELS };
  const weigh = (hit: LabelHit): number => {
    const label = unionOf(hit.segment.tokens.slice(hit.from, hit.to));
    const gap = token.box.top - label.bottom;
    if (hit.segment.page !== token.page || gap < -0.05 || gap > ABOVE) return 0;
    return hit.strength * leadFactor(hit) * alignment(label, edges);
  };
  for (const [concept, hits] of labels.byConcept) {
    const mine = concept === own || concept === meaning.concept;
    if (mine && hits.length > 0) evidence.labelled = true;
    for (const hit of hits.slice(0, 50)) {
      if (mine) evidence.own = Math.max(evidence.own, weigh(hit));
      else if (!concept.startsWith("own:")) evidence.other = Math.max(evidence.other, weigh(hit));
    }
  }
  return evidence;
}

function groupBy<Key>(cells: readonly Cell[], keyOf: (cell: Cell) => Key): Map<Key, Cell[]> {
  const groups = new Map<Key, Cell[]>();
  for (const cell of cells) {
    const key = keyOf(cell);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cell]);
    else group.push(cell);
  }
  return groups;
}

const wordsOf = ({ place }: Cell): string => place.tokens.map(referenceOf).join(" ");
const pageOf = ({ place }: Cell): number => place.tokens[0]?.page ?? 0;

/** Inches from the nearest of a column's edges and its middle. */
const distance = (box: Edges, column: Edges): number =>
  Math.min(
    Math.abs(box.left - column.left),
    Math.abs(box.right - column.right),
    Math.abs(box.left + box.right - column.left - column.right) / 2,
  );

/** Where a column stands on each page: pages are laid out one by one. */
function columnEdges(column: readonly Cell[]): Map<number, Edges> {
  return new Map(
    [...groupBy(column, pageOf)].map(([page, cells]) => {
      const boxes = cells.map(({ place }) => edgesOf(place));
      return [page, { left: median(boxes.map(({ left }) => left)), right: median(boxes.map(({ right }) => right)) }];
    }),
  );
}

function judgeColumn(
  column: readonly Cell[],
  { stray, twice, labels, own }: { stray: ReadonlySet<Cell>; twice: ReadonlySet<Cell>; labels: LabelMap; own: string },
  evidence: Map<Known, GridEvidence>,
): void {
  const edges = columnEdges(column);
  const first = column[0];
  const top = first === undefined ? undefined : edges.get(pageOf(first));
  const heading = top === undefined ? NO_LABELS : headingOf(column, top, labels, own);
  const uses = new Map<string, number>();
  for (const cell of column) uses.set(wordsOf(cell), (uses.get(wordsOf(cell)) ?? 0) + 1);
  for (const cell of column) {
    const box = edgesOf(cell.place);
    const off = distance(box, edges.get(pageOf(cell)) ?? box);
    evidence.set(cell.known, {
      offRow: stray.has(cell) ? 1 : 0,
      offColumn: Math.max(0, Math.min(1, (off - IN_LINE) / FAR)),
      shared: twice.has(cell) || (uses.get(wordsOf(cell)) ?? 0) > 1 ? 1 : 0,
      heading,
      headless: true,
    });
  }
}

/** A list with one heading has others for its other columns. */
function markHeaded(evidence: ReadonlyMap<Known, GridEvidence>): void {
  const lists = new Set<string>();
  for (const [{ leaf }, { heading }] of evidence) if (heading.own > 0) lists.add(leaf.item?.list ?? "");
  for (const [{ leaf }, cell] of evidence) if (lists.has(leaf.item?.list ?? "")) cell.headless = false;
}

/**
 * Judges the cells of all lists together, in n log n of them.
 * @param cells that stand at words @param ownConcept under which the labels of a path's own words were looked for
 */
export function gridOf(cells: readonly Cell[], labels: LabelMap, ownConcept: (path: string) => string): Grid {
  const evidence = new Map<Known, GridEvidence>();
  const rows = new Map<string, number>();
  const stray = new Set<Cell>();
  const twice = new Set<Cell>();
  for (const list of groupBy(cells, ({ known }) => known.leaf.item?.list ?? "").values()) {
    const items = [...groupBy(list, ({ known }) => known.leaf.item?.at ?? 0).values()];
    for (const item of items) if (item[0] !== undefined) rows.set(itemOf(item[0].known.leaf), rowOf(item));
    for (const item of items)
      for (const same of groupBy(item, wordsOf).values()) if (same.length > 1) for (const cell of same) twice.add(cell);
    // Where items are single values, several may share a row.
    if (items.some((item) => item.length > 1)) for (const cell of strayCells(items)) stray.add(cell);
  }
  for (const [path, column] of groupBy(cells, ({ known }) => known.leaf.path))
    judgeColumn(column, { stray, twice, labels, own: ownConcept(path) }, evidence);
  markHeaded(evidence);
  return { cells: evidence, rowOf: (leaf) => rows.get(itemOf(leaf)) };
}
