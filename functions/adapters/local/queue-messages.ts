/**
 * Messages of the work queue in Records. A message's sort key names its group, then the time from which it is visible, so
 * a receiver reads from the head of each group and never scans messages that others hold. A delivery moves the message
 * to a new sort key, which is the delivery's receipt.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import type { Json } from "../../ports/json.ts";
import type { SendOptions } from "../../ports/queue.ts";
import type { RecordOperation, Records, RecordValue, StoredRecord } from "../../ports/records.ts";
import { attempt } from "./attempt.ts";

/** Messages without a group, which form one together: its name is empty. */
const UNGROUPED_PREFIX = "m/";
/** Messages of a group; its name follows. */
const GROUP_PREFIX = "g/";
/** Sorts behind every character of a group's name and the slash. */
const AFTER_GROUP = "~";
const DEAD_PREFIX = "x/";
const DEDUPLICATION_PREFIX = "d/";
const DEDUPLICATION_SECONDS = 300;
/** Digits of a time in milliseconds. */
const TIME_DIGITS = 15;

export interface MessageRecord extends RecordValue {
  id: string;
  group?: string;
  body: Json;
  receives: number;
}

export type StoredMessage = StoredRecord<MessageRecord>;

interface DeduplicationRecord extends RecordValue {
  id: string;
}

const prefixOf = (group = ""): string => (group === "" ? UNGROUPED_PREFIX : `${GROUP_PREFIX}${group}/`);
const isReceipt = (sort: string): boolean => sort.startsWith(UNGROUPED_PREFIX) || sort.startsWith(GROUP_PREFIX);

const timePart = (group: string | undefined, time: number): string =>
  `${prefixOf(group)}${String(Math.ceil(time)).padStart(TIME_DIGITS, "0")}`;

/** Sorted by group, then time, then age, then delivery; unique per delivery. */
const messageSort = (visibleAt: number, { id, receives, group }: MessageRecord): string =>
  `${timePart(group, visibleAt)}/${id}/${receives}`;

export class QueueMessages {
  readonly #records: Records;
  readonly #clock: Clock;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** Adds a message, unless its deduplication id was used within 5 minutes. @returns the message's id */
  async add(
    partition: string,
    body: Json,
    delayMs: number,
    { deduplicationId, group }: Pick<SendOptions, "deduplicationId" | "group">,
  ): Promise<string> {
    const grouped = group === undefined ? {} : { group };
    const value: MessageRecord = { v: 1, id: this.#clock.guid(), body, receives: 0, ...grouped };
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

  /** The groups that have messages, each with the milliseconds until its first one is visible. */
  async groups(partition: string): Promise<{ group: string; untilVisible: number }[]> {
    const found: { group: string; untilVisible: number }[] = [];
    const note = ({ key: { sort } }: StoredMessage, group: string): void => {
      const prefix = prefixOf(group);
      const time = Number(sort.slice(prefix.length, prefix.length + TIME_DIGITS));
      found.push({ group, untilVisible: time - this.#clock.now() });
    };
    const first = async (from: string, to: string): Promise<StoredMessage | undefined> =>
      (await this.#records.query<MessageRecord>({ partition, from, to, limit: 1 })).items[0];
    const ungrouped = await first(UNGROUPED_PREFIX, `${UNGROUPED_PREFIX}${AFTER_GROUP}`);
    if (ungrouped !== undefined) note(ungrouped, "");
    // One look for each group, which skips its other messages.
    for (let from = GROUP_PREFIX; ; ) {
      const message = await first(from, `${GROUP_PREFIX}${AFTER_GROUP}`);
      if (message === undefined) return found;
      const { group = "" } = message.value;
      note(message, group);
      from = `${prefixOf(group)}${AFTER_GROUP}`;
    }
  }

  /** The visible messages of a group, from its head. */
  async visible(partition: string, group: string, limit: number): Promise<StoredMessage[]> {
    const to = `${timePart(group, Math.floor(this.#clock.now()))}/~`;
    return (await this.#records.query<MessageRecord>({ partition, from: prefixOf(group), to, limit })).items;
  }

  /** Delivers a message. @returns its receipt, or undefined when another delivery was first */
  async deliver(message: StoredMessage, visibilityMs: number): Promise<string | undefined> {
    const value = { ...message.value, receives: message.value.receives + 1 };
    const sort = messageSort(this.#clock.now() + visibilityMs, value);
    return (await this.#move(message, sort, value)) ? sort : undefined;
  }

  /** Makes a delivered message visible after a delay, if the receipt is its newest. */
  async giveBack(partition: string, receipt: string, delayMs: number): Promise<void> {
    if (!isReceipt(receipt)) return;
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
    if (!isReceipt(receipt) && !receipt.startsWith(DEAD_PREFIX)) return;
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
