/**
 * Memory for the bodies of requests: a body is read only when there is room for all of it, and holds its room until its
 * request is answered. Bodies without room wait unread, organizations in turns, so that TCP holds their senders back.
 */
import { type AppError, ServiceUnavailable, TooManyRequests } from "../../ports/errors.ts";
import { FairQueue } from "./fair-queue.ts";

export interface BodyRoomLimits {
  /** Bytes of all bodies at once. */
  bytes: number;
  /** Bytes of one group's bodies at once; at least as many as one body may have. */
  groupBytes: number;
  /** Bodies of one group that wait for room; each holds some kilobytes in the system's buffers. */
  groupWaiting: number;
  /** Longest wait, in milliseconds. */
  waitMs: number;
}

/** Seconds after which a refused client should try again: half of the work that fills the room is done by then. */
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  group: string;
  bytes: number;
  enter(): void;
}

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;

export class BodyRoom {
  readonly #limits: BodyRoomLimits;
  readonly #waiting = new FairQueue<Waiting>();
  readonly #waitingByGroup = new Map<string, number>();
  readonly #heldByGroup = new Map<string, number>();
  #held = 0;

  constructor(limits: BodyRoomLimits) {
    this.#limits = limits;
  }

  /** Bytes of all bodies that hold room. */
  get held(): number {
    return this.#held;
  }

  /**
   * Waits for room.
   * @param bytes at most `groupBytes`
   * @param gone aborts when the client is gone
   * @returns the function that gives the room back; call it once
   * @throws TooManyRequests when the group's own bodies fill its share; ServiceUnavailable when all bodies fill the room
   */
  async enter(group: string, bytes: number, gone: AbortSignal): Promise<() => void> {
    if (!this.#fits({ group, bytes })) await this.#wait(group, bytes, gone);
    else this.#hold(group, bytes);
    return () => {
      this.#hold(group, -bytes);
      this.#advance();
    };
  }

  /** Waits until the body holds its room. */
  #wait(group: string, bytes: number, gone: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (count(this.#waitingByGroup, group, 1) > this.#limits.groupWaiting) {
      count(this.#waitingByGroup, group, -1);
      return Promise.reject(this.#refusal(group, bytes));
    }
    const waiting: Waiting = { group, bytes, enter: resolve };
    this.#waiting.add(group, waiting);
    const leave = (error: Error): void => {
      if (this.#waiting.remove(waiting)) reject(error);
    };
    const onGone = (): void => leave(new TooManyRequests("The client disconnected"));
    const timer = setTimeout(() => leave(this.#refusal(group, bytes)), this.#limits.waitMs);
    gone.addEventListener("abort", onGone, { once: true });
    if (gone.aborted) onGone();
    return promise.finally(() => {
      clearTimeout(timer);
      gone.removeEventListener("abort", onGone);
      count(this.#waitingByGroup, group, -1);
    });
  }

  #advance(): void {
    for (;;) {
      const next = this.#waiting.take({ item: (item) => this.#fits(item) });
      if (next === undefined) return;
      this.#hold(next.group, next.bytes);
      next.enter();
    }
  }

  #fits({ group, bytes }: { group: string; bytes: number }): boolean {
    return this.#held + bytes <= this.#limits.bytes && this.#fitsGroup(group, bytes);
  }

  #fitsGroup(group: string, bytes: number): boolean {
    return (this.#heldByGroup.get(group) ?? 0) + bytes <= this.#limits.groupBytes;
  }

  #hold(group: string, bytes: number): void {
    this.#held += bytes;
    count(this.#heldByGroup, group, bytes);
  }

  #refusal(group: string, bytes: number): AppError {
    const again = `try again in ${RETRY_AFTER_SECONDS} s`;
    const options = { retryAfter: RETRY_AFTER_SECONDS };
    if (this.#fitsGroup(group, bytes)) {
      return new ServiceUnavailable(
        `Requests under way fill the ${megabytes(this.#limits.bytes)} for their bodies; ${again}`,
        options,
      );
    }
    const share = megabytes(this.#limits.groupBytes);
    return new TooManyRequests(
      `Your organization's requests under way fill the ${share} for their bodies; send fewer at once, and ${again}`,
      options,
    );
  }
}

/** Adds to a counter, and forgets it at 0. @returns its new value */
function count(counters: Map<string, number>, name: string, by: number): number {
  const value = (counters.get(name) ?? 0) + by;
  if (value === 0) counters.delete(name);
  else counters.set(name, value);
  return value;
}
