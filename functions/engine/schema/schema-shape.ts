/** A schema as the fields of its result. */

import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { SchemaResolver } from "./schema-resolver.ts";
import { isNullSchema, isScalarSchema, nonNullTypes, SCALAR_TYPES, SchemaSimplifier } from "./simplify-schema.ts";

export type ScalarType = "string" | "number" | "integer" | "boolean";

/** One scalar of the result. */
export interface Field {
  name: string;
  /** Names of the properties from the root down to this one; list items add none. */
  path: string[];
  title: string;
  description: string;
  type: ScalarType;
  format: string | null;
  /** The allowed scalars, when the schema lists them. */
  choices: (string | number | boolean)[] | null;
  /** The one value that the schema allows. */
  constant: string | number | boolean | null;
  pattern: string | null;
  minLength: number;
  maxLength: number;
  minimum: number;
  maximum: number;
  /** A formula fills it after extraction. */
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
      maxItems?: number;
    }
  | { kind: "scalar"; field: Field }
  | { kind: "nothing" };

/** Deeper or larger schemas are cut: a document's data is never that deep, a hostile schema is. */
const MAX_SHAPE_DEPTH = 16;
const MAX_SHAPE_NODES = 3000;
const MAX_TITLE_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 1000;
const MAX_CHOICES = 500;

interface ShapeWalk {
  simplifier: SchemaSimplifier;
  nodes: number;
}

interface Place {
  path: string[];
  inItems: boolean;
  depth: number;
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const finiteOr = (value: Json | undefined, fallback: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : fallback;

function readType(schema: JsonObject, choices: Field["choices"], constant: Field["constant"]): ScalarType {
  const type = nonNullTypes(schema).find((name) => SCALAR_TYPES.has(name));
  if (type === "string" || type === "number" || type === "integer" || type === "boolean") return type;
  const sample = constant ?? choices?.[0] ?? "";
  return typeof sample === "number" ? "number" : typeof sample === "boolean" ? "boolean" : "string";
}

const isScalar = (value: Json | undefined): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function isMarkedCalculated(schema: JsonObject): boolean {
  const extension = own(schema, "x-docudevs");
  if (own(schema, "x-calculated") !== undefined && own(schema, "x-calculated") !== false) return true;
  return isObject(extension) && own(extension, "fieldType") === "calculated";
}

function makeField(schema: JsonObject, place: Place): Field {
  const listed = own(schema, "enum");
  const scalars = Array.isArray(listed) ? listed.filter(isScalar).slice(0, MAX_CHOICES) : null;
  const choices = scalars === null || scalars.length === 0 ? null : scalars;
  const given = own(schema, "const");
  const constant = isScalar(given) ? given : null;
  return {
    name: place.path.at(-1) ?? "",
    path: place.path,
    title: textOf(own(schema, "title")).slice(0, MAX_TITLE_CHARS),
    description: textOf(own(schema, "description")).slice(0, MAX_DESCRIPTION_CHARS),
    type: readType(schema, choices, constant),
    format: typeof own(schema, "format") === "string" ? textOf(own(schema, "format")) : null,
    choices,
    constant,
    pattern: typeof own(schema, "pattern") === "string" ? textOf(own(schema, "pattern")) : null,
    minLength: finiteOr(own(schema, "minLength"), 0),
    maxLength: finiteOr(own(schema, "maxLength"), Number.POSITIVE_INFINITY),
    minimum: Math.max(
      finiteOr(own(schema, "minimum"), Number.NEGATIVE_INFINITY),
      finiteOr(own(schema, "exclusiveMinimum"), Number.NEGATIVE_INFINITY),
    ),
    maximum: Math.min(
      finiteOr(own(schema, "maximum"), Number.POSITIVE_INFINITY),
      finiteOr(own(schema, "exclusiveMaximum"), Number.POSITIVE_INFINITY),
    ),
    calculated: isMarkedCalculated(schema),
    inItems: place.inItems,
  };
}

function schemaKind(schema: JsonObject): "object" | "list" | "scalar" {
  const [type] = nonNullTypes(schema);
  if (type === "object") return "object";
  if (type === "array") return "list";
  if (type !== undefined || isScalarSchema(schema)) return "scalar";
  if (isObject(own(schema, "properties"))) return "object";
  return own(schema, "items") !== undefined || own(schema, "prefixItems") !== undefined ? "list" : "scalar";
}

function shapeOfObject(schema: JsonObject, walk: ShapeWalk, place: Place): Shape {
  const properties = own(schema, "properties");
  const members: { name: string; shape: Shape }[] = [];
  for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
    const inner = { ...place, path: [...place.path, name], depth: place.depth + 1 };
    members.push({ name, shape: walk.simplifier.apart(() => shapeOfNode(property, walk, inner)) });
  }
  return { kind: "object", members, open: own(schema, "additionalProperties") !== false };
}

function shapeOfNode(schema: Json, walk: ShapeWalk, place: Place): Shape {
  walk.nodes += 1;
  if (place.depth > MAX_SHAPE_DEPTH || walk.nodes > MAX_SHAPE_NODES) return { kind: "nothing" };
  const flat = walk.simplifier.simplify(schema);
  if (flat === null || isNullSchema(flat)) return { kind: "nothing" };
  const kind = schemaKind(flat);
  if (kind === "object") return shapeOfObject(flat, walk, place);
  if (kind === "scalar") return { kind: "scalar", field: makeField(flat, place) };
  const items = own(flat, "items");
  const item = items === undefined || Array.isArray(items) ? false : items;
  const maxItems = own(flat, "maxItems");
  return {
    kind: "list",
    name: place.path.at(-1) ?? "",
    path: place.path,
    title: textOf(own(flat, "title")).slice(0, MAX_TITLE_CHARS),
    description: textOf(own(flat, "description")).slice(0, MAX_DESCRIPTION_CHARS),
    item: shapeOfNode(item, walk, { ...place, inItems: true, depth: place.depth + 1 }),
    ...(typeof maxItems === "number" ? { maxItems } : {}),
  };
}

/**
 * The shape of a schema's result. Never throws; recursion, remote references and `false` become "nothing" (null).
 * @param resolver of the schema that the references lead into
 */
export function readSchema(schema: Json, resolver = new SchemaResolver(schema)): Shape {
  if (schema === true) return { kind: "object", members: [], open: true };
  if (!isObject(schema)) return { kind: "nothing" };
  const flat = new SchemaSimplifier(resolver).simplify(schema);
  const untyped =
    flat !== null && nonNullTypes(flat).length === 0 && schemaKind(flat) === "scalar" && !isScalarSchema(flat);
  // A schema without rules for the whole result allows an object.
  if (untyped && !isNullSchema(flat)) return { kind: "object", members: [], open: true };
  const walk: ShapeWalk = { simplifier: new SchemaSimplifier(resolver), nodes: 0 };
  return shapeOfNode(schema, walk, { path: [], inItems: false, depth: 0 });
}
