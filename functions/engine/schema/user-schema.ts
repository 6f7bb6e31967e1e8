/** Reads a user's schema from the wire: JSON Schema as an object or a string, or a shape. */
import { Ajv, type AnySchema } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject, type Json, type JsonObject } from "../../ports/json.ts";
import { limitFault } from "./schema-limits.ts";
import { referenceFault, unreachableReference } from "./schema-references.ts";

/**
 * Keywords that make an object a schema. Others (title, description, format, items …) are as likely names of wanted
 * values, so an object with only those is read as a shape.
 */
const SCHEMA_KEYWORDS = new Set([
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

/** Created at first use: it takes long, and many importers never check a schema. */
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

/** The meta-schema's first error; undefined for a valid schema of draft 2020-12 or 7. */
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
  // An unknown $schema must not be looked up.
  if (isObject(plain)) delete plain.$schema;
  return validator.validateSchema(plain) === true;
}

/** A schema's JSON, which may come as a text. @returns undefined for a text that is not JSON */
function jsonOf(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

const isShape = (value: JsonObject): boolean => {
  const names = Object.keys(value);
  return names.length > 0 && !names.some((name) => SCHEMA_KEYWORDS.has(name));
};

/** @returns the schema (shapes are converted), or the fault in one sentence */
export function parseUserSchema(given: unknown): { schema: Json } | { fault: string } {
  const value = jsonOf(given);
  if (value === undefined) return { fault: "it is not valid JSON" };
  if (!isObject(value)) return { fault: "it must be a JSON object" };
  const limit = limitFault(value);
  if (limit !== undefined) return { fault: `it ${limit}` };
  if (isShape(value)) return { schema: schemaOfShape(value) };
  const fault = metaFault(value);
  if (fault !== undefined) return { fault };
  const unreachable = unreachableReference(value);
  return unreachable === undefined ? { schema: value } : { fault: `it ${referenceFault(unreachable)}` };
}

/**
 * Reads a schema that `parseUserSchema` accepted, without checking it again.
 * @returns undefined for what is no JSON object
 */
export function readAcceptedSchema(given: unknown): Json | undefined {
  const value = jsonOf(given);
  if (!isObject(value)) return undefined;
  return isShape(value) ? schemaOfShape(value) : value;
}
