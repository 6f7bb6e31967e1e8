/**
 * DynamoDB's limits, enforced by every driver before it reads or writes, so that code that runs on one machine runs in
 * the cloud. Source: "Quotas in Amazon DynamoDB".
 */
import { StoreLimitExceeded } from "../ports/errors.ts";
import type { RecordKey, RecordOperation, RecordQuery, RecordValue, WriteCondition } from "../ports/records.ts";

/**
 * Bytes of a DynamoDB item besides its key and its value: attribute names (31), version and expiry (20), the mark of
 * the
 * last write (16), and a reserve.
 */
export const RECORD_OVERHEAD_BYTES = 100;
/** Most bytes of UTF-8 of one record, key and value together. All sizes here are in bytes of UTF-8. */
export const MAX_ITEM_BYTES = 400 * 1024 - RECORD_OVERHEAD_BYTES;
export const MAX_PARTITION_BYTES = 2048;
export const MAX_SORT_BYTES = 1024;
export const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;
export const MAX_TRANSACTION_OPERATIONS = 100;
export const MAX_PAGE_ITEMS = 1000;
export const DEFAULT_PAGE_ITEMS = 100;

/** The partition of transaction tokens, and their lifetime in seconds. */
const TOKEN_PARTITION = "sys/tokens";
const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

/** A checked operation with its value as JSON text, so that later changes by the caller have no effect. */
export type Write =
  | {
      kind: "put";
      key: RecordKey;
      json: string;
      expiresAt: number | null;
      condition: WriteCondition | undefined;
      erasable?: true;
    }
  | { kind: "delete"; key: RecordKey; condition: WriteCondition | undefined; erase?: true }
  | { kind: "check"; key: RecordKey; condition: WriteCondition }
  | { kind: "add"; key: RecordKey; amounts: ReadonlyMap<string, number>; floors: ReadonlyMap<string, number> };

export const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");

function checkText(text: string, what: string, limit: number): void {
  if (!text.isWellFormed()) throw new StoreLimitExceeded(`The ${what} holds half a surrogate pair`);
  if (bytesOf(text) > limit) throw new StoreLimitExceeded(`The ${what} is longer than ${limit} bytes`);
}

function checkPartition(partition: string): void {
  if (partition === "") throw new StoreLimitExceeded("The partition of a record's key is empty");
  checkText(partition, "partition of a record's key", MAX_PARTITION_BYTES);
}

/** @throws StoreLimitExceeded for an empty, overlong or malformed part */
export function checkKey(key: RecordKey): void {
  checkPartition(key.partition);
  if (key.sort === "") throw new StoreLimitExceeded("The sort of a record's key is empty");
  checkText(key.sort, "sort of a record's key", MAX_SORT_BYTES);
}

/** @throws TypeError for a prefix together with a range @throws StoreLimitExceeded for bounds that no store takes */
export function checkQuery(query: RecordQuery): void {
  const { partition, prefix, from, to, limit = 1 } = query;
  if (prefix !== undefined && (from !== undefined || to !== undefined)) {
    throw new TypeError("A query has a prefix or a range, not both");
  }
  checkPartition(partition);
  for (const bound of [prefix, from, to]) checkText(bound ?? "", "bound of a query", MAX_SORT_BYTES);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_ITEMS) {
    throw new StoreLimitExceeded(`A query's limit is 1 to ${MAX_PAGE_ITEMS}`);
  }
}

function checkCondition(condition: WriteCondition | undefined): void {
  if (condition === undefined) return;
  const { ifAbsent, ifVersion, ifPresent } = condition;
  const members = [ifAbsent, ifVersion, ifPresent].filter((member) => member !== undefined);
  if (members.length > 1) throw new TypeError("A write has one condition at most");
}

/** Refuses values that JSON.stringify changes silently: NaN becomes null, a Map {}, a Date text. */
function checkJson(value: unknown): void {
  switch (typeof value) {
    case "string":
    case "boolean":
      return;
    case "number":
      if (!Number.isFinite(value)) throw new StoreLimitExceeded("A record holds a number that is not finite");
      return;
    case "object":
      break;
    default:
      throw new StoreLimitExceeded(`A record holds a ${typeof value}, which JSON does not have`);
  }
  if (value === null) return;
  if (Array.isArray(value)) {
    // Not every(), which skips the holes of a sparse array.
    for (const element of value) checkJson(element);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new StoreLimitExceeded("A record holds an object that is not plain JSON");
  }
  // As in JSON, an undefined member is absent.
  for (const member of Object.values(value)) if (member !== undefined) checkJson(member);
}

function checkExpiry(expiresAt: number | undefined): number | null {
  if (expiresAt === undefined) return null;
  if (!Number.isSafeInteger(expiresAt) || expiresAt < 0) {
    throw new StoreLimitExceeded("A record's expiry is a whole number of Unix seconds");
  }
  return expiresAt;
}

/**
 * The JSON text of a record's value.
 * @throws StoreLimitExceeded when it is not plain JSON, has no integer `v`, or exceeds 400 KB with its key
 */
export function encodeValue(key: RecordKey, value: RecordValue): string {
  checkJson(value);
  if (!Object.hasOwn(value, "v") || !Number.isSafeInteger(value.v)) {
    throw new StoreLimitExceeded("A record's value carries its schema version v, an integer");
  }
  const json = JSON.stringify(value);
  if (bytesOf(key.partition) + bytesOf(key.sort) + bytesOf(json) > MAX_ITEM_BYTES) {
    throw new StoreLimitExceeded(`A record with its key is over ${MAX_ITEM_BYTES} bytes`);
  }
  return json;
}

function numbersOf(record: Record<string, number> | undefined): ReadonlyMap<string, number> {
  const numbers = new Map(Object.entries(record ?? {}));
  for (const number of numbers.values()) {
    if (!Number.isFinite(number)) throw new StoreLimitExceeded("An amount or floor is not a finite number");
  }
  if (numbers.has("v")) throw new StoreLimitExceeded("The schema version v is not a number to add to");
  return numbers;
}

/**
 * @throws StoreLimitExceeded for an operation over the store's limits @throws TypeError for contradictory conditions
 */
export function checkOperation<O extends RecordOperation>(operation: O): Extract<Write, { kind: O["kind"] }>;
export function checkOperation(operation: RecordOperation): Write {
  const key = { partition: operation.key.partition, sort: operation.key.sort };
  checkKey(key);
  if (operation.kind === "add") {
    return { kind: "add", key, amounts: numbersOf(operation.amounts), floors: numbersOf(operation.floor) };
  }
  const { condition } = operation;
  checkCondition(condition);
  switch (operation.kind) {
    case "put": {
      const expiresAt = checkExpiry(operation.expiresAt);
      const json = encodeValue(key, operation.value);
      return { kind: "put", key, json, expiresAt, condition, ...(operation.erasable ? { erasable: true } : {}) };
    }
    case "delete":
      return { kind: "delete", key, condition, ...(operation.erase ? { erase: true } : {}) };
    case "check":
      if (Object.values(condition ?? {}).every((member) => member === undefined)) {
        throw new TypeError("A check has a condition");
      }
      return { kind: "check", key, condition: operation.condition };
  }
}

/**
 * The write that marks a transaction's token as used; its condition lets only one of two transactions with the token
 * pass.
 * @param now Unix seconds @throws StoreLimitExceeded for an empty, overlong or malformed token
 */
export function tokenWrite(token: string, now: number): Write & { kind: "put" } {
  const key = { partition: TOKEN_PARTITION, sort: token };
  checkKey(key);
  const condition: WriteCondition = { ifAbsent: true };
  return { kind: "put", key, json: encodeValue(key, { v: 1 }), expiresAt: now + TOKEN_LIFETIME_SECONDS, condition };
}

function sizeOf(write: Write): number {
  const key = RECORD_OVERHEAD_BYTES + bytesOf(write.key.partition) + bytesOf(write.key.sort);
  if (write.kind === "put") return key + bytesOf(write.json);
  if (write.kind !== "add") return key;
  return [...write.amounts.keys(), ...write.floors.keys()].reduce((sum, name) => sum + bytesOf(name) + 8, key);
}

/** @throws StoreLimitExceeded for too many operations, too many bytes, or two operations on one key */
export function checkTransaction(writes: readonly Write[]): void {
  if (writes.length > MAX_TRANSACTION_OPERATIONS) {
    throw new StoreLimitExceeded(`A transaction has over ${MAX_TRANSACTION_OPERATIONS} operations`);
  }
  const keys = new Set(writes.map(({ key }) => JSON.stringify([key.partition, key.sort])));
  if (keys.size < writes.length) throw new StoreLimitExceeded("A transaction has two operations on one record");
  if (writes.reduce((sum, write) => sum + sizeOf(write), 0) > MAX_TRANSACTION_BYTES) {
    throw new StoreLimitExceeded(`A transaction is over ${MAX_TRANSACTION_BYTES} bytes`);
  }
}
