/** The result of a job as values of a template. */
import { UnprocessableEntity } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject, parseJsonBytes } from "../../ports/json.ts";

/** Without members that are null: a value that a document does not have leaves the field as it is. */
const withoutNulls = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, Json][] =>
      value === null ? [] : [[name, inside(value)]],
    ),
  );

/** A value without null members in it; the items of a list stay as many. */
function inside(value: Json): Json {
  if (Array.isArray(value)) return value.map(inside);
  return isObject(value) ? withoutNulls(value) : value;
}

/**
 * @param result of a job, JSON that the service wrote
 * @throws UnprocessableEntity for a result that names no fields, such as a list
 */
export function valuesOfResult(result: Uint8Array): JsonObject {
  const values = parseJsonBytes(result);
  if (isObject(values)) return withoutNulls(values);
  throw new UnprocessableEntity(
    "The result of the job is no object by field name; process the document with the schema of GET /template/schema",
  );
}
