/** Reading executions with the Step Functions driver, against exchanges written from the service's API reference. */
import { describe, expect, it } from "vitest";
import { type Answer, answer, refusal, turn } from "./json-exchange.ts";
import { ARN, claimed, describeTurn, LAMBDA, MACHINE, NAME, ROLE, STARTED, scripted } from "./workflows.support.ts";

describe("Workflows.describe on Step Functions", () => {
  it("returns undefined for an unclaimed name, without a request", async () => {
    expect(await scripted([]).workflows.describe(NAME)).toBeUndefined();
  });

  it("returns status, times, input and output", async () => {
    const running = {
      executionArn: ARN,
      stateMachineArn: "arn",
      name: NAME,
      status: "RUNNING",
      startDate: STARTED / 1000,
    };
    const ended = { ...running, stopDate: STARTED / 1000 + 2.5, input: '{"guid":"g"}' };
    const { workflows, done } = await claimed([
      describeTurn(answer({ ...running, input: '{"guid":"g"}', inputDetails: { included: true } })),
      describeTurn(answer({ ...ended, status: "SUCCEEDED", output: "null" })),
      describeTurn(
        answer({ ...ended, status: "FAILED", output: "{}", error: "Broken", cause: '{"errorType":"Broken"}' }),
      ),
      describeTurn(answer({ ...ended, status: "TIMED_OUT", error: "States.Timeout", cause: null, output: null })),
      describeTurn(answer({ ...ended, status: "ABORTED", error: "Cancelled", cause: "" })),
      describeTurn(answer({ ...running, status: "PENDING_REDRIVE", stopDate: null, input: null })),
    ]);
    const known = { name: NAME, machine: MACHINE, input: { guid: "g" }, startedAt: "2026-01-02T03:04:05.678Z" };
    const stopped = { ...known, stoppedAt: "2026-01-02T03:04:08.178Z" };
    expect(await workflows.describe(NAME)).toEqual({ ...known, status: "RUNNING" });
    expect(await workflows.describe(NAME)).toEqual({ ...stopped, status: "SUCCEEDED", output: null });
    expect(await workflows.describe(NAME)).toEqual({
      ...stopped,
      status: "FAILED",
      error: "Broken",
      cause: '{"errorType":"Broken"}',
    });
    expect(await workflows.describe(NAME)).toEqual({ ...stopped, status: "TIMED_OUT", error: "States.Timeout" });
    expect(await workflows.describe(NAME)).toEqual({ ...stopped, status: "ABORTED", error: "Cancelled", cause: "" });
    expect(await workflows.describe(NAME)).toMatchObject({ status: "RUNNING", input: null });
    done();
  });

  it("returns undefined for a claimed name that never started, and an AppError for other errors", async () => {
    const { workflows, done } = await claimed([
      describeTurn(refusal("ExecutionDoesNotExist")),
      describeTurn(refusal("ThrottlingException")),
      describeTurn(refusal("AccessDeniedException", ARN)),
    ]);
    expect(await workflows.describe(NAME)).toBeUndefined();
    const failure = await workflows.describe(NAME).catch((thrown) => thrown);
    expect(failure).toMatchObject({ kind: "InternalServerError", retryable: false });
    expect(failure.message).not.toContain(ARN);
    done();
  });
});

describe("Workflows.stop on Step Functions", () => {
  const stopTurn = (given: Answer, error = "Late", cause = "too late") =>
    turn("StopExecution", { executionArn: ARN, error, cause }, given);

  it("sends error and cause, truncated to the service's limits", async () => {
    const { workflows, done } = await claimed([
      stopTurn(answer({ stopDate: 1 })),
      stopTurn(answer({ stopDate: 1 }), "e".repeat(256), "ä".repeat(16_384)),
    ]);
    await workflows.stop(NAME, "Late", "too late");
    await workflows.stop(NAME, "e".repeat(300), "ä".repeat(20_000));
    done();
  });

  it("accepts an execution that has ended", async () => {
    const ended = answer({
      executionArn: ARN,
      status: "SUCCEEDED",
      startDate: 1,
      stopDate: 2,
      input: "{}",
      output: "1",
    });
    const { workflows, done } = await claimed([stopTurn(refusal("ValidationException")), describeTurn(ended)]);
    await workflows.stop(NAME, "Late", "too late");
    done();
  });

  it("refuses unknown names, and reports errors", async () => {
    await expect(scripted([]).workflows.stop(NAME, "Late", "")).rejects.toMatchObject({ kind: "NotFound" });
    const running = answer({ executionArn: ARN, status: "RUNNING", startDate: 1, input: "{}" });
    const { workflows, done } = await claimed([
      stopTurn(refusal("ExecutionDoesNotExist")),
      stopTurn(refusal("AccessDeniedException")),
      describeTurn(running),
    ]);
    await expect(workflows.stop(NAME, "Late", "too late")).rejects.toMatchObject({ kind: "NotFound" });
    await expect(workflows.stop(NAME, "Late", "too late")).rejects.toMatchObject({ kind: "InternalServerError" });
    done();
  });
});

describe("Workflows.history on Step Functions", () => {
  const historyTurn = (given: Answer, more = {}) =>
    turn("GetExecutionHistory", { executionArn: ARN, includeExecutionData: false, maxResults: 1000, ...more }, given);
  const secret = { input: '"secret"', inputDetails: { truncated: false } };
  let id = 0;
  const event = (type: string, previousEventId: number, details = {}) => {
    id += 1;
    return { id, previousEventId, type, timestamp: STARTED / 1000 + id, ...details };
  };

  it("returns types, states and errors in order and in pages, without data", async () => {
    id = 0;
    const first = [
      event("ExecutionStarted", 0, { executionStartedEventDetails: { ...secret, roleArn: ROLE } }),
      event("TaskStateEntered", 0, { stateEnteredEventDetails: { name: "Read", ...secret } }),
      event("LambdaFunctionScheduled", 2, { lambdaFunctionScheduledEventDetails: { resource: LAMBDA, ...secret } }),
      event("LambdaFunctionStarted", 3),
      event("LambdaFunctionFailed", 4, { lambdaFunctionFailedEventDetails: { error: "Busy", cause: '"secret"' } }),
      event("LambdaFunctionScheduled", 5, { lambdaFunctionScheduledEventDetails: { resource: LAMBDA, ...secret } }),
      event("LambdaFunctionSucceeded", 6, { lambdaFunctionSucceededEventDetails: { output: '"secret"' } }),
      event("TaskStateExited", 7, { stateExitedEventDetails: { name: "Read", output: '"secret"' } }),
    ];
    const second = [
      event("MapStateEntered", 8, { stateEnteredEventDetails: { name: "Each", ...secret } }),
      event("MapStateStarted", 9, { mapStateStartedEventDetails: { length: 1 } }),
      event("MapIterationStarted", 10, { mapIterationStartedEventDetails: { name: "Each", index: 0 } }),
      event("MapIterationFailed", 11, { mapIterationFailedEventDetails: { name: "Each", index: 0 } }),
      event("MapStateFailed", 12),
      event("ParallelStateFailed", 5),
      event("ExecutionFailed", 13, { executionFailedEventDetails: { error: "Odd", cause: '"secret"' } }),
    ];
    const { workflows, done } = await claimed([
      historyTurn(answer({ events: first, nextToken: "AAAA+next/token==" })),
      historyTurn(answer({ events: second, nextToken: null }), { nextToken: "AAAA+next/token==" }),
    ]);
    const page = await workflows.history(NAME);
    expect(page.cursor).toBe("AAAA+next/token==");
    const rest = await workflows.history(NAME, { cursor: "AAAA+next/token==" });
    expect(rest).not.toHaveProperty("cursor");
    const events = [...page.events, ...rest.events];
    expect(events.map((one) => one.id)).toEqual(events.map((_, index) => index + 1));
    expect(events[0]).toEqual({ id: 1, type: "ExecutionStarted", timestamp: "2026-01-02T03:04:06.678Z" });
    expect(events.map(({ type, stateName, error }) => [type, stateName, error].filter(Boolean).join(" "))).toEqual([
      "ExecutionStarted",
      "TaskStateEntered Read",
      "LambdaFunctionScheduled Read",
      "LambdaFunctionStarted Read",
      "LambdaFunctionFailed Read Busy",
      "LambdaFunctionScheduled Read",
      "LambdaFunctionSucceeded Read",
      "TaskStateExited Read",
      "MapStateEntered Each",
      "MapStateStarted Each",
      "MapIterationStarted Each",
      "MapIterationFailed Each",
      "MapStateFailed Each",
      "ParallelStateFailed",
      "ExecutionFailed Odd",
    ]);
    expect(JSON.stringify(events)).not.toContain("secret");
    done();
  });

  it("refuses foreign cursors and unknown names", async () => {
    await expect(scripted([]).workflows.history(NAME)).rejects.toMatchObject({ kind: "NotFound" });
    const { workflows, done } = await claimed([
      historyTurn(refusal("InvalidToken"), { nextToken: "mine" }),
      historyTurn(refusal("ExecutionDoesNotExist")),
    ]);
    await expect(workflows.history(NAME, { cursor: "mine" })).rejects.toMatchObject({ kind: "BadRequest" });
    await expect(workflows.history(NAME)).rejects.toMatchObject({ kind: "NotFound" });
    done();
  });
});
