/** The part of the Workflows suite in which something goes wrong. */
import { expect, it } from "vitest";
import { row, single, task } from "./workflows.machines.ts";
import type { Bench } from "./workflows.suite.ts";

function retryTests(bench: Bench): void {
  it("retries by the error's name, as often and as slowly as said", async () => {
    const retry = [
      { ErrorEquals: ["Other"], IntervalSeconds: 1, MaxAttempts: 5 },
      { ErrorEquals: ["Busy"], IntervalSeconds: 1, BackoffRate: 1.5, MaxAttempts: 2 },
    ];
    const execution = await bench.run(single(task("fail", { Retry: retry })), { error: "Busy", times: 2 });
    expect(execution.output).toEqual({ calls: 3 });
    const [first = 0, second = 0, third = 0] = bench.log.times.get(execution.name) ?? [];
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(third - second).toBeGreaterThanOrEqual(1490);
  });

  it("gives up after the last retry, and does not retry other errors", async () => {
    const retry = [{ ErrorEquals: ["Busy"], IntervalSeconds: 1, MaxAttempts: 1 }];
    const [spent, other] = await Promise.all([
      bench.run(single(task("fail", { Retry: retry })), { error: "Busy" }),
      bench.run(single(task("fail", { Retry: retry })), { error: "Final" }),
    ]);
    expect([spent.error, bench.log.calls.get(spent.name)]).toEqual(["Busy", 2]);
    expect([other.error, bench.log.calls.get(other.name)]).toEqual(["Final", 1]);
  });

  it("retries a whole Parallel", async () => {
    const branch = { StartAt: "Fragile", States: { Fragile: task("fail", { End: true }) } };
    const retry = [{ ErrorEquals: ["States.ALL"], IntervalSeconds: 1, MaxAttempts: 2, BackoffRate: 1 }];
    const machine = single({ Type: "Parallel", Branches: [branch], Retry: retry });
    expect((await bench.run(machine, { error: "Busy", times: 1 })).output).toEqual([{ calls: 2 }]);
  });
}

function catchTests(bench: Bench): void {
  it("catches by name and puts the error where it is told", async () => {
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

  it("fails with the error's name and a cause in JSON when nobody catches it", async () => {
    const execution = await bench.run(single(task("fail")), { error: "Broken", message: "all of it" });
    expect(execution).toMatchObject({ status: "FAILED", error: "Broken" });
    expect(execution).not.toHaveProperty("output");
    expect(JSON.parse(execution.cause ?? "")).toMatchObject({ errorType: "Broken", errorMessage: "all of it" });
    expect((await bench.types(execution.name)).at(-1)).toBe("ExecutionFailed");
  });

  it("fails in a Fail state, with its error and cause or with none", async () => {
    const named = await bench.run({
      StartAt: "No",
      States: { No: { Type: "Fail", Error: "Named", Cause: "because" } },
    });
    expect(named).toMatchObject({ status: "FAILED", error: "Named", cause: "because" });
    const bare = await bench.run({ StartAt: "No", States: { No: { Type: "Fail" } } });
    expect(bare.status).toBe("FAILED");
    expect(bare.error ?? "").toBe("");
  });

  it("fails on a path that finds nothing, which States.ALL does not catch", async () => {
    const machine = {
      StartAt: "Read",
      States: {
        Read: task("echo", {
          Parameters: { "x.$": "$.absent" },
          Catch: [{ ErrorEquals: ["States.ALL"], Next: "Caught" }],
          End: true,
        }),
        Caught: { Type: "Pass", End: true },
      },
    };
    expect(await bench.run(machine, {})).toMatchObject({ status: "FAILED", error: "States.Runtime" });
  });

  it("ends the other branches when one fails", async () => {
    const branch = (states: Parameters<typeof row>[0]) => row(states);
    const machine = {
      StartAt: "Fork",
      States: {
        Fork: {
          Type: "Parallel",
          Branches: [
            branch({ Fails: task("fail") }),
            branch({ Sleeps: task("slow", { Parameters: { milliseconds: 300 } }), After: task("echo") }),
          ],
          Catch: [{ ErrorEquals: ["Broken"], Next: "Rest" }],
          End: true,
        },
        Rest: { Type: "Wait", Seconds: 1, End: true },
      },
    };
    const execution = await bench.run(machine, { error: "Broken" });
    expect(execution.status).toBe("SUCCEEDED");
    // The failing step and the sleeping one; the one behind the sleep never began.
    expect(bench.log.calls.get(execution.name)).toBe(2);
  });
}

function limitTests(bench: Bench, lacks: ReadonlySet<string>): void {
  it("times a Task out, and goes on where that is caught", async () => {
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

  it.skipIf(lacks.has("machineTimeout"))("times an execution out", async () => {
    const machine = row({ Slow: task("slow"), After: task("echo") }, { TimeoutSeconds: 1 });
    const execution = await bench.run(machine, { milliseconds: 1600 });
    expect(execution.status).toBe("TIMED_OUT");
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(bench.log.calls.get(execution.name)).toBe(1);
    expect((await bench.types(execution.name)).at(-1)).toBe("ExecutionTimedOut");
  });

  it.skipIf(lacks.has("payloadLimit"))("fails when a step gives back more than 256 KB", async () => {
    const caught = [{ ErrorEquals: ["States.ALL"], Next: "Caught" }];
    const machine = {
      StartAt: "Large",
      States: { Large: task("large", { Catch: caught, End: true }), Caught: { Type: "Pass", End: true } },
    };
    const over = await bench.run(machine, { size: 262_143 });
    expect(over).toMatchObject({ status: "FAILED", error: "States.DataLimitExceeded" });
    expect((await bench.run(machine, { size: 262_142 })).output).toHaveLength(262_142);
  });

  it.skipIf(lacks.has("payloadLimit"))("fails when results together pass 256 KB", async () => {
    const item = { StartAt: "Large", States: { Large: task("large", { Parameters: { size: 100_000 }, End: true }) } };
    const over = await bench.run(single({ Type: "Map", ItemProcessor: item }), [1, 2, 3]);
    expect(over).toMatchObject({ status: "FAILED", error: "States.DataLimitExceeded" });
  });
}

function stopTests(bench: Bench): void {
  it("stops an execution for good", async () => {
    const name = await bench.begin(row({ Slow: task("slow"), After: task("echo") }), { milliseconds: 400 });
    while (bench.log.calls.get(name) === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    await bench.workflows.stop(name, "Cancelled", "the user said so");
    expect(await bench.ended(name)).toMatchObject({ status: "ABORTED", error: "Cancelled", cause: "the user said so" });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(bench.log.calls.get(name)).toBe(1);
    await bench.workflows.stop(name, "Again", "later");
    expect(await bench.workflows.describe(name)).toMatchObject({ status: "ABORTED", error: "Cancelled" });
    expect((await bench.types(name)).at(-1)).toBe("ExecutionAborted");
  });

  it("stops an execution that waits for a retry, without another try", async () => {
    const retry = [{ ErrorEquals: ["Busy"], IntervalSeconds: 1, MaxAttempts: 3 }];
    const name = await bench.begin(single(task("fail", { Retry: retry })), { error: "Busy" });
    while (bench.log.calls.get(name) === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    await bench.workflows.stop(name, "Cancelled", "");
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(bench.log.calls.get(name)).toBe(1);
  });

  it("leaves what ended as it ended", async () => {
    const execution = await bench.run(single({ Type: "Pass" }), 1);
    await bench.workflows.stop(execution.name, "Late", "too late");
    expect(await bench.workflows.describe(execution.name)).toEqual(execution);
  });
}

export function failureTests(bench: Bench, lacks: ReadonlySet<string>): void {
  retryTests(bench);
  catchTests(bench);
  limitTests(bench, lacks);
  stopTests(bench);
}
