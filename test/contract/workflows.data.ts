/** The part of the Workflows suite about the data of states. */
import { expect, it } from "vitest";
import type { Json } from "../../functions/ports/json.ts";
import { caughtMap, row, single, task } from "./workflows.machines.ts";
import { type Bench, newName } from "./workflows.suite.ts";

export function dataFlowTests(bench: Bench): void {
  it("Workflows passes the input through", async () => {
    const execution = await bench.run(single({ Type: "Pass" }), { text: "ä✓", list: [1, null, { deep: true }] });
    expect(execution).toMatchObject({
      status: "SUCCEEDED",
      input: { text: "ä✓", list: [1, null, { deep: true }] },
      output: { text: "ä✓", list: [1, null, { deep: true }] },
    });
    expect(Date.parse(execution.stoppedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(execution.startedAt));
  });

  it("Workflows outputs null, false, 0 and an empty text as results of a Pass", async () => {
    for (const value of [null, false, 0, ""]) {
      const execution = await bench.run(single({ Type: "Pass", Result: value, ResultPath: "$.value" }), { kept: 1 });
      expect(execution.output).toEqual({ kept: 1, value });
    }
  });

  it("Workflows runs a Task with paths, parameters and selectors", async () => {
    const members = {
      InputPath: "$.body",
      Parameters: { fixed: "text", "picked.$": "$.value", nested: { "list.$": "States.Array($.value, 2)" } },
      ResultSelector: { "got.$": "$.given" },
      ResultPath: "$.results.first",
      OutputPath: "$",
    };
    const execution = await bench.run(single(task("echo", members)), { body: { value: 7 }, other: null });
    expect(execution.output).toEqual({
      body: { value: 7 },
      other: null,
      results: { first: { got: { fixed: "text", picked: 7, nested: { list: [7, 2] } } } },
    });
  });

  it("Workflows accepts $ and null as paths", async () => {
    const whole = await bench.run(single(task("echo", { ResultPath: "$", InputPath: "$" })), { a: 1 });
    expect(whole.output).toEqual({ given: { a: 1 } });
    const discarded = await bench.run(single(task("echo", { ResultPath: null })), { a: 1 });
    expect(discarded.output).toEqual({ a: 1 });
  });

  const quoted = async () => (await bench.run(single(task("echo", { ResultPath: "$['a-b']" })), {})).output;
  bench.asking.it(
    "quotedResultPath",
    "takes a name in quotes as a ResultPath",
    async () => expect(await quoted()).toEqual({ "a-b": { given: {} } }),
    async () => expect(await quoted()).toEqual({ "['a-b']": { given: {} } }),
  );

  it("Workflows provides the execution's name, input and start in every state", async () => {
    const reading = {
      "name.$": "$$.Execution.Name",
      "input.$": "$$.Execution.Input",
      "at.$": "$$.Execution.StartTime",
    };
    const branch = single({ Type: "Pass", Parameters: reading });
    const machine = row({
      Narrow: { Type: "Pass", Result: { narrow: 1 } },
      Fork: { Type: "Parallel", Branches: [branch] },
    });
    const execution = await bench.run(machine, { whole: true });
    expect(execution.output).toEqual([
      { name: execution.name, input: { whole: true }, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    ]);
    const [branchOutput] = execution.output as { at: string }[];
    expect(Math.abs(Date.parse(branchOutput?.at ?? "") - Date.parse(execution.startedAt))).toBeLessThan(1000);
  });

  const ofNull = bench.asking.has("presentNull") ? "absent" : { kind: null };
  it("Workflows follows the rules of a Choice", async () => {
    const rule = (test: { [member: string]: Json }, next: string) => ({ ...test, Next: next });
    const machine = {
      StartAt: "Choose",
      States: {
        Choose: {
          Type: "Choice",
          Choices: [
            rule({ Variable: "$.kind", IsPresent: false }, "Absent"),
            rule(
              {
                And: [
                  { Variable: "$.kind", IsNull: false },
                  { Variable: "$.kind", StringEquals: "a" },
                ],
              },
              "A",
            ),
            rule({ Not: { Variable: "$.kind", IsNull: true } }, "Other"),
            rule({ Variable: "$.kind", NumericLessThan: 5 }, "Other"),
          ],
          Default: "Null",
        },
        Absent: { Type: "Pass", Result: "absent", End: true },
        A: { Type: "Pass", Result: "a", End: true },
        Other: { Type: "Pass", Result: "other", End: true },
        Null: { Type: "Succeed" },
      },
    };
    expect((await bench.run(machine, {})).output).toBe("absent");
    expect((await bench.run(machine, { kind: "a" })).output).toBe("a");
    expect((await bench.run(machine, { kind: 3 })).output).toBe("other");
    expect((await bench.run(machine, { kind: null })).output).toEqual(ofNull);
  });

  it("Workflows waits in a Wait", async () => {
    const started = Date.now();
    const execution = await bench.run(row({ Rest: { Type: "Wait", Seconds: 1 } }), { a: 1 });
    expect(execution.output).toEqual({ a: 1 });
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
  });
}

export function fanOutTests(bench: Bench): void {
  it("Workflows runs branches in parallel and returns their results in order", async () => {
    const branches = [300, 200, 100].map((milliseconds, index) => ({
      StartAt: `Branch ${index}`,
      States: {
        [`Branch ${index}`]: task("crowd", {
          Parameters: { milliseconds, index, item: 0, "log.$": "$.log" },
          End: true,
        }),
      },
    }));
    const log = newName();
    const execution = await bench.run(single({ Type: "Parallel", Branches: branches, ResultPath: "$.all" }), { log });
    const all = [0, 1, 2].map((index) => ({ index, doubled: 0 }));
    expect(execution.output).toEqual({ log, all });
    expect(bench.log.most.get(log)).toBe(3);
  });

  it("Workflows maps over a list with limited concurrency, and catches errors in iterations", async () => {
    const log = newName();
    const execution = await bench.run(caughtMap("crowd", 3), { items: [0, 1, 2, 3, 4, 5, 6, 7], note: "n", log });
    expect(execution.status).toBe("SUCCEEDED");
    expect(bench.log.most.get(log)).toBe(3);
    const outputs = execution.output as {
      doubled?: number;
      index: number;
      failure?: { Error: string; Cause: string };
    }[];
    expect(outputs.map((output) => output.doubled ?? output.failure?.Error)).toEqual([
      0,
      "Odd",
      4,
      "Odd",
      8,
      "Odd",
      12,
      "Odd",
    ]);
    expect(outputs.map((output) => output.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(outputs[1]).toMatchObject({ item: 1, all: "n" });
    expect(JSON.parse(outputs[1]?.failure?.Cause ?? "")).toMatchObject({
      errorType: "Odd",
      errorMessage: "item 1 is odd",
    });
  });

  it("Workflows maps over an empty list, and over falsy values", async () => {
    const machine = single({
      Type: "Map",
      ItemProcessor: { StartAt: "Item", States: { Item: { Type: "Pass", End: true } } },
    });
    expect((await bench.run(machine, [])).output).toEqual([]);
    expect((await bench.run(machine, [null, 0, false, ""])).output).toEqual([null, 0, false, ""]);
  });

  it("Workflows takes a Map's concurrency from its input", async () => {
    const machine = single({
      Type: "Map",
      ItemsPath: "$.items",
      MaxConcurrencyPath: "$.most",
      ItemSelector: { item: 0, "index.$": "$$.Map.Item.Value", "log.$": "$.log" },
      ItemProcessor: { StartAt: "Work", States: { Work: task("crowd", { OutputPath: "$.index", End: true }) } },
    });
    const log = newName();
    const execution = await bench.run(machine, { items: [5, 6, 7, 8, 9], most: 2, log });
    expect(execution.output).toEqual([5, 6, 7, 8, 9]);
    expect(bench.log.most.get(log)).toBe(2);
  });

  const events = !bench.asking.has("innerEvents");
  it("Workflows runs a Map in a Parallel in a Map", async () => {
    const inner = { StartAt: "Echo", States: { Echo: task("echo", { OutputPath: "$.given", End: true }) } };
    const map = { StartAt: "Inner", States: { Inner: { Type: "Map", ItemProcessor: inner, End: true } } };
    const side = { StartAt: "Side", States: { Side: { Type: "Pass", Result: "side", End: true } } };
    const fork = { StartAt: "Fork", States: { Fork: { Type: "Parallel", Branches: [map, side], End: true } } };
    const execution = await bench.run(single({ Type: "Map", ItemProcessor: fork }), [[1, 2], [3]]);
    expect(execution.output).toEqual([
      [[1, 2], "side"],
      [[3], "side"],
    ]);
    const types = await bench.types(execution.name);
    expect(types.filter((type) => type === "TaskStateExited:Echo")).toHaveLength(events ? 3 : 0);
    expect(types.filter((type) => type === "MapStateExited:Inner")).toHaveLength(events ? 2 : 0);
    expect(types.at(-1)).toBe("ExecutionSucceeded");
  });
}
