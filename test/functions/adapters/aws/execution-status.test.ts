import { describe, expect, it } from "vitest";
import { endedExecution } from "../../../../functions/adapters/aws/execution-status.ts";
import type { Execution } from "../../../../functions/ports/workflows.ts";
import { settleDeadExecution } from "../../../../functions/service/lifecycle/sweep.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { testPlatform, withLostStarts } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

/** An event as the developer guide shows it. */
const event = (detail: Record<string, unknown>) => ({
  version: "0",
  id: "315c1398-40ff-a850-213b-158f73e60175",
  "detail-type": "Step Functions Execution Status Change",
  source: "aws.states",
  account: "123456789012",
  time: "2026-01-02T03:04:07Z",
  region: "eu-central-1",
  resources: ["arn:aws:states:eu-central-1:123456789012:execution:sheaf-0123:g-1"],
  detail: {
    executionArn: "arn:aws:states:eu-central-1:123456789012:execution:sheaf-0123:g-1",
    stateMachineArn: "arn:aws:states:eu-central-1:123456789012:stateMachine:sheaf-0123",
    name: "g-1",
    status: "FAILED",
    startDate: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    stopDate: Date.UTC(2026, 0, 2, 3, 4, 7, 8),
    input: '{"organizationId":1,"guid":"g","run":1}',
    output: null,
    inputDetails: { included: true },
    outputDetails: null,
    error: "Broken",
    cause: '{"errorType":"Broken","errorMessage":"it broke"}',
    ...detail,
  },
});

const execution: Execution = {
  name: "g-1",
  machine: "sheaf-0123",
  status: "FAILED",
  input: { organizationId: 1, guid: "g", run: 1 },
  error: "Broken",
  cause: '{"errorType":"Broken","errorMessage":"it broke"}',
  startedAt: "2026-01-02T03:04:05.006Z",
  stoppedAt: "2026-01-02T03:04:07.008Z",
};

const unasked = { describe: () => Promise.reject(new Error("Nobody should ask")) };

describe("endedExecution", () => {
  it("returns the port's execution", async () => {
    expect(await endedExecution(event({}), unasked)).toEqual(execution);
    const { error: _error, cause: _cause, ...rest } = execution;
    const timedOut = event({ status: "TIMED_OUT", error: null, cause: null });
    expect(await endedExecution(timedOut, unasked)).toEqual({ ...rest, status: "TIMED_OUT" });
    const succeeded = event({ status: "SUCCEEDED", error: undefined, cause: undefined, output: '"done"' });
    expect(await endedExecution(succeeded, unasked)).toEqual({ ...rest, status: "SUCCEEDED", output: "done" });
    expect(await endedExecution(event({ status: "ABORTED" }), unasked)).toEqual({ ...execution, status: "ABORTED" });
  });

  it("fetches an input too large for the event", async () => {
    const large = event({ input: null, inputDetails: { included: false } });
    const running: Execution = { ...execution, status: "RUNNING" };
    const asked: string[] = [];
    const describe = async (name: string) => {
      asked.push(name);
      return running;
    };
    // The event may arrive before every part of the service knows of the end.
    expect(await endedExecution(large, { describe })).toEqual(execution);
    expect(asked).toEqual(["g-1"]);
    expect(await endedExecution(large, { describe: async () => undefined })).toBeUndefined();
  });

  it("returns undefined for a running execution", async () => {
    expect(await endedExecution(event({ status: "RUNNING", stopDate: null }), unasked)).toBeUndefined();
    expect(await endedExecution(event({ status: "PENDING_REDRIVE" }), unasked)).toBeUndefined();
  });

  it("refuses other events", async () => {
    const others = [
      undefined,
      "text",
      {},
      { ...event({}), source: "aws.s3" },
      event({ name: 7 }),
      event({ startDate: "x" }),
    ];
    for (const other of others) {
      await expect(endedExecution(other, unasked)).rejects.toMatchObject({ kind: "BadRequest" });
    }
  });
});

describe("the execution-status handler", () => {
  it("settles the run of a failed execution, and none that succeeded or still runs", async () => {
    const at = testPlatform();
    // Started executions do not run: they are in another service.
    const org = withLostStarts(at.org);
    const guid = await uploaded(org);
    await openRun(org, guid, commandOf({ sourceLocations: true }));
    const input = JSON.stringify({ organizationId: 1, guid, run: 1, mode: "SIMPLE" });
    for (const status of ["RUNNING", "SUCCEEDED", "TIMED_OUT"]) {
      const { value } = await loadJob(org, guid);
      expect(value).toMatchObject({ status: "PENDING", openRun: 1 });
      const ended = await endedExecution(event({ name: `${guid}-1`, status, input, cause: null }), unasked);
      if (ended !== undefined) await settleDeadExecution(at.platform, ended);
    }
    const { value } = await loadJob(org, guid);
    expect(value).toMatchObject({ status: "FAILED", error: "Processing timeout after 300 seconds", openRun: null });
    await at.close();
  });
});
