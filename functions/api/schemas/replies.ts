/** Reply schemas: the OpenAPI document is generated from them, and the tests check every answer against it. */
import * as z from "zod";
import { JOB_STATUSES } from "../../service/runs/job-records.ts";
import { PipelineSummary } from "./pipelines.ts";

const time = z.iso.datetime();
const guid = z.string().meta({ openapi: { type: "string", format: "uuid" } });
const status = z.enum(JOB_STATUSES);

export const Submitted = z.looseObject({ guid, status });

const ofBatch = { guid, jobGuid: guid };

export const NewBatch = z.looseObject({
  ...ofBatch,
  maxConcurrency: z.int(),
  isBatch: z.literal(true),
  totalDocuments: z.int(),
});
export const AddedDocument = z.looseObject({ ...ofBatch, index: z.int().min(0), totalDocuments: z.int().min(1) });
export const StartedBatch = z.looseObject({ ...ofBatch, maxConcurrency: z.int(), status });
export const ScheduledBatch = z.looseObject({ ...ofBatch, scheduled: z.boolean(), status });

export const UploadTicket = z.looseObject({
  guid,
  uploadUrl: z.string().meta({ openapi: { type: "string", format: "uri" } }),
  method: z.literal("PUT"),
  headers: z
    .record(z.string(), z.string())
    .meta({ description: "To be sent with the PUT as they are, besides the Content-Length of the declared size" }),
  expiresAt: time,
});

const RunSummary = z.looseObject({
  run: z.int().min(1),
  status,
  startedAt: time.nullable(),
  completedAt: time.nullable(),
  engine: z.string().nullable(),
});

/** Rows of the lists on a page and rows in the result. */
const Receipt = z
  .looseObject({
    expected: z.int(),
    returned: z.int(),
    missing: z
      .array(
        z.looseObject({
          pageNumber: z.int(),
          bbox: z.looseObject({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
          text: z.string(),
        }),
      )
      .describe("The first hundred of them, in the order of the document, boxes in inches; the counts are exact"),
    missingPages: z.string().optional().describe("Pages of all missing rows, such as `1-3,7`"),
    notes: z
      .array(z.string())
      .optional()
      .describe(
        "A sentence for each list that is empty and uncounted (none found does not mean none there), or that may lack rows, with the reason",
      ),
    lists: z.array(
      z.looseObject({
        pointer: z.string(),
        expected: z.int(),
        returned: z.int(),
        counted: z.boolean().describe("Whether rows of the page could be counted for this list"),
        restricted: z.boolean().optional().describe("Some of the rows were asked for only: fewer may be right"),
        unplaced: z
          .int()
          .optional()
          .describe("Items that stand nowhere on the pages; they are not among those returned"),
      }),
    ),
  })
  .meta({ id: "Receipt" });

export const ProcessingJob = z
  .looseObject({
    guid,
    status,
    error: z.string().nullable(),
    createdAt: time,
    updatedAt: time,
    organizationId: z.int(),
    jobType: z.string(),
    jobMode: z.enum(["STANDARD", "MAP_REDUCE", "PIPELINE", "OPERATION"]),
    operationType: z.string().nullable(),
    tokenCount: z.int(),
    configuration: z.string().nullable().describe("Name of the saved configuration that the newest run used"),
    configurationRevision: z.int().positive().nullable(),
    dependsOnGuid: z.string().nullable(),
    dependencyStatus: z.string(),
    isBatch: z.boolean(),
    totalDocs: z.int(),
    completedDocs: z.int(),
    failedDocs: z.int(),
    maxConcurrency: z.int(),
    nextDocIndex: z.int(),
    inProgressDocs: z.int(),
    cancelledDocuments: z.int().optional().meta({ description: "Batches: documents that cancelling the batch ended" }),
    operationStatusVersion: z.int(),
    progress: z
      .looseObject({ done: z.int(), total: z.int(), failed: z.int(), phase: z.string(), unit: z.string() })
      .optional(),
    mapReduceStatus: z
      .looseObject({
        totalChunks: z.int(),
        completedChunks: z.int(),
        headerCaptured: z.boolean(),
        stopWhenEmpty: z.boolean(),
        earlyTerminated: z.boolean(),
        terminationChunkIndex: z.int().nullable(),
        terminationReason: z.string().nullable(),
      })
      .optional()
      .meta({ description: "Of a run in chunks" }),
    pipeline: PipelineSummary.optional().meta({ description: "Of a pipeline's run" }),
    usage: z.looseObject({ tokens: z.int(), ocrPages: z.int(), llmTokens: z.int() }),
    engine: z.string().nullable(),
    confidence: z.number().min(0).max(1).nullable(),
    validationErrors: z.array(z.looseObject({ pointer: z.string(), message: z.string() })).optional(),
    receipt: Receipt.optional(),
    hint: z.string().optional().meta({ description: "What to do about an `error` that does not say it" }),
    runs: z.array(RunSummary),
  })
  .meta({ id: "ProcessingJob" });

export const JobDependency = z.looseObject({
  guid,
  dependsOnGuid: z.string().nullable(),
  dependencyStatus: z.string(),
  parentJob: ProcessingJob.optional(),
});

const Order = z.looseObject({
  property: z.string(),
  direction: z.enum(["ASC", "DESC"]),
  ignoreCase: z.boolean(),
  ascending: z.boolean(),
});

/** How a page was asked for. */
export const Pageable = z.looseObject({
  orderBy: z.array(Order),
  number: z.int(),
  size: z.int(),
  mode: z.literal("OFFSET"),
  sort: z.looseObject({ orderBy: z.array(Order) }),
});

export const JobPage = z
  .looseObject({
    content: z.array(ProcessingJob),
    pageable: Pageable,
    pageNumber: z.int(),
    offset: z.int(),
    size: z.int(),
    empty: z.boolean(),
    numberOfElements: z.int(),
    totalSize: z.int(),
    totalPages: z.int(),
    nextCursor: z.string().optional(),
  })
  .meta({ id: "JobPage" });

const Box = z.looseObject({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });

/** Place of evidence against a value. */
const FieldEvidence = z
  .looseObject({
    match: z.number().min(0).max(1).nullable(),
    ocr: z.number().min(0).max(1).nullable(),
    label: z.number().min(0).max(1),
    rival: z.number().min(0).max(1).optional(),
    otherLabel: z.number().min(0).max(1).optional(),
    otherField: z.literal(true).optional(),
    otherRow: z.literal(true).optional(),
    offColumn: z.number().min(0).max(1).optional(),
    validators: z.array(z.looseObject({ name: z.string(), ok: z.boolean() })),
    agreement: z.boolean().nullable(),
  })
  .meta({ id: "FieldEvidence" });

/** The words of a value on the pages. */
const place = {
  resolution: z.enum(["word", "block", "acroform-field"]),
  sourceRefs: z.array(z.string()),
  pageAnchors: z.array(
    z.looseObject({
      pageNumber: z.int().min(1),
      unit: z.enum(["inch", "point"]),
      bbox: Box,
      polygons: z.array(z.array(z.looseObject({ x: z.number(), y: z.number() }))),
    }),
  ),
};

export const SourceLocations = z
  .looseObject({
    version: z.literal(1),
    granularity: z.enum(["auto", "block", "word"]),
    pages: z.array(
      z.looseObject({
        pageNumber: z.int().min(1),
        width: z.number(),
        height: z.number(),
        unit: z.enum(["inch", "point"]),
      }),
    ),
    locations: z.record(
      z.string(),
      z.looseObject({ ...place, confidence: z.number().min(0).max(1), evidence: FieldEvidence.optional() }),
    ),
    unresolved: z.array(
      z.looseObject({
        pointer: z.string(),
        reason: z.string(),
        confidence: z.number().min(0).max(1).optional(),
        evidence: FieldEvidence.optional(),
        candidates: z
          .array(
            z.looseObject({
              value: z.unknown(),
              place: z.looseObject(place).optional(),
              confidence: z.number().min(0).max(1),
            }),
          )
          .optional()
          .describe("Values that were not sure enough; present for the reason `unsure`"),
      }),
    ),
  })
  .meta({ id: "SourceLocations" });

const tokens = z.int().nullable();

export const Trace = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    start_time: time,
    end_time: time,
    status: z.string(),
    job_id: z.string(),
    extraction_mode: z.string().nullable(),
    llm_level: z.string(),
    total_tokens: z.int(),
    total_llm_calls: z.int(),
    total_tool_calls: z.int(),
    events: z.array(
      z.looseObject({
        id: z.string(),
        type: z.enum(["llm_start", "llm_end", "tool_start", "tool_end", "chain_start", "chain_end", "error"]),
        name: z.string(),
        timestamp: time,
        duration_ms: z.number().nullable(),
        model: z.string().nullable(),
        messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
        response: z.string().nullable(),
        prompt_tokens: tokens,
        completion_tokens: tokens,
        total_tokens: tokens,
      }),
    ),
  })
  .meta({ id: "Trace" });

export const JobsDeleted = z
  .looseObject({ jobsDeleted: z.int(), errors: z.array(z.string()) })
  .meta({ id: "JobsDeleted" });

const Engine = z.looseObject({ name: z.string(), on: z.boolean(), detail: z.string() });

export const Health = z
  .looseObject({
    status: z.literal("ok"),
    version: z.string(),
    engines: z.looseObject({ ocr: Engine, model: Engine, payments: Engine }),
  })
  .meta({ id: "Health" });

export const ErrorBody = z
  .looseObject({
    message: z.string(),
    status: z.int(),
    timestamp: time,
    path: z.string(),
    error: z.string(),
    errors: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Error" });
