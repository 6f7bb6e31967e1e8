/** Runs under failures: lost starts, late steps, dead executions, retries. */
import { afterEach, describe, expect, it } from "vitest";
import { JobFailure, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { WORK_QUEUE } from "../../../../functions/ports/queue.ts";
import { deleteJob, finishDeletion } from "../../../../functions/service/lifecycle/delete-job.ts";
import { settleRun } from "../../../../functions/service/lifecycle/settle-run.ts";
import { restartClocks, sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import { executionName } from "../../../../functions/service/runs/job-records.ts";
import { loadJob, updateJob } from "../../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { runStep } from "../../../../functions/service/runs/run-step.ts";
import { withMethods } from "../../../support/changed.ts";
import { recordingObserver } from "../../../support/observer.ts";
import { easyTasks, type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { threeScans } from "../../../support/recognition.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
afterEach(() => at.close());

const COMMAND = commandOf({ sourceLocations: true });

const usageOf = async (org: Organization): Promise<number> => {
  const month = new Date(org.engines.clock.now()).toISOString().slice(0, 7);
  return (await org.records.query({ partition: `usage/${month}` })).items.length;
};

describe("a run", () => {
  it("goes from PENDING to COMPLETED, with usage once", async () => {
    at = testPlatform(...threeScans());
    const guid = await uploaded(at.org);
    expect(await openRun(at.org, guid, COMMAND)).toEqual({ guid, run: 1, status: "PENDING" });
    const job = await waitForEnd(at.org, guid, 10);
    expect(job).toMatchObject({ status: "COMPLETED", ocrPages: 3, openRun: null, lastRun: 1 });
    expect(job.runs[0]?.startedAt).not.toBeNull();
    expect(await usageOf(at.org)).toBe(1);
    expect(await settleRun(at.org, guid, 1, "too late")).toBe("COMPLETED");
    expect((await loadJob(at.org, guid)).value).toEqual(job);
  });

  it("blocks further runs until it has ended", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    const org = withLostStarts(at.org);
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => openRun(org, guid, COMMAND)));
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of opened) if (one.status === "rejected") expect(one.reason).toMatchObject({ kind: "Conflict" });
    await settleRun(at.org, guid, 1, "Processing failed: enough");
    expect((await openRun(org, guid, COMMAND)).run).toBe(2);
  });

  it("is counted and reported once when several calls end it concurrently", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(withLostStarts(at.org), guid, COMMAND);
    const { observer, told } = recordingObserver();
    const ends = ["Processing failed: one", "Processing failed: two", "Processing failed: three"];
    await Promise.all(ends.map((sentence) => settleRun({ ...at.org, observer }, guid, 1, sentence)));
    expect(told).toEqual([
      ["runs_settled_total", { status: "FAILED" }],
      ["run settled", "FAILED"],
    ]);
  });

  it("is started by the sweep after a lost start", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(withLostStarts(at.org), guid, COMMAND);
    expect(await sweep(at.platform, at.system)).toBe(1);
    expect((await waitForEnd(at.org, guid, 10)).status).toBe("COMPLETED");
    expect(await sweep(at.platform, at.system)).toBe(0);
  });

  it("is settled by the sweep past its deadline, and its late step changes nothing", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const read = async () => {
      await held;
      return easyTasks.read();
    };
    at = testPlatform({ read });
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    while ((await loadJob(at.org, guid)).value.status !== "PROCESSING") await at.org.engines.clock.sleep(5);
    at.pass(331);
    expect(await sweep(at.platform, at.system)).toBe(1);
    const failed = (await loadJob(at.org, guid)).value;
    expect(failed).toMatchObject({ status: "FAILED", error: "Processing timeout after 300 seconds", openRun: null });
    release();
    await at.org.engines.clock.sleep(100);
    expect((await loadJob(at.org, guid)).value).toEqual(failed);
    expect(await usageOf(at.org)).toBe(0);
  });

  it("loses no time while the service is down", async () => {
    at = testPlatform({ read: () => new Promise(() => undefined) });
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    while ((await loadJob(at.org, guid)).value.status !== "PROCESSING") await at.org.engines.clock.sleep(5);
    at.pass(3600);
    expect(await restartClocks(at.platform, at.system)).toBe(1);
    expect(await sweep(at.platform, at.system)).toBe(0);
    expect((await loadJob(at.org, guid)).value.status).toBe("PROCESSING");
  });

  it("is settled with the status event's sentence when its execution died", async () => {
    at = testPlatform({ read: () => new Promise(() => undefined) });
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    await at.org.workflows.stop(executionName(guid, 1), "Killed", "by an operator");
    expect(await waitForEnd(at.org, guid, 5)).toMatchObject({
      status: "FAILED",
      error: expect.stringMatching(/^Processing failed: /),
    });
  });

  it("retries transient failures, and records final ones", async () => {
    let tries = 0;
    const read = async () => {
      tries += 1;
      if (tries === 1) throw new ServiceUnavailable("The reader is not there");
      return easyTasks.read();
    };
    at = testPlatform({ read });
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    expect((await waitForEnd(at.org, guid, 10)).status).toBe("COMPLETED");
    expect(tries).toBe(2);
  });

  it("fails with the sentence of its failed step, which is not repeated", async () => {
    let tries = 0;
    const read = async (): Promise<never> => {
      tries += 1;
      throw new JobFailure("Processing failed: Document is password protected");
    };
    at = testPlatform({ read });
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    expect(await waitForEnd(at.org, guid, 10)).toMatchObject({
      status: "FAILED",
      error: "Processing failed: Document is password protected",
    });
    expect(tries).toBe(1);
    // A further run may succeed.
    expect((await openRun(at.org, guid, COMMAND)).run).toBe(2);
    await waitForEnd(at.org, guid, 10);
  });

  it("shows no details of an internal error", async () => {
    at = testPlatform({
      read: async () => {
        throw new TypeError("Cannot read properties of undefined (reading 'secret')");
      },
    });
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    const job = await waitForEnd(at.org, guid, 10);
    expect(job.status).toBe("FAILED");
    expect(job.error).toMatch(/^Processing failed: The service made an error/);
  });
});

describe("a step", () => {
  it("returns its recorded outcome, and does nothing after the end of its run", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(withLostStarts(at.org), guid, COMMAND);
    let done = 0;
    const step = () =>
      runStep(at.org, { guid, run: 1 }, "once", async () => {
        done += 1;
        return { facts: { n: done } };
      });
    expect([await step(), await step()]).toEqual([{ n: 1 }, { n: 1 }]);
    await settleRun(at.org, guid, 1, "Processing failed: enough");
    await expect(runStep(at.org, { guid, run: 1 }, "late", async () => ({ facts: {} }))).rejects.toThrow(
      "This run has ended",
    );
    expect(done).toBe(1);
  });
});

describe("deletion of a job", () => {
  it("by retention leaves a job that is changed meanwhile", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    const { updatedAt } = await waitForEnd(at.org, guid, 10);
    const endedBefore = Date.parse(updatedAt) + 1;
    const { records } = at.org;
    let raced = false;
    const transact: typeof records.transact = async (...given) => {
      const later = { updatedAt: new Date(endedBefore).toISOString() };
      if (!raced) await updateJob(at.org, guid, (job) => ({ job: { ...job, ...later } }));
      raced = true;
      return records.transact(...given);
    };
    const org = { ...at.org, records: withMethods(records, { transact }) };
    expect(await deleteJob(org, guid, { endedBefore })).toBe(false);
    expect((await loadJob(at.org, guid)).value).toMatchObject({ status: "COMPLETED" });
    expect(await at.org.queue.receive(WORK_QUEUE)).toEqual([]);
  });

  it("is completed by the sweep after a crash, and usage stays", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, COMMAND);
    await waitForEnd(at.org, guid, 10);
    await deleteJob(at.org, guid);
    await expect(loadJob(at.org, guid)).rejects.toMatchObject({ kind: "NotFound" });
    const blobs = { ...at.org.blobs, delete: () => Promise.reject(new Error("disk gone")) };
    await expect(finishDeletion({ ...at.org, blobs }, guid)).rejects.toThrow("disk gone");
    expect(await sweep(at.platform, at.system)).toBe(1);
    expect((await at.org.blobs.list("")).blobs).toEqual([]);
    expect((await at.org.records.query({ partition: `job/${guid}` })).items).toEqual([]);
    expect(await usageOf(at.org)).toBe(1);
    expect(await sweep(at.platform, at.system)).toBe(0);
  });

  it("may be completed by concurrent calls", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await deleteJob(at.org, guid);
    await Promise.all(Array.from({ length: 4 }, () => finishDeletion(at.org, guid)));
    expect((await at.org.blobs.list("")).blobs).toEqual([]);
    expect(await sweep(at.platform, at.system)).toBe(0);
  });

  it("does not depend on the queue", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    const said: string[] = [];
    const send = () => Promise.reject(new ServiceUnavailable("The work queue is not available"));
    const observer = { ...at.org.observer, log: (_level: string, message: string) => void said.push(message) };
    await deleteJob({ ...at.org, queue: { ...at.org.queue, send }, observer }, guid);
    expect(said).toEqual(["work not handed over"]);
    expect((await at.org.blobs.list("")).blobs).toHaveLength(1);
    expect(await sweep(at.platform, at.system)).toBe(1);
    expect((await at.org.blobs.list("")).blobs).toEqual([]);
  });

  it("is refused while a run is open", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(withLostStarts(at.org), guid, COMMAND);
    await expect(deleteJob(at.org, guid)).rejects.toMatchObject({ kind: "Conflict" });
  });
});

describe("the count of open runs", () => {
  const counted = async (id: number): Promise<unknown> =>
    (await at.system.get({ partition: "sys/open-runs", sort: String(id) }))?.value.open;

  it("follows the runs, and is corrected by the sweep after a crash", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(withLostStarts(at.org), guid, COMMAND);
    expect(await counted(1)).toBe(1);
    for (const open of [7, 0]) {
      await at.system.put({ partition: "sys/open-runs", sort: "1" }, { v: 1, open });
      await at.system.put({ partition: "sys/open-runs", sort: "2" }, { v: 1, open: 5 });
      await settleRun(at.org, guid, 2, "no such run");
      await sweep({ ...at.platform, workflows: withLostStarts(at.org).workflows }, at.system);
      expect([await counted(1), await counted(2)]).toEqual([1, 0]);
    }
    await at.system.put({ partition: "sys/open-runs", sort: "1" }, { v: 1, open: 0 });
    await settleRun(at.org, guid, 1, "Processing failed: enough");
    expect(await counted(1)).toBe(0);
  });
});
