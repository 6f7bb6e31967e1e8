/** The concepts of business documents that a document states: what the extractor finds when it is asked for them all. */

import { isObject, type Json } from "../../../ports/json.ts";
import type { Layout } from "../../../ports/layout.ts";
import type { PageAnchor, SourceLocation } from "../../layout/source-locations.ts";
import { labelKey } from "../../values/text-folding.ts";
import { type Concept, DOCUMENT_CONCEPTS, ITEM_CONCEPTS, ITEM_LABELS } from "../../values/vocabulary/vocabulary.ts";
import { buildContext } from "../rules/document-context.ts";
import { extractOffline } from "../rules/extract-offline.ts";
import type { LabelHit } from "../rules/find-labels.ts";
import { described, type Property, typeOfKind } from "./schema-properties.ts";

interface KnownProperty {
  name: string;
  property: Property;
  /** Of the words that its value was read from. */
  references: readonly string[];
}

/** Of no use to anybody, or read from anything. */
const LEFT_OUT = new Set(["page-number", "line-position", "cash-given", "notes"]);
/** Names and wordings are read from anything that looks like one: only a label makes them sure. Parties have headings. */
const LABELLED_ONLY = new Set(["text", "party", "code"]);
const PARTIES = new Set(["seller", "buyer"]);
/** Inches sideways that an inch up or down counts for. */
const ROW_WORTH = 6;
/** Of the rows, so many must have a column. */
const LEAST_SHARE = 0.5;
const LEAST_COLUMNS = 2;

const nameOf = ({ id }: Concept): string => id.replaceAll("-", "_");
const wanted = (concepts: readonly Concept[]): Concept[] => concepts.filter(({ id }) => !LEFT_OUT.has(id));

const objectOf = (concepts: readonly Concept[]): Json => ({
  type: "object",
  properties: Object.fromEntries(concepts.map((concept) => [nameOf(concept), typeOfKind(concept.value)])),
});

/** How far a label is from a value: labels stand on the value's row or above it, a row up counting for much. */
function apart(hit: LabelHit, { pageNumber, bbox }: PageAnchor): number {
  const { page, box } = hit.segment;
  const across = Math.max(box.left - bbox.right, bbox.left - box.right, 0);
  const down = Math.max(box.top - bbox.bottom, bbox.top - box.bottom, 0);
  return page === pageNumber ? across + ROW_WORTH * down : Number.POSITIVE_INFINITY;
}

/** The label of a concept as it is printed nearest to its value; empty where none is. */
function labelOf(hits: readonly LabelHit[], location: SourceLocation | undefined): string {
  const anchor = location?.pageAnchors[0];
  const [hit] = [...hits].sort(
    (a, b) => (anchor === undefined ? 0 : apart(a, anchor) - apart(b, anchor)) || b.strength - a.strength,
  );
  const tokens = hit?.segment.tokens.slice(hit.from, hit.to) ?? [];
  return tokens.map(({ text }) => text).join(" ");
}

/**
 * The concepts that the document states once, each with its label where one is printed. Of two that were read from the
 * same words only the first stays.
 */
export function knownProperties(layout: Layout): KnownProperty[] {
  const concepts = wanted(DOCUMENT_CONCEPTS);
  const { result, sources } = extractOffline(layout, { schema: objectOf(concepts), granularity: "word" });
  if (!isObject(result)) return [];
  const { labels } = buildContext(layout, new Map(), []);
  const taken = new Set<string>();
  return concepts.flatMap((concept): KnownProperty[] => {
    const name = nameOf(concept);
    if ((result[name] ?? null) === null) return [];
    const needsLabel = LABELLED_ONLY.has(concept.value) && !PARTIES.has(concept.id);
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

/** Headers of columns by the concept that they name. */
function columnLabels(layout: Layout): Map<string, string> {
  const found = new Map<string, string>();
  for (const page of layout.pages) {
    for (const block of page.blocks) {
      if (block.kind !== "table") continue;
      for (const { row, lines } of block.cells) {
        if (row >= Math.max(block.headerRows, 1)) continue;
        const text = lines.flatMap(({ words }) => words.map((word) => word.text)).join(" ");
        const [meaning] = ITEM_LABELS.meaningsOf(labelKey(text));
        if (meaning !== undefined && !found.has(meaning.concept)) found.set(meaning.concept, text);
      }
    }
  }
  return found;
}

/** The columns that the document's line items have, in the vocabulary's order; undefined where it has no rows of them. */
export function knownItems(layout: Layout): Record<string, Property> | undefined {
  const concepts = wanted(ITEM_CONCEPTS);
  const schema = { type: "object", properties: { line_items: { type: "array", items: objectOf(concepts) } } };
  const { result } = extractOffline(layout, { schema, granularity: "word" });
  const items = isObject(result) && Array.isArray(result.line_items) ? result.line_items.filter(isObject) : [];
  if (items.length === 0) return undefined;
  const labels = columnLabels(layout);
  const stated = concepts.filter((concept) => {
    const filled = items.filter((item) => (item[nameOf(concept)] ?? null) !== null).length;
    return filled >= LEAST_SHARE * items.length;
  });
  if (stated.length < LEAST_COLUMNS) return undefined;
  const columns = stated.map((concept): [string, Property] => [
    nameOf(concept),
    described(typeOfKind(concept.value), labels.get(concept.id) ?? ""),
  ]);
  return Object.fromEntries(columns);
}
