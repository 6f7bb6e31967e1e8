/** Operations within another step, and their deletion with the parent. */
import { afterEach, expect, it } from "vitest";
import { deleteJob, finishDeletion } from "../../../../functions/service/lifecycle/delete-job.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { findOperation, listOperations } from "../../../../functions/service/operations/operation-history.ts";
import { startOperation } from "../../../../functions/service/operations/start-operation.ts";
import { runId } from "../../../../functions/service/runs/job-records.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { runOperation } from "../../../../functions/steps/operate.ts";
import { easyTasks, type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
afterEach(() => at.close());

let analyses = 0;
/** Blocks the extraction of a run until it resolves. */
let gate: Promise<void> | undefined;
const COMMAND = commandOf();
const ANALYSIS = { overall: 0.9, confidences: { "/a": 0.9 }, issues: [], recognised: { words: 0, poor: 0 } };

async function finished(): Promise<string> {
  analyses = 0;
  const analyzeErrors = async () => {
    analyses += 1;
    return ANALYSIS;
  };
  gate = undefined;
  at = testPlatform({
    analyzeErrors,
    extract: async () => {
      await gate;
      return easyTasks.extract();
    },
  });
  const guid = await uploaded(at.org);
  await openRun(at.org, guid, COMMAND);
  expect((await waitForEnd(at.org, guid, 10)).status).toBe("COMPLETED");
  return guid;
}

it("runOperation runs once for a GUID, and its operation is in the parent's history", async () => {
  const parent = await finished();
  const guid = at.org.engines.clock.guid();
  const request = { parent, type: "error-analysis", guid, within: runId(parent, 1) };
  const end = await runOperation(at.org, request, Number.POSITIVE_INFINITY);
  expect(end).toMatchObject({ guid, status: "COMPLETED", error: null, engine: "offline" });
  expect(end.resultKey).toBe(`jobs/${parent}/operations/${guid}/result.json`);
  expect(await runOperation(at.org, request, Number.POSITIVE_INFINITY)).toEqual(end);
  expect(analyses).toBe(1);
  const found = await findOperation(at.org, parent, "error-analysis");
  expect(JSON.parse(found.result ?? "")).toMatchObject({ analysis: { field_confidence: { a: 0.9 } } });
  expect(await sweep(at.platform, at.system)).toBe(0);
});

it("runOperation reports a failure with its sentence", async () => {
  const parent = await finished();
  const guid = at.org.engines.clock.guid();
  const request = {
    parent,
    type: "generative-task",
    parameters: { prompt: "?" },
    guid,
    within: runId(parent, 1),
  };
  expect(await runOperation(at.org, request, Number.POSITIVE_INFINITY)).toMatchObject({
    status: "FAILED",
    error: "Processing failed: AI service unavailable",
  });
});

it("an operation within a step is left to that step while its run is open; afterwards the sweep starts it", async () => {
  const parent = await finished();
  const { guid } = await startOperation(at.org, { parent, type: "error-analysis", within: runId(parent, 2) });
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  await openRun(at.org, parent, COMMAND);
  expect(await sweep(at.platform, at.system)).toBe(0);
  expect((await loadJob(at.org, guid)).value.status).toBe("PENDING");
  opened.resolve();
  expect((await waitForEnd(at.org, parent, 10)).lastRun).toBe(2);
  expect(await sweep(at.platform, at.system)).toBe(1);
  expect((await waitForEnd(at.org, guid, 10)).status).toBe("COMPLETED");
  expect(analyses).toBe(1);
});

it("operations are listed newest first, and deleted with their parent, also while one runs", async () => {
  const parent = await finished();
  const guids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const guid = at.org.engines.clock.guid();
    guids.unshift(guid);
    const request = { parent, type: "error-analysis", guid, within: runId(parent, 1) };
    await runOperation(at.org, request, Number.POSITIVE_INFINITY);
  }
  expect((await listOperations(at.org, parent)).map(({ jobGuid }) => jobGuid)).toEqual(guids);
  const open = await startOperation(at.org, { parent, type: "error-analysis", within: runId(parent, 2) });
  await expect(deleteJob(at.org, parent)).rejects.toThrow("at work");
  await finishDeletion(at.org, parent);
  for (const guid of [...guids, open.guid]) await expect(loadJob(at.org, guid)).rejects.toThrow("No job");
  expect((await at.org.blobs.list(`jobs/${parent}/operations/`)).blobs).toEqual([]);
});
