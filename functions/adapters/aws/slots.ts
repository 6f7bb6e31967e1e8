/** Slots in Records, as functions share no memory: one small record a slot, taken and freed by conditional writes. */
import type { Clock } from "../../ports/clock.ts";
import { ConditionFailed } from "../../ports/errors.ts";
import { queryAll, type RecordKey, type Records, type RecordValue } from "../../ports/records.ts";
import type { Slot, Slots } from "../../ports/slots.ts";

interface SlotRecord extends RecordValue {
  v: 1;
  /** End of its use, milliseconds since 1970. */
  until: number;
}

/** Other takers may be first at this many slots; more only happens when nearly all are taken. */
const MAX_TRIES = 5;
/** Seconds that the record of a free slot stays. */
const RECORD_LIFETIME_SECONDS = 3600;

/** @param records of the whole platform */
export function recordedSlots(records: Pick<Records, "query" | "put">, clock: Pick<Clock, "now">): Slots {
  const write = async (key: RecordKey, until: number, condition: { ifAbsent: true } | { ifVersion: number }) => {
    const expiresAt = Math.ceil(Math.max(until, clock.now()) / 1000) + RECORD_LIFETIME_SECONDS;
    try {
      return (await records.put(key, { v: 1, until } satisfies SlotRecord, { expiresAt, condition })).version;
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  };
  return {
    async take(name, { most, seconds }): Promise<Slot | undefined> {
      const partition = `sys/slots/${name}`;
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const known = new Map<string, { until: number; version: number }>();
        for await (const { key, value, version } of queryAll<SlotRecord>(records, { partition, limit: 1000 })) {
          known.set(key.sort, { until: value.until, version });
        }
        const now = clock.now();
        const free = Array.from({ length: most }, (_, index) => String(index)).filter(
          (sort) => (known.get(sort)?.until ?? 0) <= now,
        );
        // A random one, so that concurrent takers seldom want the same.
        const sort = free[Math.floor(Math.random() * free.length)];
        if (sort === undefined) return undefined;
        const key = { partition, sort };
        const version = known.get(sort)?.version;
        const condition = version === undefined ? ({ ifAbsent: true } as const) : { ifVersion: version };
        const taken = await write(key, now + seconds * 1000, condition);
        if (taken === undefined) continue;
        return {
          async release(pauseMs = 0) {
            await write(key, clock.now() + pauseMs, { ifVersion: taken });
          },
        };
      }
      return undefined;
    },
  };
}
