/** Which printed words stand beside the label of a leaf: its concept's, or its own name's, title's, description's. */

import { type Meaning, meaningOf } from "../extraction/rules/field-meaning.ts";
import { addByStems, findLabels, type LabelHit, type StemQuery } from "../extraction/rules/find-labels.ts";
import { leadFactor, RELATION, skipFactor } from "../extraction/rules/scoring.ts";
import { alignment } from "../extraction/rules/value-candidates.ts";
import type { DocumentView } from "../structure/view/document-view.ts";
import type { FieldPair } from "../structure/view/field-pairs.ts";
import { unionOf } from "../structure/view/tokens.ts";
import { LabelIndex, type LabelMeaning } from "../values/vocabulary/label-index.ts";
import { DOCUMENT_LABELS, ITEM_LABELS } from "../values/vocabulary/vocabulary.ts";
import { lowerBound, type Occurrence, type Printed } from "./printed-words.ts";
import type { Leaf } from "./result-leaves.ts";

/** Different names that get labels of their own; a hostile result has any number. */
const MOST_PATHS = 1_000;
/** Labels of one leaf, and words near one label, that are looked at. */
const MOST_HITS = 100;
const MOST_NEAR = 60;
/** Where a value may stand below its label. */
const ROWS_BELOW = 6;
const INCHES_BELOW = 0.9;
const LONGEST_LINE = 400;

interface Path {
  meaning: Meaning;
  own: string;
}

/** What the reader paired with a label of a leaf. */
export interface Paired {
  pair: FieldPair;
  /** 0 to 1: how surely the label is meant. */
  weight: number;
}

/** By the concept, or the leaf's own words. */
type Hits = Map<string, LabelHit[]>;

export class Labelling {
  readonly #printed: Printed;
  readonly #paths = new Map<string, Path>();
  readonly #hits = { header: new Map<string, LabelHit[]>(), items: new Map<string, LabelHit[]>() };
  /** In the labels that the reader paired with values. */
  readonly #paired: Hits;

  constructor(printed: Printed, leaves: readonly Leaf[]) {
    this.#printed = printed;
    // Lines that no label is part of would cost more than all others.
    const segments = printed.view.segments.filter(({ tokens }) => tokens.length <= LONGEST_LINE);
    const view = { ...printed.view, segments };
    for (const leaf of leaves) {
      if (this.#paths.size >= MOST_PATHS) break;
      if (!this.#paths.has(leaf.path))
        this.#paths.set(leaf.path, { meaning: meaningOf(leaf.field), own: `own:${leaf.path}` });
    }
    const items = new Set(leaves.filter(({ item }) => item !== null).map(({ path }) => path));
    const paths = [...this.#paths];
    const header = paths.filter(([path]) => !items.has(path));
    this.#hits.header = findAll(view, header, DOCUMENT_LABELS);
    this.#paired = findAll({ segments: [...printed.view.pairs.keys()] }, header, DOCUMENT_LABELS);
    if (items.size > 0)
      this.#hits.items = findAll(
        view,
        paths.filter(([path]) => items.has(path)),
        ITEM_LABELS,
      );
  }

  /** What a leaf is about; null for those beyond the limit. */
  meaning(leaf: Leaf): Meaning | null {
    return this.#paths.get(leaf.path)?.meaning ?? null;
  }

  /** The labels of a leaf on the pages, its own first. */
  hits(leaf: Leaf): LabelHit[] {
    return this.#hitsIn(leaf.item === null ? this.#hits.header : this.#hits.items, leaf);
  }

  #hitsIn(hits: Hits, leaf: Leaf): LabelHit[] {
    const path = this.#paths.get(leaf.path);
    if (path === undefined) return [];
    const { concept } = path.meaning;
    const known = concept === null ? [] : (hits.get(concept) ?? []);
    return [...(hits.get(path.own) ?? []), ...known].slice(0, MOST_HITS);
  }

  /** What the reader paired with the labels of a leaf outside of lists. */
  paired(leaf: Leaf): Paired[] {
    if (leaf.item !== null) return [];
    return this.#hitsIn(this.#paired, leaf).flatMap((hit) => {
      const pair = this.#printed.view.pairs.get(hit.segment);
      if (pair === undefined) return [];
      const words = hit.segment.tokens.length - hit.to;
      const weight = RELATION.paired * pair.confidence * hit.strength * leadFactor(hit) * skipFactor(words);
      return [{ pair, weight }];
    });
  }

  /**
   * How much labels speak for occurrences.
   * @param sorted in the order of rows @returns 0 to 1 for those that a label stands beside
   */
  support(leaf: Leaf, sorted: readonly Occurrence[]): Map<Occurrence, number> {
    const support = new Map<Occurrence, number>();
    if (sorted.length === 0) return support;
    for (const { pair, weight } of this.paired(leaf)) {
      for (const { row, tokens } of pair.whole) {
        const start = lowerBound(sorted, (one) => one.row, row);
        const inside = new Set(tokens);
        for (const one of sorted.slice(start, start + MOST_NEAR)) {
          if (weight > (support.get(one) ?? 0) && one.tokens.every((token) => inside.has(token)))
            support.set(one, weight);
        }
      }
    }
    for (const hit of this.hits(leaf)) {
      const start = lowerBound(sorted, ({ row }) => row, hit.segment.row);
      for (const one of sorted.slice(start, start + MOST_NEAR)) {
        if (one.row > hit.segment.row + ROWS_BELOW) break;
        const weight = this.#relation(hit, one) * hit.strength * leadFactor(hit);
        if (weight > (support.get(one) ?? 0)) support.set(one, weight);
      }
    }
    return support;
  }

  /** As candidates are weighed when values are looked for: behind the label, right of it, below it. */
  #relation(hit: LabelHit, one: Occurrence): number {
    const { segment } = hit;
    if (one.row > segment.row) return below(hit, one);
    const own = this.#printed.segments[one.first];
    if (own === segment) {
      const [word] = one.tokens;
      const at = word === undefined ? -1 : segment.tokens.indexOf(word);
      return at >= hit.to ? RELATION.after * skipFactor(at - hit.to) : 0;
    }
    if (own === undefined || own.box.left < segment.box.right - 0.02) return 0;
    const row = this.#printed.view.rows[segment.row]?.segments ?? [];
    const between = row.length > MOST_NEAR ? MOST_NEAR : row.indexOf(own) - row.indexOf(segment) - 1;
    return between < 0 || between > 6 ? 0 : RELATION.right * 0.93 ** between;
  }
}

function below(hit: LabelHit, one: Occurrence): number {
  const label = unionOf(hit.segment.tokens.slice(hit.from, hit.to));
  const page = one.tokens[0]?.page;
  if (page !== hit.segment.page || one.box.top - label.bottom > INCHES_BELOW) return 0;
  return RELATION.below * alignment(label, one.box) * 0.93 ** (one.row - hit.segment.row - 1);
}

function findAll(view: Pick<DocumentView, "segments">, paths: readonly [string, Path][], base: LabelIndex): Hits {
  const keys = new Map<string, LabelMeaning[]>();
  const queries: StemQuery[] = [];
  for (const [, { meaning, own }] of paths) {
    for (const { key, strength } of meaning.ownKeys)
      keys.set(key, [...(keys.get(key) ?? []), { concept: own, strength }]);
    if (meaning.concept === null && meaning.stems.length > 0) queries.push({ concept: own, stems: meaning.stems });
  }
  const { byConcept } = findLabels(view, new LabelIndex(keys, base));
  addByStems(byConcept, view, queries);
  return byConcept;
}
