/** Counts what the records and blobs of a service are asked for, in the units that AWS charges. */
import type { Blobs } from "../../functions/ports/blobs.ts";
import type { RecordOperation, Records, RecordValue } from "../../functions/ports/records.ts";
import type { HistoryEvent } from "../../functions/ports/workflows.ts";

/** What one document takes of the services of AWS that are charged by use. */
export interface Use {
  /** Calls of the HTTP API. */
  requests: number;
  transitions: number;
  tasks: number;
  messages: number;
  writeUnits: number;
  readUnits: number;
  puts: number;
  gets: number;
}

export const noUse = (): Use => ({
  requests: 0,
  transitions: 0,
  tasks: 0,
  messages: 0,
  writeUnits: 0,
  readUnits: 0,
  puts: 0,
  gets: 0,
});

/** Bytes of a write unit and of a consistent read unit. */
const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;
/** Names of the attributes, version and mark of an item, roughly. */
const ITEM_OVERHEAD_BYTES = 100;
/** Each item of a transaction is written twice. */
const TRANSACTION_FACTOR = 2;
/** Records in which the drivers of one machine keep what SQS and Step Functions keep in the cloud. */
const LOCAL_PARTITION = /^sys\/(executions|running|ended|history|queue|machines|machines-removed)(\/|$)/;
const QUEUE_PARTITION = /^sys\/queue\//;
const HISTORY_PARTITION = /^sys\/history\//;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null)) + ITEM_OVERHEAD_BYTES;
const writeUnits = (value: unknown): number => Math.ceil(bytesOf(value) / WRITE_UNIT_BYTES);
const readUnits = (value: unknown): number => Math.ceil(bytesOf(value) / READ_UNIT_BYTES);

/** Counts a write of the local drivers as the message or the states for which it stands. */
function countLocal(use: Use, operation: RecordOperation): void {
  if (operation.kind !== "put") return;
  const { key, value } = operation;
  if (QUEUE_PARTITION.test(key.partition) && value.receives === 0) use.messages += 1;
  if (!HISTORY_PARTITION.test(key.partition)) return;
  for (const { type } of (value.events ?? []) as HistoryEvent[]) {
    if (type.endsWith("StateEntered")) use.transitions += 1;
    if (type === "TaskStateEntered") use.tasks += 1;
  }
}

function countTransaction(use: Use, operations: readonly RecordOperation[]): void {
  const charged = operations.filter(({ key }) => !LOCAL_PARTITION.test(key.partition));
  for (const one of operations) if (!charged.includes(one)) countLocal(use, one);
  const factor = charged.length > 1 ? TRANSACTION_FACTOR : 1;
  for (const one of charged) use.writeUnits += factor * (one.kind === "put" ? writeUnits(one.value) : 1);
}

/** Records and blobs that count into what `current` returns. */
export function countedPorts(ports: { records: Records; blobs: Blobs }, current: () => Use): typeof ports {
  const { records, blobs } = ports;
  const isLocal = (partition: string): boolean => LOCAL_PARTITION.test(partition);
  const counted: Records = {
    async get<T extends RecordValue>(key: Parameters<Records["get"]>[0]) {
      const found = await records.get<T>(key);
      if (!isLocal(key.partition)) current().readUnits += readUnits(found?.value);
      return found;
    },
    put(key, value, options) {
      countTransaction(current(), [{ kind: "put", key, value }]);
      return records.put(key, value, options);
    },
    delete(key, condition) {
      countTransaction(current(), [{ kind: "delete", key }]);
      return records.delete(key, condition);
    },
    add<T extends RecordValue>(...given: Parameters<Records["add"]>) {
      current().writeUnits += 1;
      return records.add<T>(...given);
    },
    async query<T extends RecordValue>(query: Parameters<Records["query"]>[0]) {
      const page = await records.query<T>(query);
      if (!isLocal(query.partition)) current().readUnits += readUnits(page.items.map(({ value }) => value));
      return page;
    },
    transact(operations, options) {
      countTransaction(current(), operations);
      return records.transact(operations, options);
    },
  };
  const get =
    <Given extends unknown[], Answer>(call: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      current().gets += 1;
      return call(...given);
    };
  const put =
    <Given extends unknown[], Answer>(call: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      current().puts += 1;
      return call(...given);
    };
  return {
    records: counted,
    // Every method by its name: a spread of the driver's object has none of its class.
    blobs: {
      get: get((...given: Parameters<Blobs["get"]>) => blobs.get(...given)),
      stream: get((...given: Parameters<Blobs["stream"]>) => blobs.stream(...given)),
      head: get((...given: Parameters<Blobs["head"]>) => blobs.head(...given)),
      put: put((...given: Parameters<Blobs["put"]>) => blobs.put(...given)),
      list: put((...given: Parameters<Blobs["list"]>) => blobs.list(...given)),
      // S3 needs no call for what one machine keeps for sure.
      keep: (below) => blobs.keep(below),
      isWhole: (key) => blobs.isWhole(key),
      delete: (key) => blobs.delete(key),
      presignGet: (...given) => blobs.presignGet(...given),
      presignPut: (...given) => blobs.presignPut(...given),
    },
  };
}
