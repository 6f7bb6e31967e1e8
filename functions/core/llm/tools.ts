/** Tools that a model may ask for while it extracts. They read, and change nothing. */
import { BadRequest } from "../errors.ts";
import type { Json } from "../ports.ts";
import type { ModelTool } from "./ports.ts";

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

/** Where there are no cases: each that is named is unknown. */
export const emptyToolBox: ToolBox = {
  async check(_organization, wishes) {
    const errors = wishes.map(({ caseId }, at) => ({
      path: `/tools/${at}/config/caseId`,
      message: `must be a case that is a knowledge base; there is no case ${caseId}`,
    }));
    const [first] = wishes;
    if (first === undefined) return;
    throw new BadRequest(`There is no case ${first.caseId} to search; make it a knowledge base first`, { errors });
  },
  open: async () => [],
};
