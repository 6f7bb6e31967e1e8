/**
 * Faults that make a user's schema unusable, found from the schema alone in bounded time. They are the same faults that
 * its validator (validator.ts) finds when it checks data.
 */
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { PatternError, parseRegex } from "./regex-syntax.ts";
import { costFault } from "./schema-cost.ts";
import { innerSchemas, referenceFault, SchemaReferences, shortened } from "./schema-references.ts";

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
  readonly #references: SchemaReferences;
  readonly #open: Json[];
  readonly #seen = new Set<JsonObject>();
  readonly #patternFaults = new Map<string, string | undefined>();

  constructor(root: Json) {
    this.#references = new SchemaReferences(root);
    this.#open = [root];
  }

  run(): string | undefined {
    for (let schema = this.#open.pop(); schema !== undefined; schema = this.#open.pop()) {
      if (!isObject(schema) || this.#seen.has(schema)) continue;
      this.#seen.add(schema);
      const fault = this.#reference(schema) ?? this.#patterns(schema);
      if (fault !== undefined) return fault;
      for (const inner of innerSchemas(schema)) this.#open.push(inner);
    }
    return undefined;
  }

  #reference(schema: JsonObject): string | undefined {
    const reference = own(schema, "$ref");
    if (typeof reference !== "string") return undefined;
    const target = this.#references.targetOf(reference, schema);
    if (target === undefined) return referenceFault(reference);
    this.#open.push(target);
    return undefined;
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
}

/** @param schema known to be JSON Schema @returns the rest of a sentence about the schema, or undefined */
export const schemaFault = (schema: Json): string | undefined =>
  costFault(schema) ?? new SchemaInspection(schema).run();
