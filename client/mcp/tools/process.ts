import * as z from "zod";
import type { Json } from "../../json.ts";
import type { Session } from "../context.ts";
import { documentShape } from "../document-input.ts";
import { jobOutcome } from "../outcome.ts";
import { runJob } from "../run-job.ts";
import { MAX_PROMPT_CHARACTERS, ocrMode, password, storedName, type Tool, waitSeconds } from "./define-tool.ts";

/** Most page numbers of a call; documents have at most as many pages that the service reads. */
const MAX_PAGES = 10_000;

const own = {
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'JSON Schema of the data, or an example such as {"invoice_number":"string","due_date":"date","total":"number"}; names and descriptions are read as the labels to look for',
    ),
  prompt: z.string().max(MAX_PROMPT_CHARACTERS).optional().describe("What to extract, in words"),
  configuration: storedName.optional().describe("A saved configuration; the other members win over it"),
  pages: z.array(z.int().min(1)).min(1).max(MAX_PAGES).optional().describe("Numbers of the pages to read, from 1"),
  ocr: ocrMode,
  password,
  waitSeconds,
};

/** Extracts data from a document. */
export const processTool = (session: Session): Tool<ReturnType<typeof documentShape> & typeof own> => ({
  name: "process",
  title: "Extract data from a document",
  description: `Extracts data from a PDF, a scan, a picture, an office file or a text with a JSON Schema or a prompt; without both it answers the kind of document, its labelled values and its tables. Each value comes with its page, its box and a confidence. A value that is not found is null or named in \`unlocated\`. A PARTIAL or FAILED job is an error: say so, and do not present its data as complete.${session.files === undefined ? "" : " Reads a local file when `path` is given."}`,
  input: { ...documentShape(session), ...own },
  output: jobOutcome,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  run: ({ schema, prompt, configuration, pages, ocr, password: secret, ...document }, context) =>
    runJob(session, document, context, (guid, signal) =>
      session.client.process(
        guid,
        {
          schema: schema as { [member: string]: Json } | undefined,
          prompt,
          configuration,
          pageRange: pages,
          ocr,
          password: secret,
          sourceLocations: true,
        },
        { signal },
      ),
    ),
});
