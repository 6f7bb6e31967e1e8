/**
 * Deduplication in Records, because a standard SQS queue has none. A sender claims an id, sends, then records the
 * message;
 * other senders wait for that record. A claim of a sender that died is taken over, so a crash between the two steps
 * costs
 * a second message, never the first.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import { AppError, ConditionFailed } from "../../ports/errors.ts";
import type { RecordKey, Records, RecordValue, WriteCondition } from "../../ports/records.ts";

const DEDUPLICATION_PREFIX = "d/";
const DEDUPLICATION_SECONDS = 300;
/** Lifetime of a sender's claim in milliseconds. */
const CLAIM_LIFETIME_MS = 10_000;
const POLL_INTERVAL_MS = 50;

interface DeduplicationRecord extends RecordValue {
  /** Id of the message once it is sent. */
  id?: string;
  /** Milliseconds since 1970. */
  claimedUntil: number;
}

export class Deduplication {
  readonly #records: Pick<Records, "get" | "put" | "delete">;
  readonly #clock: Pick<Clock, "now" | "sleep">;

  constructor(records: Pick<Records, "get" | "put" | "delete">, clock: Pick<Clock, "now" | "sleep">) {
    this.#records = records;
    this.#clock = clock;
  }

  /**
   * Sends a message unless the same id was used in this partition within 5 minutes.
   * @param send sends the message and returns its id
   * @returns the id of the message, sent now or before
   */
  async once(partition: string, deduplicationId: string, send: () => Promise<string>): Promise<string> {
    const hash = createHash("sha256").update(deduplicationId).digest("hex");
    const key = { partition, sort: `${DEDUPLICATION_PREFIX}${hash}` };
    for (;;) {
      const stored = await this.#records.get<DeduplicationRecord>(key);
      if (stored?.value.id !== undefined) return stored.value.id;
      const now = this.#clock.now();
      if (stored !== undefined && stored.value.claimedUntil > now) {
        await this.#clock.sleep(POLL_INTERVAL_MS);
        continue;
      }
      const condition: WriteCondition = stored === undefined ? { ifAbsent: true } : { ifVersion: stored.version };
      const expiresAt = stored?.expiresAt ?? Math.ceil(now / 1000) + DEDUPLICATION_SECONDS;
      const claim = await this.#put(key, { v: 1, claimedUntil: now + CLAIM_LIFETIME_MS }, expiresAt, condition);
      if (claim !== undefined) return this.#sendClaimed(key, claim, expiresAt, send);
    }
  }

  async #sendClaimed(key: RecordKey, claim: number, expiresAt: number, send: () => Promise<string>): Promise<string> {
    let id: string;
    try {
      id = await send();
    } catch (error) {
      // Release the claim, so that others need not wait for it to expire. When this fails, they wait.
      await this.#records.delete(key, { ifVersion: claim }).catch(() => {});
      throw error;
    }
    try {
      await this.#put(key, { v: 1, id, claimedUntil: 0 }, expiresAt, { ifVersion: claim });
    } catch (error) {
      // The message is sent: an error would make the caller send it again.
      if (!(error instanceof AppError)) throw error;
    }
    return id;
  }

  /** @returns the record's version, or undefined when another sender was first */
  async #put(
    key: RecordKey,
    value: DeduplicationRecord,
    expiresAt: number,
    condition: WriteCondition,
  ): Promise<number | undefined> {
    try {
      return (await this.#records.put(key, value, { expiresAt, condition })).version;
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  }
}
