/** Operations on finished jobs. */
import * as z from "zod";
import { OPERATION_TYPES } from "../engine/nodes/operation-types.ts";
import { parametersSchemaOf } from "../engine/nodes/parameter-specs.ts";
import { paddedPattern, wordsPattern } from "../engine/values/text-patterns.ts";
import { NotFound } from "../ports/errors.ts";
import { LLM_TIERS } from "../ports/llm.ts";
import { findOperation, listOperations } from "../service/operations/operation-history.ts";
import { findOperationType, OPERATIONS } from "../service/operations/operation-registry.ts";
import { type OperationRequest, startOperation } from "../service/operations/start-operation.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { applyForm } from "./form-apply.ts";
import { ok, type Reply } from "./http/reply.ts";
import { type ReplyDocumentation, route } from "./http/route.ts";
import { enumeration, guidOf, integer, integerParameter, openapiOf } from "./schemas/common.ts";
import { OperationList, OperationResult, OperationSubmitted } from "./schemas/operations.ts";

const TAG = "Operations";
const PARENT = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";

const parentGuid = () => guidOf("The GUID of the job that the operation is on");
const OPERATION_PATTERN = paddedPattern(wordsPattern(OPERATION_TYPES));
/** Any text is read, so that another type gets the contract's sentence. */
const operationType = () =>
  z
    .string()
    .max(200)
    .meta({ openapi: { type: "string", pattern: OPERATION_PATTERN, description: "The operation's type" } });
const parentParams = z.object({ parentJobId: parentGuid() });

const EXAMPLE = {
  jobGuid: "019aa5c1-02b4-7e11-9c3f-0a51f2b6c7d8",
  operationType: "error-analysis",
  status: "PENDING",
  message: "Operation error-analysis was started",
};
const BatchIndex = integer("must be an integer from 0 to 9,999", 0, 9_999)
  .optional()
  .meta({ openapi: { ...openapiOf(integer("", 0, 9_999)), description: "Of a batch: its document, from 0" } });

/** Members of an operation of one type: its parameters, and what of them it needs. */
function membersOf(type: (typeof OPERATION_TYPES)[number]): Record<string, unknown> {
  const customParameters = parametersSchemaOf(type);
  const isNeeded = customParameters.required !== undefined;
  const parameters = {
    type: "object",
    properties: { customParameters },
    ...(isNeeded ? { required: ["customParameters"] } : {}),
  };
  return {
    title: type,
    properties: { type: { type: "string", pattern: paddedPattern(wordsPattern([type])) }, parameters },
    required: isNeeded ? ["type", "parameters"] : ["type"],
  };
}

/** The body of an operation's start in the OpenAPI document: each type has its parameters. */
const startSchema = {
  type: "object",
  properties: {
    jobGuid: openapiOf(parentGuid()),
    type: { type: "string", description: "The operation's type" },
    batchIndex: openapiOf(BatchIndex),
    parameters: {
      type: "object",
      properties: { llmType: openapiOf(enumeration(LLM_TIERS)), customParameters: { type: "object" } },
    },
  },
  required: ["jobGuid", "type"],
  anyOf: OPERATION_TYPES.map(membersOf),
};

const submitted: Record<number, ReplyDocumentation> = {
  200: { description: "The operation's job", makes: "operation", schema: OperationSubmitted, example: EXAMPLE },
};

async function submit(org: Organization, request: OperationRequest): Promise<Reply> {
  const { guid, type, status } = await startOperation(org, request);
  return ok({ jobGuid: guid, operationType: type, status, message: `Operation ${type} was started` });
}

/** Clients read these members of the 404 answer. */
const UNKNOWN_OPERATION_BODY = { code: "not_found", disabled: false };

export const start = route({
  method: "POST",
  path: "/operation",
  scope: "write",
  gate: "tokens",
  tag: TAG,
  summary: "Start an operation on a finished job",
  description:
    "The operation is a job of its own, with status, trace, usage and result under its own GUID. Numbers, booleans and " +
    `lists in customParameters may be strings. Types: ${OPERATIONS.map(({ type, summary }) => `\`${type}\` ${summary}`).join("; ")}.`,
  idempotent: true,
  body: {
    kind: "json",
    schema: z
      .looseObject({
        jobGuid: parentGuid(),
        type: operationType(),
        batchIndex: BatchIndex,
        parameters: z
          .looseObject({
            llmType: enumeration(LLM_TIERS).optional(),
            customParameters: z.record(z.string(), z.unknown()).optional(),
          })
          .optional(),
      })
      .meta({ openapi: startSchema }),
    required: true,
    examples: {
      "error-analysis": { jobGuid: PARENT, type: "error-analysis" },
      "image-select": {
        jobGuid: PARENT,
        type: "image-select",
        parameters: { llmType: "DEFAULT", customParameters: { prompt: "floor plan", topK: "3" } },
      },
    },
  },
  errors: [400, 404, 409],
  replies: submitted,
  async run({ body, newGuid }, { org }) {
    const { llmType, customParameters } = body.parameters ?? {};
    try {
      return await submit(org, {
        parent: body.jobGuid,
        type: body.type,
        guid: newGuid,
        ...(body.batchIndex === undefined ? {} : { batchIndex: body.batchIndex }),
        ...(llmType === undefined ? {} : { tier: llmType }),
        ...(customParameters === undefined ? {} : { parameters: customParameters }),
      });
    } catch (error) {
      if (error instanceof NotFound) throw new NotFound(error.message, { extra: UNKNOWN_OPERATION_BODY });
      throw error;
    }
  },
});

export const list = route({
  method: "GET",
  path: "/operation/{jobGuid}",
  scope: "read",
  tag: TAG,
  summary: "The operations on a job, newest first",
  description:
    "With their results as JSON text; where they are too long together, older ones are null here and read by " +
    "GET /job/result/{guid}.",
  params: z.object({ jobGuid: parentGuid() }),
  errors: [404],
  replies: { 200: { description: "The operations", schema: OperationList } },
  async run({ params }, { org }) {
    const operations = await listOperations(org, params.jobGuid);
    return ok({ parentJobGuid: params.jobGuid, operations, totalOperations: operations.length });
  },
});

async function newestOperation(org: Organization, parent: string, type: string): Promise<Reply> {
  const { jobGuid, ...rest } = await findOperation(org, parent, findOperationType(type).type);
  return ok({ jobGuid, parentJobGuid: parent, ...rest });
}

export const read = route({
  method: "GET",
  path: "/operation/{jobGuid}/{type}",
  scope: "read",
  tag: TAG,
  summary: "The newest operation of a type on a job",
  description: "`result` is JSON text, to be parsed once more.",
  params: z.object({ jobGuid: parentGuid(), type: operationType() }),
  errors: [400, 404],
  replies: { 200: { description: "The operation", schema: OperationResult } },
  run: ({ params }, { org }) => newestOperation(org, params.jobGuid, params.type),
});

const GENERATIVE_TASK = "generative-task";
const GENERATION = parametersSchemaOf(GENERATIVE_TASK).properties as Record<string, Record<string, unknown>>;

export const generate = route({
  method: "POST",
  path: "/operation/{parentJobId}/generative-task",
  scope: "write",
  gate: "tokens",
  tag: TAG,
  summary: "Have a text written about a finished job",
  description: "A model writes it from the document and its result, and cites pages. Without a model it FAILS.",
  idempotent: true,
  params: parentParams,
  query: z.object({ batchIndex: integerParameter(0, 9_999).optional() }),
  body: {
    kind: "json",
    schema: z.looseObject({
      // The operation reads them, and names their faults.
      prompt: z.unknown().meta({ openapi: GENERATION.prompt }),
      model: enumeration(LLM_TIERS).optional(),
      temperature: z.unknown().optional().meta({ openapi: GENERATION.temperature }),
      maxTokens: z.unknown().optional().meta({ openapi: GENERATION.maxTokens }),
    }),
    required: true,
    examples: { summary: { prompt: "Summarize the contract's obligations", model: "DEFAULT", temperature: 0.2 } },
  },
  errors: [400, 404, 409],
  replies: submitted,
  async run({ params, query, body, newGuid }, { org }) {
    const { model, prompt, temperature, maxTokens } = body;
    return submit(org, {
      parent: params.parentJobId,
      type: GENERATIVE_TASK,
      guid: newGuid,
      parameters: { prompt, temperature, maxTokens },
      parametersPointer: "",
      ...(query.batchIndex === undefined ? {} : { batchIndex: query.batchIndex }),
      ...(model === undefined ? {} : { tier: model }),
    });
  },
});

export const generated = route({
  method: "GET",
  path: "/operation/{parentJobId}/generative-task",
  scope: "read",
  tag: TAG,
  summary: "The newest generative task on a job",
  params: parentParams,
  errors: [404],
  replies: { 200: { description: "The operation", schema: OperationResult } },
  run: ({ params }, { org }) => newestOperation(org, params.parentJobId, GENERATIVE_TASK),
});

export const operationRoutes = [start, list, read, generate, generated, applyForm];
