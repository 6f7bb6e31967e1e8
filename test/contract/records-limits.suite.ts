import { expect, test } from "vitest";
import { StoreLimitExceeded } from "../../functions/ports/errors.ts";
import type { RecordOperation, RecordValue } from "../../functions/ports/records.ts";
import type { RecordsContext } from "./records.suite.ts";

/** Part of the suite in records.suite.ts: every driver refuses what DynamoDB refuses. */
export function recordsLimitTests(context: RecordsContext): void {
  keyTests(context);
  sizeTests(context);
  valueTests(context);
}

const LONE_SURROGATE = "\ud83e";

function keyTests({ records, key }: RecordsContext): void {
  const { partition } = key();
  const refused = {
    "an empty partition": { partition: "", sort: "s" },
    "an empty sort": { partition, sort: "" },
    "a partition over 2,048 bytes": { partition: "p".repeat(2049), sort: "s" },
    "a partition over 2,048 bytes in fewer characters": { partition: "é".repeat(1025), sort: "s" },
    "a sort over 1,024 bytes": { partition, sort: "s".repeat(1025) },
    "a sort over 1,024 bytes in fewer characters": { partition, sort: "🧾".repeat(257) },
    "half a surrogate pair in the partition": { partition: `${partition}${LONE_SURROGATE}`, sort: "s" },
    "half a surrogate pair in the sort": { partition, sort: `s${LONE_SURROGATE}` },
  };
  for (const [what, one] of Object.entries(refused)) {
    test(`Records refuses ${what} in every call`, async () => {
      const { partition: whole } = key();
      const other = { partition: whole, sort: "other" };
      await expect(records().get(one)).rejects.toThrow(StoreLimitExceeded);
      await expect(records().put(one, { v: 1 })).rejects.toThrow(StoreLimitExceeded);
      await expect(records().delete(one)).rejects.toThrow(StoreLimitExceeded);
      await expect(records().add(one, { n: 1 })).rejects.toThrow(StoreLimitExceeded);
      const operations: RecordOperation[] = [
        { kind: "put", key: other, value: { v: 1 } },
        { kind: "check", key: one, condition: { ifAbsent: true } },
      ];
      await expect(records().transact(operations)).rejects.toThrow(StoreLimitExceeded);
      expect(await records().get(other)).toBeUndefined();
    });
  }

  test("Records accepts keys of exactly the maximum length", async () => {
    const one = { partition: partition + "p".repeat(2048 - partition.length), sort: "🧾".repeat(256) };
    expect(Buffer.byteLength(one.sort)).toBe(1024);
    expect(Buffer.byteLength(one.partition)).toBe(2048);
    await records().put(one, { v: 1 });
    expect(await records().get(one)).toMatchObject({ key: one });
    await records().delete(one);
  });
}

function sizeTests({ records, key }: RecordsContext): void {
  const wide = (bytes: number): RecordValue => ({ v: 1, text: "x".repeat(bytes) });

  test("Records.put refuses a record over 400 KB, and accepts one just under it", async () => {
    const one = key();
    await expect(records().put(one, wide(409_600))).rejects.toThrow(StoreLimitExceeded);
    await expect(records().put(one, { v: 1, text: "é".repeat(204_800) })).rejects.toThrow(StoreLimitExceeded);
    expect(await records().get(one)).toBeUndefined();
    await records().put(one, wide(409_000));
    expect((await records().get(one))?.value).toEqual(wide(409_000));
    await expect(records().add(one, { ["m".repeat(1000)]: 1 })).rejects.toThrow(StoreLimitExceeded);
    expect(await records().get(one)).toMatchObject({ version: 1 });
  });

  test("Records.transact refuses a transaction over 4 MB, and accepts one just under it", async () => {
    const { partition } = key();
    const operations = Array.from({ length: 11 }, (_, n): RecordOperation => {
      return { kind: "put", key: { partition, sort: `s${n}` }, value: wide(400_000) };
    });
    await expect(records().transact(operations)).rejects.toThrow(StoreLimitExceeded);
    expect((await records().query({ partition })).items).toEqual([]);
    await records().transact(operations.slice(1));
    expect((await records().query({ partition })).items).toHaveLength(10);
  });

  test("Records.transact refuses more than 100 operations", async () => {
    const { partition } = key();
    const operations = Array.from({ length: 101 }, (_, n): RecordOperation => {
      return { kind: "put", key: { partition, sort: `s${n}` }, value: { v: 1 } };
    });
    await expect(records().transact(operations)).rejects.toThrow(StoreLimitExceeded);
    expect((await records().query({ partition })).items).toEqual([]);
  });

  test("Records.transact refuses two operations on one record", async () => {
    const one = key();
    const put: RecordOperation = { kind: "put", key: one, value: { v: 1 } };
    const others: RecordOperation[] = [
      { ...put },
      { kind: "delete", key: { ...one } },
      { kind: "check", key: { ...one }, condition: { ifAbsent: true } },
      { kind: "add", key: { ...one }, amounts: { n: 1 } },
    ];
    for (const other of others) await expect(records().transact([put, other])).rejects.toThrow(StoreLimitExceeded);
    expect(await records().get(one)).toBeUndefined();
    // Neither part alone, nor both concatenated, decides.
    const near = { partition: `${one.partition}r`, sort: one.sort.slice(1) };
    await records().transact([put, { kind: "put", key: near, value: { v: 1 } }]);
  });
}

function valueTests({ records, key }: RecordsContext): void {
  const refused: Record<string, Record<string, unknown>> = {
    "no schema version": { n: 1 },
    "a schema version that is not whole": { v: 1.5 },
    "a schema version that is text": { v: "1" },
    "a number that is not finite": { v: 1, n: Number.NaN },
    "infinity deep inside": { v: 1, a: [{ b: Number.NEGATIVE_INFINITY }] },
    "undefined in a list": { v: 1, a: [undefined] },
    "a date": { v: 1, at: new Date(0) },
    "a map": { v: 1, a: new Map([["a", 1]]) },
    bytes: { v: 1, a: new Uint8Array(2) },
    "a big integer": { v: 1, n: 1n },
    "a function": { v: 1, f: () => 1 },
  };
  for (const [what, value] of Object.entries(refused)) {
    test(`Records.put refuses a value with ${what}`, async () => {
      const one = key();
      await expect(records().put(one, value as RecordValue)).rejects.toThrow(StoreLimitExceeded);
      await expect(records().transact([{ kind: "put", key: one, value: value as RecordValue }])).rejects.toThrow(
        StoreLimitExceeded,
      );
      expect(await records().get(one)).toBeUndefined();
    });
  }

  test("Records.add refuses amounts, floors and sums that are not finite numbers", async () => {
    const one = key();
    await records().put(one, { v: 1, text: "1", large: 1.7e308 });
    await expect(records().add(one, { n: Number.NaN })).rejects.toThrow(StoreLimitExceeded);
    await expect(records().add(one, { n: 1 }, { n: Number.POSITIVE_INFINITY })).rejects.toThrow(StoreLimitExceeded);
    await expect(records().add(one, { text: 1 })).rejects.toThrow(StoreLimitExceeded);
    await expect(records().add(one, { large: 1.7e308 })).rejects.toThrow(StoreLimitExceeded);
    await expect(records().add(one, { v: 1 })).rejects.toThrow(StoreLimitExceeded);
    expect(await records().get(one)).toMatchObject({ version: 1 });
  });

  test("Records.put refuses an expiry that is not a whole number of seconds", async () => {
    for (const expiresAt of [1.5, -1, Number.NaN]) {
      await expect(records().put(key(), { v: 1 }, { expiresAt })).rejects.toThrow(StoreLimitExceeded);
    }
  });

  test("Records.transact refuses a check without a condition as a defect", async () => {
    await expect(records().transact([{ kind: "check", key: key(), condition: {} }])).rejects.toThrow(TypeError);
  });
}
