import { type ChunkPlan, planChunksTask } from "../engine/tasks/plan-chunks.ts";
import { shareRecordsTask } from "../engine/tasks/share-records.ts";
import { JobFailure } from "../ports/errors.ts";
import { encodeJson, type Json } from "../ports/json.ts";
import { mapConcurrently } from "../service/extraction/map-some.ts";
import { modelOf } from "../service/organizations/engines.ts";
import { chunkFile, HEADER_CHUNK, startTally } from "../service/runs/chunk-outcomes.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import { runStep, type StepRun } from "../service/runs/run-step.ts";
import { defineStep } from "./define-step.ts";
import { extractOffline } from "./extract-offline.ts";
import type { ExtractedData } from "./extraction-part.ts";
import { loadFindings } from "./load-findings.ts";
import { loadLayout } from "./load-layout.ts";
import { DOCUMENT_TRACE } from "./trace-rules.ts";

/**
 * Most iterations of the machine's Map: each adds some ten events to a history of 25,000. With more chunks, an
 * iteration processes several.
 */
const MAX_SHARES = 500;
const JSON_TYPE = { contentType: "application/json" };
/** Concurrent chunks: most accounts with a model provider allow as many, and an inline Map allows 40. */
const MAX_CONCURRENT_CHUNKS = 8;

/** First and last chunk of each iteration, in order. */
function sharesOf(count: number): [number, number][] {
  const size = Math.max(1, Math.ceil(count / MAX_SHARES));
  const shares: [number, number][] = [];
  for (let first = 0; first < count; first += size) shares.push([first, Math.min(first + size, count) - 1]);
  return shares;
}

const WHOLE_DOCUMENT = { name: "document", pages: "all pages", traceName: DOCUMENT_TRACE, whole: true } as const;

/** Extracts all records at once; undefined where that fails, for the chunks may succeed one by one. */
async function readWhole(context: StepRun, schema: Json, layout: Uint8Array): Promise<ExtractedData | undefined> {
  // All chunks together are held to the threshold.
  const command = { ...(await context.readCommand()), schema, minConfidence: 0 };
  try {
    return await extractOffline(context, command, { layout, ...(await loadFindings(context)) }, WHOLE_DOCUMENT);
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}

/**
 * Without a model, reads the records of the whole document before it is cut, and stores the answer of each chunk: rows
 * need the headings and columns of their table, which may stand in another chunk.
 * @returns nothing for a document whose records are no rows: its chunks are read one by one
 */
async function readRecords(
  context: StepRun,
  { form, chunks }: ChunkPlan,
  layout: Uint8Array,
): Promise<{ records?: number[] }> {
  const { org, job, run, deadline } = context;
  const { llm } = await context.readCommand();
  if (modelOf(org.engines, llm) !== null || form.kind !== "list") return {};
  const whole = await readWhole(context, form.chunk, layout);
  if (whole === undefined) return {};
  const { result, sources } = whole;
  const { answers, records } = await org.engines.documents.run(
    shareRecordsTask,
    { result, sources, form, chunks },
    { deadline },
  );
  if (records.every((count) => count === 0)) return {};
  await mapConcurrently([...answers.entries()], ([index, answer]) =>
    org.blobs.put(chunkFile(job.guid, run.run, index), answer, JSON_TYPE),
  );
  return { records };
}

/** Splits the document into chunks; the plan is a file, and the machine gets the shares of its chunks. */
export const chunk = defineStep(async (org, input) =>
  runStep(org, input, "chunk", async (context) => {
    const { mapReduce: settings, schema, prompt, llm } = await context.readCommand();
    if (settings === undefined) throw new TypeError("A run in chunks has settings");
    const { guid, run } = input;
    const { documents } = org.engines;
    const model = modelOf(context.org.engines, llm);
    const layout = await loadLayout(context);
    const planned = await documents.run(
      planChunksTask,
      {
        layout,
        settings,
        openly: model !== null && prompt !== undefined,
        carried: model !== null,
        ...(schema === undefined ? {} : { schema }),
      },
      { deadline: context.deadline },
    );
    const plan = { ...planned, ...(await readRecords(context, planned, layout)) };
    const planKey = artifactKey(guid, run, "chunks/plan.json");
    await org.blobs.put(planKey, encodeJson(plan), JSON_TYPE);
    const { chunks, header } = plan;
    const first: [number, number][] = header === null || header.length === 0 ? [] : [[HEADER_CHUNK, HEADER_CHUNK]];
    const concurrency = settings.parallel && !settings.stopWhenEmpty ? MAX_CONCURRENT_CHUNKS : 1;
    return {
      facts: { planKey, chunks: chunks.length, shares: [...first, ...sharesOf(chunks.length)], concurrency },
      also: [startTally(guid, run, chunks.length, settings.stopWhenEmpty)],
    };
  }),
);
