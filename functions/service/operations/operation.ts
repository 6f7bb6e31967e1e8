/** The interface of operations on finished jobs. */

import type { Json } from "../../ports/json.ts";
import type { LlmTier } from "../../ports/llm.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { ModelCalls, RunLimits } from "../extraction/model-calls.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OperationFile, RunSummary } from "../runs/job-records.ts";
import type { Material, Parameters } from "../runs/run-command.ts";

/** Runs work with the model within the operation's run: traced, counted, within its deadline. */
export type AskModel = <T>(work: (calls: ModelCalls, limits: RunLimits) => Promise<T>) => Promise<T>;

export interface OperationContext {
  org: Organization;
  /** The operation's own job. */
  guid: string;
  material: Material;
  tier: LlmTier;
  /** Milliseconds since 1970. */
  deadline: number;
  /** Null where no model is configured. */
  ask: AskModel | null;
  files: OperationFiles;
  /** Notes the progress of a phase for watchers. */
  progress(phase: string, total: number, unit: string): Promise<void>;
}

/** The operation's own files, among its parent's. */
export interface OperationFiles {
  get(name: OperationFile): Promise<Uint8Array | undefined>;
  /** @returns the blob's key */
  put(name: OperationFile, bytes: Uint8Array, contentType?: string): Promise<string>;
}

/** The result of an operation, and its engine: `offline` or a model's name. */
export interface OperationAnswer {
  result: Json;
  engine: string;
  /** Keys of further files, which the run names. */
  keys?: Pick<RunSummary, "acroFormKey" | "formKey" | "definitionsKey">;
}

/** What an operation makes ready before its job exists. */
export interface Preparation {
  org: Organization;
  material: Material;
  parameters: Parameters;
  /** GUID of the job that the operation works on. */
  parent: string;
  /** The request's body, for operations that read it themselves. */
  body?: Uint8Array;
  files: OperationFiles;
}

/** An operation. To add one, write a file of this shape and its line in the registry. */
export interface Operation {
  type: string;
  /** For the API's documentation. */
  summary: string;
  /** Reads customParameters. @throws BadRequest naming each fault below `at` */
  read(given: Readonly<Record<string, unknown>>, at: string): Parameters;
  /** Checks that the job has what the operation needs. @throws Conflict naming the remedy */
  require(material: Material, parameters: Parameters): void;
  /** Never asks a model. */
  withoutModel?: true;
  /** The mode in which the document is read anew before the operation; absent: never, undefined: not this time. */
  readsWith?(parameters: Parameters): OcrMode | undefined;
  /** Checks and stores what is too large for the parameters; repeatable. @returns the parameters. @throws AppError */
  prepare?(preparation: Preparation): Promise<Parameters>;
  /** @throws JobFailure, AppError (retryable) */
  run(context: OperationContext, parameters: Parameters): Promise<OperationAnswer>;
}
