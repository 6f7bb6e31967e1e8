/** Values read from the same words: as a rule, words belong to one field only. */

import type { Meaning } from "../extraction/rules/field-meaning.ts";
import { wordReference } from "../grounding/printed-words.ts";
import type { KnownLeaf } from "./check.ts";
import { areEquivalentConcepts, type LabelEvidence } from "./label-evidence.ts";
import type { ValuePlace } from "./value-places.ts";

/** Fields at the same words that are compared. */
const MAX_FIELDS_PER_WORDS = 32;
/** A list cell has some claim to its words even without a heading. */
const MIN_CELL_CLAIM = 0.3;

const wordsKey = ({ tokens }: ValuePlace): string => tokens.map(wordReference).join(" ");

/** Two fields ask for the same thing of the same party: the amount due is the total unless something was paid. */
const askForSameThing = (a: Meaning, b: Meaning): boolean =>
  a.concept !== null && areEquivalentConcepts(a.concept, b.concept) && a.role === b.role;

export class SharedEvidence {
  readonly #groups: Map<string, KnownLeaf[]>;
  readonly #places: ReadonlyMap<KnownLeaf, ValuePlace>;
  readonly #labels: ReadonlyMap<KnownLeaf, LabelEvidence>;

  constructor(
    known: readonly KnownLeaf[],
    places: ReadonlyMap<KnownLeaf, ValuePlace>,
    labels: ReadonlyMap<KnownLeaf, LabelEvidence>,
  ) {
    this.#places = places;
    this.#labels = labels;
    this.#groups = new Map();
    for (const one of known) {
      const place = places.get(one);
      if (place === undefined || typeof one.leaf.value === "boolean" || one.meaning.value === "currency") continue;
      const words = wordsKey(place);
      const group = this.#groups.get(words);
      if (group === undefined) this.#groups.set(words, [one]);
      else if (group.length < MAX_FIELDS_PER_WORDS) group.push(one);
    }
  }

  #claim(one: KnownLeaf): number {
    const own = this.#labels.get(one)?.own ?? 0;
    return one.leaf.item === null ? own : Math.max(own, MIN_CELL_CLAIM);
  }

  /**
   * Another field's claim to the words: 0 if no other field has them, or one with the same meaning or column; 0.5 if
   * both claims are equal; more if the other field's label fits better.
   */
  claimOfOthers(one: KnownLeaf): number {
    const place = this.#places.get(one);
    // A currency sign is read from its amount's word and takes nothing from it.
    if (place === undefined || one.meaning.value === "currency") return 0;
    let most = 0;
    for (const other of this.#groups.get(wordsKey(place)) ?? []) {
      if (other === one || other.leaf.path === one.leaf.path) continue;
      if (askForSameThing(one.meaning, other.meaning)) continue;
      most = Math.max(most, 0.5 + this.#claim(other) - this.#claim(one));
    }
    return Math.min(1, most);
  }
}
