/** Messages sent twice are delivered once, also when senders die or fail in between. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deduplication } from "../../../../functions/adapters/aws/queue-deduplication.ts";
import { type LocalRecords, openRecords } from "../../../../functions/adapters/local/records.ts";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { Records } from "../../../../functions/ports/records.ts";
import { type ManualClock, manualClock } from "../../../support/clock.ts";

const PARTITION = "sys/queue/work";

let clock: ManualClock;
let records: LocalRecords;
let deduplication: Deduplication;
let messages: string[];
beforeEach(() => {
  clock = manualClock();
  records = openRecords(":memory:", { clock });
  deduplication = new Deduplication(records, clock);
  messages = [];
});
afterEach(() => records.close());

/** A sender whose message has this id. */
const sender = (id: string) => async () => {
  messages.push(id);
  return id;
};
const never = () => new Promise<string>(() => {});
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("a deduplication id", () => {
  it("allows one message in 5 minutes, in each queue", async () => {
    expect(await deduplication.once(PARTITION, "d", sender("a"))).toBe("a");
    clock.advance(299_999);
    expect(await deduplication.once(PARTITION, "d", sender("b"))).toBe("a");
    expect(await deduplication.once("sys/queue/other", "d", sender("c"))).toBe("c");
    clock.advance(1_001);
    expect(await deduplication.once(PARTITION, "d", sender("e"))).toBe("e");
    expect(messages).toEqual(["a", "c", "e"]);
  });

  it("may be any text", async () => {
    for (const id of ["", "ä\ud83e", "x".repeat(5000), "a/b#c"]) {
      expect(await deduplication.once(PARTITION, id, sender(id))).toBe(id);
      expect(await deduplication.once(PARTITION, id, sender("again"))).toBe(id);
    }
  });
});

describe("two concurrent senders", () => {
  it("send one message: the second waits for the first", async () => {
    let send: (id: string) => void = () => {};
    const first = deduplication.once(PARTITION, "d", () => new Promise((resolve) => (send = resolve)));
    await settled();
    const second = deduplication.once(PARTITION, "d", sender("b"));
    await settled();
    clock.advance(50);
    await settled();
    send("a");
    expect(await first).toBe("a");
    clock.advance(50);
    expect(await second).toBe("a");
    expect(messages).toEqual([]);
  });

  it("send one message when the first one died, after 10 seconds", async () => {
    void deduplication.once(PARTITION, "d", never);
    await settled();
    const second = deduplication.once(PARTITION, "d", sender("b"));
    await settled();
    clock.advance(9_999);
    await settled();
    expect(messages).toEqual([]);
    clock.advance(50);
    expect(await second).toBe("b");
    expect(await deduplication.once(PARTITION, "d", sender("c"))).toBe("b");
    expect(messages).toEqual(["b"]);
  });

  it("may send two when the first one was only slow, and then agree on the second's id", async () => {
    let send: (id: string) => void = () => {};
    const first = deduplication.once(PARTITION, "d", () => new Promise((resolve) => (send = resolve)));
    await settled();
    clock.advance(10_000);
    expect(await deduplication.once(PARTITION, "d", sender("b"))).toBe("b");
    send("a");
    expect(await first).toBe("a");
    expect(await deduplication.once(PARTITION, "d", sender("c"))).toBe("b");
  });
});

describe("ten concurrent senders", () => {
  const ten = () =>
    Promise.all(Array.from({ length: 10 }, (_, n) => deduplication.once(PARTITION, "d", sender(`${n}`))));
  /** Advances the clock while a sender waits. */
  async function passing<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(() => clock.advance(50), 2);
    return work.finally(() => clearInterval(timer));
  }

  it("send one message", async () => {
    const ids = await passing(ten());
    expect(messages).toHaveLength(1);
    expect(ids).toEqual(Array.from({ length: 10 }, () => messages[0]));
  });

  it("send one message in place of a sender that died", async () => {
    void deduplication.once(PARTITION, "d", never);
    await settled();
    clock.advance(10_000);
    await passing(ten());
    expect(messages).toHaveLength(1);
  });
});

describe("a failed send", () => {
  it("releases the id at once", async () => {
    const failure = new Error("not sent");
    await expect(deduplication.once(PARTITION, "d", () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await deduplication.once(PARTITION, "d", sender("b"))).toBe("b");
  });

  it("is not reported when only the record of a sent message failed", async () => {
    let puts = 0;
    const forgetful: Pick<Records, "get" | "put" | "delete"> = {
      get: (key) => records.get(key),
      delete: (...parameters) => records.delete(...parameters),
      async put(...parameters) {
        puts += 1;
        if (puts === 2) throw new ServiceUnavailable("away");
        return records.put(...parameters);
      },
    };
    const other = new Deduplication(forgetful, clock);
    expect(await other.once(PARTITION, "d", sender("a"))).toBe("a");
    expect(messages).toEqual(["a"]);
  });
});
