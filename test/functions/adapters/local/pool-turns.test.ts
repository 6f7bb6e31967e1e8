/** Waiting for a process: turns of groups, the process for short tasks, and the clock that starts with the work. */
import { describe, expect, test } from "vitest";
import { isShortTask } from "../../../../functions/adapters/local/pool/short-task.ts";
import { writeLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { LAYOUT_VERSION, type Layout } from "../../../../functions/ports/layout.ts";
import { openWatchedPool, within } from "../../../support/watched-pool.ts";

const SHORT = { maxPayloadBytes: 1_000, maxPages: 3 };
const of = (group: string, pages?: number) => ({
  ...within(20_000),
  group,
  ...(pages === undefined ? {} : { pages }),
});

/** A layout of empty pages. */
const layoutOf = (pageCount: number): Layout => ({
  v: LAYOUT_VERSION,
  provider: "test",
  logicalPages: false,
  pageCount,
  pages: Array.from({ length: pageCount }, (_, index) => ({
    number: index + 1,
    width: 8.5,
    height: 11,
    unit: "inch",
    rotation: 0,
    blocks: [],
  })),
});

test("createPool serves groups in turns, each in order of arrival", async () => {
  const pool = openWatchedPool();
  const done: string[] = [];
  const ask = (group: string, name: string): Promise<unknown> =>
    pool.run("echo", name, of(group)).then(() => done.push(name));
  const heavy = Array.from({ length: 20 }, (_, index) => ask("heavy", `h${index}`));
  await Promise.all([...heavy, ask("light", "l0"), ask("light", "l1")]);
  expect(done.indexOf("l0")).toBeLessThanOrEqual(2);
  expect(done.indexOf("l1")).toBeLessThanOrEqual(4);
  expect(done.filter((name) => name.startsWith("h"))).toEqual(heavy.map((_, index) => `h${index}`));
});

describe("createPool with a process for short tasks", () => {
  test("runs a short task while long ones hold all other processes, and no long one", async () => {
    const pool = openWatchedPool({ short: SHORT });
    await pool.idle();
    const done: string[] = [];
    const note = (name: string) => (): number => done.push(name);
    const long = [1, 2].map((number) =>
      pool.run("wait", { milliseconds: 300 }, of("heavy", 4)).then(note(`l${number}`)),
    );
    const large = pool.run("echo", "x".repeat(1_001), of("light", 1)).then(note("large"));
    const unknown = pool.run("echo", "x", of("light")).then(note("unknown"));
    await pool.run("echo", "x", of("light", 3)).then(note("short"));
    await Promise.all([...long, large, unknown]);
    expect(done[0]).toBe("short");
    expect(done[1]).toBe("l1");
    expect(new Set(pool.pids()).size).toBe(2);
  });

  test("leaves a process to other groups when one group has short and long tasks", async () => {
    const pool = openWatchedPool({ size: 2, short: SHORT });
    await pool.idle();
    let ended = 0;
    const held = [4, 1, 1].map(async (pages) => {
      await pool.run("wait", { milliseconds: 400 }, of("heavy", pages));
      ended += 1;
    });
    await pool.run("echo", "long", of("light", 50));
    expect(ended).toBe(0);
    await Promise.all(held);
  });

  test("replaces that process by one of its kind", async () => {
    const pool = openWatchedPool({ short: SHORT, recycleAfter: 3 });
    for (let count = 0; count < 5; count += 1) await pool.run("echo", "x", of("light", 1));
    await pool.idle();
    let ended = 0;
    const long = pool.run("wait", { milliseconds: 300 }, of("heavy", 9)).then(() => {
      ended += 1;
    });
    await pool.run("echo", "x", of("light", 1));
    expect(ended).toBe(0);
    await long;
  });
});

describe("the clock of a task", () => {
  test("starts with the work: time spent waiting is not the task's", async () => {
    const pool = openWatchedPool();
    await pool.idle();
    const before = pool.run("wait", { milliseconds: 600 }, of("heavy"));
    const after = pool.run("wait", { milliseconds: 50 }, { ...within(20_000), workMs: 500, group: "light" });
    await Promise.all([before, after]);
    const began = performance.now();
    await expect(pool.run("spin", null, { ...within(20_000), workMs: 200 })).rejects.toMatchObject({
      reason: "deadline",
    });
    expect(performance.now() - began).toBeLessThan(1_500);
  });

  test("refuses a task that waited too long as unavailable, with a time to try again", async () => {
    const pool = openWatchedPool();
    await pool.idle();
    const busy = pool.run("wait", { milliseconds: 500 }, of("heavy"));
    const refused = pool.run("exit", null, { ...within(1_200), workMs: 1_000 });
    await expect(refused).rejects.toBeInstanceOf(ServiceUnavailable);
    await expect(refused).rejects.toMatchObject({ retryAfter: 5, message: expect.stringMatching(/busy; try again/) });
    await busy;
    expect(pool.pids()).toHaveLength(1);
  });

  test("lets a task that was lost with a used process run again, though its latest start is over", async () => {
    const pool = openWatchedPool();
    await pool.run("exitLater", null, of("any"));
    const limits = { ...within(15_000), workMs: 14_990 };
    expect(await pool.run("wait", { milliseconds: 100 }, limits)).toBeUndefined();
    expect(pool.events.map(({ kind }) => kind)).toEqual(["start", "exit", "start"]);
  });
});

describe("isShortTask", () => {
  test("weighs texts and bytes of the whole payload", () => {
    expect(isShortTask(SHORT, { a: [{ text: "x".repeat(900) }] }, 1)).toBe(true);
    expect(isShortTask(SHORT, { a: [{ text: "x".repeat(900) }], b: new Uint8Array(101) }, 1)).toBe(false);
    expect(
      isShortTask(
        SHORT,
        Array.from({ length: 1_000 }, () => 1),
        1,
      ),
    ).toBe(false);
  });

  test("takes pages from its caller, else from the payload's layout; unknown ones are many", () => {
    const layout = (pages: number) => ({ layout: writeLayout(layoutOf(pages)) });
    const large = { ...SHORT, maxPayloadBytes: 100_000 };
    expect(isShortTask(large, layout(3))).toBe(true);
    expect(isShortTask(large, layout(4))).toBe(false);
    expect(isShortTask(large, layout(4), 2)).toBe(true);
    expect(isShortTask(large, { layout: new TextEncoder().encode("no layout") })).toBe(false);
    expect(isShortTask(large, null)).toBe(false);
  });
});
