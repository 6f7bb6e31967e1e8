/**
 * Counts requests with keys that are not valid, by source address, and slows a source that sends many. A valid key is
 * never slowed, whatever else comes from its address: many callers may share one proxy.
 */
import type { Clock } from "../../ports/clock.ts";
import { TooManyRequests } from "../../ports/errors.ts";
import type { Observer } from "../../ports/observer.ts";
import { type Caller, RefusedKey } from "./api-keys.ts";

/** Failures of a source that are answered at once. A script with an old key stops, or is noticed, well before. */
const FREE_FAILURES = 100;
/** One failure of a source is forgotten in each such time, in milliseconds. */
const FORGIVEN_EVERY_MS = 1_000;
/** Delay of an answer for each failure over the free ones, and the longest delay, in milliseconds. */
const DELAY_STEP_MS = 100;
const MAX_DELAY_MS = 2_000;
/** Sources whose failures are remembered, some 200 bytes each; the one that failed longest ago is forgotten first. */
const MAX_SOURCES = 10_000;

interface Failures {
  count: number;
  /** Milliseconds since 1970 of the last one. */
  at: number;
}

export interface FailedKeysOptions {
  clock: Pick<Clock, "now" | "sleep">;
  observer: Pick<Observer, "count" | "log">;
  /** Answers that wait at once; more are refused with 429. 0 where waiting costs money: in the cloud. */
  maxWaiting: number;
}

/** A source's addresses count together: an IPv6 customer has all addresses of a /64 (RFC 6177). */
export function sourceGroup(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::", 2) as [string, string?];
  const front = head.split(":").filter((part) => part !== "");
  const back = (tail ?? "").split(":").filter((part) => part !== "");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}

export class FailedKeys {
  readonly #options: FailedKeysOptions;
  /** By source, the one that failed longest ago first. */
  readonly #failures = new Map<string, Failures>();
  #waiting = 0;

  constructor(options: FailedKeysOptions) {
    this.#options = options;
  }

  /** Number of sources that are remembered. */
  get sources(): number {
    return this.#failures.size;
  }

  /**
   * Authenticates a request from a source.
   * @throws the error of `authenticate`, after a delay for a source with many refused keys; TooManyRequests in its place
   *   when too many answers wait
   */
  async authenticate(source: string, authenticate: () => Promise<Caller>): Promise<Caller> {
    try {
      return await authenticate();
    } catch (error) {
      if (error instanceof RefusedKey) await this.#slow(source);
      throw error;
    }
  }

  async #slow(source: string): Promise<void> {
    const { clock, observer, maxWaiting } = this.#options;
    observer.count("failed_keys_total");
    const over = this.#add(sourceGroup(source)) - FREE_FAILURES;
    if (over <= 0) return;
    if (over === 1) observer.log("warn", "many refused API keys: answers to this source are slowed", { source });
    if (this.#waiting >= maxWaiting) {
      const seconds = Math.ceil((over * FORGIVEN_EVERY_MS) / 1000);
      throw new TooManyRequests(
        `Too many requests with keys that are not valid came from your address; send a valid key, or try again in ${seconds} s`,
        { retryAfter: seconds },
      );
    }
    this.#waiting += 1;
    try {
      await clock.sleep(Math.min(MAX_DELAY_MS, over * DELAY_STEP_MS));
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Counts a failure. @returns the source's failures that are not forgiven yet */
  #add(source: string): number {
    const now = this.#options.clock.now();
    const before = this.#failures.get(source);
    const forgiven = before === undefined ? 0 : Math.floor(Math.max(0, now - before.at) / FORGIVEN_EVERY_MS);
    const count = Math.max(0, (before?.count ?? 0) - forgiven) + 1;
    const [oldest] = this.#failures.keys();
    if (before !== undefined) this.#failures.delete(source);
    else if (this.#failures.size >= MAX_SOURCES && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(source, { count, at: now });
    return count;
  }
}
