/** Records left by a removed machine, and their deletion. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { START_AND_WAIT } from "../../../../functions/adapters/workflows-json.ts";
import type { Step } from "../../../../functions/ports/workflows.ts";
import { single, task } from "../../../contract/workflows.machines.ts";
import { ended, type LocalBench, openLocalBench, until } from "./workflows.support.ts";

let bench: LocalBench;
beforeEach(async () => {
  bench = await openLocalBench();
});
afterEach(() => bench.close());

const MACHINES = ["sys/machines", "sys/machines-removed"];
const kept = async (): Promise<number[]> =>
  Promise.all(MACHINES.map(async (partition) => (await bench.partition(partition)).length));

/** Over 300 KB: stored in pieces. */
const LONG = "x".repeat(400_000);

function gate(): { step: Step; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    open: () => resolve(),
    step: async (input) => {
      await promise;
      return input;
    },
  };
}

describe("a removed machine", () => {
  it("leaves no records, at once or when the last execution on it has ended", async () => {
    const { step, open } = gate();
    const workflows = bench.open({ steps: { echo: step } });
    const machine = await workflows.ensureMachine(single(task("echo", { Comment: LONG })));
    const idle = await workflows.ensureMachine(single({ Type: "Pass" }));
    for (const name of ["one", "two"]) await workflows.start(machine, name, {});
    await workflows.removeMachine(idle);
    await workflows.removeMachine(machine);
    expect(await kept()).toEqual([5, 1]);
    open();
    for (const name of ["one", "two"]) await ended(workflows, name);
    await workflows.drain(1000);
    expect(await kept()).toEqual([0, 0]);
    expect(await workflows.describe("two")).toMatchObject({ status: "SUCCEEDED" });
  });

  it("still serves its executions after a restart", async () => {
    const first = bench.open({ steps: { echo: () => new Promise(() => undefined) } });
    const machine = await first.ensureMachine(single(task("echo", { Comment: LONG })));
    await first.start(machine, "long", { a: 1 });
    await first.removeMachine(machine);
    await first.close();
    const second = bench.open();
    expect(await second.resume()).toBe(1);
    await expect(second.start(machine, "more", {})).rejects.toMatchObject({ kind: "NotFound" });
    await ended(second, "long");
    expect(await second.describe("long")).toMatchObject({ status: "SUCCEEDED", output: { a: 1 } });
    await second.drain(1000);
    expect(await kept()).toEqual([0, 0]);
  });

  it("stays when it is created again during an execution", async () => {
    const { step, open } = gate();
    const workflows = bench.open({ steps: { echo: step } });
    const definition = single(task("echo", { Comment: LONG }));
    const machine = await workflows.ensureMachine(definition);
    await workflows.start(machine, "one", {});
    await workflows.removeMachine(machine);
    await workflows.ensureMachine(definition);
    expect(await workflows.start(machine, "two", {})).toEqual({ started: true });
    open();
    for (const name of ["one", "two"]) await ended(workflows, name);
    await workflows.drain(1000);
    expect(await kept()).toEqual([6, 0]);
    await bench.open().start(machine, "three", {});
  });

  it("fails a Task that would start it, with the service's error name, until it is created again", async () => {
    const workflows = bench.open();
    const definition = single(task("echo"));
    const child = await workflows.ensureMachine(definition);
    const parent = await workflows.ensureMachine(
      single({
        Type: "Task",
        Resource: START_AND_WAIT,
        Parameters: { "StateMachineArn.$": "$.machine", "Name.$": "$.name", Input: 1 },
        Retry: [
          { ErrorEquals: ["StepFunctions.StateMachineDoesNotExistException"], IntervalSeconds: 1, MaxAttempts: 1 },
        ],
      }),
    );
    await workflows.removeMachine(child);
    await workflows.start(parent, "fails", { machine: child, name: "unborn" });
    await ended(workflows, "fails");
    expect(await workflows.describe("fails")).toMatchObject({
      status: "FAILED",
      error: "StepFunctions.StateMachineDoesNotExistException",
    });
    await workflows.start(parent, "waits", { machine: child, name: "born" });
    await until(async () =>
      (await workflows.history("waits")).events.some(({ type }) => type === "LambdaFunctionFailed"),
    );
    await workflows.ensureMachine(definition);
    await ended(workflows, "waits");
    expect(await workflows.describe("waits")).toMatchObject({
      status: "SUCCEEDED",
      output: { Name: "born", Output: 1 },
    });
    await workflows.start(parent, "nameless", { machine: 7, name: "none" });
    await ended(workflows, "nameless");
    expect(await workflows.describe("nameless")).toMatchObject({ status: "FAILED", error: "States.Runtime" });
    await workflows.close();
  });
});
