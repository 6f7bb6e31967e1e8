import { isObject, type Json, type JsonObject, own } from "../../../ports/json.ts";
import { isCalculated } from "../../schema/formulas/calculated-fields.ts";
import { readSchema, type Shape } from "../../schema/schema-shape.ts";
import { keyPath } from "./record-key.ts";

/** The whole of a chunk is one record: a general result. */
export interface GeneralForm {
  kind: "general";
}

/** How records stand in a chunk's data. */
export interface RecordListSpec {
  /** The member that holds them. */
  list: string;
  /** Members of the container beside its list: they go to the header. */
  rest: string[];
  /** Members of a record, as far as the schema names them. */
  names: string[];
}

export interface ListForm extends RecordListSpec {
  kind: "list";
  /** What a chunk's data must fit, calculated fields included: records as the user describes them, however many. */
  chunk: Json;
  /** What all records together must fit, beside members of the container that are no records. */
  whole: Json;
  /** The user's schema, where it describes one record. */
  single?: Json;
}

export type RecordForm = GeneralForm | ListForm;

/** The member's name where the user gives none. */
const RECORDS = "records";
const ABOUT =
  "Every record that stands on these pages, whole or in part, in the order of the document; an empty list where there is none.";

/** Keywords about how many there are: true of the whole, not of a chunk. */
const COUNTS = ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"];
/** Keywords of an object that speak of members which other chunks may have. */
const CONTAINER = ["type", "description", "title", "properties", "additionalProperties"];
const DEFINITIONS = ["$schema", "$defs", "definitions"];

const without = (schema: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
const only = (schema: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));

const DEEPEST = 70;

/** The same schema where references into it begin at another place; those to definitions stay, which are moved up. */
function rebased(schema: Json, place: string, depth = 0): Json {
  if (depth > DEEPEST || typeof schema !== "object" || schema === null) return schema;
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
  const definitions = isObject(schema) ? only(schema, DEFINITIONS) : {};
  return {
    ...(rebased(definitions, place) as JsonObject),
    type: "object",
    properties: { [RECORDS]: list },
    required: [RECORDS],
  };
}

const bare = (schema: Json): Json => (isObject(schema) ? without(schema, [...DEFINITIONS, "$id"]) : schema);

/** The members of an object, or of a list's items. */
const namesOf = (shape: Shape): string[] => {
  const record = shape.kind === "list" ? shape.item : shape;
  return record.kind === "object" ? record.members.map(({ name }) => name) : [];
};

function arrayForm(schema: Json): ListForm {
  const place = `/properties/${RECORDS}`;
  const list = rebased(bare(schema), place);
  const chunk = isObject(list) ? { description: ABOUT, ...without(list, COUNTS) } : { type: "array" };
  return {
    kind: "list",
    list: RECORDS,
    chunk: listObject(chunk, schema, place),
    whole: listObject(isObject(list) ? list : chunk, schema, place),
    rest: [],
    names: namesOf(readSchema(schema)),
  };
}

function recordForm(schema: Json): ListForm {
  const place = `/properties/${RECORDS}/items`;
  const list = { type: "array", description: ABOUT, items: rebased(bare(schema), place) };
  const chunk = listObject(list, schema, place);
  return {
    kind: "list",
    list: RECORDS,
    chunk,
    whole: chunk,
    single: schema,
    rest: [],
    names: namesOf(readSchema(schema)),
  };
}

function containerForm(schema: JsonObject, properties: JsonObject, list: string): ListForm {
  const rest = Object.keys(properties).filter((name) => name !== list);
  const records = own(properties, list);
  const about = isObject(records) ? own(records, "description") : undefined;
  const described = typeof about === "string" ? `${about}\n${ABOUT}` : ABOUT;
  const items = isObject(records) ? { ...without(records, COUNTS), description: described } : {};
  // In the user's order; what is no record may stand on other pages, so that nothing of it is required here.
  const members = Object.entries(properties).map(([name, member]): [string, Json] => [
    name,
    name === list ? items : member,
  ]);
  const chunk = {
    ...only(schema, [...CONTAINER, ...DEFINITIONS]),
    properties: Object.fromEntries(members),
    required: [list],
  };
  const shape = readSchema(schema);
  const held = shape.kind === "object" ? shape.members.find(({ name }) => name === list)?.shape : undefined;
  return { kind: "list", list, chunk, whole: schema, rest, names: held === undefined ? [] : namesOf(held) };
}

/** The list that is meant, and the properties of the object that holds it. */
function containerOf(schema: Json, dedupKey: string | undefined): { properties: JsonObject; list: string } | undefined {
  const shape = readSchema(schema);
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
 * @param request `openly`: somebody answers who understands the prompt, so that records can be asked for without a schema
 */
export function recordFormOf(request: { schema?: Json; dedupKey?: string; openly: boolean }): RecordForm {
  const { schema, dedupKey, openly } = request;
  if (schema === undefined) return openly ? recordForm({ type: "object" }) : { kind: "general" };
  if (readSchema(schema).kind === "list") return arrayForm(schema);
  const container = containerOf(schema, dedupKey);
  return container === undefined || !isObject(schema)
    ? recordForm(schema)
    : containerForm(schema, container.properties, container.list);
}

/** What `{records}` is asked for with; undefined where nobody said what a record is. */
export function wholeSchemaOf(form: RecordForm): Json | undefined {
  if (form.kind !== "list" || !isObject(form.whole)) return undefined;
  const { properties } = form.whole;
  const records = isObject(properties) ? (own(properties, form.list) ?? own(properties, RECORDS)) : undefined;
  if (records === undefined) return undefined;
  return { ...only(form.whole, DEFINITIONS), type: "object", properties: { [RECORDS]: records } };
}

/** The same without the members that the header is asked for. */
export function withoutRest(form: ListForm): ListForm {
  const { chunk, list } = form;
  const properties = isObject(chunk) ? own(chunk, "properties") : undefined;
  if (!isObject(chunk) || !isObject(properties)) return form;
  return { ...form, chunk: { ...chunk, properties: only(properties, [list]) } };
}

/** What the header is asked for, where the user says nothing else: the members beside the records. */
export function headerSchemaOf(form: RecordForm): Json | undefined {
  if (form.kind !== "list" || form.rest.length === 0 || !isObject(form.whole)) return undefined;
  const properties = own(form.whole, "properties");
  const asked = Object.entries(isObject(properties) ? properties : {}).filter(
    ([name, member]) => form.rest.includes(name) && !isCalculated(member),
  );
  if (asked.length === 0) return undefined;
  return { ...only(form.whole, DEFINITIONS), type: "object", properties: Object.fromEntries(asked) };
}
