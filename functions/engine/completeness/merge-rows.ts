/** Merges later rows into their lists in document order, and removes duplicate and empty rows. */
import { encodeJson, isObject, type Json, own, parseJsonBytes, setOwn } from "../../ports/json.ts";
import { definitionsOf } from "../extraction/prompts/field-batches.ts";
import { stepsOf } from "../schema/json-pointer.ts";
import { findJson } from "../schema/json-text.ts";
import { normalizeData } from "../schema/normalize-data.ts";
import { type ParsedSchema, parseSchema } from "../schema/parsed-schema.ts";
import { compileSchema, type Validator } from "../schema/validator.ts";
import type { TextConventions } from "../values/text-conventions.ts";
import type { FoundRow, ListChange } from "./list-change.ts";
import type { ListReceipt } from "./list-receipt.ts";
import { pointerMover } from "./move-sources.ts";
import { isEmpty } from "./result-lists.ts";
import { itemSchema, type RowRequest } from "./row-requests.ts";

interface AnsweredRows {
  found: FoundRow[];
  /** Rows (`order`) that the model declares to be no rows of the list. */
  declined: number[];
}

/** A model's answer to a row request. */
export interface RowAnswer {
  request: Pick<RowRequest, "path" | "rows">;
  text: string;
}

/**
 * Validator for an item of a list; undefined if the item's schema has references that resolve only inside the whole
 * schema.
 */
function validatorFor(schema: Json, item: Json): Validator | undefined {
  if (!isObject(item)) return undefined;
  if (/"\$ref":"#(?!\/(?:\$defs|definitions)\/)/.test(JSON.stringify(item))) return undefined;
  return compileSchema({ ...definitionsOf(schema), ...item });
}

/** Reads the rows of an answer by their line numbers; drops rows without a known line number or against the schema. */
function readAnsweredRows(
  { request, text }: RowAnswer,
  schema: ParsedSchema,
  conventions: TextConventions,
): AnsweredRows {
  const answered: AnsweredRows = { found: [], declined: [] };
  const json = findJson(text);
  const rows = isObject(json) ? own(json, "rows") : json;
  if (!Array.isArray(rows)) return answered;
  const item = itemSchema(schema, request.path);
  const validator = validatorFor(schema.json, item);
  const whole = parseSchema({ ...definitionsOf(schema.json), ...(isObject(item) ? item : {}) });
  const seen = new Set<number>();
  for (const one of rows) {
    if (!isObject(one)) continue;
    const line = own(one, "line");
    const missing = typeof line === "number" ? request.rows[line - 1] : undefined;
    const given = own(one, "row");
    if (missing === undefined || given === undefined || seen.has(missing.order)) continue;
    seen.add(missing.order);
    if (isEmpty(given)) {
      answered.declined.push(missing.order);
      continue;
    }
    const row = normalizeData(given, whole, conventions);
    if (validator === undefined || validator.check(row).length === 0) answered.found.push({ missing, row });
  }
  return answered;
}

/** The list at a pointer, created if missing; undefined if another value stands there. */
function listAt(data: Json, pointer: string): Json[] | undefined {
  const steps = stepsOf(pointer);
  let value: Json = data;
  for (const [at, step] of steps.entries()) {
    const inner: Json | undefined = Array.isArray(value)
      ? value[Number(step)]
      : isObject(value)
        ? own(value, step)
        : undefined;
    if (inner !== undefined && inner !== null) {
      value = inner;
      continue;
    }
    if (!isObject(value)) return undefined;
    const made: Json = at === steps.length - 1 ? [] : {};
    setOwn(value, step, made);
    value = made;
  }
  return Array.isArray(value) ? value : undefined;
}

/**
 * Inserts rows into lists and removes items; changes `data`.
 * @param needless pointers of the items to remove
 */
export function mergeRows(data: Json, found: readonly FoundRow[], needless: readonly string[]): ListChange[] {
  const gone = new Set(needless);
  const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"));
  const lists = new Set([...found.map(({ missing }) => missing.list), ...needless.map(parentOf)]);
  const changes: ListChange[] = [];
  // Inner lists first: changes of outer lists change their pointers.
  for (const pointer of [...lists].sort((a, b) => b.length - a.length)) {
    const list = listAt(data, pointer);
    if (list === undefined) continue;
    const own = found.filter(({ missing }) => missing.list === pointer);
    own.sort((a, b) => a.missing.at - b.missing.at || a.missing.order - b.missing.order);
    const change: ListChange = { list: pointer, newIndexes: [], added: [] };
    const merged: Json[] = [];
    let next = 0;
    for (let at = 0; at <= list.length; at += 1) {
      for (let one = own[next]; one !== undefined && one.missing.at <= at; one = own[next]) {
        change.added.push({ at: merged.push(one.row) - 1, found: one });
        next += 1;
      }
      if (at === list.length) break;
      change.newIndexes.push(gone.has(`${pointer}/${at}`) ? -1 : merged.push(list[at] ?? null) - 1);
    }
    list.length = 0;
    for (const row of merged) list.push(row);
    changes.push(change);
  }
  return changes;
}

export interface AddRowsTask {
  /** Without calculated fields. */
  schema: Json;
  conventions: TextConventions;
  /** UTF-8 JSON. */
  data: Uint8Array;
  lists: Pick<ListReceipt, "repeated" | "empty">[];
  answers: RowAnswer[];
  /** Pointers of items, with the rows that they stand on. */
  placed: [string, number][];
}

export interface AddedRows {
  /** UTF-8 JSON. */
  data: Uint8Array;
  removed: number;
  declined: number[];
  /** As given, by their new pointers; and the pointers of the added rows, with the rows they were requested for. */
  placed: [string, number][];
  asked: [string, number][];
}

/** Merges a model's answers into the data. */
export function addRows({ conventions, data, lists, answers, placed, ...task }: AddRowsTask): AddedRows {
  const schema = parseSchema(task.schema);
  const value = parseJsonBytes(data);
  const read = answers.map((answer) => readAnsweredRows(answer, schema, conventions));
  const found = read.flatMap((answered) => answered.found);
  const needless = lists.flatMap(({ repeated, empty }) => [...repeated, ...empty]);
  const changes = mergeRows(value, found, needless);
  const moved = pointerMover(changes);
  return {
    data: encodeJson(value),
    removed: needless.length,
    declined: read.flatMap(({ declined }) => declined),
    placed: placed.flatMap(([pointer, order]): [string, number][] => {
      const now = moved(pointer);
      return now === undefined ? [] : [[now, order]];
    }),
    asked: changes.flatMap(({ list, added }) =>
      added.map(({ at, found: one }): [string, number] => [`${moved(list) ?? list}/${at}`, one.missing.order]),
    ),
  };
}
