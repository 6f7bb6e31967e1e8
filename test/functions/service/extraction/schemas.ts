/** Random schemas, with data that fits them, nearly fits them, or does not fit. */
import type { Json } from "../../../../functions/ports/json.ts";
import type { Random } from "../../engine/extraction/prng.ts";

type Schema = { [member: string]: Json };

const NAMES = ["total", "date", "name", "items", "a/b", "x~y", "", "constructor", "Größe", "id", "rate"];
const PATTERNS = ["^[A-Z]{2,3}$", "^\\d+$", "^(a+)+$", "x", "^(?!.*z).*$"];
const FORMATS = ["date", "date-time", "email", "uri", "uuid", "ipv4", "time", "unknown-format"];
const TEXTS = [
  "",
  "abc",
  "EUR",
  "€",
  "12",
  "1.234,50 €",
  "5 March 2024",
  "2024-03-05",
  "yes",
  "aaaa!",
  "a@b.de",
  "ä😀",
  "null",
];
const NUMBERS = [0, 1, -1, 12, 12.5, 1e21, 0.1, 100, 2024];

const few = <T>(random: Random, most: number, make: (at: number) => T): T[] =>
  Array.from({ length: random.int(0, most) }, (_, at) => make(at));

function scalarSchema(random: Random): Schema {
  switch (random.int(0, 9)) {
    case 0:
      return { type: "string", pattern: random.pick(PATTERNS) };
    case 1:
      return { type: "string", format: random.pick(FORMATS) };
    case 2:
      return { type: ["string", "null"], minLength: random.int(0, 3), maxLength: random.int(2, 12) };
    case 3:
      return { type: "number", minimum: random.int(-2, 3), exclusiveMaximum: random.int(4, 2_000) };
    case 4:
      return { type: "integer", multipleOf: random.int(1, 4) };
    case 5:
      return { enum: [random.pick(TEXTS), random.pick(NUMBERS), ...(random.int(0, 1) === 0 ? [null] : [])] };
    case 6:
      return { const: random.pick([...TEXTS, ...NUMBERS, true, null]) };
    case 7:
      return { type: "boolean" };
    case 8:
      return { type: ["number", "null"] };
    default:
      return { type: "string" };
  }
}

function objectSchema(random: Random, depth: number): Schema {
  const names = [...new Set(few(random, 5, () => random.pick(NAMES)))];
  const properties = Object.fromEntries(names.map((name) => [name, anySchema(random, depth - 1)]));
  const schema: Schema = { properties };
  if (random.int(0, 4) > 0) schema.type = random.int(0, 3) === 0 ? ["object", "null"] : "object";
  schema.required = names.filter(() => random.int(0, 2) === 0);
  if (random.int(0, 2) === 0) schema.additionalProperties = random.int(0, 1) === 0 ? false : anySchema(random, 0);
  if (random.int(0, 8) === 0) schema.patternProperties = { [random.pick(PATTERNS)]: anySchema(random, 0) };
  if (random.int(0, 8) === 0) schema.propertyNames = { maxLength: 6 };
  if (random.int(0, 8) === 0) schema.minProperties = random.int(0, 3);
  if (random.int(0, 8) === 0) schema.maxProperties = random.int(1, 3);
  if (random.int(0, 8) === 0) schema.dependentRequired = { total: ["date"] };
  if (random.int(0, 8) === 0) {
    schema.if = { properties: { total: { type: "number" } }, required: ["total"] };
    const follows: [string, Json][] = [
      ["then", { required: ["id"] }],
      ["else", { properties: { name: { type: "string" } } }],
    ];
    Object.assign(schema, Object.fromEntries(follows));
  }
  if (random.int(0, 12) === 0) schema.unevaluatedProperties = false;
  return schema;
}

function arraySchema(random: Random, depth: number): Schema {
  const schema: Schema = { type: "array", items: anySchema(random, depth - 1) };
  if (random.int(0, 4) === 0) schema.minItems = random.int(0, 3);
  if (random.int(0, 4) === 0) schema.maxItems = random.int(1, 4);
  if (random.int(0, 4) === 0) schema.uniqueItems = true;
  if (random.int(0, 6) === 0) schema.contains = scalarSchema(random);
  if (random.int(0, 6) === 0) {
    schema.prefixItems = [anySchema(random, 0), anySchema(random, 0)];
    if (random.int(0, 1) === 0) schema.items = false;
  }
  return schema;
}

function combinedSchema(random: Random, depth: number): Schema {
  const parts = [anySchema(random, depth - 1), anySchema(random, depth - 1)];
  switch (random.int(0, 5)) {
    case 0:
      return { anyOf: parts };
    case 1:
      return { oneOf: parts };
    case 2:
      return { allOf: [objectSchema(random, depth - 1), objectSchema(random, depth - 1)] };
    case 3:
      return { not: scalarSchema(random) };
    case 4:
      return { $ref: random.pick(["#/$defs/node", "#/$defs/flat"]) };
    default:
      return { anyOf: [objectSchema(random, depth - 1), { type: "null" }] };
  }
}

function anySchema(random: Random, depth: number): Json {
  if (depth <= 0) return random.int(0, 12) === 0 ? random.int(0, 3) > 0 : scalarSchema(random);
  const kind = random.int(0, 9);
  if (kind < 3) return scalarSchema(random);
  if (kind < 6) return objectSchema(random, depth);
  return kind < 8 ? arraySchema(random, depth) : combinedSchema(random, depth);
}

/** Schemas, mostly with an object at the root, as users write them. */
export function randomSchema(random: Random): Schema {
  const root = random.int(0, 6) === 0 ? anySchema(random, 3) : objectSchema(random, 3);
  return {
    ...(typeof root === "object" && root !== null && !Array.isArray(root) ? root : {}),
    $defs: {
      flat: objectSchema(random, 1),
      node: { type: "object", properties: { v: scalarSchema(random), next: { $ref: "#/$defs/node" } } },
    },
  };
}

const isSchema = (value: Json | undefined): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Data of a schema's types, with occasional faults. */
export function nearlyFitting(random: Random, schema: Json | undefined, root: Schema, depth = 6): Json {
  if (!isSchema(schema) || depth === 0 || random.int(0, 11) === 0) return anything(random, 1);
  const reference = schema.$ref;
  if (typeof reference === "string") {
    const definitions = root.$defs;
    const name = reference.split("/").at(-1) ?? "";
    return nearlyFitting(random, isSchema(definitions) ? definitions[name] : undefined, root, depth - 1);
  }
  if (Object.hasOwn(schema, "const")) return schema.const ?? null;
  if (Array.isArray(schema.enum)) return random.pick(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return nearlyFitting(random, random.pick(options), root, depth - 1);
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map((part) => nearlyFitting(random, part, root, depth - 1));
    return Object.assign({}, ...parts.filter(isSchema)) as Json;
  }
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  if (type === "array") return few(random, 4, () => nearlyFitting(random, schema.items, root, depth - 1));
  if (type === "object" || isSchema(schema.properties)) {
    const members = Object.entries(isSchema(schema.properties) ? schema.properties : {}).filter(
      () => random.int(0, 6) > 0,
    );
    const more = random.int(0, 5) === 0 ? [["extra", anything(random, 1)] as [string, Json]] : [];
    const named = members.map(([name, one]): [string, Json] => [name, nearlyFitting(random, one, root, depth - 1)]);
    return Object.fromEntries([...named, ...more]);
  }
  if (type === "boolean") return random.int(0, 1) === 0;
  if (type === "null") return null;
  return type === "number" || type === "integer" ? random.pick(NUMBERS) : random.pick(TEXTS);
}

export function anything(random: Random, depth: number): Json {
  const kind = random.int(0, depth > 0 ? 6 : 4);
  if (kind === 0) return null;
  if (kind === 1) return random.int(0, 1) === 0;
  if (kind === 2) return random.pick(NUMBERS);
  if (kind <= 4) return random.pick(TEXTS);
  if (kind === 5) return few(random, 4, () => anything(random, depth - 1));
  return Object.fromEntries(few(random, 4, () => [random.pick(NAMES), anything(random, depth - 1)]));
}
