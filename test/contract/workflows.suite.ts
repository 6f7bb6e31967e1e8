/** The contract of Workflows. The maker returns a driver whose Tasks call the steps. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../functions/ports/json.ts";
import type { Execution, StateMachineDefinition, Step, Workflows } from "../../functions/ports/workflows.ts";
import { type Asking, asking, WORKFLOW_DIFFERENCES, type WorkflowDifference } from "./differences.ts";
import { dataFlowTests, fanOutTests } from "./workflows.data.ts";
import { failureTests } from "./workflows.failures.ts";
import { row, type StepLog, single, suiteSteps, task } from "./workflows.machines.ts";
import { nestedTests } from "./workflows.nested.ts";

export interface MadeWorkflows {
  workflows: Workflows;
  close(): Promise<void>;
}

export interface WorkflowsMaker {
  name: string;
  make(steps: Record<string, Step>): Promise<MadeWorkflows>;
  /** Known differences of the driver's counterpart. */
  differences?: readonly WorkflowDifference[];
  /** Interval between two polls of an execution; default 10, more for drivers whose polls cost something. */
  lookMilliseconds?: number;
}

/** A driver with the log of its steps; available while a test runs. */
export interface Bench {
  readonly workflows: Workflows;
  readonly log: StepLog;
  readonly asking: Asking<WorkflowDifference>;
  /** Makes the machine and starts it under a new name. */
  begin(definition: StateMachineDefinition, input?: Json): Promise<string>;
  /** Also waits for its end. */
  run(definition: StateMachineDefinition, input?: Json): Promise<Execution>;
  ended(name: string): Promise<Execution>;
  types(name: string): Promise<string[]>;
}

export const newName = (): string => `suite-${randomUUID()}`;

function makeBench(
  made: () => MadeWorkflows,
  log: StepLog,
  { differences, lookMilliseconds = 10 }: WorkflowsMaker,
): Bench {
  const bench: Bench = {
    get workflows() {
      return made().workflows;
    },
    log,
    asking: asking(WORKFLOW_DIFFERENCES, differences),
    async begin(definition, input = {}) {
      const name = newName();
      const machine = await bench.workflows.ensureMachine(definition);
      expect(await bench.workflows.start(machine, name, input)).toEqual({ started: true });
      return name;
    },
    run: async (definition, input) => bench.ended(await bench.begin(definition, input)),
    async ended(name) {
      for (;;) {
        const execution = await bench.workflows.describe(name);
        if (execution !== undefined && execution.status !== "RUNNING") return execution;
        await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
      }
    },
    async types(name) {
      const types: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await bench.workflows.history(name, cursor === undefined ? {} : { cursor });
        types.push(...page.events.map((event) => `${event.type}${event.stateName ? `:${event.stateName}` : ""}`));
        cursor = page.cursor;
      } while (cursor !== undefined);
      return types;
    },
  };
  return bench;
}

function namingTests(bench: Bench): void {
  it("Workflows.ensureMachine makes a machine once, and another one for another definition", async () => {
    const [first, again, other] = await Promise.all([
      bench.workflows.ensureMachine(single({ Type: "Pass", Result: 1 })),
      bench.workflows.ensureMachine(single({ Result: 1, Type: "Pass" })),
      bench.workflows.ensureMachine(single({ Type: "Pass", Result: 2 })),
    ]);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(first).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
  });

  it("Workflows.start starts a name once", async () => {
    const machine = await bench.workflows.ensureMachine(single(task("echo")));
    const name = newName();
    const starts = await Promise.all(
      Array.from({ length: 20 }, () => bench.workflows.start(machine, name, { log: name })),
    );
    expect(starts.filter((start) => start.started)).toHaveLength(1);
    await bench.ended(name);
    expect(await bench.workflows.start(machine, name, { log: name })).toEqual({ started: false });
    expect(await bench.workflows.start(machine, name, { other: true })).toEqual({ started: false });
    const another = await bench.workflows.ensureMachine(single({ Type: "Pass", Comment: "another" }));
    expect(await bench.workflows.start(another, name, { log: name })).toEqual({ started: false });
    expect(await bench.workflows.describe(name)).toMatchObject({ machine, input: { log: name } });
    expect(bench.log.calls.get(name)).toBe(1);
  });

  it("Workflows refuses impossible names, machines and inputs", async () => {
    const machine = await bench.workflows.ensureMachine(single({ Type: "Pass" }));
    await expect(bench.workflows.start(machine, "a b", {})).rejects.toMatchObject({ kind: "BadRequest" });
    await expect(bench.workflows.start(machine, "a".repeat(81), {})).rejects.toMatchObject({ kind: "BadRequest" });
    await expect(bench.workflows.start("unknown", newName(), {})).rejects.toMatchObject({ kind: "NotFound" });
    const large = "x".repeat(262_143);
    await expect(bench.workflows.start(machine, newName(), large)).rejects.toMatchObject({ kind: "PayloadTooLarge" });
    expect((await bench.run(single({ Type: "Pass" }), large.slice(2))).output).toHaveLength(262_141);
  });

  it("Workflows.describe knows nothing of executions that never started", async () => {
    expect(await bench.workflows.describe(newName())).toBeUndefined();
    await expect(bench.workflows.history(newName())).rejects.toMatchObject({ kind: "NotFound" });
    await expect(bench.workflows.stop(newName(), "E", "c")).rejects.toMatchObject({ kind: "NotFound" });
  });
}

function removalTests(bench: Bench): void {
  const stays = !bench.asking.has("removedMachine");

  it("Workflows.removeMachine removes a machine, and succeeds for a missing one", async () => {
    const machine = await bench.workflows.ensureMachine(single({ Type: "Pass", Result: "removed" }));
    await bench.workflows.removeMachine(machine);
    await bench.workflows.removeMachine(machine);
    await bench.workflows.removeMachine("unknown");
    await expect(bench.workflows.start(machine, newName(), {})).rejects.toMatchObject({ kind: "NotFound" });
  });

  it("Workflows.ensureMachine makes a removed machine again, under its name", async () => {
    const definition = single({ Type: "Pass", Result: "again" });
    const machine = await bench.workflows.ensureMachine(definition);
    const before = await bench.run(definition);
    await bench.workflows.removeMachine(machine);
    expect(await bench.workflows.ensureMachine(definition)).toBe(machine);
    expect(await bench.run(definition)).toMatchObject({ status: "SUCCEEDED", machine, output: "again" });
    expect(await bench.workflows.describe(before.name)).toEqual(stays ? before : undefined);
  });

  it("Workflows.removeMachine lets running executions end, and prevents new ones", async () => {
    const definition = row({ Rest: { Type: "Wait", Seconds: 1 }, Last: task("echo") });
    const name = await bench.begin(definition, { a: 1 });
    const machine = (await bench.workflows.describe(name))?.machine ?? "";
    while (!(await bench.types(name)).includes("WaitStateEntered:Rest")) await new Promise(setImmediate);
    await bench.workflows.removeMachine(machine);
    await expect(bench.workflows.start(machine, newName(), {})).rejects.toMatchObject({ kind: "NotFound" });
    // Depends on the driver.
    if (stays) expect((await bench.ended(name)).stoppedAt).toBeDefined();
    else expect(await bench.workflows.describe(name)).toBeUndefined();
    await expect(bench.workflows.start(machine, newName(), {})).rejects.toMatchObject({ kind: "NotFound" });
  });
}

function historyTests(bench: Bench): void {
  const events = !bench.asking.has("innerEvents");
  it("Workflows.history is in order and without payloads", async () => {
    const machine = row({
      First: task("echo"),
      Fork: { Type: "Parallel", Branches: [single({ Type: "Pass" })] },
      Last: { Type: "Pass" },
    });
    const execution = await bench.run(machine, { secret: "do not keep" });
    const { events: kept } = await bench.workflows.history(execution.name);
    expect(kept.map((event) => event.id)).toEqual(kept.map((_, index) => index + 1));
    expect(JSON.stringify(kept)).not.toContain("do not keep");
    const wanted = /^Execution|StateEntered|StateExited/;
    expect((await bench.types(execution.name)).filter((type) => wanted.test(type))).toEqual([
      "ExecutionStarted",
      "TaskStateEntered:First",
      "TaskStateExited:First",
      "ParallelStateEntered:Fork",
      ...(events ? ["PassStateEntered:Only", "PassStateExited:Only"] : []),
      "ParallelStateExited:Fork",
      "PassStateEntered:Last",
      "PassStateExited:Last",
      "ExecutionSucceeded",
    ]);
    const times = kept.map((event) => event.timestamp);
    expect(times).toEqual([...times].sort());
  });

  it("Workflows.history returns a long history in pages", async () => {
    const items = Array.from({ length: 150 }, (_, index) => index * 2);
    const machine = single({
      Type: "Map",
      ItemProcessor: { StartAt: "Echo", States: { Echo: task("echo", { End: true }) } },
    });
    const execution = await bench.run(machine, items);
    const types = await bench.types(execution.name);
    expect(types.filter((type) => type === "TaskStateExited:Echo")).toHaveLength(events ? 150 : 0);
    expect(types.at(-1)).toBe("ExecutionSucceeded");
  });
}

/** Runs the contract on a driver. */
export function workflowsSuite(maker: WorkflowsMaker): void {
  describe.concurrent(`Workflows: ${maker.name}`, () => {
    const { steps, log } = suiteSteps();
    let made: MadeWorkflows | undefined;
    beforeAll(async () => {
      made = await maker.make(steps);
    });
    afterAll(async () => made?.close());
    const bench = makeBench(
      () => {
        if (made === undefined) throw new Error("The driver is not made yet");
        return made;
      },
      log,
      maker,
    );
    describe.concurrent("data", () => dataFlowTests(bench));
    describe.concurrent("branches and items", () => fanOutTests(bench));
    describe.concurrent("machines that start others", () => nestedTests(bench));
    describe.concurrent("names", () => namingTests(bench));
    describe.concurrent("removal", () => removalTests(bench));
    describe.concurrent("history", () => historyTests(bench));
    describe.concurrent("failures", () => failureTests(bench));
    bench.asking.close();
  });
}
