/**
 * Extraction without a model: the schema says what is wanted, the page shows where it stands. Pure and deterministic.
 * Precision comes before recall: what is not convincing is null.
 */
import type { Layout } from "../documents/layout.ts";
import type { Json } from "../ports.ts";
import { type DocumentContext, lookOver } from "./context.ts";
import { conclude, type Extraction, type Finding, foundOr, type Node, nothing } from "./evidence.ts";
import { generalResult } from "./general.ts";
import type { StemQuery } from "./labels.ts";
import { meaningOf } from "./meaning.ts";
import { resolveField, type Target } from "./resolve.ts";
import { readItems } from "./rows.ts";
import { scalarList } from "./scalars.ts";
import { pointTo, readSchema, type Shape } from "./schema.ts";
import type { LabelMeaning } from "./vocabulary.ts";

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

function scalarNode(shape: Shape & { kind: "scalar" }, target: Target | undefined, context: DocumentContext): Node {
  const { field } = shape;
  if (field.calculated) return nothing("derived");
  if (field.constant !== null) return { kind: "plain", value: field.constant, reason: "constant" };
  const found: Finding | null = target === undefined ? null : resolveField(target, context);
  return foundOr(found);
}

function buildNode(
  shape: Shape,
  pointer: string,
  targets: ReadonlyMap<string, Target>,
  context: DocumentContext,
): Node {
  if (shape.kind === "nothing") return nothing();
  if (shape.kind === "scalar") return scalarNode(shape, targets.get(pointer), context);
  if (shape.kind === "list") {
    const items =
      shape.item.kind === "object"
        ? readItems(shape.item, context.view, context.labels, context.conventions)
        : scalarList(shape, context);
    return { kind: "list", items };
  }
  return {
    kind: "object",
    members: shape.members.map(({ name, shape: member }) => [
      name,
      buildNode(member, pointTo(pointer, name), targets, context),
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
  const context = lookOver(layout, index, queries);
  const root = empty
    ? generalResult(context.view, context.labels, context.conventions.language)
    : buildNode(shape, "", new Map(targets), context);
  return conclude(root, layout, request.granularity);
}
