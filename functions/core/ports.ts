/**
 * The five ports. Everything above them is written once; functions/adapters/local and functions/adapters/aws hold the
 * drivers, and the suites in test/contract hold every driver to the same behaviour.
 */
import type { Readable } from "node:stream";
import type { DocumentEngine } from "./documents/ports.ts";
import type { LanguageModel } from "./llm/ports.ts";
import type { ToolBox } from "./llm/tools.ts";
import type { OcrEngine } from "./ocr/ports.ts";
import type { Outbound } from "./outbound.ts";

export type {
  DocumentEngine,
  Extras,
  ExtrasOptions,
  OcrMode,
  PageImageOptions,
  PictureOptions,
  PicturesPdfOptions,
  Reading,
  ReadingFacts,
  ReadingOptions,
  WorkLimits,
} from "./documents/ports.ts";

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

// ---------------------------------------------------------------- Records

/** A record's address. A query never leaves one partition. Both parts are non-empty; sorts order by their UTF-8 bytes. */
export interface RecordKey {
  partition: string;
  sort: string;
}

/** A record's value: a JSON object that carries its schema version `v`. */
export interface RecordValue {
  v: number;
  [member: string]: unknown;
}

export interface StoredRecord<T extends RecordValue = RecordValue> {
  key: RecordKey;
  value: T;
  /** Grows by one with every write of this record, starting at 1. */
  version: number;
  /** Unix seconds after which the record is gone for every reader, swept or not. */
  expiresAt?: number;
}

/** At most one of the members stands. No condition means: whatever is there. */
export interface WriteCondition {
  ifAbsent?: true;
  ifVersion?: number;
  ifPresent?: true;
}

export type RecordOperation =
  | { kind: "put"; key: RecordKey; value: RecordValue; expiresAt?: number; condition?: WriteCondition }
  | { kind: "delete"; key: RecordKey; condition?: WriteCondition }
  | { kind: "check"; key: RecordKey; condition: WriteCondition }
  /**
   * Adds to numeric top-level members of the value (absent ones count as 0; an absent record is made as `{v: 1}`).
   * With `floor`, the operation's condition is that each named member is at least its floor afterwards.
   */
  | { kind: "add"; key: RecordKey; amounts: Record<string, number>; floor?: Record<string, number> };

export interface RecordQuery {
  partition: string;
  /** Only sorts that begin so. */
  prefix?: string;
  /** Only sorts ≥ `from` and ≤ `to` (UTF-8 byte order); not together with `prefix`. */
  from?: string;
  to?: string;
  descending?: boolean;
  /** 1 to 1,000; default 100. */
  limit?: number;
  cursor?: string;
}

export interface RecordPage<T extends RecordValue = RecordValue> {
  items: StoredRecord<T>[];
  /** Absent when nothing follows. Opaque; bound to the query it came from. */
  cursor?: string;
}

/**
 * Keyed documents with conditions, versions and transactions. Every driver refuses what DynamoDB refuses, with
 * StoreLimitExceeded: a value over 400 KB, over 100 operations or 4 MB in a transaction, two operations on one key,
 * an empty key part, a partition over 2,048 bytes, a sort over 1,024 bytes.
 */
export interface Records {
  /** Reads are consistent: a caller sees its own writes. */
  get<T extends RecordValue = RecordValue>(key: RecordKey): Promise<StoredRecord<T> | undefined>;
  /** @returns the new version @throws ConditionFailed */
  put(
    key: RecordKey,
    value: RecordValue,
    options?: { expiresAt?: number; condition?: WriteCondition },
  ): Promise<{ version: number }>;
  /** Deleting what is not there is success, unless a condition says otherwise. @throws ConditionFailed */
  delete(key: RecordKey, condition?: WriteCondition): Promise<void>;
  /** Atomic increments. @returns the value after them @throws ConditionFailed when a floor would be passed */
  add<T extends RecordValue = RecordValue>(
    key: RecordKey,
    amounts: Record<string, number>,
    floor?: Record<string, number>,
  ): Promise<T>;
  query<T extends RecordValue = RecordValue>(query: RecordQuery): Promise<RecordPage<T>>;
  /**
   * All or nothing. With a `token`, the same token again within 24 h is success without doing anything again
   * (its record is written in the same transaction and counts towards the 100).
   * @throws ConditionFailed with the positions that failed
   */
  transact(operations: RecordOperation[], options?: { token?: string }): Promise<void>;
}

// ---------------------------------------------------------------- Blobs

export interface BlobHead {
  key: string;
  size: number;
  contentType: string;
  etag: string;
  /** ISO 8601, UTC. */
  lastModified: string;
}

/** First and last byte, both counted in; without `end`, to the end. */
export interface ByteRange {
  start: number;
  end?: number;
}

/** A request that a client may send without a key, until `expiresAt` (ISO 8601). */
export interface PresignedRequest {
  url: string;
  method: "GET" | "PUT";
  headers: Record<string, string>;
  expiresAt: string;
}

/** Files by key (`a/b/c`, no empty, `.` or `..` segment). A blob is there whole or not at all, also after a crash. */
export interface Blobs {
  /** @returns undefined when there is none */
  get(key: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  stream(key: string, range?: ByteRange): Promise<Readable | undefined>;
  head(key: string): Promise<BlobHead | undefined>;
  /** @throws ConditionFailed when `ifAbsent` and something is there */
  put(
    key: string,
    body: Uint8Array | Readable,
    options?: { contentType?: string; ifAbsent?: boolean },
  ): Promise<{ etag: string; size: number }>;
  /** Keys in byte order below a prefix. `limit` 1 to 1,000, default 1,000. */
  list(prefix: string, options?: { limit?: number; cursor?: string }): Promise<{ blobs: BlobHead[]; cursor?: string }>;
  /** Deleting what is not there is success. */
  delete(key: string): Promise<void>;
  presignGet(key: string, options: { expiresInSeconds: number; fileName?: string }): Promise<PresignedRequest>;
  /** The PUT is bound to exactly this length and type; another is refused. */
  presignPut(
    key: string,
    options: { expiresInSeconds: number; contentType: string; size: number },
  ): Promise<PresignedRequest>;
}

// ---------------------------------------------------------------- Workflows

/** A state machine in Amazon States Language whose Task resources are `${stepName}` placeholders. */
export type StateMachineDefinition = { [member: string]: Json };

export type ExecutionStatus = "RUNNING" | "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "ABORTED";

export interface Execution {
  name: string;
  machine: string;
  status: ExecutionStatus;
  input: Json;
  output?: Json;
  error?: string;
  cause?: string;
  /** ISO 8601. */
  startedAt: string;
  stoppedAt?: string;
}

export interface HistoryEvent {
  /** From 1, in order. */
  id: number;
  /** Step Functions' names: ExecutionStarted, TaskStateEntered, TaskStateExited, ExecutionFailed … */
  type: string;
  /** ISO 8601. */
  timestamp: string;
  stateName?: string;
  error?: string;
}

export interface Workflows {
  /** Makes the machine unless the same definition was made before. @returns its name, the hash of what is emitted */
  ensureMachine(definition: StateMachineDefinition): Promise<string>;
  /**
   * Removes a machine; one that is not there is success. Nothing more starts on it until it is made again. What runs on it
   * may be ended with it, as Step Functions does at its next state: only what no open run is on is to be removed.
   */
  removeMachine(machine: string): Promise<void>;
  /**
   * Starting a name twice is once: `started` is false and nothing happens. Input ≤ 256 KB of JSON.
   * @throws NotFound where there is no such machine; MachineMissing while one that was made is not there
   */
  start(machine: string, name: string, input: Json): Promise<{ started: boolean }>;
  /**
   * To be said before a machine itself starts an execution of that name: a driver may know by name only what it was told
   * of. @returns the machine to start it on: another than `machine` where the name was started or reserved there
   * @throws BadRequest for a name that no execution can have
   */
  reserve(machine: string, name: string): Promise<string>;
  describe(name: string): Promise<Execution | undefined>;
  /** Ends it as ABORTED; what already ended stays as it ended. */
  stop(name: string, error: string, cause: string): Promise<void>;
  history(name: string, options?: { cursor?: string }): Promise<{ events: HistoryEvent[]; cursor?: string }>;
}

/** A state's task: what Lambda runs in the cloud. Throwing an error named E makes `ErrorEquals: ["E"]` match. */
export type Step = (input: Json, context: { executionName: string; taskToken?: string }) => Promise<Json>;

// ---------------------------------------------------------------- Work queue

export interface QueueMessage {
  id: string;
  queue: string;
  body: Json;
  /** How often it was received, this time included. */
  receives: number;
  /** Names this delivery; another delivery of the same message has another. */
  receipt: string;
}

/** At-least-once delivery. A message received 5 times (see `maxReceives`) and not done goes to the dead letters. */
export interface WorkQueue {
  /** Body ≤ 256 KB of JSON. Within 5 minutes, the same `deduplicationId` again is one message. */
  send(
    queue: string,
    body: Json,
    options?: { delaySeconds?: number; deduplicationId?: string },
  ): Promise<{ id: string }>;
  /** Received messages are invisible for `visibilitySeconds` (default 30), then delivered again. */
  receive(
    queue: string,
    options?: { max?: number; visibilitySeconds?: number; waitSeconds?: number },
  ): Promise<QueueMessage[]>;
  /** Done for good. A receipt that is no longer the message's newest does nothing. */
  done(message: QueueMessage): Promise<void>;
  /** Gives it back, visible after `delaySeconds`. */
  retry(message: QueueMessage, delaySeconds: number): Promise<void>;
  deadLetters(queue: string): Promise<QueueMessage[]>;
}

// ---------------------------------------------------------------- Engines

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** A GUID, version 7: lower case, ordered by time. */
  guid(): string;
  sleep(milliseconds: number): Promise<void>;
}

/** A named outside engine and whether it can be used now; shown at start-up and in GET /health. */
export interface EngineState {
  name: string;
  on: boolean;
  /** What it is, or what to set to turn it on. */
  detail: string;
}

/** What a deployment brings from outside. Null: not configured, and whoever needs it says so in one sentence. */
export interface Engines {
  clock: Clock;
  documents: DocumentEngine;
  /** Null: none, and pages without a text layer stay without text. */
  ocr: OcrEngine | null;
  /** Null: none, and the offline extractor does the work. */
  model: LanguageModel | null;
  /** What a model may look things up in; absent: there is nothing. */
  tools?: ToolBox;
  /** Requests to addresses that callers named. */
  outbound: Outbound;
  states(): { ocr: EngineState; model: EngineState; payments: EngineState };
}
