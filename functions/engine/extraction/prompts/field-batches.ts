/** Splits a schema into batches that fit one answer each: groups of fields, and rows of each list by pages. */

import { isObject, type Json, type JsonObject, own } from "../../../ports/json.ts";
import { estimateTokens } from "../../../ports/llm-tokens.ts";
import { typesOf } from "../../schema/convert-scalar.ts";
import type { ParsedSchema } from "../../schema/parsed-schema.ts";
import { optionsOf, type SchemaResolver } from "../../schema/schema-resolver.ts";
import type { Shape } from "../../schema/schema-shape.ts";
import { type AnswerSchema, toAnswerSchema } from "../answers/answer-schema.ts";
import { LIMITS_MEMBER, LIMITS_SCHEMA } from "../answers/stated-limits.ts";
import type { PageContent } from "./model-content.ts";

/** The content of one request. */
export interface Batch {
  /** Unique in its plan: `all`, `fields-1`, `rows-2.1`. */
  id: string;
  kind: "whole" | "fields" | "rows";
  /** Names of the fields, or the path of the list, for readers. */
  names: string[];
  /** For rows: the names that lead to the list. */
  path: string[];
  /** Schema of the answer, in the user's terms. */
  schema: Json;
  answer: AnswerSchema;
  /** Pages in the request. */
  pages: number[];
  /** For rows: the pages of the wanted rows; the page before them is in the request too. */
  own: number[];
  /** The pages are some of a document that is too long for one request; others are asked for the same fields. */
  partial?: true;
}

/** Models miss fields of longer lists. */
const MAX_GROUP_FIELDS = 25;
/** Tokens of a member's name and punctuation, which every row repeats. */
const NAME_TOKENS = 6;
/** Planned size of an answer, as a share of the longest one. */
const ANSWER_FILL_SHARE = 0.5;
/** Nested objects are searched for lists up to this depth. */
const MAX_LIST_DEPTH = 4;

/** Number of scalar fields. */
export function countFields(shape: Shape): number {
  if (shape.kind === "scalar") return 1;
  if (shape.kind === "list") return countFields(shape.item);
  return shape.kind === "object" ? shape.members.reduce((sum, { shape: member }) => sum + countFields(member), 0) : 0;
}

/** Number of fields of list items. */
export function countRowFields(shape: Shape): number {
  if (shape.kind === "list") return countFields(shape.item);
  return shape.kind === "object"
    ? shape.members.reduce((sum, { shape: member }) => sum + countRowFields(member), 0)
    : 0;
}

/** Tokens of a page's rows as JSON, if each of its lines were a row. */
export const rowTokens = (text: string, fields: number): number =>
  estimateTokens(text) + text.split("\n").length * fields * NAME_TOKENS;

interface RowList {
  path: string[];
  schema: JsonObject;
}

/** All references still resolve in a part of the schema. */
function canBeSplit(schema: Json): boolean {
  const open: Json[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const reference = isObject(value) ? own(value, "$ref") : undefined;
    if (typeof reference === "string" && !/^#\/(?:\$defs|definitions)\//.test(reference)) return false;
    for (const member of Object.values(value)) open.push(member);
  }
  return true;
}

/** The flat schema of an object without alternatives. */
function plainObject(resolver: SchemaResolver, schema: Json): JsonObject | undefined {
  const flat = resolver.flat(schema)?.schema;
  if (flat === undefined || optionsOf(flat) !== undefined || !isObject(own(flat, "properties"))) return undefined;
  const types = typesOf(flat);
  return types?.size === 1 && types.has("object") ? flat : undefined;
}

function listOfObjects(resolver: SchemaResolver, schema: Json): JsonObject | undefined {
  const flat = resolver.flat(schema)?.schema;
  if (flat === undefined || optionsOf(flat) !== undefined || typesOf(flat)?.has("array") !== true) return undefined;
  const items = own(flat, "items");
  if (items === undefined || Array.isArray(items)) return undefined;
  const item = resolver.flat(items)?.schema;
  return item !== undefined && resolver.alternatives(item).every((one) => typesOf(one)?.has("object") === true)
    ? flat
    : undefined;
}

/** Removes the lists of objects from an object's schema. @returns the rest; undefined when nothing is left */
function takeLists(
  resolver: SchemaResolver,
  object: JsonObject,
  path: string[],
  lists: RowList[],
): JsonObject | undefined {
  const properties = own(object, "properties");
  const kept: [string, Json][] = [];
  for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
    const place = [...path, name];
    const list = listOfObjects(resolver, property);
    if (list !== undefined) {
      lists.push({ path: place, schema: list });
      continue;
    }
    const inner = place.length < MAX_LIST_DEPTH ? plainObject(resolver, property) : undefined;
    const found = lists.length;
    const rest = inner === undefined ? undefined : takeLists(resolver, inner, place, lists);
    if (lists.length === found) kept.push([name, property]);
    else if (rest !== undefined) kept.push([name, rest]);
  }
  return kept.length === 0 ? undefined : withProperties(object, kept);
}

function withProperties(object: JsonObject, properties: [string, Json][]): JsonObject {
  const names = new Set(properties.map(([name]) => name));
  const required = own(object, "required");
  const kept = Array.isArray(required) ? required.filter((name) => names.has(String(name))) : [];
  const about = own(object, "description");
  return {
    type: "object",
    ...(about === undefined ? {} : { description: about }),
    properties: Object.fromEntries(properties),
    required: kept,
  };
}

/** Groups of properties, in order. */
function groupsOf(properties: readonly [string, Json][], schema: ParsedSchema): [string, Json][][] {
  const groups: [string, Json][][] = [];
  let size = MAX_GROUP_FIELDS;
  for (const property of properties) {
    const fields = countFields(schema.shapeOf(property[1]));
    if (size + fields > MAX_GROUP_FIELDS) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(property);
    size += fields;
  }
  return groups;
}

/** The definitions that references of a schema may lead to. */
export function definitionsOf(root: Json): JsonObject {
  if (!isObject(root)) return {};
  return Object.fromEntries(
    ["$schema", "$defs", "definitions"].flatMap((name): [string, Json][] => {
      const value = own(root, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Windows of pages whose rows fit one answer. */
function windowsOf(pages: readonly PageContent[], fields: number, answerTokens: number): number[][] {
  const windows: number[][] = [];
  let room = 0;
  for (const { number, text } of pages) {
    const tokens = rowTokens(text, fields);
    if (tokens > room || windows.length === 0) {
      windows.push([]);
      room = answerTokens * ANSWER_FILL_SHARE;
    }
    windows.at(-1)?.push(number);
    room -= tokens;
  }
  return windows;
}

/** The pages of a window and the one before, where a row or a table's header may begin. */
function pagesToShow(own: readonly number[], pages: readonly number[]): number[] {
  const before = pages[pages.indexOf(own[0] ?? 0) - 1];
  return before === undefined ? [...own] : [before, ...own];
}

/** Rows with the page on which each begins, which orders them and reveals duplicates. */
const rowsSchema = (list: JsonObject, root: Json, limits: boolean): Json => ({
  ...definitionsOf(root),
  type: "object",
  properties: {
    rows: {
      type: "array",
      ...(typeof list.description === "string" ? { description: list.description } : {}),
      items: {
        type: "object",
        properties: {
          page: { type: "integer", description: "Number of the page on which the row begins" },
          row: own(list, "items") ?? {},
        },
        required: ["page", "row"],
      },
    },
    ...(limits ? { [LIMITS_MEMBER]: LIMITS_SCHEMA } : {}),
  },
  required: ["rows"],
});

/** The whole schema as one batch. */
export const wholeBatch = (schema: Json, pages: readonly PageContent[], limits: boolean): Batch => ({
  id: "all",
  kind: "whole",
  names: [],
  path: [],
  schema,
  answer: toAnswerSchema(schema, limits),
  pages: pages.map(({ number }) => number),
  own: [],
});

/**
 * The batches of a run in steps, in the order of the schema; one batch for a schema that cannot be split.
 * @param parsed without calculated fields @param limits answers with lists state their limits
 */
export function groupBatches(
  parsed: ParsedSchema,
  pages: readonly PageContent[],
  answerTokens: number,
  limits = false,
): Batch[] {
  const { json: schema, resolver } = parsed;
  const root = canBeSplit(schema) ? plainObject(resolver, schema) : undefined;
  if (root === undefined) return [wholeBatch(schema, pages, limits)];
  const lists: RowList[] = [];
  const rest = takeLists(resolver, root, [], lists);
  const properties = rest === undefined ? {} : own(rest, "properties");
  const numbers = pages.map(({ number }) => number);
  const groups = rest === undefined || !isObject(properties) ? [] : groupsOf(Object.entries(properties), parsed);
  const fields = groups.map((group, at): Batch => {
    const part = { ...definitionsOf(schema), ...withProperties(rest ?? {}, group) };
    const names = group.map(([name]) => name);
    return {
      id: `fields-${at + 1}`,
      kind: "fields",
      names,
      path: [],
      schema: part,
      answer: toAnswerSchema(part),
      pages: numbers,
      own: [],
    };
  });
  const rows = lists.flatMap(({ path, schema: list }, at) => {
    const part = rowsSchema(list, schema, limits);
    const answer = { ...toAnswerSchema(part), ...(limits ? { limits } : {}) };
    const fields = countRowFields(parsed.shapeOf(list));
    return windowsOf(pages, fields, answerTokens).map(
      (window, index): Batch => ({
        id: `rows-${at + 1}.${index + 1}`,
        kind: "rows",
        names: [path.join(".")],
        path,
        schema: part,
        answer,
        pages: pagesToShow(window, numbers),
        own: window,
      }),
    );
  });
  const batches = [...fields, ...rows];
  return batches.length === 0 ? [wholeBatch(schema, pages, limits)] : batches;
}

/** Halves the pages of a batch that is asked for all its fields. */
function halvePages(batch: Batch): [Batch, Batch] {
  const middle = Math.ceil(batch.pages.length / 2);
  const part = (pages: number[], name: string): Batch => ({ ...batch, id: `${batch.id}${name}`, pages, own: pages });
  return [part(batch.pages.slice(0, middle), "a"), part(batch.pages.slice(middle), "b")];
}

/** Halves a batch whose answer was too long; undefined when it cannot be split. */
export function halveBatch(batch: Batch): [Batch, Batch] | undefined {
  if (batch.partial === true && batch.pages.length > 1) return halvePages(batch);
  if (batch.kind === "rows") {
    if (batch.own.length < 2) return undefined;
    const middle = Math.ceil(batch.own.length / 2);
    const part = (half: number[], name: string): Batch => ({
      ...batch,
      id: `${batch.id}${name}`,
      own: half,
      pages: pagesToShow(half, batch.pages),
    });
    return [part(batch.own.slice(0, middle), "a"), part(batch.own.slice(middle), "b")];
  }
  const properties = isObject(batch.schema) ? own(batch.schema, "properties") : undefined;
  if (batch.kind !== "fields" || !isObject(properties) || batch.names.length < 2) return undefined;
  const entries = Object.entries(properties);
  const middle = Math.ceil(entries.length / 2);
  const part = (half: [string, Json][], name: string): Batch => {
    const schema = { ...definitionsOf(batch.schema), ...withProperties(batch.schema as JsonObject, half) };
    return {
      ...batch,
      id: `${batch.id}${name}`,
      names: half.map(([one]) => one),
      schema,
      answer: toAnswerSchema(schema),
    };
  };
  return [part(entries.slice(0, middle), "a"), part(entries.slice(middle), "b")];
}
