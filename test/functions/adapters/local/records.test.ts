import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { successorOf } from "../../../../functions/adapters/local/records-query.ts";
import { MAX_ITEM_BYTES } from "../../../../functions/adapters/records-limits.ts";
import { ServiceUnavailable, StoreLimitExceeded } from "../../../../functions/ports/errors.ts";
import { manualClock } from "../../../support/clock.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sheaf-records-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const key = { partition: "p", sort: "s" };
const HOUR = 3_600_000;

describe("openRecords on a file", () => {
  test("makes the file, its log and its directory readable by their owner only", {
    skip: process.platform === "win32",
  }, async () => {
    const file = join(directory, "new", "records.db");
    const records = openRecords(file, { clock: manualClock() });
    await records.put(key, { v: 1 });
    for (const path of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "new")).mode & 0o777).toBe(0o700);
    records.close();
    expect(existsSync(`${file}-wal`), "closing moves the log into the file").toBe(false);
  });

  test("refuses a file of a newer release or another format, and leaves it unchanged", () => {
    const newer = join(directory, "newer.db");
    const database = new DatabaseSync(newer);
    database.exec("CREATE TABLE other (n); PRAGMA user_version = 99");
    database.close();
    expect(() => openRecords(newer, { clock: manualClock() })).toThrow(/written by a newer release \(schema 99\)/);
    const text = join(directory, "text.db");
    writeFileSync(text, "no database".repeat(1000));
    expect(() => openRecords(text, { clock: manualClock() })).toThrow(/not a database/);
  });

  test("closes repeatably, and nothing works afterwards", async () => {
    const records = openRecords(":memory:", { clock: manualClock() });
    records.close();
    records.close();
    await expect(records.get(key)).rejects.toThrow();
    await expect(records.put(key, { v: 1 })).rejects.toThrow();
  });

  test("shares its file with another instance; a held lock is 503 after the wait, and nothing is half done", async () => {
    const file = join(directory, "records.db");
    const [one, other] = [1, 2].map(() => openRecords(file, { clock: manualClock(), busyTimeout: 20 }));
    await one?.put(key, { v: 1, n: 1 });
    expect(await other?.add(key, { n: 1 })).toEqual({ v: 1, n: 2 });
    const holder = new DatabaseSync(file);
    holder.exec("BEGIN IMMEDIATE");
    await expect(one?.put(key, { v: 1, n: 9 })).rejects.toThrow(ServiceUnavailable);
    expect(await one?.get(key), "readers go on").toMatchObject({ version: 2, value: { n: 2 } });
    holder.exec("ROLLBACK");
    holder.close();
    expect(await one?.put(key, { v: 1, n: 3 })).toEqual({ version: 3 });
    one?.close();
    other?.close();
  });

  test("undoes a whole transaction when the database fails in its middle", async () => {
    const file = join(directory, "records.db");
    const records = openRecords(file, { clock: manualClock() });
    const database = new DatabaseSync(file);
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.sort = 'no room'
      BEGIN SELECT RAISE(ABORT, 'as if the disk were full'); END`);
    const put = (sort: string) => ({ kind: "put" as const, key: { partition: "p", sort }, value: { v: 1 } });
    await expect(records.transact([put("a"), put("no room"), put("b")])).rejects.toThrow("as if the disk were full");
    expect((await records.query({ partition: "p" })).items).toEqual([]);
    await records.transact([put("a"), put("b")]);
    expect((await records.query({ partition: "p" })).items).toHaveLength(2);
    database.close();
    records.close();
  });
});

describe("openRecords in memory", () => {
  const open = () => {
    const clock = manualClock();
    return { clock, records: openRecords(":memory:", { clock }) };
  };

  test("counts an item as its key, its JSON and 100 bytes: accepts 400 KB and refuses one byte more", async () => {
    const { records } = open();
    const room = MAX_ITEM_BYTES - "p".length - "s".length - JSON.stringify({ v: 1, text: "" }).length;
    await records.put(key, { v: 1, text: "x".repeat(room) });
    await expect(records.put(key, { v: 1, text: "x".repeat(room + 1) })).rejects.toThrow(StoreLimitExceeded);
    await expect(records.put({ ...key, sort: "ss" }, { v: 1, text: "x".repeat(room) })).rejects.toThrow(
      StoreLimitExceeded,
    );
    await expect(records.put(key, { v: 1, text: `é${"x".repeat(room - 1)}` })).rejects.toThrow(StoreLimitExceeded);
  });

  test("sweeps expired records oldest first, up to a limit, and no others", async () => {
    const { records, clock } = open();
    const now = Math.floor(clock.now() / 1000);
    for (let n = 0; n < 10; n++) await records.put({ ...key, sort: `e${n}` }, { v: 1 }, { expiresAt: now + 10 - n });
    await records.put({ ...key, sort: "stays" }, { v: 1 });
    await records.put({ ...key, sort: "later" }, { v: 1 }, { expiresAt: now + 100 });
    expect(records.sweepExpired()).toBe(0);
    clock.advance(10_000);
    expect(records.sweepExpired(3)).toBe(3);
    clock.advance(-10_000);
    const left = (await records.query({ partition: "p", prefix: "e" })).items.map((item) => item.key.sort);
    expect(left, "those that expired last are left").toEqual(["e0", "e1", "e2", "e3", "e4", "e5", "e6"]);
    clock.advance(10_000);
    expect(records.sweepExpired()).toBe(7);
    expect(records.sweepExpired()).toBe(0);
    expect((await records.query({ partition: "p" })).items).toHaveLength(2);
  });

  test("keeps a token for 24 hours, then sweeps its record", async () => {
    const { records, clock } = open();
    const once = () => records.transact([{ kind: "add", key, amounts: { n: 1 } }], { token: "t" });
    await once();
    clock.advance(24 * HOUR - 1000);
    await once();
    expect(await records.get(key)).toMatchObject({ value: { n: 1 } });
    expect(await records.get({ partition: "sys/tokens", sort: "t" })).toMatchObject({ version: 1 });
    clock.advance(1000);
    expect(records.sweepExpired()).toBe(1);
    await once();
    expect(await records.get(key)).toMatchObject({ value: { n: 2 } });
  });

  test("refuses a write to a token's own record beside it", async () => {
    const { records } = open();
    const token = { partition: "sys/tokens", sort: "t" };
    await expect(records.transact([{ kind: "delete", key: token }], { token: "t" })).rejects.toThrow(
      StoreLimitExceeded,
    );
  });

  test("keeps members named like JavaScript's own", async () => {
    const { records } = open();
    const amounts = JSON.parse('{"__proto__": 2, "constructor": 3, "toString": 4}');
    expect(Object.entries(await records.add(key, amounts))).toEqual([["v", 1], ...Object.entries(amounts)]);
    expect((await records.add(key, amounts)).toString).toBe(8);
    expect(Object.getOwnPropertyDescriptor((await records.get(key))?.value, "__proto__")?.value).toBe(4);
  });

  test("keeps half a surrogate pair in a value", async () => {
    const { records } = open();
    await records.put(key, { v: 1, text: "a\ud83e" });
    expect((await records.get(key))?.value.text).toBe("a\ud83e");
  });

  test("stays usable after a failed operation", async () => {
    const { records } = open();
    const circular: { v: number; self?: unknown } = { v: 1 };
    circular.self = circular;
    await expect(records.put(key, circular)).rejects.toThrow();
    await records.put(key, { v: 1, text: "x" });
    await expect(records.add(key, { text: 1 })).rejects.toThrow(StoreLimitExceeded);
    expect(await records.put(key, { v: 1 })).toEqual({ version: 2 });
  });
});

test.each([
  ["a", "b"],
  ["a/", "a0"],
  ["a\u{10ffff}", "b"],
  ["\u{10ffff}", undefined],
  ["", undefined],
  ["\ud7ff", "\ue000"],
  ["\uffff", "\u{10000}"],
  ["\u{1f9fe}", "\u{1f9ff}"],
])("successorOf finds the smallest text after all with the prefix %j: %j", (prefix, successor) => {
  expect(successorOf(prefix)).toBe(successor);
});
