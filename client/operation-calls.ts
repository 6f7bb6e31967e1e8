/** The calls for operations on finished jobs. */
import { jsonBody, pathSegment } from "./answers.ts";
import { postWork, read } from "./calls.ts";
import type { Connection } from "./http.ts";
import { readData, readStatus } from "./job-reads.ts";
import type { Json } from "./json.ts";
import type { OperationResults, OperationType } from "./operation-results.ts";
import type { CallOptions, WorkOptions } from "./options.ts";
import type { JobStatus } from "./types.ts";
import { type WaitOptions, waitForJob } from "./wait.ts";

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

export interface OperationRunOptions extends WorkOptions, Omit<WaitOptions, "pollSeconds"> {
  llmType?: "DEFAULT" | "NANO" | "MINI" | "HIGH" | undefined;
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
    return postWork(this.#connection, "/operation", jsonBody(operation), options);
  }

  /**
   * Runs an operation on a COMPLETED or PARTIAL job and waits for its result.
   * @param parameters the operation's own
   * @throws SheafJobError when it FAILED, as without a model where one is needed; SheafWaitTimeout
   */
  async run<Type extends OperationType>(
    jobGuid: string,
    type: Type,
    parameters: { [name: string]: Json } = {},
    { llmType, idempotencyKey, ...options }: OperationRunOptions = {},
  ): Promise<OperationResults[Type]> {
    const operation = { jobGuid, type, parameters: { llmType, customParameters: parameters } };
    const { jobGuid: guid } = await this.start(operation, { idempotencyKey, signal: options.signal });
    const job = await waitForJob((id, call) => readStatus(this.#connection, id, call), guid, options);
    return (await readData(this.#connection, job, options)) as OperationResults[Type];
  }

  /** Generates a text about a finished job; without a model the operation FAILS. */
  async generate(parent: string, task: GenerativeTask, options: WorkOptions = {}): Promise<OperationSubmitted> {
    const path = `/operation/${pathSegment(parent)}/generative-task`;
    return postWork(this.#connection, path, jsonBody(task), options);
  }

  /** The operations on a job, newest first. */
  async list(parent: string, options?: CallOptions): Promise<OperationList> {
    return read(this.#connection, `/operation/${pathSegment(parent)}`, options);
  }

  /** The newest operation of a type; its `result` is JSON text. */
  async read(parent: string, type: string, options?: CallOptions): Promise<OperationRecord> {
    return read(this.#connection, `/operation/${pathSegment(parent)}/${pathSegment(type)}`, options);
  }
}
