/**
 * The five ports. Everything above them is written once; functions/adapters/local and functions/adapters/aws hold the
 * drivers, and the suites in test/contract hold every driver to the same behaviour.
 */
import type { Readable } from "node:stream";
import type { ModelWork } from "./extraction/model/work.ts";
import type { LanguageModel } from "./llm/ports.ts";
import type { OcrEngine, OcrFrame, OcrImage, OcrLevel, OcrPage } from "./ocr/ports.ts";

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
  /** Starting a name twice is once: `started` is false and nothing happens. Input ≤ 256 KB of JSON. */
  start(machine: string, name: string, input: Json): Promise<{ started: boolean }>;
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

/** What document work may take. Past either, the work is ended and fails with one sentence. */
export interface WorkLimits {
  /** Milliseconds since 1970. */
  deadline: number;
}

/** Facts about a document that was read; small enough for a record. */
export interface ReadingFacts {
  provider: string;
  pageCount: number;
  wordCount: number;
  characterCount: number;
  /** Of the quality report, where one was made. */
  quality?: { score: number; category: string };
}

/**
 * How a page's text is found. NONE: its text layer only. DEFAULT: recognised where that is missing or cannot be
 * trusted. AUTO: as DEFAULT, and again with all care where the outcome is poor. PREMIUM: recognised with all care. LOW:
 * recognised as fast as may be, text without places.
 */
export type OcrMode = "NONE" | "LOW" | "DEFAULT" | "AUTO" | "PREMIUM" | "EXCEL";

export interface ReadingOptions {
  mimeType: string;
  /** 1-based; pages that do not exist are ignored; absent: all. */
  pageRange?: number[];
  /** DEFAULT when absent. */
  ocr?: OcrMode;
  /** The engine tells tables and form fields too: at PREMIUM it is to see every page. */
  analysis?: boolean;
  /** A document without a word is no failure: something else in it is asked for. */
  mayBeEmpty?: boolean;
}

/** What was read of a document so far. */
export interface Reading {
  /** core/documents/layout-file.ts */
  layout: Uint8Array;
  /** core/ocr/quality: how good the text of each page is, UTF-8 JSON. */
  quality: Uint8Array;
  facts: ReadingFacts;
  /** Numbers of the pages whose text is still to be recognised, or to be recognised again with more care. */
  pending: number[];
}

/** What a run asks for beside the text. */
export interface ExtrasOptions {
  mimeType: string;
  /** As ReadingOptions. */
  pageRange?: number[];
  barcodes: boolean;
  figures: boolean;
  acroForm: boolean;
}

/** UTF-8 JSON each, where it was asked for. */
export interface Extras {
  barcodes?: Uint8Array;
  figures?: { list: Uint8Array; images: { id: string; mimeType: string; bytes: Uint8Array }[] };
  acroForm?: Uint8Array;
}

/** A page to be drawn. */
export interface PictureOptions {
  mimeType: string;
  /** From 1. */
  pageNumber: number;
  level: OcrLevel;
  /** The picture may have so many. */
  maxBytes: number;
}

/**
 * Work on a document's bytes, contained: a hostile document costs its process, not the service. On one machine a pool
 * of forked processes; in the cloud the Lambda function itself. Large answers stay bytes, unparsed in the service.
 */
export interface DocumentEngine {
  /** Bytes → layout (core/documents/layout.ts as UTF-8 JSON). @throws JobFailure with the contract's sentence */
  read(bytes: Uint8Array, options: ReadingOptions, limits: WorkLimits): Promise<Reading>;
  /** Puts recognised pages into what was read. @throws JobFailure (no text) when there is still none */
  complete(
    reading: Pick<Reading, "layout" | "quality">,
    recognised: {
      pages: OcrPage[];
      engine: string;
      level: OcrLevel;
      ocr: OcrMode;
      unread: number[];
      mayBeEmpty?: boolean;
    },
    limits: WorkLimits,
  ): Promise<Reading>;
  /** A page as a picture for recognition. @throws JobFailure */
  picture(bytes: Uint8Array, options: PictureOptions, limits: WorkLimits): Promise<OcrImage>;
  /** Pictures of some pages in one PDF, for engines that take whole documents. @throws JobFailure */
  picturesPdf(
    bytes: Uint8Array,
    options: { mimeType: string; pageNumbers: number[]; level: OcrLevel },
    limits: WorkLimits,
  ): Promise<{ pdf: Uint8Array; frames: OcrFrame[] }>;
  /** What else is in a document. @throws JobFailure */
  extras(bytes: Uint8Array, layout: Uint8Array, options: ExtrasOptions, limits: WorkLimits): Promise<Extras>;
  /** The form of a PDF, UTF-8 JSON. @throws BadRequest for no PDF; UnprocessableEntity when it cannot be read */
  acroForm(bytes: Uint8Array, limits: WorkLimits): Promise<Uint8Array>;
  /** The cells of a workbook, a JSON line each. @throws JobFailure */
  cells(bytes: Uint8Array, limits: WorkLimits): Promise<Uint8Array>;
  /** What a document is, or a JSON Schema of what it states, without a model; UTF-8 JSON. */
  describe(
    layout: Uint8Array,
    request: { what: "analysis" | "schema"; instructions?: string },
    limits: WorkLimits,
  ): Promise<Uint8Array>;
  /** A page as a PNG to look at. @param pageIndex from 0 @throws NotFound when there is no such page, JobFailure */
  pageImage(
    bytes: Uint8Array,
    options: { mimeType: string; pageIndex: number },
    limits: WorkLimits,
  ): Promise<Uint8Array>;
  /** Layout → text in one of the three output formats, UTF-8. */
  transcribe(layout: Uint8Array, format: "plain" | "markdown" | "jsonl", limits: WorkLimits): Promise<Uint8Array>;
  /** Layout + schema → result and source locations, both UTF-8 JSON, without a model. */
  extract(
    layout: Uint8Array,
    request: { schema?: Json; prompt?: string; granularity: "auto" | "block" | "word"; barcodes?: Uint8Array },
    limits: WorkLimits,
  ): Promise<{
    result: Uint8Array;
    sources: Uint8Array;
    facts: { found: number; unresolved: number; confidence: number | null };
  }>;
  /** What an extraction with a model needs besides the model. */
  readonly model: ModelWork;
  /** Where the values of a result stand on the page, UTF-8 JSON. */
  locate(
    layout: Uint8Array,
    result: Uint8Array,
    request: { granularity: "auto" | "block" | "word"; schema?: Json; acroForm?: Uint8Array },
    limits: WorkLimits,
  ): Promise<{ sources: Uint8Array; facts: { found: number; unresolved: number; confidence: number | null } }>;
  /** First look at an upload: does it open at all? @throws UnprocessableEntity when it does not */
  inspect(bytes: Uint8Array, mimeType: string, limits: WorkLimits): Promise<{ pageCount: number | null }>;
  close(): Promise<void>;
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
  states(): { ocr: EngineState; model: EngineState; payments: EngineState };
}
