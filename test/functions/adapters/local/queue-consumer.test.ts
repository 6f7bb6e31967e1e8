/** The loop that receives messages from a local queue: done, retried, dead; and its end. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { type LocalQueue, openQueue } from "../../../../functions/adapters/local/queue.ts";
import {
  type QueueConsumer,
  type QueueConsumerOptions,
  startQueueConsumer,
} from "../../../../functions/adapters/local/queue-consumer.ts";
import { type LocalRecords, openRecords } from "../../../../functions/adapters/local/records.ts";
import type { Clock } from "../../../../functions/ports/clock.ts";
import { MachineError } from "../../../../functions/ports/machine-faults.ts";
import { MAX_RECEIVES } from "../../../../functions/ports/queue.ts";

const QUEUE = "work";

let added = 0;
const real = systemClock();
const clock: Clock = { now: () => real.now() + added, wallTime: real.wallTime, guid: real.guid, sleep: real.sleep };
let records: LocalRecords;
let queue: LocalQueue;
let consumer: QueueConsumer | undefined;
const errors: unknown[] = [];
beforeEach(() => {
  added = 0;
  errors.length = 0;
  records = openRecords(":memory:", { clock });
  queue = openQueue({ records, clock });
});
afterEach(async () => {
  await consumer?.close(1000);
  consumer = undefined;
  records.close();
  expect(errors).toEqual([]);
});

function start(work: QueueConsumerOptions["work"]): QueueConsumer {
  consumer = startQueueConsumer({ queue, name: QUEUE, work, onError: (error) => errors.push(error) });
  return consumer;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 5000; !(await holds()); ) {
    if (performance.now() > end) throw new Error("It never came to that");
    await real.sleep(5);
  }
}

const messagesLeft = async (): Promise<number> =>
  (await records.query({ partition: `sys/queue/${QUEUE}`, prefix: "m/" })).items.length;

describe("startQueueConsumer", () => {
  it.each(["retry", "done"] as const)(
    "repeats %s while the disk is full, so that no message waits in vain",
    async (call) => {
      const full = new MachineError("ENOSPC", new Error("full"));
      let refused = 0;
      const settle = async (...given: [never, never]): Promise<void> => {
        refused += 1;
        if (refused === 1) throw full;
        await queue[call](...given);
      };
      const faulty = new Proxy(queue, {
        get(object, name) {
          if (name === call) return settle;
          const member: unknown = Reflect.get(object, name, object);
          return typeof member === "function" ? member.bind(object) : member;
        },
      });
      let works = 0;
      const told: unknown[] = [];
      const work = async (): Promise<undefined> => {
        works += 1;
        if (call === "retry" && works === 1) throw full;
      };
      consumer = startQueueConsumer({ queue: faulty, name: QUEUE, work, onError: (error) => told.push(error) });
      await queue.send(QUEUE, "kept");
      await until(() => refused > 1);
      added += 10_000;
      faulty.wake(QUEUE);
      await until(() => works === (call === "retry" ? 2 : 1));
      await until(async () => (await messagesLeft()) === 0);
      expect(told).toEqual([full]);
    },
  );

  it("processes present and arriving messages without delay", async () => {
    const seen: unknown[] = [];
    await queue.send(QUEUE, "before");
    start(async ({ body }) => void seen.push(body));
    await until(() => seen.length === 1);
    const sent = performance.now();
    await queue.send(QUEUE, "after");
    await until(() => seen.length === 2);
    expect(performance.now() - sent).toBeLessThan(1000);
    expect(seen).toEqual(["before", "after"]);
    await until(async () => (await messagesLeft()) === 0);
  });

  it("works on several concurrently, and a slow one blocks no other", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let [now, most] = [0, 0];
    const done: unknown[] = [];
    start(async ({ body }) => {
      now += 1;
      most = Math.max(most, now);
      if (body === 0) await held;
      else await real.sleep(2);
      now -= 1;
      done.push(body);
    });
    for (let body = 0; body < 20; body += 1) await queue.send(QUEUE, body);
    await until(() => done.length === 19);
    expect(done).not.toContain(0);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    release();
    await until(() => done.length === 20);
  });

  it("works on few of one group at once, others beside them, and keeps the place for a pause", async () => {
    const begun: unknown[] = [];
    const held = Promise.withResolvers<void>();
    consumer = startQueueConsumer({
      queue,
      name: QUEUE,
      concurrency: 4,
      groupConcurrency: 2,
      async work({ body }) {
        begun.push(body);
        if (body === "a0") return 300;
        await held.promise;
        return undefined;
      },
      onError: (error) => errors.push(error),
    });
    for (let index = 0; index < 4; index += 1) await queue.send(QUEUE, `a${index}`, { group: "a" });
    await until(() => begun.length === 2);
    await queue.send(QUEUE, "b0", { group: "b" });
    await until(() => begun.length === 3);
    // The first is done; its place rests.
    expect(begun).toEqual(["a0", "a1", "b0"]);
    await until(() => begun.length === 4);
    expect(begun[3]).toBe("a2");
    held.resolve();
    await until(() => begun.length === 5);
    await until(async () => (await records.query({ partition: `sys/queue/${QUEUE}` })).items.length === 0);
  });

  it("returns failed messages, later each time, and in the end as dead letters", async () => {
    const receives: number[] = [];
    start(async (message) => {
      receives.push(message.receives);
      throw new Error("not this time");
    });
    await queue.send(QUEUE, "hopeless");
    // A receiver that waits for a message's visibility looks again when another message is returned.
    const look = () => queue.retry({ id: "", queue: QUEUE, body: null, receives: 1, receipt: "nobody's" }, 0);
    for (const [index, seconds] of [5, 20, 80, 320].entries()) {
      await until(() => receives.length === index + 1);
      await real.sleep(30);
      added += (seconds - 1) * 1000;
      await look();
      await real.sleep(30);
      expect(receives).toHaveLength(index + 1);
      added += 1000;
      await look();
    }
    await until(() => receives.length === MAX_RECEIVES);
    await until(async () => (await queue.deadLetters(QUEUE)).length === 1);
    expect(receives).toEqual([1, 2, 3, 4, 5]);
    expect(await messagesLeft()).toBe(0);
  });

  it("lets running work end when closed, and receives no more", async () => {
    const done: unknown[] = [];
    let begun = 0;
    const closing = start(async ({ body }) => {
      begun += 1;
      await real.sleep(100);
      done.push(body);
    });
    for (let body = 0; body < 6; body += 1) await queue.send(QUEUE, body);
    await until(() => begun === 4);
    await closing.close(5000);
    expect(done).toHaveLength(4);
    await real.sleep(50);
    expect(begun).toBe(4);
    expect(await messagesLeft()).toBe(2);
  });

  it("does not wait for work that does not end; it is delivered again later", async () => {
    const closing = start(() => new Promise(() => undefined));
    await queue.send(QUEUE, "endless");
    await until(async () => (await queue.receive(QUEUE)).length === 0 && (await messagesLeft()) === 1);
    const began = performance.now();
    await closing.close(50);
    expect(performance.now() - began).toBeLessThan(1000);
    added += 301_000;
    expect(await openQueue({ records, clock }).receive(QUEUE)).toMatchObject([{ body: "endless", receives: 2 }]);
  });

  it("continues when the queue itself fails", async () => {
    const receive = queue.receive.bind(queue);
    let fails = true;
    queue.receive = async (...given) => {
      if (!fails) return receive(...given);
      fails = false;
      throw new Error("the disk is full");
    };
    const seen: unknown[] = [];
    start(async ({ body }) => void seen.push(body));
    await queue.send(QUEUE, 1);
    await until(() => seen.length === 1);
    expect(errors.splice(0)).toEqual([new Error("the disk is full")]);
  });
});
