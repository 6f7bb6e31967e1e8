import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { PatternError, parseRegex } from "./regex-syntax.ts";
import { costFault } from "./schema-cost.ts";
import { SchemaResolver } from "./schema-resolver.ts";

/** Keywords whose value is a schema, a list of schemas, or schemas by name. Definitions count where something refers to them. */
const SCHEMAS = [
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
const MAPS = ["properties", "patternProperties", "dependentSchemas", "dependencies"];
/** What else than a JSON Pointer a reference may lead to. */
const NAMES = ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"];

const LONGEST_SHOWN = 100;
const shown = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);

export const referenceFault = (reference: string): string => `refers to ${shown(reference)}, which is not part of it`;
export const patternFault = (pattern: string, error: Error): string =>
  `has a pattern that cannot be used: ${JSON.stringify(shown(pattern))} ${error.message}`;

function unreadable(pattern: string): string | undefined {
  try {
    parseRegex(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return patternFault(pattern, error);
    throw error;
  }
}

class Look {
  readonly #resolver: SchemaResolver;
  /** Parts of the schema have names of their own: the validator decides what a reference means. */
  readonly #hasNames: boolean;
  /** It has one itself, which references may begin with. */
  readonly #isNamed: boolean;
  readonly #open: Json[];
  readonly #seen = new Set<JsonObject>();

  constructor(root: Json) {
    this.#resolver = new SchemaResolver(root);
    this.#open = [root];
    const { $id: name, ...rest } = isObject(root) ? root : {};
    const text = JSON.stringify(rest);
    this.#isNamed = name !== undefined;
    this.#hasNames = NAMES.some((name) => text.includes(`"${name}":`));
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
      const fault = unreadable(one);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #goInto(schema: JsonObject): void {
    for (const name of SCHEMAS) {
      const inner = own(schema, name);
      if (inner !== undefined) this.#open.push(...(Array.isArray(inner) ? inner : [inner]));
    }
    for (const name of MAPS) {
      const inner = own(schema, name);
      if (isObject(inner)) this.#open.push(...Object.values(inner));
    }
  }
}

/** @param schema already found to be JSON Schema @returns how a sentence about the schema goes on, or undefined */
export const schemaFault = (schema: Json): string | undefined => costFault(schema) ?? new Look(schema).run();
