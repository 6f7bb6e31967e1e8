import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { openMemoryProbe, openPs } from "../../../../functions/adapters/local/pool/resident-memory.ts";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { isRunning, untilGone } from "../../../support/processes.ts";
import { MEMORY_LIMIT_BYTES, openPool, openWatchedPool, within } from "../../../support/watched-pool.ts";

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("waiting", () => {
  test("is first come, first served, and a task past its deadline is never run", async () => {
    const pool = openWatchedPool();
    const order: string[] = [];
    const note = (name: string) => (): void => {
      order.push(name);
    };
    const first = pool.run("wait", { milliseconds: 500 }, within(20_000)).then(note("first"));
    const expired = pool.run("exit", null, within(300)).catch((error: unknown) => {
      order.push("expired");
      return error;
    });
    const second = pool.run("echo", 2, within(20_000)).then(note("second"));
    const third = pool.run("echo", 3, within(20_000)).then(note("third"));
    expect(await expired).toMatchObject({ name: "WorkerKilled", reason: "deadline" });
    await Promise.all([first, second, third]);
    expect(order).toEqual(["expired", "first", "second", "third"]);
    await expect(pool.run("exit", null, within(-1))).rejects.toMatchObject({ reason: "deadline" });
    expect(pool.pids()).toHaveLength(1);
  });

  test("deadlines compare to the clock that the pool was given", async () => {
    const pool = openWatchedPool({ now: () => 1_000 });
    await pool.idle();
    const began = performance.now();
    await expect(pool.run("spin", null, { deadline: 1_200 })).rejects.toMatchObject({ reason: "deadline" });
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe("a process is replaced", () => {
  test("after its share of tasks", async () => {
    const pool = openWatchedPool({ recycleAfter: 2 });
    const pids: unknown[] = [];
    for (let index = 0; index < 4; index += 1) {
      pids.push(await pool.run("pid", null, within(20_000)));
      await pool.idle();
    }
    expect(pids[0]).toBe(pids[1]);
    expect(pids[1]).not.toBe(pids[2]);
    expect(pids[2]).toBe(pids[3]);
    expect(pool.events.filter(({ kind }) => kind === "recycled").length).toBeGreaterThanOrEqual(1);
  });

  test("and serves until its successor is ready", async () => {
    const pool = openWatchedPool({ recycleAfter: 1 });
    const pids = [await pool.run("pid", null, within(20_000)), await pool.run("pid", null, within(20_000))];
    expect(pids[0]).toBe(pids[1]);
    await pool.idle();
    expect(await pool.run("pid", null, within(20_000))).not.toBe(pids[0]);
    expect(pool.events.slice(0, 3).map(({ kind }) => kind)).toEqual(["start", "start", "recycled"]);
  });

  test("when it keeps much memory after its task", async () => {
    const pool = openWatchedPool();
    await pool.run("hoard", { megabytes: 130 }, within(20_000));
    await pool.run("echo", 1, within(20_000));
    expect(pool.events.map(({ kind }) => kind)).toEqual(["start", "recycled", "start"]);
  });

  test("when it keeps some memory, and serves until its successor is ready", async () => {
    const pool = openWatchedPool();
    await pool.run("hoard", { megabytes: 40 }, within(20_000));
    const pids = [await pool.run("pid", null, within(20_000))];
    await pool.idle();
    pids.push(await pool.run("pid", null, within(20_000)));
    expect(pids[0]).not.toBe(pids[1]);
    expect(pool.events.map(({ kind }) => kind)).toEqual(["start", "start", "recycled"]);
  });

  test("and what an earlier task left behind does not decide about a later one", async () => {
    const pool = openWatchedPool();
    await pool.run("exitLater", null, within(20_000));
    expect(await pool.run("wait", { milliseconds: 100 }, within(20_000))).toBeUndefined();
    expect(pool.events.map(({ kind }) => kind)).toEqual(["start", "exit", "start"]);
  });

  test("when it answers twice", async () => {
    const pool = openWatchedPool();
    expect(await pool.run("answerTwice", { id: 1 }, within(20_000))).toBe("first");
    expect(await pool.run("echo", 1, within(20_000))).toBe(1);
    expect(pool.events.map(({ kind }) => kind)).toEqual(["start", "killed", "start"]);
  });

  test("a task may have a lower limit of its own", async () => {
    const pool = openWatchedPool();
    const limits = { ...within(20_000), memoryLimitBytes: 150_000_000 };
    await expect(pool.run("buffers", null, limits)).rejects.toMatchObject({ reason: "memory" });
    await pool.idle();
    expect(pool.events.find(({ kind }) => kind === "killed")?.peakBytes ?? MEMORY_LIMIT_BYTES).toBeLessThan(
      MEMORY_LIMIT_BYTES,
    );
  });
});

test("a process whose bundle was removed runs from its sources", async () => {
  const pool = openWatchedPool({ bundled: new URL("removed-bundle.mjs", import.meta.url) });
  expect(await pool.ready()).toBe(true);
  expect(await pool.run("echo", 1, within(20_000))).toBe(1);
});

describe("a process that does not start", () => {
  test.each([
    ["throw-at-start.ts", 10_000, "start: "],
    ["hang-at-start.ts", 300, "start"],
  ])("%s gives one clear error", async (file, startTimeoutMs, reason) => {
    const pool = openWatchedPool({ module: new URL(`../../../support/${file}`, import.meta.url), startTimeoutMs });
    const error = await pool.run("echo", 1, within(20_000)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect((error as Error).message).toBe("Documents cannot be processed now: the document process does not start");
    await expect(pool.run("echo", 1, within(20_000))).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(await pool.ready()).toBe(false);
    expect(pool.fault()).toBe((error as Error).message);
    expect(pool.events.length).toBeLessThan(8);
    for (const event of pool.events) expect(event.reason).toContain(reason);
    if (file.startsWith("throw")) expect(pool.events[0]?.reason).toContain("no such engine");
  });
});

describe("the end", () => {
  test("a service that is itself busy need not look: the process ends itself past the hard limit", async () => {
    const pool = openWatchedPool();
    await pool.idle();
    const eating = pool.run("buffers", null, within(20_000)).catch((error: unknown) => error);
    await sleep(20); // the task has left
    const began = performance.now();
    const pids = pool.pids();
    while (pids.some(isRunning) && performance.now() - began < 5_000)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(await eating).toMatchObject({ name: "WorkerKilled", reason: "memory" });
    await pool.idle();
    expect(pool.events[1]).toMatchObject({ kind: "exit", reason: "memory" });
  });

  test.skipIf(process.platform === "win32")(
    "is the service's to decide: a signal to the whole group ends no task",
    async () => {
      const pool = openWatchedPool();
      await pool.idle();
      const running = pool.run("wait", { milliseconds: 200 }, within(20_000));
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
        for (const pid of pool.pids()) process.kill(pid, signal);
      expect(await running).toBeUndefined();
      expect(pool.events.map(({ kind }) => kind)).toEqual(["start"]);
    },
  );

  test("close ends what runs and rejects what waits", async () => {
    const pool = openWatchedPool();
    await pool.idle();
    const running = pool.run("spin", null, within(20_000)).catch((error: unknown) => error);
    const waiting = pool.run("echo", 1, within(20_000)).catch((error: unknown) => error);
    await sleep(100);
    await Promise.all([pool.close(), pool.close()]);
    expect(pool.pids().filter(isRunning)).toEqual([]);
    expect(await running).toBeInstanceOf(ServiceUnavailable);
    expect(await waiting).toBeInstanceOf(ServiceUnavailable);
    await expect(pool.run("echo", 1, within(20_000))).rejects.toBeInstanceOf(ServiceUnavailable);
    await pool.idle();
  });

  test("close while the processes start leaves none", async () => {
    const pool = openWatchedPool({ size: 2 });
    await pool.ready();
    await pool.close();
    expect(pool.pids()).toHaveLength(2);
  });

  const startParent = async (): Promise<{ parent: ChildProcess; pids: number[] }> => {
    const script = fileURLToPath(new URL("../../../support/orphaning-parent.ts", import.meta.url));
    const parent = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    return { parent, pids: JSON.parse(line.toString()) as number[] };
  };

  test.each(["SIGKILL", "SIGTERM"] as const)(
    "a service ended by %s leaves no process, not even a spinning one",
    async (signal) => {
      const { parent, pids } = await startParent();
      expect(pids).toHaveLength(2);
      expect(pids.every(isRunning)).toBe(true);
      await sleep(100);
      parent.kill(signal);
      await once(parent, "exit");
      await untilGone(pids, 3_000);
    },
  );
});

describe("resident memory seen from outside", () => {
  test("agrees with what a process knows about itself, by either way", async () => {
    const block = Buffer.alloc(50_000_000, 1);
    const probe = openMemoryProbe(process.pid);
    const viaPs = openPs(process.pid);
    viaPs.sample();
    await vi.waitFor(() => expect(viaPs.sample()).toBeDefined(), 5_000);
    const own = process.memoryUsage.rss();
    for (const bytes of [probe.sample(), viaPs.sample()]) expect(Math.abs((bytes ?? 0) / own - 1)).toBeLessThan(0.2);
    probe.close();
    viaPs.close();
    expect(probe.sample()).toBeUndefined();
    expect(block.length).toBe(50_000_000);
  });

  test("of a process that is gone is unknown", async () => {
    const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    const probe = openMemoryProbe(child.pid ?? 0);
    await once(child, "exit");
    expect(probe.sample()).toBeUndefined();
    expect(openMemoryProbe(child.pid ?? 0).sample()).toBeUndefined();
    probe.close();
  });
});

test("nonsense options are refused", () => {
  for (const wrong of [{ size: 0 }, { memoryLimitBytes: 1.5 }, { recycleAfter: -1 }]) {
    expect(() => openPool(wrong)).toThrow(RangeError);
  }
});

describe("a process that is killed from outside", () => {
  test("costs no task: the task runs again, as often as that happens", async () => {
    const pool = openWatchedPool();
    await pool.run("echo", "the process has served before", within(20_000));
    const task = pool.run("wait", { milliseconds: 400 }, within(20_000));
    for (let kills = 0; kills < 3; kills += 1) {
      const started = pool.events.filter(({ kind }) => kind === "start").length;
      process.kill(pool.pids().at(-1) ?? 0, "SIGKILL");
      await vi.waitFor(
        () => expect(pool.events.filter(({ kind }) => kind === "start").length).toBe(started + 1),
        10_000,
      );
    }
    expect(await task).toBeUndefined();
    expect(pool.events.filter(({ reason }) => reason === "outside")).toHaveLength(3);
  });

  test("fails its task at the deadline, not later", async () => {
    const pool = openWatchedPool();
    await pool.idle();
    const task = pool.run("wait", { milliseconds: 60_000 }, within(1_500)).catch((error: unknown) => error);
    process.kill(pool.pids().at(-1) ?? 0, "SIGKILL");
    expect(await task).toMatchObject({ name: "WorkerKilled", reason: "deadline" });
  });

  test("is told from one that its own watchdog killed for its memory", async () => {
    const pool = openWatchedPool();
    await pool.idle();
    const task = pool.run("buffers", null, within(20_000)).catch((error: unknown) => error);
    // The service takes no sample meanwhile.
    const busyUntil = performance.now() + 1_500;
    await new Promise((resolve) => setTimeout(resolve, 5));
    while (performance.now() < busyUntil);
    expect(await task).toMatchObject({ name: "WorkerKilled", reason: "memory" });
  });
});
