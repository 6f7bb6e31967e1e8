/**
 * kill -9 in the middle of a pipeline: the job ends as it would have, nothing is charged twice. What is stored changes at
 * writes only: every write of a run, before and after it, is every state that a crash can leave.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { ChaosService } from "../support/chaos.ts";
import { isWrite } from "../support/fail-points.ts";
import { answerJson, type ModelServer, startModelServer } from "../support/model-server.ts";
import { INVOICE_STATES, router, statesOf } from "../support/router.ts";

let invoice: Uint8Array;
beforeAll(async () => {
  invoice = await drawInvoice();
});

const RESULT = { branch: "invoice", data: { invoice_number: "SH-2026-0117", net_total: 431 } };
/** Tokens of two answers of the server. */
const TOKENS = 240;
/** Kills between two lines about how far it is. */
const LINE_EVERY = 20;

/** One run to its end, as it would have ended. @returns the calls of the model */
async function round({ service, server, mode }: Sweep, name: string, point = ""): Promise<number> {
  const before = server.requests.length;
  const pipeline = router({ execution: { mode } });
  const job = await service.job(name, invoice, { extractionMode: "PIPELINE", pipeline });
  const usage = { ocrPages: 1, llmTokens: TOKENS };
  expect(job, point).toMatchObject({ status: "COMPLETED", error: null, result: RESULT, usage });
  expect(statesOf(job.pipeline.nodes), point).toEqual(INVOICE_STATES);
  expect(job.runs, point).toHaveLength(1);
  return server.requests.length - before;
}

interface Sweep {
  service: ChaosService;
  server: ModelServer;
  mode: string;
}

/** A run that is killed at a point. @returns whether it was, and the calls that the model got more than it needs */
async function killed(sweep: Sweep, name: string, point: string): Promise<{ died: boolean; again: number }> {
  const { service } = sweep;
  await service.arm(point);
  const starts = service.starts;
  const again = (await round(sweep, name, point)) - 2;
  expect([point, again <= 1]).toEqual([point, true]);
  return { died: service.starts > starts, again };
}

describe.concurrent("kill -9 at every write of a pipeline, before and after it", () => {
  it.each(["inline", "queue"])("%s", { timeout: 2_400_000 }, async (mode) => {
    const begin = performance.now();
    await using server = await startModelServer(({ user }) =>
      answerJson(user.includes("document_type") ? { document_type: "invoice" } : RESULT.data),
    );
    const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
    const missed: string[] = [];
    let again = 0;
    await using service = new ChaosService(env);
    const sweep = { service, server, mode };
    await service.arm();
    expect(await round(sweep, "count")).toBe(2);
    const writes = (await service.calls()).filter(isWrite);
    expect(writes.length).toBeGreaterThan(30);
    const points = writes.flatMap((call) => [`${call}:before`, `${call}:after`]);
    for (const [at, point] of points.entries()) {
      const end = await killed(sweep, `point-${at}`, point);
      again += end.again;
      if (!end.died) missed.push(point);
      if ((at + 1) % LINE_EVERY === 0) console.info(`${mode}: ${at + 1} of ${points.length} points`);
    }
    expect((await service.call("GET", "/job/list?size=1")).totalSize).toBe(points.length + 1);
    // What a service writes once only: its first job's machine, for one.
    const survived: string[] = [];
    for (const point of missed) {
      await using fresh = new ChaosService(env);
      const end = await killed({ ...sweep, service: fresh }, "first", point);
      again += end.again;
      if (!end.died) survived.push(point);
    }
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    console.info(
      `${mode}: ${points.length - survived.length} kills at ${writes.length} writes in ${seconds} s, ` +
        `${again} calls of the model made again; not reached: ${survived.join("; ") || "none"}`,
    );
    expect(survived.length).toBeLessThan(points.length / 8);
  });
});
