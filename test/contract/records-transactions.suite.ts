import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { StoreLimitExceeded } from "../../functions/ports/errors.ts";
import type { RecordOperation } from "../../functions/ports/records.ts";
import { failedOf, type RecordsContext } from "./records.suite.ts";

/** Part of the suite in records.suite.ts: all or nothing, and once per token. */
export function recordsTransactionTests(context: RecordsContext): void {
  wholenessTests(context);
  manyTests(context);
  tokenTests(context);
}

function wholenessTests({ records, key }: RecordsContext): void {
  test("Records.transact does every kind of operation, over several partitions, at once", async () => {
    const [made, changed, gone, seen, counted] = [key(), key(), key(), key(), key()];
    for (const one of [changed, gone, seen]) await records().put(one, { v: 1, at: "before" });
    await records().transact([
      { kind: "put", key: made, value: { v: 1, at: "after" }, condition: { ifAbsent: true } },
      { kind: "put", key: changed, value: { v: 1, at: "after" }, condition: { ifVersion: 1 } },
      { kind: "delete", key: gone, condition: { ifPresent: true } },
      { kind: "check", key: seen, condition: { ifVersion: 1 } },
      { kind: "add", key: counted, amounts: { n: 3 }, floor: { n: 3 } },
    ]);
    expect(await records().get(made)).toMatchObject({ version: 1, value: { at: "after" } });
    expect(await records().get(changed)).toMatchObject({ version: 2, value: { at: "after" } });
    expect(await records().get(gone)).toBeUndefined();
    expect(await records().get(seen)).toMatchObject({ version: 1, value: { at: "before" } });
    expect(await records().get(counted)).toMatchObject({ version: 1, value: { v: 1, n: 3 } });
  });

  test("Records.transact undoes everything after a failed condition, and names every failed position", async () => {
    const { partition } = key();
    const at = (sort: string) => ({ partition, sort });
    await records().put(at("there"), { v: 1, n: 1 });
    const operations: RecordOperation[] = [
      { kind: "put", key: at("new"), value: { v: 1 } },
      { kind: "put", key: at("there"), value: { v: 1, n: 2 }, condition: { ifAbsent: true } },
      { kind: "add", key: at("counter"), amounts: { n: 1 } },
      { kind: "add", key: at("poor"), amounts: { n: -1 }, floor: { n: 0 } },
      { kind: "check", key: at("missing"), condition: { ifPresent: true } },
      { kind: "delete", key: at("unheard"), condition: { ifVersion: 4 } },
    ];
    expect(await failedOf(records().transact(operations))).toEqual([1, 3, 4, 5]);
    const { items } = await records().query({ partition });
    expect(items).toEqual([{ key: at("there"), version: 1, value: { v: 1, n: 1 } }]);
  });

  test("Records.transact undoes everything after an impossible operation", async () => {
    const [text, other] = [key(), key()];
    await records().put(text, { v: 1, n: "text" });
    const operations: RecordOperation[] = [
      { kind: "put", key: other, value: { v: 1 } },
      { kind: "add", key: text, amounts: { n: 1 } },
    ];
    await expect(records().transact(operations)).rejects.toThrow(StoreLimitExceeded);
    expect(await records().get(other)).toBeUndefined();
  });
}

function manyTests({ records, key }: RecordsContext): void {
  test("Records.transact succeeds without operations", async () => {
    await expect(records().transact([])).resolves.toBeUndefined();
  });

  test("Records.transact does 100 operations in one transaction", async () => {
    const { partition } = key();
    const operations = Array.from({ length: 100 }, (_, n): RecordOperation => {
      return { kind: "put", key: { partition, sort: `s${n}` }, value: { v: 1, n }, condition: { ifAbsent: true } };
    });
    await records().transact(operations);
    expect((await records().query({ partition, limit: 1000 })).items).toHaveLength(100);
    expect(await failedOf(records().transact(operations))).toEqual(operations.map((_, position) => position));
  });

  test("Records.transact keeps the sum under concurrent transfers, and passes no floor", async () => {
    const [from, to] = [key(), key()];
    await records().put(from, { v: 1, n: 5 });
    const transfer = () =>
      records().transact([
        { kind: "add", key: from, amounts: { n: -1 }, floor: { n: 0 } },
        { kind: "add", key: to, amounts: { n: 1 } },
      ]);
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, transfer));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await records().get(from)).toMatchObject({ value: { n: 0 } });
    expect(await records().get(to)).toMatchObject({ value: { n: 5 } });
  });
}

function tokenTests({ records, key }: RecordsContext): void {
  test("Records.transact succeeds for a used token without doing anything again", async () => {
    const [one, other] = [key(), key()];
    const token = randomUUID();
    const increment: RecordOperation[] = [{ kind: "add", key: one, amounts: { n: 1 } }];
    await records().transact(increment, { token });
    await records().transact(increment, { token });
    // The token decides, whatever the operations.
    await records().transact([{ kind: "put", key: other, value: { v: 1 }, condition: { ifPresent: true } }], { token });
    expect(await records().get(one)).toMatchObject({ version: 1, value: { n: 1 } });
    expect(await records().get(other)).toBeUndefined();
    await records().transact(increment, { token: randomUUID() });
    expect(await records().get(one)).toMatchObject({ value: { n: 2 } });
  });

  test("Records.transact does not use up the token of a failed transaction", async () => {
    const one = key();
    const token = randomUUID();
    const operations: RecordOperation[] = [
      { kind: "put", key: one, value: { v: 1, n: 2 }, condition: { ifPresent: true } },
    ];
    expect(await failedOf(records().transact(operations, { token }))).toEqual([0]);
    await records().put(one, { v: 1, n: 1 });
    await records().transact(operations, { token });
    expect(await records().get(one)).toMatchObject({ version: 2, value: { n: 2 } });
  });

  test("Records.transact does ten concurrent transactions with one token once", async () => {
    const one = key();
    const token = randomUUID();
    const again = () => records().transact([{ kind: "add", key: one, amounts: { n: 1 } }], { token });
    await Promise.all(Array.from({ length: 10 }, again));
    expect(await records().get(one)).toMatchObject({ value: { n: 1 } });
  });

  test("Records.transact counts the token towards the 100 operations", async () => {
    const { partition } = key();
    const operations = Array.from({ length: 100 }, (_, n): RecordOperation => {
      return { kind: "put", key: { partition, sort: `s${n}` }, value: { v: 1 } };
    });
    await expect(records().transact(operations, { token: randomUUID() })).rejects.toThrow(StoreLimitExceeded);
    await records().transact(operations.slice(1), { token: randomUUID() });
    expect((await records().query({ partition, limit: 1000 })).items).toHaveLength(99);
  });

  test("Records.transact refuses an empty or overlong token", async () => {
    for (const token of ["", "t".repeat(1025)]) {
      await expect(records().transact([], { token })).rejects.toThrow(StoreLimitExceeded);
    }
  });
}
