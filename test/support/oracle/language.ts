/**
 * The pipeline language by its description, as simple as possible: dependencies, values of paths, conditions. Shares
 * nothing with the compiler, so that it can judge it.
 */
import { isObject, type Json, type JsonObject, type Surroundings } from "./scenario.ts";

export interface Ended {
  state: string;
  /** The result of a COMPLETED node. */
  result?: Json;
}

export interface World {
  definition: JsonObject;
  surroundings: Surroundings;
  ended(id: string): Ended;
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
export const nodesOf = (definition: JsonObject): JsonObject[] => listOf(definition.nodes).filter(isObject);
export const idOf = (node: JsonObject): string => String(node.id);
const inputsOf = ({ inputs }: JsonObject): JsonObject => (isObject(inputs) ? inputs : {});

/** Ids of the candidates for the public result, in order. */
export function candidatesOf(definition: JsonObject): string[] {
  const listed = definition.finals ?? definition.finalOrder;
  if (listed === undefined || listed === null)
    return nodesOf(definition)
      .filter((node) => node.type === "final")
      .map(idOf);
  return listOf(listed).map((one) => String(isObject(one) ? one.node : one));
}

/** Compute nodes never wait for a place. */
export const computes = (node: JsonObject): boolean => ["validate", "transform", "final"].includes(String(node.type));

export function maxNodesOf({ concurrency, maxNodes }: JsonObject): number {
  const inside = isObject(concurrency) ? concurrency.maxNodes : undefined;
  return Number(inside ?? maxNodes ?? 10);
}

/** `$nodes.a.b[0]['c.d']` → nodes, a, b, 0, c.d; `$.metadata.x` → metadata, x. */
function wordsOf(path: string): string[] {
  const words: string[] = [];
  let word = "";
  let quote = "";
  for (const sign of path.slice(1)) {
    if (quote !== "") {
      if (sign === quote) quote = "";
      else word += sign;
    } else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === "." || sign === "[" || sign === "]") {
      if (word !== "") words.push(word);
      word = "";
    } else word += sign;
  }
  return word === "" ? words : [...words, word];
}

const isPath = (text: string): boolean => text.startsWith("$") && !text.startsWith("$$");

/** The node that a path leads to, directly or through an input. */
function nodeOfPath(path: string, definition: JsonObject): string | undefined {
  const [root, name = ""] = wordsOf(path);
  if (root === "nodes") return name;
  if (root !== "inputs") return undefined;
  const input = Object.hasOwn(inputsOf(definition), name) ? inputsOf(definition)[name] : undefined;
  return isObject(input) && input.kind === "nodeArtifact" ? String(input.nodeId) : undefined;
}

function* textsOf(value: Json | undefined): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  else if (isObject(value)) for (const item of Object.values(value)) yield* textsOf(item);
}

/** Ids that a value names bare: as the whole, or as an entry of the list that is the whole. */
const bareIds = (value: Json | undefined, ids: ReadonlySet<string>): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string" && ids.has(one));

/** The dependencies of a node, named and implied. */
export function dependenciesOf(node: JsonObject, definition: JsonObject): Set<string> {
  const ids = new Set(nodesOf(definition).map(idOf));
  const found = new Set(listOf(node.dependsOn).map(String));
  for (const member of ["source", "input", "when", "output"]) {
    for (const text of textsOf(node[member])) {
      const target = isPath(text) ? nodeOfPath(text, definition) : undefined;
      if (target !== undefined) found.add(target);
    }
  }
  for (const value of [node.source, node.input]) for (const id of bareIds(value, ids)) found.add(id);
  if (typeof node.output === "string" && ids.has(node.output)) found.add(node.output);
  return found;
}

function step(value: Json | undefined, word: string): Json | undefined {
  if (Array.isArray(value)) return /^[0-9]+$/.test(word) ? value[Number(word)] : undefined;
  return isObject(value) && Object.hasOwn(value, word) ? value[word] : undefined;
}

/** Undefined when a path finds nothing. */
export function find(path: string, world: World): Json | undefined {
  const [root, ...words] = wordsOf(path);
  const { surroundings, definition } = world;
  if (root === "ocr") return words.reduce(step, surroundings.ocr as Json | undefined);
  if (root === "document") return words.reduce(step, surroundings.document as Json | undefined);
  if (root === "metadata") return words.reduce(step, surroundings.metadata as Json | undefined);
  const [name = "", ...rest] = words;
  if (root === "nodes") {
    const { state, result } = world.ended(name);
    if (rest[0] === "status") return state;
    return (rest[0] === "result" ? rest.slice(1) : rest).reduce(step, result);
  }
  return rest.reduce(step, inputValue(inputsOf(definition)[name], world));
}

function inputValue(input: Json | undefined, world: World): Json | undefined {
  if (!isObject(input) || input.kind === undefined) return input;
  const value = input.kind === "literal" ? input.value : world.ended(String(input.nodeId)).result;
  const pointer = typeof input.pointer === "string" ? input.pointer : "";
  const words = pointer.split("/").slice(1);
  return words.map((word) => word.replaceAll("~1", "/").replaceAll("~0", "~")).reduce(step, value);
}

/** The value of an output; a path that finds nothing gives null. */
export function build(value: Json, world: World): Json {
  if (typeof value === "string") {
    if (isPath(value)) return find(value, world) ?? null;
    return value.startsWith("$$") ? value.slice(1) : value;
  }
  if (Array.isArray(value)) return value.map((item) => build(item, world));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, build(member, world)]));
}

export function same(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => same(item, other[at]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    if (names.length !== Object.keys(other).length) return false;
    return names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]));
  }
  return one === other;
}

/** The truth of a condition. */
export function holds(condition: Json, world: World): boolean {
  if (!isObject(condition)) return true;
  const [[operator, value] = ["", null]] = Object.entries(condition);
  const operand = (one: Json | undefined): Json | undefined => {
    if (typeof one !== "string") return one;
    return isPath(one) ? find(one, world) : one.startsWith("$$") ? one.slice(1) : one;
  };
  if (operator === "exists") return find(String(value), world) !== undefined;
  if (operator === "not") return !holds(value, world);
  if (operator === "and") return listOf(value).every((part) => holds(part, world));
  if (operator === "or") return listOf(value).some((part) => holds(part, world));
  const [left, right] = listOf(value).map(operand);
  if (left === undefined || right === undefined) return false;
  return same(left, right) === (operator === "eq");
}
