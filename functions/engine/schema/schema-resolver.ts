/** Resolves references and combinations of a user's schema as far as guidance needs it. Ajv alone judges data. */
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { unescapeStep } from "./json-pointer.ts";

/** Schemas flattened by one resolver: alternatives of alternatives multiply. */
const MAX_FLATTENED_SCHEMAS = 200_000;
const MAX_REFERENCE_DEPTH = 40;
const MAX_ALTERNATIVES_DEPTH = 8;

interface FlatSchema {
  /** Without `$ref` and `allOf`. */
  schema: JsonObject;
  /** The references that were followed. */
  references: string[];
}

function decodeStep(part: string): string {
  const plain = unescapeStep(part);
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** The types in a schema's `type`. */
export function namedTypes(schema: JsonObject): string[] {
  const type = own(schema, "type");
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
}

/** A schema's alternatives (`anyOf` or `oneOf`); undefined without any. */
export function optionsOf(schema: JsonObject): Json[] | undefined {
  const options = own(schema, "anyOf") ?? own(schema, "oneOf");
  return Array.isArray(options) && options.length > 0 ? options : undefined;
}

const ALTERNATIVE_KEYWORDS = ["anyOf", "oneOf"];

/** Merges two schemas: the later wins, except that `properties` and `required` of both are kept. */
function join(base: JsonObject, extra: JsonObject): JsonObject {
  const joined: JsonObject = { ...base, ...extra };
  const [a, b] = [own(base, "properties"), own(extra, "properties")];
  if (isObject(a) && isObject(b)) {
    const both = Object.keys(a).filter((name) => Object.hasOwn(b, name));
    const shared = both.map((name): [string, Json] => [name, { allOf: [own(a, name) ?? {}, own(b, name) ?? {}] }]);
    joined.properties = Object.fromEntries([...Object.entries(a), ...Object.entries(b), ...shared]);
  }
  const [required, more] = [own(base, "required"), own(extra, "required")];
  if (Array.isArray(required) && Array.isArray(more)) joined.required = [...new Set([...required, ...more])];
  return joined;
}

/** Follows the references and combinations of one schema, and remembers the outcome. */
export class SchemaResolver {
  readonly root: Json;
  readonly #flat = new Map<Json | undefined, FlatSchema | undefined>();
  readonly #options = new Map<JsonObject, JsonObject[]>();
  readonly #targets = new Map<string, Json | undefined>();
  #anchors: ReadonlyMap<string, JsonObject> | undefined;
  #flattened = 0;

  constructor(root: Json) {
    this.root = root;
  }

  /** The schema with references followed and `allOf` joined. @returns undefined for `false` and for circular references */
  flat(schema: Json | undefined): FlatSchema | undefined {
    if (this.#flat.has(schema)) return this.#flat.get(schema);
    const flat = this.#flatten(schema, [], 0);
    this.#flat.set(schema, flat);
    return flat;
  }

  /** Each alternative of a flat schema, joined with the keywords beside them; without alternatives, the schema itself. */
  alternatives(schema: JsonObject): JsonObject[] {
    const known = this.#options.get(schema);
    if (known !== undefined) return known;
    const options = this.#split(schema, 0);
    this.#options.set(schema, options);
    return options;
  }

  #split(schema: JsonObject, depth: number): JsonObject[] {
    const options = optionsOf(schema);
    if (options === undefined) return [schema];
    if (depth > MAX_ALTERNATIVES_DEPTH) return [];
    const beside = Object.fromEntries(Object.entries(schema).filter(([name]) => !ALTERNATIVE_KEYWORDS.includes(name)));
    return options.flatMap((option) => {
      const flat = this.flat(option)?.schema;
      if (flat === undefined) return [];
      const joined = join(beside, flat);
      return optionsOf(flat) === undefined ? [joined] : this.#split(joined, depth + 1);
    });
  }

  #flatten(schema: Json | undefined, open: readonly string[], depth: number): FlatSchema | undefined {
    this.#flattened += 1;
    if (schema === false || depth > MAX_REFERENCE_DEPTH || this.#flattened > MAX_FLATTENED_SCHEMAS) return undefined;
    if (!isObject(schema)) return { schema: {}, references: [] };
    const { $ref: reference, allOf: all, ...rest } = schema;
    let flat: JsonObject = {};
    const references: string[] = [];
    if (typeof reference === "string") {
      if (open.includes(reference)) return undefined;
      const target = this.#flatten(this.find(reference) ?? {}, [...open, reference], depth + 1);
      if (target === undefined) return undefined;
      references.push(reference, ...target.references);
      flat = target.schema;
    }
    for (const part of Array.isArray(all) ? all : []) {
      const joined = this.#flatten(part, open, depth + 1);
      if (joined === undefined) return undefined;
      references.push(...joined.references);
      flat = join(flat, joined.schema);
    }
    return { schema: join(flat, rest), references };
  }

  /** Follows `#`, `#/a/b` and `#anchor` within the schema. @returns undefined for other references */
  find(reference: string): Json | undefined {
    if (this.#targets.has(reference)) return this.#targets.get(reference);
    const target = this.#look(reference);
    this.#targets.set(reference, target);
    return target;
  }

  #look(reference: string): Json | undefined {
    if (reference === "#") return this.root;
    if (!reference.startsWith("#")) return undefined;
    if (!reference.startsWith("#/")) {
      this.#anchors ??= anchorsOf(this.root);
      return this.#anchors.get(reference.slice(1));
    }
    let at: Json | undefined = this.root;
    for (const part of reference.slice(2).split("/").map(decodeStep)) {
      if (Array.isArray(at)) at = at[Number(part)];
      else if (isObject(at)) at = own(at, part);
      else return undefined;
    }
    return at;
  }
}

/** The named definitions of a schema; of two with one name, the first. */
function anchorsOf(root: Json): ReadonlyMap<string, JsonObject> {
  const anchors = new Map<string, JsonObject>();
  const name = (anchor: Json | undefined, one: JsonObject): void => {
    if (typeof anchor === "string" && !anchors.has(anchor)) anchors.set(anchor, one);
  };
  for (const keyword of isObject(root) ? ["$defs", "definitions"] : []) {
    const definitions = own(root as JsonObject, keyword);
    for (const one of isObject(definitions) ? Object.values(definitions) : []) {
      if (!isObject(one)) continue;
      name(own(one, "$anchor"), one);
      const id = own(one, "$id");
      if (typeof id === "string" && id.startsWith("#")) name(id.slice(1), one);
    }
  }
  return anchors;
}
