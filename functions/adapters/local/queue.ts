/** A work queue on one machine, stored in Records, with the limits of SQS. */
import type { Clock } from "../../ports/clock.ts";
import type { Json } from "../../ports/json.ts";
import { MAX_RECEIVES, type QueueMessage, type SendOptions, type WorkQueue } from "../../ports/queue.ts";
import type { Records } from "../../ports/records.ts";
import {
  checkBounds,
  checkGroup,
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

export interface LocalMessage extends QueueMessage {
  /** Empty for a message without one. */
  group: string;
}

export interface LocalQueue extends WorkQueue {
  /** @param options `mayTake`: asked before each message, with the number of this receive's messages of its group */
  receive(
    queue: string,
    options?: Parameters<WorkQueue["receive"]>[1] & { mayTake?: (group: string, taken: number) => boolean },
  ): Promise<LocalMessage[]>;
  /** Lets waiting receivers look again, as `mayTake` has changed. */
  wake(queue: string): void;
  /** Wakes all waiting receivers. Records stay. */
  close(): void;
}

/** Most groups whose last turn is remembered; a forgotten one counts as never served. */
const MAX_REMEMBERED_GROUPS = 10_000;

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
  /** Number of each group's last turn, by queue and group. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #closed = false;

  constructor(messages: QueueMessages, maxReceives: number) {
    this.#messages = messages;
    this.#maxReceives = maxReceives;
  }

  async send(queue: string, body: Json, { delaySeconds = 0, ...options }: SendOptions = {}): Promise<{ id: string }> {
    checkBounds("delaySeconds", delaySeconds, 0, MAX_DELAY_SECONDS);
    checkGroup(options.group);
    encodeBody(body);
    const id = await this.#messages.add(partitionOf(queue), body, delaySeconds * 1000, options);
    this.#waiters.wake(queue);
    return { id };
  }

  async receive(
    queue: string,
    {
      max = 1,
      visibilitySeconds = 30,
      waitSeconds = 0,
      mayTake = () => true,
    }: Parameters<LocalQueue["receive"]>[1] = {},
  ): Promise<LocalMessage[]> {
    checkBounds("max", max, 1, MAX_RECEIVE_MESSAGES);
    checkBounds("visibilitySeconds", visibilitySeconds, 0, MAX_VISIBILITY_SECONDS);
    checkBounds("waitSeconds", waitSeconds, 0, MAX_RECEIVE_WAIT_SECONDS);
    const partition = partitionOf(queue);
    const deadline = performance.now() + waitSeconds * 1000;
    for (;;) {
      const waiter = this.#waiters.enter(queue);
      try {
        const taken = await this.#take(queue, partition, { max, visibilityMs: visibilitySeconds * 1000, mayTake });
        const remaining = deadline - performance.now();
        if (taken.length > 0 || remaining <= 0 || this.#closed) return taken;
        const groups = (await this.#messages.groups(partition)).filter(({ group }) => mayTake(group, 0));
        const next = Math.min(remaining, ...groups.map(({ untilVisible }) => untilVisible));
        await waiter.wait(Math.max(1, next));
      } finally {
        waiter.leave();
      }
    }
  }

  /** Takes messages of the groups in turns, least recently served first. */
  async #take(
    queue: string,
    partition: string,
    {
      max,
      visibilityMs,
      mayTake,
    }: { max: number; visibilityMs: number; mayTake: (group: string, taken: number) => boolean },
  ): Promise<LocalMessage[]> {
    const taken: LocalMessage[] = [];
    const lastTurn = (group: string): number => this.#turns.get(`${partition}/${group}`) ?? 0;
    const found = await this.#messages.groups(partition);
    let open = found.filter(({ untilVisible }) => untilVisible <= 0).map(({ group }) => group);
    while (open.length > 0 && taken.length < max) {
      const empty = new Set<string>();
      for (const group of open.sort((a, b) => lastTurn(a) - lastTurn(b))) {
        if (taken.length === max) break;
        const ofGroup = taken.filter((one) => one.group === group).length;
        const message = mayTake(group, ofGroup)
          ? await this.#takeOne(queue, partition, group, visibilityMs, taken).catch((error: unknown) => {
              // Messages taken already are delivered, and must be worked on; the fault comes again if it lasts.
              if (taken.length === 0) throw error;
              return undefined;
            })
          : undefined;
        if (message === undefined) empty.add(group);
        else taken.push(message);
      }
      open = open.filter((group) => !empty.has(group));
    }
    return taken;
  }

  async #takeOne(
    queue: string,
    partition: string,
    group: string,
    visibilityMs: number,
    taken: readonly LocalMessage[],
  ): Promise<LocalMessage | undefined> {
    for (;;) {
      const visible = await this.#messages.visible(partition, group, 2 * MAX_RECEIVE_MESSAGES);
      const candidates = visible.filter((message) => !taken.some(({ id }) => id === message.value.id));
      if (candidates.length === 0) return undefined;
      for (const message of candidates) {
        const { id, body, receives } = message.value;
        if (receives >= this.#maxReceives) {
          await this.#messages.bury(message);
          continue;
        }
        const receipt = await this.#messages.deliver(message, visibilityMs);
        if (receipt === undefined) continue;
        this.#hadTurn(`${partition}/${group}`);
        return { id, queue, group, body, receives: receives + 1, receipt };
      }
    }
  }

  #hadTurn(name: string): void {
    this.#turns.delete(name);
    this.#turns.set(name, ++this.#turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_REMEMBERED_GROUPS && oldest !== undefined) this.#turns.delete(oldest);
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

  wake(queue: string): void {
    this.#waiters.wake(queue);
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
