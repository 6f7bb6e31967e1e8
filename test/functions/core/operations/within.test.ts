/** Operations within another step, and what a parent's deletion leaves of them. */
import { afterEach, expect, it } from "vitest";
import { createJob, loadJob } from "../../../../functions/core/jobs/jobs.ts";
import { deleteJob, finishDeletion } from "../../../../functions/core/jobs/remove.ts";
import { openRun } from "../../../../functions/core/jobs/runs.ts";
import { sweep } from "../../../../functions/core/jobs/sweep.ts";
import { waitForEnd } from "../../../../functions/core/jobs/wait.ts";
import { findOperation, listOperations } from "../../../../functions/core/operations/history.ts";
import { startOperation } from "../../../../functions/core/operations/start.ts";
import { runOperation } from "../../../../functions/steps/operate.ts";
import { easyDocuments, type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
afterEach(() => at.close());

let analyses = 0;
const ANALYSIS = { overall: 0.9, confidences: { "/a": 0.9 }, issues: [], recognised: { words: 0, poor: 0 } };

async function finished(): Promise<string> {
  analyses = 0;
  const analyze = async () => {
    analyses += 1;
    return ANALYSIS;
  };
  at = testPlatform({ operations: { ...easyDocuments.operations, analyze } });
  const bytes = Buffer.from("x");
  const { guid } = await createJob(at.org, { bytes, mimeType: "text/plain", fileName: null });
  await openRun(at.org, guid, {
    v: 1,
    mode: "SIMPLE",
    ocr: "DEFAULT",
    mimeType: "text/plain",
    sourceLocations: false,
    granularity: "auto",
    format: "plain",
  });
  expect((await waitForEnd(at.org, guid, 10)).status).toBe("COMPLETED");
  return guid;
}

it("is done once for one GUID, and is in the parent's history", async () => {
  const parent = await finished();
  const guid = at.org.engines.clock.guid();
  const request = { parent, type: "error-analysis", guid };
  const end = await runOperation(at.org, request, Number.POSITIVE_INFINITY);
  expect(end).toMatchObject({ guid, status: "COMPLETED", error: null, engine: "offline" });
  expect(end.resultKey).toBe(`jobs/${parent}/operations/${guid}/result.json`);
  expect(await runOperation(at.org, request, Number.POSITIVE_INFINITY)).toEqual(end);
  expect(analyses).toBe(1);
  const found = await findOperation(at.org, parent, "error-analysis");
  expect(JSON.parse(found.result ?? "")).toMatchObject({ analysis: { field_confidence: { a: 0.9 } } });
  expect(await sweep(at.platform, at.system)).toBe(0);
});

it("tells a failure by its sentence", async () => {
  const parent = await finished();
  const request = { parent, type: "generative-task", parameters: { prompt: "?" }, guid: at.org.engines.clock.guid() };
  expect(await runOperation(at.org, request, Number.POSITIVE_INFINITY)).toMatchObject({
    status: "FAILED",
    error: "Processing failed: AI service unavailable",
  });
});

it("newest comes first, and all go with their parent, also one that is at work", async () => {
  const parent = await finished();
  const guids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const guid = at.org.engines.clock.guid();
    guids.unshift(guid);
    await runOperation(at.org, { parent, type: "error-analysis", guid }, Number.POSITIVE_INFINITY);
  }
  expect((await listOperations(at.org, parent)).map(({ jobGuid }) => jobGuid)).toEqual(guids);
  const open = await startOperation(at.org, { parent, type: "error-analysis", start: false });
  await expect(deleteJob(at.org, parent)).rejects.toThrow("at work");
  await finishDeletion(at.org, parent);
  for (const guid of [...guids, open.guid]) await expect(loadJob(at.org, guid)).rejects.toThrow("No job");
  expect((await at.org.blobs.list(`jobs/${parent}/operations/`)).blobs).toEqual([]);
});
