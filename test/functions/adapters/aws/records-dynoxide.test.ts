/** The driver with a running DynamoDB emulator: behaviour that the port's suite cannot see or provoke. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_ITEM_BYTES } from "../../../../functions/adapters/records-limits.ts";
import { ConditionFailed, StoreLimitExceeded } from "../../../../functions/ports/errors.ts";
import type { RecordOperation, Records } from "../../../../functions/ports/records.ts";
import { hasDynoxide } from "../../../support/dynoxide.ts";
import { openWatchedRecords, type WatchedRecords } from "./records-dynoxide.support.ts";

describe.runIf(hasDynoxide())("DynamoDB records", () => {
  let store: WatchedRecords;
  let records: Records;
  let line: WatchedRecords["line"];
  let count = 0;
  const key = () => ({ partition: "p", sort: `s${count++}` });

  beforeAll(async () => {
    store = await openWatchedRecords();
    ({ records, line } = store);
  });
  beforeEach(() => {
    line.requests = [];
    line.lose = 0;
  });
  afterAll(() => store.close());

  describe("a write whose answer is lost is repeated, done once and acknowledged", () => {
    const before = { v: 1, n: 5 };
    const writes: Record<string, (one: ReturnType<typeof key>) => Promise<unknown>> = {
      "put if absent": (one) => records.put({ ...one, partition: "new" }, { v: 1 }, { condition: { ifAbsent: true } }),
      "put if version": (one) => records.put(one, { v: 1, n: 6 }, { condition: { ifVersion: 1 } }),
      "delete if version": (one) => records.delete(one, { ifVersion: 1 }),
      "delete if present": (one) => records.delete(one, { ifPresent: true }),
      "first add": (one) => records.add(one, { n: 1 }),
      "add of a fraction": (one) => records.add(one, { n: 0.5 }),
      "transaction of adds": (one) => records.transact([{ kind: "add", key: one, amounts: { n: 1 } }]),
      "transaction with a condition": (one) =>
        records.transact([{ kind: "put", key: one, value: { v: 1, n: 6 }, condition: { ifVersion: 1 } }]),
      "transaction with a token": (one) =>
        records.transact([{ kind: "add", key: one, amounts: { n: 1 } }], { token: `lost/${one.sort}` }),
    };
    for (const [what, write] of Object.entries(writes)) {
      // The first add takes two requests, the second of which writes.
      test.each([1, 2, 3])(`${what}, %i answers lost`, async (lost) => {
        const [one, twin] = [key(), key()];
        for (const each of [one, twin]) await records.put(each, before);
        const undisturbed = await write(twin);
        line.requests = [];
        line.lose = lost;
        expect(await write(one)).toEqual(undisturbed);
        expect(line.requests.length).toBeGreaterThan(lost);
        const after = await records.get(one);
        expect(after?.version).toBe((await records.get(twin))?.version);
        expect(after?.value).toEqual((await records.get(twin))?.value);
      });
    }

    test("concurrent increments count at least once, and at most twice", async () => {
      const one = key();
      await records.add(one, { n: 1 });
      line.lose = 10;
      await Promise.all(Array.from({ length: 30 }, () => records.add(one, { n: 1 })));
      const { version, value } = (await records.get(one)) ?? {};
      expect(value?.n).toBe(version);
      expect(version).toBeGreaterThanOrEqual(31);
      expect(version).toBeLessThanOrEqual(41);
    });
  });

  describe("add", () => {
    test("add takes one request after the first one, in a transaction too", async () => {
      const one = key();
      await records.put(one, { v: 1, n: 1 });
      await records.add(one, { n: 1 });
      expect(line.requests).toHaveLength(3);
      await records.add(one, { n: 1 }, { n: 0 });
      await records.transact([{ kind: "add", key: one, amounts: { n: -1 }, floor: { n: 2 } }]);
      expect(line.requests.slice(3)).toEqual(["UpdateItemCommand", "TransactWriteItemsCommand"]);
    });

    test("50 concurrent increments on nothing take at most 3 requests each, and no pause", async () => {
      const one = key();
      await Promise.all(Array.from({ length: 50 }, () => records.add(one, { n: 1 })));
      expect(line.requests.length).toBeLessThanOrEqual(150);
      expect(await records.get(one)).toMatchObject({ version: 50, value: { v: 1, n: 50 } });
    });

    test("increments count beyond exact doubles, and respect a floor between two numbers", async () => {
      const one = key();
      const large = Number.MAX_SAFE_INTEGER;
      await records.put(one, { v: 1, n: large - 2, m: 1 });
      expect(await records.add(one, { n: 1, m: 1 })).toEqual({ v: 1, n: large - 1, m: 2 });
      expect(await records.add(one, { n: 1 }), "an increment").toEqual({ v: 1, n: large, m: 2 });
      expect(await records.add(one, { n: 2 }), "rounded as JavaScript rounds").toEqual({ v: 1, n: large + 2, m: 2 });
      expect(await records.add(one, { n: -3, m: -1 }, { m: 0.5 })).toEqual({ v: 1, n: large + 2 - 3, m: 1 });
      await expect(records.add(one, { m: -1 }, { m: 0.5 })).rejects.toThrow(ConditionFailed);
      expect(await records.get(one)).toMatchObject({ version: 5, value: { m: 1 } });
    });

    test("an incremented record expires like any other", async () => {
      const one = key();
      await records.put(one, { v: 1, n: 1 }, { expiresAt: Math.floor(store.clock.now() / 1000) + 1 });
      for (let n = 2; n <= 3; n++) expect(await records.add(one, { n: 1 })).toEqual({ v: 1, n });
      store.clock.advance(1000);
      expect(await records.add(one, { n: 1 })).toEqual({ v: 1, n: 1 });
      expect(await records.get(one)).toEqual({ key: one, version: 1, value: { v: 1, n: 1 } });
    });

    test("20 concurrent fractions all count, as JavaScript counts", async () => {
      const one = key();
      await Promise.all(Array.from({ length: 20 }, () => records.add(one, { n: 0.1 })));
      const sum = Array.from({ length: 20 }, () => 0.1).reduce((total, amount) => total + amount, 0);
      expect(await records.get(one)).toMatchObject({ version: 20, value: { n: sum } });
    });

    test("a record deleted and created again in between is not taken for the one read before", async () => {
      const one = key();
      await records.put(one, { v: 1, n: 0.5 });
      let done = false;
      store.client.middlewareStack.add(
        (next, { commandName = "" }) =>
          async (args) => {
            if (commandName === "UpdateItemCommand" && !done) {
              done = true;
              await records.delete(one);
              await records.put(one, { v: 1, n: 100.5 });
            }
            return next(args);
          },
        { step: "initialize", name: "between" },
      );
      expect(await records.add(one, { n: 0.25 })).toEqual({ v: 1, n: 100.75 });
      store.client.middlewareStack.remove("between");
      expect(await records.get(one)).toMatchObject({ version: 2 });
    });
  });

  test("130 expired records before a page of one take three more requests", async () => {
    const at = (n: number) => ({ partition: "mostly expired", sort: String(n).padStart(3, "0") });
    const expiresAt = Math.floor(store.clock.now() / 1000);
    const puts = Array.from({ length: 130 }, (_, n): RecordOperation => {
      return { kind: "put", key: at(n), value: { v: 1 }, expiresAt };
    });
    for (const some of [puts.slice(0, 65), puts.slice(65)]) await records.transact(some);
    await records.put(at(130), { v: 1 });
    line.requests = [];
    expect((await records.query({ partition: "mostly expired", limit: 1 })).items).toMatchObject([{ key: at(130) }]);
    expect(line.requests).toHaveLength(4);
  });

  test("a record of exactly the limit is accepted with all its attributes, and can be added to", async () => {
    const one = { partition: "p".repeat(30), sort: "limit" };
    const bare = JSON.stringify({ v: 1, n: 10, text: "" }).length + one.partition.length + one.sort.length;
    const value = { v: 1, n: 10, text: "é".repeat((MAX_ITEM_BYTES - bare) >> 1) };
    const expiresAt = Number.MAX_SAFE_INTEGER;
    await records.put(one, value, { expiresAt });
    expect(await records.add(one, { n: 1 })).toEqual({ ...value, n: 11 });
    await expect(records.add(one, { n: 100_000 })).rejects.toThrow(StoreLimitExceeded);
    expect(await records.get(one)).toEqual({ key: one, version: 2, value: { ...value, n: 11 }, expiresAt });
    await records.delete(one);
  });

  test.each([
    ["many members at once", Array.from({ length: 120 }, (_, n) => `n${n}`)],
    ["as many as one expression takes", Array.from({ length: 40 }, (_, n) => `n${n}`)],
    ["a long name", ["x".repeat(300)]],
    ["an empty name", [""]],
    ["JavaScript's own names", ["__proto__", "constructor", "toString"]],
  ])("add treats %s like any other member names", async (_, names) => {
    const one = key();
    const amounts = Object.fromEntries(names.map((name, at) => [name, at + 1]));
    for (let times = 1; times <= 3; times++) {
      const wanted = [["v", 1], ...names.map((name, at) => [name, (at + 1) * times])];
      expect(Object.entries(await records.add(one, amounts, { ...amounts }))).toEqual(wanted);
      expect(Object.entries((await records.get(one))?.value ?? {})).toEqual(wanted);
    }
  });
});
