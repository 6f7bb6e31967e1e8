/**
 * Places on the page of a composed result: each leaf is traced back to the node that found it. Pure; pointers are
 * RFC 6901.
 */

import type { PipelineDefinition } from "../../../statemachines/pipeline/definition.ts";
import type { Path } from "../../../statemachines/pipeline/paths.ts";
import type { Template } from "../../../statemachines/pipeline/templates.ts";
import { isObject, type Json } from "../../ports/json.ts";
import type { SourceLocation, SourceLocations, UnresolvedLeaf } from "../layout/source-locations.ts";
import { pointerOf, pointTo } from "../schema/json-pointer.ts";

/** A place in a node's result, or the reason for having none. */
export type Origin = { node: string; pointer: string } | { reason: string };

/** Origins by pointers of copied values; the longest pointer above a leaf counts. */
type Trail = ReadonlyMap<string, Origin>;

/** Pointers in a transformation's input by pointers in its output; null for new values. */
export type Moves = ReadonlyMap<string, string | null>;

const DERIVED = "derived";

/** The part of a definition that paths go through. */
export type DefinitionInputs = Pick<PipelineDefinition, "inputs">;

/** The origin of a path's value, also through an input. */
export function originOfPath(path: Path, { inputs }: DefinitionInputs): Origin {
  if (path.root === "node" && path.part === "result") return { node: path.name, pointer: pointerOf(path.steps) };
  const input = path.root === "inputs" && Object.hasOwn(inputs, path.name) ? inputs[path.name] : undefined;
  if (input?.kind === "nodeArtifact") {
    return { node: input.nodeId, pointer: `${input.pointer ?? ""}${pointerOf(path.steps)}` };
  }
  return { reason: input?.kind === "literal" ? "constant" : DERIVED };
}

function* origins(template: Template, definition: DefinitionInputs, at: string): Generator<[string, Origin]> {
  if (template.kind === "path") yield [at, originOfPath(template, definition)];
  else if (template.kind === "literal") yield [at, { reason: "constant" }];
  else if (template.kind === "list") {
    for (const [index, item] of template.items.entries()) yield* origins(item, definition, pointTo(at, index));
  } else {
    for (const [name, member] of template.members) yield* origins(member, definition, pointTo(at, name));
  }
}

/** The origins of a template's value. */
export const trailOf = (template: Template, definition: DefinitionInputs): Trail =>
  new Map(origins(template, definition, ""));

/** The entry of the longest pointer above this one, with the rest of the path. */
function longestPrefix<T>(pointer: string, entries: ReadonlyMap<string, T>): { entry: T; rest: string } | undefined {
  for (let head = pointer; ; head = head.slice(0, head.lastIndexOf("/"))) {
    const entry = entries.get(head);
    if (entry !== undefined) return { entry, rest: pointer.slice(head.length) };
    if (head === "") return undefined;
  }
}

/**
 * Traces a pointer back through a transformation, then to the origin of its input.
 * @param made reason for new values to have no place
 */
function originOf(pointer: string, moves: Moves, trail: Trail, made: string = DERIVED): Origin {
  const move = longestPrefix(pointer, moves);
  if (move === undefined || move.entry === null) return { reason: made };
  const found = longestPrefix(`${move.entry}${move.rest}`, trail);
  if (found === undefined) return { reason: made };
  const { entry, rest } = found;
  return "node" in entry ? { node: entry.node, pointer: `${entry.pointer}${rest}` } : entry;
}

/** Leaves with their pointers: scalars, empty objects and empty lists. */
function* leavesIn(value: Json, pointer = ""): Generator<[string, Json]> {
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  if (inner.length === 0) yield [pointer, value];
  for (const [name, member] of inner) yield* leavesIn(member, pointTo(pointer, name));
}

const isEmpty = (value: Json): boolean =>
  typeof value === "object" || (typeof value === "string" && value.trim() === "");

export interface Composition {
  result: Json;
  moves: Moves;
  trail: Trail;
  granularity: SourceLocations["granularity"];
  /** Places of the nodes that the result comes from; nodes without places are missing. */
  sources: ReadonlyMap<string, SourceLocations>;
  /** Reason for computed values to have no place: the loss of the sources (location-losses.ts). */
  lost?: string | undefined;
}

type Placed = { location: SourceLocation } | { leaf: Omit<UnresolvedLeaf, "pointer"> };

/** Looks up places in the nodes' results by pointer. */
function placesIn(sources: ReadonlyMap<string, SourceLocations>): (origin: Origin, value: Json) => Placed {
  const unresolved = new Map(
    [...sources].map(([node, one]) => [node, new Map(one.unresolved.map((leaf) => [leaf.pointer, leaf]))]),
  );
  return (origin, value) => {
    const source = "node" in origin ? sources.get(origin.node) : undefined;
    const location =
      "node" in origin && source && Object.hasOwn(source.locations, origin.pointer)
        ? source.locations[origin.pointer]
        : undefined;
    if (location !== undefined) return { location };
    const known = "node" in origin ? unresolved.get(origin.node)?.get(origin.pointer) : undefined;
    if (known !== undefined) return { leaf: known };
    if (value === null) return { leaf: { reason: "null-value" } };
    if (isEmpty(value)) return { leaf: { reason: "empty" } };
    return { leaf: { reason: "reason" in origin ? origin.reason : DERIVED } };
  };
}

/** Places of a composed result; every leaf is in exactly one of `locations` and `unresolved`. */
export function composeSources({ result, moves, trail, granularity, sources, lost }: Composition): SourceLocations {
  const placeOf = placesIn(sources);
  const locations: [string, SourceLocation][] = [];
  const unresolved: UnresolvedLeaf[] = [];
  for (const [pointer, value] of leavesIn(result)) {
    const placed = placeOf(originOf(pointer, moves, trail, lost), value);
    if ("location" in placed) locations.push([pointer, placed.location]);
    else unresolved.push({ ...placed.leaf, pointer });
  }
  const [pages] = [...sources.values()].map((one) => one.pages).filter((list) => list.length > 0);
  return { version: 1, granularity, pages: pages ?? [], locations: Object.fromEntries(locations), unresolved };
}

/**
 * Places of a result whose leaves were partly filled from the data given beside the source: a filled leaf has the place of
 * the given value, when that has one.
 * @param filled pointers of the leaves, each with the pointer of the given value
 */
export function placeFilled(
  own: SourceLocations,
  filled: readonly (readonly [to: string, from: string])[],
  { trail, sources }: Pick<Composition, "trail" | "sources">,
): SourceLocations {
  const placeOf = placesIn(sources);
  const locations = new Map(Object.entries(own.locations));
  const unresolved = new Map(own.unresolved.map((leaf) => [leaf.pointer, leaf]));
  for (const [pointer, from] of filled) {
    const placed = placeOf(originOf(from, new Map([["", ""]]), trail), true);
    if ("location" in placed) {
      locations.set(pointer, placed.location);
      unresolved.delete(pointer);
    } else if (!locations.has(pointer)) unresolved.set(pointer, { ...placed.leaf, pointer });
  }
  return { ...own, locations: Object.fromEntries(locations), unresolved: [...unresolved.values()] };
}

/** Unresolved places of a whole result, for one reason. */
export const nowhere = (
  result: Json,
  reason: string,
  granularity: SourceLocations["granularity"],
): SourceLocations => ({
  version: 1,
  granularity,
  pages: [],
  locations: {},
  unresolved: [...leavesIn(result)].map(([pointer, value]) => ({
    pointer,
    reason: value === null ? "null-value" : isEmpty(value) ? "empty" : reason,
  })),
});

/** Drops all places that no longer hold: their leaves are unresolved, for one reason. */
export const withoutLocations = (sources: SourceLocations, reason: string): SourceLocations => ({
  ...sources,
  locations: {},
  unresolved: [
    ...Object.keys(sources.locations).map((pointer) => ({ pointer, reason })),
    ...sources.unresolved.map(
      (leaf): UnresolvedLeaf => (leaf.reason === "not-found" ? { pointer: leaf.pointer, reason } : withoutPlaces(leaf)),
    ),
  ],
});

/** Drops the places of a leaf's candidates. */
const withoutPlaces = ({ candidates, ...leaf }: UnresolvedLeaf): UnresolvedLeaf =>
  candidates === undefined
    ? leaf
    : { ...leaf, candidates: candidates.map(({ value, confidence }) => ({ value, confidence })) };
