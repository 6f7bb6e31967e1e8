/** The calls for operations on finished jobs. */
import { parseAnswer, pathSegment } from "./answers.ts";
import type { Connection } from "./http.ts";
import type { CallOptions, WorkOptions } from "./options.ts";
import { postWork } from "./post-work.ts";
import type { JobStatus } from "./types.ts";

/** An operation to start; `customParameters` depend on its type. */
export interface NewOperation {
  jobGuid: string;
  type: string;
  /** Index of a batch's document, from 0. */
  batchIndex?: number | undefined;
  parameters?: { llmType?: string | undefined; customParameters?: Record<string, unknown> | undefined } | undefined;
}

export interface GenerativeTask {
  prompt: string;
  /** DEFAULT, MINI, HIGH or NANO. */
  model?: string | undefined;
  /** 0 to 2. */
  temperature?: number | undefined;
  maxTokens?: number | undefined;
}

export interface OperationSubmitted {
  /** The operation's own job. */
  jobGuid: string;
  operationType: string;
  status: JobStatus;
  message: string;
}

export interface OperationRecord {
  jobGuid: string;
  operationType: string;
  status: JobStatus;
  createdAt: string;
  updatedAt: string;
  error: string | null;
  resultAvailable: boolean;
  /** JSON text. */
  result: string | null;
}

export interface OperationList {
  parentJobGuid: string;
  /** Newest first. */
  operations: OperationRecord[];
  totalOperations: number;
}

/** Methods throw as SheafClient's do. An operation is a job: `wait`, `status` and `result` take its `jobGuid`. */
export class OperationCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Starts an operation on a COMPLETED or PARTIAL job. */
  async start(operation: NewOperation, options: WorkOptions = {}): Promise<OperationSubmitted> {
    return postWork(this.#connection, "/operation", { ...operation }, options);
  }

  /** Generates a text about a finished job; without a model the operation FAILS. */
  async generate(parent: string, task: GenerativeTask, options: WorkOptions = {}): Promise<OperationSubmitted> {
    return postWork(this.#connection, `/operation/${pathSegment(parent)}/generative-task`, { ...task }, options);
  }

  /** The operations on a job, newest first. */
  async list(parent: string, { signal }: CallOptions = {}): Promise<OperationList> {
    return parseAnswer(
      await this.#connection.send({ method: "GET", path: `/operation/${pathSegment(parent)}`, signal }),
    );
  }

  /** The newest operation of a type; its `result` is JSON text. */
  async read(parent: string, type: string, { signal }: CallOptions = {}): Promise<OperationRecord> {
    const path = `/operation/${pathSegment(parent)}/${pathSegment(type)}`;
    return parseAnswer(await this.#connection.send({ method: "GET", path, signal }));
  }
}
