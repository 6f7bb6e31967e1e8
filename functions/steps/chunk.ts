import { planChunksTask } from "../engine/tasks/plan-chunks.ts";
import { encodeJson } from "../ports/json.ts";
import { HEADER_CHUNK, startTally } from "../service/runs/chunk-outcomes.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import { runStep } from "../service/runs/run-step.ts";
import { defineStep } from "./define-step.ts";
import { loadLayout } from "./load-layout.ts";

/**
 * Most iterations of the machine's Map: each adds some ten events to a history of 25,000. With more chunks, an
 * iteration processes several.
 */
const MAX_SHARES = 500;
/** Concurrent chunks: most accounts with a model provider allow as many, and an inline Map allows 40. */
const MAX_CONCURRENT_CHUNKS = 8;

/** First and last chunk of each iteration, in order. */
function sharesOf(count: number): [number, number][] {
  const size = Math.max(1, Math.ceil(count / MAX_SHARES));
  const shares: [number, number][] = [];
  for (let first = 0; first < count; first += size) shares.push([first, Math.min(first + size, count) - 1]);
  return shares;
}

/** Splits the document into chunks; the plan is a file, and the machine gets the shares of its chunks. */
export const chunk = defineStep(async (org, input) =>
  runStep(org, input, "chunk", async (context) => {
    const { mapReduce: settings, schema, prompt } = await context.readCommand();
    if (settings === undefined) throw new TypeError("A run in chunks has settings");
    const { guid, run } = input;
    const { documents, model } = org.engines;
    const plan = await documents.run(
      planChunksTask,
      {
        layout: await loadLayout(context),
        settings,
        openly: model !== null && prompt !== undefined,
        ...(schema === undefined ? {} : { schema }),
      },
      { deadline: context.deadline },
    );
    const planKey = artifactKey(guid, run, "chunks/plan.json");
    await org.blobs.put(planKey, encodeJson(plan), { contentType: "application/json" });
    const { chunks, header } = plan;
    const first: [number, number][] = header === null || header.length === 0 ? [] : [[HEADER_CHUNK, HEADER_CHUNK]];
    const concurrency = settings.parallel && !settings.stopWhenEmpty ? MAX_CONCURRENT_CHUNKS : 1;
    return {
      facts: { planKey, chunks: chunks.length, shares: [...first, ...sharesOf(chunks.length)], concurrency },
      also: [startTally(guid, run, chunks.length, settings.stopWhenEmpty)],
    };
  }),
);
