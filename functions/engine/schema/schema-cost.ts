import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { SchemaResolver } from "./schema-resolver.ts";

/** Schemas that one value is held against: far more than any real one needs, and milliseconds. */
const MOST_COST = 20_000;
const MOST_NODES = 200_000;

const IN_PLACE = ["not", "if", "then", "else"];
const IN_PLACE_LISTS = ["allOf", "anyOf", "oneOf"];
const IN_PLACE_MAPS = ["dependentSchemas", "dependencies"];

const CIRCLE = "refers to itself without end";
const TOO_MUCH = "combines too many alternatives to be checked";

class CostWalk {
  readonly #resolver: SchemaResolver;
  readonly #costs = new Map<JsonObject, number | "open">();
  readonly #seen = new Set<JsonObject>();

  constructor(root: Json) {
    this.#resolver = new SchemaResolver(root);
  }

  /** Every schema inside, wherever it stands. @returns what is wrong with one of them */
  visit(root: Json): string | undefined {
    const open: Json[] = [root];
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (typeof value !== "object" || value === null) continue;
      if (isObject(value)) {
        if (this.#seen.has(value)) continue;
        this.#seen.add(value);
        if (this.#seen.size > MOST_NODES) return "is too large to be checked";
        const cost = this.#cost(value);
        if (cost === Number.POSITIVE_INFINITY) return CIRCLE;
        if (cost > MOST_COST) return TOO_MUCH;
      }
      for (const member of Object.values(value)) open.push(member);
    }
    return undefined;
  }

  #cost(schema: Json | undefined): number {
    if (!isObject(schema)) return 1;
    const known = this.#costs.get(schema);
    if (known === "open") return Number.POSITIVE_INFINITY;
    if (known !== undefined) return known;
    this.#costs.set(schema, "open");
    const cost = this.#parts(schema).reduce((sum: number, part) => sum + this.#cost(part), 1);
    this.#costs.set(schema, cost);
    return cost;
  }

  #parts(schema: JsonObject): Json[] {
    const parts: Json[] = IN_PLACE.flatMap((name) => own(schema, name) ?? []);
    for (const name of IN_PLACE_LISTS) {
      const list = own(schema, name);
      if (Array.isArray(list)) parts.push(...list);
    }
    for (const name of IN_PLACE_MAPS) {
      const map = own(schema, name);
      if (isObject(map)) parts.push(...Object.values(map));
    }
    for (const name of ["$ref", "$dynamicRef", "$recursiveRef"]) {
      const reference = own(schema, name);
      const target = typeof reference === "string" ? this.#resolver.find(reference) : undefined;
      if (target !== undefined) parts.push(target);
    }
    return parts;
  }
}

/**
 * Whether checking data against a schema ends, and soon: circles of references at one place of the data, and
 * combinations that multiply, are told. Recursion into the data is no circle: data ends.
 * @returns how a sentence about the schema goes on, or undefined
 */
export const costFault = (schema: Json): string | undefined => new CostWalk(schema).visit(schema);
