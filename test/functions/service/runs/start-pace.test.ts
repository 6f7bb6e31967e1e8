/** The pace of an organization's starts: a burst at once, then one after the other; none refused, none lost. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseLimits } from "../../../../bin/limits.ts";
import { WORK_QUEUE } from "../../../../functions/ports/queue.ts";
import { openBatchRun, planBatch } from "../../../../functions/service/batches/batch-runs.ts";
import { cancelJob } from "../../../../functions/service/lifecycle/cancel-job.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { bindOrganization } from "../../../../functions/service/organizations/organization.ts";
import { reserveToken } from "../../../../functions/service/organizations/rate-limit.ts";
import { executionName } from "../../../../functions/service/runs/job-records.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";
import { processMessages } from "../../../support/work.ts";
import { batchOf } from "../batches/support.ts";

const RATE = { perMinute: 60, burst: 3 };

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
  at.platform.config = { ...at.platform.config, startRate: RATE };
  at = { ...at, org: bindOrganization(at.platform, 1), other: bindOrganization(at.platform, 2) };
});
afterEach(() => at.close());

async function open(count: number, org = at.org): Promise<string[]> {
  const guids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const guid = await uploaded(org);
    expect((await openRun(org, guid, commandOf())).status).toBe("PENDING");
    guids.push(guid);
  }
  return guids;
}
const started = async (guids: string[]): Promise<number> => {
  const executions = await Promise.all(guids.map((guid) => at.org.workflows.describe(executionName(guid, 1))));
  return executions.filter((execution) => execution !== undefined).length;
};

describe("runs of one organization", () => {
  it("start as a burst, then one after the other, and those of another are not held up", async () => {
    const guids = await open(6);
    expect(await started(guids)).toBe(3);
    const theirs = await open(2, at.other);
    expect(await started(theirs)).toBe(2);
    for (const expected of [4, 5, 6]) {
      at.pass(1);
      await processMessages(at);
      expect(await started(guids)).toBe(expected);
    }
    expect(await processMessages(at)).toEqual([]);
  });

  it("start by the sweep, in time and not before, when their messages are lost", async () => {
    const guids = await open(4);
    const [message] = await at.platform.queue.receive(WORK_QUEUE);
    expect(message).toBeUndefined();
    await sweep(at.platform, at.system);
    expect(await started(guids)).toBe(3);
    at.pass(2);
    await sweep(at.platform, at.system);
    expect(await started(guids)).toBe(4);
  });

  it("wait on when a message comes early", async () => {
    // Twenty minutes of starts: a message waits 15 at most.
    for (let index = 0; index < 1200; index += 1) await reserveToken(at.org.records, RATE, at.org.engines.clock.now());
    const guids = await open(1);
    at.pass(901);
    expect(await processMessages(at)).toHaveLength(1);
    expect(await started(guids)).toBe(0);
    at.pass(300);
    expect(await processMessages(at)).toHaveLength(1);
    expect(await started(guids)).toBe(1);
  });

  it("do not start by a repeated call or after they are cancelled", async () => {
    await open(3);
    const [late, cancelled] = [await uploaded(at.org), await uploaded(at.org)];
    await openRun(at.org, late, commandOf(), "same");
    await openRun(at.org, late, commandOf(), "same");
    await openRun(at.org, cancelled, commandOf());
    expect(await started([late, cancelled])).toBe(0);
    await cancelJob(at.org, cancelled);
    at.pass(5);
    await processMessages(at);
    expect([await started([late]), await started([cancelled])]).toEqual([1, 0]);
  });
});

it("a batch works on as many documents at once as runs may start", async () => {
  const guid = await batchOf(at.org, ["a", "b"]);
  await openBatchRun(withLostStarts(at.org), guid, commandOf(), { maxConcurrency: 100 });
  expect(await planBatch(at.org, guid, 1)).toMatchObject({ maxConcurrency: 3 });
});

it.each([
  [undefined, null],
  ["off", null],
  ["60:6", { perMinute: 60, burst: 6 }],
])("SHEAF_START_RATE %s is %o", (SHEAF_START_RATE, startRate) => {
  expect(parseLimits({ SHEAF_START_RATE })).toMatchObject({ startRate });
  expect(() => parseLimits({ SHEAF_START_RATE: "6" })).toThrow("SHEAF_START_RATE must be starts of runs");
});
