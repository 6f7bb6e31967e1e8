import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LocalRecords, openRecords } from "../../../../functions/adapters/local/records.ts";
import { manualClock } from "../../../support/clock.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sheaf-erasure-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const CANARY = "canary-7f1c";
const file = (): string => join(directory, "records.db");
const open = (): LocalRecords => openRecords(file(), { clock: manualClock() });
const filesWith = (text: string): string[] =>
  readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(text));
const keyOf = (sort: string) => ({ partition: "p", sort });
const secret = (sort: string) =>
  ({ kind: "put", key: keyOf(sort), value: { v: 1, text: `${CANARY} ${sort}` }, erasable: true }) as const;
const erase = (sort: string) => ({ kind: "delete", key: keyOf(sort), erase: true }) as const;

/** Grows records around the erasable ones, so that rows move to other pages. */
async function moveRows(records: LocalRecords): Promise<void> {
  for (let size = 100; size <= 3000; size += 100) {
    for (const name of ["a", "m", "z"])
      await records.put(keyOf(`${name}${size % 700}`), { v: 1, text: "x".repeat(size) });
  }
}

describe("Records.transact erases erasable values", () => {
  test("from every file, also after rows moved", async () => {
    const records = open();
    await moveRows(records);
    await records.transact([secret("b"), secret("n")]);
    await moveRows(records);
    expect(filesWith(CANARY)).not.toEqual([]);
    expect((await records.get(keyOf("n")))?.value).toEqual({ v: 1, text: `${CANARY} n` });
    await records.transact([erase("b"), erase("n")]);
    expect(filesWith(CANARY)).toEqual([]);
    expect(await records.get(keyOf("n"))).toBeUndefined();
    records.close();
  });

  test("once a reader in another process has ended, without waiting for it", async () => {
    const records = open();
    await records.transact([secret("b")]);
    const reader = new DatabaseSync(file());
    reader.exec("BEGIN; SELECT count(*) FROM records");
    const started = performance.now();
    await records.transact([erase("b")]);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(filesWith(CANARY)).not.toEqual([]);
    reader.exec("COMMIT");
    await records.put(keyOf("c"), { v: 1 });
    expect(filesWith(CANARY)).toEqual([]);
    reader.close();
    records.close();
  });

  test("at the first write after a stop that came before the log was emptied", async () => {
    const records = open();
    await records.transact([secret("b")]);
    const reader = new DatabaseSync(file());
    reader.exec("BEGIN; SELECT count(*) FROM records");
    await records.transact([erase("b")]);
    const next = open();
    reader.exec("COMMIT");
    expect(filesWith(CANARY)).not.toEqual([]);
    await next.put(keyOf("c"), { v: 1 });
    expect(filesWith(CANARY)).toEqual([]);
    for (const one of [reader, records, next]) one.close();
  });
});
