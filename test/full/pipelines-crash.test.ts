/** kill -9 in the middle of a pipeline: the job ends as it would have, nothing is charged twice. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { ChaosService } from "../support/chaos.ts";
import { answerJson, startModelServer } from "../support/model-server.ts";
import { INVOICE_STATES, router, statesOf } from "../support/router.ts";

let invoice: Uint8Array;
let service: ChaosService;
beforeAll(async () => {
  invoice = await drawInvoice();
});
afterEach(() => service.close());

const RESULT = { branch: "invoice", data: { invoice_number: "SH-2026-0117", net_total: 431 } };

describe("kill -9 within a pipeline", () => {
  // A sample over the run: as it opens, between the nodes, within them, and as it is settled.
  it.each([
    ["inline", "30:after"],
    ["inline", "55:before"],
    ["queue", "80:after"],
    ["queue", "110:before"],
  ])("%s, at port call %s", async (mode, point) => {
    await using server = await startModelServer(({ user }) =>
      answerJson(user.includes("document_type") ? { document_type: "invoice" } : RESULT.data),
    );
    const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
    service = new ChaosService(env);
    await service.start(point);
    const pipeline = router({ execution: { mode } });
    const job = await service.job("one", invoice, { extractionMode: "PIPELINE", pipeline });
    expect(job).toMatchObject({ status: "COMPLETED", error: null, result: RESULT, usage: { llmTokens: 240 } });
    expect(statesOf(job.pipeline.nodes)).toEqual(INVOICE_STATES);
    expect(job.runs).toHaveLength(1);
    expect(service.starts).toBe(2);
    // At most one call more than the two that there are.
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });
});
