/** Takes messages off a local queue and has them worked on, a few at once: what Lambda's mapping is in the cloud. */
import { setTimeout as sleep } from "node:timers/promises";
import { type QueueMessage, retryDelaySeconds } from "../../ports/queue.ts";
import { LONGEST_WAIT } from "../queue-limits.ts";
import type { LocalQueue } from "./queue.ts";

export interface QueueConsumerOptions {
  queue: LocalQueue;
  /** The queue's name. */
  name: string;
  /** Throws for what is to be delivered again. */
  work: (message: QueueMessage) => Promise<void>;
  /** Told what the queue itself throws. */
  onError: (error: unknown) => void;
}

export interface QueueConsumer {
  /**
   * Closes the queue, and lets work under way end, at most so long. What does not is delivered again by the next start,
   * once it is visible.
   */
  close(graceMs: number): Promise<void>;
}

/** Messages that are worked on at once. */
const AT_ONCE = 4;
/** Longer than any work takes; after a crash, what was under way is delivered again so much later. */
const VISIBILITY_SECONDS = 300;
/** Before the next try when the queue itself fails. */
const PAUSE_MS = 1000;

/** Consumes a queue until it is closed. */
export function startQueueConsumer({ queue, name, work, onError }: QueueConsumerOptions): QueueConsumer {
  const underWay = new Set<Promise<void>>();
  let closing = false;

  async function handle(message: QueueMessage): Promise<void> {
    const done = await work(message).then(
      () => true,
      () => false,
    );
    await (done ? queue.done(message) : queue.retry(message, retryDelaySeconds(message.receives))).catch(onError);
  }

  async function consume(): Promise<void> {
    while (!closing) {
      try {
        const max = AT_ONCE - underWay.size;
        const messages = await queue.receive(name, {
          max,
          visibilitySeconds: VISIBILITY_SECONDS,
          waitSeconds: LONGEST_WAIT,
        });
        for (const message of messages) {
          const handled = handle(message).finally(() => underWay.delete(handled));
          underWay.add(handled);
        }
        if (underWay.size >= AT_ONCE) await Promise.race(underWay);
      } catch (error) {
        onError(error);
        if (!closing) await sleep(PAUSE_MS, undefined, { ref: false });
      }
    }
    await Promise.all(underWay);
  }

  const consuming = consume();
  return {
    async close(graceMs) {
      closing = true;
      queue.close();
      await Promise.race([consuming, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
