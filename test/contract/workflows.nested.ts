/** The part of the Workflows suite about machines that start executions of other machines. */
import { expect, it } from "vitest";
import { START_AND_WAIT } from "../../functions/adapters/workflows-json.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { StateMachineDefinition } from "../../functions/ports/workflows.ts";
import { row, single, task } from "./workflows.machines.ts";
import { type Bench, newName } from "./workflows.suite.ts";

/** Starts the execution that its input names, on the machine that it names, and waits for it; outputs its failure. */
const starting: StateMachineDefinition = {
  StartAt: "Inner",
  States: {
    Inner: {
      Type: "Task",
      Resource: START_AND_WAIT,
      Parameters: { "StateMachineArn.$": "$.machine", "Name.$": "$.name", "Input.$": "$.input" },
      Catch: [{ ErrorEquals: ["States.ALL"], Next: "Caught" }],
      End: true,
    },
    Caught: { Type: "Pass", End: true },
  },
};

export function nestedTests(bench: Bench): void {
  /** Starts an execution that starts another. @returns the names of both, once the inner one runs */
  async function beginNested(definition: StateMachineDefinition, input: Json) {
    const machine = await bench.workflows.ensureMachine(definition);
    const inner = newName();
    expect(await bench.workflows.reserve(machine, inner)).toBe(machine);
    const outer = await bench.begin(starting, { machine, name: inner, input });
    while ((await bench.workflows.describe(inner)) === undefined) await new Promise((wait) => setTimeout(wait, 20));
    return { machine, inner, outer };
  }

  async function failureOf(outer: string) {
    const { Error: error, Cause: cause } = (await bench.ended(outer)).output as { Error: string; Cause: string };
    return { error, cause };
  }

  it("Workflows.describe knows an execution that a machine started like any other", async () => {
    const input = { a: [1, "ä"] };
    const { machine, inner, outer } = await beginNested(row({ Rest: { Type: "Wait", Seconds: 1 } }), input);
    expect(await bench.workflows.describe(inner)).toMatchObject({ name: inner, machine, status: "RUNNING", input });
    expect(await bench.types(inner)).toContain("ExecutionStarted");
    // Later starts with the same name start nothing, whatever their input and machine.
    const other = await bench.workflows.ensureMachine(single({ Type: "Pass", Result: "another" }));
    expect(await bench.workflows.reserve(other, inner)).toBe(machine);
    expect(await bench.workflows.start(machine, inner, input)).toEqual({ started: false });
    expect(await bench.workflows.start(machine, inner, { b: 1 })).toEqual({ started: false });
    expect(await bench.workflows.start(other, inner, input)).toEqual({ started: false });

    expect(await bench.ended(inner)).toMatchObject({ status: "SUCCEEDED", input, output: input });
    expect((await bench.types(inner)).at(-1)).toBe("ExecutionSucceeded");
    expect(await bench.ended(outer)).toMatchObject({
      status: "SUCCEEDED",
      output: { Name: inner, Status: "SUCCEEDED", Output: input },
    });
    expect(await bench.workflows.start(machine, inner, input)).toEqual({ started: false });
  });

  const hearsOfStop = !bench.asking.has("nestedStop");
  it("Workflows.stop ends an execution that a machine started, and the machine hears of it", async () => {
    const { inner, outer } = await beginNested(row({ Rest: { Type: "Wait", Seconds: 4 } }), {});
    await bench.workflows.stop(inner, "Cancelled", "the user said so");
    expect(await bench.ended(inner)).toMatchObject({
      status: "ABORTED",
      error: "Cancelled",
      cause: "the user said so",
    });
    const { error, cause } = await failureOf(outer);
    expect(error).toBe("States.TaskFailed");
    if (hearsOfStop) expect(JSON.parse(cause)).toMatchObject({ Name: inner, Status: "ABORTED" });
    else expect(cause).toMatch(/^Nested execution \S+ ended with status ABORTED$/);
  });

  const failing = async () => {
    const { inner, outer } = await beginNested(single(task("fail")), { error: "NoDocument", message: "it is none" });
    expect(await bench.ended(inner)).toMatchObject({ status: "FAILED", error: "NoDocument" });
    return { inner, ...(await failureOf(outer)) };
  };
  bench.asking.it(
    "nestedFailure",
    "tells a machine how the execution failed that it started",
    async () => {
      const { inner, error, cause } = await failing();
      expect(error).toBe("States.TaskFailed");
      const told = JSON.parse(cause);
      expect(told).toMatchObject({ Name: inner, Status: "FAILED", Error: "NoDocument" });
      expect(JSON.parse(told.Cause)).toMatchObject({ errorType: "NoDocument", errorMessage: "it is none" });
    },
    async () => {
      const { error, cause } = await failing();
      expect(error).toBe("NoDocument");
      expect(JSON.parse(cause)).toMatchObject({ errorType: "NoDocument", errorMessage: "it is none" });
    },
  );

  const again = async () => {
    const machine = await bench.workflows.ensureMachine(single(task("echo")));
    const name = newName();
    const input = { log: name };
    await bench.workflows.start(machine, name, input);
    await bench.ended(name);
    const { output } = await bench.run(starting, { machine, name, input });
    return { output, calls: bench.log.calls.get(name) };
  };
  bench.asking.it(
    "nestedAgain",
    "does not have a machine start again what has ended",
    async () => {
      const output = { Error: "StepFunctions.ExecutionAlreadyExistsException" };
      expect(await again()).toMatchObject({ output, calls: 1 });
    },
    async () => expect(await again()).toMatchObject({ output: { Status: "SUCCEEDED" }, calls: 2 }),
  );

  it("Workflows.describe knows no reserved name, and Workflows.start starts it for its owner", async () => {
    const machine = await bench.workflows.ensureMachine(single(task("echo")));
    const name = newName();
    await bench.workflows.reserve(machine, name);
    await bench.workflows.reserve(machine, name);
    expect(await bench.workflows.describe(name)).toBeUndefined();
    await expect(bench.workflows.history(name)).rejects.toMatchObject({ kind: "NotFound" });
    await expect(bench.workflows.stop(name, "E", "c")).rejects.toMatchObject({ kind: "NotFound" });
    expect(await bench.workflows.start(machine, name, { a: 1 })).toEqual({ started: true });
    expect(await bench.ended(name)).toMatchObject({ status: "SUCCEEDED", output: { given: { a: 1 } } });
    expect(await bench.workflows.start(machine, name, { a: 1 })).toEqual({ started: false });
    await expect(bench.workflows.reserve(machine, "a b")).rejects.toMatchObject({ kind: "BadRequest" });
  });
}
