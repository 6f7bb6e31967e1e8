/** Calls that wait for a job: the end wakes them, and each organization has a number of its own. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { memoryWakes } from "../../../../functions/adapters/local/wakes.ts";
import { settleRun } from "../../../../functions/service/lifecycle/settle-run.ts";
import { MAX_WAITING_CALLS, waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { withMethods } from "../../../support/changed.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
});
afterEach(() => at.close());

it("waitForEnd answers calls beyond an organization's number early, and holds those of another", async () => {
  const [mine, theirs] = [await uploaded(at.org), await uploaded(at.other)];
  const order: string[] = [];
  const held = Array.from({ length: MAX_WAITING_CALLS }, () => waitForEnd(at.org, mine, 1.8));
  const beyond = waitForEnd(at.org, mine, 1.8).then(() => order.push("beyond"));
  const other = waitForEnd(at.other, theirs, 1.4).then(() => order.push("other"));
  await Promise.all([...held, beyond, other]);
  expect(order).toEqual(["beyond", "other"]);
  // Every place was given back.
  const again = waitForEnd(at.org, mine, 1.3).then(() => order.push("again"));
  await Promise.all([again, at.platform.engines.clock.sleep(1_100).then(() => order.push("slept"))]);
  expect(order.slice(2)).toEqual(["slept", "again"]);
});

it("waitForEnd is woken by the end of the run, and looks at nothing in between", async () => {
  const wakes = memoryWakes();
  let looks = 0;
  const org = {
    ...withLostStarts(at.org),
    records: withMethods(at.org.records, {
      get: (key) => {
        looks += 1;
        return at.org.records.get(key);
      },
    }),
    engines: { ...at.org.engines, clock: { ...at.org.engines.clock, sleep: () => new Promise<void>(() => undefined) } },
    // Time wakes nobody here.
    wakes: {
      ...wakes,
      watch: (name: string) => {
        const watch = wakes.watch(name);
        return { ...watch, within: () => watch.within(2 ** 30) };
      },
    },
  };
  const { guid, run } = await openRun(org, await uploaded(org), commandOf());
  looks = 0;
  const waiting = waitForEnd(org, guid, 30);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(looks, "before and within the wait").toBe(2);
  await settleRun({ ...at.org, wakes }, guid, run, "Processing failed: Nobody ran it");
  expect((await waiting).status).toBe("FAILED");
  expect(looks).toBe(3);
});
