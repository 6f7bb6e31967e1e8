/**
 * Evidence from labels for values outside of lists: the value stands beside its own label, beside another field's
 * label, or its own label has another value beside it.
 */

import type { DocumentContext } from "../extraction/rules/document-context.ts";
import type { Meaning } from "../extraction/rules/field-meaning.ts";
import { hitsOfConcept, type LabelHit } from "../extraction/rules/find-labels.ts";
import { leadFactor, skipFactor } from "../extraction/rules/scoring.ts";
import { candidatesFromTitles } from "../extraction/rules/title-lines.ts";
import {
  type Candidate,
  candidatesFor,
  pairedCandidates,
  pairedZones,
  type Zone,
  zonesOf,
} from "../extraction/rules/value-candidates.ts";
import { readerFor } from "../extraction/rules/value-reader.ts";
import { wordReference } from "../grounding/printed-words.ts";
import type { Token } from "../structure/view/tokens.ts";
import { conceptById, type ValueKind } from "../values/vocabulary/vocabulary.ts";
import type { KnownLeaf } from "./check.ts";
import type { ValuePlace } from "./value-places.ts";

export interface LabelEvidence {
  /** 0 to 1: support of the field's own labels for the words. */
  own: number;
  /** 0 to 1: support of another field's labels for the words. */
  other: number;
  /** 0 to 1: support of the field's own labels for other words with another value. */
  rival: number;
  /** The field has labels on the pages. */
  labelled: boolean;
}

export const NO_LABELS: LabelEvidence = { own: 0, other: 0, rival: 0, labelled: false };

/** Label hits that are followed to their values: of a document, and of one field. */
const MAX_DOCUMENT_HITS = 20_000;
const MAX_FIELD_HITS = 100;
/** Words of one segment that a label may refer to. */
const MAX_WORDS_PER_LABEL = 12;

interface LabelClaim {
  concept: string;
  weight: number;
}

/** Label claims by word reference. */
type ClaimsByWord = Map<string, LabelClaim[]>;

function* claimedWords(zone: Zone, hit: LabelHit): Generator<[Token, number]> {
  const { segment } = zone;
  let words = 0;
  for (const [at, token] of segment.tokens.entries()) {
    const start = segment.starts[at] ?? 0;
    if (start < zone.start || start >= zone.end) continue;
    yield [token, zone.weight * hit.strength * leadFactor(hit) * skipFactor(words)];
    words += 1;
    if (words >= MAX_WORDS_PER_LABEL) return;
  }
}

function claimsOf(context: DocumentContext): ClaimsByWord {
  const claims: ClaimsByWord = new Map();
  let left = MAX_DOCUMENT_HITS;
  const { view, labels, pairedLabels: paired } = context;
  for (const [concept, hits] of [...paired, ...labels.byConcept]) {
    for (const hit of hits) {
      left -= 1;
      if (left < 0) return claims;
      const zones = view.pairs.has(hit.segment) ? pairedZones(hit, view, "value") : zonesOf(hit, view, labels, "value");
      for (const zone of zones) {
        for (const [token, weight] of claimedWords(zone, hit)) {
          const reference = wordReference(token);
          const list = claims.get(reference) ?? [];
          claims.set(reference, list);
          const known = list.find((claim) => claim.concept === concept);
          if (known === undefined) list.push({ concept, weight });
          else known.weight = Math.max(known.weight, weight);
        }
      }
    }
  }
  return claims;
}

/** Fields of one kind may be confused; a date beside an amount's label is no competition. */
const mayBeConfused = (concept: string, kind: ValueKind | null): boolean => {
  const other = conceptById(concept)?.value ?? null;
  return other !== null && (kind === null || other === kind);
};

const EQUAL_NUMBER_TOLERANCE = 1e-6;

const sameValue = (a: string | number | boolean, b: string | number | boolean): boolean =>
  typeof a === "number" && typeof b === "number"
    ? Math.abs(a - b) < EQUAL_NUMBER_TOLERANCE
    : String(a).replace(/\s/g, "").toLowerCase() === String(b).replace(/\s/g, "").toLowerCase();

/** Two concepts for one value: the amount due is the total unless something was paid. */
const EQUIVALENT_CONCEPTS = new Set([
  "gross-total amount-due",
  "amount-due gross-total",
  "invoice-number receipt-number",
]);

export const areEquivalentConcepts = (a: string | null, b: string | null): boolean =>
  a === b || EQUIVALENT_CONCEPTS.has(`${a} ${b}`);

export class DocumentLabels {
  readonly #context: DocumentContext;
  readonly #claims: ClaimsByWord;

  constructor(context: DocumentContext) {
    this.#context = context;
    this.#claims = claimsOf(context);
  }

  /** @param ownConcept concept under which labels of the field's own words were searched */
  evidenceFor({ leaf, meaning }: KnownLeaf, place: ValuePlace | null, ownConcept: string): LabelEvidence {
    const { labels, pairedLabels: paired } = this.#context;
    const hits = this.#hits(labels.byConcept, meaning, ownConcept);
    const pairs = this.#hits(paired, meaning, ownConcept);
    const titled = this.#titled({ leaf, meaning });
    const found = [...this.#candidates({ leaf, meaning }, hits, pairs), ...titled];
    const words = new Set(place?.tokens.map(wordReference));
    const here = (tokens: readonly Token[]): boolean => tokens.some((token) => words.has(wordReference(token)));
    const best = (list: { score: number }[]): number => list.reduce((most, { score }) => Math.max(most, score), 0);
    const claimed = this.#claimed(place, meaning, ownConcept);
    return {
      own: Math.min(1, Math.max(claimed.own, best(found.filter(({ tokens }) => here(tokens))))),
      other: Math.min(1, claimed.other),
      rival: Math.min(1, best(found.filter(({ tokens, value }) => !here(tokens) && !sameValue(value, leaf.value)))),
      labelled: hits.length + pairs.length + titled.length > 0,
    };
  }

  #hits(byConcept: ReadonlyMap<string, LabelHit[]>, meaning: Meaning, ownConcept: string): LabelHit[] {
    const known = meaning.concept === null ? [] : hitsOfConcept(meaning.concept, byConcept);
    return [...(byConcept.get(ownConcept) ?? []), ...known].slice(0, MAX_FIELD_HITS);
  }

  /** Values that the field's labels lead to; free text is read to the end of its line. */
  #candidates(
    { leaf, meaning }: KnownLeaf,
    hits: readonly LabelHit[],
    pairs: readonly LabelHit[],
  ): { tokens: Token[]; value: string | number | boolean; score: number }[] {
    const { view, labels, conventions } = this.#context;
    const party =
      meaning.concept === null || meaning.value !== "party" ? null : this.#context.nameUnderHeading(meaning.concept);
    if (party !== null) return [{ tokens: party.tokens, value: party.value, score: party.confidence }];
    if (typeof leaf.value === "boolean") return [];
    const reader = readerFor(leaf.field, meaning, conventions);
    if (reader.kind !== "value") return [];
    return [...pairedCandidates(pairs, view, reader), ...candidatesFor(hits, view, labels, reader)];
  }

  /** Values from the document's title: `Invoice no. 7 of 3 May 2024`. */
  #titled({ leaf, meaning }: KnownLeaf): Candidate[] {
    const reader = readerFor(leaf.field, meaning, this.#context.conventions);
    return typeof leaf.value === "boolean" ? [] : candidatesFromTitles(meaning.concept, this.#context, reader);
  }

  #claimed(place: ValuePlace | null, meaning: Meaning, ownConcept: string): { own: number; other: number } {
    let [own, other] = [0, 0];
    for (const token of place?.tokens ?? []) {
      for (const { concept, weight } of this.#claims.get(wordReference(token)) ?? []) {
        if (concept === ownConcept || concept === meaning.concept) own = Math.max(own, weight);
        else if (mayBeConfused(concept, meaning.value) && !areEquivalentConcepts(concept, meaning.concept))
          other = Math.max(other, weight);
      }
    }
    return { own, other };
  }
}
