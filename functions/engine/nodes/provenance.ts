/**
 * Where the values of a result that was put together from others stand on the page: each leaf is followed back to the
 * node that found it. Pure; pointers are RFC 6901.
 */

import type { PipelineDefinition } from "../../../statemachines/pipeline/definition.ts";
import type { Path } from "../../../statemachines/pipeline/paths.ts";
import type { Template } from "../../../statemachines/pipeline/templates.ts";
import { isObject, type Json } from "../../ports/json.ts";
import type { SourceLocation, SourceLocations, UnresolvedLeaf } from "../layout/source-locations.ts";
import { pointerOf, pointTo } from "../schema/json-pointer.ts";

/** A place in a node's result, or why there is none. */
export type Origin = { node: string; pointer: string } | { reason: string };

/** Origins by the pointers of what was taken over whole; the longest that a leaf stands below counts. */
type Trail = ReadonlyMap<string, Origin>;

/** Where parts of a value were before it was transformed, by where they are; null: nowhere. */
export type Moves = ReadonlyMap<string, string | null>;

const DERIVED = "derived";

/** What paths go through. */
export type Inputs = Pick<PipelineDefinition, "inputs">;

/** What a path leads to, through an input too. */
export function originOfPath(path: Path, { inputs }: Inputs): Origin {
  if (path.root === "node" && path.part === "result") return { node: path.name, pointer: pointerOf(path.steps) };
  const input = path.root === "inputs" && Object.hasOwn(inputs, path.name) ? inputs[path.name] : undefined;
  if (input?.kind === "nodeArtifact") {
    return { node: input.nodeId, pointer: `${input.pointer ?? ""}${pointerOf(path.steps)}` };
  }
  return { reason: input?.kind === "literal" ? "constant" : DERIVED };
}

function* origins(template: Template, definition: Inputs, at: string): Generator<[string, Origin]> {
  if (template.kind === "path") yield [at, originOfPath(template, definition)];
  else if (template.kind === "literal") yield [at, { reason: "constant" }];
  else if (template.kind === "list") {
    for (const [index, item] of template.items.entries()) yield* origins(item, definition, pointTo(at, index));
  } else {
    for (const [name, member] of template.members) yield* origins(member, definition, pointTo(at, name));
  }
}

/** What a template's value is made of. */
export const trailOf = (template: Template, definition: Inputs): Trail => new Map(origins(template, definition, ""));

/** The entry of the longest pointer that this one stands below, with the rest of the way. */
function longest<T>(pointer: string, entries: ReadonlyMap<string, T>): { entry: T; rest: string } | undefined {
  for (let head = pointer; ; head = head.slice(0, head.lastIndexOf("/"))) {
    const entry = entries.get(head);
    if (entry !== undefined) return { entry, rest: pointer.slice(head.length) };
    if (head === "") return undefined;
  }
}

/**
 * Back through a transformation, then into what its input was made of.
 * @param made why what was not there before has no place
 */
function originOf(pointer: string, moves: Moves, trail: Trail, made: string = DERIVED): Origin {
  const move = longest(pointer, moves);
  if (move === undefined || move.entry === null) return { reason: made };
  const found = longest(`${move.entry}${move.rest}`, trail);
  if (found === undefined) return { reason: made };
  const { entry, rest } = found;
  return "node" in entry ? { node: entry.node, pointer: `${entry.pointer}${rest}` } : entry;
}

/** Leaves with their pointers: scalars, and objects and lists without anything in them. */
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
  /** Of the nodes that it was made from, as far as they have any. */
  sources: ReadonlyMap<string, SourceLocations>;
  /** Why what was made of them, rather than moved, has no place: what they have lost (losses.ts). */
  lost?: string | undefined;
}

type Placed = { location: SourceLocation } | { leaf: Omit<UnresolvedLeaf, "pointer"> };

/** What is known of the places of nodes' results, by their pointers. */
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

/** Every leaf of the result is in exactly one of `locations` and `unresolved`. */
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
 * Places of a result whose leaves were filled, in part, with what was given beside its source: those have the places that
 * they have where they come from, as long as they have one there.
 * @param filled pointers of the leaves, each with that of the value in what was given
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

/** Places of a result that has none, for one reason. */
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

/** Sources whose places no longer hold: every leaf that has one is unresolved, for one reason. */
export const withoutLocations = (sources: SourceLocations, reason: string): SourceLocations => ({
  ...sources,
  locations: {},
  unresolved: [
    ...Object.keys(sources.locations).map((pointer) => ({ pointer, reason })),
    ...sources.unresolved.map((leaf) => (leaf.reason === "not-found" ? { pointer: leaf.pointer, reason } : leaf)),
  ],
});
