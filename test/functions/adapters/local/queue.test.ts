/** Behaviour of the local queue alone, and tests that need a manual clock. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openQueue } from "../../../../functions/adapters/local/queue.ts";
import { type LocalRecords, openRecords } from "../../../../functions/adapters/local/records.ts";
import type { RecordQuery, Records, RecordValue } from "../../../../functions/ports/records.ts";
import { type ManualClock, manualClock } from "../../../support/clock.ts";

let clock: ManualClock;
let records: LocalRecords;
beforeEach(() => {
  clock = manualClock();
  records = openRecords(":memory:", { clock });
});
afterEach(() => records.close());

const bound = (driver: Records): Records => ({
  get: (key) => driver.get(key),
  put: (...parameters) => driver.put(...parameters),
  delete: (...parameters) => driver.delete(...parameters),
  add: (...parameters) => driver.add(...parameters),
  query: (query) => driver.query(query),
  transact: (...parameters) => driver.transact(...parameters),
});

describe("openQueue", () => {
  it("accepts a deduplication id again after 5 minutes, not before", async () => {
    const queue = openQueue({ records, clock });
    const first = await queue.send("q", 1, { deduplicationId: "d" });
    clock.advance(299_999);
    expect(await queue.send("q", 2, { deduplicationId: "d" })).toEqual(first);
    clock.advance(1_001);
    expect(await queue.send("q", 3, { deduplicationId: "d" })).not.toEqual(first);
    expect((await queue.receive("q", { max: 10 })).map((message) => message.body)).toEqual([1, 3]);
  });

  it("hides a message for 30 seconds by default, and makes it a dead letter after 5 deliveries", async () => {
    const queue = openQueue({ records, clock });
    await queue.send("q", "x");
    for (let receives = 1; receives <= 5; receives += 1) {
      expect((await queue.receive("q"))[0]).toMatchObject({ receives });
      clock.advance(29_999);
      expect(await queue.receive("q")).toEqual([]);
      clock.advance(1);
    }
    expect(await queue.receive("q")).toEqual([]);
    expect(await queue.deadLetters("q")).toMatchObject([{ body: "x", receives: 5 }]);
  });

  it("removes a dead letter that is done", async () => {
    const queue = openQueue({ records, clock, maxReceives: 1 });
    await queue.send("q", "x");
    await queue.receive("q", { visibilitySeconds: 0 });
    expect(await queue.receive("q")).toEqual([]);
    const [dead] = await queue.deadLetters("q");
    if (dead !== undefined) await queue.done(dead);
    expect(await queue.deadLetters("q")).toEqual([]);
  });

  it("delivers a message once per receive, also without visibility timeout", async () => {
    const queue = openQueue({ records, clock });
    await queue.send("q", "x");
    expect(await queue.receive("q", { max: 10, visibilitySeconds: 0 })).toHaveLength(1);
    expect((await queue.receive("q", { max: 10 }))[0]).toMatchObject({ receives: 2 });
  });

  it("retries a message at the very time at which it would have become visible", async () => {
    const queue = openQueue({ records, clock });
    await queue.send("q", "x");
    const [message] = await queue.receive("q", { visibilitySeconds: 10 });
    if (message !== undefined) await queue.retry(message, 10);
    clock.advance(10_000);
    expect((await queue.receive("q"))[0]).toMatchObject({ receives: 2 });
  });

  it("does not read through held or delayed messages", async () => {
    const queries: number[] = [];
    const counted: Records = {
      ...bound(records),
      async query<T extends RecordValue>(query: RecordQuery) {
        const page = await records.query<T>(query);
        queries.push(page.items.length);
        return page;
      },
    };
    const queue = openQueue({ records: counted, clock });
    for (let index = 0; index < 500; index += 1) await queue.send("q", index, { delaySeconds: 60 });
    await queue.send("q", "now");
    expect((await queue.receive("q", { max: 10 })).map((message) => message.body)).toEqual(["now"]);
    // Two looks for groups, two at the one that has messages.
    expect(queries).toEqual([1, 0, 1, 0]);
  });

  it("wakes waiting receivers when closed", async () => {
    const queue = openQueue({ records, clock });
    const waiting = [queue.receive("q", { waitSeconds: 20 }), queue.receive("p", { waitSeconds: 20 })];
    queue.close();
    expect(await Promise.all(waiting)).toEqual([[], []]);
  });

  it("keeps its messages over a restart", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sheaf-queue-"));
    const file = join(directory, "records.db");
    const before = openRecords(file, { clock });
    const queue = openQueue({ records: before, clock });
    await queue.send("q", "held");
    await queue.send("q", "free");
    const [held] = await queue.receive("q");
    queue.close();
    before.close();

    const after = openRecords(file, { clock });
    const next = openQueue({ records: after, clock });
    expect((await next.receive("q", { max: 10 })).map((message) => message.body)).toEqual(["free"]);
    if (held !== undefined) await next.done(held);
    clock.advance(30_000);
    expect((await next.receive("q", { max: 10 })).map((message) => message.body)).toEqual(["free"]);
    after.close();
    await rm(directory, { recursive: true, force: true });
  });

  it("refuses the values that SQS refuses", async () => {
    const queue = openQueue({ records, clock });
    await expect(queue.send("a b", 1)).rejects.toMatchObject({ kind: "BadRequest" });
    await expect(queue.send("q", 1, { delaySeconds: 901 })).rejects.toThrow(RangeError);
    await expect(queue.receive("q", { max: 11 })).rejects.toThrow(RangeError);
    await expect(queue.receive("q", { visibilitySeconds: 43_201 })).rejects.toThrow(RangeError);
    await expect(queue.receive("q", { waitSeconds: Number.NaN })).rejects.toThrow(RangeError);
    expect(() => openQueue({ records, clock, maxReceives: 0 })).toThrow(RangeError);
  });
});
