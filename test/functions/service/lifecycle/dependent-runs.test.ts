/** Runs that begin after another job: started once by its end, and failed when that can never come. */
import { afterEach, describe, expect, it } from "vitest";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import { cancelJob } from "../../../../functions/service/lifecycle/cancel-job.ts";
import { deleteJob } from "../../../../functions/service/lifecycle/delete-job.ts";
import {
  advanceDependents,
  findDependency,
  openDependentRun,
} from "../../../../functions/service/lifecycle/dependent-runs.ts";
import { restartClocks, sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { viewListedJob } from "../../../../functions/service/lifecycle/views/job-view.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import type { JobRecord } from "../../../../functions/service/runs/job-records.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { easyTasks, type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { threeScans } from "../../../support/recognition.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";
import { processMessages } from "../../../support/work.ts";

let at: TestPlatform;
afterEach(() => at.close());

const COMMAND = commandOf({ sourceLocations: true });

const jobOf = async (guid: string): Promise<JobRecord> => (await loadJob(at.org, guid)).value;

/** A platform whose reading of documents waits for the test, and is counted. */
function heldPlatform(): { let(error?: Error): void; reads: () => number } {
  const gate = Promise.withResolvers<void>();
  let reads = 0;
  const read = async () => {
    reads += 1;
    await gate.promise;
    return easyTasks.read();
  };
  at = testPlatform(...threeScans(read));
  return { let: (error) => (error ? gate.reject(error) : gate.resolve()), reads: () => reads };
}

/** Ends the other job. @returns the waiting job at its end */
async function afterwards(parent: string, child: string): Promise<JobRecord> {
  await waitForEnd(at.org, parent, 10);
  for (const end = performance.now() + 5000; performance.now() < end; ) {
    await processMessages(at);
    if ((await jobOf(child)).openRun === null) break;
    await at.org.engines.clock.sleep(5);
  }
  return jobOf(child);
}

describe("a run that depends on another job", () => {
  it("waits for it, begins after it, and reuses the reading of the same document", async () => {
    const gate = heldPlatform();
    const [parent, child] = [await uploaded(at.org), await uploaded(at.org)];
    await openRun(at.org, parent, COMMAND);
    expect(await openDependentRun(at.org, child, COMMAND, parent)).toEqual({ guid: child, run: 1, status: "PENDING" });
    expect(await viewListedJob(at.org, await jobOf(child))).toMatchObject({
      status: "PENDING",
      dependsOnGuid: parent,
      dependencyStatus: "WAITING",
      progress: { phase: "waiting" },
    });
    expect(await sweep(at.platform, at.system)).toBe(0);
    gate.let();
    const ended = await afterwards(parent, child);
    expect(ended).toMatchObject({ status: "COMPLETED", ocrPages: 0 });
    expect(gate.reads()).toBe(1);
    expect(ended.runs[0]?.layoutKey).toBe(`jobs/${child}/1/layout/ocr.json`);
    expect(await findDependency(at.org, child)).toMatchObject({
      dependsOnGuid: parent,
      dependencyStatus: "SATISFIED",
      parentJob: { guid: parent, status: "COMPLETED" },
    });
    expect((await at.org.records.query({ partition: `job/${parent}`, prefix: "dependent/" })).items).toEqual([]);
    // The copied reading belongs to the job.
    await deleteJob(at.org, parent);
    await processMessages(at);
    expect(await at.org.blobs.head(`jobs/${child}/1/layout/ocr.json`)).toBeDefined();
  });

  it("reads a different document itself", async () => {
    const gate = heldPlatform();
    gate.let();
    const [parent, child] = [await uploaded(at.org, "one"), await uploaded(at.org, "two")];
    await openRun(at.org, parent, COMMAND);
    await openDependentRun(at.org, child, COMMAND, parent);
    expect(await afterwards(parent, child)).toMatchObject({ status: "COMPLETED", ocrPages: 3 });
    expect(gate.reads()).toBe(2);
  });

  it("fails with the other job's error", async () => {
    const gate = heldPlatform();
    const [parent, child] = [await uploaded(at.org), await uploaded(at.org)];
    await openRun(at.org, parent, COMMAND);
    await openDependentRun(at.org, child, COMMAND, parent);
    gate.let(new JobFailure("Processing failed: Document is password protected"));
    expect(await afterwards(parent, child)).toMatchObject({
      status: "FAILED",
      error: `Processing failed: Job ${parent}, which it depends on, failed: Document is password protected`,
      runs: [{ startedAt: null, dependsOn: { status: "FAILED" } }],
    });
    // The other job has already ended, so the run fails at once.
    expect((await openDependentRun(at.org, child, COMMAND, parent)).status).toBe("FAILED");
  });

  it("begins at once after a job that has ended", async () => {
    at = testPlatform();
    const [parent, child] = [await uploaded(at.org), await uploaded(at.org)];
    await openRun(at.org, parent, COMMAND);
    await waitForEnd(at.org, parent, 10);
    await openDependentRun(at.org, child, COMMAND, parent);
    expect((await waitForEnd(at.org, child, 10)).status).toBe("COMPLETED");
  });

  it("waits for an unprocessed job, also through a chain, without using up its time", async () => {
    at = testPlatform();
    const [first, second, third] = [await uploaded(at.org), await uploaded(at.org), await uploaded(at.org)];
    await openDependentRun(at.org, third, COMMAND, second);
    await openDependentRun(at.org, second, COMMAND, first);
    at.pass(10_000);
    expect(await restartClocks(at.platform, at.system)).toBe(0);
    expect(await sweep(at.platform, at.system)).toBe(0);
    await openRun(at.org, first, COMMAND);
    expect((await afterwards(first, third)).status).toBe("COMPLETED");
    expect((await jobOf(second)).status).toBe("COMPLETED");
  });

  it("is started once by the sweep when the queue's message was lost", async () => {
    at = testPlatform();
    const [parent, child] = [await uploaded(at.org), await uploaded(at.org)];
    await openDependentRun(at.org, child, COMMAND, parent);
    const deaf: Organization = { ...at.org, queue: { ...at.org.queue, send: async () => ({ id: "lost" }) } };
    await openRun(deaf, parent, COMMAND);
    await waitForEnd(at.org, parent, 10);
    expect(await sweep(at.platform, at.system)).toBe(1);
    await Promise.all([advanceDependents(at.org, parent), advanceDependents(at.org, parent)]);
    const job = await waitForEnd(at.org, child, 10);
    expect(job).toMatchObject({ status: "COMPLETED" });
    expect(job.runs).toHaveLength(1);
  });

  it("is refused for jobs that would wait for each other, and fails when two concurrent calls made it so", async () => {
    at = testPlatform();
    const [one, two] = [await uploaded(at.org), await uploaded(at.org)];
    await openDependentRun(at.org, one, COMMAND, two);
    await expect(openDependentRun(at.org, two, COMMAND, one)).rejects.toMatchObject({ kind: "Conflict" });
    expect((await jobOf(two)).lastRun).toBe(0);
    await openRun(at.org, two, COMMAND, undefined, { guid: one, run: 1, status: "WAITING" });
    expect(await sweep(at.platform, at.system)).toBeGreaterThan(0);
    await processMessages(at);
    for (const guid of [one, two]) expect((await jobOf(guid)).status).toBe("FAILED");
  });

  it("fails when the other job is cancelled or deleted", async () => {
    at = testPlatform();
    const [parent, gone, child, orphan] = await Promise.all([1, 2, 3, 4].map(() => uploaded(at.org)));
    await openDependentRun(at.org, child ?? "", COMMAND, parent ?? "");
    await openDependentRun(at.org, orphan ?? "", COMMAND, gone ?? "");
    await cancelJob(at.org, parent ?? "");
    await deleteJob(at.org, gone ?? "");
    await processMessages(at);
    expect((await jobOf(child ?? "")).error).toBe(
      `Processing failed: Job ${parent}, which it depends on, was cancelled`,
    );
    expect((await jobOf(orphan ?? "")).error).toBe(`Processing failed: Job ${gone}, which it depends on, was deleted`);
  });

  it("cannot depend on a job of another organization", async () => {
    at = testPlatform();
    const [mine, theirs] = [await uploaded(at.org), await uploaded(at.other)];
    await expect(openDependentRun(at.org, mine, COMMAND, theirs)).rejects.toMatchObject({ kind: "NotFound" });
    expect((await jobOf(mine)).lastRun).toBe(0);
  });

  it("begins at once when it depends on its own job", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    await waitForEnd(at.org, guid, 10);
    await openDependentRun(at.org, guid, COMMAND, guid);
    expect((await waitForEnd(at.org, guid, 10)).runs).toHaveLength(2);
    expect(await findDependency(at.org, guid)).toMatchObject({ dependsOnGuid: guid, dependencyStatus: "SATISFIED" });
  });
});

describe("cancelJob", () => {
  it("ends an open run at once and finally, with its execution", async () => {
    const gate = heldPlatform();
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    while (gate.reads() === 0) await at.org.engines.clock.sleep(5);
    const job = await cancelJob(at.org, guid);
    expect(job).toMatchObject({ status: "CANCELLED", error: null, openRun: null });
    expect(await at.org.workflows.describe(`${guid}-1`)).toMatchObject({ status: "ABORTED", error: "Cancelled" });
    gate.let();
    await at.org.engines.clock.sleep(50);
    expect(await jobOf(guid)).toEqual(job);
    await expect(cancelJob(at.org, guid)).rejects.toMatchObject({ kind: "Conflict" });
    await openRun(at.org, guid, COMMAND);
    expect((await waitForEnd(at.org, guid, 10)).status).toBe("COMPLETED");
    await expect(cancelJob(at.org, guid)).rejects.toMatchObject({ kind: "Conflict" });
  });

  it("ends an unprocessed job, and a waiting one", async () => {
    at = testPlatform();
    const [parent, child] = [await uploaded(at.org), await uploaded(at.org)];
    await openDependentRun(at.org, child, COMMAND, parent);
    expect(await cancelJob(at.org, child)).toMatchObject({ status: "CANCELLED" });
    expect(await findDependency(at.org, child)).toMatchObject({ dependencyStatus: "CANCELLED" });
    expect(await cancelJob(at.org, parent)).toMatchObject({ status: "CANCELLED", runs: [] });
    expect(await waitForEnd(at.org, parent, 10)).toMatchObject({ status: "CANCELLED" });
    expect((await at.org.records.query({ partition: `job/${parent}`, prefix: "dependent/" })).items).toEqual([]);
  });

  it("leaves no files of a running step after the deletion", async () => {
    const gate = heldPlatform();
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    while (gate.reads() === 0) await at.org.engines.clock.sleep(5);
    await cancelJob(at.org, guid);
    await deleteJob(at.org, guid);
    await processMessages(at);
    gate.let();
    while ((await at.org.blobs.list(`jobs/${guid}/`)).blobs.length === 0) await at.org.engines.clock.sleep(5);
    await at.org.engines.clock.sleep(50);
    at.pass(400);
    expect(await processMessages(at)).toMatchObject([{ body: { kind: "delete-job", guid } }]);
    expect((await at.org.blobs.list(`jobs/${guid}/`)).blobs).toEqual([]);
  });
});
