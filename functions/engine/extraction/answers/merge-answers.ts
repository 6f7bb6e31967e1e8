/** Merges the answers to the parts of a schema: members at their places, rows in document order. */
import { isObject, type Json, type JsonObject, own, setOwn } from "../../../ports/json.ts";
import { findJson } from "../../schema/json-text.ts";
import type { Batch } from "../prompts/field-batches.ts";
import type { AnswerSchema } from "./answer-schema.ts";
import { LIMITS_MEMBER, RESULT_MEMBER, readStatedLimits, type StatedLimit } from "./stated-limits.ts";

/** A batch and the model's answer to it. */
export interface PartAnswer {
  batch: Pick<Batch, "id" | "kind" | "path" | "pages" | "own"> & {
    answer: Pick<AnswerSchema, "wrapped" | "limits">;
  };
  text: string;
}

interface AnsweredRow {
  page: number;
  row: Json;
}

const isBlank = (value: Json | undefined): boolean => value === undefined || value === null || value === "";

/** Lists of two answers, one after the other; of scalars, only those that the first does not have. */
const joinLists = (one: readonly Json[], other: readonly Json[]): Json[] => [
  ...one,
  ...other.filter((item) => typeof item === "object" || !one.includes(item)),
];

/**
 * Adds the members of `source`: objects and lists of the same name are joined; of other values the first wins, as pages
 * are asked for in their order.
 */
function joinMembers(target: JsonObject, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) {
    const there = own(target, name);
    if (isObject(there) && isObject(value)) joinMembers(there, value);
    else if (Array.isArray(there) && Array.isArray(value)) setOwn(target, name, joinLists(there, value));
    else if (there === undefined || (isBlank(there) && !isBlank(value))) setOwn(target, name, value);
  }
}

/** Joins answers for the whole schema, each from other pages. */
function joinWholes(wholes: readonly Json[]): Json {
  const given = wholes.filter((value) => !isBlank(value));
  if (given.every((value) => Array.isArray(value))) return given.flat();
  const [first = null] = given;
  if (given.length < 2 || !isObject(first)) return first;
  const joined: JsonObject = {};
  for (const value of given) if (isObject(value)) joinMembers(joined, value);
  return joined;
}

/** Puts rows at a path, and creates the objects on the way. */
function putRows(target: JsonObject, path: readonly string[], rows: Json[]): void {
  let object = target;
  for (const name of path.slice(0, -1)) {
    const inner = own(object, name);
    const next: JsonObject = isObject(inner) ? inner : {};
    if (next !== inner) setOwn(object, name, next);
    object = next;
  }
  setOwn(object, path.at(-1) ?? "", rows);
}

/** Unwraps `{"result": …, "limits": …}`; an answer without the wrapping stays as it is. */
function unwrap(value: Json, { wrapped, limits = false }: PartAnswer["batch"]["answer"]): Json {
  if (!isObject(value)) return value;
  const { [LIMITS_MEMBER]: stated, ...data } = value;
  const bare = limits && stated !== undefined ? data : value;
  const inner = wrapped && Object.keys(bare).length === 1 ? own(bare, RESULT_MEMBER) : undefined;
  return inner ?? bare;
}

/** The rows of an answer, also when it gives them without pages or under the list's own name. */
function rowsOf(value: Json, batch: PartAnswer["batch"]): AnsweredRow[] | undefined {
  const name = batch.path.at(-1) ?? "";
  const list = isObject(value) ? own(value, Object.hasOwn(value, "rows") ? "rows" : name) : value;
  if (list === null) return [];
  if (!Array.isArray(list)) return undefined;
  const [first = 0] = batch.own;
  return list.map((item) => {
    const row = isObject(item) && Object.hasOwn(item, "row") ? own(item, "row") : undefined;
    const page = isObject(item) && row !== undefined ? own(item, "page") : undefined;
    const known = typeof page === "number" && batch.pages.includes(page) ? page : first;
    return { page: known, row: row ?? item };
  });
}

/** Rows in page order. A row of another batch's page is dropped when that batch gave it too. */
function sortedRows(parts: readonly { own: readonly number[]; rows: readonly AnsweredRow[] }[]): Json[] {
  const owned = new Set<string>();
  const key = ({ page, row }: AnsweredRow): string => `${page} ${JSON.stringify(row)}`;
  for (const part of parts) {
    for (const row of part.rows) if (part.own.includes(row.page)) owned.add(key(row));
  }
  return parts
    .flatMap((part) => part.rows.filter((row) => part.own.includes(row.page) || !owned.has(key(row))))
    .map((row, at) => ({ ...row, at }))
    .sort((a, b) => a.page - b.page || a.at - b.at)
    .map(({ row }) => row);
}

/**
 * Merges the answers of all batches.
 * @param normalize brings an answer for the whole schema into the schema's form
 * @returns the data, the ids of batches whose answer has the wrong form, and the limits that the answers state
 */
export function mergeAnswers(
  parts: readonly PartAnswer[],
  normalize = (value: Json): Json => value,
): { data: Json; unread: string[]; limits: StatedLimit[] } {
  const unread: string[] = [];
  const wholes: Json[] = [];
  const data: JsonObject = {};
  const limits: StatedLimit[] = [];
  const lists = new Map<string, { path: string[]; parts: { own: number[]; rows: AnsweredRow[] }[] }>();
  for (const { batch, text } of parts) {
    const json = findJson(text);
    const value = json === undefined ? undefined : unwrap(json, batch.answer);
    if (value === undefined || (batch.kind === "fields" && !isObject(value))) {
      unread.push(batch.id);
      continue;
    }
    if (batch.answer.limits && isObject(json)) limits.push(...readStatedLimits(own(json, LIMITS_MEMBER)));
    if (batch.kind === "whole") {
      wholes.push(normalize(value));
      continue;
    }
    if (batch.kind === "fields") {
      if (isObject(value)) joinMembers(data, value);
      continue;
    }
    const rows = rowsOf(value, batch);
    if (rows === undefined) {
      unread.push(batch.id);
      continue;
    }
    const key = JSON.stringify(batch.path);
    const list = lists.get(key) ?? { path: batch.path, parts: [] };
    list.parts.push({ own: batch.own, rows });
    lists.set(key, list);
  }
  if (wholes.length > 0)
    return { data: wholes.length === 1 ? (wholes[0] ?? null) : joinWholes(wholes), unread, limits };
  for (const { path, parts: found } of lists.values()) putRows(data, path, sortedRows(found));
  return { data, unread, limits };
}
