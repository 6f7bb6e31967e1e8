/** Tools that a model may call during extraction. They only read. */

import type { Json } from "./json.ts";
import type { ModelTool } from "./llm.ts";

/** A tool with its implementation, which changes nothing. */
export interface ReadOnlyTool {
  tool: ModelTool;
  /** Returns text for the model. The model sees the message of an AppError. */
  run(args: Json): Promise<string>;
}

/** A tool that a command asks for. */
export interface ToolRequest {
  type: "KNOWLEDGE_BASE_SEARCH";
  caseId: number;
  /** Most passages of one search. */
  topK: number;
}

/** The tools of a deployment. */
export interface ToolBox {
  /** @throws BadRequest naming each request that is invalid in this organization, such as an unknown case */
  check(organizationId: number, requests: readonly ToolRequest[]): Promise<void>;
  /** The tools of a run, in the order of the requests. @throws JobFailure for a case that no longer exists */
  open(organizationId: number, requests: readonly ToolRequest[]): Promise<ReadOnlyTool[]>;
}
