/** Generates a JSON Schema from the values of a document; the extractor can use it directly. */

import { isObject, type Json } from "../../../ports/json.ts";
import type { Layout } from "../../../ports/layout.ts";
import { pointTo } from "../../schema/json-pointer.ts";
import { parseSchema } from "../../schema/parsed-schema.ts";
import { beginsCaption } from "../../structure/caption-labels.ts";
import { labelKey } from "../../values/label-words.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { conceptById, DOCUMENT_LABELS, meaningsInText } from "../../values/vocabulary/vocabulary.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import { buildContext } from "../rules/document-context.ts";
import { extractOffline } from "../rules/extract-offline.ts";
import { knownItems, knownProperties } from "./known-properties.ts";
import { mainTable } from "./main-table.ts";
import {
  described,
  freeName,
  type Notations,
  type Property,
  snakeCase,
  typeOfKind,
  typeOfValue,
} from "./schema-properties.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Further labels are left out, the last on the page first. */
const MAX_LABELS = 60;
/** Longer labels are sentences that end with a colon. */
const MAX_LABEL_WORDS = 5;
/** Pages that are read: they state most fields. */
const MAX_READ_PAGES = 12;
/** Maximum share of labels that the extractor does not find again; a model may read them. */
const MAX_UNCONFIRMED_SHARE = 0.25;

interface Label {
  name: string;
  property: Property;
}

/** Labelled values that are no known properties. */
function ownLabels(layout: Layout, taken: ReadonlySet<string>, names: Set<string>, notations: Notations): Label[] {
  const { result, sources } = extractOffline(layout, { granularity: "word" });
  const pairs = isObject(result) && isObject(result.key_values) ? Object.entries(result.key_values) : [];
  const labels: Label[] = [];
  const isKnown = (key: string): boolean =>
    DOCUMENT_LABELS.meaningsOf(labelKey(key)).some(
      ({ concept, strength }) => strength === 1 && names.has(concept.replaceAll("-", "_")),
    );
  for (const [key, value] of pairs) {
    if (key.split(/\s+/).length > MAX_LABEL_WORDS || beginsCaption(key) || isKnown(key)) continue;
    const pointer = pointTo("/key_values", key);
    const references = sources.locations[pointer]?.sourceRefs ?? [];
    const base = snakeCase(key.replace(/ \(\d+\)$/, ""));
    const known = references.some((reference) => taken.has(reference));
    if (typeof value !== "string" || base === "" || known || names.has(base) || labels.length >= MAX_LABELS) continue;
    names.add(base);
    labels.push({ name: base, property: described(typeOfValue(value, notations), key) });
  }
  return labels;
}

/** The labels that the extractor finds again by name, and some of the others. */
function confirmLabels(layout: Layout, labels: readonly Label[], known: number): Label[] {
  const schema = {
    type: "object",
    properties: Object.fromEntries(labels.map(({ name, property }) => [name, property])),
  };
  const { result } = extractOffline(layout, { schema: parseSchema(schema), granularity: "auto" });
  const found = labels.filter(({ name }) => isObject(result) && (result[name] ?? null) !== null);
  const unsure = labels.filter((label) => !found.includes(label));
  const room = Math.floor(MAX_UNCONFIRMED_SHARE * (known + found.length));
  const kept = new Set([...found, ...unsure.slice(0, room)]);
  return labels.filter((label) => kept.has(label));
}

const PHRASE_SEPARATOR = new RegExp(`[,;\\n•]|\\b(?:${anyOf(wordsOf(({ grammar }) => grammar.and))})\\b`, "iu");

/** Concepts in the instructions that the document did not show. */
function mentionedConcepts(instructions: string, names: ReadonlySet<string>): Label[] {
  const found = new Map<string, Label>();
  for (const phrase of instructions.split(PHRASE_SEPARATOR)) {
    const [meaning] = meaningsInText(phrase.trim(), false);
    const concept = meaning === undefined ? undefined : conceptById(meaning.concept);
    const name = concept?.id.replaceAll("-", "_");
    if (concept === undefined || name === undefined || names.has(name) || found.has(name)) continue;
    found.set(name, { name, property: described(typeOfKind(concept.value), phrase) });
  }
  return [...found.values()];
}

/** The list of the document: known line items, else its largest table with its own headers. */
function listOf(layout: Layout, notations: Notations): { name: string; items: Json } | undefined {
  const items = knownItems(layout);
  if (items !== undefined) return { name: "line_items", items: { type: "object", properties: items } };
  const table = mainTable(layout, notations);
  return table === undefined ? undefined : { name: "rows", items: table };
}

/**
 * A JSON Schema (draft 2020-12) of a document: known concepts under English names, other labels under their own names in
 * snake_case; types and formats by the values, the printed label as description; an array for the line items or the
 * largest table.
 * @param whole only its first pages are read
 * @param instructions concepts that they name become properties even when the document does not show them
 */
export function generateSchema(whole: Layout, instructions = ""): Json {
  const layout: Layout = { ...whole, pages: whole.pages.slice(0, MAX_READ_PAGES) };
  const notations = buildContext(layout, new Map(), []).conventions;
  const known = knownProperties(layout);
  const names = new Set(known.map(({ name }) => name));
  const taken = new Set(known.flatMap(({ references }) => references));
  const labels = confirmLabels(layout, ownLabels(layout, taken, names, notations), known.length);
  const wanted = mentionedConcepts(instructions, names);
  const properties: Record<string, Json> = {};
  for (const { name, property } of [...known, ...labels, ...wanted]) properties[name] = property;
  const list = listOf(layout, notations);
  if (list !== undefined) {
    const name = freeName(list.name, new Set(Object.keys(properties)));
    properties[name] = { type: "array", items: list.items };
  }
  return { $schema: DIALECT, type: "object", properties };
}
