/** Batches: several documents in one job, with one list of results. */
import * as z from "zod";
import { openBatchRun, scheduleBatch } from "../service/batches/batch-runs.ts";
import { addDocument, createBatch, loadBatch } from "../service/batches/batches.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { inspectUpload } from "../service/runs/uploads.ts";
import { configured } from "./configured.ts";
import { json, ok, type Reply } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { BatchCommand, NewBatch, nonBlank, runOfUploadCommand } from "./schemas/commands.ts";
import { flagParameter, guidParams } from "./schemas/common.ts";
import { nameParams } from "./schemas/configurations.ts";
import { AddedDocument, NewBatch as NewBatchReply, ScheduledBatch, StartedBatch } from "./schemas/replies.ts";
import { checkTools, documentPart, UPLOAD_ERRORS } from "./submission.ts";

const TAG = "Batches";
const GUID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";

export const create = route({
  method: "POST",
  path: "/document/batch",
  scope: "write",
  tag: TAG,
  summary: "Make an empty batch",
  description:
    "`mimeType` is the default of documents that declare no type of their own, among the types that their content can be; it never fails a document.",
  idempotent: true,
  body: { kind: "json", schema: NewBatch, required: false, examples: { eight: { maxConcurrency: 8 } } },
  errors: [400],
  replies: {
    200: {
      description: "The batch",
      makes: "batch",
      schema: NewBatchReply,
      example: { guid: GUID, jobGuid: GUID, maxConcurrency: 5, isBatch: true, totalDocuments: 0 },
    },
  },
  async run({ body, newGuid }, { org }) {
    const mimeType = nonBlank(body.mimeType);
    const { guid, documents } = await createBatch(org, {
      guid: newGuid,
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(body.maxConcurrency === undefined ? {} : { maxConcurrency: body.maxConcurrency }),
    });
    const { maxConcurrency, total } = documents;
    return ok({ guid, jobGuid: guid, maxConcurrency, isBatch: true, totalDocuments: total });
  },
});

export const upload = route({
  method: "POST",
  path: "/document/batch/{guid}/upload",
  scope: "write",
  tag: TAG,
  summary: "Add a document to a batch",
  description:
    "`index` counts from 0 in the order in which documents were taken in, also when many come at once; the list of " +
    "results has that order. 409 while a run is open, and over 10,000 documents.",
  idempotent: true,
  params: guidParams,
  body: { kind: "multipart", parts: { document: documentPart } },
  errors: [...UPLOAD_ERRORS, 409],
  replies: {
    201: {
      description: "Its place",
      schema: AddedDocument,
      example: { guid: GUID, jobGuid: GUID, index: 0, totalDocuments: 1 },
    },
  },
  async run({ params: { guid }, multipart, newGuid }, { org }) {
    await loadBatch(org, guid);
    const file = multipart.document();
    const { mimeType, pageCount } = await inspectUpload(org, file);
    const { index, total } = await addDocument(org, guid, {
      guid: newGuid,
      bytes: file.bytes,
      mimeType,
      declared: file.mimeType !== undefined,
      fileName: file.fileName ?? null,
      pageCount,
    });
    return json(201, { guid, jobGuid: guid, index, totalDocuments: total });
  },
});

const startedBatch = {
  description: "The run has been started",
  schema: StartedBatch,
  example: { guid: GUID, jobGuid: GUID, maxConcurrency: 5, status: "PENDING" },
};

async function startRun(
  org: Organization,
  guid: string,
  { asked, name, idempotencyKey }: { asked: BatchCommand; name?: string; idempotencyKey: string | undefined },
): Promise<Reply> {
  await loadBatch(org, guid);
  const command = await configured(org, BatchCommand, asked, name);
  const run = await runOfUploadCommand(org, command, (wish) => wish ?? "");
  await checkTools(org, run);
  const { maxConcurrency } = command;
  const opened = await openBatchRun(org, guid, run, { maxConcurrency, idempotencyKey });
  return ok({ guid, jobGuid: guid, maxConcurrency: opened.maxConcurrency, status: opened.status });
}

export const process = route({
  method: "POST",
  path: "/document/batch/{guid}/process",
  scope: "write",
  gate: "tokens",
  tag: TAG,
  summary: "Process all documents of a batch",
  description:
    "One command for all, also a pipeline, which each document runs through; at most `maxConcurrency` documents at once. On a finished batch a new run over the same " +
    "documents, which reuses what was read of them. 409 when the batch is empty or a run is open.",
  idempotent: true,
  params: guidParams,
  body: {
    kind: "json",
    schema: BatchCommand,
    required: false,
    examples: {
      shape: { schema: { invoice_number: "string", total: "number" }, maxConcurrency: 8 },
      type: { mimeType: "application/pdf" },
    },
  },
  errors: [400, 404, 409, 422],
  replies: { 200: startedBatch },
  async run({ params: { guid }, body, idempotencyKey }, { org }) {
    return startRun(org, guid, { asked: body, idempotencyKey });
  },
});

export const processWithConfiguration = route({
  method: "POST",
  path: "/document/batch/{guid}/process/with-configuration/{name}",
  scope: "write",
  gate: "tokens",
  tag: TAG,
  summary: "Process all documents of a batch as a saved configuration says",
  description: "Its `maxConcurrency`, where it has one, and the `trace` of the query count as those of a command do.",
  idempotent: true,
  params: guidParams.extend(nameParams.shape),
  query: z.object({ trace: flagParameter().optional() }),
  errors: [400, 404, 409, 422],
  replies: { 200: startedBatch },
  async run({ params: { guid, name }, query: { trace }, idempotencyKey }, { org }) {
    return startRun(org, guid, { asked: { trace }, name, idempotencyKey });
  },
});

export const schedule = route({
  method: "POST",
  path: "/document/batch/{guid}/schedule",
  scope: "write",
  tag: TAG,
  summary: "Start what was submitted and not yet started",
  description: "A process call starts its run itself; where that start was lost, this one does it at once.",
  params: guidParams,
  errors: [409],
  replies: {
    200: {
      description: "Whether there was something to start",
      schema: ScheduledBatch,
      example: { guid: GUID, jobGuid: GUID, scheduled: false, status: "PROCESSING" },
    },
  },
  async run({ params: { guid } }, { org }) {
    return ok({ guid, jobGuid: guid, ...(await scheduleBatch(org, guid)) });
  },
});

export const batchRoutes = [create, upload, process, processWithConfiguration, schedule];
