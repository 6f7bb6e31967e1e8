/**
 * A user's schema in the strict form of structured outputs: all properties required and no others, unions by anyOf,
 * lists of choices. Source of the limits: OpenAI's documentation (10 levels, 5,000 properties, 120,000 characters of
 * names and choices, 1,000 choices). Every value may be null for facts that the document lacks; later checks apply the
 * rest of the schema.
 */
import { isObject, type Json, type JsonObject, own } from "../../../ports/json.ts";
import { choicesOf, typesOf } from "../../schema/convert-scalar.ts";
import { pointerOf } from "../../schema/json-pointer.ts";
import { namedTypes, SchemaResolver } from "../../schema/schema-resolver.ts";
import { LIMITS_MEMBER, LIMITS_SCHEMA, RESULT_MEMBER } from "./stated-limits.ts";

/** A user's schema in the strict form that model servers can enforce. */
export interface AnswerSchema {
  /** Absent when the strict form cannot express it: then the answer is any JSON. */
  schema?: Json;
  /** The answer is `{"result": …}`, because the data is not one object. */
  wrapped: boolean;
  /** Limits of lists stand beside the data. */
  limits?: boolean;
  // Rules that are only checked afterwards, such as `/lines/*/sku: pattern`.
  unexpressed: string[];
}

const MAX_LEVELS = 10;
const MAX_PROPERTIES = 5_000;
const MAX_SCHEMA_CHARS = 120_000;
const MAX_CHOICES = 1_000;
/** Lists of more choices have at most MAX_LONG_LIST_CHARS characters. */
const LONG_LIST_CHOICES = 250;
const MAX_LONG_LIST_CHARS = 15_000;
const MAX_UNEXPRESSED = 200;
const MAX_DESCRIPTION_CHARS = 500;

/** Keywords of the strict form; all others are noted. */
const EXPRESSED_KEYWORDS = new Set(
  "type properties required items enum const anyOf title description $schema $id $defs definitions $comment default examples deprecated readOnly writeOnly additionalProperties".split(
    " ",
  ),
);

/** The strict form cannot express the schema. */
class Inexpressible extends Error {}

type Step = string | number;
const isDefined = (strict: JsonObject | undefined): strict is JsonObject => strict !== undefined;

const SCALAR_TYPES = new Set(["string", "number", "integer", "boolean", "null"]);
const ANY_SCALAR: JsonObject = { anyOf: ["string", "number", "boolean", "null"].map((type) => ({ type })) };

const strictObject = (properties: [string, Json][]): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(properties),
  required: properties.map(([name]) => name),
  additionalProperties: false,
});

const described = (schema: JsonObject, strict: JsonObject): JsonObject => {
  const text = own(schema, "description") ?? own(schema, "title");
  return typeof text === "string" && text !== ""
    ? { ...strict, description: text.slice(0, MAX_DESCRIPTION_CHARS) }
    : strict;
};

const isNullable = (strict: JsonObject): boolean => {
  const type = own(strict, "type");
  if (type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  const options = own(strict, "anyOf");
  return Array.isArray(options) && options.some((option) => isObject(option) && isNullable(option));
};

/** The schema or null. */
function nullable(strict: JsonObject): JsonObject {
  if (isNullable(strict)) return strict;
  const { description, ...rest } = strict;
  const about = description === undefined ? {} : { description };
  const type = own(rest, "type");
  if (typeof type === "string" && SCALAR_TYPES.has(type) && !Object.hasOwn(rest, "enum")) {
    return { ...rest, type: [type, "null"], ...about };
  }
  const options = own(rest, "anyOf");
  return { anyOf: [...(Array.isArray(options) ? options : [rest]), { type: "null" }], ...about };
}

/** Converts one schema to the strict form. */
class StrictConverter {
  readonly #resolver: SchemaResolver;
  readonly unexpressed = new Set<string>();
  readonly definitions: [string, JsonObject][] = [];
  readonly #names = new Map<string, string>();
  #properties = 0;
  #characters = 0;
  #choices = 0;

  constructor(resolver: SchemaResolver) {
    this.#resolver = resolver;
  }

  /** @returns undefined for a value that no answer can hold */
  convert(given: Json, path: readonly Step[], open: readonly string[], level: number): JsonObject | undefined {
    if (level > MAX_LEVELS) throw new Inexpressible();
    const flat = this.#resolver.flat(given);
    if (flat === undefined) return undefined;
    const { schema } = flat;
    const again = flat.references.find((name) => open.includes(name));
    if (again !== undefined) return { $ref: this.#definition(again, path, level) };
    const inside = [...open, ...flat.references];
    if (own(schema, "oneOf") !== undefined) this.#note(path, "oneOf");
    const options = this.#resolver.alternatives(schema).flatMap((option) => this.#split(option));
    const strict = options.map((option) => this.#one(option, path, inside, level)).filter(isDefined);
    const [first] = strict;
    if (first === undefined) return undefined;
    if (strict.length === 1) return described(schema, first);
    const scalars = strict.map((one) => own(one, "type"));
    if (
      strict.every((one) => Object.keys(one).length === 1) &&
      scalars.every((type) => SCALAR_TYPES.has(String(type)))
    ) {
      return described(schema, { type: [...new Set(scalars.map(String))] });
    }
    return described(schema, { anyOf: unique(strict) });
  }

  /** Defines a recursive schema once. @returns its reference */
  #definition(reference: string, path: readonly Step[], level: number): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const name = `part${this.#names.size + 1}`;
    this.#names.set(reference, `#/$defs/${name}`);
    const strict = this.convert(this.#resolver.find(reference) ?? {}, path, [reference], level);
    if (strict === undefined) throw new Inexpressible();
    this.definitions.push([name, strict]);
    return `#/$defs/${name}`;
  }

  /** One alternative per type. */
  #split(schema: JsonObject): JsonObject[] {
    const named = namedTypes(schema);
    return choicesOf(schema) !== undefined || named.length < 2 ? [schema] : named.map((type) => ({ ...schema, type }));
  }

  #one(schema: JsonObject, path: readonly Step[], open: readonly string[], level: number): JsonObject | undefined {
    for (const keyword of Object.keys(schema)) {
      if (!EXPRESSED_KEYWORDS.has(keyword) && !keyword.startsWith("x-")) this.#note(path, keyword);
    }
    const choices = choicesOf(schema);
    if (choices !== undefined) return this.#chosen(choices, path);
    const types = typesOf(schema);
    if (types === undefined) {
      this.#note(path, "any type");
      return ANY_SCALAR;
    }
    if (types.has("object")) return this.#object(schema, path, open, level);
    if (types.has("array")) return this.#array(schema, path, open, level);
    const [type] = namedTypes(schema);
    return type === undefined || !SCALAR_TYPES.has(type) ? undefined : { type };
  }

  #chosen(choices: readonly Json[], path: readonly Step[]): JsonObject | undefined {
    const scalars = choices.filter((choice) => typeof choice !== "object" || choice === null);
    if (scalars.length < choices.length) this.#note(path, "enum");
    const types = [...new Set(scalars.map((choice) => (choice === null ? "null" : typeof choice)))];
    if (types.length === 0) return undefined;
    const characters = scalars.reduce((sum: number, choice) => sum + String(choice).length, 0);
    const [type = "string"] = types;
    const typed = { type: types.length === 1 ? type : types };
    const long = scalars.length > LONG_LIST_CHOICES && characters > MAX_LONG_LIST_CHARS;
    if (long || this.#choices + scalars.length > MAX_CHOICES || this.#characters + characters > MAX_SCHEMA_CHARS) {
      this.#note(path, "enum");
      return typed;
    }
    this.#choices += scalars.length;
    this.#characters += characters;
    return { ...typed, enum: scalars };
  }

  #object(schema: JsonObject, path: readonly Step[], open: readonly string[], level: number): JsonObject | undefined {
    const properties = own(schema, "properties");
    const known = isObject(properties) ? Object.entries(properties) : [];
    const required = own(schema, "required");
    const further = own(schema, "additionalProperties");
    if (known.length === 0) return further === false ? strictObject([]) : this.#map(schema, path, open, level);
    if (further !== false && further !== undefined) this.#note(path, "additionalProperties");
    const members = known.flatMap(([name, property]): [string, Json][] => {
      this.#properties += 1;
      this.#characters += name.length;
      if (this.#properties > MAX_PROPERTIES || this.#characters > MAX_SCHEMA_CHARS) throw new Inexpressible();
      const strict = this.convert(property, [...path, name], open, level + 1);
      if (strict === undefined) this.#note([...path, name], "left out");
      const needed = Array.isArray(required) && required.includes(name);
      return strict === undefined ? [] : [[name, this.#optional(property, strict, needed)]];
    });
    return strictObject(members);
  }

  /** Allows null, except for lists that may be empty, required objects (their members may be null) and constants. */
  #optional(property: Json, strict: JsonObject, required: boolean): JsonObject {
    if (required && own(strict, "type") === "object") return strict;
    const choices = own(strict, "enum");
    if (Array.isArray(choices) && choices.length === 1) return strict;
    const least = isObject(property) ? Number(own(property, "minItems") ?? 0) : 0;
    return own(strict, "type") === "array" && least === 0 ? strict : nullable(strict);
  }

  /** An object with names from the document becomes a list of its members. */
  #map(schema: JsonObject, path: readonly Step[], open: readonly string[], level: number): JsonObject {
    const patterns = own(schema, "patternProperties");
    const further = own(schema, "additionalProperties");
    const schemas = [...(isObject(patterns) ? Object.values(patterns) : []), ...(isObject(further) ? [further] : [])];
    const values = schemas.map((one) => this.convert(one, [...path, "*"], open, level + 2)).filter(isDefined);
    const [first] = values;
    const value = first === undefined ? ANY_SCALAR : values.length === 1 ? first : { anyOf: unique(values) };
    return {
      type: "array",
      description: "Each member as a key and its value",
      items: strictObject([
        ["key", { type: "string" }],
        ["value", value],
      ]),
    };
  }

  #array(schema: JsonObject, path: readonly Step[], open: readonly string[], level: number): JsonObject | undefined {
    const items = own(schema, "items");
    const first = own(schema, "prefixItems") ?? (Array.isArray(items) ? items : undefined);
    const place = [...path, "*"];
    if (!Array.isArray(first)) {
      if (items === undefined || items === true) this.#note(place, "any type");
      const item = items === undefined || items === true ? ANY_SCALAR : this.convert(items, place, open, level + 1);
      return item === undefined ? undefined : { type: "array", items: item };
    }
    this.#note(path, "prefixItems");
    const options = first.map((one) => this.convert(one, place, open, level + 1)).filter(isDefined);
    return { type: "array", items: options.length === 0 ? ANY_SCALAR : { anyOf: unique(options.map(nullable)) } };
  }

  #note(path: readonly Step[], keyword: string): void {
    if (this.unexpressed.size < MAX_UNEXPRESSED) this.unexpressed.add(`${pointerOf(path) || "/"}: ${keyword}`);
  }
}

const unique = (schemas: readonly JsonObject[]): JsonObject[] => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
];

/**
 * Converts a schema to the strict form.
 * @param schema without calculated fields, known to compile
 * @param limits the answer states limits of lists beside the data
 */
export function toAnswerSchema(schema: Json, limits = false): AnswerSchema {
  const resolver = new SchemaResolver(schema);
  const conversion = new StrictConverter(resolver);
  const unexpressed = (): string[] => [...conversion.unexpressed];
  const needsWrapping = isWrapped(schema, resolver);
  const form = { wrapped: limits || needsWrapping, ...(limits ? { limits } : {}) };
  try {
    const strict = conversion.convert(schema, [], [], form.wrapped ? 2 : 1);
    // Any JSON serves an object of arbitrary names as well.
    if (strict === undefined || (!needsWrapping && own(strict, "type") !== "object")) {
      return { ...form, unexpressed: ["/: the whole"] };
    }
    const { description: _, ...whole } = strict;
    const stated: [string, Json][] = limits ? [[LIMITS_MEMBER, LIMITS_SCHEMA]] : [];
    const root = form.wrapped ? strictObject([[RESULT_MEMBER, whole], ...stated]) : whole;
    const { definitions } = conversion;
    const $defs = definitions.length > 0 ? { $defs: Object.fromEntries(definitions) } : {};
    return { schema: { ...root, ...$defs }, ...form, unexpressed: unexpressed() };
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    return { ...form, unexpressed: ["/: the whole", ...unexpressed()] };
  }
}

/** The data must be wrapped: an answer's root is one object. */
function isWrapped(schema: Json, resolver: SchemaResolver): boolean {
  const flat = resolver.flat(schema)?.schema;
  if (flat === undefined) return false;
  const options = resolver.alternatives(flat);
  const objects = options.filter((option) => typesOf(option)?.has("object") ?? true);
  return options.length !== 1 || objects.length !== 1 || namedTypes(flat).length > 1;
}
