import { isObject, type Json, type JsonObject, own } from "../../../ports/json.ts";
import { findJson } from "../../schema/json-text.ts";
import type { Batch } from "../prompts/field-batches.ts";

/** A part and the text that the model answered. */
export interface PartAnswer {
  batch: Pick<Batch, "id" | "kind" | "path" | "pages" | "own"> & { answer: { wrapped: boolean } };
  text: string;
}

interface Row {
  page: number;
  row: Json;
}

const define = (object: JsonObject, name: string, value: Json): void => {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
};

/** Members of both; of the same name, objects are joined, and what is something else comes from the later. */
function join(target: JsonObject, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) {
    const there = own(target, name);
    if (isObject(there) && isObject(value)) join(there, value);
    else if (there === undefined || value !== null) define(target, name, value);
  }
}

function put(target: JsonObject, path: readonly string[], rows: Json[]): void {
  let object = target;
  for (const name of path.slice(0, -1)) {
    const inner = own(object, name);
    const next: JsonObject = isObject(inner) ? inner : {};
    if (next !== inner) define(object, name, next);
    object = next;
  }
  define(object, path.at(-1) ?? "", rows);
}

/** `{"result": …}` without its wrapping; an answer that came without is taken as it is. */
function unwrap(value: Json, wrapped: boolean): Json {
  const inner = wrapped && isObject(value) && Object.keys(value).length === 1 ? own(value, "result") : undefined;
  return inner ?? value;
}

/** The rows of an answer, also where it gives them without their pages, or under the list's own name. */
function rowsOf(value: Json, batch: PartAnswer["batch"]): Row[] | undefined {
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

/** Rows of a page that another part has to give are dropped where that part gave them too. */
function inOrder(parts: readonly { own: readonly number[]; rows: readonly Row[] }[]): Json[] {
  const owned = new Set<string>();
  const key = ({ page, row }: Row): string => `${page} ${JSON.stringify(row)}`;
  for (const part of parts) {
    for (const row of part.rows) if (part.own.includes(row.page)) owned.add(key(row));
  }
  return parts
    .flatMap((part) => part.rows.filter((row) => part.own.includes(row.page) || !owned.has(key(row))))
    .map((row, at) => ({ ...row, at }))
    .sort((a, b) => a.page - b.page || a.at - b.at)
    .map(({ row }) => row);
}

/** @returns the data, and the ids of the parts whose answer is no JSON of their kind */
export function mergeAnswers(parts: readonly PartAnswer[]): { data: Json; unread: string[] } {
  const unread: string[] = [];
  const data: JsonObject = {};
  const lists = new Map<string, { path: string[]; parts: { own: number[]; rows: Row[] }[] }>();
  for (const { batch, text } of parts) {
    const json = findJson(text);
    const value = json === undefined ? undefined : unwrap(json, batch.answer.wrapped);
    if (value === undefined || (batch.kind === "fields" && !isObject(value))) {
      unread.push(batch.id);
      continue;
    }
    if (batch.kind === "whole") return { data: value, unread };
    if (batch.kind === "fields") {
      if (isObject(value)) join(data, value);
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
  for (const { path, parts: found } of lists.values()) put(data, path, inOrder(found));
  return { data, unread };
}
