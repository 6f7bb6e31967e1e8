/** Settles where the values outside of lists stand: by their labels, beside their siblings, first pages first. */
import { pageFactor } from "../extraction/rules/scoring.ts";
import { lowerBound } from "../layout/binary-search.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import { tickedAt, tickedIn } from "./checkbox-values.ts";
import type { Labelling } from "./labelled-occurrences.ts";
import type { Placed } from "./locate-items.ts";
import type { Budget, Occurrence, Printed } from "./printed-words.ts";

/** Places of one value that are weighed: those with a label, and the first. */
const FIRST = 40;
/** Rows around a sibling in which a value is its neighbour. */
const ROWS_AROUND = 6;
/** What a label and a sibling add to a place. */
const LABEL_SHARE = 0.4;
const SAME_BLOCK = 1.12;
const NEIGHBOUR = 1.07;
const TAKEN = 0.96;

interface Option {
  one: Occurrence;
  support: number;
  score: number;
}

interface Open {
  leaf: Leaf;
  found: readonly Occurrence[];
  support: Map<Occurrence, number>;
  options: Option[];
}

/** A value of one or two characters is found by chance. */
const SHORT_VALUES = [0.6, 0.7, 0.8, 0.92];

const lengthOf = (value: Leaf["value"]): number => String(value).replace(/[^\p{L}\p{N}]/gu, "").length;

function optionsOf(found: readonly Occurrence[], support: Map<Occurrence, number>): Option[] {
  const pool = new Set([...support.keys(), ...found.slice(0, FIRST)]);
  return [...pool].map((one) => {
    const label = support.get(one) ?? 0;
    const page = pageFactor(one.tokens[0]?.page ?? 1);
    return { one, support: label, score: one.quality * (1 - LABEL_SHARE + LABEL_SHARE * label) * page };
  });
}

/** 0 to 1: how the words fit, how many places rival, and whether a label agrees. */
function confidenceOf(leaf: Leaf, best: Option, rivals: readonly Option[]): number {
  const { quality } = best.one;
  const short = best.support >= 0.5 ? 1 : (SHORT_VALUES[lengthOf(leaf.value)] ?? 1);
  if (rivals.length === 0) return quality * short * (0.9 + 0.1 * best.support);
  if (best.support < 0.3) return quality * short * (0.55 + 0.2 / rivals.length);
  const close = rivals.some((rival) => rival.score > best.score * 0.95);
  return quality * (0.85 + 0.15 * best.support) * (close ? 0.93 : 1);
}

class Settling {
  readonly placed = new Map<Leaf, Placed>();
  readonly #siblings = new Map<string, Occurrence[]>();
  readonly #taken = new Set<number>();

  /** Places beside what is already settled of the same object count more. */
  settle(open: Open): void {
    const siblings = open.leaf.parent === "" ? [] : (this.#siblings.get(open.leaf.parent) ?? []).slice(-8);
    const options = [...open.options, ...this.#beside(open, siblings)].map((option) => ({
      ...option,
      score: option.score * closeness(option.one, siblings) * (this.#taken.has(option.one.first) ? TAKEN : 1),
    }));
    options.sort((a, b) => b.score - a.score || a.one.first - b.one.first);
    const [best, ...rivals] = options;
    if (best === undefined) return;
    this.placed.set(open.leaf, { occurrence: best.one, confidence: confidenceOf(open.leaf, best, rivals) });
    this.#taken.add(best.one.first);
    const known = this.#siblings.get(open.leaf.parent);
    if (known === undefined) this.#siblings.set(open.leaf.parent, [best.one]);
    else known.push(best.one);
  }

  #beside({ found, options }: Open, siblings: readonly Occurrence[]): Option[] {
    if (found.length <= options.length) return [];
    const known = new Set(options.map(({ one }) => one));
    const near = siblings.flatMap(({ row }) => {
      const from = lowerBound(found, (one) => one.row, row - ROWS_AROUND);
      return found.slice(from, from + FIRST).filter((one) => one.row <= row + ROWS_AROUND && !known.has(one));
    });
    return optionsOf([...new Set(near)], new Map());
  }
}

function closeness(one: Occurrence, siblings: readonly Occurrence[]): number {
  let best = 1;
  for (const sibling of siblings) {
    if (sibling.tokens[0]?.page !== one.tokens[0]?.page) continue;
    if (sibling.tokens[0]?.block === one.tokens[0]?.block) return SAME_BLOCK;
    if (Math.abs(sibling.row - one.row) <= ROWS_AROUND) best = NEIGHBOUR;
  }
  return best;
}

/** Places leaves outside of lists; a boolean only where its label stands. */
export function placeSingles(
  leaves: readonly Leaf[],
  find: (leaf: Leaf) => readonly Occurrence[],
  labelling: Labelling,
  printed: Printed,
  budget: Budget,
): Map<Leaf, Placed> {
  const opens = leaves.map((leaf): Open => {
    if (typeof leaf.value === "boolean") {
      const beside = tickedAt(leaf.value, labelling.hits(leaf), printed);
      const ticked = new Map([...beside, ...tickedIn(leaf.value, labelling.paired(leaf), printed)]);
      return { leaf, found: [], support: ticked, options: optionsOf([], ticked) };
    }
    const found = find(leaf);
    const support = budget.spend(found.length) ? labelling.support(leaf, found) : new Map<Occurrence, number>();
    return { leaf, found, support, options: optionsOf(found, support) };
  });
  const settling = new Settling();
  // What can be in one place only tells where its siblings are.
  for (const open of opens.sort((a, b) => a.options.length - b.options.length)) settling.settle(open);
  return settling.placed;
}
