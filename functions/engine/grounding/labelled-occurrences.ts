/**
 * Finds the occurrences beside the labels of a leaf: those of its concept, and of its own name, title and description.
 */

import { type Meaning, meaningOf } from "../extraction/rules/field-meaning.ts";
import { type LabelHit, type LabelledField, labelsIn, ownLabels } from "../extraction/rules/find-labels.ts";
import { leadFactor, RELATION_WEIGHTS, skipFactor } from "../extraction/rules/scoring.ts";
import { alignmentWeight } from "../extraction/rules/value-candidates.ts";
import { lowerBound } from "../layout/binary-search.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import type { DocumentView } from "../structure/view/document-view.ts";
import type { FieldPair } from "../structure/view/field-pairs.ts";
import { unionOf } from "../structure/view/tokens.ts";
import { LabelIndex } from "../values/vocabulary/label-index.ts";
import { DOCUMENT_LABELS, ITEM_LABELS } from "../values/vocabulary/vocabulary.ts";
import type { Occurrence, PrintedWords } from "./printed-words.ts";

/** Distinct paths with labels of their own; a hostile result may have any number. */
const MAX_LABELLED_PATHS = 1_000;
/** Label hits of one leaf, and words near one label, that are considered. */
const MAX_HITS_PER_LEAF = 100;
const MAX_WORDS_NEAR_LABEL = 60;
/** Maximum distance of a value below its label, in rows and in inches. */
const MAX_ROWS_BELOW_LABEL = 6;
const MAX_INCHES_BELOW_LABEL = 0.9;
const MAX_LINE_WORDS = 400;

/** A value that the reader paired with a leaf's label. */
export interface PairedValue {
  pair: FieldPair;
  /** Label weight, 0 to 1. */
  weight: number;
}

/** By concept, or by the leaf's own words. */
type HitsByConcept = Map<string, LabelHit[]>;

export class LeafLabels {
  readonly #printed: PrintedWords;
  readonly #paths = new Map<string, LabelledField>();
  readonly #hits = { header: new Map<string, LabelHit[]>(), items: new Map<string, LabelHit[]>() };
  /** Hits in labels that the reader paired with values. */
  readonly #paired: HitsByConcept;

  constructor(printed: PrintedWords, leaves: readonly Leaf[]) {
    this.#printed = printed;
    // Very long lines hold no labels and cost more than all others.
    const segments = printed.view.segments.filter(({ tokens }) => tokens.length <= MAX_LINE_WORDS);
    const view = { ...printed.view, segments };
    for (const leaf of leaves) {
      if (this.#paths.size >= MAX_LABELLED_PATHS) break;
      if (!this.#paths.has(leaf.path))
        this.#paths.set(leaf.path, { meaning: meaningOf(leaf.field), ownConcept: `own:${leaf.path}` });
    }
    const items = new Set(leaves.filter(({ item }) => item !== null).map(({ path }) => path));
    const paths = [...this.#paths];
    const header = paths.filter(([path]) => !items.has(path));
    this.#hits.header = findLabelHits(view, header, DOCUMENT_LABELS);
    this.#paired = findLabelHits({ segments: [...printed.view.pairs.keys()] }, header, DOCUMENT_LABELS);
    if (items.size > 0)
      this.#hits.items = findLabelHits(
        view,
        paths.filter(([path]) => items.has(path)),
        ITEM_LABELS,
      );
  }

  /** The meaning of a leaf's field; null beyond the path limit. */
  meaningOf(leaf: Leaf): Meaning | null {
    return this.#paths.get(leaf.path)?.meaning ?? null;
  }

  /** The label hits of a leaf, those of its own words first. */
  hitsOf(leaf: Leaf): LabelHit[] {
    return this.#hitsIn(leaf.item === null ? this.#hits.header : this.#hits.items, leaf);
  }

  #hitsIn(hits: HitsByConcept, leaf: Leaf): LabelHit[] {
    const path = this.#paths.get(leaf.path);
    if (path === undefined) return [];
    const { concept } = path.meaning;
    const known = concept === null ? [] : (hits.get(concept) ?? []);
    return [...(hits.get(path.ownConcept) ?? []), ...known].slice(0, MAX_HITS_PER_LEAF);
  }

  /** The values that the reader paired with the labels of a leaf outside of lists. */
  pairedWith(leaf: Leaf): PairedValue[] {
    if (leaf.item !== null) return [];
    return this.#hitsIn(this.#paired, leaf).flatMap((hit) => {
      const pair = this.#printed.view.pairs.get(hit.segment);
      if (pair === undefined) return [];
      const words = hit.segment.tokens.length - hit.to;
      const weight = RELATION_WEIGHTS.paired * pair.confidence * hit.strength * leadFactor(hit) * skipFactor(words);
      return [{ pair, weight }];
    });
  }

  /**
   * Weighs occurrences by labels.
   * @param sorted in the order of rows @returns 0 to 1 for occurrences beside a label
   */
  support(leaf: Leaf, sorted: readonly Occurrence[]): Map<Occurrence, number> {
    const support = new Map<Occurrence, number>();
    if (sorted.length === 0) return support;
    for (const { pair, weight } of this.pairedWith(leaf)) {
      for (const { row, tokens } of pair.whole) {
        const start = lowerBound(sorted, (one) => one.row, row);
        const inside = new Set(tokens);
        for (const one of sorted.slice(start, start + MAX_WORDS_NEAR_LABEL)) {
          if (weight > (support.get(one) ?? 0) && one.tokens.every((token) => inside.has(token)))
            support.set(one, weight);
        }
      }
    }
    for (const hit of this.hitsOf(leaf)) {
      const start = lowerBound(sorted, ({ row }) => row, hit.segment.row);
      for (const one of sorted.slice(start, start + MAX_WORDS_NEAR_LABEL)) {
        if (one.row > hit.segment.row + MAX_ROWS_BELOW_LABEL) break;
        const weight = this.#relation(hit, one) * hit.strength * leadFactor(hit);
        if (weight > (support.get(one) ?? 0)) support.set(one, weight);
      }
    }
    return support;
  }

  /** The weight of an occurrence's position to a label (behind, right, below), as in the search for candidates. */
  #relation(hit: LabelHit, one: Occurrence): number {
    const { segment } = hit;
    if (one.row > segment.row) return belowWeight(hit, one);
    const own = this.#printed.segments[one.first];
    if (own === segment) {
      const [word] = one.tokens;
      const at = word === undefined ? -1 : segment.tokens.indexOf(word);
      return at >= hit.to ? RELATION_WEIGHTS.after * skipFactor(at - hit.to) : 0;
    }
    if (own === undefined || own.box.left < segment.box.right - 0.02) return 0;
    const row = this.#printed.view.rows[segment.row]?.segments ?? [];
    const between =
      row.length > MAX_WORDS_NEAR_LABEL ? MAX_WORDS_NEAR_LABEL : row.indexOf(own) - row.indexOf(segment) - 1;
    return between < 0 || between > 6 ? 0 : RELATION_WEIGHTS.right * 0.93 ** between;
  }
}

function belowWeight(hit: LabelHit, one: Occurrence): number {
  const label = unionOf(hit.segment.tokens.slice(hit.from, hit.to));
  const page = one.tokens[0]?.page;
  if (page !== hit.segment.page || one.box.top - label.bottom > MAX_INCHES_BELOW_LABEL) return 0;
  return RELATION_WEIGHTS.below * alignmentWeight(label, one.box) * 0.93 ** (one.row - hit.segment.row - 1);
}

function findLabelHits(
  view: Pick<DocumentView, "segments">,
  paths: readonly [string, LabelledField][],
  base: LabelIndex,
): HitsByConcept {
  const { index, queries } = ownLabels(paths);
  return labelsIn(view.segments, new LabelIndex(index, base), queries).byConcept;
}
