/**
 * kill -9 before every write and at random moments: every job ends COMPLETED, none twice, and the store opens. A round of
 * all faults, of which `npm run chaos` runs any number.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { check } from "../support/chaos/checker.ts";
import { work } from "../support/chaos/client.ts";
import { type ClientJob, History } from "../support/chaos/history.ts";
import { runRound } from "../support/chaos/round.ts";
import { ChaosService } from "../support/chaos.ts";
import { CrashSweep } from "../support/crash-sweep.ts";

let invoice: Uint8Array;
beforeAll(async () => {
  invoice = await drawInvoice();
});

/** Asserts that a job was done exactly once. */
function expectDoneOnce(job: { guid: string; runs: unknown[] }): void {
  expect(job).toMatchObject({
    status: "COMPLETED",
    error: null,
    usage: { ocrPages: 0 },
    result: { invoice_number: "SH-2026-0117", total: 517.2 },
  });
  expect(job.runs).toHaveLength(1);
}

describe("the service survives kill -9", () => {
  it("before every write of a job", { timeout: 1_500_000 }, async () => {
    const wish = { schema: { invoice_number: "string", total: "number" } };
    await using crashes = new CrashSweep({ name: "a job without a model", document: invoice, wish });
    const points = await crashes.points();
    expect(crashes.undisturbed.end).toMatchObject({
      status: "COMPLETED",
      error: null,
      usage: { ocrPages: 0 },
      result: { invoice_number: "SH-2026-0117", total: 517.2 },
      runs: 1,
    });
    expect(points.length).toBeGreaterThan(15);
    const { missed } = await crashes.run(points);
    console.log(`${points.length - missed.length} kills; not reached: ${missed.join("; ") || "none"}`);
    expect(missed, missed.join("; ")).toEqual([]);
  });

  it("at 20 random moments, with five open jobs", { timeout: 600_000 }, async () => {
    let seed = 20261121;
    const random = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    await using service = new ChaosService();
    for (let round = 0; round < 20; round++) {
      await service.up();
      const jobs = Array.from({ length: 5 }, (_, index) => service.job(`r${round}-${index}`, invoice));
      await new Promise((resolve) => setTimeout(resolve, random() * 700));
      await service.kill();
      // The callers restart the service.
      for (const job of await Promise.all(jobs)) expectDoneOnce(job);
    }
    expect((await service.call("GET", "/job/list?size=1")).totalSize).toBe(100);
  });
});

describe("a round of faults", () => {
  it("loses no acknowledged write, leaves no job stuck or FAILED, and sends each event once", {
    timeout: 600_000,
  }, async () => {
    const { violations, jobs, injections } = await runRound(1, 20261123);
    expect(violations).toEqual([]);
    expect(jobs).toBeGreaterThan(5);
    expect(injections).toHaveLength(7);
  });
});

describe("the checker of a round", () => {
  it("names jobs that are lost, stuck, failed or wrong, and events that are missing or doubled", async () => {
    await using service = new ChaosService();
    const history = new History();
    const job = (name: string): ClientJob => ({ name, kind: "text", word: `W1X2X${name.length}` });
    for (const name of ["a", "bb", "ccc"]) await work(service, history, job(name));
    const ended = (await service.call("GET", "/job/list?size=10")).totalSize;
    expect(ended).toBe(3);
    const [first, second, third] = history.jobs as [ClientJob, ClientJob, ClientJob];
    // No webhook is set, so that every event is missing; the receiver claims two for one job.
    history.events.push(
      { id: "msg_1", jobGuid: first.guid ?? "", run: 1, type: "job.completed", acknowledged: true },
      { id: "msg_2", jobGuid: first.guid ?? "", run: 1, type: "job.completed", acknowledged: true },
    );
    second.result = "another text";
    third.end = { status: "FAILED", error: "Processing failed", runs: 2 };
    history.jobs.push(
      { ...job("lost"), guid: "0190a0a0-0000-7000-8000-000000000000", processed: true },
      { ...job("never sent") },
    );
    const violations = (await check(service, history)).join("\n");
    for (const sentence of [
      /^a: 0 events instead of one$/m,
      /^a: the receiver got 2 events instead of one$/m,
      /^bb: a wrong result: another text$/m,
      /^bb: has another result than before$/m,
      /^ccc: FAILED \(Processing failed\)$/m,
      /^ccc: was FAILED and is COMPLETED$/m,
      /^lost: stuck$/m,
      /^lost: was acknowledged and is lost/m,
      /^never sent: never acknowledged$/m,
      /^3 jobs for 4 acknowledged uploads$/m,
    ]) {
      expect(violations).toMatch(sentence);
    }
  });
});
