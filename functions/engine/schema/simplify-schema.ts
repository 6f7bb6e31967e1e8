/** A schema without references, `allOf`, `anyOf` and `oneOf`: one alternative is chosen. */
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { namedTypes, type SchemaResolver } from "./schema-resolver.ts";

const MAX_SCHEMA_DEPTH = 16;
/** Alternatives of alternatives multiply. */
const MAX_SIMPLIFIED_SCHEMAS = 20_000;
/** Parts of `allOf`, `anyOf` or `oneOf` that are read. */
const MAX_PARTS = 50;

export const SCALAR_TYPES: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean"]);

/** The types that a schema names besides null. */
export const nonNullTypes = (schema: JsonObject): string[] => namedTypes(schema).filter((type) => type !== "null");

export const isScalarSchema = (schema: JsonObject): boolean =>
  nonNullTypes(schema).some((type) => SCALAR_TYPES.has(type)) ||
  Array.isArray(own(schema, "enum")) ||
  own(schema, "const") !== undefined;

export const isNullSchema = (schema: JsonObject): boolean =>
  own(schema, "type") === "null" || own(schema, "const") === null;

/** Later members win, except that properties are joined. */
function mergeSchemas(base: JsonObject, extra: JsonObject): JsonObject {
  const merged: JsonObject = { ...base, ...extra };
  const [a, b] = [own(base, "properties"), own(extra, "properties")];
  if (isObject(a) && isObject(b)) merged.properties = { ...a, ...b };
  return merged;
}

const without = (schema: JsonObject, member: string): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== member));

/** The schema describes its value without the one that it refers to. */
const isSelfContained = (schema: JsonObject): boolean =>
  ["type", "properties", "items", "enum", "const", "anyOf", "oneOf", "allOf"].some((member) =>
    Object.hasOwn(schema, member),
  );

/** One walk over a schema: its budget, and the references that it is inside of. */
export class SchemaSimplifier {
  readonly #resolver: SchemaResolver;
  #count = 0;
  #openReferences: string[] = [];

  constructor(resolver: SchemaResolver) {
    this.#resolver = resolver;
  }

  /** Runs `visit` with the references that are open now, and forgets those that it opens. */
  apart<T>(visit: () => T): T {
    const before = [...this.#openReferences];
    try {
      return visit();
    } finally {
      this.#openReferences = before;
    }
  }

  /** @returns null where recursion, the budget or `false` ends it */
  simplify(schema: Json | undefined, depth = 0): JsonObject | null {
    this.#count += 1;
    if (schema === false || depth > MAX_SCHEMA_DEPTH || this.#count > MAX_SIMPLIFIED_SCHEMAS) return null;
    if (!isObject(schema)) return {};
    let flat: JsonObject = schema;
    const reference = own(flat, "$ref");
    if (typeof reference === "string") {
      if (this.#openReferences.includes(reference)) return null;
      this.#openReferences.push(reference);
      const found = this.#resolver.find(reference);
      const rest = without(flat, "$ref");
      // The target's rules are unknown when it is outside of the schema.
      if (found === undefined && !isSelfContained(rest)) return null;
      const target = found === undefined ? {} : this.simplify(found, depth + 1);
      if (target === null) return null;
      flat = mergeSchemas(target, rest);
    }
    const all = own(flat, "allOf");
    if (Array.isArray(all)) {
      const rest = without(flat, "allOf");
      const parts = all.slice(0, MAX_PARTS).map((part) => this.simplify(part, depth + 1));
      flat = parts.reduce<JsonObject>((merged, part) => (part === null ? merged : mergeSchemas(merged, part)), {});
      flat = mergeSchemas(flat, rest);
    }
    return this.#chooseAlternative(flat, depth);
  }

  /** Constants become a list of choices; else the first scalar is chosen, else the first that is not null. */
  #chooseAlternative(schema: JsonObject, depth: number): JsonObject | null {
    const list = own(schema, "anyOf") ?? own(schema, "oneOf");
    if (!Array.isArray(list) || isObject(own(schema, "properties"))) return schema;
    const rest = without(without(schema, "anyOf"), "oneOf");
    const before = [...this.#openReferences];
    let chosen: JsonObject | undefined;
    let chosenReferences: string[] = before;
    const constants: Json[] = [];
    for (const part of list.slice(0, MAX_PARTS)) {
      this.#openReferences = [...before];
      const flat = this.simplify(part, depth + 1);
      if (flat === null || isNullSchema(flat)) continue;
      const constant = own(flat, "const");
      if (constant !== undefined) constants.push(constant);
      if (chosen === undefined || (!isScalarSchema(chosen) && isScalarSchema(flat))) {
        chosen = flat;
        chosenReferences = this.#openReferences;
      }
    }
    this.#openReferences = chosenReferences;
    if (chosen === undefined) return list.length > 0 && !isScalarSchema(rest) ? null : rest;
    if (constants.length > 1) return { ...without(rest, "const"), enum: constants };
    return mergeSchemas(chosen, rest);
  }
}
