/**
 * Brings an answer into the shape of its schema and keeps its meaning. It removes nulls that only the strict form of
 * the schema requires, converts printed numbers and dates to the schema's types, and turns pairs into objects.
 */
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import type { TextConventions } from "../values/text-conventions.ts";
import { boundedPattern } from "./bounded-regex.ts";
import { choicesOf, convertScalar, isOf, type typeOf, typesOf } from "./convert-scalar.ts";
import type { ParsedSchema } from "./parsed-schema.ts";
import type { SchemaResolver } from "./schema-resolver.ts";

/** No value: the member or item is left out. */
const ABSENT = Symbol("absent");
type Outcome = Json | typeof ABSENT;

/** Weight of a constant's match against 1 for a member's. */
const CONSTANT_WEIGHT = 10;

const allows = (schema: JsonObject, type: ReturnType<typeof typeOf>): boolean => typesOf(schema)?.has(type) ?? true;

/** The schema wants something other than free text: a blank text means that there is no value. */
const refusesBlank = (schema: JsonObject): boolean =>
  !allows(schema, "string") ||
  ["format", "pattern", "enum", "const"].some((keyword) => Object.hasOwn(schema, keyword)) ||
  Number(own(schema, "minLength") ?? 0) > 0;

/** Counts the object's members that an alternative has; an alternative with other constants is not meant. */
function matchScore(value: JsonObject, schema: JsonObject, resolver: SchemaResolver): number {
  const properties = own(schema, "properties");
  if (!isObject(properties)) return 0;
  let score = 0;
  for (const [name, property] of Object.entries(properties)) {
    const given = own(value, name);
    if (given === undefined) continue;
    const choices = choicesOf(resolver.flat(property)?.schema ?? {});
    score += choices === undefined ? 1 : choices.includes(given) ? CONSTANT_WEIGHT : -CONSTANT_WEIGHT;
  }
  return score;
}

class Normalizer {
  readonly #resolver: SchemaResolver;
  readonly #conventions: TextConventions;
  readonly #patterns = new Map<string, (name: string) => boolean>();

  constructor(resolver: SchemaResolver, conventions: TextConventions) {
    this.#resolver = resolver;
    this.#conventions = conventions;
  }

  visit(value: Json, schema: Json): Outcome {
    const flat = this.#resolver.flat(schema)?.schema;
    if (flat === undefined) return value;
    const options = this.#resolver.alternatives(flat);
    if (isObject(value)) return this.#object(value, options);
    if (Array.isArray(value)) return this.#array(value, options);
    return this.#scalar(value, options);
  }

  #scalar(value: Json, options: readonly JsonObject[]): Outcome {
    const nullable = options.length === 0 || options.some((option) => allows(option, "null") && isOf(null, option));
    if (value === null) return nullable ? null : ABSENT;
    const blank = typeof value === "string" && value.trim() === "";
    if (blank && options.length > 0 && options.every(refusesBlank)) return nullable ? null : ABSENT;
    // A value that fits one alternative is not converted for another.
    const fitting = options.filter((option) => isOf(value, option));
    for (const option of fitting.length > 0 ? fitting : options) {
      const converted = convertScalar(value, option, this.#conventions);
      if (converted !== undefined) return converted;
    }
    return value;
  }

  #array(value: readonly Json[], options: readonly JsonObject[]): Outcome {
    const list = options.find((option) => allows(option, "array"));
    if (list === undefined || (typesOf(list) === undefined && options.length > 1)) {
      const map = options.find((option) => allows(option, "object"));
      const pairs = map === undefined ? undefined : objectOfPairs(value);
      return pairs === undefined || map === undefined ? [...value] : this.#object(pairs, [map]);
    }
    const items = own(list, "items");
    const first = own(list, "prefixItems") ?? (Array.isArray(items) ? items : undefined);
    const rest = Array.isArray(items) ? own(list, "additionalItems") : items;
    const schemas = Array.isArray(first) ? first : [];
    return value.flatMap((item, at) => {
      const outcome = this.visit(item, schemas[at] ?? rest ?? true);
      // Items of a tuple keep their positions.
      return outcome === ABSENT ? (at < schemas.length ? [item] : []) : [outcome];
    });
  }

  #object(value: JsonObject, options: readonly JsonObject[]): Json {
    const objects = options.filter((option) => allows(option, "object"));
    const ranked = objects
      .map((option) => ({ option, score: matchScore(value, option, this.#resolver) }))
      .sort((a, b) => b.score - a.score);
    const option = ranked[0]?.option;
    if (option === undefined) return value;
    const properties = own(option, "properties");
    const known = isObject(properties) ? properties : {};
    const required = own(option, "required");
    const members: [string, Json][] = [];
    for (const [name, property] of Object.entries(known)) {
      const given = own(value, name);
      const outcome = given === undefined ? ABSENT : this.visit(given, property);
      if (outcome !== ABSENT) members.push([name, outcome]);
      else if (Array.isArray(required) && required.includes(name)) members.push(...this.#required(name, property));
    }
    for (const [name, given] of Object.entries(value)) {
      if (Object.hasOwn(known, name)) continue;
      const schema = this.#furtherSchema(option, name);
      // With several alternatives, another may allow the member.
      if (schema === false && objects.length === 1) continue;
      const outcome = this.visit(given, schema);
      if (outcome !== ABSENT) members.push([name, outcome]);
    }
    return Object.fromEntries(members);
  }

  /** A missing required member: the constant, or null when the schema allows it. */
  #required(name: string, property: Json): [string, Json][] {
    const flat = this.#resolver.flat(property)?.schema;
    if (flat === undefined) return [];
    if (Object.hasOwn(flat, "const")) return [[name, own(flat, "const") ?? null]];
    const typed = this.#resolver
      .alternatives(flat)
      .some((option) => typesOf(option)?.has("null") === true && isOf(null, option));
    return typed ? [[name, null]] : [];
  }

  #furtherSchema(option: JsonObject, name: string): Json {
    const patterns = own(option, "patternProperties");
    if (isObject(patterns)) {
      const found = Object.entries(patterns).find(([pattern]) => this.#test(pattern)(name));
      if (found !== undefined) return found[1];
    }
    return own(option, "additionalProperties") ?? true;
  }

  #test(pattern: string): (name: string) => boolean {
    let test = this.#patterns.get(pattern);
    if (test === undefined) {
      const compiled = boundedPattern(pattern);
      test = (name) => compiled.test(name);
      this.#patterns.set(pattern, test);
    }
    return test;
  }
}

/** The object of `[{key, value}]`, the strict form of an object with arbitrary names. */
function objectOfPairs(list: readonly Json[]): JsonObject | undefined {
  const pairs: [string, Json][] = [];
  for (const item of list) {
    if (!isObject(item) || !Object.hasOwn(item, "key") || !Object.hasOwn(item, "value")) return undefined;
    const key = own(item, "key");
    if (typeof key !== "string" || Object.keys(item).length !== 2) return undefined;
    pairs.push([key, own(item, "value") ?? null]);
  }
  return Object.fromEntries(pairs);
}

/**
 * Converts data to its schema's types.
 * @param schema without calculated fields, known to compile
 * @returns new data, with members in the schema's order
 */
export function normalizeData(data: Json, schema: ParsedSchema, conventions: TextConventions): Json {
  const outcome = new Normalizer(schema.resolver, conventions).visit(data, schema.json);
  return outcome === ABSENT ? data : outcome;
}
