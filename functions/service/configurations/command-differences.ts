/** What changed between two revisions of a configuration. */
import { isObject, type Json } from "../../ports/json.ts";
import { depthOfJson } from "../../ports/json-depth.ts";
import type { StoredCommand } from "./configuration-records.ts";

/** A place where two commands differ; null where one of them has nothing there. */
export interface Difference {
  /** JSON Pointer (RFC 6901). Below a `schema`, which is stored as text, it goes on into the schema. */
  path: string;
  from: Json;
  to: Json;
}

/** Compares members, and elements by their places. Two members that are absent or null are equal. */
export function commandDifferences(from: StoredCommand, to: StoredCommand): Difference[] {
  const found: Difference[] = [];
  compare(from as Json, to as Json, "", found);
  return found;
}

/** Deepest nesting of a schema that is compared member by member, so that recursion does not overflow the stack. */
const MAX_SCHEMA_DEPTH = 1000;

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The JSON in a schema's text; another text as it is, because a shape may be refused only when it is used. */
function schemaOf(value: Json): Json {
  if (typeof value !== "string") return value;
  try {
    const schema: Json = JSON.parse(value);
    return depthOfJson(value) > MAX_SCHEMA_DEPTH ? value : schema;
  } catch {
    return value;
  }
}

function compare(from: Json, to: Json, path: string, found: Difference[]): void {
  const both = childrenOf(from, to);
  if (both === undefined) {
    if (from !== to) found.push({ path, from, to });
    return;
  }
  const [before, after] = both;
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(name) ?? null, after.get(name) ?? null];
    const below = `${path}/${escaped(name)}`;
    if (name === "schema") compare(schemaOf(one), schemaOf(other), below, found);
    else compare(one, other, below, found);
  }
}

/** The children of two objects, or of two arrays; undefined for values to compare as a whole. */
function childrenOf(from: Json, to: Json): [Map<string, Json>, Map<string, Json>] | undefined {
  const alike = Array.isArray(from) ? Array.isArray(to) : isObject(from) && isObject(to);
  return alike ? [new Map(Object.entries(from as object)), new Map(Object.entries(to as object))] : undefined;
}
