/**
 * Messages of the work queue in Records. A message's sort key begins with the time from which it is visible, so a
 * receiver
 * reads from the head of the queue and never scans messages that others hold. A delivery moves the message to a new
 * sort
 * key, which is the delivery's receipt.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import type { Json } from "../../ports/json.ts";
import type { RecordOperation, Records, RecordValue, StoredRecord } from "../../ports/records.ts";
import { attempt } from "./attempt.ts";

const MESSAGE_PREFIX = "m/";
const DEAD_PREFIX = "x/";
const DEDUPLICATION_PREFIX = "d/";
const DEDUPLICATION_SECONDS = 300;
/** Digits of a time in milliseconds. */
const TIME_DIGITS = 15;

export interface MessageRecord extends RecordValue {
  id: string;
  body: Json;
  receives: number;
}

export type StoredMessage = StoredRecord<MessageRecord>;

interface DeduplicationRecord extends RecordValue {
  id: string;
}

const timePart = (time: number): string => `${MESSAGE_PREFIX}${String(Math.ceil(time)).padStart(TIME_DIGITS, "0")}`;

/** Sorted by time, then age, then delivery; unique per delivery. */
const messageSort = (visibleAt: number, { id, receives }: MessageRecord): string =>
  `${timePart(visibleAt)}/${id}/${receives}`;

export class QueueMessages {
  readonly #records: Records;
  readonly #clock: Clock;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** Adds a message, unless its deduplication id was used within 5 minutes. @returns the message's id */
  async add(partition: string, body: Json, delayMs: number, deduplicationId?: string): Promise<string> {
    const value: MessageRecord = { v: 1, id: this.#clock.guid(), body, receives: 0 };
    const sort = messageSort(this.#clock.now() + delayMs, value);
    const put: RecordOperation = { kind: "put", key: { partition, sort }, value };
    if (deduplicationId === undefined) {
      await this.#records.transact([put]);
      return value.id;
    }
    const hash = createHash("sha256").update(deduplicationId).digest("hex");
    const key = { partition, sort: `${DEDUPLICATION_PREFIX}${hash}` };
    const expiresAt = Math.ceil(this.#clock.now() / 1000) + DEDUPLICATION_SECONDS;
    const once: RecordOperation = {
      kind: "put",
      key,
      value: { v: 1, id: value.id },
      expiresAt,
      condition: { ifAbsent: true },
    };
    for (;;) {
      if (await attempt(this.#records.transact([once, put]))) return value.id;
      const earlier = await this.#records.get<DeduplicationRecord>(key);
      if (earlier !== undefined) return earlier.value.id;
    }
  }

  /** Visible messages, from the head of the queue. */
  async visible(partition: string, limit: number): Promise<StoredMessage[]> {
    const to = `${timePart(Math.floor(this.#clock.now()))}/~`;
    return (await this.#records.query<MessageRecord>({ partition, from: MESSAGE_PREFIX, to, limit })).items;
  }

  /** Milliseconds until a message is visible; undefined for an empty queue. */
  async untilVisible(partition: string): Promise<number | undefined> {
    const { items } = await this.#records.query<MessageRecord>({ partition, prefix: MESSAGE_PREFIX, limit: 1 });
    const time = items[0]?.key.sort.slice(MESSAGE_PREFIX.length, MESSAGE_PREFIX.length + TIME_DIGITS);
    return time === undefined ? undefined : Number(time) - this.#clock.now();
  }

  /** Delivers a message. @returns its receipt, or undefined when another delivery was first */
  async deliver(message: StoredMessage, visibilityMs: number): Promise<string | undefined> {
    const value = { ...message.value, receives: message.value.receives + 1 };
    const sort = messageSort(this.#clock.now() + visibilityMs, value);
    return (await this.#move(message, sort, value)) ? sort : undefined;
  }

  /** Makes a delivered message visible after a delay, if the receipt is its newest. */
  async giveBack(partition: string, receipt: string, delayMs: number): Promise<void> {
    if (!receipt.startsWith(MESSAGE_PREFIX)) return;
    const message = await this.#records.get<MessageRecord>({ partition, sort: receipt });
    if (message === undefined) return;
    const sort = messageSort(this.#clock.now() + delayMs, message.value);
    if (sort !== receipt) await this.#move(message, sort, message.value);
  }

  async bury(message: StoredMessage): Promise<void> {
    await this.#move(message, `${DEAD_PREFIX}${message.value.id}`, message.value);
  }

  async dead(partition: string): Promise<StoredMessage[]> {
    const items: StoredMessage[] = [];
    let cursor: string | undefined;
    do {
      const next = cursor === undefined ? {} : { cursor };
      const page = await this.#records.query<MessageRecord>({ partition, prefix: DEAD_PREFIX, limit: 1000, ...next });
      items.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return items;
  }

  async remove(partition: string, receipt: string): Promise<void> {
    if (!receipt.startsWith(MESSAGE_PREFIX) && !receipt.startsWith(DEAD_PREFIX)) return;
    await this.#records.delete({ partition, sort: receipt });
  }

  /** Moves a message, if it is still where it was read. */
  #move({ key, version }: StoredMessage, sort: string, value: MessageRecord): Promise<boolean> {
    return attempt(
      this.#records.transact([
        { kind: "delete", key, condition: { ifVersion: version } },
        { kind: "put", key: { partition: key.partition, sort }, value },
      ]),
    );
  }
}
