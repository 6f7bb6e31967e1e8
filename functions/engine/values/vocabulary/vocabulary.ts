/**
 * The built-in vocabulary: general knowledge of how business documents name their parts. It is used twice: to recognise what a schema's property is about, and to find where a page says so.
 */
import { labelKey } from "../label-words.ts";
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

/** Label key → what it may mean, for the concepts given. */
function labelMeanings(concepts: readonly Concept[]): Map<string, LabelMeaning[]> {
  const index = new Map<string, LabelMeaning[]>();
  for (const { id } of concepts) {
    for (const [key, strength] of keyedLabels(id)) {
      const meanings = index.get(key) ?? [];
      if (!meanings.some(({ concept }) => concept === id)) meanings.push({ concept: id, strength });
      index.set(key, meanings);
    }
  }
  return index;
}

/** Every label that stands once in a document. */
export const DOCUMENT_LABELS = new LabelIndex(labelMeanings(DOCUMENT_CONCEPTS));
/** Every label that may head a column of line items. */
export const ITEM_LABELS = new LabelIndex(
  labelMeanings([
    ...ITEM_CONCEPTS,
    ...DOCUMENT_CONCEPTS.filter(({ id }) => id === "tax-rate" || id === "item-number" || id === "tax-total"),
  ]),
);

/** The words of all labels, for those that recognition got wrong by a letter. */
export const LABEL_MISPRINTS = new Misprints(() =>
  [...DOCUMENT_CONCEPTS, ...ITEM_CONCEPTS].flatMap(({ id }) => [...labelsOf(id), ...weakLabelsOf(id)]),
);

/** The keys of all labels that always mean a concept. */
export const labelKeysOf = (id: string): string[] => labelsOf(id).map((label) => labelKey(label));

/** Labels that as names of properties mean too many things. */
const NOT_NAMES = new Set(wordsOf(({ labels }) => labels.notNames));

/** Names of properties come first in recognition, then labels, which users often take as names. */
function nameIndex(concepts: readonly Concept[]): Map<string, LabelMeaning[]> {
  const index = new Map<string, LabelMeaning[]>();
  for (const concept of concepts) {
    for (const name of [concept.id.replace(/-/g, " "), ...namesOf(concept.id)]) {
      const key = labelKey(name);
      const meanings = index.get(key) ?? [];
      if (!meanings.some((other) => other.concept === concept.id)) meanings.push({ concept: concept.id, strength: 1 });
      index.set(key, meanings);
    }
  }
  for (const [key, meanings] of labelMeanings(concepts)) {
    if (NOT_NAMES.has(key)) continue;
    const known = index.get(key) ?? [];
    for (const { concept, strength } of meanings) {
      if (strength === 1 && !known.some((other) => other.concept === concept)) known.push({ concept, strength: 0.9 });
    }
    if (known.length > 0) index.set(key, known);
  }
  return index;
}

const DOCUMENT_NAMES = nameIndex(DOCUMENT_CONCEPTS);
const ITEM_NAMES = nameIndex([
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
]);

/** Words that say of a property in items only that it is one: `line_tax_percent`, `itemQuantity`. */
const OF_ITEMS = new Set(wordsOf(({ properties }) => properties.inItems));

/** Meanings of a property's name or title, best first; `inItems` for the columns of line items. */
export function meaningsOfName(words: readonly string[], inItems: boolean): readonly LabelMeaning[] {
  const index = inItems ? ITEM_NAMES : DOCUMENT_NAMES;
  const whole = index.get(labelKey(words.join(" ")));
  if (whole !== undefined) return whole;
  const [first = "", ...rest] = words;
  return inItems && OF_ITEMS.has(first) && rest.length > 0 ? meaningsOfName(rest, inItems) : [];
}

/** Words of a description that say what a property is; what follows explains. */
const CLAUSE_WORDS = 8;

/**
 * Concepts that the first clause of a description mentions, in the order of mention, longest phrase first where they
 * overlap. A single word counts only where it is nearly all there is: in prose it means little.
 */
export function meaningsInText(text: string, inItems: boolean): LabelMeaning[] {
  const index = inItems ? ITEM_NAMES : DOCUMENT_NAMES;
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
