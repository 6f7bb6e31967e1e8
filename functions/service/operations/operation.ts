/** What operations on finished jobs are made of. */

import type { Json } from "../../ports/json.ts";
import type { LlmTier } from "../../ports/llm.ts";
import type { ModelCalls, RunLimits } from "../extraction/model-calls.ts";
import type { Organization } from "../organizations/organization.ts";

/**
 * What an operation works on: what a run left when the operation was asked for, so that a run that follows changes
 * nothing under it. Keys of blobs; absent: there is none.
 */
export interface Material {
  /** The job, of a batch the document's. */
  guid: string;
  run: number;
  mimeType: string;
  /** Of the run's command, for its schema and prompt. */
  commandKey?: string;
  layoutKey?: string;
  qualityKey?: string;
  resultKey?: string;
  resultType?: string;
  sourcesKey?: string;
  figuresKey?: string;
  /** The run whose figures these are; their pictures stand beside the list. */
  figuresRun?: number;
  /** Who made the result: `offline` or a model's name. */
  engine?: string;
  /** What the result lacks, as its run named it. */
  validationErrors?: { pointer: string; message: string }[];
  /** What a list should have had and has not, as the run's receipt named it. */
  missing?: { list: string; pageNumber: number; text: string }[];
}

/** Customary parameters, checked and with their defaults. */
export type Parameters = { [name: string]: Json };

/** What an operation's run is asked to do, as its command keeps it. */
export interface OperationCommand {
  type: string;
  parameters: Parameters;
  material: Material;
}

/** Asks the model within the operation's run: traced, counted, in time. */
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
}

/** The result of an operation, and who made it: `offline` or a model's name. */
export interface OperationAnswer {
  result: Json;
  engine: string;
}

/** One operation; adding one is a file of this shape and its line in the registry. */
export interface Operation {
  type: string;
  /** For the API's documentation. */
  summary: string;
  /** Reads customParameters. @throws BadRequest naming each fault below `at` */
  read(given: Readonly<Record<string, unknown>>, at: string): Parameters;
  /** What it needs of the job. @throws Conflict with what to do */
  require(material: Material): void;
  /** @throws JobFailure, AppError (retryable) */
  run(context: OperationContext, parameters: Parameters): Promise<OperationAnswer>;
}
