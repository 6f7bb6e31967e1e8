/**
 * Faults that make a user's schema unusable, found from the schema alone in bounded time. They are the same faults that
 * its validator (validator.ts) finds when it checks data.
 */
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { PatternError, parseRegex } from "./regex-syntax.ts";
import { costFault } from "./schema-cost.ts";
import { SchemaResolver } from "./schema-resolver.ts";

/** Keywords whose value is a schema or a list of schemas. Definitions are visited through references only. */
const SCHEMA_KEYWORDS = [
  "items",
  "additionalItems",
  "prefixItems",
  "contains",
  "unevaluatedItems",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "allOf",
  "anyOf",
  "oneOf",
];
/** Keywords whose value holds schemas by name. */
const SCHEMA_MAP_KEYWORDS = ["properties", "patternProperties", "dependentSchemas", "dependencies"];
/** Keywords that name a schema for references. */
const NAMING_KEYWORDS = ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"];

const MAX_QUOTED_CHARS = 100;
const shortened = (text: string): string =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;

export const referenceFault = (reference: string): string =>
  `refers to ${shortened(reference)}, which is not part of it`;
export const patternFault = (pattern: string, error: Error): string =>
  `has a pattern that cannot be used: ${JSON.stringify(shortened(pattern))} ${error.message}`;

function patternFaultOf(pattern: string): string | undefined {
  try {
    parseRegex(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return patternFault(pattern, error);
    throw error;
  }
}

/** Checks references and patterns of a schema. */
class SchemaInspection {
  readonly #resolver: SchemaResolver;
  /** Parts of the schema are named: the validator resolves references to them. */
  readonly #hasNames: boolean;
  /** The schema itself is named: references may begin with its name. */
  readonly #isNamed: boolean;
  readonly #open: Json[];
  readonly #seen = new Set<JsonObject>();
  readonly #patternFaults = new Map<string, string | undefined>();

  constructor(root: Json) {
    this.#resolver = new SchemaResolver(root);
    this.#open = [root];
    const { $id: name, ...rest } = isObject(root) ? root : {};
    this.#isNamed = name !== undefined;
    const text = JSON.stringify(rest);
    this.#hasNames = NAMING_KEYWORDS.some((name) => text.includes(`"${name}":`));
  }

  run(): string | undefined {
    for (let schema = this.#open.pop(); schema !== undefined; schema = this.#open.pop()) {
      if (!isObject(schema) || this.#seen.has(schema)) continue;
      this.#seen.add(schema);
      const fault = this.#reference(schema) ?? this.#patterns(schema);
      if (fault !== undefined) return fault;
      this.#goInto(schema);
    }
    return undefined;
  }

  #reference(schema: JsonObject): string | undefined {
    const reference = own(schema, "$ref");
    if (typeof reference !== "string") return undefined;
    const target = this.#resolver.find(reference);
    if (target !== undefined) this.#open.push(target);
    if (target !== undefined || this.#hasNames) return undefined;
    return this.#isNamed && !reference.startsWith("#") ? undefined : referenceFault(reference);
  }

  #patterns(schema: JsonObject): string | undefined {
    const pattern = own(schema, "pattern");
    const byPattern = own(schema, "patternProperties");
    const names = isObject(byPattern) ? Object.keys(byPattern) : [];
    for (const one of typeof pattern === "string" ? [pattern, ...names] : names) {
      const fault = this.#patternFaults.has(one) ? this.#patternFaults.get(one) : patternFaultOf(one);
      this.#patternFaults.set(one, fault);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #goInto(schema: JsonObject): void {
    for (const name of SCHEMA_KEYWORDS) {
      const inner = own(schema, name);
      if (inner === undefined) continue;
      for (const one of Array.isArray(inner) ? inner : [inner]) this.#open.push(one);
    }
    for (const name of SCHEMA_MAP_KEYWORDS) {
      const inner = own(schema, name);
      if (isObject(inner)) for (const one of Object.values(inner)) this.#open.push(one);
    }
  }
}

/** @param schema known to be JSON Schema @returns the rest of a sentence about the schema, or undefined */
export const schemaFault = (schema: Json): string | undefined =>
  costFault(schema) ?? new SchemaInspection(schema).run();
