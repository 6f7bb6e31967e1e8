/**
 * Derives the request for each chunk from the user's schema. A schema means a list of records if it is a list, an
 * object with one list and nothing else, or an object with the list that the dedup key begins with. Any other schema
 * describes one record.
 */
import { isObject, type Json, type JsonObject, own } from "../../../ports/json.ts";
import { isCalculated } from "../../schema/formulas/calculated-fields.ts";
import { type ParsedSchema, parseSchema } from "../../schema/parsed-schema.ts";
import type { Shape } from "../../schema/schema-shape.ts";
import { keyPath } from "./record-key.ts";

/** A chunk's whole data is one record: a general result. */
export interface GeneralForm {
  kind: "general";
}

/** The place of records in a chunk's data. */
export interface RecordListSpec {
  /** The member that holds them. */
  list: string;
  /** Members beside the list: they go to the header. */
  rest: string[];
  /** Members of a record that the schema names. */
  names: string[];
}

export interface ListForm extends RecordListSpec {
  kind: "list";
  /** Schema of a chunk's data, calculated fields included: any number of records as the user describes them. */
  chunk: Json;
  /** Schema of all records together, and of the members beside them. */
  whole: Json;
  /** The user's schema, when it describes one record. */
  single?: Json;
}

export type RecordForm = GeneralForm | ListForm;

/** The list's name when the user gives none. */
const RECORDS = "records";
const RECORDS_DESCRIPTION =
  "Every record that stands on these pages, whole or in part, in the order of the document; an empty list where there is none.";

/** Keywords about the number of items: they hold for the whole list, not for a chunk. */
const COUNT_KEYWORDS = ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"];
/** Keywords of the container that hold for a chunk. */
const CONTAINER_KEYWORDS = ["type", "description", "title", "properties", "additionalProperties"];
const DEFINITION_KEYWORDS = ["$schema", "$defs", "definitions"];

const without = (schema: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
const only = (schema: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));

const MAX_SCHEMA_DEPTH = 70;

/** Moves a schema to another place: references into it are adapted; those to definitions stay, as these move to the root. */
function rebased(schema: Json, place: string, depth = 0): Json {
  if (depth > MAX_SCHEMA_DEPTH || typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((one) => rebased(one, place, depth + 1));
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]): [string, Json] => {
      if (name !== "$ref" || typeof value !== "string") return [name, rebased(value, place, depth + 1)];
      return [name, /^#(?:\/(?!(?:\$defs|definitions)\/).*)?$/.test(value) ? `#${place}${value.slice(1)}` : value];
    }),
  );
}

/** An object of one list, with the definitions that the list's schema uses. */
function listObject(list: JsonObject, schema: Json, place: string): JsonObject {
  const definitions = isObject(schema) ? only(schema, DEFINITION_KEYWORDS) : {};
  return {
    ...(rebased(definitions, place) as JsonObject),
    type: "object",
    properties: { [RECORDS]: list },
    required: [RECORDS],
  };
}

const withoutDefinitions = (schema: Json): Json =>
  isObject(schema) ? without(schema, [...DEFINITION_KEYWORDS, "$id"]) : schema;

/** The members of an object, or of a list's items. */
const namesOf = (shape: Shape): string[] => {
  const record = shape.kind === "list" ? shape.item : shape;
  return record.kind === "object" ? record.members.map(({ name }) => name) : [];
};

function arrayForm({ json: schema, shape }: ParsedSchema): ListForm {
  const place = `/properties/${RECORDS}`;
  const list = rebased(withoutDefinitions(schema), place);
  const chunk = isObject(list)
    ? { description: RECORDS_DESCRIPTION, ...without(list, COUNT_KEYWORDS) }
    : { type: "array" };
  return {
    kind: "list",
    list: RECORDS,
    chunk: listObject(chunk, schema, place),
    whole: listObject(isObject(list) ? list : chunk, schema, place),
    rest: [],
    names: namesOf(shape),
  };
}

function recordForm({ json: schema, shape }: ParsedSchema): ListForm {
  const place = `/properties/${RECORDS}/items`;
  const list = { type: "array", description: RECORDS_DESCRIPTION, items: rebased(withoutDefinitions(schema), place) };
  const chunk = listObject(list, schema, place);
  return {
    kind: "list",
    list: RECORDS,
    chunk,
    whole: chunk,
    single: schema,
    rest: [],
    names: namesOf(shape),
  };
}

function containerForm(schema: JsonObject, shape: Shape, properties: JsonObject, list: string): ListForm {
  const rest = Object.keys(properties).filter((name) => name !== list);
  const records = own(properties, list);
  const about = isObject(records) ? own(records, "description") : undefined;
  const described = typeof about === "string" ? `${about}\n${RECORDS_DESCRIPTION}` : RECORDS_DESCRIPTION;
  const items = isObject(records) ? { ...without(records, COUNT_KEYWORDS), description: described } : {};
  // Members keep the user's order; those beside the list may be on other pages, so they are not required.
  const members = Object.entries(properties).map(([name, member]): [string, Json] => [
    name,
    name === list ? items : member,
  ]);
  const chunk = {
    ...only(schema, [...CONTAINER_KEYWORDS, ...DEFINITION_KEYWORDS]),
    properties: Object.fromEntries(members),
    required: [list],
  };
  const held = shape.kind === "object" ? shape.members.find(({ name }) => name === list)?.shape : undefined;
  return { kind: "list", list, chunk, whole: schema, rest, names: held === undefined ? [] : namesOf(held) };
}

/** The list of records in a schema, with the properties of its container. */
function containerOf(
  { json: schema, shape }: ParsedSchema,
  dedupKey: string | undefined,
): { properties: JsonObject; list: string } | undefined {
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  const combined = isObject(schema) && ["$ref", "allOf", "anyOf", "oneOf"].some((name) => Object.hasOwn(schema, name));
  if (shape.kind !== "object" || !isObject(properties) || combined) return undefined;
  const lists = shape.members.filter((member) => member.shape.kind === "list").map(({ name }) => name);
  const [first = ""] = dedupKey === undefined ? [] : keyPath(dedupKey);
  if (lists.includes(first)) return { properties, list: first };
  const plain = Object.keys(properties).filter((name) => !isCalculated(properties[name]));
  const [list] = lists;
  return list !== undefined && plain.length === 1 && lists.length === 1 ? { properties, list } : undefined;
}

/**
 * The form of the records that a request asks for.
 * @param request `openly`: a model answers, so records can be asked for without a schema
 */
export function recordFormOf(request: { schema?: ParsedSchema; dedupKey?: string; openly: boolean }): RecordForm {
  const { schema, dedupKey, openly } = request;
  if (schema === undefined) return openly ? recordForm(parseSchema({ type: "object" })) : { kind: "general" };
  if (schema.shape.kind === "list") return arrayForm(schema);
  const container = containerOf(schema, dedupKey);
  return container === undefined || !isObject(schema.json)
    ? recordForm(schema)
    : containerForm(schema.json, schema.shape, container.properties, container.list);
}

/** The schema of `{records}`; undefined when nothing describes a record. */
export function wholeSchemaOf(form: RecordForm): Json | undefined {
  if (form.kind !== "list" || !isObject(form.whole)) return undefined;
  const { properties } = form.whole;
  const records = isObject(properties) ? (own(properties, form.list) ?? own(properties, RECORDS)) : undefined;
  if (records === undefined) return undefined;
  return { ...only(form.whole, DEFINITION_KEYWORDS), type: "object", properties: { [RECORDS]: records } };
}

/** The form without the members that belong to the header. */
export function withoutRest(form: ListForm): ListForm {
  const { chunk, list } = form;
  const properties = isObject(chunk) ? own(chunk, "properties") : undefined;
  if (!isObject(chunk) || !isObject(properties)) return form;
  return { ...form, chunk: { ...chunk, properties: only(properties, [list]) } };
}

/** The default schema of the header: the members beside the records. */
export function headerSchemaOf(form: RecordForm): Json | undefined {
  if (form.kind !== "list" || form.rest.length === 0 || !isObject(form.whole)) return undefined;
  const properties = own(form.whole, "properties");
  const asked = Object.entries(isObject(properties) ? properties : {}).filter(
    ([name, member]) => form.rest.includes(name) && !isCalculated(member),
  );
  if (asked.length === 0) return undefined;
  return { ...only(form.whole, DEFINITION_KEYWORDS), type: "object", properties: Object.fromEntries(asked) };
}
