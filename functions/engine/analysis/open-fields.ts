/** The fields of a result that the document left open, as questions to other documents. Pure. */
import type { Json } from "../../ports/json.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { valueAt } from "../schema/json-pointer.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import type { Field } from "../schema/schema-shape.ts";
import { splitName } from "../values/text-folding.ts";

/** A null scalar, and the words that say what it is. */
export interface OpenField {
  pointer: string;
  question: string;
}

/** Most fields that are looked up: each is a search. */
const MAX_OPEN_FIELDS = 40;
/** Names of a field and its parents that tell what it is. */
const TELLING_NAMES = 2;
/** Reasons of values that were looked for on the page. */
const LOOKED_FOR = new Set(["not-found", "null-value"]);

const questionOf = ({ path, title, description }: Field): string =>
  [...path.slice(-TELLING_NAMES).flatMap(splitName), title, description].filter((text) => text !== "").join(" ");

/** The fields of a schema that are null because the document does not print them. */
export function openFields(result: Json, sources: SourceLocations, { fields }: ParsedSchema): OpenField[] {
  const open = sources.unresolved.flatMap(({ pointer, reason }) => {
    if (!LOOKED_FOR.has(reason) || valueAt(result, pointer) !== null) return [];
    const field = fields.get(pointer);
    return field === undefined ? [] : [{ pointer, question: questionOf(field) }];
  });
  return open.slice(0, MAX_OPEN_FIELDS);
}
