/**
 * Notes the day on which each key was last used. The note is written beside the request that uses the key, never before
 * it, and once a day: a process remembers the day, and a process that starts finds it noted.
 */
import type { Clock } from "../../ports/clock.ts";
import { type KeyUse, keyUse } from "./key-records.ts";
import type { SystemRecords } from "./organization-records.ts";

/** Most remembered keys, of about 100 bytes each. */
const MAX_REMEMBERED_USES = 10_000;

export class KeyUses {
  readonly #records: SystemRecords;
  readonly #clock: Pick<Clock, "now">;
  /** Days by id. */
  readonly #days = new Map<string, string>();
  readonly #writing = new Set<Promise<void>>();

  constructor(records: SystemRecords, clock: Pick<Clock, "now">) {
    this.#records = records;
    this.#clock = clock;
  }

  /** Returns at once. */
  note(organizationId: number, id: string): void {
    const day = new Date(this.#clock.now()).toISOString().slice(0, 10);
    if (this.#days.get(id) === day) return;
    if (this.#days.size >= MAX_REMEMBERED_USES) this.#days.clear();
    this.#days.set(id, day);
    const writing = this.#write(organizationId, id, day)
      // A day that is not noted is no reason to refuse a request; another process or day notes it.
      .catch(() => undefined)
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Resolves when all days are written. */
  async noted(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(organizationId: number, id: string, day: string): Promise<void> {
    const key = keyUse(organizationId, id);
    const stored = await this.#records.get<KeyUse>(key);
    if (stored !== undefined && stored.value.day >= day) return;
    const condition = stored === undefined ? ({ ifAbsent: true } as const) : { ifVersion: stored.version };
    const value: KeyUse = { v: 1, organizationId, day };
    await this.#records.put(key, value, { condition });
  }
}
