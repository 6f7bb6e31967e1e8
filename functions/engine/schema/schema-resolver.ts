import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";

/** Schemas looked at, each remembered: alternatives of alternatives multiply. */
const MOST_STEPS = 200_000;
const DEEPEST = 40;

/** Alternatives within alternatives are followed so deep. */
const NESTED_OPTIONS = 8;

interface FlatSchema {
  /** Without `$ref` and `allOf`. */
  schema: JsonObject;
  /** The references that led there. */
  references: string[];
}

function decode(part: string): string {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** The types that a schema names; none where it leaves them open. */
export function namedTypes(schema: JsonObject): string[] {
  const type = own(schema, "type");
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
}

/** Its alternatives: `anyOf`, `oneOf`, or none. */
export function optionsOf(schema: JsonObject): Json[] | undefined {
  const options = own(schema, "anyOf") ?? own(schema, "oneOf");
  return Array.isArray(options) && options.length > 0 ? options : undefined;
}

const COMBINED = ["anyOf", "oneOf"];

/** What both say; of two that say it differently, the later. Properties of both are kept, those of the same name joined. */
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

export class SchemaResolver {
  readonly root: Json;
  readonly #flat = new Map<Json | undefined, FlatSchema | undefined>();
  readonly #options = new Map<JsonObject, JsonObject[]>();
  #steps = 0;

  constructor(root: Json) {
    this.root = root;
  }

  /** References followed and `allOf` joined. @returns undefined for `false`, and where references lead in a circle */
  flat(schema: Json | undefined): FlatSchema | undefined {
    if (this.#flat.has(schema)) return this.#flat.get(schema);
    const flat = this.#flatten(schema, [], 0);
    this.#flat.set(schema, flat);
    return flat;
  }

  /** Each alternative of a flat schema with what stands beside them; the schema itself where it has none. */
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
    if (depth > NESTED_OPTIONS) return [];
    const beside = Object.fromEntries(Object.entries(schema).filter(([name]) => !COMBINED.includes(name)));
    return options.flatMap((option) => {
      const flat = this.flat(option)?.schema;
      if (flat === undefined) return [];
      const joined = join(beside, flat);
      return optionsOf(flat) === undefined ? [joined] : this.#split(joined, depth + 1);
    });
  }

  #flatten(schema: Json | undefined, open: readonly string[], depth: number): FlatSchema | undefined {
    this.#steps += 1;
    if (schema === false || depth > DEEPEST || this.#steps > MOST_STEPS) return undefined;
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

  /** Follows `#`, `#/a/b` and `#anchor`; what stands elsewhere is not looked for. */
  find(reference: string): Json | undefined {
    if (reference === "#") return this.root;
    if (!reference.startsWith("#")) return undefined;
    if (!reference.startsWith("#/")) return this.#anchored(reference.slice(1));
    let at: Json | undefined = this.root;
    for (const part of reference.slice(2).split("/").map(decode)) {
      if (Array.isArray(at)) at = at[Number(part)];
      else if (isObject(at)) at = own(at, part);
      else return undefined;
    }
    return at;
  }

  #anchored(anchor: string): Json | undefined {
    if (!isObject(this.root)) return undefined;
    const definitions = [own(this.root, "$defs"), own(this.root, "definitions")]
      .filter(isObject)
      .flatMap(Object.values);
    return definitions.find(
      (one) => isObject(one) && (own(one, "$anchor") === anchor || own(one, "$id") === `#${anchor}`),
    );
  }
}
