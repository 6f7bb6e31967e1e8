/** Documents: the upload routes and the routes that start a run. */
import * as z from "zod";
import { UnprocessableEntity } from "../ports/errors.ts";
import { announceCaseUpload } from "../service/cases/case-uploads.ts";
import { openDependentRun } from "../service/lifecycle/dependent-runs.ts";
import { waitForEnd } from "../service/lifecycle/views/wait-for-end.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { openRun } from "../service/runs/open-run.ts";
import { findResult } from "../service/runs/run-results.ts";
import { announceUpload, loadDocument } from "../service/runs/uploads.ts";
import { configured, processWithConfiguration } from "./configured.ts";
import { describingRoutes } from "./describing.ts";
import { tooLarge } from "./http/body-limit.ts";
import { fileNameOf, type Multipart } from "./http/multipart.ts";
import { json, type Reply } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { parseMember } from "./http/validate.ts";
import {
  nonBlank,
  OcrCommand,
  runOfOcrCommand,
  runOfUploadCommand,
  TEXT_FORMATS,
  UploadCommand,
} from "./schemas/commands.ts";
import { enumeration, guidOf, guidParams } from "./schemas/common.ts";
import { UploadTicket } from "./schemas/replies.ts";
import { NewUpload } from "./schemas/uploads.ts";
import {
  accept,
  checkPageRange,
  checkTools,
  documentPart,
  jobReply,
  mediaTypeOf,
  passwordPart,
  submit,
  submittedReply,
  textPart,
  UPLOAD_ERRORS,
} from "./submission.ts";

const TAG = "Documents";
/** Time limit of the sync routes, below the 30 s of an API gateway. */
const SYNC_TIMEOUT_SECONDS = 28;

export const upload = route({
  method: "POST",
  path: "/document/upload",
  scope: "write",
  tag: TAG,
  summary: "Upload a document",
  description: "Keeps the document as a new job, PENDING until it is processed.",
  idempotent: true,
  body: { kind: "multipart", parts: { document: documentPart } },
  errors: UPLOAD_ERRORS,
  replies: { 201: submittedReply("The job") },
  async run({ multipart, newGuid }, { org }) {
    const job = await accept(org, multipart.document(), newGuid);
    return json(201, { guid: job.guid, status: job.status });
  },
});

export const uploadUrl = route({
  method: "POST",
  path: "/document/upload-url",
  scope: "write",
  tag: TAG,
  summary: "Get an address to upload a document to",
  description:
    "Makes a job, PENDING, whose document is then sent by a PUT of exactly these bytes and headers, without the API " +
    "key and past the limit of a request. The first process or ocr call looks at it: 409 while it is not there, and " +
    "whatever an upload is refused with. With `caseId` it is a document of that case, and takes a place there: `guid` is its " +
    "`documentId`, and its reading begins by itself when it is there.",
  idempotent: true,
  body: {
    kind: "json",
    schema: NewUpload,
    required: true,
    examples: { pdf: { fileName: "contract.pdf", mimeType: "application/pdf", size: 8_123_456 } },
  },
  errors: [400, 404, 409, 413],
  replies: { 201: { description: "The job, and where its document goes", makes: "job", schema: UploadTicket } },
  async run({ body, newGuid }, { org }) {
    const { maxDocumentBytes } = org.config;
    if (body.size > maxDocumentBytes) throw tooLarge(maxDocumentBytes);
    const { mimeType, size, caseId } = body;
    const announced = { guid: newGuid, fileName: fileNameOf(body.fileName) ?? null, mimeType, size };
    const { job, request } = await (caseId === undefined
      ? announceUpload(org, announced)
      : announceCaseUpload(org, caseId, announced));
    const { url, method, headers, expiresAt } = request;
    return json(201, { guid: job.guid, uploadUrl: url, method, headers, expiresAt });
  },
});

export const process = route({
  method: "POST",
  path: "/document/process/{guid}",
  scope: "write",
  gate: "tokens",
  tag: TAG,
  summary: "Extract data from an uploaded document",
  description:
    "Opens a new run of the job. With neither schema nor prompt the result is a general one. With `dependsOn` the run " +
    "begins when that job's run has ended, fails when that one fails, and takes over what was read of the same document.",
  idempotent: true,
  params: guidParams,
  query: z.object({ dependsOn: guidOf("The job to wait for").optional() }),
  body: {
    kind: "json",
    schema: UploadCommand,
    required: false,
    examples: {
      schema: {
        prompt: "Extract the invoice's number and total",
        schema: '{"type":"object","properties":{"invoice_number":{"type":"string"},"total":{"type":"number"}}}',
        sourceLocations: true,
      },
      shape: { schema: { invoice_number: "string", issue_date: "date", total: "number" } },
    },
  },
  errors: [400, 404, 409, 415, 422],
  replies: { 200: submittedReply("The run has been started") },
  async run({ params, query, body, idempotencyKey }, { org }) {
    const job = await loadDocument(org, params.guid);
    const command = await runOfUploadCommand(org, await configured(org, UploadCommand, body), mediaTypeOf(job));
    checkPageRange(command, job.source.pageCount);
    await checkTools(org, command);
    const dependsOn = query.dependsOn?.trim() ?? "";
    return jobReply(
      dependsOn === ""
        ? await openRun(org, job.guid, command, idempotencyKey)
        : await openDependentRun(org, job.guid, command, dependsOn, idempotencyKey),
    );
  },
});

export const ocr = route({
  method: "POST",
  path: "/document/ocr/{guid}",
  scope: "write",
  gate: "tokens",
  tag: TAG,
  summary: "Read an uploaded document's text",
  description: "Opens a new run whose result is the document's text.",
  idempotent: true,
  params: guidParams,
  query: z.object({ format: enumeration(TEXT_FORMATS).optional() }),
  body: {
    kind: "json",
    schema: OcrCommand,
    required: false,
    examples: { markdown: { ocr: "DEFAULT", ocrFormat: "markdown" } },
  },
  errors: [400, 404, 409, 415, 422],
  replies: { 200: submittedReply("The run has been started") },
  async run({ params, query, body, idempotencyKey }, { org }) {
    const job = await loadDocument(org, params.guid);
    return jobReply(
      await openRun(org, job.guid, runOfOcrCommand(body, query.format, mediaTypeOf(job)), idempotencyKey),
    );
  },
});

const uploadFilesParts = {
  document: documentPart,
  instructions: textPart("What to extract, in words; `prompt` is read as well"),
  prompt: textPart("The same as instructions"),
  schema: textPart("A JSON Schema"),
  metadata: textPart("An UploadCommand as JSON; `command` and `payload` are read as well"),
};

/**
 * Builds the command of a one-call upload: `metadata`, overridden by the parts `instructions`, `prompt` and `schema`.
 */
function commandOfParts(multipart: Multipart): UploadCommand {
  const name = ["metadata", "command", "payload"].find((one) => multipart.text(one) !== undefined);
  const command = name === undefined ? {} : parseMember(UploadCommand, multipart.text(name) ?? "", name);
  const prompt = multipart.text("instructions") ?? multipart.text("prompt");
  const schema = multipart.text("schema");
  return { ...command, ...(prompt === undefined ? {} : { prompt }), ...(schema === undefined ? {} : { schema }) };
}

export const uploadFiles = route({
  method: "POST",
  path: "/document/upload-files",
  scope: "write",
  weight: 2,
  gate: "tokens",
  tag: TAG,
  summary: "Upload and process in one call",
  idempotent: true,
  body: { kind: "multipart", parts: uploadFilesParts },
  errors: [...UPLOAD_ERRORS, 404],
  replies: { 200: submittedReply("The run has been started") },
  async run(input, { org }) {
    const command = await configured(org, UploadCommand, commandOfParts(input.multipart));
    return jobReply(await submit(org, input, (readAs) => runOfUploadCommand(org, command, readAs)));
  },
});

/**
 * Waits for the end of a run and answers its result, or 202 with the job when the time is up.
 * @param until milliseconds since 1970
 * @throws UnprocessableEntity with the job's sentence when the run failed
 */
async function answerWhenDone(org: Organization, guid: string, until: number): Promise<Reply> {
  const job = await waitForEnd(org, guid, (until - org.engines.clock.now()) / 1000);
  if (job.openRun !== null) return json(202, { guid, status: job.status });
  if (job.status === "FAILED") throw new UnprocessableEntity(job.error ?? "Processing failed");
  return { kind: "blob", status: 200, blob: await findResult(org, guid) };
}

/** The time counts from the beginning of the call, upload included. */
const syncDeadline = (org: Organization): number => org.engines.clock.now() + SYNC_TIMEOUT_SECONDS * 1000;

const stillRunning = submittedReply("The wait is over before the run; poll GET /job/status/{guid}");

export const uploadFilesSync = route({
  method: "POST",
  path: "/document/upload-files/sync",
  scope: "write",
  weight: 2,
  gate: "tokens",
  tag: TAG,
  summary: "Upload, process and wait for the data",
  description: `Waits at most ${SYNC_TIMEOUT_SECONDS} seconds. \`configuration\` is the command's, over what \`metadata\` says of it.`,
  idempotent: true,
  query: z.object({ configuration: z.string().optional() }),
  body: { kind: "multipart", parts: uploadFilesParts },
  errors: [...UPLOAD_ERRORS, 404],
  replies: {
    200: { description: "The extracted data", schema: z.unknown() },
    202: stillRunning,
  },
  async run(input, { org }) {
    const until = syncDeadline(org);
    const name = nonBlank(input.query.configuration);
    const command = await configured(org, UploadCommand, commandOfParts(input.multipart), name);
    const { guid } = await submit(org, input, (readAs) => runOfUploadCommand(org, command, readAs));
    return answerWhenDone(org, guid, until);
  },
});

export const ocrSync = route({
  method: "POST",
  path: "/document/ocr/sync",
  scope: "write",
  weight: 2,
  gate: "tokens",
  tag: TAG,
  summary: "Upload, read and wait for the text",
  description: `Waits at most ${SYNC_TIMEOUT_SECONDS} seconds.`,
  idempotent: true,
  query: z.object({ format: enumeration(TEXT_FORMATS).optional(), ocr: OcrCommand.shape.ocr }),
  body: { kind: "multipart", parts: { document: documentPart, password: passwordPart } },
  errors: UPLOAD_ERRORS,
  replies: {
    200: {
      description: "The text",
      contentTypes: ["text/plain", "text/markdown", "application/jsonl"],
    },
    202: stillRunning,
  },
  async run(input, { org }) {
    const until = syncDeadline(org);
    const { format, ocr: mode } = input.query;
    const command = { ...(mode === undefined ? {} : { ocr: mode }), ...input.multipart.password() };
    const { guid } = await submit(org, input, (readAs) => runOfOcrCommand(command, format, readAs));
    return answerWhenDone(org, guid, until);
  },
});

export const documentRoutes = [
  upload,
  uploadUrl,
  process,
  processWithConfiguration,
  ocr,
  uploadFiles,
  uploadFilesSync,
  ocrSync,
  ...describingRoutes,
];
