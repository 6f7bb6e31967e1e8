/** Consumes a local queue with limited concurrency, in all and for each group, like the functions do in the cloud. */
import { setTimeout as sleep } from "node:timers/promises";
import { retryDelaySeconds } from "../../ports/queue.ts";
import { MAX_RECEIVE_MESSAGES, MAX_RECEIVE_WAIT_SECONDS } from "../queue-limits.ts";
import type { LocalMessage, LocalQueue } from "./queue.ts";
import { repeatAfterFault } from "./repeat-after-fault.ts";

export interface QueueConsumerOptions {
  queue: LocalQueue;
  /** Name of the queue. */
  name: string;
  /** Messages worked on concurrently; default 4. */
  concurrency?: number;
  /** The same of one group; default: all. */
  groupConcurrency?: number;
  /**
   * Throws to have the message delivered again.
   * @returns a pause in milliseconds for which the message still counts as worked on in its group
   */
  work: (message: LocalMessage) => Promise<number | undefined>;
  /** Called with errors of the queue itself. */
  onError: (error: unknown) => void;
}

export interface QueueConsumer {
  /**
   * Stops receiving, and waits for running work up to `graceMs`. Unfinished work is delivered again after the next
   * start, once it is visible.
   */
  close(graceMs: number): Promise<void>;
}

const DEFAULT_CONCURRENCY = 4;
/** Longer than any work takes; after a crash, unfinished work is delivered again after this time. */
const VISIBILITY_SECONDS = 300;
/** Pause before the next attempt when the queue itself fails. */
const FAILURE_PAUSE_MS = 1000;

/** Numbers by group. */
class GroupCounts {
  readonly #counts = new Map<string, number>();

  of(group: string): number {
    return this.#counts.get(group) ?? 0;
  }

  add(group: string, by: number): void {
    const count = this.of(group) + by;
    if (count > 0) this.#counts.set(group, count);
    else this.#counts.delete(group);
  }
}

const outcomeOf = (work: Promise<number | undefined>): Promise<{ done: boolean; pauseMs: number }> =>
  work.then(
    (pause = 0) => ({ done: true, pauseMs: pause }),
    () => ({ done: false, pauseMs: 0 }),
  );

/** Consumes a queue until closed. */
export function startQueueConsumer({
  queue,
  name,
  concurrency = DEFAULT_CONCURRENCY,
  groupConcurrency = concurrency,
  work,
  onError,
}: QueueConsumerOptions): QueueConsumer {
  const underWay = new Set<Promise<void>>();
  const groups = new GroupCounts();
  let closing = false;
  const repeat = repeatAfterFault(() => closing, onError);

  async function handle(message: LocalMessage): Promise<void> {
    const { done, pauseMs } = await outcomeOf(work(message));
    // A full disk that makes work fail refuses this too; a message that is not given back is lost to its run's time.
    const settle = () => (done ? queue.done(message) : queue.retry(message, retryDelaySeconds(message.receives)));
    await repeat(settle).catch(onError);
    const free = (): void => {
      groups.add(message.group, -1);
      queue.wake(name);
    };
    if (pauseMs > 0) setTimeout(free, pauseMs).unref();
    else free();
  }

  async function consume(): Promise<void> {
    while (!closing) {
      try {
        const messages = await queue.receive(name, {
          max: Math.min(concurrency - underWay.size, MAX_RECEIVE_MESSAGES),
          visibilitySeconds: VISIBILITY_SECONDS,
          waitSeconds: MAX_RECEIVE_WAIT_SECONDS,
          mayTake: (group, taken) => groups.of(group) + taken < groupConcurrency,
        });
        for (const message of messages) {
          groups.add(message.group, 1);
          const handled = handle(message).finally(() => underWay.delete(handled));
          underWay.add(handled);
        }
        if (underWay.size >= concurrency) await Promise.race(underWay);
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
