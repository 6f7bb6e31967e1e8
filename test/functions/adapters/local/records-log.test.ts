/** Commits reach the disk before they are acknowledged, and the service's thread does not wait for it. */
import { execFileSync } from "node:child_process";
import { fdatasync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { openCommitLog } from "../../../../functions/adapters/local/records-log.ts";

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

describe("A log whose commits wait for nobody", () => {
  /** A log on a disk that counts its syncs, and refuses the next one with a fault. */
  function counted(name: string) {
    const disk = { syncs: 0, fault: undefined as Error | undefined };
    const log = openCommitLog(join(folder, name), (descriptor, done) => {
      const { fault } = disk;
      disk.syncs += 1;
      disk.fault = undefined;
      if (fault === undefined) fdatasync(descriptor, done);
      else setImmediate(() => done(fault));
    });
    return { disk, log };
  }

  it("syncs many commits once, when it is asked, and not again", async () => {
    const { disk, log } = counted("asked");
    for (let commit = 0; commit < 20; commit += 1) log.committed();
    expect(disk.syncs).toBe(0);
    await Promise.all([log.durable(), log.durable(), log.durable()]);
    await log.durable();
    expect(disk.syncs).toBe(1);
    log.close();
  });

  it("syncs them in time when nobody asks", async () => {
    const { disk, log } = counted("unasked");
    log.committed();
    await vi.waitFor(() => expect(disk.syncs).toBe(1), { timeout: 5_000 });
    log.close();
  });

  it("tells a fault of the disk to the next who asks, also one that nobody waited for", async () => {
    const { disk, log } = counted("fault");
    disk.fault = Object.assign(new Error("i/o error"), { code: "EIO" });
    log.committed();
    await vi.waitFor(() => expect(disk.syncs).toBe(1), { timeout: 5_000 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(log.durable()).rejects.toMatchObject({ name: "MachineError", code: "EIO" });
    disk.fault = Object.assign(new Error("no space"), { code: "ENOSPC" });
    log.committed();
    await expect(log.durable()).rejects.toMatchObject({ code: "ENOSPC" });
    log.committed();
    await expect(log.durable()).resolves.toBeUndefined();
    log.close();
  });
});

it("Records that acknowledge what is committed are on the disk when they are settled", async () => {
  const file = join(folder, "committed.sqlite");
  const records = openRecords(file, { clock: systemClock(), acknowledge: "committed" });
  await records.put(key("a"), { v: 1, at: 1 });
  expect((await records.get(key("a")))?.value).toEqual({ v: 1, at: 1 });
  await expect(records.settled()).resolves.toBeUndefined();
  records.close();
});
