/** Commits reach the disk before they are acknowledged, and the service's thread does not wait for it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { openCommitLog } from "../../../../functions/adapters/local/records-log.ts";

/** Calls of fdatasync, and the fault of the next one. */
const disk = vi.hoisted(() => ({ syncs: 0, fault: undefined as Error | undefined }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const fdatasync = (descriptor: number, done: (error: Error | null) => void): void => {
    const { fault } = disk;
    disk.syncs += 1;
    disk.fault = undefined;
    if (fault === undefined) fs.fdatasync(descriptor, done);
    else setImmediate(() => done(fault));
  };
  return { ...fs, default: fs, fdatasync };
});
afterEach(() => {
  disk.syncs = 0;
});

const folder = mkdtempSync(join(tmpdir(), "sheaf-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

const key = (sort: string) => ({ partition: "p", sort });

describe("openCommitLog", () => {
  it("is durable without a file in memory", async () => {
    await expect(openCommitLog(":memory:").durable()).resolves.toBeUndefined();
  });

  it("names the fault when there is no place for the log", () => {
    expect(() => openCommitLog(join(folder, "absent", "records.sqlite"))).toThrow(
      expect.objectContaining({ code: "ENOENT" }),
    );
  });

  it("resolves all waiting commits, also those that come during a sync or are cut off by the end", async () => {
    const log = openCommitLog(join(folder, "some.sqlite"));
    log.committed();
    const early = [log.durable(), log.durable()];
    log.committed();
    await Promise.all([...early, log.durable()]);
    await expect(log.durable()).resolves.toBeUndefined();
    log.committed();
    const late = [log.durable(), log.durable()];
    log.close();
    await expect(Promise.all(late)).resolves.toHaveLength(2);
    expect(() => log.close()).not.toThrow();
  });
});

describe("Records in a file", () => {
  it("keep every acknowledged write of many at once for another process", async () => {
    const file = join(folder, "records.sqlite");
    const records = openRecords(file, { clock: systemClock() });
    await Promise.all(Array.from({ length: 50 }, (_, at) => records.put(key(`s${at}`), { v: 1, at })));
    const count = `const { DatabaseSync } = require("node:sqlite");
      process.stdout.write(String(new DatabaseSync(${JSON.stringify(file)}).prepare("SELECT count(*) AS n FROM records").get().n));`;
    expect(execFileSync(process.execPath, ["--no-warnings", "-e", count]).toString()).toBe("50");
    records.close();
  });

  it("refuse a failed condition at once, and change nothing", async () => {
    const records = openRecords(join(folder, "other.sqlite"), { clock: systemClock() });
    await records.put(key("a"), { v: 1, at: 1 });
    await expect(records.put(key("a"), { v: 1, at: 2 }, { condition: { ifAbsent: true } })).rejects.toThrow(
      "changed by others",
    );
    expect((await records.get(key("a")))?.value).toEqual({ v: 1, at: 1 });
    records.close();
  });
});

describe("Records that acknowledge what is committed", () => {
  const open = (name: string) =>
    openRecords(join(folder, name), { clock: systemClock(), acknowledge: "committed" as const });

  it("wait for the disk once for many writes, when they are asked, and not again", async () => {
    const records = open("committed.sqlite");
    for (let at = 0; at < 20; at += 1) await records.put(key(`s${at}`), { v: 1, at });
    expect(disk.syncs).toBe(0);
    await Promise.all([records.settled(), records.settled(), records.settled()]);
    expect(disk.syncs).toBe(1);
    await records.settled();
    expect(disk.syncs).toBe(1);
    records.close();
  });

  it("reach the disk in time when nobody asks", async () => {
    const records = open("unasked.sqlite");
    await records.put(key("a"), { v: 1, at: 1 });
    await vi.waitFor(() => expect(disk.syncs).toBe(1), { timeout: 5_000 });
    records.close();
  });

  it("tell a fault of the disk to the next who asks, also one that nobody waited for", async () => {
    const records = open("fault.sqlite");
    disk.fault = Object.assign(new Error("i/o error"), { code: "EIO" });
    await records.put(key("a"), { v: 1, at: 1 });
    await vi.waitFor(() => expect(disk.syncs).toBe(1), { timeout: 5_000 });
    await expect(records.settled()).rejects.toMatchObject({ name: "MachineError", code: "EIO" });
    disk.fault = Object.assign(new Error("no space"), { code: "ENOSPC" });
    await records.put(key("b"), { v: 1, at: 2 });
    await expect(records.settled()).rejects.toMatchObject({ code: "ENOSPC" });
    await records.put(key("c"), { v: 1, at: 3 });
    await expect(records.settled()).resolves.toBeUndefined();
    records.close();
  });
});
