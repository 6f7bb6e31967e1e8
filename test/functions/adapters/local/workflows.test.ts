/** Behaviour of the local driver alone: resuming, draining, reporting ends, its places. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Blobs } from "../../../../functions/ports/blobs.ts";
import type { Execution, Step } from "../../../../functions/ports/workflows.ts";
import { row, single, task } from "../../../contract/workflows.machines.ts";
import { faultyPorts, systemError } from "../../../support/faulty-ports.ts";
import { echo, ended, type LocalBench, openLocalBench, sleep, until } from "./workflows.support.ts";
import { onceStep } from "./workflows-crash.machine.ts";

let bench: LocalBench;
beforeEach(async () => {
  bench = await openLocalBench();
});
afterEach(() => bench.close());

describe("LocalWorkflows.resume", () => {
  it("finishes the executions of a killed process, doing idempotent work once", async () => {
    const script = join(import.meta.dirname, "workflows-crash.ts");
    const args = ["--disable-warning=ExperimentalWarning", script, join(bench.directory, "records.db"), "crashed"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    await until(async () => (await bench.partition("sys/running")).length === 2);
    child.kill("SIGKILL");
    await once(child, "exit");

    const second: Step = async () => "at last";
    const order: string[] = [];
    const onEnd = async ({ name }: Execution) => void order.push(name);
    const workflows = bench.open({ steps: { once: onceStep(bench.records), second }, onEnd, concurrency: 1 });
    const before = await workflows.describe("crashed");
    expect(before).toMatchObject({ status: "RUNNING", input: { given: "by the first process" } });
    expect(await workflows.resume()).toBe(2);
    expect(await workflows.resume()).toBe(0);
    await until(() => order.length === 2);
    expect(order).toEqual(["crashed", "crashed-waiting"]);
    expect(await workflows.describe("crashed")).toMatchObject({
      status: "SUCCEEDED",
      startedAt: before?.startedAt,
      output: {
        all: { given: "by the first process", once: "done", second: "at last" },
        started: before?.startedAt,
      },
    });
    const counter = await bench.records.get({ partition: "test/counters", sort: "crashed" });
    expect(counter?.value).toMatchObject({ calls: 2, worked: 1 });
    expect(await bench.partition("sys/running")).toEqual([]);
    const { events } = await workflows.history("crashed");
    expect(events[0]).toMatchObject({ id: 1, type: "ExecutionStarted", timestamp: before?.startedAt });
    await workflows.close();
  });

  it("fails an execution whose step is missing, and continues", async () => {
    const first = bench.open({ steps: { gone: () => new Promise(() => {}) } });
    await first.start(await first.ensureMachine(single(task("gone"))), "orphan", {});
    await first.close();
    const workflows = bench.open();
    expect(await workflows.resume()).toBe(1);
    await ended(workflows, "orphan");
    const execution = await workflows.describe("orphan");
    expect(execution).toMatchObject({ status: "FAILED", error: "States.Runtime" });
    expect(execution?.cause).toContain('step "gone"');
    await workflows.close();
  });
});

describe("LocalWorkflows.drain", () => {
  it("waits for running executions, suspends the rest without another step, and refuses starts", async () => {
    const calls: string[] = [];
    const timed: Step = async (input) => {
      calls.push(String(input));
      await sleep(Number(input));
      return input;
    };
    const first = bench.open({ steps: { timed }, concurrency: 2 });
    const machine = await first.ensureMachine(row({ One: task("timed"), Two: task("timed") }));
    await first.start(machine, "short", 60);
    await first.start(machine, "long", 500);
    await first.start(machine, "waiting", 1);
    // On a slow machine the short one may be at its second step by then.
    await until(() => calls.length >= 2);
    await first.drain(250);
    expect(first.running()).toBe(0);
    expect(await first.describe("short")).toMatchObject({ status: "SUCCEEDED" });
    expect((await bench.partition("sys/running")).map((item) => item.key.sort)).toEqual(["long", "waiting"]);
    await expect(first.start(machine, "late", 1)).rejects.toMatchObject({ kind: "ServiceUnavailable" });
    await sleep(400);
    expect(calls).toEqual(["60", "500", "60"]);

    const next = bench.open({ steps: { timed: echo } });
    expect(await next.resume()).toBe(2);
    await ended(next, "long");
    await ended(next, "waiting");
    expect(await next.describe("long")).toMatchObject({ status: "SUCCEEDED", output: 500 });
    await next.close();
  });

  it("holds no timer for a step that never ends", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    let called = false;
    const hang: Step = () => {
      called = true;
      return new Promise(() => {});
    };
    const workflows = bench.open({ steps: { hang } });
    const machine = await workflows.ensureMachine({ ...single(task("hang")), TimeoutSeconds: 300 });
    await workflows.start(machine, "hanging", {});
    await until(() => called);
    const during = timers();
    await workflows.close();
    // The step's and the execution's.
    expect(during - timers()).toBeGreaterThanOrEqual(2);
  });
});

describe("LocalWorkflows' onEnd", () => {
  it("is called once for every kind of end", async () => {
    const told: Execution[] = [];
    const steps = { echo, hang: () => new Promise<never>(() => {}) };
    const workflows = bench.open({ steps, onEnd: async (execution) => void told.push(execution) });
    const start = async (name: string, definition: Parameters<typeof workflows.ensureMachine>[0]) =>
      workflows.start(await workflows.ensureMachine(definition), name, { a: 1 });
    await start("good", single(task("echo")));
    await start("bad", { StartAt: "No", States: { No: { Type: "Fail", Error: "E" } } });
    await start("slow", { ...single(task("hang")), TimeoutSeconds: 1 });
    await start("stopped", single(task("hang")));
    await workflows.stop("stopped", "Stopped", "by hand");
    await workflows.stop("stopped", "Stopped", "again");
    await until(() => told.length === 4);
    await workflows.resume();
    await workflows.drain(100);
    const statuses = Object.fromEntries(told.map((execution) => [execution.name, execution.status]));
    expect(told).toHaveLength(4);
    expect(statuses).toEqual({ good: "SUCCEEDED", bad: "FAILED", slow: "TIMED_OUT", stopped: "ABORTED" });
    expect(told.find(({ name }) => name === "good")).toEqual(await workflows.describe("good"));
    expect(await bench.partition("sys/ended")).toEqual([]);
  });

  it("is called again after a restart when it threw", async () => {
    const errors: unknown[] = [];
    const broken = async () => {
      throw new Error("not now");
    };
    const first = bench.open({ onEnd: broken, onError: (error) => errors.push(error) });
    await first.start(await first.ensureMachine(single(task("echo"))), "told", { a: 1 });
    await until(() => errors.length === 1);
    await first.close();
    expect(await first.describe("told")).toMatchObject({ status: "SUCCEEDED" });

    const told: Execution[] = [];
    const next = bench.open({ onEnd: async (execution) => void told.push(execution) });
    expect(await next.resume()).toBe(0);
    await until(() => told.length === 1);
    await next.drain(100);
    await next.resume();
    await next.drain(100);
    expect(told).toEqual([expect.objectContaining({ name: "told", status: "SUCCEEDED", output: { a: 1 } })]);
  });
});

describe("LocalWorkflows while the machine has a fault", () => {
  it("records an end, and reports it, as soon as the fault is over", async () => {
    const faults = faultyPorts();
    const { records } = faults.wrap({ records: bench.records, blobs: {} as Blobs });
    const fill: Step = async () => {
      faults.set("ENOSPC");
      return "done";
    };
    const errors: unknown[] = [];
    const told: Execution[] = [];
    const onEnd = async (execution: Execution) => {
      if (told.push(execution) === 1) throw systemError("EMFILE");
    };
    const workflows = bench.open({ records, steps: { fill }, onEnd, onError: (error) => errors.push(error) });
    await workflows.start(await workflows.ensureMachine(single(task("fill"))), "full", {});
    await until(() => errors.length > 0);
    expect(await workflows.describe("full")).toMatchObject({ status: "RUNNING" });
    faults.set(undefined);
    await until(() => told.length === 2);
    expect(await workflows.describe("full")).toMatchObject({ status: "SUCCEEDED", output: "done" });
    expect(errors).toMatchObject([{ code: "ENOSPC" }, { code: "EMFILE" }]);
    await workflows.drain(1_000);
    expect(await bench.partition("sys/ended")).toEqual([]);
  });

  it("begins an execution that it could not load, as soon as the fault is over", async () => {
    const faults = faultyPorts();
    const { records } = faults.wrap({ records: bench.records, blobs: {} as Blobs });
    const first = bench.open({ concurrency: 1, steps: { echo: () => new Promise(() => undefined) } });
    await first.start(await first.ensureMachine(single(task("echo"))), "waits", { a: 1 });
    await first.close();
    const next = bench.open({ records });
    await next.resume();
    faults.set("EMFILE", /^get$/);
    await until(() => faults.failed() > 0);
    faults.set(undefined);
    await ended(next, "waits");
    expect(await next.describe("waits")).toMatchObject({ status: "SUCCEEDED", output: { a: 1 } });
    await next.close();
  });
});

describe("LocalWorkflows' concurrency", () => {
  it("limits the running executions, in the order of their starts", async () => {
    const begun: string[] = [];
    let most = 0;
    const workflows = bench.open({
      concurrency: 3,
      steps: {
        work: async (_input, { executionName }) => {
          begun.push(executionName);
          most = Math.max(most, workflows.running());
          await sleep(20);
          return null;
        },
      },
    });
    const machine = await workflows.ensureMachine(single(task("work")));
    const names = Array.from({ length: 12 }, (_, index) => `job-${String(index).padStart(2, "0")}`);
    for (const name of names) await workflows.start(machine, name, {});
    await until(async () => (await bench.partition("sys/running")).length === 0);
    expect(most).toBe(3);
    expect(begun).toEqual(names);
    await workflows.close();
  });

  it("lets a waiting execution be stopped, which then never starts", async () => {
    let release = () => {};
    const called: string[] = [];
    const hold: Step = (_input, { executionName }) => {
      called.push(executionName);
      return new Promise((resolve) => {
        release = () => resolve(null);
      });
    };
    const workflows = bench.open({ concurrency: 1, steps: { hold } });
    const machine = await workflows.ensureMachine(single(task("hold")));
    await workflows.start(machine, "first", {});
    await workflows.start(machine, "second", {});
    await until(() => called.length === 1);
    expect((await workflows.history("second")).events.map((event) => event.type)).toEqual(["ExecutionStarted"]);
    await workflows.stop("second", "Stopped", "");
    release();
    await ended(workflows, "first");
    expect(called).toEqual(["first"]);
    const types = (await workflows.history("second")).events.map((event) => event.type);
    expect(types).toEqual(["ExecutionStarted", "ExecutionAborted"]);
    await workflows.close();
  });

  it("finishes 200 executions that are started at once", async () => {
    const told: string[] = [];
    const workflows = bench.open({ onEnd: async ({ name, status }) => void told.push(`${name} ${status}`) });
    const machine = await workflows.ensureMachine(row({ A: task("echo"), B: { Type: "Pass" }, C: task("echo") }));
    const names = Array.from({ length: 200 }, (_, index) => `many-${index}`);
    await Promise.all(names.map((name) => workflows.start(machine, name, { name })));
    await until(() => told.length === 200);
    expect(new Set(told)).toEqual(new Set(names.map((name) => `${name} SUCCEEDED`)));
    expect(workflows.running()).toBe(0);
    await workflows.close();
  });

  it("refuses an invalid number", () => {
    for (const concurrency of [0, -1, 1.5]) expect(() => bench.open({ concurrency })).toThrow(RangeError);
  });
});

describe("a failed Map", () => {
  it("starts no further items, although its failure is caught", async () => {
    const called: number[] = [];
    const pick: Step = async (input) => {
      called.push(Number(input));
      await sleep(10);
      if (input === 1) throw new Error("one");
      return input;
    };
    const workflows = bench.open({ steps: { pick } });
    const machine = await workflows.ensureMachine({
      StartAt: "Each",
      States: {
        Each: {
          Type: "Map",
          MaxConcurrency: 2,
          ItemProcessor: { StartAt: "Pick", States: { Pick: task("pick", { End: true }) } },
          Catch: [{ ErrorEquals: ["Error"], Next: "Rest" }],
          Next: "Rest",
        },
        Rest: { Type: "Wait", Seconds: 1, End: true },
      },
    });
    await workflows.start(machine, "failing", [0, 1, 2, 3, 4, 5, 6, 7]);
    await ended(workflows, "failing");
    expect(called.length).toBeLessThanOrEqual(4);
    const types = (await workflows.history("failing")).events.map((event) => event.type);
    expect(types.filter((type) => type === "MapIterationFailed")).toHaveLength(1);
    expect(types).toContain("MapStateFailed");
    await workflows.close();
  });
});

describe("an endless loop", () => {
  it("ends at 25,000 events, like in Step Functions", async () => {
    const workflows = bench.open();
    const machine = await workflows.ensureMachine({
      StartAt: "Round",
      States: {
        Round: { Type: "Pass", Next: "Again" },
        Again: { Type: "Choice", Choices: [{ Variable: "$.stop", IsPresent: true, Next: "Stop" }], Default: "Round" },
        Stop: { Type: "Succeed" },
      },
    });
    await workflows.start(machine, "endless", {});
    await ended(workflows, "endless");
    expect(await workflows.describe("endless")).toMatchObject({ status: "FAILED", error: "States.Runtime" });
    const { events, cursor } = await workflows.history("endless", { cursor: "100" });
    expect(events).toMatchObject([{ id: 25_001, type: "ExecutionFailed" }]);
    expect(cursor).toBeUndefined();
    await workflows.close();
  });
});
