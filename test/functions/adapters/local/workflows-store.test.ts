/** Records written by the local workflows. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Step } from "../../../../functions/ports/workflows.ts";
import { single, task } from "../../../contract/workflows.machines.ts";
import { ended, type LocalBench, openLocalBench } from "./workflows.support.ts";

let bench: LocalBench;
beforeEach(async () => {
  bench = await openLocalBench();
});
afterEach(() => bench.close());

describe("the workflow store", () => {
  it("keeps an input and an output of 256 KB each, also over a restart", async () => {
    const large = "y".repeat(262_000);
    const first = bench.open({ steps: { echo: () => new Promise(() => {}) } });
    await first.start(await first.ensureMachine(single(task("echo"))), "large", large);
    await first.close();
    const workflows = bench.open();
    await workflows.resume();
    await ended(workflows, "large");
    expect(await workflows.describe("large")).toMatchObject({ status: "SUCCEEDED", input: large, output: large });
    await workflows.close();
  });

  it("keeps a definition of nearly a megabyte, in pieces", async () => {
    const first = bench.open();
    const definition = single({ Type: "Pass", Result: '"ä" '.repeat(120_000) });
    const name = await first.ensureMachine(definition);
    const workflows = bench.open();
    await workflows.start(name, "from-pieces", null);
    await ended(workflows, "from-pieces");
    // The result is over the quota of a payload, which shows that it was stored whole.
    expect(await workflows.describe("from-pieces")).toMatchObject({ error: "States.DataLimitExceeded" });
    await expect(bench.open().ensureMachine(single({ Type: "Pass", Comment: "x".repeat(1_048_576) }))).rejects.toThrow(
      /larger/,
    );
  });

  it("truncates a cause at 32 KB, by its message so that it stays JSON", async () => {
    const fail: Step = async () => {
      throw new TypeError('"'.repeat(60_000));
    };
    const workflows = bench.open({ steps: { fail } });
    await workflows.start(await workflows.ensureMachine(single(task("fail"))), "wordy", {});
    await ended(workflows, "wordy");
    const execution = await workflows.describe("wordy");
    expect(Buffer.byteLength(execution?.cause ?? "")).toBeLessThanOrEqual(32_768);
    const cause = JSON.parse(execution?.cause ?? "");
    expect(cause.errorType).toBe("TypeError");
    expect(cause.errorMessage).toMatch(/^"{16000,}$/);
  });
});

describe("records of an execution", () => {
  it("are under sys, and expire after 90 days", async () => {
    const workflows = bench.open();
    const machine = await workflows.ensureMachine(single(task("echo")));
    await workflows.start(machine, "kept", { a: 1 });
    await ended(workflows, "kept");
    const [execution] = await bench.partition("sys/executions");
    expect(execution?.value).toMatchObject({ v: 1, machine, status: "SUCCEEDED", input: { a: 1 }, output: { a: 1 } });
    const days = ((execution?.expiresAt ?? 0) * 1000 - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);
    const history = await bench.partition("sys/history/kept");
    expect(history).toHaveLength(1);
    expect(history[0]?.expiresAt).toBe(execution?.expiresAt);
    const [made] = await bench.partition("sys/machines");
    expect(made).toMatchObject({ key: { sort: machine }, value: { v: 1, definition: { StartAt: "Only" } } });
    await workflows.close();
  });
});
