/** kill -9 before every write and at random moments: every job ends COMPLETED, none twice, and the store opens. */
import { beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
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
    usage: { ocrPages: 1 },
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
      usage: { ocrPages: 1 },
      result: { invoice_number: "SH-2026-0117", total: 517.2 },
      runs: 1,
    });
    expect(points.length).toBeGreaterThan(15);
    const { missed } = await crashes.run(points);
    console.log(`${points.length - missed.length} kills; not reached: ${missed.join("; ") || "none"}`);
    expect(missed).toEqual([]);
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
