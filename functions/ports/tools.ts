/** Tools that a model may call while it extracts. They only read. */

import type { Json } from "./json.ts";
import type { ModelTool } from "./llm.ts";

/** A tool and what it does: it reads, and changes nothing. */
export interface ReadingTool {
  tool: ModelTool;
  /** Text for the model. An AppError's message is told to the model. */
  run(args: Json): Promise<string>;
}

/** A tool as a command asks for it. */
export interface ToolWish {
  type: "KNOWLEDGE_BASE_SEARCH";
  caseId: number;
  /** Passages of one search. */
  topK: number;
}

/** What a deployment has to look things up in. */
export interface ToolBox {
  /** @throws BadRequest naming each wish that means nothing in this organization, such as an unknown case's */
  check(organizationId: number, wishes: readonly ToolWish[]): Promise<void>;
  /** The tools of a run, in the order of the wishes. @throws JobFailure for what is no more there */
  open(organizationId: number, wishes: readonly ToolWish[]): Promise<ReadingTool[]>;
}
