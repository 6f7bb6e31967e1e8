/** The cost of checking a schema at one place of the data, estimated from the schema alone. */
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { REFERENCE_KEYWORDS } from "./schema-limits.ts";
import { SchemaResolver } from "./schema-resolver.ts";

/** Schemas that one value is checked against: far above any real schema, and takes milliseconds. */
const MAX_SCHEMAS_PER_VALUE = 20_000;
const MAX_SCHEMA_NODES = 200_000;

/** Ends the sum: costs double with each level, and only a circle is without end. */
const MAX_COST = 1e9;

const IN_PLACE_KEYWORDS = ["not", "if", "then", "else"];
const IN_PLACE_LIST_KEYWORDS = ["allOf", "anyOf", "oneOf"];
const IN_PLACE_MAP_KEYWORDS = ["dependentSchemas", "dependencies"];

const CIRCLE_FAULT = "refers to itself without end";
const COST_FAULT = "combines too many alternatives to be checked";

class CostWalk {
  readonly #resolver: SchemaResolver;
  readonly #costs = new Map<JsonObject, number | "open">();
  readonly #seen = new Set<JsonObject>();

  constructor(root: Json) {
    this.#resolver = new SchemaResolver(root);
  }

  /** Checks every schema inside. @returns the fault of the first bad one */
  visit(root: Json): string | undefined {
    const open: Json[] = [root];
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (typeof value !== "object" || value === null) continue;
      if (isObject(value)) {
        if (this.#seen.has(value)) continue;
        this.#seen.add(value);
        if (this.#seen.size > MAX_SCHEMA_NODES) return "is too large to be checked";
        const cost = this.#cost(value);
        if (cost === Number.POSITIVE_INFINITY) return CIRCLE_FAULT;
        if (cost > MAX_SCHEMAS_PER_VALUE) return COST_FAULT;
      }
      for (const member of Object.values(value)) open.push(member);
    }
    return undefined;
  }

  /** Adds up the costs of all parts, without recursion: references make chains of any length. */
  #cost(root: JsonObject): number {
    const open = [this.#open(root)];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const part = top.parts[top.next];
      if (part === undefined) {
        this.#costs.set(top.schema, top.sum);
        open.pop();
        continue;
      }
      const known = isObject(part) ? this.#costs.get(part) : 1;
      if (known === undefined) {
        open.push(this.#open(part as JsonObject));
      } else {
        const isCircle = known === "open" || known === Number.POSITIVE_INFINITY;
        top.sum = isCircle ? Number.POSITIVE_INFINITY : Math.min(top.sum + known, Math.max(top.sum, MAX_COST));
        top.next += 1;
      }
    }
    return this.#costs.get(root) as number;
  }

  #open(schema: JsonObject): { schema: JsonObject; parts: Json[]; next: number; sum: number } {
    const known = this.#costs.get(schema);
    if (typeof known === "number") return { schema, parts: [], next: 0, sum: known };
    this.#costs.set(schema, "open");
    return { schema, parts: this.#parts(schema), next: 0, sum: 1 };
  }

  #parts(schema: JsonObject): Json[] {
    const parts: Json[] = IN_PLACE_KEYWORDS.flatMap((name) => own(schema, name) ?? []);
    for (const name of IN_PLACE_LIST_KEYWORDS) {
      const list = own(schema, name);
      if (Array.isArray(list)) for (const part of list) parts.push(part);
    }
    for (const name of IN_PLACE_MAP_KEYWORDS) {
      const map = own(schema, name);
      if (isObject(map)) for (const part of Object.values(map)) parts.push(part);
    }
    for (const name of REFERENCE_KEYWORDS) {
      const reference = own(schema, name);
      const target = typeof reference === "string" ? this.#resolver.find(reference) : undefined;
      if (target !== undefined) parts.push(target);
    }
    return parts;
  }
}

/**
 * Finds schemas whose validation does not end soon: circular references at one place of the data, and combinations
 * that multiply. Recursion into the data is no circle: data ends.
 * @returns the rest of a sentence about the schema, or undefined
 */
export const costFault = (schema: Json): string | undefined => new CostWalk(schema).visit(schema);
