/** The part of the Workflows suite about failures. */
import { expect, it } from "vitest";
import { row, single, task } from "./workflows.machines.ts";
import { type Bench, newName } from "./workflows.suite.ts";

function retryTests(bench: Bench): void {
  it("Workflows retries by the error's name, as often and as slowly as the Retry says", async () => {
    const retry = [
      { ErrorEquals: ["Other"], IntervalSeconds: 1, MaxAttempts: 5 },
      { ErrorEquals: ["Busy"], IntervalSeconds: 1, BackoffRate: 1.5, MaxAttempts: 2 },
    ];
    const log = newName();
    const execution = await bench.run(single(task("fail", { Retry: retry })), { error: "Busy", times: 2, log });
    expect(execution.output).toEqual({ calls: 3 });
    const [first = 0, second = 0, third = 0] = bench.log.times.get(log) ?? [];
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(third - second).toBeGreaterThanOrEqual(1490);
  });

  it("Workflows stops after the last retry, and does not retry other errors", async () => {
    const retry = [{ ErrorEquals: ["Busy"], IntervalSeconds: 1, MaxAttempts: 1 }];
    const errors = ["Busy", "Final"].map((error) => ({ error, log: newName() }));
    const ends = errors.map(async (input) => {
      const { error } = await bench.run(single(task("fail", { Retry: retry })), input);
      return [error, bench.log.calls.get(input.log)];
    });
    expect(await Promise.all(ends)).toEqual([
      ["Busy", 2],
      ["Final", 1],
    ]);
  });

  it("Workflows retries a whole Parallel", async () => {
    const branch = { StartAt: "Fragile", States: { Fragile: task("fail", { End: true }) } };
    const retry = [{ ErrorEquals: ["States.ALL"], IntervalSeconds: 1, MaxAttempts: 2, BackoffRate: 1 }];
    const machine = single({ Type: "Parallel", Branches: [branch], Retry: retry });
    const input = { error: "Busy", times: 1, log: newName() };
    expect((await bench.run(machine, input)).output).toEqual([{ calls: 2 }]);
  });
}

function catchTests(bench: Bench): void {
  it("Workflows catches by name and puts the error at the ResultPath", async () => {
    const machine = {
      StartAt: "Try",
      States: {
        Try: task("fail", {
          End: true,
          Catch: [
            { ErrorEquals: ["Other"], Next: "Wrong" },
            { ErrorEquals: ["Refused"], ResultPath: "$.failure", Next: "Right" },
          ],
        }),
        Wrong: { Type: "Fail", Error: "Wrong" },
        Right: { Type: "Pass", End: true },
      },
    };
    const execution = await bench.run(machine, { error: "Refused", message: 'say "no"' });
    const output = execution.output as { error: string; failure: { Error: string; Cause: string } };
    expect(output).toMatchObject({ error: "Refused", failure: { Error: "Refused" } });
    expect(JSON.parse(output.failure.Cause)).toMatchObject({ errorType: "Refused", errorMessage: 'say "no"' });
    expect((await bench.run(machine, { error: "Unknown" })).error).toBe("Unknown");
  });

  it("Workflows fails with the error's name and a cause in JSON when nothing catches it", async () => {
    const execution = await bench.run(single(task("fail")), { error: "Broken", message: "all of it" });
    expect(execution).toMatchObject({ status: "FAILED", error: "Broken" });
    expect(execution).not.toHaveProperty("output");
    expect(JSON.parse(execution.cause ?? "")).toMatchObject({ errorType: "Broken", errorMessage: "all of it" });
    expect((await bench.types(execution.name)).at(-1)).toBe("ExecutionFailed");
  });

  const bareName = bench.asking.has("bareFail") ? "States.Fail" : "";
  it("Workflows fails in a Fail state, with its error and cause or without", async () => {
    const named = await bench.run({
      StartAt: "No",
      States: { No: { Type: "Fail", Error: "Named", Cause: "because" } },
    });
    expect(named).toMatchObject({ status: "FAILED", error: "Named", cause: "because" });
    const bare = await bench.run({ StartAt: "No", States: { No: { Type: "Fail" } } });
    expect(bare.status).toBe("FAILED");
    expect(bare.error ?? "").toBe(bareName);
  });

  const reading = () =>
    bench.run(
      {
        StartAt: "Read",
        States: {
          Read: task("echo", {
            Parameters: { "x.$": "$.absent" },
            Catch: [{ ErrorEquals: ["States.ALL"], Next: "Caught" }],
            End: true,
          }),
          Caught: { Type: "Pass", End: true },
        },
      },
      {},
    );
  bench.asking.it(
    "missingPath",
    "fails on a path that finds nothing, which States.ALL does not catch",
    async () => expect(await reading()).toMatchObject({ status: "FAILED", error: "States.Runtime" }),
    async () => expect(await reading()).toMatchObject({ status: "SUCCEEDED", output: { given: { x: null } } }),
  );

  const calls = bench.asking.has("otherBranches") ? 3 : 2;
  it("Workflows ends the other branches when one fails", async () => {
    const log = newName();
    const sleeps = task("slow", { Parameters: { milliseconds: 300, "log.$": "$.log" }, ResultPath: null });
    const machine = {
      StartAt: "Fork",
      States: {
        Fork: {
          Type: "Parallel",
          Branches: [row({ Fails: task("fail") }), row({ Sleeps: sleeps, After: task("echo") })],
          Catch: [{ ErrorEquals: ["Broken"], Next: "Rest" }],
          End: true,
        },
        Rest: { Type: "Wait", Seconds: 1, End: true },
      },
    };
    const execution = await bench.run(machine, { error: "Broken", log });
    expect(execution.status).toBe("SUCCEEDED");
    // The failing step and the sleeping one; the step after the sleep never began.
    expect(bench.log.calls.get(log)).toBe(calls);
  });
}

function limitTests(bench: Bench): void {
  const tooLarge = bench.asking.has("payloadLimit")
    ? { status: "SUCCEEDED" }
    : { status: "FAILED", error: "States.DataLimitExceeded" };

  it("Workflows times a Task out, and continues after a Catch", async () => {
    const slow = task("slow", {
      TimeoutSeconds: 1,
      Catch: [{ ErrorEquals: ["States.Timeout"], Next: "Late" }],
      Next: "Never",
    });
    const machine = {
      StartAt: "Slow",
      States: { Slow: slow, Never: { Type: "Pass", End: true }, Late: { Type: "Pass", Result: "late", End: true } },
    };
    const execution = await bench.run(machine, { milliseconds: 4000 });
    expect(execution.output).toBe("late");
    expect(Date.parse(execution.stoppedAt ?? "") - Date.parse(execution.startedAt)).toBeLessThan(3900);
  });

  async function runLate() {
    const machine = row({ Slow: task("slow", { ResultPath: null }), After: task("echo") }, { TimeoutSeconds: 1 });
    const log = newName();
    const execution = await bench.run(machine, { milliseconds: 1600, log });
    await new Promise((resolve) => setTimeout(resolve, 900));
    return { ...execution, calls: bench.log.calls.get(log), last: (await bench.types(execution.name)).at(-1) };
  }
  bench.asking.it(
    "machineTimeout",
    "times an execution out",
    async () => expect(await runLate()).toMatchObject({ status: "TIMED_OUT", calls: 1, last: "ExecutionTimedOut" }),
    async () => expect(await runLate()).toMatchObject({ status: "SUCCEEDED", calls: 2, last: "ExecutionSucceeded" }),
  );

  it("Workflows fails when a step returns more than 256 KB", async () => {
    const caught = [{ ErrorEquals: ["States.ALL"], Next: "Caught" }];
    const machine = {
      StartAt: "Large",
      States: { Large: task("large", { Catch: caught, End: true }), Caught: { Type: "Pass", End: true } },
    };
    const over = await bench.run(machine, { size: 262_143 });
    expect(over).toMatchObject(tooLarge);
    expect((await bench.run(machine, { size: 262_142 })).output).toHaveLength(262_142);
  });

  it("Workflows fails when results together exceed 256 KB", async () => {
    const item = { StartAt: "Large", States: { Large: task("large", { Parameters: { size: 100_000 }, End: true }) } };
    const over = await bench.run(single({ Type: "Map", ItemProcessor: item }), [1, 2, 3]);
    expect(over).toMatchObject(tooLarge);
  });
}

/** Resolves when the step was called. */
async function begun(bench: Bench, log: string): Promise<void> {
  while (bench.log.calls.get(log) === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
}

function stopTests(bench: Bench): void {
  const last = bench.asking.has("stoppedTask") ? "TaskStateExited:Slow" : "ExecutionAborted";
  it("Workflows.stop ends an execution for good", async () => {
    const log = newName();
    const machine = row({ Slow: task("slow", { ResultPath: null }), After: task("echo") });
    const name = await bench.begin(machine, { milliseconds: 400, log });
    await begun(bench, log);
    await bench.workflows.stop(name, "Cancelled", "the user said so");
    expect(await bench.ended(name)).toMatchObject({ status: "ABORTED", error: "Cancelled", cause: "the user said so" });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(bench.log.calls.get(log)).toBe(1);
    await bench.workflows.stop(name, "Again", "later");
    expect(await bench.workflows.describe(name)).toMatchObject({ status: "ABORTED", error: "Cancelled" });
    expect((await bench.types(name)).at(-1)).toBe(last);
    expect(await bench.types(name)).toContain("ExecutionAborted");
  });

  const calls = bench.asking.has("stoppedRetry") ? 2 : 1;
  it("Workflows.stop ends an execution that waits for a retry, without another try", async () => {
    const retry = [{ ErrorEquals: ["Busy"], IntervalSeconds: 1, MaxAttempts: 3 }];
    const log = newName();
    const name = await bench.begin(single(task("fail", { Retry: retry })), { error: "Busy", log });
    await begun(bench, log);
    await bench.workflows.stop(name, "Cancelled", "");
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(bench.log.calls.get(log)).toBe(calls);
  });

  it("Workflows.stop keeps the end of an ended execution", async () => {
    const execution = await bench.run(single({ Type: "Pass" }), 1);
    await bench.workflows.stop(execution.name, "Late", "too late");
    expect(await bench.workflows.describe(execution.name)).toEqual(execution);
  });
}

export function failureTests(bench: Bench): void {
  retryTests(bench);
  catchTests(bench);
  limitTests(bench);
  stopTests(bench);
}
