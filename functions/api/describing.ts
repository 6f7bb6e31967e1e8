/** Describes a document: its form fields immediately, its type and a schema for it as jobs. */

import * as z from "zod";
import { acroFormTask } from "../engine/tasks/acroform.ts";
import { BadRequest } from "../ports/errors.ts";
import { parseJsonBytes } from "../ports/json.ts";
import { PDF } from "../ports/media-types.ts";
import { OCR_MODES } from "../ports/ocr.ts";
import { callLimits } from "../service/organizations/request-limits.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { runOfDescription } from "./schemas/commands.ts";
import { enumeration, flagParameter } from "./schemas/common.ts";
import { AcroForm } from "./schemas/readings.ts";
import { documentPart, jobReply, passwordPart, submit, submittedReply, textPart, UPLOAD_ERRORS } from "./submission.ts";

const TAG = "Documents";
/** Time limit for reading a form while the caller waits. */
const FORM_READING_TIMEOUT_MS = 20_000;

export const analyze = route({
  method: "POST",
  path: "/document/analyze",
  scope: "write",
  weight: 2,
  gate: "tokens",
  tag: TAG,
  summary: "Find out what a document is",
  description:
    "The job's result: `{document_type, language, pages, suggested_prompt, suggested_schema}`; the schema can be sent back as it is.",
  idempotent: true,
  query: z.object({
    ocr: enumeration(OCR_MODES).optional(),
    describeFigures: flagParameter().optional(),
    extractFigures: flagParameter().optional(),
  }),
  body: { kind: "multipart", parts: { document: documentPart, password: passwordPart } },
  errors: UPLOAD_ERRORS,
  replies: { 200: submittedReply("The run has been started") },
  async run(input, { org }) {
    const wish = { ...input.query, ...input.multipart.password() };
    return jobReply(await submit(org, input, (readAs) => runOfDescription("ANALYZE", wish, readAs)));
  },
});

export const generateSchema = route({
  method: "POST",
  path: "/document/generate-schema",
  scope: "write",
  weight: 2,
  gate: "tokens",
  tag: TAG,
  summary: "Make a JSON Schema from an example document",
  description: "The job's result is the schema. What the instructions name becomes a property too.",
  idempotent: true,
  query: z.object({ instructionsText: z.string().max(4000).optional() }),
  body: {
    kind: "multipart",
    parts: {
      document: documentPart,
      instructions: textPart("What the schema is for, in words"),
      password: passwordPart,
    },
  },
  errors: UPLOAD_ERRORS,
  replies: { 200: submittedReply("The run has been started") },
  async run(input, { org }) {
    const instructions = input.multipart.text("instructions") ?? input.query.instructionsText;
    const wish = { ...(instructions === undefined ? {} : { instructions }), ...input.multipart.password() };
    return jobReply(await submit(org, input, (readAs) => runOfDescription("SCHEMA", wish, readAs)));
  },
});

export const acroformMetadata = route({
  method: "POST",
  path: "/document/acroform-metadata",
  scope: "write",
  tag: TAG,
  summary: "Read the form of a PDF",
  description: "Every field with its widgets, at once and without a job. A PDF without a form has no fields.",
  body: { kind: "multipart", parts: { document: documentPart, password: passwordPart } },
  errors: UPLOAD_ERRORS,
  replies: { 200: { description: "The form", schema: AcroForm } },
  async run({ multipart }, { org }) {
    const { bytes } = multipart.document();
    // Refuse before a task opens the file: the contract wants 400 for anything but a PDF.
    if (!Buffer.from(bytes.subarray(0, 1024)).includes("%PDF-")) {
      throw new BadRequest(`The document is not a PDF; send one of type ${PDF}`);
    }
    const limits = callLimits(org, FORM_READING_TIMEOUT_MS);
    const form = await org.engines.documents.run(acroFormTask, { bytes, ...multipart.password() }, limits);
    return ok(parseJsonBytes(form));
  },
});

export const describingRoutes = [analyze, generateSchema, acroformMetadata];
