/** Jobs as answers of tools: a job that failed or fell short is an error, and one that runs has no result. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type JobResult, type ProcessingJob, type SheafClient, SheafError, type SourceLocations } from "../index.ts";
import type { Json } from "../json.ts";
import { isTerminal } from "../types.ts";
import { locatedValues, unlocatedValues } from "./located-values.ts";
import { pageUri, resultUri } from "./uris.ts";

/** Most characters of a result in an answer: about 25,000 tokens of a model. The rest is read as a resource. */
export const MAX_RESULT_CHARACTERS = 100_000;
/** Most values of each kind in an answer, for the same reason: one takes about 50 tokens. Long ones end a list before. */
export const MAX_VALUES = 300;
/** Most links to pages in an answer. */
const MAX_PAGE_LINKS = 20;

const box = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });

/** The structured answer of tools that run or read a job. */
export const jobOutcome = z.object({
  guid: z.string().describe("The job; `status` reads it again"),
  status: z
    .string()
    .describe("COMPLETED, PARTIAL (the result is incomplete), FAILED, CANCELLED, PENDING or PROCESSING"),
  finished: z.boolean(),
  error: z.string().nullable(),
  hint: z.string().optional(),
  confidence: z.number().nullable().optional().describe("0 to 1, over all values"),
  result: z.unknown().optional().describe("The extracted data"),
  text: z.string().optional().describe("The text of the document"),
  values: z
    .array(
      z.looseObject({
        pointer: z.string().describe("JSON Pointer in the result"),
        value: z.unknown(),
        page: z.number().optional().describe("From 1"),
        box: box.optional().describe("From the page's top left corner, in the unit"),
        unit: z.enum(["inch", "point"]).optional(),
        confidence: z.number().describe("0 to 1"),
      }),
    )
    .optional()
    .describe("Each value with its place in the document"),
  unlocated: z
    .array(z.object({ pointer: z.string(), value: z.unknown(), reason: z.string() }))
    .optional()
    .describe("Values without a place, and why; do not present them as read from the page"),
  missingRows: z.object({ expected: z.number(), returned: z.number(), pages: z.string().optional() }).optional(),
  left: z.array(z.string()).optional().describe("What this answer leaves out, and where it is read"),
});
export type JobOutcome = z.infer<typeof jobOutcome>;

/** The sentence about a job that opens an answer. */
export function summaryOf(job: ProcessingJob): string {
  const { guid, status, error, hint, receipt } = job;
  const because = error === null ? "" : `: ${error}`;
  if (!isTerminal(status)) {
    return `Job ${guid} is ${status} and has no result yet. It goes on; call \`status\` with its guid for the result.`;
  }
  if (status === "COMPLETED") return `Job ${guid} is COMPLETED.`;
  const next = hint === undefined ? "" : ` ${hint}`;
  if (status !== "PARTIAL") return `Job ${guid} is ${status} and has no result${because}${next}`;
  const rows =
    receipt === undefined ? "" : ` ${receipt.returned} of ${receipt.expected} expected entries were returned.`;
  return `Job ${guid} is PARTIAL: its result is INCOMPLETE${because}${next}${rows}`;
}

/** The first entries of a list that an answer has room for, whole; `left` tells of the others. */
function short<T>(list: T[], what: string, left: string[]): T[] {
  let characters = 0;
  const shown = list.slice(0, MAX_VALUES).filter((entry) => {
    characters += JSON.stringify(entry).length;
    return characters <= MAX_RESULT_CHARACTERS;
  });
  if (list.length > shown.length) left.push(`${list.length - shown.length} of ${list.length} ${what}`);
  return shown;
}

function withResult(outcome: JobOutcome, result: JobResult, left: string[]): JobOutcome {
  const isLong = result.text.length > MAX_RESULT_CHARACTERS;
  if (isLong) left.push(`most of the result's ${result.text.length} characters: read ${resultUri(outcome.guid)}`);
  if (result.kind === "text") return { ...outcome, text: result.text.slice(0, MAX_RESULT_CHARACTERS) };
  return isLong ? outcome : { ...outcome, result: result.json };
}

function withPlaces(outcome: JobOutcome, json: Json, sources: SourceLocations, left: string[]): JobOutcome {
  return {
    ...outcome,
    values: short(locatedValues(json, sources), "located values", left),
    unlocated: short(unlocatedValues(json, sources), "values without a place", left),
  };
}

/** The places of a result; undefined where the job was not asked to locate its values. */
async function sourcesOf(client: SheafClient, guid: string, signal: AbortSignal): Promise<SourceLocations | undefined> {
  try {
    return await client.sourceLocations(guid, { signal });
  } catch (error) {
    if (error instanceof SheafError && error.status === 404) return undefined;
    throw error;
  }
}

/** A job as it is now, with its result if it has one. @throws SheafError */
export async function outcomeOf(client: SheafClient, job: ProcessingJob, signal: AbortSignal): Promise<CallToolResult> {
  const { guid, status, error, hint, confidence, receipt } = job;
  const left: string[] = [];
  let outcome: JobOutcome = {
    guid,
    status,
    finished: isTerminal(status),
    error,
    ...(hint === undefined ? {} : { hint }),
    ...(confidence === undefined ? {} : { confidence }),
  };
  if (status === "COMPLETED" || status === "PARTIAL") {
    const result = await client.result(guid, { signal });
    outcome = withResult(outcome, result, left);
    const sources = result.kind === "json" ? await sourcesOf(client, guid, signal) : undefined;
    if (result.kind === "json" && sources !== undefined) outcome = withPlaces(outcome, result.json, sources, left);
    const missing = receipt !== undefined && receipt.returned < receipt.expected;
    if (missing) {
      const { expected, returned, missingPages: pages } = receipt;
      outcome.missingRows = { expected, returned, ...(pages === undefined ? {} : { pages }) };
    }
  }
  if (left.length > 0) outcome.left = left;
  return {
    content: [{ type: "text", text: `${summaryOf(job)}\n${JSON.stringify(outcome)}` }, ...pageLinks(outcome)],
    structuredContent: outcome,
    ...(["FAILED", "CANCELLED", "PARTIAL"].includes(status) ? { isError: true } : {}),
  };
}

/** Links to the pages that the values stand on. */
function pageLinks({ guid, values = [] }: JobOutcome): CallToolResult["content"] {
  const own = values.filter((value) => value.document === undefined);
  const pages = [...new Set(own.flatMap(({ page }) => page ?? []))].sort((a, b) => a - b);
  return pages.slice(0, MAX_PAGE_LINKS).map((page) => ({
    type: "resource_link" as const,
    uri: pageUri(guid, page),
    name: `Page ${page} with boxes`,
    mimeType: "image/png",
  }));
}
