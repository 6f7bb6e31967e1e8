/** A hostile document costs its process, not the service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledWorker } from "../support/bundled-worker.ts";
import { startTestService, type TestService } from "../support/service.ts";

const memoryLimitBytes = 400 * 2 ** 20;

let target: TestService;
/** The same with little time for a run. */
let hurried: TestService;
beforeAll(async () => {
  const workerModule = await bundledWorker("hostile-documents-worker");
  target = await startTestService({ workerModule, memoryLimitBytes, documentProcesses: 2 });
  hurried = await startTestService({ workerModule, memoryLimitBytes, jobTimeoutSeconds: 3 });
});
afterAll(async () => {
  await target.close();
  await hurried.close();
});

const MEMORY = "Processing failed: The document needs more memory than is allowed";

describe("a document whose reading", () => {
  it.each([
    ["EAT BUFFERS", MEMORY],
    ["SPIN", "Processing timeout after 3 seconds"],
    ["CRASH", "Processing failed: Document appears to be corrupted"],
  ])("does %s fails with one sentence, and others are untouched", async (misdeed, sentence) => {
    const { api } = misdeed === "SPIN" ? hurried : target;
    const [bad, good] = await Promise.all([
      api.processed(`${misdeed} and nothing else`, {}),
      target.api.processed("Total: 12.00 EUR", { schema: { total: "number" } }),
    ]);
    expect(bad).toMatchObject({ status: "FAILED", error: sentence });
    expect(good.status).toBe("COMPLETED");
    expect((await target.api.get(`/job/result/${good.guid}`)).json).toEqual({ total: 12 });
    expect((await api.get("/health", { key: null })).status).toBe(200);
    expect((await api.get(`/job/result/${bad.guid}`)).status).toBe(404);
  });
});
