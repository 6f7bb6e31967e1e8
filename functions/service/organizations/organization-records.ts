/**
 * Records and Blobs bound to one organization, and the handle for system records. Code that serves a caller gets the
 * bound ones and cannot name another organization: partitions are relative to `org/{id}/`.
 */

import type { Blobs } from "../../ports/blobs.ts";
import { StoreLimitExceeded } from "../../ports/errors.ts";
import type {
  RecordKey,
  RecordOperation,
  RecordPage,
  RecordQuery,
  Records,
  RecordValue,
  StoredRecord,
  WriteCondition,
} from "../../ports/records.ts";

/** Number of shards of the due work; each is a partition that a sweep reads. */
export const DUE_SHARDS = 4;

/**
 * Operations on due work, written in one transaction with the organization's own records. Due work is under
 * `sys/due/{shard}`, so that a sweep finds it without knowing organizations. An open run has a due record, and writes
 * of the run require it.
 */
export type DueOperation =
  | { kind: "due-put"; id: string; value: RecordValue; condition?: WriteCondition }
  /** `ifVersion`: the record is unchanged since it was read. */
  | { kind: "due-check"; id: string; ifVersion?: number }
  | { kind: "due-delete"; id: string; condition?: WriteCondition };

/**
 * What is known of a payment, written with the ledger of its organization. It is under `sys/payments`, because its first
 * event may name no organization.
 */
export interface PaymentOperation {
  kind: "payment-put";
  id: string;
  value: RecordValue;
  condition: WriteCondition;
}

export type OrgOperation = RecordOperation | DueOperation | PaymentOperation;

export interface OrgRecords extends Omit<Records, "transact"> {
  transact(operations: OrgOperation[], options?: { token?: string }): Promise<void>;
  due(id: string): Promise<StoredRecord | undefined>;
}

/** Records under `sys/`: key hashes, due work, machines. Only authentication, the sweeps and the webhooks hold it. */
export interface SystemRecords extends Records {
  readonly scope: "system";
}

/** The shard of an id, by a small stable hash (FNV-1a). */
function shardOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash % DUE_SHARDS;
}

/** The key of a piece of due work of an organization. `id` is `{guid}/{run}` or `{guid}/delete`. */
export const dueKey = (organizationId: number, id: string): RecordKey => ({
  partition: `sys/due/${shardOf(id)}`,
  sort: `${organizationId}/${id}`,
});

/** @param id names the payment */
export const paymentKey = (id: string): RecordKey => ({ partition: "sys/payments", sort: id });

const prefixOf = (organizationId: number): string => `org/${organizationId}/`;

const bindKey = (prefix: string, key: RecordKey): RecordKey => {
  if (key.partition === "") throw new StoreLimitExceeded("A partition has a name");
  return { partition: prefix + key.partition, sort: key.sort };
};

const unbindRecord = <T extends RecordValue>(prefix: string, record: StoredRecord<T>): StoredRecord<T> => ({
  ...record,
  key: { partition: record.key.partition.slice(prefix.length), sort: record.key.sort },
});

/** An operation on an organization's own records, for a transaction with others. */
export function boundOperation(organizationId: number, operation: OrgOperation): RecordOperation {
  switch (operation.kind) {
    case "due-put": {
      const { id, value, condition } = operation;
      return { kind: "put", key: dueKey(organizationId, id), value, ...(condition ? { condition } : {}) };
    }
    case "due-check": {
      const { id, ifVersion } = operation;
      const condition: WriteCondition = ifVersion === undefined ? { ifPresent: true } : { ifVersion };
      return { kind: "check", key: dueKey(organizationId, id), condition };
    }
    case "due-delete": {
      const { id, condition } = operation;
      return { kind: "delete", key: dueKey(organizationId, id), ...(condition ? { condition } : {}) };
    }
    case "payment-put":
      return { kind: "put", key: paymentKey(operation.id), value: operation.value, condition: operation.condition };
    default:
      return { ...operation, key: bindKey(prefixOf(organizationId), operation.key) };
  }
}

/** @param organizationId a positive integer @returns Records that see and write only that organization's partitions */
export function organizationRecords(records: Records, organizationId: number): OrgRecords {
  if (!Number.isSafeInteger(organizationId) || organizationId < 1)
    throw new RangeError("An organization's id is 1 or more");
  const prefix = prefixOf(organizationId);
  return {
    async get<T extends RecordValue>(key: RecordKey) {
      const record = await records.get<T>(bindKey(prefix, key));
      return record && unbindRecord(prefix, record);
    },
    put: (key, value, options) => records.put(bindKey(prefix, key), value, options),
    delete: (key, condition) => records.delete(bindKey(prefix, key), condition),
    add: (key, amounts, floor) => records.add(bindKey(prefix, key), amounts, floor),
    async query<T extends RecordValue>(query: RecordQuery): Promise<RecordPage<T>> {
      const page = await records.query<T>({ ...query, partition: prefix + query.partition });
      return { ...page, items: page.items.map((item) => unbindRecord(prefix, item)) };
    },
    transact: (operations, options) =>
      records.transact(
        operations.map((operation) => boundOperation(organizationId, operation)),
        // Tokens are per organization: the same token of another one is a different token.
        options?.token === undefined ? {} : { token: `${organizationId}/${options.token}` },
      ),
    due: (id) => records.get(dueKey(organizationId, id)),
  };
}

/** The organization that a key of the store belongs to, as the store's driver tells owners apart. */
export const ownerOfKey = (key: string): string => key.split("/", 2).join("/");

/** The store's key of an organization's blob, for services that read the store directly. */
export const organizationKey = (organizationId: number, key: string): string => `org/${organizationId}/${key}`;

/** Blobs of one organization: keys are relative to `org/{id}/`. */
export function organizationBlobs(blobs: Blobs, organizationId: number): Blobs {
  const prefix = `org/${organizationId}/`;
  return {
    get: (key, range) => blobs.get(prefix + key, range),
    stream: (key, range) => blobs.stream(prefix + key, range),
    async head(key) {
      const head = await blobs.head(prefix + key);
      return head && { ...head, key };
    },
    put: (key, body, options) => blobs.put(prefix + key, body, options),
    keep: (below) => blobs.keep(prefix + below),
    isWhole: (key) => blobs.isWhole(prefix + key),
    async list(below, options) {
      const page = await blobs.list(prefix + below, options);
      return { ...page, blobs: page.blobs.map((blob) => ({ ...blob, key: blob.key.slice(prefix.length) })) };
    },
    delete: (key) => blobs.delete(prefix + key),
    presignGet: (key, options) => blobs.presignGet(prefix + key, options),
    presignPut: (key, options) => blobs.presignPut(prefix + key, options),
  };
}

/** @returns a handle that refuses every partition outside `sys/` */
export function systemRecords(records: Records): SystemRecords {
  const systemKey = <K extends { partition: string }>(key: K): K => {
    if (!key.partition.startsWith("sys/")) throw new StoreLimitExceeded("System records stand under sys/");
    return key;
  };
  return {
    scope: "system",
    get: (key) => records.get(systemKey(key)),
    put: (key, value, options) => records.put(systemKey(key), value, options),
    delete: (key, condition) => records.delete(systemKey(key), condition),
    add: (key, amounts, floor) => records.add(systemKey(key), amounts, floor),
    query: (query) => records.query(systemKey(query)),
    transact: (operations, options) => {
      for (const operation of operations) systemKey(operation.key);
      return records.transact(operations, options);
    },
  };
}
