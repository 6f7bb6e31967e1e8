/**
 * Extraction without a model: the schema says what is wanted, the page shows where it stands. Pure and deterministic.
 * Precision comes before recall: what is not convincing is null.
 */

import type { Json } from "../../../ports/json.ts";
import type { Layout } from "../../../ports/layout.ts";
import { pointTo } from "../../schema/json-pointer.ts";
import { readSchema, type Shape } from "../../schema/schema-shape.ts";
import type { LabelMeaning } from "../../values/vocabulary/vocabulary.ts";
import { attestedNode } from "../einvoice/attest.ts";
import { buildContext, type DocumentContext } from "./document-context.ts";
import { meaningOf } from "./field-meaning.ts";
import type { StemQuery } from "./find-labels.ts";
import { type Extraction, nullNode, type ResultNode, toExtraction } from "./findings.ts";
import { generalResult } from "./general-result.ts";
import { readLists } from "./items/item-lists.ts";
import { resolveField, type Target } from "./resolve-field.ts";
import { scalarList } from "./scalar-lists.ts";

export interface OfflineRequest {
  schema?: Json;
  /** Read by nobody here: without a model, only the schema says what is wanted. */
  prompt?: string;
  granularity: "auto" | "block" | "word";
}

/** Fields outside of lists, by pointer. */
function targetsIn(shape: Shape, pointer: string): [string, Target][] {
  if (shape.kind === "object")
    return shape.members.flatMap(({ name, shape: member }) => targetsIn(member, pointTo(pointer, name)));
  if (shape.kind !== "scalar" || shape.field.calculated || shape.field.constant !== null) return [];
  return [[pointer, { field: shape.field, meaning: meaningOf(shape.field), ownConcept: `own:${pointer}` }]];
}

/** The labels that fields' own words make: as keys, and as stems for other orders and inflections. */
export function ownLabels(targets: readonly [string, Target][]): {
  index: Map<string, LabelMeaning[]>;
  queries: StemQuery[];
} {
  const index = new Map<string, LabelMeaning[]>();
  const queries: StemQuery[] = [];
  for (const [, { meaning, ownConcept }] of targets) {
    for (const { key, strength } of meaning.ownKeys)
      index.set(key, [...(index.get(key) ?? []), { concept: ownConcept, strength }]);
    if (meaning.concept === null && meaning.stems.length > 0)
      queries.push({ concept: ownConcept, stems: meaning.stems });
  }
  return { index, queries };
}

function scalarNode(
  shape: Shape & { kind: "scalar" },
  target: Target | undefined,
  context: DocumentContext,
): ResultNode {
  const { field } = shape;
  if (field.calculated) return nullNode("derived");
  if (field.constant !== null) return { kind: "plain", value: field.constant, reason: "constant" };
  return target === undefined ? nullNode() : attestedNode(target, resolveField(target, context), context);
}

interface Known {
  targets: ReadonlyMap<string, Target>;
  /** Items of lists of objects, by the list. */
  items: ReadonlyMap<Shape, ResultNode[]>;
}

function buildNode(shape: Shape, pointer: string, known: Known, context: DocumentContext): ResultNode {
  if (shape.kind === "nothing") return nullNode();
  if (shape.kind === "scalar") return scalarNode(shape, known.targets.get(pointer), context);
  if (shape.kind === "list") {
    const items = shape.item.kind === "object" ? known.items.get(shape) : scalarList(shape, context);
    return { kind: "list", items: items ?? [] };
  }
  return {
    kind: "object",
    members: shape.members.map(({ name, shape: member }) => [
      name,
      buildNode(member, pointTo(pointer, name), known, context),
    ]),
  };
}

/**
 * Extracts what a schema asks for, or the general result (document_type, language, key_values, tables) without one.
 * Never throws for a schema, however odd. Every leaf of the result is in exactly one of `sources.locations` and
 * `sources.unresolved`; boxes are inches from the top left corner of the page as shown.
 */
export function extractOffline(layout: Layout, request: OfflineRequest): Extraction {
  const shape = request.schema === undefined ? null : readSchema(request.schema);
  const empty = shape === null || (shape.kind === "object" && shape.members.length === 0 && shape.open);
  const targets = empty ? [] : targetsIn(shape, "");
  const { index, queries } = ownLabels(targets);
  const context = buildContext(layout, index, queries);
  const root = empty
    ? generalResult(context.view, context.labels, context.conventions.language)
    : buildNode(shape, "", { targets: new Map(targets), items: readLists(shape, context) }, context);
  return toExtraction(root, layout, request.granularity);
}
