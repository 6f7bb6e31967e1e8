/** Pipelines in queue mode: nodes that wait for the model take no place from others, and organizations take turns. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Records } from "../../functions/ports/records.ts";
import { withMethods } from "../support/changed.ts";
import { answerJson, type ModelServer, startModelServer } from "../support/model-server.ts";
import { command } from "../support/router.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** More nodes than the machine works on at once. */
const WIDTH = 8;
/** More steps of one organization at once would hide a wait that holds a place. */
const ORGANIZATION_CONCURRENCY = 2;
/** The model answers when as many requests wait, or after this time. */
const PATIENCE_MS = 1500;
const FLOOD_PROMPT = "Take your time with the total.";

let server: ModelServer;
let target: TestService;
beforeAll(async () => {
  server = await startModelServer();
  target = await startTestService({
    wrap: ({ records, blobs }) => ({ records: noting(records), blobs }),
    env: {
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: server.url,
      LLM_MODEL_DEFAULT: "a-model",
      SHEAF_ORG_CONCURRENCY: String(ORGANIZATION_CONCURRENCY),
    },
  });
});
afterAll(async () => {
  await target.close();
  await server.close();
});

/** Counts what goes on at once. */
function gauge(): { most: number; during<T>(work: () => Promise<T>): Promise<T> } {
  let now = 0;
  return {
    most: 0,
    async during(work) {
      now += 1;
      this.most = Math.max(this.most, now);
      return work().finally(() => {
        now -= 1;
      });
    },
  };
}

/** Nodes that record their outcome, which is the end of their work. */
let ending = gauge();

const noting = (records: Records): Records =>
  withMethods(records, {
    transact(operations, options) {
      const ends = operations.some((one) => "key" in one && one.key.sort.includes("nodes/done/n"));
      if (!ends) return records.transact(operations, options);
      return ending.during(async () => {
        await sleep(5);
        return records.transact(operations, options);
      });
    },
  });

const widePipeline = (mode: string, prompt = "Read the total.") => {
  const nodes = Array.from({ length: WIDTH }, (_, at) => ({
    id: `n${at}`,
    type: "extract",
    prompt,
    schema: { total: "number" },
    llm: { tier: "mini" },
  }));
  const end = { id: "end", type: "final", output: nodes.map(({ id }) => `$nodes.${id}.result.total`) };
  return { execution: { mode }, concurrency: { maxNodes: WIDTH }, nodes: [...nodes, end] };
};

const TEXT = { name: "total.txt", type: "text/plain" };

describe("a wide pipeline whose model answers slowly", () => {
  it.each(["inline", "queue"])("waits with all its nodes at once and works with few, %s", async (mode) => {
    ending = gauge();
    const model = gauge();
    const all = Promise.withResolvers<void>();
    server.play(() =>
      model.during(async () => {
        if (model.most === WIDTH) all.resolve();
        await Promise.race([all.promise, sleep(PATIENCE_MS)]);
        return answerJson({ total: 12 });
      }),
    );
    const status = await target.api.processed(Buffer.from("Total: 12"), command(widePipeline(mode)), TEXT);
    expect(status).toMatchObject({ status: "COMPLETED", error: null });
    expect(model.most).toBe(WIDTH);
    expect(ending.most).toBeGreaterThan(0);
    expect(ending.most).toBeLessThanOrEqual(ORGANIZATION_CONCURRENCY);
  });

  it("holds no place from another organization's nodes in queue mode", async () => {
    const over = Promise.withResolvers<void>();
    server.play(async ({ system, user }) => {
      if (`${system} ${user}`.includes(FLOOD_PROMPT)) await over.promise;
      return answerJson({ total: 12 });
    });
    server.requests.length = 0;
    const flood = target.api.processed(Buffer.from("Total: 12"), command(widePipeline("queue", FLOOD_PROMPT)), TEXT);
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(WIDTH);
    const quiet = await target.other.processed(Buffer.from("Total: 12"), command(widePipeline("queue")), TEXT);
    expect(quiet).toMatchObject({ status: "COMPLETED", error: null });
    over.resolve();
    expect(await flood).toMatchObject({ status: "COMPLETED", error: null });
  });
});
