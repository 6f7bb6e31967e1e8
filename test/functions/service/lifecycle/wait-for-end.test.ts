/** Calls that wait for a job: each organization has a number of its own. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { MAX_WAITING_CALLS, waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { uploaded } from "../../../support/runs.ts";

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
