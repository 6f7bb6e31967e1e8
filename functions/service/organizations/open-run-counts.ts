/**
 * Counters of open runs by organization, used against overload. A counter is written beside the runs and not in their
 * transactions, as all runs of an organization would contend for it. The sweep, which reads all open runs anyway,
 * corrects errors after a crash.
 */
import { ConditionFailed, ServiceUnavailable } from "../../ports/errors.ts";
import { queryAll, type Records, type RecordValue } from "../../ports/records.ts";
import type { SystemRecords } from "./organization-records.ts";

const PARTITION = "sys/open-runs";
/** `Retry-After` of a refused run; a document takes a few seconds. */
const RETRY_AFTER_SECONDS = 10;

interface OpenRunsRecord extends RecordValue {
  v: 1;
  open: number;
}

/** The counters as an organization's work uses them. */
export interface OpenRuns {
  /** @throws ServiceUnavailable, with `retryAfter`, when no more runs may be opened */
  admit(): Promise<void>;
  opened(): Promise<void>;
  ended(): Promise<void>;
}

async function loadCounts(records: Pick<Records, "query">): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for await (const { key, value } of queryAll<OpenRunsRecord>(records, { partition: PARTITION, limit: 1000 })) {
    counts.set(Number(key.sort), value.open);
  }
  return counts;
}

export function openRunsOf(
  records: Records,
  organizationId: number,
  limits: { maxOpenRuns: number; orgOpenRuns: number },
): OpenRuns {
  const key = { partition: PARTITION, sort: String(organizationId) };
  return {
    async admit() {
      const counts = await loadCounts(records);
      const own = counts.get(organizationId) ?? 0;
      const all = counts.values().reduce((sum, open) => sum + open, 0);
      if (own < limits.orgOpenRuns && all < limits.maxOpenRuns) return;
      const subject = own < limits.orgOpenRuns ? "The service has" : "Your organization has";
      throw new ServiceUnavailable(`${subject} too many open runs; try again when some have ended`, {
        retryAfter: RETRY_AFTER_SECONDS,
      });
    },
    async opened() {
      await records.add(key, { open: 1 });
    },
    async ended() {
      try {
        await records.add(key, { open: -1 }, { open: 0 });
      } catch (error) {
        // The sweep has corrected the counter in between.
        if (!(error instanceof ConditionFailed)) throw error;
      }
    },
  };
}

/** Sets the counters to the counted numbers. */
export async function setOpenRunCounts(system: SystemRecords, counted: ReadonlyMap<number, number>): Promise<void> {
  const noted = await loadCounts(system);
  for (const id of new Set([...noted.keys(), ...counted.keys()])) {
    const open = counted.get(id) ?? 0;
    if (noted.get(id) !== open) await system.put({ partition: PARTITION, sort: String(id) }, { v: 1, open });
  }
}
