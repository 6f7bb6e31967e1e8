/** Chunks of a run: large numbers, retries, ends from outside, deletion, tools. */

import { afterEach, describe, expect, it } from "vitest";
import { parseLayout, writeLayout } from "../../../functions/engine/layout/layout-file.ts";
import type { Engine } from "../../../functions/ports/engine.ts";
import { AppError, JobFailure, NotFound } from "../../../functions/ports/errors.ts";
import { LAYOUT_VERSION } from "../../../functions/ports/layout.ts";
import { deleteJob, finishDeletion } from "../../../functions/service/lifecycle/delete-job.ts";
import { viewJob } from "../../../functions/service/lifecycle/views/job-view.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { bindOrganization } from "../../../functions/service/organizations/organization.ts";
import { chunkKey, loadChunkOutcomes, loadTally } from "../../../functions/service/runs/chunk-outcomes.ts";
import { executionName } from "../../../functions/service/runs/job-records.ts";
import { loadJob } from "../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../functions/service/runs/open-run.ts";
import type { RunCommand } from "../../../functions/service/runs/run-command.ts";
import { makeSteps } from "../../../functions/steps/index.ts";
import { loadPages } from "../../../functions/steps/load-layout.ts";
import type { DocumentStep } from "../../../statemachines/document.ts";
import { directEngine, fakeEngine } from "../../support/engines.ts";
import { easyTasks, type TestPlatform, testPlatform, withLostStarts } from "../../support/platform.ts";
import { commandOf, PER_PAGE, uploaded } from "../../support/runs.ts";

let at: TestPlatform;
afterEach(() => at.close());

const command = (more: Partial<NonNullable<RunCommand["mapReduce"]>> = {}): RunCommand =>
  commandOf({
    mode: "MAP_REDUCE",
    sourceLocations: true,
    schema: { type: "object", properties: { page: { type: "integer" } } },
    mapReduce: { ...PER_PAGE, ...more },
  });

const BOX = { left: 0, top: 0, right: 1, bottom: 1 };

const layoutOf = (pageCount: number): Uint8Array =>
  writeLayout({
    v: LAYOUT_VERSION,
    provider: "test",
    logicalPages: false,
    pageCount,
    pages: Array.from({ length: pageCount }, (_, index) => ({
      number: index + 1,
      width: 8,
      height: 11,
      unit: "inch" as const,
      rotation: 0,
      blocks: [
        { kind: "paragraph" as const, box: BOX, lines: [{ box: BOX, words: [{ text: `p${index + 1}`, box: BOX }] }] },
      ],
    })),
  });

/** A document of some pages, each with one record; `seen` gets the extracted pages. */
function documentsOf(pageCount: number, seen: (page: number) => void = () => undefined): Engine {
  const facts = { provider: "test", pageCount, wordCount: pageCount, characterCount: pageCount };
  return fakeEngine(
    {
      ...easyTasks,
      read: async () => ({ layout: layoutOf(pageCount), quality: Buffer.from("{}"), facts, pending: [] }),
      extract: async ({ layout }) => {
        const [first, ...more] = parseLayout(layout).pages;
        const number = first?.number ?? 0;
        // Before it is cut, the document is extracted as a whole; its records have no places here.
        if (more.length === 0) seen(number);
        return {
          result: Buffer.from(JSON.stringify({ records: [{ page: number }] })),
          sources: Buffer.from(JSON.stringify({ locations: {}, unresolved: [] })),
          facts: { found: 1, unresolved: 0, confidence: 1 },
        };
      },
    },
    directEngine,
  );
}

async function started(pages: number, wish: RunCommand, seen?: (page: number) => void): Promise<string> {
  at = testPlatform(documentsOf(pages, seen));
  const guid = await uploaded(at.org);
  await openRun(at.org, guid, wish);
  return guid;
}

const resultOf = async (guid: string) =>
  JSON.parse(Buffer.from((await at.org.blobs.get(`jobs/${guid}/1/result.json`)) ?? "null").toString("utf8"));

describe("chunks", () => {
  it("are distributed over as many iterations as a history allows, and deleted with the job", async () => {
    const guid = await started(1100, command());
    const job = await waitForEnd(at.org, guid, 60);
    expect(job).toMatchObject({
      status: "COMPLETED",
      runs: [{ mapReduce: { totalChunks: 1100, completedChunks: 1100 } }],
    });
    const { records } = await resultOf(guid);
    expect(records.map(({ page }: { page: number }) => page)).toEqual(
      Array.from({ length: 1100 }, (_, index) => index + 1),
    );
    let iterations = 0;
    for (let cursor: string | undefined = "0"; cursor !== undefined; ) {
      const page: Awaited<ReturnType<typeof at.org.workflows.history>> = await at.org.workflows.history(
        executionName(guid, 1),
        { cursor },
      );
      iterations += page.events.filter(({ type }) => type === "MapIterationStarted").length;
      cursor = page.cursor;
    }
    // Each iteration has three chunks.
    expect(iterations).toBe(367);
    await deleteJob(at.org, guid);
    await finishDeletion(at.org, guid);
    expect((await at.org.records.query({ partition: `job/${guid}` })).items).toEqual([]);
  }, 60_000);

  it("are not processed again when they are done", async () => {
    const pages: number[] = [];
    const guid = await started(3, command(), (page) => pages.push(page));
    await waitForEnd(at.org, guid, 20);
    const steps = makeSteps((id) => bindOrganization(at.platform, id));
    const input = { organizationId: 1, guid, run: 1, share: [0, 2] };
    await steps["extract-chunk"](input, { executionName: "x" });
    expect(pages.sort()).toEqual([1, 2, 3]);
    expect(await loadTally(at.org, guid, 1)).toMatchObject({ total: 3, done: 3, failed: 0 });
  });

  it("are retried after transient failures; finally failed ones are missing and named", async () => {
    let tries = 0;
    const guid = await started(3, command(), (page) => {
      if (page !== 2) return;
      tries += 1;
      if (tries === 1) throw new AppError("ServiceUnavailable", "The store is busy", {}, true);
      throw new JobFailure("Processing failed: Page two is torn");
    });
    const job = await waitForEnd(at.org, guid, 20);
    expect(tries).toBe(2);
    expect(job).toMatchObject({
      status: "PARTIAL",
      error: "/records: Page 2 is missing: Page two is torn",
      runs: [{ validationErrors: [{ pointer: "/records", message: "Page 2 is missing: Page two is torn" }] }],
    });
    expect((await resultOf(guid)).records).toEqual([{ page: 1 }, { page: 3 }]);
  });

  it("are read from the whole layout when it was written by an earlier release", async () => {
    at = testPlatform();
    await at.org.blobs.put("layout", Buffer.from(JSON.stringify({ ...parseLayout(layoutOf(3)), v: 1 })));
    const { facts, pages } = await loadPages(at.org, "layout", () => [2, 3, 9]);
    expect(facts).toMatchObject({ pageCount: 3, provider: "test" });
    expect(pages.map(({ number }) => number)).toEqual([2, 3]);
    await at.org.blobs.put("layout", layoutOf(3));
    expect((await loadPages(at.org, "layout", () => [2, 3, 9])).pages).toEqual(pages);
  });

  it("fail the run when all of them fail", async () => {
    const guid = await started(2, command(), () => {
      throw new NotFound("The page cannot be opened");
    });
    const job = await waitForEnd(at.org, guid, 20);
    expect(job).toMatchObject({ status: "FAILED", error: "Processing failed: The page cannot be opened" });
  });

  it("are recorded as failed when their step was ended from outside, unless they were done or the run has ended", async () => {
    at = testPlatform(documentsOf(3));
    const guid = await uploaded(at.org);
    await openRun(withLostStarts(at.org), guid, command());
    const steps = makeSteps((id) => bindOrganization(at.platform, id));
    const call = (step: DocumentStep, more: object = {}) =>
      steps[step]({ organizationId: 1, guid, run: 1, ...more }, { executionName: "x" });
    await call("recognize");
    expect(await call("chunk")).toMatchObject({
      shares: [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
      concurrency: 8,
    });
    await call("extract-chunk", { share: [0, 0] });
    expect(await viewJob(at.org, (await loadJob(at.org, guid)).value)).toMatchObject({
      status: "PROCESSING",
      jobMode: "MAP_REDUCE",
      progress: { done: 1, total: 3, failed: 0, unit: "chunk" },
      mapReduceStatus: { totalChunks: 3, completedChunks: 1, headerCaptured: false },
    });
    const failure = { Error: "Runtime.ExitError", Cause: '{"errorType":"Runtime.ExitError"}' };
    await call("extract-chunk", { share: [0, 1], failure });
    await call("extract-chunk", { share: [2, 2] });
    const outcomes = await loadChunkOutcomes(at.org, guid, 1);
    expect([...outcomes.values()].map(({ outcome }) => outcome)).toEqual(["done", "failed", "done"]);
    await call("reduce");
    await call("settle");
    expect((await waitForEnd(at.org, guid, 1)).status).toBe("PARTIAL");
    expect((await resultOf(guid)).records).toEqual([{ page: 1 }, { page: 3 }]);
    await at.org.records.delete(chunkKey(guid, 1, 2));
    await expect(call("extract-chunk", { share: [2, 2] })).rejects.toThrow("This run has ended");
    expect((await loadChunkOutcomes(at.org, guid, 1)).has(2)).toBe(false);
  });
});
