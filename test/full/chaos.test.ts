/** kill -9 at every fail point and at random moments: every job ends COMPLETED, none twice, the store opens. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { ChaosService } from "../support/chaos.ts";

let invoice: Uint8Array;
let service: ChaosService;
beforeAll(async () => {
  invoice = await drawInvoice();
});
afterEach(() => service.close());

/** What must be so of a job that was done once. */
function expectDoneOnce(job: { guid: string; runs: unknown[] }): void {
  expect(job).toMatchObject({
    status: "COMPLETED",
    error: null,
    usage: { ocrPages: 1 },
    result: { invoice_number: "SH-2026-0117", total: 517.2 },
  });
  expect(job.runs).toHaveLength(1);
}

describe("kill -9", () => {
  it("at every port call of a job, before and after it", { timeout: 1_500_000 }, async () => {
    service = new ChaosService();
    await service.start();
    expectDoneOnce(await service.job("count", invoice));
    const calls = await service.calls();
    expect(calls.length).toBeGreaterThan(25);
    await service.close();

    const survived: string[] = [];
    for (let number = 1; number <= calls.length; number++) {
      for (const moment of ["before", "after"]) {
        const point = `${number}:${moment}`;
        service = new ChaosService();
        await service.start(point);
        const job = await service.job("one", invoice);
        expectDoneOnce(job);
        expect((await service.call("GET", "/job/list")).totalSize, `fail point ${point} (${calls[number - 1]})`).toBe(
          1,
        );
        // The last calls may come after the answer that ends this round; each other one has killed.
        if (service.starts === 1) survived.push(point);
        await service.close();
      }
    }
    console.log(
      `${calls.length} port calls, ${2 * calls.length - survived.length} kills; not reached: ${survived.join(" ") || "none"}`,
    );
    expect(survived.length).toBeLessThan(calls.length / 2);
  });

  it("at 20 random moments, with five jobs under way", { timeout: 600_000 }, async () => {
    let seed = 20261121;
    const random = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    service = new ChaosService();
    for (let round = 0; round < 20; round++) {
      await service.up();
      const jobs = Array.from({ length: 5 }, (_, index) => service.job(`r${round}-${index}`, invoice));
      await new Promise((resolve) => setTimeout(resolve, random() * 700));
      await service.kill();
      // The callers bring the service up again.
      for (const job of await Promise.all(jobs)) expectDoneOnce(job);
    }
    expect((await service.call("GET", "/job/list?size=1")).totalSize).toBe(100);
  });
});
