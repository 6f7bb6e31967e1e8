import { planChunksTask } from "../engine/tasks/plan-chunks.ts";
import { encodeJson } from "../ports/json.ts";
import { HEADER_CHUNK, tallyOf } from "../service/runs/chunk-outcomes.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import { runStep } from "../service/runs/run-step.ts";
import { loadLayout } from "./layout.ts";
import { defineStep } from "./step.ts";

/**
 * Iterations of the machine's Map at most: each leaves some ten events in a history of 25,000. Of a document in more
 * chunks, an iteration works off several.
 */
const MOST_SHARES = 500;
/** Chunks on their way at the same time: what most accounts with a provider allow, and a quarter of an inline Map's 40. */
const PARALLEL = 8;

/** First and last chunk of each iteration, in order. */
function sharesOf(count: number): [number, number][] {
  const size = Math.max(1, Math.ceil(count / MOST_SHARES));
  const shares: [number, number][] = [];
  for (let first = 0; first < count; first += size) shares.push([first, Math.min(first + size, count) - 1]);
  return shares;
}

/** Parts the document; the plan is a file, and the machine gets the shares of it. */
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
    const concurrency = settings.parallel && !settings.stopWhenEmpty ? PARALLEL : 1;
    return {
      facts: { planKey, chunks: chunks.length, shares: [...first, ...sharesOf(chunks.length)], concurrency },
      also: [tallyOf(guid, run, chunks.length, settings.stopWhenEmpty)],
    };
  }),
);
