/** Tasks that start an execution of another machine and wait for its end. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { START_AND_WAIT } from "../../../../functions/adapters/workflows-json.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { StateMachineDefinition, Step } from "../../../../functions/ports/workflows.ts";
import { row, single, task } from "../../../contract/workflows.machines.ts";
import { echo, ended, type LocalBench, openLocalBench, sleep, until } from "./workflows.support.ts";

let bench: LocalBench;
beforeEach(async () => {
  bench = await openLocalBench();
});
afterEach(() => bench.close());

/** Starts the execution that its input names, and waits for it. */
const waiting = (machine: string, more: { [member: string]: Json } = {}): StateMachineDefinition =>
  single({
    Type: "Task",
    Resource: START_AND_WAIT,
    Parameters: { StateMachineArn: `\${machine:${machine}}`, "Name.$": "$.name", "Input.$": "$.input" },
    ...more,
  });

const refuses: Step = async () => {
  throw Object.assign(new Error("it is none"), { name: "NoDocument" });
};

describe("a Task that starts an execution", () => {
  it("gets its output", async () => {
    const workflows = bench.open();
    const machine = await workflows.ensureMachine(waiting(await workflows.ensureMachine(single(task("echo")))));
    await workflows.start(machine, "parent", { name: "child", input: { a: 1 } });
    await ended(workflows, "parent");
    expect(await workflows.describe("child")).toMatchObject({ status: "SUCCEEDED", input: { a: 1 } });
    expect(await workflows.describe("parent")).toMatchObject({
      status: "SUCCEEDED",
      output: { Name: "child", Status: "SUCCEEDED", Output: { a: 1 } },
    });
    await workflows.close();
  });

  it("fails with its description when it fails", async () => {
    const workflows = bench.open({ steps: { refuses } });
    const machine = await workflows.ensureMachine(waiting(await workflows.ensureMachine(single(task("refuses")))));
    await workflows.start(machine, "parent", { name: "child", input: {} });
    await ended(workflows, "parent");
    const execution = await workflows.describe("parent");
    expect(execution).toMatchObject({ status: "FAILED", error: "States.TaskFailed" });
    const told = JSON.parse(execution?.cause ?? "");
    expect(told).toMatchObject({ Name: "child", Status: "FAILED", Error: "NoDocument" });
    expect(JSON.parse(told.Cause)).toEqual({ errorType: "NoDocument", errorMessage: "it is none" });
    await workflows.close();
  });

  it("waits for a running one, and refuses an ended one", async () => {
    const gate = Promise.withResolvers<void>();
    const gated: Step = async (input) => {
      await gate.promise;
      return input;
    };
    const workflows = bench.open({ steps: { gated } });
    const child = await workflows.ensureMachine(single(task("gated")));
    const machine = await workflows.ensureMachine(waiting(child));
    await workflows.start(child, "child", { a: 1 });
    await workflows.start(machine, "first", { name: "child", input: { a: 1 } });
    await until(() => workflows.running() === 2);
    await sleep(20);
    gate.resolve();
    await ended(workflows, "first");
    expect(await workflows.describe("first")).toMatchObject({ output: { Output: { a: 1 } } });
    await workflows.start(machine, "second", { name: "child", input: { a: 1 } });
    await ended(workflows, "second");
    expect((await workflows.describe("second"))?.error).toBe("StepFunctions.ExecutionAlreadyExistsException");
    await workflows.close();
  });

  it("yields its place to the execution it waits for", async () => {
    const workflows = bench.open({ concurrency: 1 });
    const child = await workflows.ensureMachine(single(task("echo")));
    const machine = await workflows.ensureMachine(waiting(await workflows.ensureMachine(waiting(child))));
    for (const name of ["a", "b", "c"]) {
      await workflows.start(machine, name, { name: `${name}-1`, input: { name: `${name}-2`, input: name } });
    }
    for (const name of ["a", "b", "c"]) {
      await ended(workflows, name);
      expect(await workflows.describe(`${name}-2`)).toMatchObject({ status: "SUCCEEDED", output: name });
    }
    await workflows.close();
  });

  it("is suspended when the service stops, and resumed with the execution that it started", async () => {
    let begun = false;
    const slow: Step = async (input) => {
      begun = true;
      await sleep(80);
      return input;
    };
    const first = bench.open({ steps: { slow } });
    const child = await first.ensureMachine(single(task("slow")));
    const starts = (name: string, more: { [member: string]: Json }): { [member: string]: Json } => ({
      Type: "Task",
      Resource: START_AND_WAIT,
      Parameters: { StateMachineArn: `\${machine:${child}}`, Name: name, Input: name },
      ...more,
    });
    // Like our machines: work done before a restart is caught, and skipped.
    const passed = [{ ErrorEquals: ["States.ALL"], ResultPath: null, Next: "Two" }];
    const machine = await first.ensureMachine(
      row({ One: starts("sooner", { ResultPath: null, Catch: passed }), Two: starts("later", {}) }),
    );
    await first.start(machine, "parent", {});
    // The status is RUNNING a moment before the step begins, and a step that has not begun is suspended.
    await until(async () => begun);
    const started = performance.now();
    await first.drain(5_000);
    // It waits for running work, but not for executions that only wait for it.
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await first.describe("sooner")).toMatchObject({ status: "SUCCEEDED" });
    expect(await first.describe("later")).toBeUndefined();

    const second = bench.open({ steps: { slow: echo } });
    expect(await second.resume()).toBe(1);
    await ended(second, "parent");
    expect(await second.describe("parent")).toMatchObject({ status: "SUCCEEDED", output: { Output: "later" } });
    await second.close();
  });

  it("is refused with unsupported members, and without a name", async () => {
    const workflows = bench.open();
    const child = await workflows.ensureMachine(single(task("echo")));
    const arn = `\${machine:${child}}`;
    const made = (Parameters: Json) => workflows.ensureMachine(waiting(child, { Parameters }));
    await expect(made({ StateMachineArn: arn, Name: "a", TraceHeader: "x" })).rejects.toThrow(/TraceHeader/);
    await expect(made({ StateMachineArn: arn })).rejects.toThrow(/nameless/);
    await expect(made({ StateMachineArn: "arn:aws:states:x", Name: "a" })).rejects.toThrow(/startExecution/);
    await workflows.close();
  });
});
