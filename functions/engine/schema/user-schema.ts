/** A user's schema as it comes over the wire: JSON Schema as an object or a string, or a shape. */
import { Ajv, type AnySchema } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject, type Json, type JsonObject } from "../../ports/json.ts";

/** Nesting at which a schema is refused: real ones stay below 30, and walkers of schemas recurse. */
const MAX_DEPTH = 100;

/**
 * Keywords that make an object a schema by standing there. The others (title, description, format, items …) are as
 * likely the names of wanted values, so an object that has none but those is read as a shape.
 */
const TELLING = new Set([
  "$schema",
  "$id",
  "$ref",
  "$defs",
  "definitions",
  "type",
  "properties",
  "patternProperties",
  "additionalProperties",
  "prefixItems",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "required",
]);

const SHAPE_TYPES: Record<string, JsonObject> = {
  string: { type: "string" },
  text: { type: "string" },
  number: { type: "number" },
  decimal: { type: "number" },
  float: { type: "number" },
  integer: { type: "integer" },
  int: { type: "integer" },
  boolean: { type: "boolean" },
  bool: { type: "boolean" },
  date: { type: "string", format: "date" },
  datetime: { type: "string", format: "date-time" },
  "date-time": { type: "string", format: "date-time" },
};

function depthOf(value: unknown, limit: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (limit === 0) return 1;
  let deepest = 0;
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member, limit - 1));
  return deepest + 1;
}

/** A shape (`{"total": "number", "lines": [{"sku": "string"}]}`: names to types or examples) as a JSON Schema. */
function schemaOfShape(shape: Json): JsonObject {
  if (Array.isArray(shape)) return { type: "array", items: shape[0] === undefined ? {} : schemaOfShape(shape[0]) };
  if (isObject(shape)) {
    const properties = Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, schemaOfShape(member)]));
    return { type: "object", properties };
  }
  if (typeof shape === "string") {
    const named = SHAPE_TYPES[shape.trim().toLowerCase()];
    if (named !== undefined) return { ...named };
    return /^\d{4}-\d{2}-\d{2}$/.test(shape)
      ? { type: "string", format: "date" }
      : { type: "string", description: shape };
  }
  if (typeof shape === "number") return { type: "number" };
  if (typeof shape === "boolean") return { type: "boolean" };
  return {};
}

/** Made at their first use: making them takes long, and many who load this never check a schema. */
const VALIDATORS = {
  get latest(): Ajv {
    latest ??= new Ajv2020({ strict: false });
    return latest;
  },
  get draft7(): Ajv {
    draft7 ??= new Ajv({ strict: false });
    return draft7;
  },
};
let latest: Ajv | undefined;
let draft7: Ajv | undefined;

/** What the meta-schema says against it; undefined when it is a schema of one of the two drafts that we know. */
function metaFault(schema: AnySchema): string | undefined {
  const named = isObject(schema) ? schema.$schema : undefined;
  const order =
    typeof named === "string" && named.includes("draft-07")
      ? [VALIDATORS.draft7]
      : typeof named === "string"
        ? [VALIDATORS.latest]
        : [VALIDATORS.latest, VALIDATORS.draft7];
  let fault: string | undefined;
  for (const validator of order) {
    if (check(validator, schema)) return undefined;
    const [first] = validator.errors ?? [];
    fault ??= `${first?.instancePath || "the schema"} ${first?.message ?? "is not valid"}`;
  }
  return fault;
}

function check(validator: Ajv, schema: AnySchema): boolean {
  const plain = isObject(schema) ? { ...schema } : schema;
  // The meta-schema is chosen by us: an unknown $schema must not be looked up.
  if (isObject(plain)) delete plain.$schema;
  return validator.validateSchema(plain) === true;
}

/** @returns the schema (a shape turned into one), or one sentence saying why it is none */
export function parseUserSchema(given: unknown): { schema: Json } | { fault: string } {
  let value = given;
  if (typeof given === "string") {
    try {
      value = JSON.parse(given);
    } catch {
      return { fault: "it is not valid JSON" };
    }
  }
  if (!isObject(value)) return { fault: "it must be a JSON object" };
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH) return { fault: `it is nested more than ${MAX_DEPTH} levels deep` };
  if (Object.keys(value).length > 0 && !Object.keys(value).some((name) => TELLING.has(name)))
    return { schema: schemaOfShape(value) };
  const fault = metaFault(value);
  return fault === undefined ? { schema: value } : { fault };
}
