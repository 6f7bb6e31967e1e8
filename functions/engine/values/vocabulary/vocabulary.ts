/**
 * The built-in vocabulary: general knowledge of how business documents name their parts. It is used twice: to recognise what a schema's property is about, and to find where a page says so.
 */

import { labelKey } from "../label-words.ts";
import { lazily } from "../lazily.ts";
import { splitName } from "../text-folding.ts";
import { type Concept, conceptById, DOCUMENT_CONCEPTS, ITEM_CONCEPTS, type ValueKind } from "./concepts.ts";
import { LabelIndex, type LabelMeaning } from "./label-index.ts";
import { Misprints } from "./label-misprints.ts";
import { wordsOf } from "./languages.ts";

export type { Concept, LabelMeaning, ValueKind };
export { conceptById, DOCUMENT_CONCEPTS, ITEM_CONCEPTS };

const namesOf = (id: string): string[] => wordsOf(({ concepts }) => concepts[id]?.names);
const labelsOf = (id: string): string[] => wordsOf(({ concepts }) => concepts[id]?.labels);
const weakLabelsOf = (id: string): string[] => wordsOf(({ concepts }) => concepts[id]?.weak);

/** How much a label counts that often means something else. */
const WEAK = 0.72;

/** The keys of a concept's labels with their strengths. A concept is in several indexes: its keys are made once. */
const keyed = new Map<string, readonly (readonly [key: string, strength: number])[]>();

function keyedLabels(id: string): readonly (readonly [key: string, strength: number])[] {
  const known = keyed.get(id);
  if (known !== undefined) return known;
  const strong = labelsOf(id).map((label) => [labelKey(label), 1] as const);
  const weak = weakLabelsOf(id).map((label) => [labelKey(label), WEAK] as const);
  const labels = [...strong, ...weak].filter(([key]) => key !== "");
  keyed.set(id, labels);
  return labels;
}

type Meanings = Map<string, LabelMeaning[]>;

/** Adds what a key may mean, unless the concept is among it already. */
function addMeaning(index: Meanings, key: string, meaning: LabelMeaning): void {
  const meanings = index.get(key);
  if (meanings === undefined) index.set(key, [meaning]);
  else if (!meanings.some(({ concept }) => concept === meaning.concept)) meanings.push(meaning);
}

/** Label key → what it may mean, for the concepts given. */
function labelMeanings(concepts: readonly Concept[]): Meanings {
  const index: Meanings = new Map();
  for (const { id } of concepts) {
    for (const [key, strength] of keyedLabels(id)) addMeaning(index, key, { concept: id, strength });
  }
  return index;
}

const documentMeanings = lazily(() => labelMeanings(DOCUMENT_CONCEPTS));

/** Every label that stands once in a document. */
export const DOCUMENT_LABELS = new LabelIndex(documentMeanings);
/** Every label that may head a column of line items. */
export const ITEM_LABELS = new LabelIndex(
  lazily(() =>
    labelMeanings([
      ...ITEM_CONCEPTS,
      ...DOCUMENT_CONCEPTS.filter(({ id }) => id === "tax-rate" || id === "item-number" || id === "tax-total"),
    ]),
  ),
);

/** The words of all labels, for those that recognition got wrong by a letter. */
export const LABEL_MISPRINTS = new Misprints(() =>
  [...DOCUMENT_CONCEPTS, ...ITEM_CONCEPTS].flatMap(({ id }) => [...labelsOf(id), ...weakLabelsOf(id)]),
);

/** Labels that as names of properties mean too many things. */
const notNames = lazily(() => new Set(wordsOf(({ labels }) => labels.notNames)));

/** Names of properties come first in recognition, then labels, which users often take as names. */
function nameIndex(concepts: readonly Concept[], labelled: Meanings): Meanings {
  const index: Meanings = new Map();
  for (const concept of concepts) {
    for (const name of [concept.id.replace(/-/g, " "), ...namesOf(concept.id)]) {
      addMeaning(index, labelKey(name), { concept: concept.id, strength: 1 });
    }
  }
  for (const [key, meanings] of labelled) {
    if (notNames().has(key)) continue;
    for (const { concept, strength } of meanings) {
      if (strength === 1) addMeaning(index, key, { concept, strength: 0.9 });
    }
  }
  return index;
}

const ITEM_NAME_CONCEPTS: readonly Concept[] = [
  ...ITEM_CONCEPTS,
  ...DOCUMENT_CONCEPTS.filter(
    ({ id }) =>
      id === "tax-rate" ||
      id === "item-number" ||
      id === "tax-total" ||
      id === "discount" ||
      id === "period-start" ||
      id === "period-end" ||
      id === "delivery-date",
  ),
];
const documentNames = lazily(() => nameIndex(DOCUMENT_CONCEPTS, documentMeanings()));
const itemNames = lazily(() => nameIndex(ITEM_NAME_CONCEPTS, labelMeanings(ITEM_NAME_CONCEPTS)));

/** Words that say of a property in items only that it is one: `line_tax_percent`, `itemQuantity`. */
const ofItems = lazily(() => new Set(wordsOf(({ properties }) => properties.inItems)));

/** Meanings of a property's name or title, best first; `inItems` for the columns of line items. */
export function meaningsOfName(words: readonly string[], inItems: boolean): readonly LabelMeaning[] {
  const index = inItems ? itemNames() : documentNames();
  const whole = index.get(labelKey(words.join(" ")));
  if (whole !== undefined) return whole;
  const [first = "", ...rest] = words;
  return inItems && ofItems().has(first) && rest.length > 0 ? meaningsOfName(rest, inItems) : [];
}

/** Words of a description that say what a property is; what follows explains. */
const CLAUSE_WORDS = 8;

/**
 * Concepts that the first clause of a description mentions, in the order of mention, longest phrase first where they
 * overlap. A single word counts only where it is nearly all there is: in prose it means little.
 */
export function meaningsInText(text: string, inItems: boolean): LabelMeaning[] {
  const index = inItems ? itemNames() : documentNames();
  const words = splitName(text.split(/[.;:(]\s|[.;:]$/)[0] ?? "").slice(0, CLAUSE_WORDS);
  const keyOf = (from: number, length: number): string => labelKey(words.slice(from, from + length).join(" "));
  const found: LabelMeaning[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (let length = Math.min(5, words.length - from); length >= 1; length -= 1) {
      if (length === 1 && words.length > 3) break;
      const key = keyOf(from, length);
      // A small word beside a single one makes no phrase: `the data`, `page of`.
      const isSingle = length > 1 && [keyOf(from + 1, length - 1), keyOf(from, length - 1)].includes(key);
      const meanings = isSingle ? [] : (index.get(key) ?? []);
      if (meanings.length === 0) continue;
      found.push(...meanings.map((meaning) => ({ ...meaning, strength: meaning.strength * (length > 1 ? 0.8 : 0.6) })));
      from += length - 1;
      break;
    }
  }
  return found;
}
