/** Batches that are cancelled while they run: on one machine, and as in the cloud with its events at the worst time. */
import { afterEach, expect, it } from "vitest";
import { openBatchRun, openDocument } from "../../../../functions/service/batches/batch-runs.ts";
import { countDocuments } from "../../../../functions/service/batches/document-counts.ts";
import { cancelAnyJob, closeDocument, settleAnyRun } from "../../../../functions/service/lifecycle/settle-batch.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { viewListedJob } from "../../../../functions/service/lifecycle/views/job-view.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { executionName } from "../../../../functions/service/runs/job-records.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { INTERNAL_SENTENCE } from "../../../../functions/service/runs/step-errors.ts";
import {
  easyTasks,
  type TestPlatform,
  testPlatform,
  withLostStarts,
  withWorkflows,
} from "../../../support/platform.ts";
import { batchOf, COMMAND, listOf, read } from "./support.ts";

let at: TestPlatform;
afterEach(() => at.close());

const COUNTS = { totalDocs: 6, completedDocs: 1, failedDocs: 1, cancelledDocuments: 2, inProgressDocs: 0 };
const NO_TEXT = "Processing failed: Text extraction failed";

it("a running batch ends CANCELLED: entries `Cancelled` for documents under way, null for the others", async () => {
  const held = Promise.withResolvers<void>();
  at = testPlatform({
    read: async (payload, limits) => {
      if (Buffer.from(payload.bytes).includes("slow")) await held.promise;
      return read(payload, limits);
    },
  });
  const guid = await batchOf(at.org, ["a", "bad", "slow", "slow", "never", "never"]);
  await openBatchRun(at.org, guid, COMMAND, { maxConcurrency: 2 });
  while ((await countDocuments(at.org, guid, 1)).started < 4) await at.org.engines.clock.sleep(5);
  const job = await cancelAnyJob(at.org, guid);
  expect(job).toMatchObject({ status: "CANCELLED", error: null, openRun: null });
  expect(await viewListedJob(at.org, job)).toMatchObject({ ...COUNTS, failedDocuments: 1, nextDocIndex: 4 });
  const list = [{ a: 1 }, NO_TEXT, "Cancelled", "Cancelled", null, null];
  expect(await listOf(at.org, guid)).toEqual(list);
  held.resolve();
  await at.org.engines.clock.sleep(100);
  expect(await sweep(at.platform, at.system)).toBe(0);
  expect(await listOf(at.org, guid)).toEqual(list);
  expect((await loadJob(at.org, guid)).value).toEqual(job);
  expect(await countDocuments(at.org, guid, 1)).toMatchObject({ started: 4, completed: 1, failed: 1, cancelled: 2 });
  expect((await at.org.workflows.describe(`${executionName(guid, 1)}-1`))?.status).toBe("ABORTED");
  await openBatchRun(at.org, guid, COMMAND, {});
  expect(await waitForEnd(at.org, guid, 20)).toMatchObject({ status: "PARTIAL", error: "1 of 6 documents failed" });
});

/** A batch of three whose first document is open; its executions are started by nobody. */
async function begun(): Promise<{ guid: string; document: string }> {
  at = testPlatform({ read: easyTasks.read });
  const guid = await batchOf(at.org, ["a", "b", "c"]);
  await openBatchRun(withLostStarts(at.org), guid, COMMAND, {});
  const opened = await openDocument(at.org, guid, 1, 0);
  if (!opened.open) throw new Error("It is open");
  return { guid, document: opened.input.guid };
}

it("events of the stopped executions that come first end documents and batch as cancelled", async () => {
  const { guid, document } = await begun();
  // Events come while executions are being stopped, before the cancelling call has gone on.
  const during = withWorkflows(at.org, {
    describe: async () => {
      await settleAnyRun(at.org, document, 1, INTERNAL_SENTENCE);
      await closeDocument(at.org, guid, 1, 0, JSON.stringify({ Status: "ABORTED" }));
      await closeDocument(at.org, guid, 1, 1, JSON.stringify({ errorMessage: "aborted" }));
      expect(await openDocument(at.org, guid, 1, 2)).toEqual({ open: false });
      await settleAnyRun(at.org, guid, 1, INTERNAL_SENTENCE);
      return undefined;
    },
  });
  expect(await cancelAnyJob(during, guid)).toMatchObject({
    status: "CANCELLED",
    error: null,
    runs: [{ documents: { total: 3, completed: 0, failed: 0, cancelled: 1, begun: 1 } }],
  });
  expect(await listOf(at.org, guid)).toEqual(["Cancelled", null, null]);
  expect((await loadJob(at.org, document)).value).toMatchObject({ status: "CANCELLED", error: null });
});

it("a cancellation that a crash cut short is completed by the sweep", async () => {
  const { guid, document } = await begun();
  const crash = withWorkflows(at.org, { describe: () => Promise.reject(new Error("cut off")) });
  await expect(cancelAnyJob(crash, guid)).rejects.toThrow("cut off");
  expect(await openDocument(at.org, guid, 1, 1)).toEqual({ open: false });
  await sweep(at.platform, at.system);
  expect((await waitForEnd(at.org, guid, 20)).status).toBe("CANCELLED");
  expect((await loadJob(at.org, document)).value.openRun).toBeNull();
  expect((await listOf(at.org, guid)) as unknown[]).toEqual([expect.anything(), null, null]);
});
