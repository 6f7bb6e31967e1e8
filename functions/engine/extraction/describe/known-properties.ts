/** Known concepts of business documents in a document: the extractor is asked for all of them. */

import { isObject, type Json } from "../../../ports/json.ts";
import type { Layout } from "../../../ports/layout.ts";
import type { PageAnchor, SourceLocation } from "../../layout/source-locations.ts";
import { parseSchema } from "../../schema/parsed-schema.ts";
import { tableRecords } from "../../structure/records/table-records.ts";
import { viewDocument } from "../../structure/view/document-view.ts";
import { labelKey } from "../../values/label-words.ts";
import { type Concept, DOCUMENT_CONCEPTS, ITEM_CONCEPTS, ITEM_LABELS } from "../../values/vocabulary/vocabulary.ts";
import { buildContext } from "../rules/document-context.ts";
import { extractOffline } from "../rules/extract-offline.ts";
import type { LabelHit } from "../rules/find-labels.ts";
import { described, type Property, typeOfKind } from "./schema-properties.ts";

interface KnownProperty {
  name: string;
  property: Property;
  /** References of the words that the value was read from. */
  references: readonly string[];
}

/** Concepts without use, or that match anything. */
const EXCLUDED_CONCEPTS = new Set(["page-number", "line-position", "cash-given", "notes"]);
/** Kinds of values that match too much text: they need a label. Parties have headings. */
const LABELLED_KINDS = new Set(["text", "party", "code"]);
const PARTY_CONCEPTS = new Set(["seller", "buyer"]);
/** Weight of a vertical inch against a horizontal one. */
const VERTICAL_WEIGHT = 6;
/** Share of the rows that must have a column's value. */
const MIN_FILLED_SHARE = 0.5;
const MIN_COLUMNS = 2;

const nameOf = ({ id }: Concept): string => id.replaceAll("-", "_");
const includedConcepts = (concepts: readonly Concept[]): Concept[] =>
  concepts.filter(({ id }) => !EXCLUDED_CONCEPTS.has(id));

const objectOf = (concepts: readonly Concept[]): Json => ({
  type: "object",
  properties: Object.fromEntries(concepts.map((concept) => [nameOf(concept), typeOfKind(concept.value)])),
});

/** Distance of a label from a value. Labels stand on the value's row or above it, so vertical distance counts more. */
function labelDistance(hit: LabelHit, { pageNumber, bbox }: PageAnchor): number {
  const { page, box } = hit.segment;
  const across = Math.max(box.left - bbox.right, bbox.left - box.right, 0);
  const down = Math.max(box.top - bbox.bottom, bbox.top - box.bottom, 0);
  return page === pageNumber ? across + VERTICAL_WEIGHT * down : Number.POSITIVE_INFINITY;
}

/** The printed label nearest to a value; empty without one. */
function labelOf(hits: readonly LabelHit[], location: SourceLocation | undefined): string {
  const anchor = location?.pageAnchors[0];
  const [hit] = [...hits].sort(
    (a, b) =>
      (anchor === undefined ? 0 : labelDistance(a, anchor) - labelDistance(b, anchor)) || b.strength - a.strength,
  );
  const tokens = hit?.segment.tokens.slice(hit.from, hit.to) ?? [];
  return tokens.map(({ text }) => text).join(" ");
}

/**
 * The concepts that the document states, each with its printed label, if any. Of concepts read from the same words, only
 * the first is kept.
 */
export function knownProperties(layout: Layout): KnownProperty[] {
  const concepts = includedConcepts(DOCUMENT_CONCEPTS);
  const { result, sources } = extractOffline(layout, { schema: parseSchema(objectOf(concepts)), granularity: "word" });
  if (!isObject(result)) return [];
  const { labels } = buildContext(layout, new Map(), []);
  const taken = new Set<string>();
  return concepts.flatMap((concept): KnownProperty[] => {
    const name = nameOf(concept);
    if ((result[name] ?? null) === null) return [];
    const needsLabel = LABELLED_KINDS.has(concept.value) && !PARTY_CONCEPTS.has(concept.id);
    const hits = labels.byConcept.get(concept.id) ?? [];
    if (needsLabel && hits.length === 0) return [];
    const location = sources.locations[`/${name}`];
    const references = location?.sourceRefs ?? [];
    const place = references.join(" ");
    if (place !== "" && taken.has(place)) return [];
    taken.add(place);
    return [{ name, property: described(typeOfKind(concept.value), labelOf(hits, location)), references }];
  });
}

/** Column headers by concept. */
function columnLabels(layout: Layout): Map<string, string> {
  const found = new Map<string, string>();
  for (const text of tableRecords(viewDocument(layout)).flatMap(({ headings }) => headings)) {
    const [meaning] = ITEM_LABELS.meaningsOf(labelKey(text));
    if (meaning !== undefined && !found.has(meaning.concept)) found.set(meaning.concept, text);
  }
  return found;
}

/** The columns of the document's line items, in the vocabulary's order; undefined without rows. */
export function knownItems(layout: Layout): Record<string, Property> | undefined {
  const concepts = includedConcepts(ITEM_CONCEPTS);
  const schema = { type: "object", properties: { line_items: { type: "array", items: objectOf(concepts) } } };
  const { result } = extractOffline(layout, { schema: parseSchema(schema), granularity: "word" });
  const items = isObject(result) && Array.isArray(result.line_items) ? result.line_items.filter(isObject) : [];
  if (items.length === 0) return undefined;
  const labels = columnLabels(layout);
  const stated = concepts.filter((concept) => {
    const filled = items.filter((item) => (item[nameOf(concept)] ?? null) !== null).length;
    return filled >= MIN_FILLED_SHARE * items.length;
  });
  if (stated.length < MIN_COLUMNS) return undefined;
  const columns = stated.map((concept): [string, Property] => [
    nameOf(concept),
    described(typeOfKind(concept.value), labels.get(concept.id) ?? ""),
  ]);
  return Object.fromEntries(columns);
}
