/**
 * Sending once what is sent twice: a standard queue of SQS does not know deduplication ids, so they are in Records. A
 * sender claims an id before it sends and notes the message afterwards. Whoever comes meanwhile waits for that note; a
 * claim whose sender went away is taken over, so that a crash between the two costs a second message, never the first.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import { AppError, ConditionFailed } from "../../ports/errors.ts";
import type { RecordKey, Records, RecordValue, WriteCondition } from "../../ports/records.ts";

const DEDUPLICATIONS = "d/";
const DEDUPLICATION_SECONDS = 300;
/** How long a sender has until others take it for gone, in milliseconds. */
const CLAIM_MILLISECONDS = 10_000;
const POLL_MILLISECONDS = 50;

interface DeduplicationRecord extends RecordValue {
  /** The message's id, once it is sent. */
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
   * Sends, unless the same id was used in this partition within 5 minutes.
   * @param send sends the message and gives its id
   * @returns the id of the message that was sent, now or then
   */
  async once(partition: string, deduplicationId: string, send: () => Promise<string>): Promise<string> {
    const hash = createHash("sha256").update(deduplicationId).digest("hex");
    const key = { partition, sort: `${DEDUPLICATIONS}${hash}` };
    for (;;) {
      const stored = await this.#records.get<DeduplicationRecord>(key);
      if (stored?.value.id !== undefined) return stored.value.id;
      const now = this.#clock.now();
      if (stored !== undefined && stored.value.claimedUntil > now) {
        await this.#clock.sleep(POLL_MILLISECONDS);
        continue;
      }
      const condition: WriteCondition = stored === undefined ? { ifAbsent: true } : { ifVersion: stored.version };
      const expiresAt = stored?.expiresAt ?? Math.ceil(now / 1000) + DEDUPLICATION_SECONDS;
      const claim = await this.#put(key, { v: 1, claimedUntil: now + CLAIM_MILLISECONDS }, expiresAt, condition);
      if (claim !== undefined) return this.#sendClaimed(key, claim, expiresAt, send);
    }
  }

  async #sendClaimed(key: RecordKey, claim: number, expiresAt: number, send: () => Promise<string>): Promise<string> {
    let id: string;
    try {
      id = await send();
    } catch (error) {
      // Others need not wait for the claim to run out. Where this fails too, they do.
      await this.#records.delete(key, { ifVersion: claim }).catch(() => {});
      throw error;
    }
    try {
      await this.#put(key, { v: 1, id, claimedUntil: 0 }, expiresAt, { ifVersion: claim });
    } catch (error) {
      // The message is sent: to fail now would only have the caller send it again.
      if (!(error instanceof AppError)) throw error;
    }
    return id;
  }

  /** @returns the record's version, or undefined when somebody else was there first */
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
