/** Tools that a command gives to the model. */

import * as z from "zod";
import { isObject } from "../../ports/json.ts";
import type { ToolRequest } from "../../ports/tools.ts";
import { enumeration, hasOneOf, integer, openapiOf } from "./common.ts";

const MAX_TOOLS = 20;
const MAX_PASSAGES = 50;
const DEFAULT_PASSAGES = 5;
const TOOL_TYPE = "KNOWLEDGE_BASE_SEARCH";

const CaseId = integer("must be a case's id, or its digits", 1);
const Passages = integer(`must be an integer from 1 to ${MAX_PASSAGES}`, 1, MAX_PASSAGES);

const idOf = (from: Record<string, unknown>): unknown => from.caseId ?? from.knowledgeBaseId;

interface Fault {
  path: PropertyKey[];
  message: string;
}

/** Members are in `config` or beside `type`; `config` wins. */
function readTool(value: unknown, faults: Fault[]): ToolRequest {
  const wish: ToolRequest = { type: TOOL_TYPE, caseId: 0, topK: DEFAULT_PASSAGES };
  if (!isObject(value)) {
    faults.push({ path: [], message: "must be an object with a type" });
    return wish;
  }
  const { type } = value;
  if (typeof type !== "string" || type.toUpperCase().replaceAll("-", "_") !== TOOL_TYPE) {
    const given = typeof type === "string" ? `, not ${JSON.stringify(type.slice(0, 80))}` : "";
    faults.push({ path: ["type"], message: `must be ${TOOL_TYPE}${given}` });
    return wish;
  }
  const config = isObject(value.config) ? value.config : {};
  const read = (name: string, member: typeof CaseId, given: unknown): number => {
    const { success, data = 0, error } = member.safeParse(given);
    if (!success) faults.push({ path: ["config", name], message: error.issues[0]?.message ?? "" });
    return data;
  };
  const caseId = read("caseId", CaseId, idOf(config) ?? idOf(value));
  return { ...wish, caseId, topK: read("topK", Passages, config.topK ?? value.topK ?? DEFAULT_PASSAGES) };
}

function readTools(tools: readonly unknown[], { issues }: z.RefinementCtx): ToolRequest[] {
  return tools.map((tool, at) => {
    const faults: Fault[] = [];
    const wish = readTool(tool, faults);
    for (const { path, message } of faults) {
      issues.push({ code: "custom", message, input: tool, path: [at, ...path] });
    }
    return wish;
  });
}

const list = z
  .array(z.unknown(), { error: "must be a list of tools" })
  .max(MAX_TOOLS, { error: `must have at most ${MAX_TOOLS} tools` });

/** Members of a tool's settings; `config` and the tool itself have them. */
const settings = {
  caseId: openapiOf(CaseId),
  knowledgeBaseId: openapiOf(CaseId),
  topK: openapiOf(Passages),
};
const hasCase = hasOneOf(["caseId"], ["knowledgeBaseId"]);

const shown = {
  openapi: {
    type: "array",
    maxItems: MAX_TOOLS,
    items: {
      type: "object",
      properties: {
        type: openapiOf(enumeration([TOOL_TYPE])),
        config: { type: "object", properties: settings },
        ...settings,
      },
      required: ["type"],
      anyOf: [...hasCase.anyOf, { required: ["config"], properties: { config: hasCase } }],
    },
    description:
      "What the model may look things up in: `[{type: KNOWLEDGE_BASE_SEARCH, config: {caseId, topK}}]`, `caseId` a number or digits, also called `knowledgeBaseId`, also beside `type`",
  },
};

export const Tools = list.transform(readTools).meta(shown);

/** Tools, checked and returned as sent. */
export const ToolsAsSent = list
  .transform((tools, context) => {
    readTools(tools, context);
    return tools;
  })
  .meta(shown);
