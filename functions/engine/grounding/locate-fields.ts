/** Locates values outside of lists: by their labels, near their siblings, first pages first. */

import { pageFactor } from "../extraction/rules/choose-candidate.ts";
import { lowerBound } from "../layout/binary-search.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import { countLettersAndDigits } from "../values/letters-and-digits.ts";
import { booleansAtLabels, booleansInPairs } from "./checkbox-values.ts";
import type { LeafLabels } from "./labelled-occurrences.ts";
import type { PlacedValue } from "./locate-items.ts";
import type { ComparisonBudget, Occurrence, PrintedWords } from "./printed-words.ts";

/** Places considered for one value besides those with a label. */
const MAX_UNLABELLED_PLACES = 40;
/** Maximum distance between siblings, in rows. */
const MAX_SIBLING_ROW_DISTANCE = 6;
/** Score share of the label, and factors for places near siblings and for taken places. */
const LABEL_SCORE_SHARE = 0.4;
const SAME_BLOCK_FACTOR = 1.12;
const NEIGHBOUR_FACTOR = 1.07;
const TAKEN_PLACE_FACTOR = 0.96;

interface PlaceOption {
  occurrence: Occurrence;
  support: number;
  score: number;
}

interface UnplacedField {
  leaf: Leaf;
  occurrences: readonly Occurrence[];
  support: Map<Occurrence, number>;
  options: PlaceOption[];
}

/** A value of one or two characters occurs by chance. */
const SHORT_VALUE_FACTORS = [0.6, 0.7, 0.8, 0.92];

function optionsOf(found: readonly Occurrence[], support: Map<Occurrence, number>): PlaceOption[] {
  const pool = new Set([...support.keys(), ...found.slice(0, MAX_UNLABELLED_PLACES)]);
  return [...pool].map((one) => {
    const label = support.get(one) ?? 0;
    const page = pageFactor(one.tokens[0]?.page ?? 1);
    return {
      occurrence: one,
      support: label,
      score: one.quality * (1 - LABEL_SCORE_SHARE + LABEL_SCORE_SHARE * label) * page,
    };
  });
}

/** Confidence from 0 to 1, by match quality, rival places and label support. */
function confidenceOf(leaf: Leaf, best: PlaceOption, rivals: readonly PlaceOption[]): number {
  const { quality } = best.occurrence;
  const short = best.support >= 0.5 ? 1 : (SHORT_VALUE_FACTORS[countLettersAndDigits(leaf.value)] ?? 1);
  if (rivals.length === 0) return quality * short * (0.9 + 0.1 * best.support);
  if (best.support < 0.3) return quality * short * (0.55 + 0.2 / rivals.length);
  const close = rivals.some((rival) => rival.score > best.score * 0.95);
  return quality * (0.85 + 0.15 * best.support) * (close ? 0.93 : 1);
}

class FieldPlacer {
  readonly placed = new Map<Leaf, PlacedValue>();
  readonly #siblings = new Map<string, Occurrence[]>();
  readonly #taken = new Set<number>();

  /** Places a field; places near siblings that are already placed count more. */
  place(open: UnplacedField): void {
    const siblings = open.leaf.parent === "" ? [] : (this.#siblings.get(open.leaf.parent) ?? []).slice(-8);
    const options = [...open.options, ...this.#beside(open, siblings)].map((option) => ({
      ...option,
      score:
        option.score *
        siblingFactor(option.occurrence, siblings) *
        (this.#taken.has(option.occurrence.first) ? TAKEN_PLACE_FACTOR : 1),
    }));
    options.sort((a, b) => b.score - a.score || a.occurrence.first - b.occurrence.first);
    const [best, ...rivals] = options;
    if (best === undefined) return;
    this.placed.set(open.leaf, { occurrence: best.occurrence, confidence: confidenceOf(open.leaf, best, rivals) });
    this.#taken.add(best.occurrence.first);
    const known = this.#siblings.get(open.leaf.parent);
    if (known === undefined) this.#siblings.set(open.leaf.parent, [best.occurrence]);
    else known.push(best.occurrence);
  }

  #beside({ occurrences, options }: UnplacedField, siblings: readonly Occurrence[]): PlaceOption[] {
    if (occurrences.length <= options.length) return [];
    const known = new Set(options.map(({ occurrence }) => occurrence));
    const near = siblings.flatMap(({ row }) => {
      const from = lowerBound(occurrences, (one) => one.row, row - MAX_SIBLING_ROW_DISTANCE);
      return occurrences
        .slice(from, from + MAX_UNLABELLED_PLACES)
        .filter((one) => one.row <= row + MAX_SIBLING_ROW_DISTANCE && !known.has(one));
    });
    return optionsOf([...new Set(near)], new Map());
  }
}

function siblingFactor(one: Occurrence, siblings: readonly Occurrence[]): number {
  let best = 1;
  for (const sibling of siblings) {
    if (sibling.tokens[0]?.page !== one.tokens[0]?.page) continue;
    if (sibling.tokens[0]?.block === one.tokens[0]?.block) return SAME_BLOCK_FACTOR;
    if (Math.abs(sibling.row - one.row) <= MAX_SIBLING_ROW_DISTANCE) best = NEIGHBOUR_FACTOR;
  }
  return best;
}

/** Locates leaves outside of lists; booleans only at their labels. */
export function locateFields(
  leaves: readonly Leaf[],
  find: (leaf: Leaf) => readonly Occurrence[],
  labels: LeafLabels,
  printed: PrintedWords,
  budget: ComparisonBudget,
): Map<Leaf, PlacedValue> {
  const opens = leaves.map((leaf): UnplacedField => {
    if (typeof leaf.value === "boolean") {
      const beside = booleansAtLabels(leaf.value, labels.hitsOf(leaf), printed);
      const ticked = new Map([...beside, ...booleansInPairs(leaf.value, labels.pairedWith(leaf), printed)]);
      return { leaf, occurrences: [], support: ticked, options: optionsOf([], ticked) };
    }
    const found = find(leaf);
    const support = budget.spend(found.length) ? labels.support(leaf, found) : new Map<Occurrence, number>();
    return { leaf, occurrences: found, support, options: optionsOf(found, support) };
  });
  const settling = new FieldPlacer();
  // Fields with a single place go first: they show where their siblings are.
  for (const open of opens.sort((a, b) => a.options.length - b.options.length)) settling.place(open);
  return settling.placed;
}
