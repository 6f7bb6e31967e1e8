/** Batch runs under failures: lost starts, dead executions, documents that do not open, retries. */
import { afterEach, describe, expect, it } from "vitest";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { loadBatchResults } from "../../../../functions/service/batches/batch-results.ts";
import { openBatchRun, openDocument, planBatch } from "../../../../functions/service/batches/batch-runs.ts";
import { countDocuments } from "../../../../functions/service/batches/document-counts.ts";
import { closeDocument, settleAnyRun, settleBatch } from "../../../../functions/service/lifecycle/settle-batch.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { executionName } from "../../../../functions/service/runs/job-records.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { makeSteps } from "../../../../functions/steps/index.ts";
import { recordingObserver } from "../../../support/observer.ts";
import { easyTasks, type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { threeScans } from "../../../support/recognition.ts";
import { all, batchOf, COMMAND, listOf, read } from "./support.ts";

let at: TestPlatform;
afterEach(() => at.close());

describe("a batch's run", () => {
  it("counts each document, and its usage, once", async () => {
    at = testPlatform(...threeScans(read));
    const guid = await batchOf(at.org, ["a", "bad", "c", "d"]);
    await openBatchRun(at.org, guid, COMMAND, {});
    expect(await waitForEnd(at.org, guid, 20)).toMatchObject({
      status: "PARTIAL",
      error: "1 of 4 documents failed",
      ocrPages: 9,
      runs: [expect.objectContaining({ documents: { total: 4, completed: 3, failed: 1, maxConcurrency: 3 } })],
    });
    expect(await countDocuments(at.org, guid, 1)).toEqual({
      started: 4,
      completed: 3,
      failed: 1,
      cancelled: 0,
      ocrPages: 9,
      llmTokens: 0,
      tokens: 0,
    });
    expect(await listOf(at.org, guid)).toEqual([
      { a: 1 },
      "Processing failed: Text extraction failed",
      { a: 1 },
      { a: 1 },
    ]);
    const month = new Date(at.org.engines.clock.now()).toISOString().slice(0, 7);
    const { items } = await at.org.records.query({ partition: `usage/${month}` });
    expect(items.map(({ value }) => value.batchGuid)).toEqual([guid, guid, guid]);
    expect(await sweep(at.platform, at.system)).toBe(0);
  });

  it("gives its results one by one, with their file names", async () => {
    at = testPlatform({ read });
    const guid = await batchOf(at.org, ["a", "bad"]);
    const before = await all(loadBatchResults(at.org, guid));
    expect(before).toEqual([
      { index: 0, fileName: "a.txt", status: "PENDING", error: null, result: undefined },
      { index: 1, fileName: "bad.txt", status: "PENDING", error: null, result: undefined },
    ]);
    await openBatchRun(at.org, guid, COMMAND, {});
    await waitForEnd(at.org, guid, 20);
    const [good, bad] = await all(loadBatchResults(at.org, guid));
    expect(good).toMatchObject({ index: 0, fileName: "a.txt", status: "COMPLETED", error: null });
    expect(good?.result?.contentType).toBe("application/json");
    expect(bad).toMatchObject({ fileName: "bad.txt", status: "FAILED", result: undefined });
    await expect(all(loadBatchResults(at.org, guid, 7))).rejects.toMatchObject({ kind: "NotFound" });
  });

  it("is started by the sweep after a lost start, and not started twice", async () => {
    at = testPlatform({ read });
    const guid = await batchOf(at.org, ["a", "b"]);
    await openBatchRun(withLostStarts(at.org), guid, COMMAND, {});
    expect(await sweep(at.platform, at.system)).toBe(1);
    expect((await waitForEnd(at.org, guid, 20)).status).toBe("COMPLETED");
    expect(await sweep(at.platform, at.system)).toBe(0);
  });

  it("is counted and reported once when several calls end it", async () => {
    at = testPlatform({ read });
    const guid = await batchOf(at.org, ["a"]);
    await openBatchRun(withLostStarts(at.org), guid, COMMAND, {});
    const { observer, told } = recordingObserver();
    const end = () => settleBatch({ ...at.org, observer }, guid, 1, { unfinished: "Processing failed: enough" });
    await Promise.all([end(), end()]);
    await end();
    expect(told).toEqual([
      ["batches_settled_total", { status: "FAILED" }],
      ["run settled", "FAILED"],
    ]);
  });

  it("continues with a document whose run was started by another", async () => {
    at = testPlatform(...threeScans(read));
    const guid = await batchOf(at.org, ["a", "b"]);
    const lost = withLostStarts(at.org);
    await openBatchRun(lost, guid, COMMAND, {});
    const first = await openDocument(at.org, guid, 1, 0);
    expect(first).toMatchObject({ open: true, input: { run: 1, mode: "SIMPLE" } });
    expect(await openDocument(at.org, guid, 1, 0)).toEqual(first);
    // Two due records: the document's run and the batch's.
    expect(await sweep(at.platform, at.system)).toBe(2);
    expect(await waitForEnd(at.org, guid, 20)).toMatchObject({ status: "COMPLETED", ocrPages: 6 });
    expect(await openDocument(at.org, guid, 1, 0)).toEqual({ open: false });
    expect(await planBatch(at.org, guid, 1)).toBeNull();
  });

  it("ends by the outcomes of its documents when its execution died", async () => {
    const held = Promise.withResolvers<void>();
    at = testPlatform({
      read: async ({ bytes }) => {
        if (Buffer.from(bytes).includes("slow")) await held.promise;
        return easyTasks.read();
      },
    });
    const guid = await batchOf(at.org, ["a", "slow", "slow", "slow", "never"]);
    await openBatchRun(at.org, guid, COMMAND, {});
    while ((await countDocuments(at.org, guid, 1)).completed < 1) await at.org.engines.clock.sleep(5);
    while ((await countDocuments(at.org, guid, 1)).started < 4) await at.org.engines.clock.sleep(5);
    expect(await listOf(at.org, guid)).toEqual([{ a: 1 }, null, null, null, null]);
    await at.org.workflows.stop(executionName(guid, 1), "Killed", "by an operator");
    const job = await waitForEnd(at.org, guid, 10);
    expect(job).toMatchObject({ status: "PARTIAL", error: "4 of 5 documents failed" });
    const made = expect.stringMatching(/^Processing failed: The service made an error/);
    const list = await listOf(at.org, guid);
    expect(list).toEqual([{ a: 1 }, made, made, made, made]);
    held.resolve();
    await at.org.engines.clock.sleep(100);
    expect(await listOf(at.org, guid)).toEqual(list);
    expect((await loadJob(at.org, guid)).value).toEqual(job);
    // Nothing stays open, and a further run succeeds.
    expect(await sweep(at.platform, at.system)).toBe(0);
    await openBatchRun(at.org, guid, COMMAND, {});
    expect((await waitForEnd(at.org, guid, 20)).status).toBe("COMPLETED");
  });

  it("applies the time limit to its documents, not to itself", async () => {
    at = testPlatform({ read: () => new Promise(() => undefined) });
    const guid = await batchOf(at.org, ["a", "b"]);
    await openBatchRun(at.org, guid, COMMAND, { maxConcurrency: 2 });
    while ((await countDocuments(at.org, guid, 1)).started < 2) await at.org.engines.clock.sleep(5);
    const documents = await all(loadBatchResults(at.org, guid));
    expect(documents.map(({ status }) => status)).toEqual(["PROCESSING", "PROCESSING"]);
    await at.org.engines.clock.sleep(50);
    at.pass(331);
    await sweep(at.platform, at.system);
    expect(await waitForEnd(at.org, guid, 10)).toMatchObject({ status: "FAILED", error: "2 of 2 documents failed" });
    const late = "Processing timeout after 300 seconds";
    expect(await listOf(at.org, guid)).toEqual([late, late]);
  });

  it("fails a document that could not be opened, and continues", async () => {
    at = testPlatform({ read });
    const guid = await batchOf(at.org, ["a", "b"]);
    await openBatchRun(withLostStarts(at.org), guid, COMMAND, {});
    const cause = JSON.stringify({ errorType: "RetryableStepError", errorMessage: "The store is not available" });
    expect(await closeDocument(at.org, guid, 1, 1, cause)).toEqual({ open: false });
    expect(await closeDocument(at.org, guid, 1, 1, cause)).toEqual({ open: false });
    expect(await countDocuments(at.org, guid, 1)).toMatchObject({ started: 1, failed: 1 });
    await settleAnyRun(at.org, guid, 1, "Processing failed: enough");
    expect(await listOf(at.org, guid)).toEqual([
      "Processing failed: enough",
      "Processing failed: The store is not available",
    ]);
    expect(await settleAnyRun(at.org, guid, 1, "later")).toBe("FAILED");
  });

  it("closes documents that its dead machine left open", async () => {
    at = testPlatform({ read });
    const guid = await batchOf(at.org, ["a"]);
    await openBatchRun(withLostStarts(at.org), guid, COMMAND, {});
    await openDocument(at.org, guid, 1, 0);
    const description = JSON.stringify({ Status: "TIMED_OUT" });
    expect(await closeDocument(at.org, guid, 1, 0, description)).toEqual({ open: false });
    expect(await listOf(at.org, guid)).toEqual(["Processing timeout after 300 seconds"]);
    expect(await closeDocument(at.org, guid, 1, 0, description)).toEqual({ open: false });
  });

  it("keeps a document's result when its machine died at the last step", async () => {
    at = testPlatform(...threeScans(read));
    const guid = await batchOf(at.org, ["a"]);
    await openBatchRun(withLostStarts(at.org), guid, COMMAND, {});
    const document = await openDocument(at.org, guid, 1, 0);
    if (!document.open) throw new Error("It is open");
    const { recognize, extract } = makeSteps(() => at.org);
    const context = { executionName: document.name };
    await recognize({ ...document.input }, context);
    await extract({ ...document.input }, context);
    const fallen = JSON.stringify({ Status: "FAILED", Cause: "Task timed out after 30.00 seconds" });
    await closeDocument(at.org, guid, 1, 0, fallen);
    expect(await listOf(at.org, guid)).toEqual([{ a: 1 }]);
    expect(await countDocuments(at.org, guid, 1)).toMatchObject({ completed: 1, failed: 0, ocrPages: 3 });
  });

  it("retries transient failures", async () => {
    let tries = 0;
    at = testPlatform({
      read: async () => {
        tries += 1;
        if (tries === 1) throw new ServiceUnavailable("The reader is not there");
        return easyTasks.read();
      },
    });
    const guid = await batchOf(at.org, ["a"]);
    await openBatchRun(at.org, guid, COMMAND, {});
    expect((await waitForEnd(at.org, guid, 20)).status).toBe("COMPLETED");
    expect(tries).toBe(2);
  });
});
