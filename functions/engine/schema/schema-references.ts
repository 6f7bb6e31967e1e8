/**
 * References of a user's schema, resolved inside it alone: by place, by anchor and by `$id`. Nothing is ever fetched, so
 * a reference that leads out of the schema leads nowhere.
 */
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { SchemaResolver } from "./schema-resolver.ts";

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  "items",
  "additionalItems",
  "prefixItems",
  "contains",
  "unevaluatedItems",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "allOf",
  "anyOf",
  "oneOf",
]);
/** Keywords whose value holds schemas by name. */
const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
]);
/** The same, with those that hold definitions, which only references lead to. */
const DEFINITION_MAP_KEYWORDS = new Set([...SCHEMA_MAP_KEYWORDS, "$defs", "definitions"]);

/** Base of the references in a schema without an `$id`. */
const ROOT_BASE = "schema:/";

const MAX_QUOTED_CHARS = 100;
/** A user's text for a sentence, cut. */
export const shortened = (text: string): string =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;

export const referenceFault = (reference: string): string =>
  `refers to ${shortened(reference)}, which is not part of it`;

/** The schemas directly inside a schema; with `maps`, keywords that hold more of them by name. */
export function innerSchemas(schema: JsonObject, maps = SCHEMA_MAP_KEYWORDS): Json[] {
  const found: Json[] = [];
  // Most schemas have few members, so those are looked up, not the keywords.
  for (const [name, value] of Object.entries(schema)) {
    if (maps.has(name) && isObject(value)) for (const inner of Object.values(value)) found.push(inner);
    if (!SCHEMA_KEYWORDS.has(name)) continue;
    if (Array.isArray(value)) for (const inner of value) found.push(inner);
    else found.push(value);
  }
  return found;
}

const resolveUrl = (reference: string, base: string): string | undefined =>
  URL.canParse(reference, base) ? new URL(reference, base).href : undefined;

function splitFragment(url: string): [address: string, fragment: string] {
  const at = url.indexOf("#");
  return at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}

/** A schema's named parts, and the targets of its references. */
export class SchemaReferences {
  /** The base of the references in each schema. */
  readonly #bases = new Map<Json, string>();
  /** Schemas with an `$id`, and the root, by their address. */
  readonly #resources = new Map<string, SchemaResolver>();
  /** Schemas with an anchor, by address and anchor. */
  readonly #anchors = new Map<string, Json>();

  constructor(root: Json) {
    this.#resources.set(ROOT_BASE, new SchemaResolver(root));
    const open: [schema: Json, base: string][] = [[root, ROOT_BASE]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [schema, outer] = next;
      if (!isObject(schema)) continue;
      const base = this.#name(schema, outer);
      this.#bases.set(schema, base);
      for (const inner of innerSchemas(schema, DEFINITION_MAP_KEYWORDS)) open.push([inner, base]);
    }
  }

  /** Records the names of a schema. @returns the base of the references in it */
  #name(schema: JsonObject, outer: string): string {
    const id = own(schema, "$id");
    let base = outer;
    if (typeof id === "string") {
      const [address, anchor] = splitFragment(resolveUrl(id, outer) ?? outer);
      if (anchor !== "") this.#anchors.set(`${address}#${anchor}`, schema);
      if (!id.startsWith("#")) {
        base = address;
        this.#resources.set(base, new SchemaResolver(schema));
      }
    }
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = own(schema, keyword);
      if (typeof anchor === "string") this.#anchors.set(`${base}#${anchor}`, schema);
    }
    return base;
  }

  /** The target of a reference that stands in `schema`; undefined when the whole schema has none. */
  targetOf(reference: string, schema: Json): Json | undefined {
    const url = resolveUrl(reference, this.#bases.get(schema) ?? ROOT_BASE);
    if (url === undefined) return undefined;
    const [address, fragment] = splitFragment(url);
    const resource = this.#resources.get(address);
    if (resource === undefined) return undefined;
    if (fragment === "" || fragment.startsWith("/")) return resource.find(`#${fragment}`);
    return this.#anchors.get(`${address}#${fragment}`);
  }
}

/** @returns the first `$ref` with which data would be checked and that has no target in the schema */
export function unreachableReference(root: Json): string | undefined {
  const references = new SchemaReferences(root);
  const open: Json[] = [root];
  const seen = new Set<Json>();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const reference = own(schema, "$ref");
    if (typeof reference === "string") {
      const target = references.targetOf(reference, schema);
      if (target === undefined) return reference;
      open.push(target);
    }
    for (const inner of innerSchemas(schema)) open.push(inner);
  }
  return undefined;
}
