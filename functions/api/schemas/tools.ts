/** Tools that a command gives to the model. */

import * as z from "zod";
import { isObject } from "../../ports/json.ts";
import type { ToolRequest } from "../../ports/tools.ts";

const MAX_TOOLS = 20;
const MAX_PASSAGES = 50;
const DEFAULT_PASSAGES = 5;
const TOOL_TYPE = "KNOWLEDGE_BASE_SEARCH";

/** An integer, as a number or as digits. */
function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

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
  const caseId = wholeNumber(idOf(config) ?? idOf(value));
  if (caseId === undefined) faults.push({ path: ["config", "caseId"], message: "must be a case's id, or its digits" });
  const given = config.topK ?? value.topK;
  const topK = given === undefined || given === null ? DEFAULT_PASSAGES : wholeNumber(given);
  if (topK === undefined || topK > MAX_PASSAGES) {
    faults.push({ path: ["config", "topK"], message: `must be an integer from 1 to ${MAX_PASSAGES}` });
  }
  return { ...wish, caseId: caseId ?? 0, topK: topK ?? DEFAULT_PASSAGES };
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

const shown = {
  openapi: {
    type: "array",
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
