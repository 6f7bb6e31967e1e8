/** Evidence from a list cell's position: on its item's row, in line with its column, under its column's heading. */

import type { LabelHit, LabelMap } from "../extraction/rules/find-labels.ts";
import { leadFactor } from "../extraction/rules/scoring.ts";
import { alignmentWeight } from "../extraction/rules/value-candidates.ts";
import { wordReference } from "../grounding/printed-words.ts";
import { lowerBound } from "../layout/binary-search.ts";
import { median } from "../layout/geometry.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import { unionOf } from "../structure/view/tokens.ts";
import type { KnownLeaf } from "./check.ts";
import { type LabelEvidence, NO_LABELS } from "./label-evidence.ts";
import type { ValuePlace } from "./value-places.ts";

export interface GridEvidence {
  cells: Map<KnownLeaf, CellEvidence>;
  /** The row that most cells of a leaf's item stand on; undefined if none was found. */
  rowOf(leaf: Leaf): number | undefined;
}

export interface CellEvidence {
  /** 0 or 1: the cell stands on another item's row. */
  offRow: number;
  /** 0 to 1: the cell is out of line with its column. */
  offColumn: number;
  /** 0 or 1: another cell of its column or of its item has the same words. */
  shared: number;
  /** 0 to 1: a text has far more or fewer words than those of its column; half for twice or half of their median. */
  oddLength: number;
  /** 0 to 1: share of its column's numbers that have another sign. */
  oddSign: number;
  heading: LabelEvidence;
  /** No column of its list has a heading. */
  headless: boolean;
}

/** Tolerance for a column's edges, and the further distance at which a cell is certainly outside. */
const SAME_EDGE_INCHES = 0.12;
const FAR_FROM_COLUMN_INCHES = 0.6;
/** Maximum gap between a heading and the first cell. */
const MAX_HEADING_GAP_INCHES = 2;

const itemKey = ({ item }: Leaf): string => (item === null ? "" : `${item.at} ${item.list}`);

interface Cell {
  known: KnownLeaf;
  place: ValuePlace;
}

interface Edges {
  left: number;
  right: number;
}

const edgesOf = (place: ValuePlace): Edges =>
  unionOf(place.tokens.filter((token) => token.page === place.tokens[0]?.page));

/** The row that most cells of an item stand on; the first of several. */
function rowOfItem(cells: readonly Cell[]): number {
  const counts = new Map<number, number>();
  for (const { place } of cells) counts.set(place.row, (counts.get(place.row) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0;
}

/** Cells that stand on another item's row. An item extends below its row to the next item's. */
function cellsOffRow(items: readonly (readonly Cell[])[]): Set<Cell> {
  const rows = items.map(rowOfItem);
  const taken = new Set(rows);
  const offRow = new Set<Cell>();
  const sorted = [...taken].sort((a, b) => a - b);
  for (const [index, cells] of items.entries()) {
    const own = rows[index] ?? 0;
    const next = sorted[lowerBound(sorted, (row) => row, own + 1)] ?? Number.POSITIVE_INFINITY;
    const before = sorted[lowerBound(sorted, (row) => row, own) - 1] ?? Number.NEGATIVE_INFINITY;
    for (const cell of cells) {
      const { row, rows: lines } = cell.place;
      // Rows above an item's own belong to it where its cell reaches down to it; and one row else.
      const from = row + lines >= own ? before + 1 : Math.max(before + 1, own - 1);
      if (row < from || row >= next) offRow.add(cell);
    }
  }
  return offRow;
}

/** The best heading of the column's own meaning and of another meaning. */
function headingOf(column: readonly Cell[], edges: Edges, labels: LabelMap, own: string): LabelEvidence {
  const [first] = column;
  const token = first?.place.tokens[0];
  if (first === undefined || token === undefined) return NO_LABELS;
  const { meaning } = first.known;
  const evidence = { ...NO_LABELS };
  const weigh = (hit: LabelHit): number => {
    const label = unionOf(hit.segment.tokens.slice(hit.from, hit.to));
    const gap = token.box.top - label.bottom;
    if (hit.segment.page !== token.page || gap < -0.05 || gap > MAX_HEADING_GAP_INCHES) return 0;
    return hit.strength * leadFactor(hit) * alignmentWeight(label, edges);
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

const wordsKey = ({ place }: Cell): string => place.tokens.map(wordReference).join(" ");
const pageOf = ({ place }: Cell): number => place.tokens[0]?.page ?? 0;

/** Inches between the nearest edges or the middles of a box and a column. */
const columnDistance = (box: Edges, column: Edges): number =>
  Math.min(
    Math.abs(box.left - column.left),
    Math.abs(box.right - column.right),
    Math.abs(box.left + box.right - column.left - column.right) / 2,
  );

/** The edges of a column by page: each page has its own positions. */
function columnEdges(column: readonly Cell[]): Map<number, Edges> {
  return new Map(
    [...Map.groupBy(column, pageOf)].map(([page, cells]) => {
      const boxes = cells.map(({ place }) => edgesOf(place));
      return [page, { left: median(boxes.map(({ left }) => left)), right: median(boxes.map(({ right }) => right)) }];
    }),
  );
}

/** Natural logarithm of the ratio of lengths from which a text is certainly too long or too short. */
const ODD_LENGTH_RATIO = Math.log(4);

const isNegative = ({ known: { leaf } }: Cell): boolean => typeof leaf.value === "number" && leaf.value < 0;

/** How far a cell differs from its column in words, as a text, and in its sign, as a number. */
function oddnessIn(column: readonly Cell[]): (cell: Cell) => Pick<CellEvidence, "oddLength" | "oddSign"> {
  const usual = median(column.map(({ place }) => place.tokens.length));
  const negative = column.filter(isNegative).length / column.length;
  return (cell) => {
    if (typeof cell.known.leaf.value === "number")
      return { oddLength: 0, oddSign: isNegative(cell) ? 1 - negative : negative };
    const ratio = Math.abs(Math.log((cell.place.tokens.length + 1) / (usual + 1)));
    return { oddLength: Math.min(1, ratio / ODD_LENGTH_RATIO), oddSign: 0 };
  };
}

function judgeColumn(
  column: readonly Cell[],
  {
    offRow,
    twice,
    labels,
    own,
  }: { offRow: ReadonlySet<Cell>; twice: ReadonlySet<Cell>; labels: LabelMap; own: string },
  evidence: Map<KnownLeaf, CellEvidence>,
): void {
  const edges = columnEdges(column);
  const first = column[0];
  const top = first === undefined ? undefined : edges.get(pageOf(first));
  const heading = top === undefined ? NO_LABELS : headingOf(column, top, labels, own);
  const oddness = oddnessIn(column);
  const uses = new Map<string, number>();
  for (const cell of column) uses.set(wordsKey(cell), (uses.get(wordsKey(cell)) ?? 0) + 1);
  for (const cell of column) {
    const box = edgesOf(cell.place);
    const off = columnDistance(box, edges.get(pageOf(cell)) ?? box);
    evidence.set(cell.known, {
      offRow: offRow.has(cell) ? 1 : 0,
      offColumn: Math.max(0, Math.min(1, (off - SAME_EDGE_INCHES) / FAR_FROM_COLUMN_INCHES)),
      shared: twice.has(cell) || (uses.get(wordsKey(cell)) ?? 0) > 1 ? 1 : 0,
      ...oddness(cell),
      heading,
      headless: true,
    });
  }
}

/** A list with one heading has headings for its other columns too. */
function markHeadedLists(evidence: ReadonlyMap<KnownLeaf, CellEvidence>): void {
  const lists = new Set<string>();
  for (const [{ leaf }, { heading }] of evidence) if (heading.own > 0) lists.add(leaf.item?.list ?? "");
  for (const [{ leaf }, cell] of evidence) if (lists.has(leaf.item?.list ?? "")) cell.headless = false;
}

/**
 * Gathers the evidence for the cells of all lists, in O(n log n) of their number.
 * @param cells cells located at words @param ownConcept concept under which labels of a path's own words were searched
 */
export function gatherGridEvidence(
  cells: readonly Cell[],
  labels: LabelMap,
  ownConcept: (path: string) => string,
): GridEvidence {
  const evidence = new Map<KnownLeaf, CellEvidence>();
  const rows = new Map<string, number>();
  const offRow = new Set<Cell>();
  const twice = new Set<Cell>();
  for (const list of Map.groupBy(cells, ({ known }) => known.leaf.item?.list ?? "").values()) {
    const items = [...Map.groupBy(list, ({ known }) => known.leaf.item?.at ?? 0).values()];
    for (const item of items) if (item[0] !== undefined) rows.set(itemKey(item[0].known.leaf), rowOfItem(item));
    for (const item of items)
      for (const same of Map.groupBy(item, wordsKey).values())
        if (same.length > 1) for (const cell of same) twice.add(cell);
    // Items of single values may share a row.
    if (items.some((item) => item.length > 1)) for (const cell of cellsOffRow(items)) offRow.add(cell);
  }
  for (const [path, column] of Map.groupBy(cells, ({ known }) => known.leaf.path))
    judgeColumn(column, { offRow, twice, labels, own: ownConcept(path) }, evidence);
  markHeadedLists(evidence);
  return { cells: evidence, rowOf: (leaf) => rows.get(itemKey(leaf)) };
}
