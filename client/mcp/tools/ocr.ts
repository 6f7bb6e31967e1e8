import * as z from "zod";
import type { Session } from "../context.ts";
import { documentShape } from "../document-input.ts";
import { jobOutcome } from "../outcome.ts";
import { runJob } from "../run-job.ts";
import { ocrMode, password, type Tool, waitSeconds } from "./define-tool.ts";

const own = {
  format: z.enum(["plain", "markdown", "jsonl"]).default("markdown").describe("jsonl: a line of JSON for each page"),
  ocr: ocrMode,
  password,
  waitSeconds,
};

/** Reads the text of a document. */
export const ocrTool = (session: Session): Tool<ReturnType<typeof documentShape> & typeof own> => ({
  name: "ocr",
  title: "Read the text of a document",
  description: `Reads the text of a PDF, a scan, a picture or an office file, in reading order, with headings and tables as Markdown. Pages without text are recognised.${session.files === undefined ? "" : " Reads a local file when `path` is given."}`,
  input: { ...documentShape(session), ...own },
  output: jobOutcome,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  run: ({ format, ocr, password: secret, ...document }, context) =>
    runJob(session, document, context, (guid, signal) =>
      session.client.ocr(guid, { format, ocr, password: secret }, { signal }),
    ),
});
