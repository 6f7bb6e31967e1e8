/** The contract of WorkQueue. Times are whole seconds, as in SQS. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../functions/ports/json.ts";
import type { QueueMessage, WorkQueue } from "../../functions/ports/queue.ts";

export interface MadeQueue {
  queue: WorkQueue;
  close(): Promise<void>;
}

export interface QueueMaker {
  name: string;
  /** A driver whose messages become dead letters after this number of deliveries. */
  make(options: { maxReceives: number }): Promise<MadeQueue>;
  /** The name of an unused queue, a new one every time. */
  newQueue?(): Promise<string>;
  /**
   * Turns of groups. `exact`: one message of each. `measured`: as SQS gives them, from what it has measured of a queue
   * under load, which no test of a few messages shows.
   */
  turns: "exact" | "measured";
}

const MAX_RECEIVES = 3;
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const bodies = (messages: QueueMessage[]): Json[] => messages.map((message) => message.body);

interface Bench {
  readonly queue: WorkQueue;
  name(): Promise<string>;
}

/** Receives until nothing is visible. */
async function receiveAll(queue: WorkQueue, name: string, visibilitySeconds = 30): Promise<QueueMessage[]> {
  const all: QueueMessage[] = [];
  for (;;) {
    const messages = await queue.receive(name, { max: 10, visibilitySeconds });
    if (messages.length === 0) return all;
    all.push(...messages);
  }
}

function deliveryTests(bench: Bench): void {
  it("WorkQueue delivers a message once, and not again after done", async () => {
    const name = await bench.name();
    const { id } = await bench.queue.send(name, { text: "ä✓", list: [null, 1] });
    const [message, ...rest] = await bench.queue.receive(name, { max: 10, visibilitySeconds: 1 });
    expect(rest).toEqual([]);
    expect(message).toMatchObject({ id, queue: name, body: { text: "ä✓", list: [null, 1] }, receives: 1 });
    if (message !== undefined) await bench.queue.done(message);
    await sleep(1100);
    expect(await bench.queue.receive(name)).toEqual([]);
  });

  it("WorkQueue.receive returns one message by default, in the order of sending", async () => {
    const name = await bench.name();
    for (let index = 0; index < 25; index += 1) await bench.queue.send(name, index);
    const [first] = await bench.queue.receive(name);
    expect(first?.body).toBe(0);
    expect(bodies(await bench.queue.receive(name, { max: 10 }))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(bodies(await receiveAll(bench.queue, name))).toEqual(Array.from({ length: 14 }, (_, index) => index + 11));
  });

  it("WorkQueue keeps queues apart", async () => {
    const [one, other] = [await bench.name(), await bench.name()];
    await bench.queue.send(one, "one");
    expect(await bench.queue.receive(other)).toEqual([]);
    expect(bodies(await bench.queue.receive(one))).toEqual(["one"]);
  });

  it("WorkQueue delivers 100 messages to 10 receivers, each to one", async () => {
    const name = await bench.name();
    await Promise.all(Array.from({ length: 100 }, (_, index) => bench.queue.send(name, index)));
    const received = await Promise.all(Array.from({ length: 10 }, () => receiveAll(bench.queue, name)));
    const all = received.flat().map((message) => Number(message.body));
    expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it("WorkQueue.send accepts 256 KB and no more", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "x".repeat(262_142));
    expect((await bench.queue.receive(name))[0]?.body).toHaveLength(262_142);
    await expect(bench.queue.send(name, "x".repeat(262_143))).rejects.toMatchObject({ kind: "PayloadTooLarge" });
    await expect(bench.queue.send(name, "ä".repeat(131_072))).rejects.toMatchObject({ kind: "PayloadTooLarge" });
  });
}

function timeTests(bench: Bench): void {
  it("WorkQueue delivers again after the visibility timeout, with a new receipt and one more receive", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "again");
    const [first] = await bench.queue.receive(name, { visibilitySeconds: 1 });
    expect(await bench.queue.receive(name)).toEqual([]);
    await sleep(1100);
    const [second] = await bench.queue.receive(name, { visibilitySeconds: 1 });
    expect(second).toMatchObject({ id: first?.id, body: "again", receives: 2 });
    expect(second?.receipt).not.toBe(first?.receipt);
  });

  it("WorkQueue ignores any receipt but the newest", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "mine");
    const [old] = await bench.queue.receive(name, { visibilitySeconds: 1 });
    await sleep(1100);
    const [newest] = await bench.queue.receive(name, { visibilitySeconds: 1 });
    if (old === undefined || newest === undefined) throw new Error("Two deliveries were expected");
    await bench.queue.done(old);
    await sleep(1100);
    const [third] = await bench.queue.receive(name);
    expect(third).toMatchObject({ body: "mine", receives: 3 });
  });

  it("WorkQueue.done accepts a receipt after the visibility timeout, until another receiver has the message", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "late");
    const [message] = await bench.queue.receive(name, { visibilitySeconds: 1 });
    await sleep(1100);
    if (message !== undefined) await bench.queue.done(message);
    expect(await bench.queue.receive(name)).toEqual([]);
  });

  it("WorkQueue delays a message without delaying later ones", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "late", { delaySeconds: 1 });
    await bench.queue.send(name, "now");
    expect(bodies(await receiveAll(bench.queue, name))).toEqual(["now"]);
    await sleep(1100);
    expect(bodies(await receiveAll(bench.queue, name))).toEqual(["late"]);
  });

  it("WorkQueue gives a message back at once or after a delay", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "back");
    const [first] = await bench.queue.receive(name);
    if (first !== undefined) await bench.queue.retry(first, 0);
    const [second] = await bench.queue.receive(name);
    expect(second).toMatchObject({ body: "back", receives: 2 });
    if (second !== undefined) await bench.queue.retry(second, 1);
    expect(await bench.queue.receive(name)).toEqual([]);
    await sleep(1100);
    expect((await bench.queue.receive(name))[0]).toMatchObject({ body: "back", receives: 3 });
  });
}

function waitTests(bench: Bench): void {
  it("WorkQueue.receive waits for a message and wakes when one is sent", async () => {
    const name = await bench.name();
    const started = performance.now();
    const waiting = bench.queue.receive(name, { waitSeconds: 10 });
    await sleep(200);
    await bench.queue.send(name, "awaited");
    expect(bodies(await waiting)).toEqual(["awaited"]);
    expect(performance.now() - started).toBeLessThan(8000);
  });

  it("WorkQueue.receive wakes when a delay or a visibility timeout ends, or a message is given back", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "held");
    await bench.queue.send(name, "returned");
    await bench.queue.receive(name, { visibilitySeconds: 1 });
    const [returned] = await bench.queue.receive(name, { visibilitySeconds: 30 });
    const waiting = [bench.queue.receive(name, { waitSeconds: 5 }), bench.queue.receive(name, { waitSeconds: 5 })];
    if (returned !== undefined) await bench.queue.retry(returned, 0);
    const started = performance.now();
    expect(bodies((await Promise.all(waiting)).flat()).sort()).toEqual(["held", "returned"]);
    expect(performance.now() - started).toBeLessThan(4500);
  });

  it("WorkQueue.receive stops waiting after its time", async () => {
    const started = performance.now();
    expect(await bench.queue.receive(await bench.name(), { waitSeconds: 1 })).toEqual([]);
    expect(performance.now() - started).toBeGreaterThanOrEqual(950);
  });
}

function deduplicationTests(bench: Bench): void {
  it("WorkQueue.send accepts a deduplication id once, also concurrently, and after done", async () => {
    const name = await bench.name();
    const options = { deduplicationId: "same/ä id" };
    const sent = await Promise.all(Array.from({ length: 10 }, (_, index) => bench.queue.send(name, index, options)));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    const messages = await receiveAll(bench.queue, name);
    expect(messages).toHaveLength(1);
    if (messages[0] !== undefined) await bench.queue.done(messages[0]);
    expect(await bench.queue.send(name, "later", options)).toEqual({ id: messages[0]?.id });
    expect(await bench.queue.receive(name)).toEqual([]);
    await bench.queue.send(name, "other", { deduplicationId: "other" });
    await bench.queue.send(await bench.name(), "another queue", options);
    expect(bodies(await receiveAll(bench.queue, name))).toEqual(["other"]);
  });
}

function deadLetterTests(bench: Bench): void {
  it("WorkQueue moves a message to the dead letters after too many receives without done", async () => {
    const name = await bench.name();
    const { id } = await bench.queue.send(name, "poison");
    for (let receives = 1; receives <= MAX_RECEIVES; receives += 1) {
      const [message] = await bench.queue.receive(name);
      expect(message).toMatchObject({ id, receives });
      if (message !== undefined) await bench.queue.retry(message, 0);
    }
    await bench.queue.send(name, "sound");
    expect(bodies(await receiveAll(bench.queue, name))).toEqual(["sound"]);
    expect(await bench.queue.deadLetters(name)).toEqual([
      expect.objectContaining({ id, queue: name, body: "poison", receives: MAX_RECEIVES }),
    ]);
    expect(await bench.queue.deadLetters(await bench.name())).toEqual([]);
  });

  it("WorkQueue does not move a message that is done at its last delivery", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "close");
    for (let receives = 1; receives <= MAX_RECEIVES; receives += 1) {
      const [message] = await bench.queue.receive(name);
      if (message !== undefined && receives < MAX_RECEIVES) await bench.queue.retry(message, 0);
      else if (message !== undefined) await bench.queue.done(message);
    }
    expect(await bench.queue.receive(name)).toEqual([]);
    expect(await bench.queue.deadLetters(name)).toEqual([]);
  });
}

function groupTests(bench: Bench, turns: QueueMaker["turns"]): void {
  it("WorkQueue delivers the messages of all groups, each once, beside those without a group", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "alone");
    for (const group of ["organization-1", "organization-12", "organization-2", "Z_z"]) {
      await bench.queue.send(name, group, { group });
    }
    const messages = await receiveAll(bench.queue, name, 1);
    expect(bodies(messages).sort()).toEqual(["Z_z", "alone", "organization-1", "organization-12", "organization-2"]);
    await Promise.all(messages.slice(1).map((message) => bench.queue.done(message)));
    await sleep(1100);
    const [again, ...more] = await receiveAll(bench.queue, name);
    expect(more).toEqual([]);
    expect(again).toMatchObject({ id: messages[0]?.id, receives: 2 });
  });

  it("WorkQueue gives back, delays and buries the messages of a group as others", async () => {
    const name = await bench.name();
    await bench.queue.send(name, "late", { group: "a", delaySeconds: 1 });
    await bench.queue.send(name, "poison", { group: "a" });
    for (let receives = 1; receives <= MAX_RECEIVES; receives += 1) {
      const [message] = await bench.queue.receive(name);
      expect(message).toMatchObject({ body: "poison", receives });
      if (message !== undefined) await bench.queue.retry(message, 0);
    }
    expect(await receiveAll(bench.queue, name)).toEqual([]);
    await sleep(1100);
    expect(bodies(await receiveAll(bench.queue, name))).toEqual(["late"]);
    const [letter] = await bench.queue.deadLetters(name);
    expect(letter?.body).toBe("poison");
    if (letter !== undefined) await bench.queue.done(letter);
    expect(await bench.queue.deadLetters(name)).toEqual([]);
  });

  it("WorkQueue.send refuses the name of a group that is none", async () => {
    const name = await bench.name();
    for (const group of ["", "a/b", "ä", "x".repeat(129)]) {
      await expect(bench.queue.send(name, 1, { group }), group).rejects.toMatchObject({ kind: "BadRequest" });
    }
    await bench.queue.send(name, 1, { group: "x".repeat(128) });
  });

  it.runIf(turns === "exact")("WorkQueue.receive gives groups turns, whatever each has waiting", async () => {
    const name = await bench.name();
    for (let index = 0; index < 30; index += 1) await bench.queue.send(name, `many-${index}`, { group: "many" });
    expect(bodies(await bench.queue.receive(name, { max: 2 }))).toEqual(["many-0", "many-1"]);
    for (const group of ["few", "none"]) await bench.queue.send(name, `${group}-0`, { group });
    await bench.queue.send(name, "few-1", { group: "few" });
    const next = bodies(await bench.queue.receive(name, { max: 5 }));
    expect(next.slice(0, 3).sort()).toEqual(["few-0", "many-2", "none-0"]);
    expect(next.slice(3).sort()).toEqual(["few-1", "many-3"]);
  });
}

/** Runs the contract on a driver. */
export function queueSuite(maker: QueueMaker): void {
  describe.concurrent(`WorkQueue: ${maker.name}`, () => {
    let made: MadeQueue | undefined;
    beforeAll(async () => {
      made = await maker.make({ maxReceives: MAX_RECEIVES });
    });
    afterAll(async () => made?.close());
    const bench: Bench = {
      get queue() {
        if (made === undefined) throw new Error("The driver is not made yet");
        return made.queue;
      },
      name: async () => (await maker.newQueue?.()) ?? `suite-${randomUUID()}`,
    };
    describe.concurrent("delivery", () => deliveryTests(bench));
    describe.concurrent("time", () => timeTests(bench));
    describe.concurrent("waiting", () => waitTests(bench));
    describe.concurrent("deduplication", () => deduplicationTests(bench));
    describe.concurrent("dead letters", () => deadLetterTests(bench));
    describe.concurrent("groups", () => groupTests(bench, maker.turns));
  });
}
