/** Commits reach the disk before they are acknowledged, and the service's thread does not wait for it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
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
    const early = [log.durable(), log.durable()];
    await Promise.all(early);
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
