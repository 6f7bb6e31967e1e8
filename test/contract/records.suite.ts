/** The contract of Records. A real table is shared, so each test has partitions of its own and reads no others. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConditionFailed } from "../../functions/ports/errors.ts";
import type { RecordKey, Records } from "../../functions/ports/records.ts";
import { recordsConditionTests } from "./records-conditions.suite.ts";
import { recordsLimitTests } from "./records-limits.suite.ts";
import { recordsQueryTests } from "./records-queries.suite.ts";
import { recordsTransactionTests } from "./records-transactions.suite.ts";

export interface RecordsSubject {
  records: Records;
  /** Closes the driver and opens it again on the same data; later calls use the new one. */
  reopen?: () => Promise<Records>;
  /** The driver's own clock, when a test can move it. */
  clock?: { now(): number; advance(milliseconds: number): void };
  close(): Promise<void>;
}

/** The context of a group of tests. */
export interface RecordsContext {
  records(): Records;
  /** The driver's time in Unix seconds. */
  seconds(): number;
  /** A key in an unused partition. */
  key(sort?: string): RecordKey;
}

/** The failed positions of a transaction. */
export async function failedOf(work: Promise<unknown>): Promise<number[]> {
  const error: unknown = await work.then(
    () => "no error",
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConditionFailed);
  return error instanceof ConditionFailed ? error.failed : [];
}

export function recordsSuite(name: string, make: () => Promise<RecordsSubject>): void {
  describe(`Records: ${name}`, () => {
    let subject: RecordsSubject;
    beforeAll(async () => {
      subject = await make();
    });
    afterAll(() => subject.close());
    const context: RecordsContext = {
      records: () => subject.records,
      seconds: () => Math.floor((subject.clock?.now() ?? Date.now()) / 1000),
      key: (sort = "record") => ({ partition: `test/${randomUUID()}`, sort }),
    };
    describe("values", () => valueTests(context));
    describe("shapes", () => shapeTests(context));
    describe("conditions", () => recordsConditionTests(context));
    describe("add", () => addTests(context));
    describe("expiry", () => expiryTests(context));
    describe("transactions", () => recordsTransactionTests(context));
    describe("queries", () => recordsQueryTests(context));
    describe("limits", () => recordsLimitTests(context));

    test("Records keeps acknowledged writes after reopening", async ({ skip }) => {
      if (subject.reopen === undefined) return skip("nothing outlives this driver");
      const key = context.key();
      await subject.records.put(key, { v: 1, text: "kept" });
      await subject.records.add(key, { n: 2 });
      subject.records = await subject.reopen();
      expect(await subject.records.get(key)).toEqual({ key, version: 2, value: { v: 1, text: "kept", n: 2 } });
    });

    test("Records expires a record with time", async ({ skip }) => {
      if (subject.clock === undefined) return skip("this driver's clock cannot be moved");
      const key = context.key();
      await subject.records.put(key, { v: 1 }, { expiresAt: context.seconds() + 60 });
      subject.clock.advance(59_000);
      expect(await subject.records.get(key)).toBeDefined();
      subject.clock.advance(1000);
      expect(await subject.records.get(key)).toBeUndefined();
    });
  });
}

function valueTests({ records, key }: RecordsContext): void {
  test("Records.get returns undefined for a missing record", async () => {
    expect(await records().get(key())).toBeUndefined();
  });

  test("Records counts versions from 1, by one a write, and anew after a deletion", async () => {
    const one = key();
    expect(await records().put(one, { v: 1, n: 1 })).toEqual({ version: 1 });
    expect(await records().put(one, { v: 1, n: 2 })).toEqual({ version: 2 });
    await records().add(one, { n: 1 });
    expect(await records().get(one)).toEqual({ key: one, version: 3, value: { v: 1, n: 3 } });
    await records().delete(one);
    expect(await records().get(one)).toBeUndefined();
    await records().delete(one);
    expect(await records().put(one, { v: 1 })).toEqual({ version: 1 });
  });

  test("Records.put replaces the whole value", async () => {
    const one = key();
    await records().put(one, { v: 1, old: true });
    await records().put(one, { v: 2, new: true });
    expect((await records().get(one))?.value).toEqual({ v: 2, new: true });
  });
}

const EVERY_SHAPE = {
  v: 7,
  "": "a member without a name",
  empty: "",
  nothing: null,
  yes: true,
  no: false,
  list: [],
  object: {},
  nested: { a: [{ b: [[1, "", null, { c: {} }]] }] },
  numbers: [0, -1, 1.5, 1e21, 123456789012345, -0.000001, 0.1],
  text: 'Zürich 東京 🧾 e\u0301 \u0000 \u2028 " \\ \n',
  "dots.and:colons #and $signs": 1,
};

function shapeTests({ records, key }: RecordsContext): void {
  test("Records.put and get keep JSON of every shape", async () => {
    const one = key();
    await records().put(one, EVERY_SHAPE);
    expect((await records().get(one))?.value).toEqual(EVERY_SHAPE);
  });

  test("Records.put drops undefined members", async () => {
    const one = key();
    await records().put(one, { v: 1, gone: undefined, inner: { gone: undefined } });
    expect((await records().get(one))?.value).toStrictEqual({ v: 1, inner: {} });
  });

  test("Records.get returns copies", async () => {
    const one = key();
    const given = { v: 1, list: ["a"] };
    const writing = records().put(one, given);
    given.list.push("b");
    await writing;
    const read = await records().get<typeof given>(one);
    expect(read?.value.list).toEqual(["a"]);
    read?.value.list.push("c");
    expect((await records().get(one))?.value).toEqual({ v: 1, list: ["a"] });
  });

  test("Records keeps similar keys apart", async () => {
    const { partition } = key();
    const sorts = [
      "a",
      "A",
      "a ",
      " a",
      "\u00e1",
      "a\u0301",
      "\u00c5",
      "\u212b",
      "%61",
      "a/b",
      "a\u0000b",
      "🧾",
      "\uffff",
    ];
    await Promise.all(sorts.map((sort) => records().put({ partition, sort }, { v: 1, sort })));
    for (const sort of sorts) {
      expect(await records().get({ partition, sort })).toMatchObject({ key: { partition, sort }, version: 1 });
      expect((await records().get({ partition, sort }))?.value.sort).toBe(sort);
    }
    expect(await records().get({ partition: `${partition}/a`, sort: "b" })).toBeUndefined();
  });
}

function addTests({ records, key, seconds }: RecordsContext): void {
  test("Records.add creates a missing record, counts missing members as 0, and keeps the others", async () => {
    const one = key();
    expect(await records().add(one, { a: 2 })).toEqual({ v: 1, a: 2 });
    await records().put(one, { v: 3, a: 5, name: "kept", list: [1] });
    expect(await records().add(one, { a: -7, b: 1.5 })).toEqual({ v: 3, a: -2, b: 1.5, name: "kept", list: [1] });
    expect(await records().get(one)).toMatchObject({ version: 3, value: { a: -2, b: 1.5 } });
  });

  test("Records.add keeps the expiry", async () => {
    const one = key();
    const expiresAt = seconds() + 3600;
    await records().put(one, { v: 1, n: 1 }, { expiresAt });
    await records().add(one, { n: 1 });
    expect(await records().get(one)).toEqual({ key: one, version: 2, value: { v: 1, n: 2 }, expiresAt });
  });

  test("Records.add with a floor succeeds at the floor, fails below it, and then changes nothing", async () => {
    const one = key();
    await records().put(one, { v: 1, balance: 10, held: 0 });
    expect(await records().add(one, { balance: -10, held: 10 }, { balance: 0 })).toMatchObject({
      balance: 0,
      held: 10,
    });
    await failedOf(records().add(one, { balance: -1, held: 1 }, { balance: 0 }));
    expect(await records().get(one)).toMatchObject({ version: 2, value: { balance: 0, held: 10 } });
  });

  test("Records.add checks floors of members without an amount, and of missing members", async () => {
    const one = key();
    await records().put(one, { v: 1, balance: 3 });
    await failedOf(records().add(one, { other: 1 }, { balance: 4 }));
    await failedOf(records().add(one, { other: 1 }, { missing: 1 }));
    expect(await records().add(one, { other: 1 }, { balance: 3, missing: 0, other: -5 })).toMatchObject({ other: 1 });
    const absent = key();
    await failedOf(records().add(absent, { balance: -1 }, { balance: 0 }));
    expect(await records().get(absent)).toBeUndefined();
  });
}

function expiryTests({ records, key, seconds }: RecordsContext): void {
  test("Records hides an expired record from every reader and condition at once", async () => {
    const one = key();
    const expire = () => records().put(one, { v: 1, n: 40 }, { expiresAt: seconds() - 1 });
    await expire();
    expect(await records().get(one)).toBeUndefined();
    expect((await records().query({ partition: one.partition })).items).toEqual([]);
    await failedOf(records().put(one, { v: 1 }, { condition: { ifPresent: true } }));
    await failedOf(records().put(one, { v: 1 }, { condition: { ifVersion: 1 } }));
    await failedOf(records().delete(one, { ifPresent: true }));
    expect(await failedOf(records().transact([{ kind: "check", key: one, condition: { ifPresent: true } }]))).toEqual([
      0,
    ]);
    expect(await records().put(one, { v: 1 }, { condition: { ifAbsent: true } })).toEqual({ version: 1 });
    await expire();
    expect(await records().add(one, { n: 2 })).toEqual({ v: 1, n: 2 });
    expect(await records().get(one)).toEqual({ key: one, version: 1, value: { v: 1, n: 2 } });
  });

  test("Records counts the second of the expiry as past", async () => {
    const one = key();
    await records().put(one, { v: 1 }, { expiresAt: seconds() });
    expect(await records().get(one)).toBeUndefined();
  });

  test("Records.put replaces the expiry", async () => {
    const one = key();
    const expiresAt = seconds() + 3600;
    await records().put(one, { v: 1 }, { expiresAt });
    expect((await records().get(one))?.expiresAt).toBe(expiresAt);
    expect((await records().query({ partition: one.partition })).items).toMatchObject([{ expiresAt }]);
    await records().put(one, { v: 1 });
    expect(await records().get(one)).toStrictEqual({ key: one, version: 2, value: { v: 1 } });
  });

  test("Records.query gives expired records no room in a page", async () => {
    const { partition } = key();
    for (let n = 0; n < 12; n++) {
      const sort = String(n).padStart(2, "0");
      await records().put({ partition, sort }, { v: 1 }, n % 2 ? { expiresAt: seconds() - 5 } : {});
    }
    const page = await records().query({ partition, limit: 6 });
    expect(page.items.map(({ key: { sort } }) => sort)).toEqual(["00", "02", "04", "06", "08", "10"]);
    expect(page.cursor).toBeUndefined();
  });
}
