/** Organizations on one machine: no documents of one keep those of another from beginning. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { organizationOf, organizationTurns } from "../../../../bin/local/turns.ts";
import { GroupPresence } from "../../../../functions/adapters/local/group-shares.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Step } from "../../../../functions/ports/workflows.ts";
import { ended, type LocalBench, openLocalBench, until } from "./workflows.support.ts";

const MACHINE = {
  StartAt: "work",
  States: { work: { Type: "Task", Resource: `\${work}`, End: true } },
};

let bench: LocalBench;
beforeEach(async () => {
  bench = await openLocalBench();
});
afterEach(() => bench.close());

/** Steps that end when they are let, in the order in which they began. */
function heldSteps(): { steps: Record<string, Step>; begun: string[]; let(count: number): void } {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    begun,
    steps: {
      work: async (input) => {
        begun.push((input as { name: string }).name);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return input;
      },
    },
    let: (count) => {
      for (const go of waiting.splice(0, count)) go();
    },
  };
}

describe("executions", () => {
  it("of one group leave places to others, and groups take turns for the rest, after a restart too", async () => {
    const held = heldSteps();
    const options = { ...held, concurrency: 3, groupConcurrency: 2, groupOf: organizationOf };
    const first = bench.open(options);
    const machine = await first.ensureMachine(MACHINE);
    const start = (workflows: typeof first, organizationId: number, name: string) =>
      workflows.start(machine, name, { organizationId, name });
    for (let count = 1; count <= 6; count++) await start(first, 1, `a${count}`);
    await until(() => held.begun.length === 2);
    expect(first.running()).toBe(2);
    await start(first, 2, "b1");
    await until(() => held.begun.length === 3);
    expect(held.begun).toEqual(["a1", "a2", "b1"]);
    await start(first, 2, "b2");
    await start(first, 3, "c1");
    await first.close();

    held.begun.splice(0);
    const second = bench.open(options);
    expect(await second.resume()).toBe(9);
    await until(() => held.begun.length === 3);
    expect(held.begun.toSorted()).toEqual(["a1", "b1", "c1"]);
    held.let(9);
    await until(() => held.begun.length === 6);
    expect(held.begun.slice(3).toSorted()).toEqual(["a2", "a3", "b2"]);
    const ending = setInterval(() => held.let(9), 5);
    for (const name of ["a6", "b2"]) await ended(second, name);
    clearInterval(ending);
    await second.close();
  });

  it("name their organization by what they were started with", () => {
    expect(organizationOf({ organizationId: 7 })).toBe("organization-7");
    for (const input of [null, 5, [], {}, { organizationId: "7" }] as Json[]) expect(organizationOf(input)).toBe("");
  });
});

describe("steps", () => {
  it("of one organization leave a turn to others, and what waits elsewhere gives its turn away", async () => {
    const turns = organizationTurns({ all: 3, alone: 2, beside: 2 }, new GroupPresence(() => 0));
    const held = heldSteps();
    const elsewhere = Promise.withResolvers<void>();
    const { work, ask } = turns.around({
      ...(held.steps as { work: Step }),
      ask: async (input) => {
        // Two calls of one step at once are one that waits.
        await Promise.all([turns.whileWaiting(() => elsewhere.promise), turns.whileWaiting(() => elsewhere.promise)]);
        held.begun.push("asked");
        return input;
      },
    });
    const context = { executionName: "any" };
    const call = (step: Step, organizationId: number, name: string) => step({ organizationId, name }, context);
    const asking = call(ask, 1, "ask");
    const all = ["a1", "a2", "a3"].map((name) => call(work, 1, name));
    await until(() => held.begun.length === 2);
    all.push(call(work, 2, "b1"), call(work, 2, "b2"));
    await until(() => held.begun.length === 3);
    expect(held.begun).toEqual(["a1", "a2", "b1"]);
    elsewhere.resolve();
    held.let(1);
    await until(() => held.begun.length === 4);
    held.let(9);
    const ending = setInterval(() => held.let(9), 5);
    await Promise.all([...all, asking]);
    clearInterval(ending);
    expect(held.begun.toSorted()).toEqual(["a1", "a2", "a3", "asked", "b1", "b2"]);
    // Every turn was given back.
    const last = [call(work, 3, "c1"), call(work, 3, "c2"), call(work, 4, "d1")];
    await until(() => held.begun.length === 9);
    held.let(9);
    await Promise.all(last);
  });
});

describe("requests", () => {
  it("of one organization leave turns to others, and those that wait count for nothing", async () => {
    const turns = organizationTurns({ all: 3, alone: 2, beside: 2 }, new GroupPresence(() => 0));
    const begun: string[] = [];
    const held = Promise.withResolvers<void>();
    const ask = (group: string, name: string, wait: boolean): Promise<void> =>
      turns.inTurn(group, async () => {
        begun.push(name);
        await (wait ? turns.whileWaiting(() => held.promise) : held.promise);
      });
    const all = ["p1", "p2", "p3", "p4"].map((name) => ask("a", name, true));
    await until(() => begun.length === 4);
    all.push(...["a1", "a2", "a3"].map((name) => ask("a", name, false)), ask("b", "b1", false));
    await until(() => begun.length === 7);
    expect(begun.slice(4)).toEqual(["a1", "a2", "b1"]);
    held.resolve();
    await Promise.all(all);
    expect(begun).toContain("a3");
  });
});

describe("work beside another organization's", () => {
  it("is less at once than alone, until the other has been gone for a second", async () => {
    let now = 0;
    const turns = organizationTurns({ all: 8, alone: 4, beside: 1 }, new GroupPresence(() => now));
    const held = heldSteps();
    const { work } = turns.around(held.steps as { work: Step });
    const call = (id: number, name: string) => work({ organizationId: id, name }, { executionName: "any" });
    const letOne = async (begun: number) => {
      held.let(1);
      await until(() => held.begun.length === begun);
    };
    const all = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"].map((name) => call(1, name));
    await until(() => held.begun.length === 4);
    all.push(call(2, "b1"));
    await until(() => held.begun.length === 5);
    expect(held.begun.at(-1)).toBe("b1");
    // Four of the first organization are at work: the next begins when none is.
    held.let(5);
    await until(() => held.begun.length === 6);
    expect(held.begun.at(-1)).toBe("a5");
    await letOne(7);
    expect(held.begun).toHaveLength(7);
    now = 5_000;
    await letOne(9);
    held.let(9);
    await Promise.all(all);
  });
});
