/** Consumes a local queue with limited concurrency, like Lambda's event source mapping in the cloud. */
import { setTimeout as sleep } from "node:timers/promises";
import { type QueueMessage, retryDelaySeconds } from "../../ports/queue.ts";
import { MAX_RECEIVE_WAIT_SECONDS } from "../queue-limits.ts";
import type { LocalQueue } from "./queue.ts";

export interface QueueConsumerOptions {
  queue: LocalQueue;
  /** Name of the queue. */
  name: string;
  /** Throws to have the message delivered again. */
  work: (message: QueueMessage) => Promise<void>;
  /** Called with errors of the queue itself. */
  onError: (error: unknown) => void;
}

export interface QueueConsumer {
  /**
   * Stops receiving, and waits for running work up to `graceMs`. Unfinished work is delivered again after the next
   * start,
   * once it is visible.
   */
  close(graceMs: number): Promise<void>;
}

/** Messages worked on concurrently. */
const MAX_CONCURRENT_MESSAGES = 4;
/** Longer than any work takes; after a crash, unfinished work is delivered again after this time. */
const VISIBILITY_SECONDS = 300;
/** Pause before the next attempt when the queue itself fails. */
const FAILURE_PAUSE_MS = 1000;

/** Consumes a queue until closed. */
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
        const max = MAX_CONCURRENT_MESSAGES - underWay.size;
        const messages = await queue.receive(name, {
          max,
          visibilitySeconds: VISIBILITY_SECONDS,
          waitSeconds: MAX_RECEIVE_WAIT_SECONDS,
        });
        for (const message of messages) {
          const handled = handle(message).finally(() => underWay.delete(handled));
          underWay.add(handled);
        }
        if (underWay.size >= MAX_CONCURRENT_MESSAGES) await Promise.race(underWay);
      } catch (error) {
        onError(error);
        if (!closing) await sleep(FAILURE_PAUSE_MS, undefined, { ref: false });
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
