/** The driver with a DynamoDB that runs: what the suite of the port cannot see or provoke. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDynamoRecords } from "../../../../functions/adapters/aws/records.ts";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { ITEM_BYTES } from "../../../../functions/adapters/records-limits.ts";
import { ConditionFailed, StoreLimitExceeded } from "../../../../functions/core/errors.ts";
import type { RecordOperation, Records, RecordValue, WriteCondition } from "../../../../functions/core/ports.ts";
import { manualClock } from "../../../support/clock.ts";
import { type Dynoxide, hasDynoxide, makeRecordsTable, startDynoxide } from "../../../support/dynoxide.ts";

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** DynamoDB's limits of expressions, which the emulator does not have. */
function checkExpressions(request: object): void {
  const parts = [request, ...("TransactItems" in request ? Object.values(request.TransactItems as object) : [])];
  for (const part of parts.flatMap((each) => [each, ...Object.values(each)])) {
    for (const [member, value] of Object.entries(Object(part))) {
      if (!/Expression$/.test(member)) continue;
      expect(String(value).length, member).toBeLessThanOrEqual(4096);
      expect(String(value).match(/ [-+=<>]+ |\w\(|AND|OR|BETWEEN/g)?.length ?? 0, member).toBeLessThanOrEqual(300);
    }
    for (const name of Object.values(Object(Object(part).ExpressionAttributeNames))) {
      expect(name).toMatch(/./s);
      expect(Buffer.byteLength(String(name))).toBeLessThanOrEqual(255);
    }
  }
}

/** Counts requests, and loses the answers to as many as it is told to, after they were done. */
function watch(client: DynamoDBClient): { requests: string[]; lose: number } {
  const line = { requests: [] as string[], lose: 0 };
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        line.requests.push(commandName);
        checkExpressions(args.input);
        const lost = line.lose > 0;
        line.lose -= lost ? 1 : 0;
        if (!lost) return next(args);
        await next(args).catch(() => undefined);
        throw Object.assign(new Error("the line was cut"), { code: "ECONNRESET" });
      },
    { step: "initialize" },
  );
  return line;
}

describe.runIf(hasDynoxide())("DynamoDB records", () => {
  const clock = manualClock();
  let directory = "";
  let dynoxide: Dynoxide;
  let records: Records;
  let line: ReturnType<typeof watch>;
  let count = 0;
  const key = () => ({ partition: "p", sort: `s${count++}` });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "sheaf-dynamodb-"));
    dynoxide = await startDynoxide(join(directory, "records.db"));
    await makeRecordsTable(dynoxide.client, "records");
    line = watch(dynoxide.client);
    records = openDynamoRecords({ client: dynoxide.client, table: "records", clock: { now: clock.now, sleep } });
  });
  beforeEach(() => {
    line.requests = [];
    line.lose = 0;
  });
  afterAll(async () => {
    await dynoxide.close();
    await rm(directory, { recursive: true });
  });

  describe("an answer that is lost: the write is sent again, done once and acknowledged", () => {
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

    test("increments that others follow at once count once at least, and twice at most", async () => {
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
    test("after the first one it is one request, in a transaction too", async () => {
      const one = key();
      await records.put(one, { v: 1, n: 1 });
      await records.add(one, { n: 1 });
      expect(line.requests).toHaveLength(3);
      await records.add(one, { n: 1 }, { n: 0 });
      await records.transact([{ kind: "add", key: one, amounts: { n: -1 }, floor: { n: 2 } }]);
      expect(line.requests.slice(3)).toEqual(["UpdateItemCommand", "TransactWriteItemsCommand"]);
    });

    test("50 increments at once on nothing take 3 requests each at most, and no pause", async () => {
      const one = key();
      await Promise.all(Array.from({ length: 50 }, () => records.add(one, { n: 1 })));
      expect(line.requests.length).toBeLessThanOrEqual(150);
      expect(await records.get(one)).toMatchObject({ version: 50, value: { v: 1, n: 50 } });
    });

    test("a number that increments count, past what a double holds exactly and below a floor between two numbers", async () => {
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

    test("a record that increments go on with expires like any other", async () => {
      const one = key();
      await records.put(one, { v: 1, n: 1 }, { expiresAt: Math.floor(clock.now() / 1000) + 1 });
      for (let n = 2; n <= 3; n++) expect(await records.add(one, { n: 1 })).toEqual({ v: 1, n });
      clock.advance(1000);
      expect(await records.add(one, { n: 1 })).toEqual({ v: 1, n: 1 });
      expect(await records.get(one)).toEqual({ key: one, version: 1, value: { v: 1, n: 1 } });
    });

    test("20 fractions at once all count, as JavaScript counts", async () => {
      const one = key();
      await Promise.all(Array.from({ length: 20 }, () => records.add(one, { n: 0.1 })));
      const sum = Array.from({ length: 20 }, () => 0.1).reduce((total, amount) => total + amount, 0);
      expect(await records.get(one)).toMatchObject({ version: 20, value: { n: sum } });
    });

    test("a record that was deleted and made again in between is not taken for the one that was read", async () => {
      const one = key();
      await records.put(one, { v: 1, n: 0.5 });
      let done = false;
      dynoxide.client.middlewareStack.add(
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
      dynoxide.client.middlewareStack.remove("between");
      expect(await records.get(one)).toMatchObject({ version: 2 });
    });
  });

  test("130 expired records in the way of a page of one are three more requests", async () => {
    const at = (n: number) => ({ partition: "mostly expired", sort: String(n).padStart(3, "0") });
    const expiresAt = Math.floor(clock.now() / 1000);
    const puts = Array.from({ length: 130 }, (_, n): RecordOperation => {
      return { kind: "put", key: at(n), value: { v: 1 }, expiresAt };
    });
    for (const some of [puts.slice(0, 65), puts.slice(65)]) await records.transact(some);
    await records.put(at(130), { v: 1 });
    line.requests = [];
    expect((await records.query({ partition: "mostly expired", limit: 1 })).items).toMatchObject([{ key: at(130) }]);
    expect(line.requests).toHaveLength(4);
  });

  test("a record of exactly the limit is taken with everything that stands beside it, and can be added to", async () => {
    const one = { partition: "p".repeat(30), sort: "limit" };
    const bare = JSON.stringify({ v: 1, n: 10, text: "" }).length + one.partition.length + one.sort.length;
    const value = { v: 1, n: 10, text: "é".repeat((ITEM_BYTES - bare) >> 1) };
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
  ])("%s are added to like others", async (_, names) => {
    const one = key();
    const amounts = Object.fromEntries(names.map((name, at) => [name, at + 1]));
    for (let times = 1; times <= 3; times++) {
      const wanted = [["v", 1], ...names.map((name, at) => [name, (at + 1) * times])];
      expect(Object.entries(await records.add(one, amounts, { ...amounts }))).toEqual(wanted);
      expect(Object.entries((await records.get(one))?.value ?? {})).toEqual(wanted);
    }
  });

  describe("beside SQLite", () => {
    /** Numbers that look random and are the same every time (Park and Miller's minimal standard generator). */
    function drawer(seed: number): (below: number) => number {
      let state = seed;
      return (below) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % below;
      };
    }
    const pick = <T>(choices: readonly T[], draw: (below: number) => number): T => {
      const choice = choices[draw(choices.length)];
      if (choice === undefined) throw new Error("There is always a choice");
      return choice;
    };
    const NUMBERS = [0, 1, -1, 3, 0.1, -0.2, 1e15, 9_007_199_254_740_991, -9e15, 1e21, 1.5e308];
    const NAMES = ["a", "b", "c", "d e", "__proto__"];
    const CONDITIONS: WriteCondition[] = [
      {},
      {},
      { ifAbsent: true },
      { ifPresent: true },
      { ifVersion: 1 },
      { ifVersion: 2 },
      { ifVersion: Number.NaN },
    ];

    function drawOperation(draw: (below: number) => number, sort: string, now: number): RecordOperation {
      const one = { partition: "same", sort };
      const numbers = () => Object.fromEntries([draw(3), draw(3)].map(() => [pick(NAMES, draw), pick(NUMBERS, draw)]));
      const condition = pick(CONDITIONS, draw);
      switch (draw(8)) {
        case 0:
        case 1: {
          const value: RecordValue = { v: 1, ...(draw(4) === 0 ? { b: "text" } : {}), ...numbers(), list: [draw(9)] };
          return { kind: "put", key: one, value, condition, ...(draw(3) ? {} : { expiresAt: now + draw(4) - 1 }) };
        }
        case 2:
          return { kind: "delete", key: one, condition };
        case 3:
          return { kind: "check", key: one, condition: pick(CONDITIONS.slice(2), draw) };
        default:
          return { kind: "add", key: one, amounts: numbers(), ...(draw(2) ? { floor: numbers() } : {}) };
      }
    }

    const SORTS = ["1", "2", "3"];
    async function attempt(on: Records, operations: RecordOperation[], token: string | undefined): Promise<unknown> {
      const [first] = operations;
      try {
        if (operations.length > 1 || first?.kind === "check" || token !== undefined) {
          return await on.transact(operations, token === undefined ? {} : { token });
        }
        if (first?.kind === "put") return await on.put(first.key, first.value, first);
        if (first?.kind === "delete") return await on.delete(first.key, first.condition);
        if (first?.kind === "add") return JSON.stringify(await on.add(first.key, first.amounts, first.floor));
      } catch (error) {
        if (error instanceof ConditionFailed) return `failed ${error.failed}`;
        return error instanceof Error ? `${error.name}: ${error.message}` : error;
      }
      throw new Error("There is no such operation");
    }

    test.each([1, 2])("250 operations drawn with seed %i give the same everywhere", async (seed) => {
      const local = openRecords(":memory:", { clock });
      const draw = drawer(seed);
      for (let step = 0; step < 250; step++) {
        const now = Math.floor(clock.now() / 1000);
        const sorts = SORTS.filter(() => draw(3) === 0);
        const operations = (sorts.length ? sorts : [pick(SORTS, draw)]).map((sort) => drawOperation(draw, sort, now));
        const token = draw(10) === 0 ? `${seed}/${draw(20)}` : undefined;
        const what = `step ${step}: ${JSON.stringify(operations)} ${token}`;
        expect(await attempt(records, operations, token), what).toEqual(await attempt(local, operations, token));
        const states = [];
        for (const store of [records, local]) states.push((await store.query({ partition: "same" })).items);
        expect(JSON.stringify(states[0]), what).toBe(JSON.stringify(states[1]));
        if (draw(5) === 0) clock.advance(1000);
      }
      for (const sort of SORTS) await records.delete({ partition: "same", sort });
      local.close();
    });
  });
});
