/** Schemas of libraries as JSON Schema. */
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { SchemaInput, StandardSchema } from "./schema-types.ts";

/**
 * The JSON Schema of a schema, as it goes to the service. A library is asked for its own by Standard JSON Schema.
 * @throws TypeError for what is no schema, or has no JSON Schema
 */
export function jsonSchemaOf(schema: SchemaInput): string | JsonObject {
  if (typeof schema === "string") return schema;
  const given = isStandard(schema) ? jsonSchemaOfLibrary(schema["~standard"]) : schema;
  const plain: Json = typeof given === "function" ? null : JSON.parse(JSON.stringify(given));
  if (!isObject(plain)) throw new TypeError("A schema is a JSON Schema, a shape, or a schema of zod or TypeBox");
  return plain;
}

/** Libraries such as ArkType have schemas that are functions. */
const isStandard = (schema: object): schema is StandardSchema => "~standard" in schema;

function jsonSchemaOfLibrary({ vendor, jsonSchema }: StandardSchema["~standard"]): object {
  if (jsonSchema !== undefined) return jsonSchema.input({ target: "draft-2020-12" });
  const how = vendor === "zod" ? "z.toJSONSchema(schema)" : "its JSON Schema";
  throw new TypeError(`This schema of ${vendor} does not tell its JSON Schema; pass ${how} instead`);
}
