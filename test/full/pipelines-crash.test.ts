/**
 * kill -9 in the middle of a pipeline: the job ends as it would have, nothing is charged twice. What is stored changes at
 * writes only: every write of a run, before and after it, is every state that a crash can leave.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { ChaosService } from "../support/chaos.ts";
import { isWrite } from "../support/fail-points.ts";
import { answerJson, startModelServer } from "../support/model-server.ts";
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

describe.concurrent("kill -9 at every write of a pipeline, before and after it", () => {
  it.each(["inline", "queue"])("%s", { timeout: 1_800_000 }, async (mode) => {
    const begin = performance.now();
    await using server = await startModelServer(({ user }) =>
      answerJson(user.includes("document_type") ? { document_type: "invoice" } : RESULT.data),
    );
    const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
    const service = new ChaosService(env);
    const pipeline = router({ execution: { mode } });
    /** One run to its end. @returns the calls of the model */
    const round = async (name: string, point = ""): Promise<number> => {
      const before = server.requests.length;
      const job = await service.job(name, invoice, { extractionMode: "PIPELINE", pipeline });
      const usage = { ocrPages: 1, llmTokens: TOKENS };
      expect(job, point).toMatchObject({ status: "COMPLETED", error: null, result: RESULT, usage });
      expect(statesOf(job.pipeline.nodes), point).toEqual(INVOICE_STATES);
      expect(job.runs, point).toHaveLength(1);
      return server.requests.length - before;
    };
    try {
      await service.arm();
      expect(await round("count")).toBe(2);
      const writes = (await service.calls()).filter(isWrite);
      expect(writes.length).toBeGreaterThan(30);
      const points = writes.flatMap((call) => [`${call}:before`, `${call}:after`]);
      const survived: string[] = [];
      let again = 0;
      for (const [at, point] of points.entries()) {
        await service.arm(point);
        const starts = service.starts;
        const asked = await round(`point-${at}`, point);
        // At most one call more than the two that there are.
        expect([point, asked <= 3]).toEqual([point, true]);
        again += asked - 2;
        if (service.starts === starts) survived.push(point);
        if ((at + 1) % LINE_EVERY === 0) console.info(`${mode}: ${at + 1} of ${points.length} points`);
      }
      const seconds = ((performance.now() - begin) / 1000).toFixed(0);
      const kills = points.length - survived.length;
      console.info(
        `${mode}: ${kills} kills at ${writes.length} writes in ${seconds} s, ${again} model calls made again; ` +
          `not reached: ${survived.join("; ") || "none"}`,
      );
      expect((await service.call("GET", "/job/list?size=1")).totalSize).toBe(points.length + 1);
      // What comes only once a service, or after the last answer of a round.
      expect(survived.length).toBeLessThan(points.length / 5);
    } finally {
      await service.close();
    }
  });
});
