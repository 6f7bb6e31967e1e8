import type { Json } from "../../ports/json.ts";

type SchemaObject = { [member: string]: Json };
export type ScalarType = "string" | "number" | "integer" | "boolean";

/** One scalar that the result must hold. */
export interface Field {
  name: string;
  /** Names of the properties that lead to it, its own last; list items add nothing. */
  path: string[];
  title: string;
  description: string;
  type: ScalarType;
  format: string | null;
  /** The scalars that are allowed, when they are listed. */
  choices: (string | number | boolean)[] | null;
  /** The one value that the schema itself gives. */
  constant: string | number | boolean | null;
  pattern: string | null;
  minLength: number;
  maxLength: number;
  minimum: number;
  maximum: number;
  /** A property that a formula fills afterwards. */
  calculated: boolean;
  inItems: boolean;
}

export type Shape =
  | { kind: "object"; members: { name: string; shape: Shape }[]; open: boolean }
  | {
      kind: "list";
      name: string;
      path: string[];
      title: string;
      description: string;
      item: Shape;
      /** Where the schema bounds it. */
      maxItems?: number;
    }
  | { kind: "scalar"; field: Field }
  | { kind: "nothing" };

/** Deeper or larger schemas are cut: a document's data is never that deep, a hostile schema is. */
const MAX_DEPTH = 16;
const MAX_NODES = 3000;
const MAX_STEPS = 20_000;

interface Walk {
  root: Json;
  nodes: number;
  /** Schemas flattened so far; alternatives of alternatives would multiply. */
  steps: number;
  /** References being followed, to stop at recursion. */
  open: string[];
}

interface Place {
  path: string[];
  inItems: boolean;
  depth: number;
}

const isObject = (value: Json | undefined): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const own = (schema: SchemaObject, member: string): Json | undefined =>
  Object.hasOwn(schema, member) ? schema[member] : undefined;

/** Follows `#`, `#/a/b` and `#anchor` inside the schema. @returns undefined for what is elsewhere or missing */
function resolveReference(root: Json, reference: string): Json | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#")) return undefined;
  if (!reference.startsWith("#/")) return findAnchor(root, reference.slice(1));
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const name = decodePart(part);
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isObject(at)) at = own(at, name);
    else return undefined;
  }
  return at;
}

function decodePart(part: string): string {
  const plain = part.replace(/~1/g, "/").replace(/~0/g, "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function findAnchor(root: Json, anchor: string): Json | undefined {
  if (!isObject(root)) return undefined;
  for (const list of [own(root, "$defs"), own(root, "definitions")]) {
    if (!isObject(list)) continue;
    for (const definition of Object.values(list)) {
      if (isObject(definition) && (own(definition, "$anchor") === anchor || own(definition, "$id") === `#${anchor}`))
        return definition;
    }
  }
  return undefined;
}

/** Later members win, except that properties are joined. */
function mergeSchemas(base: SchemaObject, extra: SchemaObject): SchemaObject {
  const merged: SchemaObject = { ...base, ...extra };
  const [a, b] = [own(base, "properties"), own(extra, "properties")];
  if (isObject(a) && isObject(b)) merged.properties = { ...a, ...b };
  return merged;
}

const without = (schema: SchemaObject, member: string): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== member));

const saysEnough = (schema: SchemaObject): boolean =>
  ["type", "properties", "items", "enum", "const", "anyOf", "oneOf", "allOf"].some((member) =>
    Object.hasOwn(schema, member),
  );

/** References followed, allOf joined, one alternative chosen. @returns null where recursion or `false` ends it */
function flatten(schema: Json | undefined, walk: Walk, depth: number): SchemaObject | null {
  walk.steps += 1;
  if (schema === false || depth > MAX_DEPTH || walk.steps > MAX_STEPS) return null;
  if (!isObject(schema)) return {};
  let flat: SchemaObject = schema;
  const reference = own(flat, "$ref");
  if (typeof reference === "string") {
    if (walk.open.includes(reference)) return null;
    walk.open.push(reference);
    const found = resolveReference(walk.root, reference);
    const rest = without(flat, "$ref");
    // What a schema elsewhere allows is not known here, unless the place says enough itself.
    if (found === undefined && !saysEnough(rest)) return null;
    const target = found === undefined ? {} : flatten(found, walk, depth + 1);
    if (target === null) return null;
    flat = mergeSchemas(target, rest);
  }
  const all = own(flat, "allOf");
  if (Array.isArray(all)) {
    const rest = without(flat, "allOf");
    const parts = all.slice(0, 50).map((part) => flatten(part, walk, depth + 1));
    flat = parts.reduce<SchemaObject>((merged, part) => (part === null ? merged : mergeSchemas(merged, part)), {});
    flat = mergeSchemas(flat, rest);
  }
  return chooseAlternative(flat, walk, depth);
}

const SCALARS = new Set(["string", "number", "integer", "boolean"]);

function typesOf(schema: SchemaObject): string[] {
  const type = own(schema, "type");
  const list = Array.isArray(type) ? type : [type];
  return list.filter((item): item is string => typeof item === "string" && item !== "null");
}

const isScalarSchema = (schema: SchemaObject): boolean =>
  typesOf(schema).some((type) => SCALARS.has(type)) ||
  Array.isArray(own(schema, "enum")) ||
  own(schema, "const") !== undefined;

const isNullSchema = (schema: SchemaObject): boolean => own(schema, "type") === "null" || own(schema, "const") === null;

/** anyOf and oneOf: constants become a list of choices; else the first scalar, else the first that is not null. */
function chooseAlternative(schema: SchemaObject, walk: Walk, depth: number): SchemaObject | null {
  const list = own(schema, "anyOf") ?? own(schema, "oneOf");
  if (!Array.isArray(list) || isObject(own(schema, "properties"))) return schema;
  const rest = without(without(schema, "anyOf"), "oneOf");
  const before = [...walk.open];
  let chosen: SchemaObject | undefined;
  const constants: Json[] = [];
  let reached: string[] = before;
  for (const part of list.slice(0, 50)) {
    walk.open = [...before];
    const flat = flatten(part, walk, depth + 1);
    if (flat === null || isNullSchema(flat)) continue;
    const constant = own(flat, "const");
    if (constant !== undefined) constants.push(constant);
    if (chosen === undefined || (!isScalarSchema(chosen) && isScalarSchema(flat))) {
      chosen = flat;
      reached = walk.open;
    }
  }
  walk.open = reached;
  if (chosen === undefined) return list.length > 0 && !isScalarSchema(rest) ? null : rest;
  if (constants.length > 1) return { ...without(rest, "const"), enum: constants };
  return mergeSchemas(chosen, rest);
}

const finite = (value: Json | undefined, fallback: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : fallback;

function readType(schema: SchemaObject, choices: Field["choices"], constant: Field["constant"]): ScalarType {
  const type = typesOf(schema).find((name) => SCALARS.has(name));
  if (type === "string" || type === "number" || type === "integer" || type === "boolean") return type;
  const sample = constant ?? choices?.[0] ?? "";
  return typeof sample === "number" ? "number" : typeof sample === "boolean" ? "boolean" : "string";
}

const isScalar = (value: Json | undefined): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function isCalculated(schema: SchemaObject): boolean {
  const extension = own(schema, "x-docudevs");
  if (own(schema, "x-calculated") !== undefined && own(schema, "x-calculated") !== false) return true;
  return isObject(extension) && own(extension, "fieldType") === "calculated";
}

function makeField(schema: SchemaObject, place: Place): Field {
  const listed = own(schema, "enum");
  const scalars = Array.isArray(listed) ? listed.filter(isScalar).slice(0, 500) : null;
  const choices = scalars === null || scalars.length === 0 ? null : scalars;
  const given = own(schema, "const");
  const constant = isScalar(given) ? given : null;
  return {
    name: place.path.at(-1) ?? "",
    path: place.path,
    title: textOf(own(schema, "title")).slice(0, 200),
    description: textOf(own(schema, "description")).slice(0, 1000),
    type: readType(schema, choices, constant),
    format: typeof own(schema, "format") === "string" ? textOf(own(schema, "format")) : null,
    choices,
    constant,
    pattern: typeof own(schema, "pattern") === "string" ? textOf(own(schema, "pattern")) : null,
    minLength: finite(own(schema, "minLength"), 0),
    maxLength: finite(own(schema, "maxLength"), Number.POSITIVE_INFINITY),
    minimum: Math.max(
      finite(own(schema, "minimum"), Number.NEGATIVE_INFINITY),
      finite(own(schema, "exclusiveMinimum"), Number.NEGATIVE_INFINITY),
    ),
    maximum: Math.min(
      finite(own(schema, "maximum"), Number.POSITIVE_INFINITY),
      finite(own(schema, "exclusiveMaximum"), Number.POSITIVE_INFINITY),
    ),
    calculated: isCalculated(schema),
    inItems: place.inItems,
  };
}

function kindOf(schema: SchemaObject): "object" | "list" | "scalar" {
  const [type] = typesOf(schema);
  if (type === "object") return "object";
  if (type === "array") return "list";
  if (type !== undefined || isScalarSchema(schema)) return "scalar";
  if (isObject(own(schema, "properties"))) return "object";
  return own(schema, "items") !== undefined || own(schema, "prefixItems") !== undefined ? "list" : "scalar";
}

function walkObject(schema: SchemaObject, walk: Walk, place: Place): Shape {
  const properties = own(schema, "properties");
  const members: { name: string; shape: Shape }[] = [];
  if (isObject(properties)) {
    const open = [...walk.open];
    for (const [name, property] of Object.entries(properties)) {
      walk.open = [...open];
      members.push({
        name,
        shape: walkNode(property, walk, { ...place, path: [...place.path, name], depth: place.depth + 1 }),
      });
    }
    walk.open = open;
  }
  return { kind: "object", members, open: own(schema, "additionalProperties") !== false };
}

function walkNode(schema: Json, walk: Walk, place: Place): Shape {
  walk.nodes += 1;
  if (place.depth > MAX_DEPTH || walk.nodes > MAX_NODES) return { kind: "nothing" };
  const flat = flatten(schema, walk, 0);
  if (flat === null || isNullSchema(flat)) return { kind: "nothing" };
  const kind = kindOf(flat);
  if (kind === "object") return walkObject(flat, walk, place);
  if (kind === "scalar") return { kind: "scalar", field: makeField(flat, place) };
  const items = own(flat, "items");
  const item = items === undefined || Array.isArray(items) ? false : items;
  const most = own(flat, "maxItems");
  return {
    kind: "list",
    name: place.path.at(-1) ?? "",
    path: place.path,
    title: textOf(own(flat, "title")).slice(0, 200),
    description: textOf(own(flat, "description")).slice(0, 1000),
    item: walkNode(item, walk, { ...place, inItems: true, depth: place.depth + 1 }),
    ...(typeof most === "number" ? { maxItems: most } : {}),
  };
}

/** The shape of a schema's result. Never throws; recursion, remote references and `false` become "nothing" (null). */
export function readSchema(schema: Json): Shape {
  const walk: Walk = { root: schema, nodes: 0, steps: 0, open: [] };
  if (schema === true) return { kind: "object", members: [], open: true };
  if (!isObject(schema)) return { kind: "nothing" };
  const flat = flatten(schema, walk, 0);
  const untyped = flat !== null && typesOf(flat).length === 0 && kindOf(flat) === "scalar" && !isScalarSchema(flat);
  // A schema that says nothing about the whole result allows an object.
  if (untyped && !isNullSchema(flat)) return { kind: "object", members: [], open: true };
  return walkNode(schema, { root: schema, nodes: 0, steps: 0, open: [] }, { path: [], inItems: false, depth: 0 });
}
