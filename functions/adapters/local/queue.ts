import type { Clock } from "../../ports/clock.ts";
import type { Json } from "../../ports/json.ts";
import { MAX_RECEIVES, type QueueMessage, type WorkQueue } from "../../ports/queue.ts";
import type { Records } from "../../ports/records.ts";
import {
  checkBounds,
  checkMaxReceives,
  encodeBody,
  MAX_DELAY_SECONDS,
  MAX_RECEIVE_MESSAGES,
  MAX_RECEIVE_WAIT_SECONDS,
  MAX_VISIBILITY_SECONDS,
  partitionOf,
} from "../queue-limits.ts";
import { QueueMessages } from "./queue-messages.ts";

export interface QueueOptions {
  records: Records;
  clock: Clock;
  /** Deliveries before a message becomes a dead letter; default MAX_RECEIVES. */
  maxReceives?: number;
}

export interface LocalQueue extends WorkQueue {
  /** Wakes all waiting receivers. Records stay. */
  close(): void;
}

/** Receivers that wait for messages of a queue. */
class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Registers a receiver; from now on a wake counts, even before `wait`. */
  enter(queue: string): { wait(milliseconds: number): Promise<void>; leave(): void } {
    const waiting = this.#waiting.get(queue) ?? new Set();
    this.#waiting.set(queue, waiting);
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const leave = () => {
      waiting.delete(resolve);
      if (waiting.size === 0 && this.#waiting.get(queue) === waiting) this.#waiting.delete(queue);
    };
    return {
      async wait(milliseconds) {
        const timer = setTimeout(resolve, milliseconds);
        await promise;
        clearTimeout(timer);
      },
      leave,
    };
  }

  wake(queue: string): void {
    for (const wake of this.#waiting.get(queue) ?? []) wake();
  }

  wakeAll(): void {
    for (const queue of this.#waiting.keys()) this.wake(queue);
  }
}

class RecordedQueue implements LocalQueue {
  readonly #messages: QueueMessages;
  readonly #maxReceives: number;
  readonly #waiters = new Waiters();
  #closed = false;

  constructor(messages: QueueMessages, maxReceives: number) {
    this.#messages = messages;
    this.#maxReceives = maxReceives;
  }

  async send(
    queue: string,
    body: Json,
    { delaySeconds = 0, deduplicationId }: { delaySeconds?: number; deduplicationId?: string } = {},
  ): Promise<{ id: string }> {
    checkBounds("delaySeconds", delaySeconds, 0, MAX_DELAY_SECONDS);
    encodeBody(body);
    const id = await this.#messages.add(partitionOf(queue), body, delaySeconds * 1000, deduplicationId);
    this.#waiters.wake(queue);
    return { id };
  }

  async receive(
    queue: string,
    { max = 1, visibilitySeconds = 30, waitSeconds = 0 }: Parameters<WorkQueue["receive"]>[1] = {},
  ): Promise<QueueMessage[]> {
    checkBounds("max", max, 1, MAX_RECEIVE_MESSAGES);
    checkBounds("visibilitySeconds", visibilitySeconds, 0, MAX_VISIBILITY_SECONDS);
    checkBounds("waitSeconds", waitSeconds, 0, MAX_RECEIVE_WAIT_SECONDS);
    const partition = partitionOf(queue);
    const deadline = performance.now() + waitSeconds * 1000;
    for (;;) {
      const waiter = this.#waiters.enter(queue);
      try {
        const taken = await this.#take(queue, partition, max, visibilitySeconds * 1000);
        const remaining = deadline - performance.now();
        if (taken.length > 0 || remaining <= 0 || this.#closed) return taken;
        const next = await this.#messages.untilVisible(partition);
        await waiter.wait(Math.min(remaining, Math.max(1, next ?? remaining)));
      } finally {
        waiter.leave();
      }
    }
  }

  async #take(queue: string, partition: string, max: number, visibilityMs: number): Promise<QueueMessage[]> {
    const taken = new Map<string, QueueMessage>();
    for (;;) {
      const visible = await this.#messages.visible(partition, 2 * MAX_RECEIVE_MESSAGES);
      const candidates = visible.filter((message) => !taken.has(message.value.id));
      if (candidates.length === 0) return [...taken.values()];
      for (const message of candidates) {
        if (taken.size === max) return [...taken.values()];
        const { id, body, receives } = message.value;
        if (receives >= this.#maxReceives) {
          await this.#messages.bury(message);
          continue;
        }
        const receipt = await this.#messages.deliver(message, visibilityMs);
        if (receipt !== undefined) taken.set(id, { id, queue, body, receives: receives + 1, receipt });
      }
    }
  }

  done({ queue, receipt }: QueueMessage): Promise<void> {
    return this.#messages.remove(partitionOf(queue), receipt);
  }

  async retry({ queue, receipt }: QueueMessage, delaySeconds: number): Promise<void> {
    checkBounds("delaySeconds", delaySeconds, 0, MAX_VISIBILITY_SECONDS);
    await this.#messages.giveBack(partitionOf(queue), receipt, delaySeconds * 1000);
    this.#waiters.wake(queue);
  }

  async deadLetters(queue: string): Promise<QueueMessage[]> {
    const dead = await this.#messages.dead(partitionOf(queue));
    return dead.map(({ key, value: { id, body, receives } }) => ({ id, queue, body, receives, receipt: key.sort }));
  }

  close(): void {
    this.#closed = true;
    this.#waiters.wakeAll();
  }
}

/**
 * Opens the queues recorded under `sys/queue/…`. Values outside SQS's limits are a RangeError.
 * @throws RangeError when `maxReceives` is not an integer of at least 1
 */
export function openQueue({ records, clock, maxReceives = MAX_RECEIVES }: QueueOptions): LocalQueue {
  checkMaxReceives(maxReceives);
  return new RecordedQueue(new QueueMessages(records, clock), maxReceives);
}
