/** Reads the body of a request to fill a template. */
import { BadRequest } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { isImageReference } from "./template.ts";

export type FillBody = { fields: JsonObject; images: string[] } | { fromJob: string };

const NO_FIELDS = 'The request has no "fields"; send {"fields": {"name": "value"}}, or {"fromJob": a job\'s GUID}';

/** @throws BadRequest */
function parse(bytes: Uint8Array): Json {
  try {
    // Fatal: bytes that are no text would be filled in as replacement signs.
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json;
  } catch (cause) {
    throw new BadRequest("The request body is no JSON; send an object in UTF-8", { cause });
  }
}

/** The `_ref` of each picture that a value names, once each. */
function imagesOf(fields: JsonObject): string[] {
  const found = new Set<string>();
  // A list instead of recursion: a body nests as deep as its sender likes.
  const open: Json[] = [fields];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const member of value) open.push(member);
    else if (isImageReference(value)) found.add(value._ref);
    else if (isObject(value)) for (const member of Object.values(value)) open.push(member);
  }
  return [...found];
}

/** @throws BadRequest for a body that is no JSON, without fields, or with both `fields` and `fromJob` */
export function readFillRequest(body: Uint8Array): FillBody {
  const request = parse(body);
  if (!isObject(request)) throw new BadRequest(NO_FIELDS);
  const [fields, fromJob] = [own(request, "fields"), own(request, "fromJob")];
  if (fields !== undefined && fromJob !== undefined) {
    throw new BadRequest('The request has both "fields" and "fromJob"; send one of them');
  }
  if (typeof fromJob === "string") return { fromJob };
  if (fromJob !== undefined) throw new BadRequest('"fromJob" takes the GUID of a job, as a text');
  if (fields === undefined) throw new BadRequest(NO_FIELDS);
  if (!isObject(fields)) throw new BadRequest('"fields" takes an object of values by field name');
  return { fields, images: imagesOf(fields) };
}

/** @throws BadRequest for JSON that is no object */
export function parseFields(bytes: Uint8Array): JsonObject {
  const fields = parse(bytes);
  if (!isObject(fields)) throw new BadRequest("The values are no object by field name");
  return fields;
}
