/** Transient failures of steps: tried again while the run has time, final afterwards. */
import { afterEach, describe, expect, it } from "vitest";
import { JobFailure, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import { DEFAULT_CONFIG } from "../../../../functions/service/organizations/organization.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { runStep } from "../../../../functions/service/runs/run-step.ts";
import { RetryableStepError } from "../../../../functions/service/runs/step-errors.ts";
import { makeSteps } from "../../../../functions/steps/index.ts";
import { STEP_RETRY } from "../../../../statemachines/asl.ts";
import { withMethods } from "../../../support/changed.ts";
import { systemError } from "../../../support/faulty-ports.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
afterEach(() => at?.close());

async function openedRun(): Promise<{ guid: string; run: number }> {
  at = testPlatform();
  const guid = await uploaded(at.org);
  return openRun(withLostStarts(at.org), guid, commandOf());
}

/** The outcome of a step whose work throws. */
const failing = (input: { guid: string; run: number }, error: unknown): Promise<unknown> =>
  runStep(at.org, input, "recognize", () => Promise.reject(error)).catch((thrown: unknown) => thrown);

describe("a step", () => {
  it.each([
    ["a busy store", new ServiceUnavailable("The store is busy")],
    ["a full disk", systemError("ENOSPC")],
    ["a missing file handle", systemError("EMFILE")],
  ])("that meets %s is retried until the run's deadline, and is final after it", async (_name, error) => {
    const input = await openedRun();
    expect(await failing(input, error)).toBeInstanceOf(RetryableStepError);
    at.pass(DEFAULT_CONFIG.jobTimeoutSeconds - 5);
    expect(await failing(input, error), "nothing was recorded").toBeInstanceOf(RetryableStepError);
    at.pass(10);
    expect(await failing(input, error)).toEqual(new JobFailure("Processing timeout after 300 seconds"));
  });

  it("that meets a fault before its work, in the stores around it, is retried too", async () => {
    const input = await openedRun();
    const broken = { get: () => Promise.reject(systemError("EMFILE")) };
    const organization = (): Organization => ({ ...at.org, records: withMethods(at.org.records, broken) });
    for (const name of ["recognize", "settle", "batch-plan"] as const) {
      const step = makeSteps(organization)[name];
      const call = step({ organizationId: 1, ...input }, { executionName: "x" });
      await expect(call).rejects.toMatchObject({ name: "RetryableStepError", message: /no file handle free/ });
    }
  });
});

describe("the retries of every machine", () => {
  it("last longer than a run, at no more than 16 seconds from one to the next", () => {
    const [retrier] = STEP_RETRY;
    if (retrier === undefined) throw new Error("There are no retries");
    const { IntervalSeconds = 0, BackoffRate = 0, MaxAttempts = 0, MaxDelaySeconds = 0 } = retrier;
    let seconds = 0;
    for (let attempt = 0; attempt < MaxAttempts; attempt += 1) {
      seconds += Math.min(IntervalSeconds * BackoffRate ** attempt, MaxDelaySeconds);
    }
    expect(seconds).toBeGreaterThan(DEFAULT_CONFIG.jobTimeoutSeconds);
    expect(seconds).toBeLessThan(DEFAULT_CONFIG.jobTimeoutSeconds + MaxDelaySeconds);
    expect(MaxDelaySeconds).toBe(16);
  });
});
