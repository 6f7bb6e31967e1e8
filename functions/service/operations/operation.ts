/** The interface of operations on finished jobs. */

import type { Json } from "../../ports/json.ts";
import type { LlmTier } from "../../ports/llm.ts";
import type { ModelCalls, RunLimits } from "../extraction/model-calls.ts";
import type { Organization } from "../organizations/organization.ts";
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
}

/** The result of an operation, and its engine: `offline` or a model's name. */
export interface OperationAnswer {
  result: Json;
  engine: string;
}

/** An operation. To add one, write a file of this shape and its line in the registry. */
export interface Operation {
  type: string;
  /** For the API's documentation. */
  summary: string;
  /** Reads customParameters. @throws BadRequest naming each fault below `at` */
  read(given: Readonly<Record<string, unknown>>, at: string): Parameters;
  /** Checks that the job has what the operation needs. @throws Conflict naming the remedy */
  require(material: Material): void;
  /** @throws JobFailure, AppError (retryable) */
  run(context: OperationContext, parameters: Parameters): Promise<OperationAnswer>;
}
