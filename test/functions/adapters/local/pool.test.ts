import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openCodeBundle } from "../../../../functions/adapters/local/code-bundle/code-bundle.ts";
import { WorkerKilled } from "../../../../functions/adapters/local/pool/worker-killed.ts";
import { JOB_SENTENCES, JobFailure, UnsupportedMediaType } from "../../../../functions/ports/errors.ts";
import { isRunning } from "../../../support/processes.ts";
import {
  HOSTILE_WORKER,
  MEMORY_LIMIT_BYTES,
  openPool,
  openWatchedPool,
  type WatchedPool,
  within,
} from "../../../support/watched-pool.ts";

describe("hostile tasks beside a good one", () => {
  let pool: WatchedPool;
  beforeAll(async () => {
    pool = openPool({ size: 2 });
    await pool.idle();
  });
  afterAll(async () => {
    await pool.close();
    expect(pool.pids().length).toBeGreaterThan(10);
    expect(pool.pids().filter(isRunning)).toEqual([]);
  });

  test.each([
    ["buffers", "memory"],
    ["webAssembly", "memory"],
    ["heap", "memory"],
    ["refusedAllocation", "memory"],
    ["spin", "deadline"],
    ["exit", "crashed"],
    ["abort", "crashed"],
    ["segfault", "crashed"],
    ["hangUp", "crashed"],
    ["garbage", "crashed"],
    ["garbageText", "crashed"],
    ["garbageError", "crashed"],
  ])("%s is ended for %s", async (task, reason) => {
    const before = pool.events.length;
    const neighbour = pool.run("wait", { milliseconds: 300 }, within(20_000));
    const began = performance.now();
    const limits = within(reason === "deadline" ? 400 : 20_000);
    const error = await pool.run(task, { id: 1 }, limits).catch((thrown: unknown) => thrown);
    const took = performance.now() - began;

    expect(error).toBeInstanceOf(WorkerKilled);
    expect(error).toMatchObject({ reason });
    if (reason === "deadline") {
      expect(took).toBeGreaterThan(390);
      expect(took).toBeLessThan(2_500);
    }
    expect(await neighbour).toBeUndefined();
    expect(await pool.run("echo", "still here", within(20_000))).toBe("still here");

    await pool.idle();
    const ends = pool.events.slice(before).filter(({ kind }) => kind === "killed" || kind === "exit");
    expect(ends.map((end) => end.reason)).toContain(reason);
    for (const { peakBytes = 0 } of ends) expect(peakBytes).toBeLessThan(MEMORY_LIMIT_BYTES * 1.4);
  });

  test("bytes and objects go through unchanged, both ways", async () => {
    const bytes = Buffer.alloc(3_000_000, "sheaf");
    const answer = await pool.run("echo", { bytes, nested: [1, "é", null, { deep: true }] }, within(20_000));
    expect(answer).toEqual({ bytes, nested: [1, "é", null, { deep: true }] });
  });

  test("one part of a larger buffer travels alone", async () => {
    const whole = Buffer.from("keep this to yourself: public");
    const answer = await pool.run("echo", whole.subarray(23), within(20_000));
    expect(Buffer.from(answer as Uint8Array).toString()).toBe("public");
  });
});

describe("errors of a task", () => {
  test("an AppError arrives as itself", async () => {
    const pool = openWatchedPool();
    const password = pool.run("throwJobFailure", null, within(20_000));
    await expect(password).rejects.toBeInstanceOf(JobFailure);
    await expect(password).rejects.toMatchObject({
      message: JOB_SENTENCES.password,
      retryable: true,
      kind: "UnprocessableEntity",
    });
    const unsupported = pool.run("throwUnsupported", null, within(20_000));
    await expect(unsupported).rejects.toBeInstanceOf(UnsupportedMediaType);
    await expect(unsupported).rejects.toMatchObject({ message: "Nobody reads this", kind: "UnsupportedMediaType" });
  });

  test("any other error says that the document is corrupted, and its cause keeps the place but no text", async () => {
    const pool = openWatchedPool();
    const error = await pool.run("throw", null, within(20_000)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(JobFailure);
    const { message, cause } = error as JobFailure;
    expect(message).toBe(JOB_SENTENCES.corrupted);
    expect(cause).toBeInstanceOf(Error);
    expect((cause as Error).message).toContain("SyntaxError");
    expect((cause as Error).stack).toContain("hostile-worker.ts:");
    expect(`${(cause as Error).message}${(cause as Error).stack}`).not.toContain("SECRET");
    for (const task of ["throwNothing", "notCloneable", "no such task"]) {
      await expect(pool.run(task, null, within(20_000))).rejects.toMatchObject({ message: JOB_SENTENCES.corrupted });
    }
    expect(pool.events.map(({ kind }) => kind)).toEqual(["start"]);
  });

  test("a payload that cannot be copied is the caller's error, and the process goes on", async () => {
    const pool = openWatchedPool();
    await pool.idle();
    await expect(pool.run("echo", () => 1, within(20_000))).rejects.toThrow("could not be cloned");
    expect(await pool.run("echo", 1, within(20_000))).toBe(1);
    expect(pool.pids()).toHaveLength(1);
  });
});

/** The hostile tasks as one file, outside of the project. */
const cache = mkdtempSync(join(tmpdir(), "sheaf-hostile-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));
const bundledHostile = async (): Promise<URL | undefined> => {
  const root = resolve(import.meta.dirname, "../../../..");
  const entries = { hostile: "test/support/hostile-process.ts" };
  const scripts = ["hostile"];
  const opened = await openCodeBundle({ root, entries, scripts, sources: [], external: [], unused: {}, cache });
  return opened.bundle?.fileOf("hostile");
};

describe.each([
  ["from its sources", false],
  ["from its bundle", true],
])("what a process %s can see", (_name, isBundled) => {
  let code: { bundled?: URL } = {};
  beforeAll(async () => {
    const bundled = isBundled ? await bundledHostile() : undefined;
    expect(bundled !== undefined).toBe(isBundled);
    code = bundled === undefined ? {} : { bundled };
  });

  test("none of the service's environment", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-secret");
    vi.stubEnv("NODE_OPTIONS", "--no-deprecation");
    const pool = openWatchedPool(code);
    const environment = (await pool.run("environment", null, within(20_000))) as Record<string, string>;
    vi.unstubAllEnvs();
    const allocator = ["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];
    const allowed = ["TZ", "LANG", "SystemRoot", "windir", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", ...allocator];
    expect(Object.keys(environment).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  test("no files but the code, none to write, no programs to start", async () => {
    const pool = openWatchedPool(code);
    const here = fileURLToPath(import.meta.url);
    for (const path of [here, "/etc/hosts"]) {
      expect(await pool.run("readFile", { path }, within(20_000))).toBe("ERR_ACCESS_DENIED");
    }
    const beside = join(cache, "..", "sheaf-beside.txt");
    expect(await pool.run("readFile", { path: beside }, within(20_000))).toBe("ERR_ACCESS_DENIED");
    expect(await pool.run("readFile", { path: fileURLToPath(HOSTILE_WORKER) }, within(20_000))).toBe("done");
    expect(await pool.run("writeFile", { path: fileURLToPath(HOSTILE_WORKER) }, within(20_000))).toBe(
      "ERR_ACCESS_DENIED",
    );
    const compiled = code.bundled && fileURLToPath(code.bundled).replace(/mjs$/, "compiled");
    if (compiled !== undefined) {
      expect(await pool.run("readFile", { path: compiled }, within(20_000))).toBe("done");
      expect(await pool.run("writeFile", { path: compiled }, within(20_000))).toBe("ERR_ACCESS_DENIED");
    }
    expect(await pool.run("startProgram", null, within(20_000))).toBe("ERR_ACCESS_DENIED");
  });
});
